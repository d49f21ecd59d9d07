//! How each source kind fared on each attribute: counted as rulings are made and undone, so that looking at a pair
//! reads a row and not the history of rulings.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension, params};

use super::error::StoreError;
use super::rows;
use crate::core::pair::Tally;
use crate::core::record::{Attribute, Kind, RecordId};
use crate::core::ruling::{Decision, RulingId};

/// Won and lost by attribute and kind.
pub(super) type Tallies = BTreeMap<(String, String), (i64, i64)>;

/// One kind on one attribute.
pub(super) fn of(connection: &Connection, attribute: &Attribute, kind: Option<&Kind>) -> Result<Tally, StoreError> {
    let Some(kind) = kind else { return Ok(Tally::default()) };
    let mut statement =
        connection.prepare_cached("SELECT won, lost FROM tallies WHERE attribute = ?1 AND kind = ?2")?;
    let found: Option<(i64, i64)> = statement
        .query_row(params![attribute.as_str(), kind.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let whole = |count: i64| u64::try_from(count).unwrap_or_default();
    Ok(found.map_or_else(Tally::default, |(won, lost)| Tally { won: whole(won), lost: whole(lost) }))
}

/// A ruling now counts, or counts no more: an accept is a win for one kind and a loss for the other.
pub(super) fn tell(connection: &Connection, id: RulingId, decision: &Decision) -> Result<(), StoreError> {
    let by = if rows::counts(connection, id)? { 1 } else { -1 };
    let mut add = connection.prepare_cached(
        "INSERT INTO tallies (attribute, kind, won, lost) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO UPDATE SET won = won + ?3, lost = lost + ?4",
    )?;
    for (record, won, lost) in parties(decision, by) {
        if let Some((attribute, kind)) = names(connection, record)? {
            add.execute(params![attribute, kind, won, lost])?;
        }
    }
    Ok(())
}

fn parties(decision: &Decision, by: i64) -> Vec<(&RecordId, i64, i64)> {
    if let Decision::Accept { winner, loser, .. } = decision {
        vec![(winner, by, 0), (loser, 0, by)]
    } else {
        Vec::new()
    }
}

/// Under which attribute and kind a record is counted; none where it has no kind.
fn names(connection: &Connection, id: &RecordId) -> Result<Option<(String, String)>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT attribute, kind FROM records WHERE id = ?1")?;
    let found: Option<(Option<String>, Option<String>)> =
        statement.query_row([id.as_str()], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    Ok(found.and_then(|(attribute, kind)| attribute.zip(kind)))
}

/// What is stored.
pub(super) fn stored(connection: &Connection) -> Result<Tallies, StoreError> {
    let mut statement =
        connection.prepare("SELECT attribute, kind, won, lost FROM tallies WHERE won <> 0 OR lost <> 0")?;
    let found = statement.query_map([], |row| Ok(((row.get(0)?, row.get(1)?), (row.get(2)?, row.get(3)?))))?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// What must be stored: counted anew from the rulings that count.
pub(super) fn counted(connection: &Connection) -> Result<Tallies, StoreError> {
    let mut tallies = Tallies::new();
    for stored in rows::rulings_of_kind(connection, &["accept", "override"])? {
        if !rows::counts(connection, stored.ruling.id)? {
            continue;
        }
        for (record, won, lost) in parties(&stored.ruling.decision, 1) {
            let Some(names) = names(connection, record)? else { continue };
            let tally = tallies.entry(names).or_default();
            *tally = (tally.0 + won, tally.1 + lost);
        }
    }
    Ok(tallies)
}
