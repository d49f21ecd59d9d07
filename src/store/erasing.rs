//! Erasure: what a subject's records said is overwritten by one hash each, in the place of values, evidence and sources.
//!
//! The hash is that of the row as it came, so the log still covers it, and it is no hash of a value alone: whoever wants
//! to test a guess must guess value, source and evidence at once. The event of the erasure covers what is left.

use rusqlite::limits::Limit;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::{Map, Value, json};

use super::chain::{digest, hex};
use super::error::StoreError;
use super::parts::Parts;
use super::refusals;
use super::rows::{self, RECORD, Stored};
use crate::core::record::{Kind, Record, Source, Subject};

/// The rows of all records of these names that are not erased yet.
pub(super) fn records_of(connection: &Connection, names: &[Subject]) -> Result<Vec<i64>, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT record FROM records WHERE subject = ?1 AND erased IS NULL")?;
    let mut found: Vec<i64> = Vec::new();
    for name in names {
        let rows = statement.query_map([name.as_str()], |row| row.get(0))?;
        found.extend(rows.collect::<Result<Vec<i64>, _>>()?);
    }
    found.sort_unstable();
    Ok(found)
}

/// What is to be left of some records.
pub(super) struct Erasure {
    left: Vec<Stored>,
}

impl Erasure {
    /// Of these rows, in their order.
    pub(super) fn of(connection: &Connection, rows: &[i64]) -> Result<Self, StoreError> {
        let mut left = Vec::with_capacity(rows.len());
        for row in rows {
            let stored = rows::record_at(connection, *row)?;
            let hash = hex(&rows::record_hash(&stored.record));
            left.push(Stored { row: *row, record: without_words(stored.record, &hash) });
        }
        Ok(Self { left })
    }

    /// What its event says of it.
    pub(super) fn told(&self) -> Value {
        said(self.left.iter().map(|stored| rows::record_hash(&stored.record)))
    }

    /// Overwrites the rows, and forgets what was gathered of them for finding.
    pub(super) fn carry_out(&self, connection: &Connection, event: i64) -> Result<(), StoreError> {
        connection.pragma_update(None, "secure_delete", true)?;
        refusals::without(connection, || {
            let mut write = connection.prepare(
                "UPDATE records SET value = ?2, source = ?3, evidence = ?4, erased = ?5 WHERE record = ?1",
            )?;
            for stored in &self.left {
                let source = stored.record.source.as_ref();
                write.execute(params![
                    stored.row,
                    stored.record.value.to_string(),
                    source.map(|source| Value::Object(source.fields.clone()).to_string()),
                    stored.record.evidence,
                    event
                ])?;
            }
            Ok(())
        })?;
        connection.execute_batch(
            "INSERT INTO pair_letters (pair_letters) VALUES ('delete-all'); UPDATE pair_letters_upto SET touched = 0",
        )?;
        Ok(())
    }
}

/// A record with its hash where words were. Its kind of source stays: rulings are counted by it.
fn without_words(record: Record, hash: &str) -> Record {
    let gone = json!({"erased": hash});
    let source = record.source.as_ref().map(|source| Source {
        fields: [("kind", source.kind.as_ref().map(Kind::as_str)), ("erased", Some(hash))]
            .into_iter()
            .filter_map(|(key, text)| Some((key.to_owned(), json!(text?))))
            .collect::<Map<String, Value>>(),
        ..source.clone()
    });
    let evidence = record.evidence.as_ref().map(|_| format!("erased: {hash}"));
    Record { value: gone, source, evidence, ..record }
}

fn said(hashes: impl Iterator<Item = Vec<u8>>) -> Value {
    let hashes: Vec<Vec<u8>> = hashes.collect();
    json!({"records": hashes.len(), "digest": digest(&[&hashes.concat()])})
}

/// What an event of an erasure must say, by what is left of its records.
pub(super) fn told(connection: &Connection, event: i64) -> Result<Value, StoreError> {
    let sql = format!("SELECT {RECORD} FROM records r WHERE r.erased = ?1 ORDER BY r.record");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut found = statement.query([event])?;
    let (mut hashes, mut parts) = (Vec::new(), Parts::default());
    while let Some(row) = found.next()? {
        hashes.push(rows::columns_hash(row, &mut parts)?.to_vec());
    }
    Ok(said(hashes.into_iter()))
}

/// Whether that event is one of an erasure.
pub(super) fn is_told(connection: &Connection, event: i64) -> Result<bool, StoreError> {
    let kind: Option<String> = connection
        .prepare_cached("SELECT kind FROM events WHERE seq = ?1")?
        .query_row([event], |row| row.get(0))
        .optional()?;
    Ok(kind.as_deref() == Some("erase"))
}

/// Writes every page anew, for what was changed before may still stand in free space, and empties the side file; says
/// whether nobody was in the way.
pub(super) fn scrub(connection: &Connection) -> Result<bool, StoreError> {
    // SQLite writes the pages to a database that it attaches for that long.
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 1)?;
    let written = connection.execute_batch("VACUUM").map_err(StoreError::from);
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    match written {
        Err(error) if error.is_busy() => return Ok(false),
        written => written?,
    }
    let busy: i64 = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    Ok(busy == 0)
}
