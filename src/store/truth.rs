//! Is what is true as it was written? The schema as shipped, SQLite's own check, the chain, every digest, and each ruling
//! and policy version against what the log tells of it.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension};
use serde_json::{Value, json};

use super::chain::{self, Link, digest, digest_of_records, hex};
use super::damage::{Tell, Verification};
use super::error::StoreError;
use super::sealed::row_hash;
use super::{erasing, policy, rows, schema};
use crate::core::policy::Policy;
use crate::core::record::Record;
use crate::core::ruling::{Ruling, RulingId};
use crate::wire;

/// How far a check got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reached {
    /// All of it was looked at.
    End,
    /// Tables are missing or not as shipped: what follows from what is true cannot be read at all.
    Schema,
    GivenUp,
}

/// Checks all of it.
pub(super) fn check(
    connection: &Connection,
    found: &mut Verification,
    tell: Tell<'_>,
) -> Result<Reached, StoreError> {
    let schema = schema_as_shipped(connection, found)?;
    if schema.own {
        let sound = integrity(connection, found);
        read(found, "the file", sound)?;
    } else {
        // SQLite's check computes what tables and indexes demand: of somebody else's, that may be anything.
        found.integrity = "nothing: it was not asked, for the schema is not as it was made".to_owned();
    }
    if !schema.readable {
        return Ok(Reached::Schema);
    }
    let looked = records(connection, found, tell);
    if read(found, "the records", looked)? == Some(false) {
        return Ok(Reached::GivenUp);
    }
    let looked = events(connection, found, tell);
    if read(found, "the log", looked)? == Some(false) {
        return Ok(Reached::GivenUp);
    }
    let looked = rulings(connection, found);
    read(found, "the rulings", looked)?;
    let looked = policies(connection, found);
    read(found, "the policies", looked)?;
    Ok(Reached::End)
}

/// What a look at one part gave; where it ended at something that cannot be read, that is damage, and the others are
/// looked at all the same.
fn read<T>(found: &mut Verification, what: &str, looked: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match looked {
        Ok(given) => Ok(Some(given)),
        Err(error) if error.is_passing() => Err(error),
        Err(error) => {
            found.lose(what, format!("it cannot be read to its end: {error}"));
            Ok(None)
        }
    }
}

fn integrity(connection: &Connection, found: &mut Verification) -> Result<(), StoreError> {
    found.integrity = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if found.integrity != "ok" {
        let said = found.integrity.clone();
        found.lose("the file", format!("SQLite says: {said}"));
    }
    let broken: Option<String> =
        connection.query_row("SELECT [table] FROM pragma_foreign_key_check", [], |row| row.get(0)).optional()?;
    if let Some(table) = broken {
        found.lose(format!("table {table}"), "a row refers to one that is not there");
    }
    Ok(())
}

/// What a schema is, held against the one that is shipped.
struct Schema {
    /// Every table is there, as it must be.
    readable: bool,
    /// No table and no index is there that is somebody else's.
    own: bool,
}

/// Holds the schema against the one that is shipped.
fn schema_as_shipped(connection: &Connection, found: &mut Verification) -> Result<Schema, StoreError> {
    let shipped: BTreeMap<String, String> = schema::expected()?.into_iter().collect();
    let here: BTreeMap<String, String> = schema::objects(connection)?.into_iter().collect();
    let mut schema = Schema { readable: true, own: true };
    let computes = |sql: &str| ["TABLE", "INDEX", "VIRTUAL"].iter().any(|word| schema::made_as(sql, word));
    for (name, sql) in &shipped {
        let table = sql.starts_with("CREATE TABLE") || sql.starts_with("CREATE VIRTUAL TABLE");
        let wrong = match here.get(name) {
            None => "it is missing from the schema",
            Some(stored) if stored != sql => "it is not as it was shipped",
            Some(_) => continue,
        };
        schema.readable &= !table;
        schema.own &= here.get(name).is_none_or(|stored| !computes(stored));
        let changed = table && here.contains_key(name);
        if schema::can_be_made_anew(name, sql) && !changed {
            found.find(name.clone(), wrong);
        } else {
            found.lose(name.clone(), wrong);
        }
    }
    for (name, sql) in here.iter().filter(|(name, _)| !shipped.contains_key(*name)) {
        schema.own &= !computes(sql);
        if sql.starts_with("CREATE TABLE") {
            found.lose(name.clone(), "it does not belong to the schema");
        } else {
            found.find(name.clone(), "it does not belong to the schema");
        }
    }
    Ok(schema)
}

fn records(connection: &Connection, found: &mut Verification, tell: Tell<'_>) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT {}, r.hash, r.content, r.erased, s.subject AS slot_subject, s.attribute AS slot_attribute
         FROM records r LEFT JOIN slots s ON s.slot = r.slot ORDER BY r.record",
        rows::RECORD
    );
    let mut statement = connection.prepare(&sql)?;
    let mut rows_found = statement.query([])?;
    while let Some(row) = rows_found.next()? {
        found.records += 1;
        if !tell(found) {
            return Ok(false);
        }
        let hash: Vec<u8> = row.get("hash")?;
        let sealed = row_hash(row)? == hash;
        match rows::record(row) {
            // The hash in its row is that of what it said before; the event that erased it covers what is left.
            Ok(stored) if row.get::<_, Option<i64>>("erased")?.is_some() => {
                if !erasing::is_told(connection, row.get("erased")?)? {
                    let wrong = "it is marked as erased, and no event tells of that";
                    found.lose(format!("record {}", stored.record.id), wrong);
                }
                placed(row, &stored.record, found)?;
            }
            Ok(stored) if !sealed => {
                found.lose(format!("record {}", stored.record.id), "its content is not what its hash covers");
            }
            Ok(stored) => {
                placed(row, &stored.record, found)?;
                known_again(row, &stored.record, found)?;
            }
            Err(error) => {
                let number: i64 = row.get("record")?;
                found.lose(format!("record number {number}"), format!("it cannot be read: {error}"));
            }
        }
    }
    Ok(true)
}

/// What is not part of a record's hash: where it is settled.
fn placed(row: &rusqlite::Row<'_>, record: &Record, found: &mut Verification) -> Result<(), StoreError> {
    let slot: (Option<String>, Option<String>) = (row.get("slot_subject")?, row.get("slot_attribute")?);
    let belongs = match (&record.attribute, slot) {
        (Some(attribute), (Some(subject), Some(named))) => {
            subject == record.subject.as_str() && named == attribute.as_str()
        }
        (None, (None, None)) => true,
        (Some(_) | None, _) => false,
    };
    if !belongs {
        found.find(format!("record {}", record.id), "it is not kept in the slot of its subject and attribute");
    }
    Ok(())
}

/// By what a second import knows it.
fn known_again(row: &rusqlite::Row<'_>, record: &Record, found: &mut Verification) -> Result<(), StoreError> {
    let content: Vec<u8> = row.get("content")?;
    if ![true, false].iter().any(|stated| wire::content::content(record, *stated).as_slice() == content) {
        found.lose(format!("record {}", record.id), "its content is not what its digest says");
    }
    Ok(())
}

fn events(connection: &Connection, found: &mut Verification, tell: Tell<'_>) -> Result<bool, StoreError> {
    let mut statement = connection.prepare("SELECT * FROM events ORDER BY seq")?;
    let mut previous: Vec<u8> = Vec::new();
    let mut expected = 1;
    let mut rows_found = statement.query([])?;
    while let Some(row) = rows_found.next()? {
        found.events += 1;
        if !tell(found) {
            return Ok(false);
        }
        let texts: Vec<String> =
            ["at", "actor", "kind", "body"].map(|column| row.get(column)).into_iter().collect::<Result<_, _>>()?;
        let (subject, attribute): (Option<String>, Option<String>) = (row.get("subject")?, row.get("attribute")?);
        let link = Link {
            seq: row.get("seq")?,
            at: &texts[0],
            actor: &texts[1],
            kind: &texts[2],
            subject: subject.as_deref(),
            attribute: attribute.as_deref(),
            pair: row.get("pair")?,
            ruling: row.get("ruling")?,
            body: &texts[3],
        };
        let hash: Vec<u8> = row.get("hash")?;
        if link.seq != expected {
            found.lose(format!("event {expected}"), format!("it is missing: event {} follows", link.seq));
        }
        expected = link.seq + 1;
        if chain::link_hash(&previous, &link) != hash {
            found.lose(
                format!("event {}", link.seq),
                "its hash does not follow from what it says and from the event before it",
            );
        }
        digests(connection, &link, found)?;
        previous = hash;
    }
    found.head = hex(&previous);
    Ok(true)
}

/// What an event says of the records that it brought, against their rows.
fn digests(connection: &Connection, link: &Link<'_>, found: &mut Verification) -> Result<(), StoreError> {
    let body: Value = serde_json::from_str(link.body).unwrap_or_default();
    if let Some(told) = body.get("erased")
        && *told != erasing::told(connection, link.seq)?
    {
        found
            .lose(format!("event {}", link.seq), "what is left of the records that it erased is not what it tells");
    }
    let Some(told) = body.get("digest").and_then(Value::as_str) else { return Ok(()) };
    if digest_of_records(connection, link.seq)? != told {
        found.lose(format!("event {}", link.seq), "the records that it brought are not those of its digest");
    }
    Ok(())
}

/// Each ruling against the event that told it.
fn rulings(connection: &Connection, found: &mut Verification) -> Result<(), StoreError> {
    let mut statement = connection.prepare(
        "SELECT g.ruling, g.at, g.actor, g.kind, g.pair, g.reason, g.body, g.undoes, g.bulk, e.at AS told_at, e.actor AS told_actor,
             e.kind AS told_kind, e.pair AS told_pair, e.body AS told_body, g.slot, s.subject AS slot_subject,
             s.attribute AS slot_attribute, e.subject AS told_subject, e.attribute AS told_attribute
         FROM rulings g LEFT JOIN events e ON e.ruling = g.ruling LEFT JOIN slots s ON s.slot = g.slot ORDER BY g.ruling",
    )?;
    let mut rows_found = statement.query([])?;
    while let Some(row) = rows_found.next()? {
        let number: i64 = row.get("ruling")?;
        let what = format!("ruling {number}");
        let Some(told): Option<String> = row.get("told_body")? else {
            found.lose(what, "no event tells of it");
            continue;
        };
        let told: Value = serde_json::from_str(&told).unwrap_or_default();
        let body: Value = serde_json::from_str(&row.get::<_, String>("body")?).unwrap_or_default();
        let text = |column: &str| row.get::<_, Option<String>>(column);
        let named = record_names(connection, number)?;
        let same = text("at")? == text("told_at")?
            && text("actor")? == text("told_actor")?
            && text("kind")? == text("told_kind")?
            && row.get::<_, Option<i64>>("pair")? == row.get::<_, Option<i64>>("told_pair")?
            && json!(text("reason")?) == told["reason"]
            && body == decided(&told)
            && named.as_ref() == Some(&told["records"])
            && row.get::<_, Option<i64>>("bulk")? == body["bulk"].as_i64()
            && row.get::<_, Option<i64>>("undoes")? == body["decision"]["ruling"].as_i64();
        let nowhere = row.get::<_, Option<i64>>("slot")?.is_none();
        let declares = ["declare", "epoch"].contains(&body["decision"]["decision"].as_str().unwrap_or_default());
        let in_its_slot =
            text("slot_subject")? == text("told_subject")? && text("slot_attribute")? == text("told_attribute")?;
        let placed = match text("kind")?.as_deref() {
            Some("declare" | "epoch") => nowhere,
            Some(_) | None => in_its_slot || nowhere && declares,
        };
        if !same {
            found.lose(what, "it is not what its event tells");
        } else if !placed {
            found.find(what, "it is not kept in the slot that its event tells");
        }
    }
    let orphans: i64 = connection.query_row(
        "SELECT count(*) FROM events e WHERE e.ruling IS NOT NULL AND NOT EXISTS (SELECT 1 FROM rulings g WHERE g.ruling = e.ruling)",
        [],
        |row| row.get(0),
    )?;
    if orphans > 0 {
        found.lose("rulings", format!("{orphans} of which events tell are missing"));
    }
    Ok(())
}

/// What an event tells of a ruling that stands in its body; the rest stands in columns of its own, or is of its records.
fn decided(told: &Value) -> Value {
    let Value::Object(told) = told else { return Value::Null };
    let beside = ["reason", "records", "digest", "erased"];
    let body = told.iter().filter(|(key, _)| !beside.contains(&key.as_str()));
    Value::Object(body.map(|(key, value)| (key.clone(), value.clone())).collect())
}

/// The records that a ruling names, as events tell them; none where one of them is missing.
fn record_names(connection: &Connection, ruling: i64) -> Result<Option<Value>, StoreError> {
    let named = rows::records_of_ruling(connection, RulingId(ruling))?;
    Ok(super::writing::record_ids(connection, &named).ok())
}

/// The first version against the first event; each later one against the declarations that counted when it was made.
fn policies(connection: &Connection, found: &mut Verification) -> Result<(), StoreError> {
    let mut statement = connection.prepare(
        "SELECT p.version, p.at, p.ruling, p.document, e.at AS told_at, e.body AS told
         FROM policies p LEFT JOIN events e ON e.ruling IS p.ruling AND (p.ruling IS NOT NULL OR e.seq = 1)
         ORDER BY p.version",
    )?;
    let rulings = policy::declaring(connection)?;
    let mut first: Option<Policy> = None;
    let mut versions = statement.query([])?;
    let (mut last, mut in_force): (i64, Option<Policy>) = (0, None);
    while let Some(row) = versions.next()? {
        let (version, document): (i64, String) = (row.get("version")?, row.get("document")?);
        if version != last + 1 {
            found.lose(format!("policy version {}", last + 1), format!("it is missing: version {version} follows"));
        }
        last = version;
        let ruling: Option<i64> = row.get("ruling")?;
        let told: Value =
            serde_json::from_str(&row.get::<_, Option<String>>("told")?.unwrap_or_default()).unwrap_or_default();
        let in_time = row.get::<_, Option<String>>("told_at")? == Some(row.get("at")?);
        in_force = wire::policy::read(&document).ok().map(|policy| Policy { version, ..policy });
        let follows = match (&first, ruling, wire::policy::read(&document)) {
            (None, None, Ok(policy)) => {
                first = Some(policy);
                told["policy"] == json!(digest(&[document.as_bytes()]))
            }
            (Some(first), Some(ruling), Ok(policy)) => {
                let known: Vec<Ruling> = rulings.iter().filter(|it| it.id.0 <= ruling).cloned().collect();
                wire::policy::write(&policy::declared(first, &known, policy.version))
                    == wire::policy::write(&policy)
            }
            (None | Some(_), None | Some(_), Ok(_) | Err(_)) => false,
        };
        if !follows || !in_time {
            found.lose(format!("policy version {version}"), "it does not follow from what the log tells");
        }
    }
    let Some(first) = first else {
        found.lose("policy version 1", "it is missing");
        return Ok(());
    };
    let wanted = policy::declared(&first, &rulings, last);
    if in_force.is_some_and(|policy| wire::policy::write(&policy) != wire::policy::write(&wanted)) {
        found.lose(format!("policy version {}", last + 1), "it is missing: what rulings declare is in no version");
    }
    Ok(())
}
