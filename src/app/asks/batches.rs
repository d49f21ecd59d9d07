//! What the batches screen asks.

use crate::app::list::{Around, Row, Window};
use crate::core::batch::{Listing, Member, Picture, Summary};
use crate::core::pair::{Entry, JudgedRecord};
use crate::core::record::{Batch, RecordId};
use crate::core::ruling::PairId;

/// A question about batches.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// A window of a list of batches.
    Page { generation: u64, listing: Listing, around: Around<Summary> },
    /// One batch in a line.
    Summary(Batch),
    /// A window of its records, the greatest lag first.
    Records { generation: u64, batch: Batch, around: Around<Member> },
    /// What it did, counted over all of its records.
    Picture(Box<Summary>),
    /// One record whole.
    Whole(RecordId),
    /// A pair as one line of the queue, to go there.
    Pair(PairId),
}

/// What comes back.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Page {
        generation: u64,
        window: Window<Summary>,
    },
    /// None where no record names it.
    Summary {
        batch: Batch,
        found: Option<Box<Summary>>,
    },
    Records {
        generation: u64,
        batch: Batch,
        window: Window<Member>,
    },
    Picture {
        batch: Batch,
        picture: Box<Picture>,
    },
    Whole(Option<Box<JudgedRecord>>),
    Pair(Option<Box<Entry>>),
}

impl Question {
    /// Whether it may take long: it is then answered beside the quick ones, shows how far it is, and can be cancelled.
    pub const fn is_long(&self) -> bool {
        match self {
            Self::Picture(_) => true,
            Self::Page { .. } | Self::Summary(_) | Self::Records { .. } | Self::Whole(_) | Self::Pair(_) => false,
        }
    }
}

impl Row for Summary {
    type Id = Batch;

    fn id(&self) -> Batch {
        self.batch.clone()
    }
}

impl Row for Member {
    type Id = i64;

    fn id(&self) -> i64 {
        self.row
    }
}
