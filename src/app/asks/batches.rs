//! What the batches screen asks.

use crate::app::list::{Around, Row, Window};
use crate::core::record::Batch;

/// A question about batches.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// A window of the list, the batch last recorded first.
    Page { generation: u64, around: Around<Summary> },
}

impl Question {
    /// Whether it may take long: it is then answered beside the quick ones, shows how far it is, and can be cancelled.
    pub const fn is_long(&self) -> bool {
        match self {
            Self::Page { .. } => false,
        }
    }
}

/// What comes back.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Page { generation: u64, window: Window<Summary> },
}

/// A batch in a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    pub batch: Batch,
    pub records: u64,
    pub contested: u64,
    pub withdrawn: u64,
    /// Open pairs with a record of it.
    pub pairs: u64,
    /// The median time from observed to written, in seconds; none where no record says when it was observed.
    pub lag: Option<i64>,
    /// Rulings that its records won, and lost.
    pub won: u64,
    pub lost: u64,
}

impl Summary {
    /// A batch of which only the name is known: it stands for its row in a question.
    pub fn named(batch: Batch) -> Self {
        Self { batch, records: 0, contested: 0, withdrawn: 0, pairs: 0, lag: None, won: 0, lost: 0 }
    }
}

impl Row for Summary {
    type Id = Batch;

    fn id(&self) -> Batch {
        self.batch.clone()
    }
}
