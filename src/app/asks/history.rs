//! What the history screen asks.

use crate::core::pair::JudgedRecord;
use crate::core::record::{Attribute, Subject};

/// A question about one slot.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// Its records, edges, epochs and rulings.
    Slot(Subject, Attribute),
}

impl Question {
    /// Whether it may take long: it is then answered beside the quick ones, shows how far it is, and can be cancelled.
    pub const fn is_long(&self) -> bool {
        match self {
            Self::Slot(..) => false,
        }
    }
}

/// What comes back.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Slot(Box<Slot>),
}

/// A slot whole: its records by when they were observed.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    pub subject: Subject,
    pub attribute: Attribute,
    pub records: Vec<JudgedRecord>,
}
