//! When two values are one: a table for each comparison, odd forms included.

use gainsay::core::value::Comparison::{Date, Duration, Exact, Instant, Json, Number, Text};
use gainsay::core::value::{Comparison, Decimal, Key, canonical};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::script::properties;

/// Each row says one value, in spellings; and no two rows say the same one.
fn assert_classes<const N: usize>(comparison: Comparison, rows: [Vec<Value>; N]) {
    let told: Vec<(usize, &Value)> =
        rows.iter().enumerate().flat_map(|(row, spellings)| spellings.iter().map(move |it| (row, it))).collect();
    for (row, one) in &told {
        for (other_row, other) in &told {
            let equal = comparison.key(one) == comparison.key(other);
            assert_eq!(equal, row == other_row, "{}: {one} and {other}", comparison.name());
        }
    }
}

fn texts<const N: usize>(spellings: [&str; N]) -> Vec<Value> {
    spellings.map(Value::from).to_vec()
}

#[test]
fn exact_is_the_same_json_to_the_byte() {
    assert_classes(
        Exact,
        [
            vec![json!("Lisbon")],
            vec![json!("lisbon")],
            vec![json!("Lisbon ")],
            vec![json!("5")],
            vec![json!(5)],
            vec![json!(5.0)],
            vec![json!({"a": 1, "b": 2})],
            vec![json!({"b": 2, "a": 1})],
            texts(["Montr\u{e9}al"]),
            texts(["Montre\u{301}al"]),
        ],
    );
}

#[test]
fn text_is_blind_to_case_spacing_and_normal_form() {
    assert_classes(
        Text,
        [
            texts(["Lisbon", "lisbon", "LISBON", " Lisbon\t", "\u{a0}Lisbon\u{3000}"]),
            texts(["New York", "new  york", "New\nYork", "New\u{a0}York"]),
            texts(["NewYork"]),
            texts(["Montr\u{e9}al", "Montre\u{301}al", "MONTR\u{c9}AL", "MONTRE\u{301}AL"]),
            texts(["Montreal"]),
            texts(["Stra\u{df}e", "STRASSE", "Stra\u{1e9e}e", "strasse"]),
            texts(["ΟΔΟΣ", "οδος", "οδοσ"]),
            texts(["Diyarbakır"]),
            texts(["Diyarbakir"]),
            texts(["Lis\u{200b}bon"]),
            texts(["L\u{456}sbon"]),
            vec![json!(5), json!("5"), json!(" 5 ")],
            vec![json!(5.0), json!("5.0")],
            vec![json!(true), json!("True")],
            vec![json!(""), json!("   ")],
        ],
    );
}

#[test]
fn number_is_exact_decimal_however_it_is_written() {
    assert_classes(
        Number,
        [
            vec![
                json!(1000),
                json!(1000.0),
                json!("1e3"),
                json!("1E+3"),
                json!("+1000."),
                json!("01000.00"),
                json!(" 1e3 "),
            ],
            vec![json!(0), json!("-0"), json!("0.000"), json!("0e9"), json!(-0.0)],
            vec![json!(-1.5), json!("-15e-1"), json!("-1.50")],
            vec![json!(1.5), json!("1.5")],
            vec![json!("0.1"), json!(0.1), json!(".1"), json!("1e-1")],
            texts(["0.1000000000000000055511151231257827"]),
            texts(["9007199254740993"]),
            texts(["9007199254740992"]),
            texts(["1e400"]),
            texts(["1,000"]),
            texts(["1_000"]),
            texts(["1000 ms"]),
            texts(["0x10"]),
            texts(["NaN", "nan"]),
            texts(["1.2.3"]),
            texts([""]),
            texts(["."]),
            texts(["1e"]),
            texts(["--1"]),
            texts(["1e99999999999999999999"]),
            texts(["١"]),
        ],
    );
}

#[test]
fn duration_is_a_length_of_time_with_its_units() {
    assert_classes(
        Duration,
        [
            texts([
                "30s",
                "30000ms",
                "30 sec",
                "30 SECONDS",
                "0.5m",
                "PT30S",
                "pt0.5m",
                "30.000s",
                "30000000000ns",
            ]),
            texts(["90s", "PT90S", "1m 30s", "1m30s", "1.5 min", "PT1M30S"]),
            texts(["1.5h", "90m", "1h30m", "1 hour 30 minutes", "PT1H30M", "5400s"]),
            texts(["1d", "24h", "P1D", "PT24H", "1 day"]),
            texts(["1w", "P1W", "P7D", "168 hours"]),
            texts(["1500us", "1500µs", "1500μs", "1.5ms"]),
            texts(["-5s", "- 5s", "-PT5S"]),
            texts(["0s", "0ms", "-0s", "PT0S"]),
            // A number without a unit is no duration, and a month has no length: each is only its own text.
            vec![json!("30"), json!(30)],
            texts(["0"]),
            texts(["P1M"]),
            texts(["P1Y"]),
            texts(["1y"]),
            texts(["1h30"]),
            texts(["PT"]),
            texts(["0.0000000001s"]),
            texts(["1e3ms"]),
            texts(["99999999999999999999999999999999w"]),
            texts(["1h-30m"]),
            texts(["soon"]),
        ],
    );
}

#[test]
fn instant_is_a_point_whatever_its_offset() {
    assert_classes(
        Instant,
        [
            texts([
                "2025-10-14T09:31:00Z",
                "2025-10-14 11:31:00+02",
                "2025-10-14T09:31Z",
                "2025-10-14T04:01:00-0530",
            ]),
            texts(["2025-10-14T09:31:00.001Z"]),
            texts(["2025-10-14"]),
            texts(["2025-10"]),
            vec![json!("2025"), json!(2025)],
            texts(["2025-10-14T09:31:00"]),
            texts(["noon", "Noon"]),
        ],
    );
}

#[test]
fn date_is_the_day_as_it_is_written() {
    assert_classes(
        Date,
        [
            texts([
                "1994-05-02",
                "1994-05-02T00:00:00+03:00",
                "1994-05-02 23:30:00-05:00",
                " 1994-05-02T00:00:00Z",
            ]),
            texts(["1994-05-01", "1994-05-01T23:59:59Z"]),
            texts(["1994-05"]),
            vec![json!("1994"), json!(1994)],
            texts(["2 May 1994", "2 may  1994"]),
            texts(["05/02/1994"]),
            texts(["1994-02-30"]),
        ],
    );
}

#[test]
fn json_is_structure() {
    assert_classes(
        Json,
        [
            vec![json!({"a": 1, "b": [1, 2]}), json!({"b": [1.0, 2], "a": 1.00})],
            vec![json!({"a": 1, "b": [2, 1]})],
            vec![json!({"a": {"x": 1, "y": 2}}), json!({"a": {"y": 2, "x": 1}})],
            vec![json!({"a": "1", "b": [1, 2]})],
            vec![json!({"a": 1})],
            vec![json!({"a": 1, "c": null})],
            vec![json!([]), json!([])],
            vec![json!({})],
            vec![json!("1e2")],
            vec![json!(100)],
            vec![json!("Lisbon")],
            vec![json!("lisbon")],
        ],
    );
}

#[test]
fn a_coarser_time_holds_a_finer_one_and_only_times_do() {
    let cases = [
        (Date, "1994", "1994-05-02", true),
        (Date, "1994", "1994-05", true),
        (Date, "1994-05", "1994-05-31", true),
        (Date, "1994", "1994-12-31T23:59:59-11:00", true),
        (Date, "1994", "1995-01-01", false),
        (Date, "1994-05", "1994-06-01", false),
        (Date, "1994-05-02", "1994-05-02", false),
        (Date, "1994", "1994 or so", false),
        (Instant, "2025", "2025-10-14T09:31:00Z", true),
        (Instant, "2025-10-14", "2025-10-14T23:59:59.999Z", true),
        (Instant, "2025-10-14", "2025-10-15T00:30:00+02:00", true),
        (Instant, "2025-10-14", "2025-10-15T00:00:00Z", false),
        (Text, "1994", "1994-05-02", false),
        (Number, "1994", "1994.5", false),
    ];
    for (comparison, coarse, fine, holds) in cases {
        let (coarse_key, fine_key) = (comparison.key(&coarse.into()), comparison.key(&fine.into()));
        assert_eq!(coarse_key.covers(&fine_key), holds, "{coarse} holds {fine}");
        assert!(!fine_key.covers(&coarse_key), "{fine} holds {coarse}");
        let same = coarse_key == fine_key;
        assert_eq!(coarse_key.agrees(&fine_key), holds || same, "{coarse} agrees with {fine}");
    }
}

#[test]
fn comparisons_are_found_by_their_names() {
    for comparison in Comparison::ALL {
        assert_eq!(Comparison::named(comparison.name()), Some(comparison));
    }
    assert_eq!(Comparison::named("Text"), None);
}

const TOLD: [&str; 12] =
    ["Lisbon", "LISBON ", "1e3", "1000", "30s", "30000ms", "P1M", "1994", "1994-05", "1994-05-02", "ς", "Σ"];

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        select(&TOLD[..]).prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((".{0,3}", inner), 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

/// The same value with the keys of its objects in the opposite order.
fn turned(value: &Value) -> Value {
    match value {
        Value::Object(map) => Value::Object(map.iter().rev().map(|(key, it)| (key.clone(), turned(it))).collect()),
        Value::Array(items) => items.iter().map(turned).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

proptest! {
    #![proptest_config(properties(2_000))]

    #[test]
    fn agreement_is_mutual_and_everything_agrees_with_itself(
        one in any_value(), other in any_value(), comparison in select(Comparison::ALL.to_vec()),
    ) {
        let (a, b): (Key, Key) = (comparison.key(&one), comparison.key(&other));
        prop_assert!(a.agrees(&a));
        prop_assert_eq!(a.agrees(&b), b.agrees(&a));
        prop_assert!(!(a.covers(&b) && b.covers(&a)));
    }

    #[test]
    fn the_order_of_keys_does_not_count(value in any_value()) {
        prop_assert_eq!(canonical(&value), canonical(&turned(&value)));
    }

    #[test]
    fn canonical_json_is_json_and_its_own_canonical_form(value in any_value()) {
        let form = canonical(&value);
        let read: Result<Value, _> = serde_json::from_str(&form);
        prop_assert_eq!(read.map(|read| canonical(&read)).ok(), Some(form));
    }

    #[test]
    fn zeros_at_the_end_are_an_exponent(digits in 1_u64.., zeros in 0_usize..12, places in 0_usize..12) {
        let padding = "0".repeat(zeros);
        prop_assert!(Decimal::parse(&digits.to_string()).is_some());
        prop_assert_eq!(Decimal::parse(&format!("{digits}{padding}")), Decimal::parse(&format!("{digits}e{zeros}")));
        let longer = format!("{digits}{padding}e-{}", places + zeros);
        prop_assert_eq!(Decimal::parse(&longer), Decimal::parse(&format!("{digits}e-{places}")));
    }

    #[test]
    fn lengths_of_time_are_read_in_every_unit(seconds in 0_u32..1_000_000) {
        let spelled = [
            format!("{seconds}s"), format!("{seconds}000ms"), format!("PT{seconds}S"),
            format!("{}m {}s", seconds / 60, seconds % 60), format!("PT{}H{}M{}S", seconds / 3600, seconds / 60 % 60, seconds % 60),
        ];
        let keys = spelled.map(|text| Duration.key(&text.into()));
        prop_assert!(keys.iter().all(|key| *key == Key::Nanoseconds(i128::from(seconds) * 1_000_000_000)));
    }
}
