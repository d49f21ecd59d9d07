//! Why the store did not do as asked.

use crate::core::order::Refusal;

/// Why the store did not do as asked. Nothing was written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store itself: busy, gone, damaged. One sentence for people.
    #[error("{0}")]
    Store(String),
    /// The one who waited for it did not want it any more.
    #[error("cancelled: nothing was written")]
    Cancelled,
}
