//! Until when something is put off.

use std::str::FromStr;

use chrono::Duration;

use super::policy::read_length_of_time;
use super::time::{Instant, When};

/// The forms of a length of time, for those who got one wrong.
pub const LENGTHS: &str = "90d, 2w, 12h, 30m or 45s";

/// What is wrong with a time, where a length of time would have done as well.
pub fn or_length(error: &impl std::fmt::Display) -> String {
    format!("{error}; or a length of time: {LENGTHS}")
}

/// Until when: a moment, or a length of time from now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Until {
    At(Instant),
    /// In so many nanoseconds.
    In(i128),
}

impl Until {
    /// The moment, seen from now.
    pub fn from(self, now: Instant) -> Instant {
        match self {
            Self::At(at) => at,
            Self::In(length) => now.plus(Duration::nanoseconds(i64::try_from(length).unwrap_or(i64::MAX))),
        }
    }
}

impl FromStr for Until {
    /// In words: what was expected.
    type Err = String;

    /// `3d`, `12h`, or a moment; of a day, month or year its first.
    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(length) = read_length_of_time(text.trim()) {
            return Ok(Self::In(length));
        }
        let moment = text.parse::<When>().map_err(|error| or_length(&error))?;
        Ok(Self::At(moment.first()))
    }
}
