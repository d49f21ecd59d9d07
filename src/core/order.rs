//! What a person, or a script, orders the store to do: the input of every ruling.
//!
//! Both faces build an [`Order`]; the store checks it with [`super::permit`] against fresh rows and writes the ruling
//! in the same transaction.

use serde_json::Value;

use super::consequence::Consequence;
use super::examine::Side;
use super::notice::Notice;
use super::policy::Declaration;
use super::record::{Attribute, Batch, Epoch, Kind, RecordId, SourceClass, Subject};
use super::ruling::{AliasVerdict, PairId, RulingId, WithdrawReason};
use super::select::Condition;
use super::time::{Instant, When};

/// An order: what is to be ruled.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    Accept {
        pair: PairId,
        winner: RecordId,
        recency_override: bool,
        reason: String,
    },
    LinkSame {
        pair: PairId,
        reason: String,
    },
    LinkBothTrue {
        pair: PairId,
        scope: Scope,
        reason: String,
    },
    LinkAcrossEpochs {
        pair: PairId,
        cause: Option<String>,
        reason: String,
    },
    /// One subject, or two.
    LinkSubjects {
        pair: PairId,
        one: bool,
        reason: String,
    },
    /// Leave a request for the agent.
    Request {
        pair: PairId,
    },
    /// Enter what was seen.
    Reobserve {
        pair: PairId,
        seen: Seen,
    },
    /// Enter what was seen of a slot in which nothing is contested: its fact has grown old.
    Refresh {
        subject: Subject,
        attribute: Attribute,
        seen: Seen,
    },
    Rederive {
        record: RecordId,
        supplied: Supplied,
    },
    /// What is missing is supplied to all of these, as one stroke: what a record has stays as it is.
    RederiveAll {
        of: Lacking,
        supplied: Supplied,
    },
    Withdraw {
        what: Withdrawn,
        why: WithdrawReason,
        note: Option<String>,
    },
    /// What the records of a subject said is replaced by hashes, under all of its confirmed names.
    Erase {
        subject: Subject,
        reason: String,
    },
    Dispute {
        records: (RecordId, RecordId),
        reason: String,
    },
    Declare {
        declaration: Declaration,
    },
    Alias {
        names: (Subject, Subject),
        verdict: AliasVerdict,
    },
    /// Open an epoch, or name its cause.
    Epoch {
        notice: Notice,
    },
    Defer {
        pair: PairId,
        until: Instant,
    },
    Note {
        pair: PairId,
        text: String,
    },
    /// The ruling named, or the last of this actor that counts.
    Undo {
        ruling: Option<RulingId>,
    },
    /// Undo this actor's last undo.
    Redo,
}

/// Where a declaration of *many* holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Slot,
    Attribute,
}

/// What was seen when the world was looked at again.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub value: Value,
    pub epoch: Epoch,
    pub source: Kind,
    /// The class, where it is not the one that the policy gives the kind.
    pub class: Option<SourceClass>,
    pub evidence: String,
    /// Absent: now.
    pub observed_at: Option<When>,
    /// The program that looked; absent where a person did.
    pub observer: Option<String>,
}

/// What the world is looked at again for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// A contradiction.
    Pair(PairId),
    /// A slot in which nothing is contested: its fact has grown old.
    Slot(Subject, Attribute),
}

impl Target {
    /// The order that enters what was seen.
    pub fn entering(&self, seen: Seen) -> Order {
        match self {
            Self::Pair(pair) => Order::Reobserve { pair: *pair, seen },
            Self::Slot(subject, attribute) => {
                Order::Refresh { subject: subject.clone(), attribute: attribute.clone(), seen }
            }
        }
    }

    /// The pair, where it is one.
    pub const fn pair(&self) -> Option<PairId> {
        if let Self::Pair(pair) = self { Some(*pair) } else { None }
    }
}

/// Missing provenance, with the proof of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Supplied {
    pub source: Option<Kind>,
    pub observed_at: Option<When>,
    pub epoch: Option<Epoch>,
    pub evidence: String,
}

/// Whose missing provenance is supplied.
#[derive(Clone, Debug, PartialEq)]
pub enum Lacking {
    /// Every record of a batch that lacks some.
    Batch(Batch),
    /// Every record of a source kind that does.
    Kind(Kind),
}

/// What leaves contention.
#[derive(Clone, Debug, PartialEq)]
pub enum Withdrawn {
    Record(RecordId),
    Batch(Batch),
    /// Every record of which all of it holds.
    Where(Vec<Condition>),
}

impl Order {
    /// Whether it makes sense where there is nothing yet: a declaration, a word on two names or on an epoch.
    pub const fn founds(&self) -> bool {
        matches!(self, Self::Declare { .. } | Self::Alias { .. } | Self::Epoch { .. })
    }

    /// The pair it rules on, where it names one.
    pub const fn pair(&self) -> Option<PairId> {
        match self {
            Self::Accept { pair, .. }
            | Self::LinkSame { pair, .. }
            | Self::LinkBothTrue { pair, .. }
            | Self::LinkAcrossEpochs { pair, .. }
            | Self::LinkSubjects { pair, .. }
            | Self::Request { pair }
            | Self::Reobserve { pair, .. }
            | Self::Defer { pair, .. }
            | Self::Note { pair, .. } => Some(*pair),
            Self::Refresh { .. }
            | Self::Rederive { .. }
            | Self::RederiveAll { .. }
            | Self::Withdraw { .. }
            | Self::Erase { .. }
            | Self::Dispute { .. }
            | Self::Declare { .. }
            | Self::Alias { .. }
            | Self::Epoch { .. }
            | Self::Undo { .. }
            | Self::Redo => None,
        }
    }
}

/// What a ruling did, as both faces report it.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub ruling: RulingId,
    /// The kind of the ruling, as the log names it.
    pub action: String,
    pub pair: Option<PairId>,
    pub pair_state: Option<super::pair::PairState>,
    /// The one slot it concerned, where there is one.
    pub slot: Option<SlotAnswer>,
    pub opened: Vec<PairId>,
    pub closed: Vec<PairId>,
    /// How many records it concerned (a withdrawal), and how many slots were settled again.
    pub records: u64,
    pub slots: u64,
    /// Slots that answered a value before, and answer another one now; and those that now answer none.
    pub values_changed: u64,
    pub values_gone: u64,
    /// How many rulings that count rest on the records that a withdrawal names.
    pub resting: u64,
    /// What an undo undid.
    pub undid: Option<Undid>,
    /// How many rulings it took: of a stroke several, of which `ruling` is the last.
    pub rulings: u64,
    pub consequence: Consequence,
}

/// What an undo undid, and what it was about in the end: an undo of an undo brings a ruling back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undid {
    pub ruling: RulingId,
    pub at_last: RulingId,
    /// The kind of that last one, as the log names it.
    pub action: String,
}

impl Outcome {
    /// Every ruling that it took, in their order.
    pub fn all(&self) -> impl Iterator<Item = RulingId> + use<> {
        let last = self.ruling.0;
        let first = last.saturating_sub_unsigned(self.rulings.saturating_sub(1));
        (first..=last).map(RulingId)
    }
}

/// A slot's answer in brief.
#[derive(Clone, Debug, PartialEq)]
pub struct SlotAnswer {
    pub subject: Subject,
    pub attribute: Attribute,
    pub status: super::settle::Status,
    pub value: Option<Value>,
}

/// Why an order was not carried out; nothing was written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    #[error("{action} is refused: {because}")]
    NotPermitted { action: &'static str, because: String, permitted: Vec<String> },
    #[error("accepting {record} needs a recency override: {because} (--override recency, with a reason)")]
    NeedsOverride { record: RecordId, because: String, permitted: Vec<String> },
    #[error("pair {pair} changed while you looked at it: {what}")]
    Stale { pair: PairId, what: String },
    /// Another ruling of the same stroke has closed it.
    #[error("pair {pair} closes with ruling {with}, made in the same stroke")]
    Along { pair: PairId, with: RulingId },
    #[error("{0}")]
    Because(String),
    #[error("there is no {what} {id}")]
    Missing { what: &'static str, id: String },
    #[error("ruling {ruling} cannot be undone: {later} stands on it; undo that first")]
    StandsOn { ruling: RulingId, later: RulingId },
}

/// One side of a pair, by the record that is accepted.
pub fn side_of(record: &RecordId, left: &RecordId, right: &RecordId) -> Option<Side> {
    if record == left {
        Some(Side::Left)
    } else if record == right {
        Some(Side::Right)
    } else {
        None
    }
}
