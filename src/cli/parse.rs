//! Values of the command line, read by type: a wrong one is an error that says what was expected.

use chrono_tz::Tz;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::Value;

use crate::core::record::{Attribute, Batch, Epoch, Kind, RecordId, Subject};
use crate::core::ruling::{PairId, RulingId};
use crate::core::select::{Condition, NoCondition};
use crate::core::time::{Instant, When};
use crate::core::until::{LENGTHS, Until, or_length};
use crate::wire::policy::read_length_of_time;

/// What every parser here gives: the value, or the sentence for the usage error.
type Read<T> = Result<T, String>;

/// A text that says something; blank ones would be reasons without a reason.
pub(super) fn words(text: &str) -> Read<String> {
    if text.trim().is_empty() { Err("it is empty".to_owned()) } else { Ok(text.to_owned()) }
}

pub(super) fn record(text: &str) -> Read<RecordId> {
    words(text).map(|text| RecordId::from(text.as_str()))
}

pub(super) fn subject(text: &str) -> Read<Subject> {
    words(text).map(|text| Subject::from(text.as_str()))
}

pub(super) fn attribute(text: &str) -> Read<Attribute> {
    words(text).map(|text| Attribute::from(text.as_str()))
}

pub(super) fn batch(text: &str) -> Read<Batch> {
    words(text).map(|text| Batch::from(text.as_str()))
}

pub(super) fn kind(text: &str) -> Read<Kind> {
    words(text).map(|text| Kind::from(text.as_str()))
}

pub(super) fn pair(text: &str) -> Read<PairId> {
    number_from(text, 1).map(PairId).map_err(|_| "a pair is a number, as `gainsay queue` shows it".to_owned())
}

pub(super) fn ruling(text: &str) -> Read<RulingId> {
    number_from(text, 1).map(RulingId).map_err(|_| "a ruling is a number, as `gainsay log` shows it".to_owned())
}

pub(super) fn event(text: &str) -> Read<i64> {
    number_from(text, 1).map_err(|_| "an event is a number, as `gainsay log` shows it".to_owned())
}

/// A condition on records.
pub(super) fn condition(text: &str) -> Read<Condition> {
    text.parse().map_err(|error: NoCondition| error.to_string())
}

/// A SHA-256 hash, as `verify` and `log --json` give it.
pub(super) fn hash(text: &str) -> Read<String> {
    let hash = text.trim().to_ascii_lowercase();
    let whole = hash.len() == 64 && hash.bytes().all(|digit| digit.is_ascii_hexdigit());
    if whole { Ok(hash) } else { Err("a hash is 64 hexadecimal digits, as `gainsay verify` gives it".to_owned()) }
}

pub(super) fn epoch(text: &str) -> Read<Epoch> {
    number_from(text, 0).map(Epoch).map_err(|_| "an epoch is a whole number, 0 or more".to_owned())
}

fn number_from(text: &str, least: i64) -> Result<i64, ()> {
    text.trim().parse().ok().filter(|number| *number >= least).ok_or(())
}

pub(super) fn fraction(text: &str) -> Read<f64> {
    let number = text.trim().parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "a number from 0 to 1 is expected".to_owned())
}

/// A length of time in nanoseconds.
pub(super) fn length_of_time(text: &str) -> Read<i128> {
    read_length_of_time(text).ok_or_else(|| format!("a length of time is expected: {LENGTHS}"))
}

pub(super) fn when(text: &str) -> Read<When> {
    text.parse().map_err(|error: crate::core::time::TimeError| error.to_string())
}

/// A moment; of a day, month or year the first.
pub(super) fn first_moment(text: &str) -> Read<Instant> {
    when(text).map(When::first)
}

/// A moment; of a day, month or year the last.
pub(super) fn last_moment(text: &str) -> Read<Instant> {
    when(text).map(When::last)
}

pub(super) fn until(text: &str) -> Read<Until> {
    text.parse()
}

/// A moment that is past: named, or so long ago.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Past {
    At(When),
    /// So many nanoseconds ago.
    Ago(i128),
}

impl Past {
    /// The moment, seen from now; of a day, month or year the first.
    pub fn first(self, now: Instant) -> Instant {
        match self {
            Self::At(at) => at.first(),
            Self::Ago(length) => now.plus(-nanoseconds(length)),
        }
    }

    /// The moment, seen from now; of a day, month or year the last.
    pub fn last(self, now: Instant) -> Instant {
        match self {
            Self::At(at) => at.last(),
            Self::Ago(length) => now.plus(-nanoseconds(length)),
        }
    }
}

pub(super) fn past(text: &str) -> Read<Past> {
    match read_length_of_time(text) {
        Some(length) => Ok(Past::Ago(length)),
        None => when(text).map(Past::At).map_err(|error| or_length(&error)),
    }
}

fn nanoseconds(length: i128) -> chrono::Duration {
    chrono::Duration::nanoseconds(i64::try_from(length).unwrap_or(i64::MAX))
}

pub(super) fn zone(text: &str) -> Read<Tz> {
    text.parse().map_err(|_| "there is no such time zone: names are as in Europe/Lisbon".to_owned())
}

/// A value as a person types it: JSON where it reads as JSON (`5`, `true`, `"5"`, `["a"]`), else the text itself.
pub(super) fn value(text: &str) -> Read<Value> {
    let whole = crate::wire::node::Node::of(text);
    match whole.value() {
        Ok(Value::Null) => Err("a value is any JSON but null".to_owned()),
        Ok(value) => Ok(value),
        // A list or object that is broken was meant as one, and is no text.
        Err(fault) if text.trim_start().starts_with(['{', '[']) => Err(fault.to_string()),
        Err(_) => words(text).map(Value::String),
    }
}

/// One of our own words, with all of them in the help, the completions and the usage error.
pub(super) fn one_of<T>(
    names: impl IntoIterator<Item = &'static str>,
    named: impl Fn(&str) -> Option<T> + Clone + Send + Sync + 'static,
) -> impl TypedValueParser<Value = T>
where
    T: Clone + Send + Sync + 'static,
{
    let names: Vec<&'static str> = names.into_iter().collect();
    PossibleValuesParser::new(names).try_map(move |name| named(&name).ok_or("there is no such word"))
}
