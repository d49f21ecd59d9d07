//! Records chosen by what they say of themselves: `source.kind=crm_import`, `written_at>=2025-11-01`.

use std::cmp::Ordering;
use std::fmt;

use std::str::FromStr;

use serde_json::Value;

use super::record::{Attribute, Epoch, Record, RecordId};
use super::time::{Instant, When};
use super::value::plain;

/// One condition on a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// As it was said.
    text: String,
    key: Key,
    test: Test,
    wanted: Wanted,
}

/// What is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Key {
    Id,
    Subject,
    Attribute,
    Value,
    Op,
    Batch,
    DerivedFrom,
    /// A key of the source, `kind` among them.
    Source(String),
    Epoch,
    Confidence,
    ObservedAt,
    WrittenAt,
    RecordedAt,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Test {
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
}

/// What it is held against.
#[derive(Clone, Debug, PartialEq)]
enum Wanted {
    /// The record must lack it.
    Nothing,
    Text(String),
    Number(f64),
    Time(When),
}

/// Why a text is no condition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoCondition(String);

/// The longer signs first, so that `>=` is not read as `>`.
const TESTS: [(&str, Test); 6] = [
    (">=", Test::AtLeast),
    ("<=", Test::AtMost),
    ("!=", Test::Unequal),
    ("=", Test::Equal),
    (">", Test::More),
    ("<", Test::Less),
];

const KEYS: &str = "id, subject, attribute, value, op, batch, derived_from, source.KEY, epoch, confidence, observed_at, \
     written_at or recorded_at";

impl FromStr for Condition {
    type Err = NoCondition;

    fn from_str(text: &str) -> Result<Self, NoCondition> {
        let first = text.find(['=', '<', '>', '!']);
        let found = first.and_then(|at| {
            let (sign, test) = TESTS.iter().find(|(sign, _)| text[at..].starts_with(sign))?;
            Some((text[..at].trim(), *test, text[at + sign.len()..].trim()))
        });
        let Some((name, test, wanted)) = found else {
            return Err(NoCondition("a condition is KEY=VALUE, or with !=, <, <=, > or >=".to_owned()));
        };
        let key =
            Key::named(name).ok_or_else(|| NoCondition(format!("there is no key {name:?}; there are {KEYS}")))?;
        let wanted = key.wanted(wanted)?;
        let orders = matches!(wanted, Wanted::Number(_) | Wanted::Time(_));
        if !orders && !matches!(test, Test::Equal | Test::Unequal) {
            return Err(NoCondition(format!("{name} has no order: only = and != can be asked of it")));
        }
        Ok(Self { text: text.to_owned(), key, test, wanted })
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Key {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "id" => Self::Id,
            "subject" | "subject_id" => Self::Subject,
            "attribute" => Self::Attribute,
            "value" => Self::Value,
            "op" => Self::Op,
            "batch" => Self::Batch,
            "derived_from" => Self::DerivedFrom,
            "epoch" => Self::Epoch,
            "confidence" => Self::Confidence,
            "observed_at" => Self::ObservedAt,
            "written_at" => Self::WrittenAt,
            "recorded_at" => Self::RecordedAt,
            _ => Self::Source(name.strip_prefix("source.").filter(|key| !key.is_empty())?.to_owned()),
        })
    }

    fn wanted(&self, text: &str) -> Result<Wanted, NoCondition> {
        if text.is_empty() {
            return Ok(Wanted::Nothing);
        }
        Ok(match self {
            Self::Epoch | Self::Confidence => {
                Wanted::Number(text.parse().map_err(|_| NoCondition(format!("{text:?} is no number")))?)
            }
            Self::ObservedAt | Self::WrittenAt | Self::RecordedAt => {
                Wanted::Time(text.parse().map_err(|error: super::time::TimeError| NoCondition(error.to_string()))?)
            }
            Self::Id
            | Self::Subject
            | Self::Attribute
            | Self::Value
            | Self::Op
            | Self::Batch
            | Self::DerivedFrom
            | Self::Source(_) => Wanted::Text(text.to_owned()),
        })
    }

    fn text(&self, record: &Record) -> Option<String> {
        Some(match self {
            Self::Id => record.id.to_string(),
            Self::Subject => record.subject.to_string(),
            Self::Attribute => record.attribute.as_ref().map(Attribute::to_string)?,
            Self::Value => plain(&record.value),
            Self::Op => record.op.name().to_owned(),
            Self::Batch => record.batch.to_string(),
            Self::DerivedFrom => record.derived_from.as_ref().map(RecordId::to_string)?,
            Self::Source(key) if key == "kind" => record.kind()?.to_string(),
            Self::Source(key) => {
                record.source.as_ref()?.fields.get(key).filter(|value| **value != Value::Null).map(plain)?
            }
            Self::Epoch => record.epoch.as_ref().map(Epoch::to_string)?,
            Self::Confidence => record.confidence?.to_string(),
            Self::ObservedAt => record.observed_at?.to_string(),
            Self::WrittenAt => record.written_at.to_string(),
            Self::RecordedAt => record.recorded_at.to_string(),
        })
    }

    #[expect(clippy::cast_precision_loss, reason = "no epoch comes near 2^53")]
    fn number(&self, record: &Record) -> Option<f64> {
        if *self == Self::Epoch { record.epoch.map(|epoch| epoch.0 as f64) } else { record.confidence }
    }

    fn time(&self, record: &Record) -> Option<When> {
        if *self == Self::ObservedAt {
            return record.observed_at;
        }
        Some(When::At(if *self == Self::RecordedAt { record.recorded_at } else { record.written_at }))
    }
}

impl Condition {
    /// Whether it holds of the record. Of what a record does not say, only `!=` holds, and being held against nothing.
    pub fn holds(&self, record: &Record) -> bool {
        match &self.wanted {
            Wanted::Nothing => self.key.text(record).is_none() == (self.test == Test::Equal),
            Wanted::Text(wanted) => (self.key.text(record).as_ref() == Some(wanted)) == (self.test == Test::Equal),
            Wanted::Number(wanted) => match self.key.number(record) {
                Some(number) => number.partial_cmp(wanted).is_some_and(|order| self.test.allows(order)),
                None => self.test == Test::Unequal,
            },
            Wanted::Time(wanted) => match self.key.time(record) {
                Some(time) => self.holds_in_time(time, *wanted),
                None => self.test == Test::Unequal,
            },
        }
    }

    /// A span is at least another that begins no earlier, and at most one that ends no later; it equals what holds it.
    fn holds_in_time(&self, time: When, wanted: When) -> bool {
        let (first, last): (Instant, Instant) = (wanted.first(), wanted.last());
        match self.test {
            Test::Equal => wanted.covers(time),
            Test::Unequal => !wanted.covers(time),
            Test::Less => time.last() < first,
            Test::AtMost => time.last() <= last,
            Test::More => time.first() > last,
            Test::AtLeast => time.first() >= first,
        }
    }
}

impl Test {
    const fn allows(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::Unequal => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::AtMost => order.is_le(),
            Self::More => order.is_gt(),
            Self::AtLeast => order.is_ge(),
        }
    }
}
