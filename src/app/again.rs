//! Looking again at many: who would look at what, the word that starts it, and what came of each.

pub(super) mod keys;

use super::asks::looks::{Came, Looks, Served};
use crate::core::order::Target;

/// Looking again at many.
#[derive(Clone, Debug)]
pub struct Again {
    /// Of the work whose answer it waits for.
    pub number: u64,
    pub targets: Vec<Target>,
    pub stage: Stage,
}

/// How far it is.
#[derive(Clone, Debug)]
pub enum Stage {
    /// Observers are sought.
    Seeking,
    /// Who would look is shown, and the word awaited that starts it.
    Asking { served: Served, typed: String },
    /// It is done, or was stopped.
    Told(Told),
}

/// What came of it, for reading.
#[derive(Clone, Debug)]
pub struct Told {
    /// What is left to do first, then what is done; within these as they were asked for.
    pub looks: Looks,
    /// The line that is read.
    pub at: usize,
    /// Those that failed or were not looked at stay marked.
    pub keeps: bool,
}

/// What came of the looks, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    pub settled: usize,
    pub open: usize,
    pub failed: usize,
    pub not_looked: usize,
}

impl Told {
    pub(super) fn new(mut looks: Looks) -> Self {
        looks.sort_by_key(|look| match look.came {
            Came::Failed(_) => 0,
            Came::Open(..) => 1,
            Came::NotLooked => 2,
            Came::Settled(_) => 3,
            Came::Along => 4,
        });
        Self { looks, at: 0, keeps: true }
    }

    /// How many came to what.
    pub fn sums(&self) -> Sums {
        let mut sums = Sums::default();
        for look in &self.looks {
            match look.came {
                Came::Settled(_) | Came::Along => sums.settled += 1,
                Came::Open(..) => sums.open += 1,
                Came::Failed(_) => sums.failed += 1,
                Came::NotLooked => sums.not_looked += 1,
            }
        }
        sums
    }

    /// The pairs that may stay marked.
    pub fn left(&self) -> usize {
        self.looks.iter().filter(|look| look.is_left() && look.target.pair().is_some()).count()
    }

    pub(super) fn step(&mut self, by: isize) {
        self.at = self.at.saturating_add_signed(by).min(self.looks.len().saturating_sub(1));
    }
}

/// What is looked at, in words: `3 pairs`, `1 stale fact`.
pub fn counted(targets: &[Target]) -> String {
    let facts = targets.iter().all(|target| target.pair().is_none());
    match (targets.len(), facts) {
        (1, true) => "1 stale fact".to_owned(),
        (many, true) => format!("{many} stale facts"),
        (1, false) => "1 pair".to_owned(),
        (many, false) => format!("{many} pairs"),
    }
}
