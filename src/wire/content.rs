//! What of a record was claimed: by it a second import of the same record is known, and told from another claim.
//!
//! The content is what the origin said. Not in it: the id (two records of one content are one claim, whatever they
//! are called), the batch and `recorded_at`, and `written_at` where the import supplied it: those are the import's.
//! Spelling does not count: keys in any order, a time in any offset, `1e3` for `1000`.

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::core::record::{Record, RecordId};
use crate::core::value::canonical;

/// The SHA-256 of a record's content.
pub type Content = [u8; 32];

/// The content of a record; `written_at` counts only where the origin stated it.
pub fn content(record: &Record, written_at_stated: bool) -> Content {
    let mut parts = Parts(Vec::with_capacity(1_024));
    parts.add("subject", Some(record.subject.as_str()));
    parts.add("attribute", record.attribute.as_ref().map(|attribute| attribute.as_str()));
    parts.add("value", Some(canonical(&record.value)));
    parts.add("op", Some(record.op.name()));
    parts.add("observed_at", record.observed_at.map(|at| at.to_string()));
    parts.add("written_at", written_at_stated.then(|| record.written_at.to_string()));
    parts.add("epoch", record.epoch.map(|epoch| epoch.to_string()));
    parts.add("confidence", record.confidence.map(|confidence| confidence.to_string()));
    parts.add("evidence", record.evidence.as_deref());
    parts.add("answers", record.answers.map(|request| request.to_string()));
    parts.add("derived_from", record.derived_from.as_ref().map(RecordId::as_str));
    if let Some(source) = &record.source {
        let mut fields: Vec<(&String, &Value)> = source.fields.iter().collect();
        fields.sort_by_key(|(key, _)| *key);
        parts.add("source", Some(fields.len().to_string()));
        for (key, value) in fields {
            parts.add(key, Some(canonical(value)));
        }
    }
    Sha256::digest(&parts.0).into()
}

/// The id of a record that came without one: the same for the same content, always.
pub fn made_id(content: &Content) -> RecordId {
    let hex: String = content.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    RecordId::from(format!("rec_{hex}").as_str())
}

/// Named parts, each with the length before it: no two lists of parts are the same bytes.
struct Parts(Vec<u8>);

impl Parts {
    /// Adds a part that is there; one that is not leaves no trace.
    fn add(&mut self, name: &str, part: Option<impl AsRef<str>>) {
        let Some(part) = part else { return };
        for bytes in [name.as_bytes(), part.as_ref().as_bytes()] {
            self.0.extend_from_slice(&(bytes.len() as u64).to_be_bytes());
            self.0.extend_from_slice(bytes);
        }
    }
}
