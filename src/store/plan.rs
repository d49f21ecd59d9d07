//! What an order comes to once the core permits it, and why it may come to nothing.

use super::error::StoreError;
use super::law::SlotName;
use super::rows::{self, Stored};
use super::session::{self, Session};
use crate::core::examine::Examination;
use crate::core::order::Refusal;
use crate::core::record::{Record, RecordId};
use crate::core::ruling::{Decision, PairId, Ruling, RulingId};

/// Why an order was not carried out. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Whoever waited for it did not want it any more.
    #[error("cancelled: nothing was written")]
    Cancelled,
}

impl From<rusqlite::Error> for OrderError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Store(error.into())
    }
}

/// What an order comes to, once the core permits it.
pub(super) struct Plan {
    pub(super) kind: &'static str,
    pub(super) decision: Decision,
    pub(super) pair: Option<PairId>,
    /// The slot that it is about, where it is about one.
    pub(super) slot: Option<i64>,
    pub(super) reason: Option<String>,
    /// The rows of the records that it names.
    pub(super) records: Vec<i64>,
    /// The record that it brings into the store.
    pub(super) enters: Option<Record>,
    /// What the core's checklist said when it was ruled.
    pub(super) examination: Option<Examination>,
}

/// The number that the next ruling will have. Stable within the transaction, which holds the write lock.
pub(super) fn next_ruling(session: &Session<'_>) -> Result<RulingId, StoreError> {
    let last: Option<i64> =
        session.connection.query_row("SELECT max(ruling) FROM rulings", [], |row| row.get(0))?;
    Ok(RulingId(last.unwrap_or(0) + 1))
}

/// A plan that names nothing besides its decision.
pub(super) fn bare(kind: &'static str, decision: Decision) -> Plan {
    Plan {
        kind,
        decision,
        pair: None,
        slot: None,
        reason: None,
        records: Vec::new(),
        enters: None,
        examination: None,
    }
}

/// A refusal in one sentence.
pub(super) fn because(why: impl Into<String>) -> OrderError {
    Refusal::Because(why.into()).into()
}

/// The ruling as it will be made.
pub(super) fn made(session: &Session<'_>, id: RulingId, pair: Option<PairId>, decision: Decision) -> Ruling {
    Ruling { id, at: session.by.now, actor: session.by.actor.to_owned(), reason: None, pair, decision }
}

/// A record that must be there.
pub(super) fn record(session: &Session<'_>, id: &RecordId) -> Result<Stored, OrderError> {
    Ok(rows::record_named(session.connection, id)?
        .ok_or_else(|| Refusal::Missing { what: "record", id: id.to_string() })?)
}

/// The slot in which a record is kept, where it has one.
pub(super) fn slot_of(session: &Session<'_>, record: &Record) -> Result<Option<i64>, StoreError> {
    let Some(attribute) = record.attribute.clone() else { return Ok(None) };
    let name = SlotName { subject: record.subject.clone(), attribute };
    Ok(session::find(session.connection, &name)?.map(|(slot, _)| slot))
}
