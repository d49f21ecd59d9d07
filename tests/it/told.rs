//! Records in the making: builders that read like the domain.

use gainsay::core::record::{Attribute, Batch, Epoch, Kind, Op, Record, RecordId, Source, Subject};
use gainsay::core::time::Instant;
use serde_json::{Map, Value};

pub(crate) fn at(text: &str) -> Instant {
    text.parse().expect("a time")
}

/// A record in the making.
pub(crate) fn says(id: &str, subject: &str, attribute: &str, value: impl Into<Value>) -> Record {
    Record {
        id: RecordId::from(id),
        subject: Subject::from(subject),
        attribute: Some(Attribute::from(attribute)),
        value: value.into(),
        op: Op::Assert,
        source: None,
        observed_at: None,
        written_at: at("2025-10-14T09:31:04Z"),
        recorded_at: at("2025-11-28T08:00:00Z"),
        epoch: None,
        confidence: None,
        evidence: None,
        answers: None,
        derived_from: None,
        batch: Batch::from("chat"),
    }
}

/// Builders that read like the domain.
pub(crate) trait Told: Sized {
    fn by(self, kind: &str) -> Self;
    fn field(self, name: &str, value: &str) -> Self;
    fn observed(self, when: &str) -> Self;
    fn written(self, when: &str) -> Self;
    fn epoch(self, epoch: i64) -> Self;
    fn sure(self, confidence: f64) -> Self;
    fn because(self, evidence: &str) -> Self;
    fn batch(self, batch: &str) -> Self;
}

impl Told for Record {
    fn by(mut self, kind: &str) -> Self {
        let fields = self.source.take().map(|source| source.fields).unwrap_or_default();
        self.source = Some(Source { kind: Some(Kind::from(kind)), class: None, fields });
        self
    }

    fn field(mut self, name: &str, value: &str) -> Self {
        let source = self.source.get_or_insert_with(|| Source { kind: None, class: None, fields: Map::new() });
        source.fields.insert(name.to_owned(), value.into());
        self
    }

    fn observed(self, when: &str) -> Self {
        Self { observed_at: Some(when.parse().expect("a time")), ..self }
    }

    fn written(self, when: &str) -> Self {
        Self { written_at: at(when), ..self }
    }

    fn epoch(self, epoch: i64) -> Self {
        Self { epoch: Some(Epoch(epoch)), ..self }
    }

    fn sure(self, confidence: f64) -> Self {
        Self { confidence: Some(confidence), ..self }
    }

    fn because(self, evidence: &str) -> Self {
        Self { evidence: Some(evidence.to_owned()), ..self }
    }

    fn batch(self, batch: &str) -> Self {
        Self { batch: Batch::from(batch), ..self }
    }
}
