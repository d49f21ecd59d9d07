//! A whole store as JSON Lines: twins of what is true, strict both ways.
//!
//! Each line is an object with one key, which says what it holds. The record within a `record` line is what `import`
//! takes: `jq -c '.record.record // empty'` makes a file of records of an export.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::core::record::{Batch, Kind, Record, Source, SourceClass};
use crate::core::time::Instant;

use super::content::{Content, content};
use super::elements::Element;
use super::fault::{Fault, Position};
use super::record::{Defaults, read as read_record};

/// The form that this version writes, and the only one that it reads.
pub const FORMAT: u32 = 1;

/// How the first line of every export begins.
pub const BEGINS: &str = "{\"export\":";

/// One line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    Export(Header),
    Policy(PolicyLine),
    Slot(SlotLine),
    Record(RecordLine),
    Ruling(RulingLine),
    /// The records that a ruling names, a part of them a line: a withdrawal may name thousands.
    Names(NamesLine),
    Event(EventLine),
}

/// The first line: what must follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    pub format: u32,
    pub policies: u64,
    pub slots: u64,
    pub records: u64,
    pub rulings: u64,
    pub events: u64,
    /// The hash of the last event, in hexadecimal digits.
    pub head: String,
}

/// A policy version.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyLine {
    pub version: i64,
    pub at: String,
    pub ruling: Option<i64>,
    /// As it stands in the store, to the byte: the first event covers it.
    pub document: String,
}

/// A slot: its number decides nothing, but rulings and records name it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlotLine {
    pub slot: i64,
    pub subject: String,
    pub attribute: String,
}

/// A record, and what the store knows of it besides.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordLine {
    pub row: i64,
    pub slot: Option<i64>,
    /// The event that brought it.
    pub event: i64,
    pub recorded_at: String,
    /// The kind of its source and the class that it states, which the source itself need not repeat.
    pub kind: Option<String>,
    pub class: Option<String>,
    /// The batch that it came in, which its source may name otherwise.
    pub batch: String,
    /// Whether it was erased: then only its hashes are left of what it said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub erased: Option<ErasedLine>,
    pub record: Box<RawValue>,
}

/// What is left of an erased record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErasedLine {
    /// The event of the erasure.
    pub event: i64,
    pub content: String,
    pub hash: String,
}

/// A ruling.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulingLine {
    pub ruling: i64,
    pub at: String,
    pub actor: String,
    pub kind: String,
    pub pair: Option<i64>,
    pub slot: Option<i64>,
    pub reason: Option<String>,
    pub body: Value,
    pub undoes: Option<i64>,
    pub bulk: Option<i64>,
}

/// Records that a ruling names, by row.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamesLine {
    pub ruling: i64,
    pub rows: Vec<i64>,
}

/// An event, as `log --json` gives it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventLine {
    pub seq: i64,
    pub at: String,
    pub actor: String,
    pub kind: String,
    pub subject: Option<String>,
    pub attribute: Option<String>,
    pub pair: Option<i64>,
    pub ruling: Option<i64>,
    pub body: Value,
    pub hash: String,
}

impl Line {
    /// The line as JSON.
    pub fn write(&self) -> Result<Value, serde_json::Error> {
        serde_json::to_value(self)
    }

    /// A line that [`write`](Self::write) wrote; the fault stands at its place in the file.
    pub fn read(text: &[u8], line: u64) -> Result<Self, Fault> {
        serde_json::from_slice(text).map_err(|error| {
            let column = u64::try_from(error.column()).unwrap_or(1).max(1);
            Fault::new(Position { line, column }, error.to_string(), "a line of an export")
        })
    }
}

impl RecordLine {
    /// The record, whole, with the hash of what it claims.
    pub fn record(&self, line: u64) -> Result<(Record, Content), Fault> {
        let at = Position { line, column: 1 };
        let wrong = |what: &str, expected: &str| Fault::new(at, format!("{what} cannot be read"), expected);
        let recorded_at: Instant =
            self.recorded_at.parse().map_err(|_| wrong("recorded_at", "a time").about("recorded_at"))?;
        let class = match &self.class {
            Some(name) => {
                Some(SourceClass::named(name).ok_or_else(|| wrong("class", "a source class").about("class"))?)
            }
            None => None,
        };
        let batch = Batch::from(self.batch.as_str());
        let element = Element { at, bytes: self.record.get().as_bytes().to_vec(), fault: None };
        let defaults = Defaults { now: recorded_at, batch: batch.clone(), epoch: None, zone: None };
        let incoming = read_record(&element, &defaults)?;
        let kind = self.kind.as_deref().map(Kind::from);
        let source = incoming.record.source.clone().map(|source| Source { kind, class, ..source });
        let record = Record { batch, recorded_at, source, ..incoming.record };
        let content = content(&record, incoming.written_at_stated);
        Ok((record, content))
    }
}
