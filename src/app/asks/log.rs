//! What the log screen asks.

use crate::app::list::{Around, Row, Window};
use crate::core::time::Instant;

/// A question about the event log.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// A window of the events, the newest first.
    Page { generation: u64, around: Around<Event> },
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
    Page { generation: u64, window: Window<Event> },
}

/// An event in a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub seq: i64,
    pub at: Instant,
    pub actor: String,
    pub kind: String,
}

impl Row for Event {
    type Id = i64;

    fn id(&self) -> i64 {
        self.seq
    }
}
