//! What of a record was claimed: by it a second import of the same record is known, and told from another claim.
//!
//! The content is what the origin said. Not in it: the id (two records of one content are one claim, whatever they
//! are called), the batch and `recorded_at`, and `written_at` where the import supplied it: those are the import's.
//! Spelling does not count: keys in any order, a time in any offset, `1e3` for `1000`.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::core::record::{Record, RecordId};
use crate::core::value::canonical;

/// The SHA-256 of a record's content.
pub type Content = [u8; 32];

/// The content of a record; `written_at` counts only where the origin stated it.
pub fn content(record: &Record, written_at_stated: bool) -> Content {
    Sha256::digest(canonical(&Value::Object(claimed(record, written_at_stated)))).into()
}

/// The id of a record that came without one: the same for the same content, always.
pub fn made_id(content: &Content) -> RecordId {
    let hex: String = content.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    RecordId::from(format!("rec_{hex}").as_str())
}

fn claimed(record: &Record, written_at_stated: bool) -> Map<String, Value> {
    let written_at = written_at_stated.then(|| record.written_at.to_string());
    [
        ("subject", Some(json!(record.subject.as_str()))),
        ("attribute", record.attribute.as_ref().map(|attribute| json!(attribute.as_str()))),
        ("value", Some(record.value.clone())),
        ("op", Some(json!(record.op.name()))),
        ("source", record.source.as_ref().map(|source| Value::Object(source.fields.clone()))),
        ("observed_at", record.observed_at.map(|at| json!(at.to_string()))),
        ("written_at", written_at.map(Value::String)),
        ("epoch", record.epoch.map(|epoch| json!(epoch.0))),
        ("confidence", record.confidence.map(|confidence| json!(confidence))),
        ("evidence", record.evidence.as_deref().map(|evidence| json!(evidence))),
        ("answers", record.answers.map(|request| json!(request.0))),
        ("derived_from", record.derived_from.as_ref().map(|id| json!(id.as_str()))),
    ]
    .into_iter()
    .filter_map(|(key, value)| Some((key.to_owned(), value?)))
    .collect()
}
