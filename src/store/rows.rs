//! The only file with the columns of records and rulings: rows become the core's types here, and the other way round.

use std::collections::BTreeSet;

use rusqlite::types::{Type, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::{Map, Value};

use super::cells::{Written, inserting};
use super::error::StoreError;
use super::parts::Parts;
use crate::core::record::{Attribute, Batch, Epoch, Kind, Op, Record, RecordId, Source, SourceClass, Subject};
use crate::core::ruling::{Decision, PairId, RequestId, Ruling, RulingId};
use crate::core::select::Condition;
use crate::core::time::{Instant, When};
use crate::wire;

/// The columns of a record, in the order that [`record`] expects by name.
pub(super) const RECORD: &str = "r.record, r.id, r.slot, r.subject, r.attribute, r.value, r.op, r.kind, r.class, r.source, \
     r.observed_at, r.written_at, r.recorded_at, r.epoch, r.confidence, r.evidence, r.answers, r.derived_from, r.batch";

/// The place of the slot in [`RECORD`], and that of the batch, which is the last.
pub(super) const SLOT: usize = 2;
pub(super) const BATCH: usize = 18;

/// A stored record with its row number.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub(super) row: i64,
    pub(super) record: Record,
}

/// Reads a record from a row that begins with [`RECORD`]: by place, for names are looked up one by one.
pub(super) fn record(row: &Row<'_>) -> rusqlite::Result<Stored> {
    let text = |place: usize| Ok::<_, rusqlite::Error>(row.get_ref(place)?.as_str_or_null()?);
    let needed = |place: usize| Ok::<_, rusqlite::Error>(row.get_ref(place)?.as_str()?);
    let source = match text(9)? {
        Some(fields) => Some(Source {
            kind: text(7)?.map(Kind::from),
            class: text(8)?.map(|class| known(SourceClass::named, class)).transpose()?,
            fields: match json(fields)? {
                Value::Object(fields) => fields,
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
            },
        }),
        None => None,
    };
    let record = Record {
        id: RecordId::from(needed(1)?),
        subject: Subject::from(needed(3)?),
        attribute: text(4)?.map(Attribute::from),
        value: json(needed(5)?)?,
        op: known(Op::named, needed(6)?)?,
        source,
        observed_at: text(10)?.map(parsed::<When>).transpose()?,
        written_at: parsed(needed(11)?)?,
        recorded_at: parsed(needed(12)?)?,
        epoch: row.get::<_, Option<i64>>(13)?.map(Epoch),
        confidence: row.get(14)?,
        evidence: text(15)?.map(str::to_owned),
        answers: row.get::<_, Option<i64>>(16)?.map(RequestId),
        derived_from: text(17)?.map(RecordId::from),
        batch: Batch::from(needed(18)?),
    };
    Ok(Stored { row: row.get(0)?, record })
}

/// SHA-256 over everything that a record's row says.
pub(super) fn record_hash(record: &Record) -> Vec<u8> {
    Written::of(record).cells(record).hash().to_vec()
}

/// The same from the columns of a row that begins with [`RECORD`], byte by byte: what stands there is what was hashed.
pub(super) fn columns_hash(row: &Row<'_>, parts: &mut Parts) -> rusqlite::Result<[u8; 32]> {
    const ID: usize = 1;
    parts.clear();
    // Where it is kept is no part of what it says.
    for place in (ID..=BATCH).filter(|place| *place != SLOT) {
        match row.get_ref(place)? {
            ValueRef::Null => parts.bytes(None),
            ValueRef::Integer(number) => parts.shown(Some(number)),
            ValueRef::Real(number) => parts.shown(Some(number)),
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => parts.bytes(Some(bytes)),
        }
    }
    Ok(parts.hash())
}

/// Inserts a record with the hash of what was claimed; returns its row number.
pub(super) fn insert_record(
    connection: &Connection,
    record: &Record,
    slot: Option<i64>,
    event: i64,
    content: &[u8],
) -> Result<i64, StoreError> {
    let mut statement = inserting(connection)?;
    Ok(Written::of(record).cells(record).insert(&mut statement, slot, event, content)?.0)
}

/// The record of that id.
pub(super) fn record_named(connection: &Connection, id: &RecordId) -> Result<Option<Stored>, StoreError> {
    let sql = format!("SELECT {RECORD} FROM records r WHERE r.id = ?1");
    Ok(connection.prepare_cached(&sql)?.query_row([id.as_str()], record).optional()?)
}

/// The record of that row number.
pub(super) fn record_at(connection: &Connection, row: i64) -> Result<Stored, StoreError> {
    let sql = format!("SELECT {RECORD} FROM records r WHERE r.record = ?1");
    Ok(connection.prepare_cached(&sql)?.query_row([row], record)?)
}

/// The id of the record of that row number.
pub(super) fn id_at(connection: &Connection, row: i64) -> Result<String, StoreError> {
    let mut statement = connection.prepare_cached("SELECT id FROM records WHERE record = ?1")?;
    Ok(statement.query_row([row], |row| row.get(0))?)
}

/// Every record that is settled in this slot, under whatever name it came.
pub(super) fn records_at_home(connection: &Connection, home: i64) -> Result<Vec<Stored>, StoreError> {
    let sql = format!(
        "SELECT {RECORD} FROM slots s JOIN records r ON r.slot = s.slot WHERE s.home = ?1 ORDER BY r.record"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_map([home], record)?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// What a record's place among those of its slot follows from.
pub(super) struct Placed {
    pub(super) row: i64,
    pub(super) id: RecordId,
    pub(super) value: Value,
    pub(super) observed_at: Option<When>,
    pub(super) written_at: Instant,
    pub(super) epoch: Option<Epoch>,
}

/// As [`records_at_home`], no more of each than its place follows from: a slot may hold a hundred thousand.
pub(super) fn places_at_home(connection: &Connection, home: i64) -> Result<Vec<Placed>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT r.record, r.id, r.value, r.observed_at, r.written_at, r.epoch
         FROM slots s JOIN records r ON r.slot = s.slot WHERE s.home = ?1 ORDER BY r.record",
    )?;
    let found = statement.query_map([home], |row| {
        Ok(Placed {
            row: row.get("record")?,
            id: RecordId::from(row.get::<_, String>("id")?.as_str()),
            value: json(&row.get::<_, String>("value")?)?,
            observed_at: row.get::<_, Option<String>>("observed_at")?.map(|when| parsed(&when)).transpose()?,
            written_at: parsed(&row.get::<_, String>("written_at")?)?,
            epoch: row.get::<_, Option<i64>>("epoch")?.map(Epoch),
        })
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// A ruling to be written: what is not in the core's [`Ruling`] is where it stands and how the log names it.
pub(super) struct NewRuling<'a> {
    pub(super) kind: &'static str,
    pub(super) pair: Option<PairId>,
    pub(super) slot: Option<i64>,
    pub(super) reason: Option<&'a str>,
    pub(super) decision: &'a Decision,
    pub(super) body: &'a Value,
    pub(super) bulk: Option<RulingId>,
}

/// Inserts a ruling and the records that it names.
pub(super) fn insert_ruling(
    connection: &Connection,
    actor: &str,
    at: Instant,
    ruling: &NewRuling<'_>,
    records: &[i64],
) -> Result<RulingId, StoreError> {
    let undoes = if let Decision::Undo(target) = ruling.decision { Some(target.0) } else { None };
    connection
        .prepare_cached(
            "INSERT INTO rulings (at, actor, kind, pair, slot, reason, body, undoes, bulk)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?
        .execute(params![
            at.sortable(),
            actor,
            ruling.kind,
            ruling.pair.map(|pair| pair.0),
            ruling.slot,
            ruling.reason,
            ruling.body.to_string(),
            undoes,
            ruling.bulk.map(|bulk| bulk.0),
        ])?;
    let id = connection.last_insert_rowid();
    let mut name = connection.prepare_cached("INSERT INTO ruling_records (record, ruling) VALUES (?1, ?2)")?;
    let distinct: BTreeSet<i64> = records.iter().copied().collect();
    for record in distinct {
        name.execute(params![record, id])?;
    }
    Ok(RulingId(id))
}

const RULING: &str = "g.ruling, g.at, g.actor, g.kind, g.pair, g.slot, g.reason, g.body, g.bulk";

/// A stored ruling with what the log calls it.
#[derive(Clone, Debug)]
pub(super) struct StoredRuling {
    pub(super) ruling: Ruling,
    pub(super) kind: String,
    pub(super) slot: Option<i64>,
    pub(super) body: Value,
    /// The first ruling of the stroke that it was made in, where there were several.
    pub(super) bulk: Option<RulingId>,
}

fn ruling(row: &Row<'_>) -> rusqlite::Result<StoredRuling> {
    let body = json(&row.get::<_, String>("body")?)?;
    let number: i64 = row.get("ruling")?;
    let decision = wire::ruling::read(&body["decision"].to_string())
        .map_err(|fault| unreadable(format!("ruling {number}: {fault}")))?;
    let ruling = Ruling {
        id: RulingId(row.get("ruling")?),
        at: parsed(&row.get::<_, String>("at")?)?,
        actor: row.get("actor")?,
        reason: row.get("reason")?,
        pair: row.get::<_, Option<i64>>("pair")?.map(PairId),
        decision,
    };
    Ok(StoredRuling {
        ruling,
        kind: row.get("kind")?,
        slot: row.get("slot")?,
        body,
        bulk: row.get::<_, Option<i64>>("bulk")?.map(RulingId),
    })
}

/// Every ruling on a slot: those made in it, those that name its records, and whatever undoes one of these.
pub(super) fn rulings_at_home(connection: &Connection, home: i64) -> Result<Vec<StoredRuling>, StoreError> {
    let sql = format!(
        "WITH RECURSIVE here (ruling) AS (
             SELECT g.ruling FROM slots s JOIN rulings g ON g.slot = s.slot WHERE s.home = ?1
             UNION
             SELECT n.ruling FROM slots s JOIN records r ON r.slot = s.slot
                 JOIN ruling_records n ON n.record = r.record WHERE s.home = ?1
             UNION
             SELECT g.ruling FROM here h JOIN rulings g ON g.undoes = h.ruling
         )
         SELECT {RULING} FROM here h JOIN rulings g ON g.ruling = h.ruling ORDER BY g.ruling"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_map([home], ruling)?;
    let mut rulings: Vec<StoredRuling> = found.collect::<Result<_, _>>()?;
    for stored in &mut rulings {
        if let Decision::Withdraw { records, .. } | Decision::Erase { records, .. } = &mut stored.ruling.decision {
            *records = withdrawn_here(connection, stored.ruling.id, home)?;
        }
    }
    Ok(rulings)
}

fn withdrawn_here(connection: &Connection, ruling: RulingId, home: i64) -> Result<BTreeSet<RecordId>, StoreError> {
    // From the slot outwards, as the cross joins say: a withdrawal may name thousands of records, the slot holds few.
    let mut statement = connection.prepare_cached(
        "SELECT r.id FROM slots s CROSS JOIN records r CROSS JOIN ruling_records n
         WHERE s.home = ?1 AND r.slot = s.slot AND n.record = r.record AND n.ruling = ?2",
    )?;
    let found = statement.query_map([home, ruling.0], |row| row.get::<_, String>(0))?;
    Ok(found.map(|id| Ok(RecordId::from(id?.as_str()))).collect::<Result<_, rusqlite::Error>>()?)
}

/// The rulings of some kinds, oldest first, with whatever undoes one of them.
pub(super) fn rulings_of_kind(connection: &Connection, kinds: &[&str]) -> Result<Vec<StoredRuling>, StoreError> {
    let list: Vec<String> = kinds.iter().map(|kind| format!("'{kind}'")).collect();
    let sql = format!(
        "WITH RECURSIVE wanted (ruling) AS (
             SELECT ruling FROM rulings WHERE kind IN ({})
             UNION SELECT g.ruling FROM wanted w JOIN rulings g ON g.undoes = w.ruling
         )
         SELECT {RULING} FROM wanted w JOIN rulings g ON g.ruling = w.ruling ORDER BY g.ruling",
        list.join(",")
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_map([], ruling)?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// The rulings that name a record, oldest first.
pub(super) fn rulings_naming(connection: &Connection, id: &RecordId) -> Result<Vec<StoredRuling>, StoreError> {
    let sql = format!(
        "SELECT {RULING} FROM records r JOIN ruling_records n ON n.record = r.record
             JOIN rulings g ON g.ruling = n.ruling WHERE r.id = ?1 ORDER BY g.ruling"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_map([id.as_str()], ruling)?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// One ruling.
pub(super) fn ruling_numbered(connection: &Connection, id: RulingId) -> Result<Option<StoredRuling>, StoreError> {
    let sql = format!("SELECT {RULING} FROM rulings g WHERE g.ruling = ?1");
    Ok(connection.prepare_cached(&sql)?.query_row([id.0], ruling).optional()?)
}

/// Every record of which the conditions hold.
pub(super) fn records_where(connection: &Connection, conditions: &[Condition]) -> Result<Vec<Stored>, StoreError> {
    let sql = format!("SELECT {RECORD} FROM records r WHERE r.erased IS NULL ORDER BY r.record");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut found = statement.query([])?;
    let mut selected = Vec::new();
    while let Some(row) = found.next()? {
        let stored = record(row)?;
        if conditions.iter().all(|condition| condition.holds(&stored.record)) {
            selected.push(stored);
        }
    }
    Ok(selected)
}

/// The row numbers of the records that a ruling names.
pub(super) fn records_of_ruling(connection: &Connection, id: RulingId) -> Result<Vec<i64>, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT record FROM ruling_records WHERE ruling = ?1 ORDER BY record")?;
    let found = statement.query_map([id.0], |row| row.get(0))?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// The undos and redos told in one number: whether the ruling still counts.
pub(super) fn counts(connection: &Connection, id: RulingId) -> Result<bool, StoreError> {
    let mut statement = connection.prepare_cached("SELECT ruling FROM rulings WHERE undoes = ?1")?;
    let undos: Vec<i64> = statement.query_map([id.0], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for undo in undos {
        if counts(connection, RulingId(undo))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A name from a column, of those that there are.
fn known<T>(named: impl Fn(&str) -> Option<T>, name: &str) -> rusqlite::Result<T> {
    named(name).ok_or_else(|| unreadable(format!("{name:?} is none that this program writes")))
}

/// A count from a column; there are no negative ones.
pub(super) fn whole(count: i64) -> u64 {
    u64::try_from(count).unwrap_or_default()
}

/// The instant of so many whole seconds since 1970.
pub(super) fn instant_of_second(seconds: i64) -> Instant {
    Instant::new(chrono::DateTime::from_timestamp(seconds, 0).unwrap_or_default())
}

/// JSON from a column.
pub(super) fn json(text: &str) -> rusqlite::Result<Value> {
    serde_json::from_str(text).map_err(|error| unreadable(error.to_string()))
}

/// A time from a column.
pub(super) fn parsed<T: std::str::FromStr>(text: &str) -> rusqlite::Result<T>
where
    T::Err: std::fmt::Display,
{
    text.parse().map_err(|error: T::Err| unreadable(error.to_string()))
}

/// A cell that holds what this program never writes.
pub(super) fn unreadable(cause: String) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, cause.into())
}
