//! Who contends in one epoch, and what becomes of each: the words of [`super::standing`].

use std::collections::HashMap;

use super::examine::Basis;
use super::policy::Rank;
use super::ruling::RulingId;
use super::time::Instant;

/// A record as the sweep sees it. A reviewer's accept may have raised it above where it stood by itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contender {
    /// The record's place in the slot's writing order.
    pub(super) record: usize,
    pub(super) class: usize,
    pub(super) retracts: bool,
    pub(super) rank: Option<Rank>,
    pub(super) first: Instant,
    pub(super) last: Instant,
    /// Whether it may win: on or above the confidence floor.
    pub(super) confident: bool,
}

/// A reviewer's accept within the epoch: the winner's claim stands above the loser's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Above {
    pub(super) winner: usize,
    pub(super) loser: usize,
    pub(super) ruling: RulingId,
}

/// Records of one value in one stretch of time.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    pub(super) class: usize,
    /// In writing order.
    pub(super) members: Vec<usize>,
    /// The member that speaks for it: of what still stands of it, else of all, the one that ranks highest.
    pub(super) best: usize,
    pub(super) fate: Fate,
}

/// What became of a stretch within its epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// Nothing beats it.
    Stands,
    /// Beaten by the claim of that record.
    Beaten { by: usize, basis: Basis },
    /// Taken back by that retraction.
    TakenBack { by: usize, basis: Basis },
}

/// What became of a retraction within its epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Took {
    /// It stands: it took the value back, or there was nothing to take.
    Stands,
    /// The claim of that record stands above it.
    Lost { to: usize, basis: Basis },
    /// It can be neither obeyed nor dismissed against the claim of that record.
    Undecided { against: usize },
}

/// One epoch, ranked.
#[derive(Clone, Debug, Default)]
pub(super) struct Standing {
    pub(super) stretches: Vec<Stretch>,
    /// Each retraction with what became of it.
    pub(super) retractions: Vec<(Contender, Took)>,
    /// The retraction that emptied the epoch, where the last word is one.
    pub(super) emptied_by: Option<usize>,
}

impl Standing {
    /// The claims that stand, the earliest written first: a choice that names pairs and decides nothing.
    pub(super) fn claims(&self) -> Vec<&Stretch> {
        let mut first_said: HashMap<usize, usize> = HashMap::new();
        for stretch in &self.stretches {
            let first = stretch.members[0];
            first_said.entry(stretch.class).and_modify(|known| *known = first.min(*known)).or_insert(first);
        }
        let mut claims: Vec<&Stretch> =
            self.stretches.iter().filter(|stretch| stretch.fate == Fate::Stands).collect();
        claims.sort_by_key(|stretch| first_said.get(&stretch.class).copied());
        claims
    }
}
