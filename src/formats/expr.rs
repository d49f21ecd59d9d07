//! What a field of a record is made of: paths, constants, and the few changes that real files need.
//!
//! An expression reads one object and gives a value, or none where the object says nothing. It cannot loop, call or
//! look outside: a format that somebody sends is data.

use std::collections::BTreeMap;

use chrono::{DateTime, SecondsFormat};
use chrono_tz::Tz;
use serde_json::{Value, json};

use super::path::{Path, Root, Scope};
use crate::wire::time;

/// How a field is found.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// The first of these that stands there, changed as said.
    At(At),
    /// Always this.
    Is(Value),
    /// These, one after the other, with a text between them; those that are absent leave no gap.
    Join { parts: Vec<Expr>, with: String },
}

/// A place, and what is made of what stands there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct At {
    pub paths: Vec<Path>,
    /// The text there is JSON of its own.
    pub json: bool,
    /// A time of Wikibase there is written as precisely as it is known; anything else stays as it is.
    pub wikibase: bool,
    /// Words of the file, each with ours. A word that is not among them is no value.
    pub words: Option<BTreeMap<String, Value>>,
    /// The number there is so many parts of one: 100 for percent.
    pub of: Option<f64>,
    /// The number there counts these since 1970.
    pub unit: Option<Unit>,
    /// The zone of times that come without an offset, where the system that wrote them fixes it.
    pub zone: Option<Tz>,
    /// What is there is a key of these names.
    pub name_in: Option<String>,
}

/// What a number of time counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Seconds,
    Milliseconds,
    Microseconds,
}

/// Why an expression gave nothing although something is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    pub path: String,
    pub message: String,
    pub expected: String,
}

/// A value, and where it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub value: Value,
    pub path: Option<String>,
}

/// Names of things that stand elsewhere in the file, by table and key.
pub type Names = BTreeMap<String, BTreeMap<String, String>>;

impl Unit {
    pub const ALL: [Self; 3] = [Self::Seconds, Self::Milliseconds, Self::Microseconds];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Seconds => "s",
            Self::Milliseconds => "ms",
            Self::Microseconds => "us",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| unit.name() == name)
    }

    const fn microseconds(self) -> i64 {
        match self {
            Self::Seconds => 1_000_000,
            Self::Milliseconds => 1_000,
            Self::Microseconds => 1,
        }
    }
}

impl Expr {
    /// The value in this object; none where it says nothing there.
    pub fn of(&self, scope: Scope<'_>, names: &Names) -> Result<Option<Found>, Unfit> {
        match self {
            Self::Is(value) => Ok(Some(Found { value: value.clone(), path: None })),
            Self::Join { parts, with } => {
                let mut texts = Vec::new();
                for part in parts {
                    let found = part.of(scope, names)?;
                    texts.extend(found.into_iter().flat_map(|found| texts_of(&found.value)));
                }
                Ok((!texts.is_empty()).then(|| Found { value: json!(texts.join(with)), path: None }))
            }
            Self::At(at) => at.of(scope, names),
        }
    }

    /// Every path that it reads.
    pub fn paths(&self) -> Vec<&Path> {
        match self {
            Self::At(at) => at.paths.iter().collect(),
            Self::Is(_) => Vec::new(),
            Self::Join { parts, .. } => parts.iter().flat_map(Self::paths).collect(),
        }
    }
}

impl At {
    fn of(&self, scope: Scope<'_>, names: &Names) -> Result<Option<Found>, Unfit> {
        for path in &self.paths {
            if path.root == Root::ItemKey {
                let key = scope.item.map(|item| item.key.map_or_else(|| item.at.to_string(), str::to_owned));
                if let Some(key) = key {
                    return Ok(Some(Found { value: json!(key), path: Some(path.to_string()) }));
                }
            }
            if let Some(value) = path.find(scope).filter(|value| !value.is_null()) {
                let made = self.made(value, names).map_err(|(message, expected)| Unfit {
                    path: path.to_string(),
                    message,
                    expected,
                })?;
                if let Some(value) = made {
                    return Ok(Some(Found { value, path: Some(path.to_string()) }));
                }
            }
        }
        Ok(None)
    }

    /// What is made of a value that is there; the error is a message and what was expected.
    fn made(&self, value: &Value, names: &Names) -> Result<Option<Value>, (String, String)> {
        let mut value = value.clone();
        if let (true, Some(text)) = (self.json, value.as_str()) {
            value = serde_json::from_str(text).map_err(|error| {
                (format!("the text is no JSON of its own: {error}"), "JSON written as a text".to_owned())
            })?;
        }
        if self.wikibase {
            return Ok(wikibase(value));
        }
        if let Some(words) = &self.words {
            return Ok(words.get(&texts_of(&value).concat()).cloned());
        }
        if let Some(of) = self.of {
            let number = number(&value).ok_or_else(|| (unlike(&value), format!("a number from 0 to {of}")))?;
            value = json!(number / of);
        }
        if let Some(unit) = self.unit {
            value = counted(&value, unit)?;
        }
        if let (Some(zone), Some(text)) = (self.zone, value.as_str()) {
            let at = time::read(text, Some(zone)).map_err(|message| (message, "a time".to_owned()))?;
            value = json!(at.to_string());
        }
        if let Some(table) = &self.name_in {
            let key = texts_of(&value).concat();
            let name = names.get(table).and_then(|table| table.get(&key));
            value = json!(name.unwrap_or(&key));
        }
        Ok(Some(value))
    }
}

/// A time of Wikibase (`+2001-12-31T00:00:00Z` and its precision) as a day, month or year. What is coarser than a year, lies
/// before the year 0, or is told in the Julian calendar to the day, is no time that could be compared: none.
fn wikibase(value: Value) -> Option<Value> {
    let Some(time) = value.get("time").and_then(Value::as_str) else { return Some(value) };
    let date = time.strip_prefix('+')?;
    let julian =
        value.get("calendarmodel").and_then(Value::as_str).is_some_and(|model| model.ends_with("Q1985786"));
    let end = match value.get("precision").and_then(Value::as_i64)? {
        9 => 4,
        10 => 7,
        11.. if !julian => 10,
        _ => return None,
    };
    date.get(..end).map(|date| json!(date))
}

/// A number of seconds or their parts since 1970, as a time.
fn counted(value: &Value, unit: Unit) -> Result<Value, (String, String)> {
    let expected = || format!("a number of {} since 1970", unit.name());
    // A time that is written out needs no unit.
    if value.as_str().is_some_and(|text| text.parse::<f64>().is_err()) {
        return Ok(value.clone());
    }
    let number = number(value).ok_or_else(|| (unlike(value), expected()))?;
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked where the time is made")]
    let whole = (number * unit.microseconds() as f64).round() as i64;
    let at = DateTime::from_timestamp_micros(whole)
        .ok_or_else(|| (format!("{value} lies outside of the calendar"), expected()))?;
    Ok(json!(at.to_rfc3339_opts(SecondsFormat::AutoSi, true)))
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())
}

fn unlike(value: &Value) -> String {
    format!("{value} is no number")
}

/// The texts in a value: itself, or those of a list.
pub(super) fn texts_of(value: &Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(texts_of).collect(),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => vec![value.to_string()],
    }
}
