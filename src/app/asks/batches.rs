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
}

impl Row for Summary {
    type Id = Batch;

    fn id(&self) -> Batch {
        self.batch.clone()
    }
}
