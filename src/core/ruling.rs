//! Rulings: immutable decisions on records, pairs, batches, subjects and policy.

use std::collections::BTreeSet;

use super::notice::Notice;
pub use super::number::{PairId, RequestId, RulingId};
use super::policy::Declaration;
use super::record::{Epoch, RecordId, Subject};
use super::time::Instant;

/// A decision, with who made it, when and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruling {
    pub id: RulingId,
    pub at: Instant,
    pub actor: String,
    pub reason: Option<String>,
    pub pair: Option<PairId>,
    pub decision: Decision,
}

/// Two records that a decision is about, in no order that means anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Between(pub RecordId, pub RecordId);

/// What was decided. Each names records, never positions, so that it reads the same in any projection.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// The winner's claim stands above the loser's.
    Accept { winner: RecordId, loser: RecordId, recency_override: bool },
    /// The two values are one value in this slot, for good.
    Same(Between),
    /// Both records are kept with their epochs; the change between these is named, and a re-observation requested.
    AcrossEpochs { between: Between, from: Epoch, to: Epoch, cause: Option<String> },
    /// The world is to be looked at again.
    Request(Between),
    /// The world was looked at again: this record is the answer to that request.
    Reobserve { between: Between, request: RequestId, record: RecordId },
    /// A new record supplies the provenance that an old one lacked.
    Rederive { record: RecordId, from: RecordId },
    /// The records leave contention; they are kept.
    Withdraw { records: BTreeSet<RecordId>, why: WithdrawReason },
    /// On demand, what the records of a subject said was erased: hashes stand in its place, and they decide nothing.
    Erase { subject: Subject, records: BTreeSet<RecordId> },
    /// What the core settled between the two is contested.
    Dispute(Between),
    /// A policy is declared.
    Declare(Declaration),
    /// Two names: proposed, confirmed or denied to be one subject.
    Alias { names: (Subject, Subject), verdict: AliasVerdict },
    /// An epoch is opened, or its cause is named.
    Epoch(Notice),
    /// Out of the way until then.
    Defer { until: Instant },
    /// Words about the pair; they decide nothing.
    Note(String),
    /// A compensating ruling: that one no longer counts.
    Undo(RulingId),
}

/// Why records are withdrawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithdrawReason {
    Misspoke,
    Quoted,
    Test,
    OtherSpeaker,
    Misread,
    BadBatch,
}

/// What is said of two names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AliasVerdict {
    Proposed,
    Confirmed,
    Denied,
}

impl Ruling {
    /// The two records whose re-observation it asks for: a request, or what was entered by hand (which asks and answers).
    pub const fn requests(&self) -> Option<&Between> {
        if let Decision::Reobserve { between, .. } = &self.decision { Some(between) } else { self.leaves_request() }
    }

    /// The two records whose re-observation is requested and left for someone to answer.
    pub const fn leaves_request(&self) -> Option<&Between> {
        if let Decision::Request(between) | Decision::AcrossEpochs { between, .. } = &self.decision {
            Some(between)
        } else {
            None
        }
    }

    /// The record that it brought into the store.
    pub const fn enters(&self) -> Option<&RecordId> {
        if let Decision::Reobserve { record, .. } | Decision::Rederive { record, .. } = &self.decision {
            Some(record)
        } else {
            None
        }
    }

    /// Whether an answer can rest on it: it is more than words, a deferral or an undo.
    pub const fn decides(&self) -> bool {
        match self.decision {
            Decision::Accept { .. }
            | Decision::Same(_)
            | Decision::AcrossEpochs { .. }
            | Decision::Reobserve { .. }
            | Decision::Rederive { .. }
            | Decision::Withdraw { .. }
            | Decision::Erase { .. }
            | Decision::Dispute(_)
            | Decision::Declare(_)
            | Decision::Alias { .. }
            | Decision::Epoch(_) => true,
            Decision::Request(_) | Decision::Defer { .. } | Decision::Note(_) | Decision::Undo(_) => false,
        }
    }

    /// The two records between which it decides.
    pub fn decides_between(&self) -> Option<Between> {
        if let Decision::Accept { winner, loser, .. } = &self.decision {
            return Some(Between(winner.clone(), loser.clone()));
        }
        if let Decision::Same(between) = &self.decision { Some(between.clone()) } else { None }
    }
}

/// The rulings that count: those that no counting ruling undoes (an undo may itself be undone).
pub fn effective(rulings: &[Ruling]) -> Vec<&Ruling> {
    let mut ordered: Vec<&Ruling> = rulings.iter().collect();
    ordered.sort_by_key(|ruling| ruling.id);
    // An undo names an earlier ruling, so walking backwards meets each undo before what it undoes.
    let mut undone: BTreeSet<RulingId> = BTreeSet::new();
    for ruling in ordered.iter().rev() {
        if let Decision::Undo(target) = ruling.decision
            && !undone.contains(&ruling.id)
        {
            undone.insert(target);
        }
    }
    ordered.retain(|ruling| !undone.contains(&ruling.id));
    ordered
}

impl WithdrawReason {
    pub const ALL: [Self; 6] =
        [Self::Misspoke, Self::Quoted, Self::Test, Self::OtherSpeaker, Self::Misread, Self::BadBatch];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Misspoke => "misspoke",
            Self::Quoted => "quoted",
            Self::Test => "test",
            Self::OtherSpeaker => "other_speaker",
            Self::Misread => "misread",
            Self::BadBatch => "bad_batch",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

impl AliasVerdict {
    pub const ALL: [Self; 3] = [Self::Proposed, Self::Confirmed, Self::Denied];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Proposed => "proposed",
            Self::Confirmed => "confirmed",
            Self::Denied => "denied",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.name() == name)
    }
}
