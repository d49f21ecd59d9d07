//! What became of a record when it landed: the word for it, and how it stands to what was there before.

use std::collections::{BTreeSet, HashMap};

use crate::core::answer::Shortfall;
use crate::core::pair::RecordState;
use crate::core::ruling::RequestId;
use crate::core::settle::{OpenPair, Slot};

/// What became of a record when it landed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Landing {
    /// Alone in its slot.
    Held,
    Agrees,
    Coexists,
    Supersedes,
    Superseded,
    Retracts,
    Quarantined,
    History,
    Duplicate,
    Unslotted,
}

impl Landing {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Agrees => "agrees",
            Self::Coexists => "coexists",
            Self::Supersedes => "supersedes",
            Self::Superseded => "superseded",
            Self::Retracts => "retracts",
            Self::Quarantined => "quarantined",
            Self::History => "history",
            Self::Duplicate => "duplicate",
            Self::Unslotted => "unslotted",
        }
    }
}

/// How a record landed, by rows.
pub(super) struct LandedRow {
    pub(super) row: i64,
    pub(super) outcome: Landing,
    /// The other record of the pair, or the one that it superseded or lost to.
    pub(super) with: Option<i64>,
    /// The records of the pair that it opened or joined.
    pub(super) pair: Option<(i64, i64)>,
    pub(super) answers: Option<(RequestId, Option<Shortfall>)>,
}

/// The first record of each claim, by its row; what is withdrawn is as if it were not there.
fn first_of_claims(slot: &Slot<'_>, rows: &[i64]) -> HashMap<usize, i64> {
    let mut first: HashMap<usize, i64> = HashMap::new();
    for (at, claim) in slot.claim.iter().enumerate() {
        if let Some(claim) = claim.filter(|_| slot.states[at] != RecordState::Withdrawn) {
            first.entry(claim).and_modify(|first| *first = rows[at].min(*first)).or_insert(rows[at]);
        }
    }
    first
}

/// The word for each new record of a settled slot: how it stands to what was there before it.
pub(super) fn landings(slot: &Slot<'_>, rows: &[i64], first_row: i64, many: bool) -> Vec<LandedRow> {
    if let ([row], [RecordState::Live]) = (rows, slot.states.as_slice()) {
        let held = LandedRow { row: *row, outcome: Landing::Held, with: None, pair: None, answers: None };
        return Some(held).filter(|_| *row >= first_row).into_iter().collect();
    }
    among_others(slot, rows, first_row, many)
}

fn among_others(slot: &Slot<'_>, rows: &[i64], first_row: i64, many: bool) -> Vec<LandedRow> {
    let withdrawn = |at: &usize| slot.states[*at] == RecordState::Withdrawn;
    let first_of_slot = (0..rows.len()).filter(|at| !withdrawn(at)).map(|at| rows[at]).min();
    let first_of_claim = first_of_claims(slot, rows);
    let speaking: BTreeSet<i64> = slot
        .foremost
        .iter()
        .flat_map(|live| std::iter::once(live.speaker).chain(live.supporters.iter().copied()))
        .map(|at| rows[at])
        .collect();
    let mut opposed: HashMap<usize, Vec<&OpenPair>> = HashMap::new();
    for pair in &slot.pairs {
        for at in [pair.left, pair.right] {
            opposed.entry(slot.claim[at].unwrap_or(usize::MAX - at)).or_default().push(pair);
        }
    }
    // Of several pairs, the one with what was there before.
    let quarantined = |at: usize| {
        let claim = |at: usize| slot.claim[at].unwrap_or(usize::MAX - at);
        let other = |pair: &OpenPair| if claim(pair.left) == claim(at) { pair.right } else { pair.left };
        let pairs = opposed.get(&claim(at))?;
        let earlier = pairs.iter().find(|pair| rows[other(pair)] < rows[at]);
        earlier.or(pairs.first()).map(|pair| (other(pair), (rows[pair.left], rows[pair.right])))
    };
    let beaten: HashMap<usize, usize> =
        slot.superseded_by.iter().enumerate().filter_map(|(at, by)| Some(((*by)?, at))).collect();
    let beats = |at: usize| beaten.get(&at).copied();
    let beaten_by = |at: usize| slot.superseded_by[at];
    let outcome = |at: usize| -> (Landing, Option<usize>) {
        let row = rows[at];
        let earlier_in_claim =
            slot.claim[at].and_then(|claim| first_of_claim.get(&claim)).is_some_and(|first| *first < row);
        let agrees = earlier_in_claim
            || (!many && speaking.contains(&row) && speaking.iter().next().is_some_and(|first| *first < row));
        if slot.states[at] == RecordState::History {
            return (Landing::History, None);
        }
        if first_of_slot == Some(row) {
            return (Landing::Held, None);
        }
        // It contends and speaks for nothing: it says what stands already, without the provenance to support it.
        let unproven = !many
            && slot.states[at] == RecordState::Live
            && !slot.records[at].is_retraction()
            && !speaking.contains(&row);
        if agrees || unproven {
            return (Landing::Agrees, None);
        }
        match slot.states[at] {
            RecordState::Contested => (Landing::Quarantined, quarantined(at).map(|(other, _)| other)),
            RecordState::Superseded | RecordState::Retracted if beaten_by(at).is_some_and(|by| rows[by] < row) => {
                (Landing::Superseded, beaten_by(at))
            }
            RecordState::Live if slot.records[at].is_retraction() => (Landing::Retracts, beats(at)),
            RecordState::Live | RecordState::Superseded | RecordState::Retracted if many => {
                (Landing::Coexists, None)
            }
            RecordState::Live
            | RecordState::Superseded
            | RecordState::Retracted
            | RecordState::History
            | RecordState::Withdrawn => (Landing::Supersedes, beats(at)),
        }
    };
    (0..rows.len())
        .filter(|at| rows[*at] >= first_row)
        .map(|at| {
            let (outcome, with) = outcome(at);
            let pair = quarantined(at).filter(|_| outcome == Landing::Quarantined).map(|(_, pair)| pair);
            LandedRow { row: rows[at], outcome, with: with.map(|with| rows[with]), pair, answers: None }
        })
        .collect()
}

/// What each record, by its row, says it answers; and why that settles nothing, where it does not.
pub(super) type Answers = HashMap<i64, (RequestId, Option<Shortfall>)>;

pub(super) fn answers_of(slot: &Slot<'_>, rows: &[i64]) -> Answers {
    let settled = slot.answered.iter().map(|(request, at)| (rows[*at], (*request, None)));
    let short = slot.fell_short.iter().map(|(request, at, why)| (rows[*at], (*request, Some(why.clone()))));
    settled.chain(short).collect()
}
