//! What a store answers about one subject: the memory that an agent is given back.

use super::policy::Cardinality;
use super::record::{Attribute, Record, Subject};
use super::ruling::PairId;
use super::slot::Status;

/// Everything that is held of one subject, under all of its names.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    pub subject: Subject,
    /// By attribute.
    pub slots: Vec<Held>,
    /// What is in no slot, and has not been read into one.
    pub sentences: Vec<Record>,
}

/// One slot of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    pub attribute: Attribute,
    pub status: Status,
    pub cardinality: Option<Cardinality>,
    /// Who speaks for each value that the slot answers.
    pub live: Vec<Spoken>,
    /// The records of its open pairs, one for each value.
    pub contenders: Vec<Record>,
    pub pairs: Vec<PairId>,
}

/// A record that speaks for a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Spoken {
    pub record: Record,
    /// It was read out of a sentence that says nothing besides: the sentence may stand for it.
    pub in_a_sentence: bool,
}

impl Held {
    /// Whether something is open in it: what it answers then, if anything, is not all.
    pub fn is_contested(&self) -> bool {
        match self.status {
            Status::Contested | Status::Awaiting => true,
            Status::Settled | Status::Unanchored | Status::Empty => false,
        }
    }

    /// Whether what the record says may be given as what holds: of one value, only where nothing is open; of a set, what
    /// no open pair is about.
    pub fn answers(&self, spoken: &Spoken) -> bool {
        match self.cardinality {
            Some(Cardinality::Many) => !self.contenders.iter().any(|record| record.value == spoken.record.value),
            Some(Cardinality::One) | None => !self.is_contested(),
        }
    }
}
