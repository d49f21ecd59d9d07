//! A record that is alone in a slot made for it: most are. What follows from it is written as it comes in, from what is at
//! hand; only where another joins it is the slot read back and settled with all of them.

use rusqlite::params;

use super::error::StoreError;
use super::project::{state_rows, value_of};
use super::rows;
use super::session::{Session, SlotName};
use crate::core::decay::supported_at;
use crate::core::record::Record;
use crate::core::settle::settle;
use crate::wire::content::Content;

/// Whether a record that opens the slot of this name can be settled by itself: no other name shares the slot, and it
/// answers nobody.
pub(super) fn can_stand(session: &Session<'_>, record: &Record) -> bool {
    session.identity.aliases().next().is_none() && record.answers.is_none() && record.derived_from.is_none()
}

/// Makes the slot with the record in it, settled.
pub(super) fn enter(
    session: &Session<'_>,
    name: &SlotName,
    record: &Record,
    event: i64,
    content: &Content,
) -> Result<(), StoreError> {
    let rules = session.rules(name);
    let slot = settle([record], &rules, &[]);
    session
        .connection
        .prepare_cached(
            "INSERT INTO slots (slot, subject, attribute, home, status, value, contenders, supported_at, revision)
             SELECT next, ?1, ?2, next, ?3, ?4, ?5, ?6, 1 FROM (SELECT coalesce(max(slot), 0) + 1 AS next FROM slots)",
        )?
        .execute(params![
            name.subject.as_str(),
            name.attribute.as_str(),
            slot.status.name(),
            value_of(&slot, &rules),
            i64::try_from(slot.contenders).unwrap_or(i64::MAX),
            supported_at(&slot).map(|at| at.sortable()),
        ])?;
    let number = session.connection.last_insert_rowid();
    let (row, _) = rows::insert_record(session.connection, record, Some(number), event, content)?;
    let mut write = session.connection.prepare_cached(
        "INSERT INTO record_states (record, state, superseded_by, claim, rank_in_claim) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for (row, state) in state_rows(&slot, &[row]) {
        write.execute(params![row, state.state, state.superseded_by, state.claim, state.rank_in_claim])?;
    }
    Ok(())
}
