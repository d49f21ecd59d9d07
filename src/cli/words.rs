//! Words that several commands use: values, ages, lags.

use chrono::{Duration, SubsecRound as _};
use serde_json::Value;

use crate::core::checklist::Detail;
pub(super) use crate::core::plural::{count, verb};
use crate::core::time::{Instant, When};
use crate::core::value::plain;

/// A value for people: a text without quotes, unless its ends are blanks that nobody would see. Other white space is
/// revealed where it stands, and needs no quotes.
pub(super) fn value(value: &Value) -> String {
    match value.as_str() {
        Some(text) if text.trim_matches(' ') != text || text.is_empty() => value.to_string(),
        Some(_) | None => plain(value),
    }
}

/// Two values to be told apart: as JSON where people would see no difference (`5` and `"5"`).
pub(super) fn values([left, right]: [&Value; 2]) -> [String; 2] {
    let shown = [value(left), value(right)];
    if shown[0] == shown[1] && left != right { [left.to_string(), right.to_string()] } else { shown }
}

/// How long ago, or in how long: `3 d ago`, `in 2 h`.
pub(super) fn age(at: Instant, now: Instant) -> String {
    let passed = now.since(at);
    if passed < Duration::zero() { format!("in {}", length(-passed)) } else { format!("{} ago", length(passed)) }
}

/// The time from observing to writing, with its sign: `+4 s`, `+976 d`.
pub(super) fn lag(observed: When, written: Instant) -> String {
    let lag = observed.lag(written);
    let sign = if lag < Duration::zero() { '-' } else { '+' };
    format!("{sign}{}", length(lag.abs()))
}

/// A length of time in its largest unit, rounded down.
pub(super) fn length(length: Duration) -> String {
    match length.num_seconds() {
        seconds @ ..60 => format!("{seconds} s"),
        seconds @ 60..3_600 => format!("{} min", seconds / 60),
        seconds @ 3_600..86_400 => format!("{} h", seconds / 3_600),
        seconds => format!("{} d", seconds / 86_400),
    }
}

/// A time for people, who read no finer than seconds; JSON has it as it is.
pub(super) fn time(at: Instant) -> String {
    whole(at).to_string()
}

/// The same of a time that may be a day, a month or a year.
pub(super) fn when(at: When) -> String {
    whole_when(at).to_string()
}

/// The second that a moment is in.
fn whole(at: Instant) -> Instant {
    Instant::new(at.utc().trunc_subsecs(0))
}

const fn is_finer(at: When) -> bool {
    matches!(at, When::At(_))
}

fn whole_when(at: When) -> When {
    match at {
        When::At(at) => When::At(whole(at)),
        When::Day(_) | When::Month { .. } | When::Year(_) => at,
    }
}

/// What a line of the checklist was judged by, with times to the second where they still differ then.
pub(super) fn detail(detail: &Detail) -> String {
    let differ = |a: When, b: When| is_finer(a) && is_finer(b) && whole_when(a) != whole_when(b);
    if let Detail::Later { later, at, earlier } = detail
        && differ(*at, *earlier)
    {
        let (at, earlier) = (whole_when(*at), whole_when(*earlier));
        return Detail::Later { later: later.clone(), at, earlier }.to_string();
    }
    detail.to_string()
}
