//! The stale lane: settled facts that nobody has seen to hold for longer than their policy allows, the longest unseen
//! first. Nothing in it is contested; it is there to be looked at again.

pub(super) mod keys;

use std::collections::BTreeSet;

use super::asks::looks::StaleFact;
use crate::core::order::Target;

/// The most that are listed at once: those that nobody has seen for longest.
pub const MOST: usize = 1_000;

/// The lane.
#[derive(Clone, Debug, Default)]
pub struct Stale {
    /// Of the work that reads it.
    pub number: u64,
    /// What is stale; none before it has come.
    pub facts: Option<Vec<StaleFact>>,
    pub at: usize,
    pub marks: BTreeSet<usize>,
}

impl Stale {
    /// The fact that is selected.
    pub fn current(&self) -> Option<&StaleFact> {
        self.facts.as_ref()?.get(self.at)
    }

    pub(super) fn len(&self) -> usize {
        self.facts.as_ref().map_or(0, Vec::len)
    }

    pub(super) fn step(&mut self, by: isize) {
        self.at = self.at.saturating_add_signed(by).min(self.len().saturating_sub(1));
    }

    pub(super) fn mark_all(&mut self) {
        self.marks = if self.marks.len() == self.len() { BTreeSet::new() } else { (0..self.len()).collect() };
    }

    /// Those that are marked, or else the one that is selected.
    pub(super) fn targets(&self) -> Vec<Target> {
        let facts = self.facts.as_deref().unwrap_or_default();
        let target = |fact: &StaleFact| Target::Slot(fact.subject.clone(), fact.attribute.clone());
        if self.marks.is_empty() {
            return self.current().map(target).into_iter().collect();
        }
        self.marks.iter().filter_map(|at| facts.get(*at)).map(target).collect()
    }
}
