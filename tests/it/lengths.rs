//! Lengths of time, and what is put off for one: read in every unit, written in the largest that measures it whole.

use gainsay::core::policy::{length_of_time, read_length_of_time};
use gainsay::core::until::{LENGTHS, Until, or_length};

use crate::script::instant;

const SECOND: i128 = 1_000_000_000;

#[test]
fn a_length_is_read_and_written_in_the_largest_unit_that_measures_it() {
    for (text, length, written) in [
        ("90d", 90 * 86_400 * SECOND, "90d"),
        ("36h", 36 * 3_600 * SECOND, "36h"),
        ("48h", 48 * 3_600 * SECOND, "2d"),
        ("2w", 14 * 86_400 * SECOND, "14d"),
        ("90m", 90 * 60 * SECOND, "90m"),
        ("1m 30s", 90 * SECOND, "90s"),
        ("PT90S", 90 * SECOND, "90s"),
        ("1500ms", 1_500_000_000, "1500ms"),
        ("7us", 7_000, "7us"),
        ("7ns", 7, "7ns"),
        ("0s", 0, "0d"),
    ] {
        assert_eq!(read_length_of_time(text), Some(length), "{text}");
        assert_eq!(length_of_time(length), written, "{text}");
        assert_eq!(read_length_of_time(written), Some(length), "{text}");
    }
    for none in ["-1d", "90", "soon", "", "1994-05-02"] {
        assert_eq!(read_length_of_time(none), None, "{none}");
    }
}

#[test]
fn what_is_put_off_is_put_off_from_now_or_until_a_moment() {
    let now = instant("2025-12-01T09:14:02.5Z");
    let until = |text: &str| text.parse::<Until>().map(|until| until.from(now).to_string());
    assert_eq!(until("3d").as_deref(), Ok("2025-12-04T09:14:02Z"));
    assert_eq!(until(" 12h ").as_deref(), Ok("2025-12-01T21:14:02Z"));
    assert_eq!(until("2025-12-24").as_deref(), Ok("2025-12-24T00:00:00Z"));
    assert_eq!(until("2025-12-24T10:00:00+02:00").as_deref(), Ok("2025-12-24T08:00:00Z"));
    let told = until("soon").unwrap_err();
    assert!(told.contains("\"soon\" is no time") && told.contains(LENGTHS), "{told}");
    assert_eq!(or_length(&"no"), format!("no; or a length of time: {LENGTHS}"));
}
