//! A record as the cells of its row: what is stored of it, and what its hash covers.

use rusqlite::{CachedStatement, Connection, Statement, params};

use super::error::StoreError;
use super::parts::Parts;
use crate::core::record::{Attribute, Kind, Record, RecordId, SourceClass};
use crate::core::time::Instant;

/// The cells that a record says, each as its column holds it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells<'a> {
    pub(super) id: &'a str,
    pub(super) subject: &'a str,
    pub(super) attribute: Option<&'a str>,
    pub(super) value: &'a str,
    pub(super) op: &'a str,
    pub(super) kind: Option<&'a str>,
    pub(super) class: Option<&'a str>,
    pub(super) source: Option<&'a str>,
    pub(super) observed_at: Option<&'a str>,
    pub(super) written_at: &'a str,
    pub(super) recorded_at: &'a str,
    pub(super) epoch: Option<i64>,
    pub(super) confidence: Option<f64>,
    pub(super) evidence: Option<&'a str>,
    pub(super) answers: Option<i64>,
    pub(super) derived_from: Option<&'a str>,
    pub(super) batch: &'a str,
}

/// What a record does not hold as the text of its column.
pub(super) struct Written {
    value: String,
    source: Option<String>,
    observed_at: Option<String>,
    written_at: String,
    recorded_at: String,
}

impl Written {
    pub(super) fn of(record: &Record) -> Self {
        let source = record.source.as_ref();
        Self {
            value: record.value.to_string(),
            // Fields are written as the object that they came in.
            source: source.map(|source| serde_json::to_string(&source.fields).unwrap_or_default()),
            observed_at: record.observed_at.map(|when| when.to_string()),
            written_at: Instant::sortable(record.written_at),
            recorded_at: Instant::sortable(record.recorded_at),
        }
    }

    /// The cells of the record of which this is.
    pub(super) fn cells<'a>(&'a self, record: &'a Record) -> Cells<'a> {
        let source = record.source.as_ref();
        Cells {
            id: record.id.as_str(),
            subject: record.subject.as_str(),
            attribute: record.attribute.as_ref().map(Attribute::as_str),
            value: &self.value,
            op: record.op.name(),
            kind: record.kind().map(Kind::as_str),
            class: source.and_then(|source| source.class).map(SourceClass::name),
            source: self.source.as_deref(),
            observed_at: self.observed_at.as_deref(),
            written_at: &self.written_at,
            recorded_at: &self.recorded_at,
            epoch: record.epoch.map(|epoch| epoch.0),
            confidence: record.confidence,
            evidence: record.evidence.as_deref(),
            answers: record.answers.map(|request| request.0),
            derived_from: record.derived_from.as_ref().map(RecordId::as_str),
            batch: record.batch.as_str(),
        }
    }
}

impl Cells<'_> {
    /// SHA-256 over all of them.
    pub(super) fn hash(&self) -> [u8; 32] {
        let mut parts = Parts::default();
        parts.text(Some(self.id));
        parts.text(Some(self.subject));
        parts.text(self.attribute);
        parts.text(Some(self.value));
        parts.text(Some(self.op));
        parts.text(self.kind);
        parts.text(self.class);
        parts.text(self.source);
        parts.text(self.observed_at);
        parts.text(Some(self.written_at));
        parts.text(Some(self.recorded_at));
        parts.shown(self.epoch);
        parts.shown(self.confidence);
        parts.text(self.evidence);
        parts.shown(self.answers);
        parts.text(self.derived_from);
        parts.text(Some(self.batch));
        parts.hash()
    }

    /// Inserts the row by the statement of [`inserting`], with the hash of what was claimed; gives its number and its own hash.
    pub(super) fn insert(
        &self,
        statement: &mut Statement<'_>,
        slot: Option<i64>,
        event: i64,
        content: &[u8],
    ) -> Result<(i64, [u8; 32]), StoreError> {
        let hash = self.hash();
        let row = statement.insert(params![
            self.id,
            slot,
            self.subject,
            self.attribute,
            self.value,
            self.op,
            self.kind,
            self.class,
            self.source,
            self.observed_at,
            self.written_at,
            self.recorded_at,
            self.epoch,
            self.confidence,
            self.evidence,
            self.answers,
            self.derived_from,
            self.batch,
            event,
            content,
            hash,
        ])?;
        Ok((row, hash))
    }
}

/// The statement by which rows are inserted.
pub(super) fn inserting(connection: &Connection) -> Result<CachedStatement<'_>, StoreError> {
    Ok(connection.prepare_cached(
        "INSERT INTO records (id, slot, subject, attribute, value, op, kind, class, source, observed_at, written_at,
            recorded_at, epoch, confidence, evidence, answers, derived_from, batch, event, content, hash)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)",
    )?)
}
