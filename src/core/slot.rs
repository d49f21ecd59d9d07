//! One slot, settled: what [`super::settle`] yields and everything else reads.

use super::answer::Shortfall;
use super::examine::{Basis, Ground};
use super::pair::RecordState;
use super::record::{Epoch, Record};
use super::ruling::RequestId;

/// What a slot answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    Settled,
    Contested,
    /// Contested, and each open pair has its re-observation requested.
    Awaiting,
    /// One claim, not proven: nothing anchored says it.
    Unanchored,
    Empty,
}

/// One slot, settled. Records are named by their place in `records`, which is in writing order.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot<'a> {
    pub records: Vec<&'a Record>,
    pub status: Status,
    /// What it answers: the values that live, each with the records that say it.
    pub live: Vec<Live>,
    /// What stands foremost, whether or not an open pair keeps it from answering.
    pub foremost: Vec<Live>,
    pub states: Vec<RecordState>,
    /// Of each superseded or retracted record: whose claim beat it.
    pub superseded_by: Vec<Option<usize>>,
    /// The claim of each record that has one; records of one claim share the number.
    pub claim: Vec<Option<usize>>,
    pub pairs: Vec<OpenPair>,
    pub edges: Vec<Edge>,
    /// How many claims contend: stand, with nothing above them.
    pub contenders: usize,
    /// The re-observations that qualified, with the request each answers.
    pub answered: Vec<(RequestId, usize)>,
    /// Records that say they answer a request, and settle nothing by that: with the reason.
    pub fell_short: Vec<(RequestId, usize, Shortfall)>,
}

/// A value that lives: who speaks it, and who supports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Live {
    pub speaker: usize,
    pub supporters: Vec<usize>,
}

/// A contradiction that the core may not settle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenPair {
    /// The two records that speak for their claims, the earlier written first.
    pub left: usize,
    pub right: usize,
    pub grounds: Vec<Ground>,
    /// The open request for a re-observation, where one is made.
    pub requested: Option<RequestId>,
}

/// A link between two records; `from` is the newer or winning side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub kind: EdgeKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    Supersedes(Basis),
    EpochChange { from: Epoch, to: Epoch },
    Reobserved,
    DerivedFrom,
    Same,
}

impl Status {
    pub const ALL: [Self; 5] = [Self::Settled, Self::Contested, Self::Awaiting, Self::Unanchored, Self::Empty];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Settled => "settled",
            Self::Contested => "contested",
            Self::Awaiting => "awaiting",
            Self::Unanchored => "unanchored",
            Self::Empty => "empty",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

impl EdgeKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Supersedes(_) => "supersedes",
            Self::EpochChange { .. } => "epoch_change",
            Self::Reobserved => "reobserved",
            Self::DerivedFrom => "derived_from",
            Self::Same => "same",
        }
    }
}
