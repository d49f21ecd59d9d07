//! The epochs of a lane, walked in order: what stands in each, held against what stood before it.

use super::contender::{Standing, Took};
use super::facts::Facts;
use super::record::Epoch;
use super::slot::{Edge, EdgeKind};

/// What stands for an epoch when it is held against its neighbours.
#[derive(Clone)]
pub(super) enum Stand {
    /// A claim: its value's class and the record that speaks for it.
    Claim { class: usize, best: usize },
    /// Nothing but the word that some values do not hold.
    TakenBack(Denials),
}

/// What is said not to hold.
#[derive(Clone)]
pub(super) struct Denials {
    /// The class of each value with the record that denies it.
    pub(super) said: Vec<(usize, usize)>,
    /// The record that took back, or contests, what stood: nothing older holds again.
    pub(super) emptied_by: Option<usize>,
}

/// An epoch, ranked.
pub(super) struct Ranked {
    pub(super) epoch: Epoch,
    pub(super) standing: Standing,
}

fn stand_of(facts: &Facts<'_, '_>, standing: &Standing) -> Option<Stand> {
    if let Some(stretch) = standing.claims().first() {
        return Some(Stand::Claim { class: stretch.class, best: stretch.best });
    }
    let emptied_by = standing.emptied_by;
    let mut said: Vec<(usize, usize)> = standing
        .retractions
        .iter()
        .filter(|(_, took)| *took == Took::Stands)
        // What it takes back, as it says it: a coarse word denies more than the one value it met here.
        .map(|(it, _)| (facts.classes.of(it.record), it.record))
        .collect();
    said.sort_by_key(|(_, record)| *record);
    (!said.is_empty()).then_some(Stand::TakenBack(Denials { said, emptied_by }))
}

impl Denials {
    /// The record that denies a value which stood before: by naming it, or by leaving nothing of what came after it.
    pub(super) fn of_earlier(&self, facts: &Facts<'_, '_>, class: usize) -> Option<usize> {
        self.of_later(facts, class).or(self.emptied_by)
    }

    /// The record that denies a value which comes after: only by naming it.
    pub(super) fn of_later(&self, facts: &Facts<'_, '_>, class: usize) -> Option<usize> {
        self.said.iter().find(|(denied, _)| facts.classes.agree(*denied, class)).map(|(_, record)| *record)
    }
}

/// Whether two neighbouring epochs contradict each other: the records that do.
fn contradiction(facts: &Facts<'_, '_>, earlier: &Stand, later: &Stand) -> Option<(usize, usize)> {
    match (earlier, later) {
        (Stand::Claim { class: a, best: first }, Stand::Claim { class: b, best: second }) => {
            (!facts.classes.agree(*a, *b)).then_some((*first, *second))
        }
        (Stand::Claim { class, best }, Stand::TakenBack(denials)) => {
            Some((*best, denials.of_earlier(facts, *class)?))
        }
        (Stand::TakenBack(denials), Stand::Claim { class, best }) => {
            Some((denials.of_later(facts, *class)?, *best))
        }
        (Stand::TakenBack(_), Stand::TakenBack(_)) => None,
    }
}

/// What stands after a later epoch was met: the finer of two that agree, and a denial only where it denies something.
fn carried(facts: &Facts<'_, '_>, earlier: Option<Stand>, later: Stand) -> Stand {
    match (earlier, later) {
        (Some(Stand::Claim { class: a, best }), Stand::Claim { class: b, .. })
            if facts.classes.agree(a, b) && facts.classes.precision(a) < facts.classes.precision(b) =>
        {
            Stand::Claim { class: a, best }
        }
        (Some(Stand::Claim { class, best }), Stand::TakenBack(denials)) => match denials.of_earlier(facts, class) {
            Some(by) => Stand::TakenBack(Denials { emptied_by: Some(by), ..denials }),
            None => Stand::Claim { class, best },
        },
        (Some(Stand::TakenBack(earlier)), Stand::TakenBack(later)) => Stand::TakenBack(Denials {
            said: earlier.said.into_iter().chain(later.said).collect(),
            emptied_by: later.emptied_by.or(earlier.emptied_by),
        }),
        (Some(Stand::Claim { .. } | Stand::TakenBack(_)) | None, later) => later,
    }
}

/// What the walk over the epochs ends with.
#[derive(Default)]
pub(super) struct Walked {
    pub(super) current: Option<Stand>,
    /// The last claim that stood in an epoch, whatever a later epoch says of it.
    pub(super) last_claim: Option<Stand>,
    /// Records of neighbouring epochs that contradict each other.
    pub(super) differing: Vec<(usize, usize)>,
}

/// Walks the epochs in order, pairing neighbours that differ.
pub(super) fn walk(facts: &Facts<'_, '_>, epochs: &[Ranked]) -> Walked {
    let mut walked = Walked::default();
    for later in epochs.iter().filter_map(|ranked| stand_of(facts, &ranked.standing)) {
        if let Some((a, b)) = walked.current.as_ref().and_then(|earlier| contradiction(facts, earlier, &later)) {
            walked.differing.push((a, b));
        }
        walked.current = Some(carried(facts, walked.current, later));
        if let Some(claim @ Stand::Claim { .. }) = &walked.current {
            walked.last_claim = Some(claim.clone());
        }
    }
    walked
}

/// Every change between neighbouring epochs, history included: it is told afterwards too.
pub(super) fn epoch_changes(facts: &Facts<'_, '_>, epochs: &[Ranked]) -> Vec<Edge> {
    let mut edges = Vec::new();
    let mut current: Option<(Stand, Epoch)> = None;
    for ranked in epochs {
        let Some(later) = stand_of(facts, &ranked.standing) else { continue };
        let (earlier, from) = match current {
            Some((earlier, from)) => (Some(earlier), Some(from)),
            None => (None, None),
        };
        if let (Some(earlier), Some(from)) = (&earlier, from)
            && let Some((old, new)) = contradiction(facts, earlier, &later)
        {
            edges.push(Edge { from: new, to: old, kind: EdgeKind::EpochChange { from, to: ranked.epoch } });
        }
        current = Some((carried(facts, earlier, later), ranked.epoch));
    }
    edges
}
