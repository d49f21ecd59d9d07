//! What a list of pairs is: which of them, in which order, from where.

use crate::core::examine::Ground;
use crate::core::facet::Facet;
use crate::core::pair::{Entry, PairState};
use crate::core::record::{Attribute, Batch, Subject};

/// Which pairs are listed; an empty part filters nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueueFilter {
    /// Pairs in any of these states; of none named, in whatever state.
    pub states: Vec<PairState>,
    /// A pair has every ground for which it is held.
    pub grounds: Facet<Ground>,
    pub attributes: Facet<Attribute>,
    /// Whom the slot, or either record, is about.
    pub subjects: Facet<Subject>,
    /// The batch of either record.
    pub batches: Facet<Batch>,
    /// Found in subject, attribute, values, evidence or the records' ids, without regard to (ASCII) case.
    pub text: Option<String>,
}

/// The order of the list. The pair's number decides ties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueOrder {
    #[default]
    Oldest,
    Newest,
    /// By attribute, then subject.
    Slot,
    /// The undeclared attributes first, by how many pairs wait for their declaration; then as [`QueueOrder::Slot`].
    Impact,
}

/// Where a window begins: with the rows after a pair, or those before it (nearest first).
#[derive(Clone, Debug, PartialEq)]
pub enum Window {
    Start,
    End,
    After(Entry),
    /// With the entry itself, where it is still in the list.
    From(Entry),
    Before(Entry),
}

impl QueueFilter {
    /// Whether the counts that are kept tell how many pairs it shows.
    pub fn is_counted(&self) -> bool {
        self.subjects.is_empty() && self.batches.is_empty() && self.text.is_none()
    }
}
