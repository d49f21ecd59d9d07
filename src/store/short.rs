//! Answers that settled nothing: which records say they answer a request, and why they are no re-observation.

use rusqlite::Connection;

use super::chain::Entry;
use super::error::StoreError;
use super::rows;
use super::session::{self, Session};
use super::slot;
use crate::core::answer::{FellShort, Shortfall};
use crate::core::record::Record;
use crate::core::ruling::{PairId, RequestId, RulingId};

/// Why, with what only the whole store knows: whether there is such a request at all, and what it is about.
pub(super) fn explained(
    connection: &Connection,
    request: RequestId,
    why: Shortfall,
) -> Result<Shortfall, StoreError> {
    if why != Shortfall::NotAsked {
        return Ok(why);
    }
    let asked = rows::ruling_numbered(connection, RulingId(request.0))?;
    let slot = asked.filter(|stored| stored.ruling.requests().is_some()).and_then(|stored| stored.slot);
    let Some(slot) = slot else { return Ok(Shortfall::NoRequest) };
    let name = session::name_of(connection, slot)?;
    Ok(Shortfall::Elsewhere { subject: name.subject, attribute: name.attribute })
}

/// What fell short of a request that is still open, in a slot: in the order of the records' ids.
pub(super) fn of_request(
    session: &Session<'_>,
    request: RequestId,
    home: i64,
) -> Result<Vec<FellShort>, StoreError> {
    let mut statement =
        session.connection.prepare_cached("SELECT record FROM records WHERE answers = ?1 ORDER BY id")?;
    let said: Vec<i64> = statement.query_map([request.0], |row| row.get(0))?.collect::<Result<_, _>>()?;
    if said.is_empty() {
        return Ok(Vec::new());
    }
    let loaded = slot::load(session, home)?;
    let settled = loaded.settle(&session.rules(&loaded.name));
    let mut short = Vec::new();
    for row in said {
        let record = rows::record_at(session.connection, row)?.record;
        if settled.answered.iter().any(|(_, at)| settled.records[*at].id == record.id) {
            continue;
        }
        let known = settled.fell_short.iter().find(|(_, at, _)| settled.records[*at].id == record.id);
        let why = match known {
            Some((_, _, why)) => why.clone(),
            None if record.attribute.is_none() => Shortfall::Unslotted,
            None => explained(session.connection, request, Shortfall::NotAsked)?,
        };
        short.push(FellShort { record: record.id, why });
    }
    Ok(short)
}

/// Tells the log of a record that came as an answer, and why it settled nothing.
pub(super) fn tell(
    session: &Session<'_>,
    record: &Record,
    request: RequestId,
    why: &Shortfall,
) -> Result<(), StoreError> {
    let body = serde_json::json!({
        "request": request.0, "record": record.id.as_str(), "because": why.to_string(),
    });
    let mut entry = Entry::new("unseen", body);
    if let Some(attribute) = &record.attribute {
        entry = entry.on(&record.subject, attribute);
    }
    entry.pair = waiting(session.connection, request)?;
    session.tell(&entry)
}

/// The pair that waits for an answer to the request.
fn waiting(connection: &Connection, request: RequestId) -> Result<Option<PairId>, StoreError> {
    let sql = "SELECT min(pair) FROM pairs WHERE state = 'awaiting' AND request = ?1";
    let pair: Option<i64> = connection.prepare_cached(sql)?.query_row([request.0], |row| row.get(0))?;
    Ok(pair.map(PairId))
}
