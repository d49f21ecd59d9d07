//! By whom a claim was beaten within its epoch: the edge that the log and the history show.

use std::collections::BTreeMap;

use super::contender::Contender;
use super::examine::Basis;
use super::policy::Rank;
use super::time::Instant;

/// A stretch before its fate is known; its members are places among the contenders.
pub(super) struct Draft {
    pub(super) class: usize,
    pub(super) members: Vec<usize>,
    pub(super) best: usize,
    pub(super) stands: bool,
    pub(super) taken: Option<usize>,
}

/// Finds for each beaten stretch the one that beat it: the next later of its rank, else the best that stands above.
pub(super) struct BeatOrder {
    /// Of each rank, the confident stretches by the beginning of their best record.
    by_rank: BTreeMap<Rank, Vec<(Instant, usize)>>,
}

impl BeatOrder {
    pub(super) fn new(all: &[Contender], drafts: &[Draft]) -> Self {
        let mut by_rank: BTreeMap<Rank, Vec<(Instant, usize)>> = BTreeMap::new();
        for (at, draft) in drafts.iter().enumerate() {
            let best = &all[draft.best];
            if let Some(rank) = best.rank
                && best.confident
            {
                by_rank.entry(rank).or_default().push((best.first, at));
            }
        }
        by_rank.values_mut().for_each(|level| level.sort_unstable());
        Self { by_rank }
    }

    pub(super) fn beater(&self, at: usize, drafts: &[Draft], all: &[Contender]) -> (usize, Basis) {
        let draft = &drafts[at];
        let rank = all[draft.best].rank;
        let reach = draft.members.iter().map(|at| &all[*at]).filter(|it| it.rank == rank).map(|it| it.last).max();
        if let (Some(rank), Some(reach)) = (rank, reach)
            && let Some(level) = self.by_rank.get(&rank)
        {
            let from = level.partition_point(|(first, _)| *first <= reach);
            let next = level[from..].iter().find(|(_, other)| drafts[*other].class != draft.class);
            if let Some((_, next)) = next {
                return (*next, Basis::Recency);
            }
        }
        // The best of the best rank beats everything that is beaten; the one that stands says it more plainly.
        let best = self.by_rank.values().next().and_then(|level| level.last()).map_or(at, |(_, other)| *other);
        let beats = |other: &Draft| {
            let it = &all[other.best];
            other.stands && other.class != draft.class && it.confident && it.rank.is_some() && it.rank < rank
        };
        let by = drafts.iter().position(beats).unwrap_or(best);
        let basis = if all[drafts[by].best].rank == rank { Basis::Recency } else { Basis::Authority };
        (by, basis)
    }
}
