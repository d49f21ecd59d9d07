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
    /// The best of those that are fit to win: what it beats, it beats by this one.
    pub(super) champion: Option<usize>,
    pub(super) stands: bool,
    pub(super) taken: Option<usize>,
}

/// Finds for each beaten stretch the one that beat it: the next later of its rank, else the best that stands above.
pub(super) struct BeatOrder {
    /// Of each rank, the champions by their beginning, each with its stretch.
    by_rank: BTreeMap<Rank, Vec<(Instant, usize, usize)>>,
    /// The champions of what stands, each with its class.
    standing: Vec<(usize, usize)>,
}

impl BeatOrder {
    pub(super) fn new(all: &[Contender], drafts: &[Draft]) -> Self {
        let mut by_rank: BTreeMap<Rank, Vec<(Instant, usize, usize)>> = BTreeMap::new();
        let mut standing = Vec::new();
        for (at, draft) in drafts.iter().enumerate() {
            let Some(champion) = draft.champion else { continue };
            if let Some(rank) = all[champion].rank {
                by_rank.entry(rank).or_default().push((all[champion].first, at, champion));
            }
            if draft.stands {
                standing.push((champion, draft.class));
            }
        }
        by_rank.values_mut().for_each(|level| level.sort_unstable());
        Self { by_rank, standing }
    }

    /// The champion that beat the stretch, and why it does.
    pub(super) fn beater(&self, draft: &Draft, drafts: &[Draft], all: &[Contender]) -> (usize, Basis) {
        let rank = all[draft.best].rank;
        let reach = draft.members.iter().map(|at| &all[*at]).filter(|it| it.rank == rank).map(|it| it.last).max();
        if let (Some(rank), Some(reach)) = (rank, reach)
            && let Some(level) = self.by_rank.get(&rank)
        {
            let from = level.partition_point(|(first, ..)| *first <= reach);
            let next = level[from..].iter().find(|(_, other, _)| drafts[*other].class != draft.class);
            if let Some((.., next)) = next {
                return (*next, Basis::Recency);
            }
        }
        // The best of the best rank beats everything that is beaten; the one that stands says it more plainly.
        let best =
            self.by_rank.values().next().and_then(|level| level.last()).map_or(draft.best, |(.., best)| *best);
        let above = |(it, class): &&(usize, usize)| *class != draft.class && all[*it].rank < rank;
        let by = self.standing.iter().find(above).map_or(best, |(champion, _)| *champion);
        let basis = if all[by].rank == rank { Basis::Recency } else { Basis::Authority };
        (by, basis)
    }
}
