//! One pass over the records: each against its hash, its digest and its place. What is alone in its slot is settled on the
//! way, and the numbers of the batches are counted, so that a million rows are read once and not again for each question.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params};

use super::damage::{Seen, Tell, Verification};
use super::error::StoreError;
use super::holdings::Holdings;
use super::law::SlotName;
use super::parts::Parts;
use super::project::{state_row, state_rows, value_of};
use super::recount::{Batches, Member};
use super::session::Session;
use super::{erasing, projected, rows};
use crate::core::decay::supported_at;
use crate::core::record::Record;
use crate::core::settle::settle;
use crate::wire;

/// What is read beside [`rows::RECORD`] of what is true, and of what follows from it; and its places.
const TRUE: &str = "r.hash, r.content, r.erased, r.lag, unixepoch(r.written_at), s.subject, s.attribute";
const FOLLOWS: &str = "s.home, s.status, s.value, s.contenders, s.supported_at, t.state, t.superseded_by, t.claim,
     t.rank_in_claim";
const HASH: usize = 19;
const CONTENT: usize = 20;
const ERASED: usize = 21;
const LAG: usize = 22;
const WRITTEN: usize = 23;
const SUBJECT: usize = 24;
const ATTRIBUTE: usize = 25;
const HOME: usize = 26;
const STATUS: usize = 27;
const VALUE: usize = 28;
const CONTENDERS: usize = 29;
const SUPPORTED: usize = 30;
const STATE: usize = 31;

/// What follows from the records, where that is checked too.
#[derive(Clone, Copy)]
pub(super) struct Following<'a, 'c> {
    pub(super) session: &'a Session<'c>,
    pub(super) holdings: &'a Holdings,
}

/// Passes over the records after one number and up to another; says whether it was finished, or given up.
pub(super) fn records(
    connection: &Connection,
    (after, upto): (i64, i64),
    following: Option<Following<'_, '_>>,
    seen: &mut Seen,
    tell: Tell<'_>,
) -> Result<bool, StoreError> {
    let (beside, states) = match following {
        Some(_) => (format!("{TRUE}, {FOLLOWS}"), "LEFT JOIN record_states t ON t.record = r.record"),
        None => (TRUE.to_owned(), ""),
    };
    let sql = format!(
        "SELECT {}, {beside} FROM records r LEFT JOIN slots s ON s.slot = r.slot {states}
         WHERE r.record > ?1 AND r.record <= ?2 ORDER BY r.record",
        rows::RECORD
    );
    let mut statement = connection.prepare(&sql)?;
    let mut found = statement.query(params![after, upto])?;
    let mut parts = Parts::default();
    while let Some(row) = found.next()? {
        seen.found.records += 1;
        if !tell() {
            return Ok(false);
        }
        let record = true_record(connection, row, &mut parts, &mut seen.found)?;
        let Some(following) = following else { continue };
        count(row, &mut seen.batches);
        let slot: Option<i64> = row.get(rows::SLOT)?;
        if let Some(slot) = slot.filter(|slot| following.holdings.is_of_one(*slot)) {
            if !tell() {
                return Ok(false);
            }
            let damage = if record.is_some_and(|record| is_as_settled(following.session, row, &record)) {
                None
            } else {
                // Something is wrong: it is looked at as any other slot is, to say what.
                projected::damage(following.session, following.holdings, slot)?
            };
            seen.slot(slot, damage);
        }
    }
    Ok(true)
}

/// The record, where it can be read, held against all that its row says beside it.
fn true_record(
    connection: &Connection,
    row: &Row<'_>,
    parts: &mut Parts,
    found: &mut Verification,
) -> Result<Option<Record>, StoreError> {
    let record = match rows::record(row) {
        Ok(stored) => stored.record,
        Err(error) => {
            let number: i64 = row.get(0)?;
            found.lose(format!("record number {number}"), format!("it cannot be read: {error}"));
            return Ok(None);
        }
    };
    let blob = |place: usize| Ok::<_, StoreError>(row.get_ref(place)?.as_blob().map_err(rusqlite::Error::from)?);
    let erased: Option<i64> = row.get(ERASED)?;
    if erased.is_some() {
        // The hash in its row is that of what it said before; the event that erased it covers what is left.
        if !erasing::is_told(connection, erased.unwrap_or_default())? {
            found.lose(format!("record {}", record.id), "it is marked as erased, and no event tells of that");
        }
        placed(row, &record, found)?;
    } else if rows::columns_hash(row, parts)? != *blob(HASH)? {
        found.lose(format!("record {}", record.id), "its content is not what its hash covers");
    } else {
        placed(row, &record, found)?;
        // By what a second import knows it.
        let content = blob(CONTENT)?;
        if ![true, false].iter().any(|stated| wire::content::content(&record, *stated).as_slice() == content) {
            found.lose(format!("record {}", record.id), "its content is not what its digest says");
        }
    }
    Ok(Some(record))
}

/// What is not part of a record's hash: where it is settled.
fn placed(row: &Row<'_>, record: &Record, found: &mut Verification) -> Result<(), StoreError> {
    let (subject, attribute) = (row.get_ref(SUBJECT)?, row.get_ref(ATTRIBUTE)?);
    let belongs = match &record.attribute {
        Some(own) => is_text(subject, record.subject.as_str()) && is_text(attribute, own.as_str()),
        None => subject == ValueRef::Null && attribute == ValueRef::Null,
    };
    if !belongs {
        found.find(format!("record {}", record.id), "it is not kept in the slot of its subject and attribute");
    }
    Ok(())
}

fn is_text(value: ValueRef<'_>, text: &str) -> bool {
    matches!(value, ValueRef::Text(bytes) if bytes == text.as_bytes())
}

/// Adds a record to the numbers of its batch; where the row cannot be read, the numbers will not be those that are kept.
fn count(row: &Row<'_>, batches: &mut Batches) {
    let text = |place: usize| row.get_ref(place).ok().and_then(|value| value.as_str().ok());
    let number = |place: usize| row.get::<_, Option<i64>>(place).ok().flatten();
    if let (Some(batch), Some(record), Some(written_at), Some(recorded_at)) =
        (text(rows::BATCH), number(0), text(11), text(12))
    {
        let (unslotted, lag, written) = (number(rows::SLOT).is_none(), number(LAG), number(WRITTEN));
        let state = text(STATE);
        batches.take(batch, &Member { record, unslotted, written_at, recorded_at, written, lag, state });
    }
}

/// Whether all that is stored of a slot with this one record in it is what settling it yields.
fn is_as_settled(session: &Session<'_>, row: &Row<'_>, record: &Record) -> bool {
    let Some(attribute) = record.attribute.clone() else { return false };
    let name = SlotName { subject: record.subject.clone(), attribute };
    let rules = session.rules(&name);
    let slot = settle([record], &rules, &[]);
    let text = |place: usize| row.get_ref(place).ok().and_then(|value| value.as_str_or_null().ok());
    let number = |place: usize| row.get::<_, Option<i64>>(place).ok();
    let is = |place: usize, wanted: Option<&str>| text(place) == Some(wanted);
    let Some(Some(row_number)) = number(0) else { return false };
    number(rows::SLOT) == number(HOME)
        && is(SUBJECT, Some(name.subject.as_str()))
        && is(ATTRIBUTE, Some(name.attribute.as_str()))
        && slot.edges.is_empty()
        && slot.pairs.is_empty()
        && is(STATUS, Some(slot.status.name()))
        && is(VALUE, value_of(&slot, &rules).as_deref())
        && number(CONTENDERS) == Some(i64::try_from(slot.contenders).ok())
        && is(SUPPORTED, supported_at(&slot).map(|at| at.sortable()).as_deref())
        && state_rows(&slot, &[row_number]).into_values().next() == state_row(row, STATE).ok()
}
