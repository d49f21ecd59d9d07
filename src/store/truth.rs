//! Is what is true as it was written? The schema as shipped, SQLite's own check, the chain, every digest, and each ruling
//! and policy version against what the log tells of it.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension};
use serde_json::{Value, json};

use super::chain::{self, Link, digest, digest_of_records, hex};
use super::damage::{Tell, Verification};
use super::error::StoreError;
use super::{erasing, policy, rows, schema};
use crate::core::policy::Policy;
use crate::core::ruling::{Ruling, RulingId};
use crate::wire;

pub(super) fn integrity(connection: &Connection, found: &mut Verification) -> Result<(), StoreError> {
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
#[derive(Clone, Copy)]
pub(super) struct Schema {
    /// Every table is there, as it must be.
    pub(super) readable: bool,
    /// No table and no index is there that is somebody else's.
    pub(super) own: bool,
}

/// Holds the schema against the one that is shipped.
pub(super) fn schema_as_shipped(connection: &Connection, found: &mut Verification) -> Result<Schema, StoreError> {
    let (made, found_here) = (schema::expected()?, schema::Made::of(connection)?);
    let by_name = |made: &schema::Made| made.objects.iter().cloned().collect::<BTreeMap<_, _>>();
    let (shipped, here) = (by_name(made), by_name(&found_here));
    let mut schema = Schema { readable: true, own: true };
    let computes = |sql: &str| ["TABLE", "INDEX", "VIRTUAL"].iter().any(|word| schema::made_as(sql, word));
    for (name, sql) in &shipped {
        let table = sql.starts_with("CREATE TABLE") || sql.starts_with("CREATE VIRTUAL TABLE");
        let wrong = match here.get(name) {
            None => "it is missing from the schema",
            Some(stored) if stored != sql => "it is not as it was shipped",
            Some(_) => {
                if made.label(name) != found_here.label(name) {
                    // Made anew, it would be told from this one by its statement, which is the same.
                    found.lose(name.clone(), "it is not as it was shipped");
                }
                continue;
            }
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

/// The chain, event by event; says whether it was finished, or given up.
pub(super) fn events(
    connection: &Connection,
    found: &mut Verification,
    tell: Tell<'_>,
) -> Result<bool, StoreError> {
    let mut statement = connection.prepare(
        "SELECT seq, at, actor, kind, subject, attribute, pair, ruling, body, hash FROM events ORDER BY seq",
    )?;
    let mut previous: Vec<u8> = Vec::new();
    let mut expected = 1;
    let mut rows_found = statement.query([])?;
    while let Some(row) = rows_found.next()? {
        found.events += 1;
        if !tell() {
            return Ok(false);
        }
        let text = |place: usize| Ok::<_, StoreError>(row.get_ref(place)?.as_str().map_err(rusqlite::Error::from)?);
        let maybe = |place: usize| {
            Ok::<_, StoreError>(row.get_ref(place)?.as_str_or_null().map_err(rusqlite::Error::from)?)
        };
        let link = Link {
            seq: row.get(0)?,
            at: text(1)?,
            actor: text(2)?,
            kind: text(3)?,
            subject: maybe(4)?,
            attribute: maybe(5)?,
            pair: row.get(6)?,
            ruling: row.get(7)?,
            body: text(8)?,
        };
        let hash = row.get_ref(9)?.as_blob().map_err(rusqlite::Error::from)?;
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
        previous.clear();
        previous.extend_from_slice(hash);
    }
    found.head = hex(&previous);
    Ok(true)
}

/// What an event says of the records that it brought, against their rows.
fn digests(connection: &Connection, link: &Link<'_>, found: &mut Verification) -> Result<(), StoreError> {
    // Few events speak of records; the chain covers the words of all of them.
    if !["\"erased\"", "\"digest\""].iter().any(|word| link.body.contains(word)) {
        return Ok(());
    }
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
pub(super) fn rulings(connection: &Connection, found: &mut Verification) -> Result<(), StoreError> {
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
pub(super) fn policies(connection: &Connection, found: &mut Verification) -> Result<(), StoreError> {
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
