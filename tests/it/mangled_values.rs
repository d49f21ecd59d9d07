//! Times, lengths of time and values that were nearly right, and some that are right and odd: read as one thing from all
//! sides, or refused.

use std::str;

use gainsay::app::Key as Pressed;
use gainsay::core::policy::{length_of_time, read_length_of_time};
use gainsay::core::text::reveal;
use gainsay::core::time::{Instant, When, local};
use gainsay::core::until::Until;
use gainsay::core::value::{Comparison, Key, canonical, plain};
use gainsay::formats::dates::{self, DateOrder};
use gainsay::formats::path::Path;
use gainsay::tui::input::Decoder;
use gainsay::wire;
use serde_json::{Value, json};

use crate::dice::{Dice, rounds};
use crate::mangling::{Mangler, stands};
use crate::told::at;

const TIMES: [&str; 20] = [
    "2025-10-14T09:31:00Z",
    "2025-10-14T11:31:00.250+02:00",
    "2025-10-14 09:31:00+00",
    "2025-10-14 09:31:00.123456789+0000",
    "2025-10-14t09:31z",
    "2025-10-26T01:30:00",
    "2016-12-31T23:59:60Z",
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999999Z",
    "1994",
    "1994-05",
    "1994-05-02",
    "0000",
    "9999-12",
    "14/10/2025 9:31 AM",
    "2009\\7\\14",
    "07/15/2009 02:14:45+0800",
    "3.4.2021, 11:59:59.5 p.m.",
    "90d",
    "1h 30m",
];

/// A time that is read says so of itself, begins before it ends, and lies within what holds it.
fn reads_times(bytes: &[u8]) {
    let text = &String::from_utf8_lossy(bytes);
    for zone in [None, Some(chrono_tz::Europe::Lisbon), Some(chrono_tz::Pacific::Apia), Some(chrono_tz::UTC)] {
        if let Ok(when) = wire::time::read(text, zone) {
            is_one(when);
        }
    }
    if let Ok(at) = text.parse::<Instant>() {
        assert_eq!(text.parse::<When>(), Ok(When::At(at)), "{text:?} is one time");
        assert_eq!(at.to_string().parse(), Ok(at));
        assert_eq!(at.sortable().parse(), Ok(at));
        assert!(at.whole_second() <= at);
    }
    let _local = local(text);
    for order in [None, Some(DateOrder::DayFirst), Some(DateOrder::MonthFirst)] {
        if let Some(Ok(read)) = dates::read(text, order) {
            // An offset may be none that there is.
            let (local, _) = read.split_at(read.len().min(19));
            wire::time::read(local, Some(chrono_tz::UTC))
                .unwrap_or_else(|told| panic!("{text:?} is {read:?}: {told}"));
        }
    }
    if let Ok(until) = text.parse::<Until>() {
        let (now, then) = (at("2025-12-01T09:14:02Z"), until.from(at("2025-12-01T09:14:02Z")));
        assert!(matches!(until, Until::At(_)) || then >= now, "{text:?} is {then}, which is before now");
        assert_eq!(then.to_string().parse(), Ok(then), "{text:?} is a time that cannot be read again");
    }
    if let Some(length) = read_length_of_time(text) {
        assert_eq!(read_length_of_time(&length_of_time(length)), Some(length), "{text:?}");
    }
}

fn is_one(when: When) {
    assert_eq!(when.to_string().parse(), Ok(when), "{when} is not read again as itself");
    assert!(when.first() <= when.last(), "{when}");
    assert!(when.covers(when) && !when.certainly_before(when), "{when}");
    for wider in when.held_by() {
        assert!(wider.covers(when) && !when.covers(wider), "{wider} and {when}");
    }
    let moved = when.first().plus(chrono::Duration::seconds(1));
    assert!(when.lag(moved) >= chrono::Duration::zero(), "{when}");
}

const VALUES: [&str; 26] = [
    "\"Lisbon\"",
    "\"  Stra\u{df}e \u{130}stanbul \u{3c3}\u{3c2} \"",
    "\"30s\"",
    "\"30000ms\"",
    "\"1m 30s\"",
    "\"PT1H30M0.5S\"",
    "\"-1.5h\"",
    "\"P3DT4H\"",
    "\"1e3\"",
    "1e3",
    "1000.0",
    "-0.000",
    "12345678901234567890123",
    "\"1994-05-02\"",
    "\"1994\"",
    "\"2025-10-14T11:31:00+02:00\"",
    "\"2025-10-14\"",
    "{\"b\": [1, 2.50, {\"a\": null}], \"a\": \"x\"}",
    "{\"a\": \"x\", \"b\": [1.0, 25e-1, {\"a\": null}]}",
    "[true, false, null, \"\", {}]",
    "\"\u{e9}e\u{301}\u{200b}\u{1f469}\u{200d}\u{1f4bb}\"",
    "\"\u{fb01}\u{2460}\u{212a}\"",
    "\"1,000\"",
    "\"0x10\"",
    "null",
    "\"\\u0000\\ud83d\\ude00\"",
];

/// A value has one key, whoever asks; and whether two agree does not depend on which is asked first.
fn compares_values(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let read = str::from_utf8(bytes).ok().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let values = [Some(json!(text)), read];
    for value in values.iter().flatten() {
        is_canonical(value);
        for comparison in Comparison::ALL {
            let key = comparison.key(value);
            assert_eq!(key, comparison.key(&value.clone()));
            assert!(key.agrees(&key) && !key.covers(&key), "{comparison:?}: {value}");
            if let (Comparison::Text, Key::Text(folded)) = (comparison, &key) {
                assert_eq!(comparison.key(&json!(folded)), key, "what is folded is folded again");
            }
            for other in VALUES {
                let other = comparison.key(&serde_json::from_str(other).unwrap());
                assert_eq!(key.agrees(&other), other.agrees(&key), "{comparison:?}: {value} and {other:?}");
                assert!(!(key.covers(&other) && other.covers(&key)));
            }
        }
    }
    drop(text.parse::<Path>());
    if let Ok(key) = text.parse::<Pressed>() {
        assert_eq!(key.to_string().parse(), Ok(key), "{text:?}");
    }
}

fn is_canonical(value: &Value) {
    let one = canonical(value);
    let again: Value = serde_json::from_str(&one).unwrap_or_else(|error| panic!("{one} is no JSON: {error}"));
    assert_eq!(canonical(&again), one);
    let shown = reveal(&plain(value)).into_owned();
    assert!(!shown.chars().any(char::is_control), "{shown:?}");
}

/// However a keyboard's bytes are cut, all are taken in, and after a pause nothing is waited for.
fn hears_keys(bytes: &[u8]) {
    let mut decoder = Decoder::default();
    let mut heard = decoder.push(bytes).len();
    heard += decoder.settle().len();
    assert_eq!(decoder.patience(), None);
    assert!(heard <= bytes.len(), "{heard} keys of {} bytes", bytes.len());
}

#[test]
fn a_time_is_read_as_one_time_or_refused() {
    stands(Mangler::new(TIMES, 21), rounds(12_000, 150_000), reads_times);
}

#[test]
fn numbers_of_every_size_are_times_or_refused() {
    let mut dice = Dice::of(22);
    for _ in 0..rounds(20_000, 100_000) {
        let number = (dice.number() >> dice.below(64)).cast_signed();
        let number = if dice.below(2) == 0 { number } else { number.wrapping_neg() };
        if let Ok(at) = Instant::from_epoch_number(number) {
            is_one(When::At(at));
            let (sooner, by) = (at.plus(chrono::Duration::nanoseconds(-1)), chrono::Duration::nanoseconds(1));
            assert!(sooner <= at && at.since(sooner) <= by);
        }
    }
}

#[test]
fn a_value_has_one_key_and_agreement_is_mutual() {
    stands(Mangler::new(VALUES, 23), rounds(3_000, 100_000), compares_values);
}

#[test]
fn a_keyboard_of_any_bytes_is_heard_out() {
    let seeds: [&[u8]; 8] = [
        b"jjk\x1b[A\x1b[1;5C\x1b[97;5u",
        b"\x1b[200~aq\r\nrl\x1b[A\x1b[201~j",
        b"\x1b]11;rgb:ffff/8080/0000\x1b\\k\x1b[?62;22cx",
        b"\x1b[<0;12;7M\x1b[<64;1;1M\x1b[<65;300;200M",
        b"\x1bP1$r0m\x1b\\\x1b_Gi=1;OK\x1b\\",
        "\u{444}\u{6771}\u{1f469}\u{200d}\u{1f4bb}".as_bytes(),
        b"\x1b[27;5;97~\x1bOP\x1b[24~\x1b[Z",
        b"\x1b\x1b[\x1bO\x03\x7f\x08\t\r",
    ];
    stands(Mangler::new(seeds, 24), rounds(10_000, 100_000), hears_keys);
}
