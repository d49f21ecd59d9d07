//! What an order comes to once the core permits it, and why it may come to nothing.

use super::error::StoreError;
use super::session::Session;
use crate::core::examine::Examination;
use crate::core::order::Refusal;
use crate::core::record::Record;
use crate::core::ruling::{Decision, PairId, RulingId};

/// Why an order was not carried out. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Store(#[from] StoreError),
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
