//! What a record's hash covers: every column of its row, each with its length before it, as it has been from the first
//! store on. A store that was written by an earlier version would be called damaged if this ever changed.

use gainsay::core::record::{Op, RecordId, Source};
use gainsay::core::ruling::RequestId;
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::desk::Desk;
use crate::script::{Told, instant, record};

const COLUMNS: &str = "id, subject, attribute, value, op, kind, class, source, observed_at, written_at, recorded_at, epoch, \
     confidence, evidence, answers, derived_from, batch";

/// Worked out by other means than the store's.
fn hash(row: &rusqlite::Row<'_>) -> Vec<u8> {
    let mut said = Vec::new();
    for column in 0..17 {
        let part = match row.get_ref(column).unwrap() {
            ValueRef::Null => vec![0],
            ValueRef::Integer(number) => number.to_string().into_bytes(),
            ValueRef::Real(number) => number.to_string().into_bytes(),
            ValueRef::Text(text) => text.to_vec(),
            ValueRef::Blob(_) => panic!("no column holds a blob"),
        };
        said.extend((part.len() as u64).to_be_bytes());
        said.extend(part);
    }
    Sha256::digest(&said).to_vec()
}

#[test]
fn a_records_hash_covers_its_columns_each_with_its_length() {
    let mut desk = Desk::new();
    let source = json!({"kind": "crm_import", "row": 17, "nested": {"b": [1.50, null], "a": "ü\u{202e}\"\n"}});
    let Value::Object(fields) = source.clone() else { panic!() };
    let whole = record("user_1", "home_city", json!({"z": 1e3, "a": ["Ærø", 0.10]})).id("whole").by("crm_import");
    let whole = whole.observed("2025-10-14T09:31:00.120Z").written("2025-10-15T00:00:00.000000001Z").epoch(7);
    let kind = whole.kind().cloned();
    desk.import([
        gainsay::core::record::Record {
            op: Op::Retract,
            source: Some(Source { kind, class: None, fields }),
            confidence: Some(0.3),
            evidence: Some("They said: \"no\"\n\u{0}".to_owned()),
            answers: Some(RequestId(12)),
            derived_from: Some(RecordId::from("other")),
            recorded_at: instant("2025-11-10T12:00:00.5Z"),
            ..whole
        },
        record("user_2", "born", 1994).id("bare"),
        record("user_2", "born", "x").id("month").observed("1994-05"),
        record("user_2", "born", Value::Null).id("day").observed("1994-05-02"),
        gainsay::core::record::Record {
            attribute: None,
            ..record("user_3", "", "a note").id("loose").observed("1994")
        },
    ]);
    let raw = Connection::open(desk.path()).unwrap();
    let mut rows = raw.prepare(&format!("SELECT {COLUMNS}, hash FROM records")).unwrap();
    let mut found = rows.query([]).unwrap();
    let mut seen = 0;
    while let Some(row) = found.next().unwrap() {
        assert_eq!(row.get::<_, Vec<u8>>(17).unwrap(), hash(row), "{:?}", row.get::<_, String>(0));
        seen += 1;
    }
    assert_eq!(seen, 5);
}
