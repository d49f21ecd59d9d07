//! Times as they come: every form that is read, and what is refused and why.

use gainsay::core::time::{Instant, TimeError, When, local};

use crate::script::{instant, when};

#[test]
fn every_form_that_is_read() {
    let cases = [
        ("2025-10-14T09:31:00Z", "2025-10-14T09:31:00Z"),
        ("2025-10-14t09:31:00z", "2025-10-14T09:31:00Z"),
        ("2025-10-14 09:31:00Z", "2025-10-14T09:31:00Z"),
        ("2025-10-14T09:31Z", "2025-10-14T09:31:00Z"),
        ("  2025-10-14T09:31:00Z\n", "2025-10-14T09:31:00Z"),
        ("2025-10-14T11:31:00+02:00", "2025-10-14T09:31:00Z"),
        ("2025-10-14T11:31:00+0200", "2025-10-14T09:31:00Z"),
        ("2025-10-14T11:31:00+02", "2025-10-14T09:31:00Z"),
        ("2025-10-14 09:31:00+0000", "2025-10-14T09:31:00Z"),
        ("2025-10-14T09:31:00-00:00", "2025-10-14T09:31:00Z"),
        ("2025-10-14T04:01:00-05:30", "2025-10-14T09:31:00Z"),
        ("2025-10-15T09:30:00+23:59", "2025-10-14T09:31:00Z"),
        ("2025-10-14T09:31:00.5Z", "2025-10-14T09:31:00.500Z"),
        ("2025-10-14T09:31:00.000001Z", "2025-10-14T09:31:00.000001Z"),
        ("2025-10-14T09:31:00.123456789Z", "2025-10-14T09:31:00.123456789Z"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:60Z"),
        ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"),
        ("2025", "2025"),
        ("2025-10", "2025-10"),
        ("2025-10-14", "2025-10-14"),
        ("2024-02-29", "2024-02-29"),
        ("2000-02-29", "2000-02-29"),
        ("0000", "0000"),
        ("0000-02-29", "0000-02-29"),
        ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
        ("9999", "9999"),
        ("9999-12-31", "9999-12-31"),
        ("9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"),
    ];
    for (text, shown) in cases {
        assert_eq!(when(text).to_string(), shown, "{text:?}");
        assert_eq!(when(shown), when(text), "{shown} reads back as what it shows");
    }
}

#[test]
fn a_time_without_an_offset_is_never_taken_for_utc() {
    for text in ["2025-10-14T09:31:00", "2025-10-14 09:31:00", "2025-10-14t09:31", "2025-10-14T09:31:00.25"] {
        assert_eq!(text.parse::<When>(), Err(TimeError::NoOffset(text.to_owned())));
        assert!(local(text).is_some(), "{text}: but a zone can complete it");
    }
}

#[test]
fn what_is_no_time_is_refused_and_never_guessed() {
    let cases = [
        "",
        " ",
        "now",
        "yesterday",
        "null",
        "25",
        "25-10-14",
        "2025-1",
        "2025-1-4",
        "2025-13",
        "2025-00",
        "2025-10-00",
        "2025-02-29",
        "1900-02-29",
        "2025-04-31",
        "20251014",
        "2025-W42",
        "2025-287",
        "14.10.2025",
        "10/14/2025",
        "Oct 14 2025",
        "-2025",
        "+2025",
        "12025",
        "２０２５",
        "2025-10-14T",
        "2025-10-14T09Z",
        "2025-10-14T9:31:00Z",
        "2025-1-4T09:31:00Z",
        "25-10-14T09:31:00Z",
        "1-1-1T0:0Z",
        "+2025-10-14T09:31:00Z",
        "12025-10-14T09:31:00Z",
        "2025-10-14T24:00:00Z",
        "2025-10-14T09:61:00Z",
        "2025-10-14T09:31:00 CET",
        "2025-10-14T09:31:00+2",
        "2025-10-14T09:31:00+24:00",
        "2025-10-14T09:31:00+00:60",
        "2025-10-14T09:31:00+02:00:00",
        "2025-10-14T09:31:00,5Z",
        "2025-10-14T09:31:00Z+02:00",
        "2025-10-14T09-31-00Z",
        "2025-10-14 T09:31:00Z",
        "2025-02-29T00:00:00Z",
        "1760434260",
    ];
    for text in cases {
        assert_eq!(text.parse::<When>(), Err(TimeError::Unreadable(text.trim().to_owned())), "{text:?}");
    }
    for text in ["1-1-1T0:0", "25-10-14T09:31", "2025-10-14", "2025-10-14T09:31:00Z"] {
        assert_eq!(local(text), None, "{text:?} is no local time");
    }
}

#[test]
fn years_end_where_four_digits_do() {
    for text in ["0000-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00"] {
        assert_eq!(text.parse::<When>(), Err(TimeError::OutOfRange(text.to_owned())));
    }
}

#[test]
fn whole_numbers_are_seconds_and_from_ten_to_the_eleventh_milliseconds() {
    let cases = [
        (0, Some("1970-01-01T00:00:00Z")),
        (-1, Some("1969-12-31T23:59:59Z")),
        (1_760_434_260, Some("2025-10-14T09:31:00Z")),
        (1_760_434_260_000, Some("2025-10-14T09:31:00Z")),
        (1_760_434_260_250, Some("2025-10-14T09:31:00.250Z")),
        (99_999_999_999, Some("5138-11-16T09:46:39Z")),
        (100_000_000_000, Some("1973-03-03T09:46:40Z")),
        (-100_000_000_000, Some("1966-10-31T14:13:20Z")),
        (-62_167_219_200, Some("0000-01-01T00:00:00Z")),
        (253_402_300_799_999, Some("9999-12-31T23:59:59.999Z")),
        (-99_999_999_999, None),
        (-62_167_219_200_001, None),
        (253_402_300_800_000, None),
        (i64::MAX, None),
        (i64::MIN, None),
    ];
    for (number, shown) in cases {
        let read = Instant::from_epoch_number(number);
        assert_eq!(read.clone().ok().map(|at| at.to_string()).as_deref(), shown, "{number}");
        if shown.is_none() {
            assert_eq!(read, Err(TimeError::OutOfRange(number.to_string())));
        }
    }
}

#[test]
fn a_span_has_a_first_and_a_last_moment() {
    let cases = [
        ("2025-10-14T09:31:00Z", "2025-10-14T09:31:00Z", "2025-10-14T09:31:00Z"),
        ("2025-10-14", "2025-10-14T00:00:00Z", "2025-10-14T23:59:59.999999999Z"),
        ("2025-02", "2025-02-01T00:00:00Z", "2025-02-28T23:59:59.999999999Z"),
        ("2024-02", "2024-02-01T00:00:00Z", "2024-02-29T23:59:59.999999999Z"),
        ("2025-12", "2025-12-01T00:00:00Z", "2025-12-31T23:59:59.999999999Z"),
        ("2025", "2025-01-01T00:00:00Z", "2025-12-31T23:59:59.999999999Z"),
        ("0000", "0000-01-01T00:00:00Z", "0000-12-31T23:59:59.999999999Z"),
        ("9999", "9999-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z"),
    ];
    for (span, first, last) in cases {
        assert_eq!((when(span).first(), when(span).last()), (instant(first), instant(last)), "{span}");
    }
}

#[test]
fn only_what_is_wholly_before_is_before() {
    let cases = [
        ("2025-10-14T09:31:00Z", "2025-10-14T09:31:00.000000001Z", true),
        ("2025-10-14T09:31:00Z", "2025-10-14T11:31:00+02:00", false),
        ("2025-10-14", "2025-10-14T09:31:00Z", false),
        ("2025-10-14T09:31:00Z", "2025-10-14", false),
        ("2025-10-14", "2025-10-15", true),
        ("2025-10-14", "2025-10-15T00:00:00Z", true),
        ("2025-10-14T23:59:59.999999999Z", "2025-10-15", true),
        ("2025-10", "2025-10-31", false),
        ("2025-10", "2025-11", true),
        ("2024", "2025-01-01T00:00:00Z", true),
        ("2025", "2025", false),
        // A leap second lies in its day, which has no moment as late.
        ("2016-12-31", "2016-12-31T23:59:60Z", false),
        ("2016", "2016-12-31T23:59:60.5Z", false),
        ("2016-12-31T23:59:59Z", "2016-12-31T23:59:60Z", true),
        ("2016-12-31T23:59:60Z", "2017-01-01", true),
    ];
    for (one, other, before) in cases {
        assert_eq!(when(one).certainly_before(when(other)), before, "{one} before {other}");
        assert!(!(before && when(other).certainly_before(when(one))), "{one} and {other}: one way only");
    }
}

#[test]
fn the_sortable_form_sorts_as_time_does() {
    let in_order = [
        "0000-01-01T00:00:00Z",
        "1969-12-31T23:59:59.999Z",
        "1970-01-01T00:00:00Z",
        "2016-12-31T23:59:59.5Z",
        "2016-12-31T23:59:60Z",
        "2017-01-01T00:00:00Z",
        "2025-10-14T09:31:00Z",
        "2025-10-14T09:31:00.000000001Z",
        "2025-10-14T09:31:00.5Z",
        "2025-10-14T09:31:01Z",
        "9999-12-31T23:59:59Z",
    ];
    for pair in in_order.windows(2) {
        let [earlier, later] = [instant(pair[0]), instant(pair[1])];
        assert!(earlier < later, "{earlier} before {later}");
        assert!(earlier.sortable() < later.sortable(), "{} before {}", earlier.sortable(), later.sortable());
    }
}

#[test]
fn the_plain_form_is_read_and_written_as_the_other_forms_are() {
    use chrono::{DateTime, SecondsFormat};
    let edges = [-62_167_219_200, -1, 0, 951_782_400, 1_709_164_800, 253_402_300_799];
    let spread = (0..2_000_i64).map(|number| number * 126_701_149 - 12_345);
    for (nth, second) in edges.into_iter().chain(spread).enumerate() {
        for nanosecond in [0, 1, 120_000_000, 999_999_999, u32::try_from(nth).unwrap() * 498_401] {
            let at = DateTime::from_timestamp(second, nanosecond).unwrap();
            for form in [SecondsFormat::Secs, SecondsFormat::Millis, SecondsFormat::Nanos, SecondsFormat::AutoSi] {
                let plain = at.to_rfc3339_opts(form, true);
                // With an offset that is spelled, the forms are tried one by one.
                let spelled = plain.replace('Z', "+00:00");
                assert_eq!(plain.parse::<Instant>(), spelled.parse::<Instant>(), "{plain}");
                assert_eq!(plain.parse::<When>(), spelled.parse::<When>(), "{plain}");
            }
            let read = Instant::new(at);
            assert_eq!(read.to_string(), at.to_rfc3339_opts(SecondsFormat::AutoSi, true));
            assert_eq!(read.sortable(), at.to_rfc3339_opts(SecondsFormat::Nanos, true));
        }
    }
}
