//! Times and lengths of time in the few words that a line of the screen has room for.

use chrono::Duration;

use crate::core::time::{Instant, When};

/// A length of time in its two largest units: `2 y 7 mo`, `976 d`, `4 s`.
pub fn span(length: Duration) -> String {
    let (days, hours, minutes) = (length.num_days(), length.num_hours(), length.num_minutes());
    match () {
        () if days >= 10_000 => format!("{} y", days / 365),
        () if days >= 1 => format!("{days} d"),
        () if hours >= 1 => format!("{hours} h {} min", minutes % 60),
        () if minutes >= 1 => format!("{minutes} min"),
        () => format!("{} s", length.num_seconds()),
    }
}

/// How old something is, in the few cells of a list: `2d`, `14h`.
pub fn age(length: Duration) -> String {
    let (days, hours, minutes) = (length.num_days(), length.num_hours(), length.num_minutes());
    match () {
        () if days >= 1000 => format!("{}y", days / 365),
        () if days >= 1 => format!("{days}d"),
        () if hours >= 1 => format!("{hours}h"),
        () if minutes >= 1 => format!("{minutes}m"),
        () => "now".to_owned(),
    }
}

/// A time as the screen shows it: to the minute, and seconds only where there is room for the whole.
pub fn moment(at: Instant) -> String {
    at.utc().format("%Y-%m-%d %H:%M:%SZ").to_string()
}

/// What a source said of when it was true, as it said it.
pub fn when(said: When) -> String {
    match said {
        When::At(at) => moment(at),
        When::Day(_) | When::Month { .. } | When::Year(_) => said.to_string(),
    }
}

/// How long ago a time is, or how far ahead.
pub fn ago(at: Instant, now: Instant) -> String {
    let past = now.since(at);
    match past.num_days() {
        years @ 730.. => format!("{}.{} y ago", years / 365, years % 365 * 10 / 365),
        _ if past >= Duration::zero() => format!("{} ago", span(past)),
        _ => format!("in {}", span(-past)),
    }
}

/// A lag in seconds, in its largest unit and few cells: `4 s`, `12 min`, `976 d`; below nought where it was written first.
pub fn lag(seconds: i64) -> String {
    let sign = if seconds < 0 { "-" } else { "" };
    let whole = seconds.unsigned_abs();
    match whole {
        0..60 => format!("{sign}{whole} s"),
        60..3_600 => format!("{sign}{} min", whole / 60),
        3_600..86_400 => format!("{sign}{} h", whole / 3_600),
        86_400..864_000_000 => format!("{sign}{} d", whole / 86_400),
        _ => format!("{sign}{} y", whole / 31_557_600),
    }
}

/// A time to the minute.
pub fn minute(at: Instant) -> String {
    at.utc().format("%Y-%m-%d %H:%M").to_string()
}

/// A time to the day.
pub fn day(at: Instant) -> String {
    at.utc().format("%Y-%m-%d").to_string()
}
