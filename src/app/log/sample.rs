//! The audit that is under way: a sample of a reviewer's rulings, gone through one by one.

use super::super::asks::log::{Item, Sample};
use crate::core::audit::{Audit, Tally, Verdict};

/// A sample being audited.
#[derive(Clone, Debug, PartialEq)]
pub struct Auditing {
    pub sample: Sample,
    /// The ruling that is looked at, counted from 0.
    pub at: usize,
    /// What was decided is hidden until the auditor has said what he would have ruled.
    pub blind: bool,
}

/// How far the audit is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub agree: usize,
    pub disagree: usize,
    pub of: usize,
}

impl Progress {
    /// How many rulings of the sample the auditor has spoken on.
    pub const fn done(self) -> usize {
        self.agree + self.disagree
    }

    /// The agreement rate in percent; none before the first word.
    pub const fn rate(self) -> Option<usize> {
        (self.agree * 100 + self.done() / 2).checked_div(self.done())
    }
}

impl Auditing {
    /// Begins with the first ruling on which the auditor has not spoken.
    pub fn new(sample: Sample, blind: bool) -> Self {
        let at = sample.items.iter().position(|item| item.said.is_none()).unwrap_or(0);
        Self { sample, at, blind }
    }

    /// The ruling that is looked at.
    pub fn current(&self) -> Option<&Item> {
        self.sample.items.get(self.at)
    }

    /// Whether what was decided is hidden of the ruling that is looked at.
    pub fn hides(&self) -> bool {
        self.hides_of(self.at)
    }

    /// Whether what was decided is hidden of one of them.
    pub fn hides_of(&self, at: usize) -> bool {
        self.blind && self.sample.items.get(at).is_some_and(|item| item.said.is_none())
    }

    /// Moves by so many; says whether it moved.
    pub fn step(&mut self, by: i64) -> bool {
        let last = self.sample.items.len().saturating_sub(1);
        let aim = self.at.saturating_add_signed(isize::try_from(by).unwrap_or(0)).min(last);
        let moved = aim != self.at;
        self.at = aim;
        moved
    }

    /// The auditor has spoken; goes on to the next ruling on which he has not, and says whether it moved. Blind, it
    /// stays: he is to see what was ruled.
    pub fn said(&mut self, audit: Audit, tally: Tally) -> bool {
        self.sample.tally = tally;
        let was_blind = audit.blind.is_some();
        if let Some(item) = self.sample.items.iter_mut().find(|item| item.ruling == audit.ruling) {
            item.said = Some(audit);
        }
        let open = |item: &Item| item.said.is_none();
        let next = self.sample.items.iter().enumerate().cycle().skip(self.at + 1).take(self.sample.items.len());
        match next.into_iter().find(|(_, item)| open(item)) {
            Some((at, _)) if !was_blind => {
                self.at = at;
                true
            }
            Some(_) | None => false,
        }
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        let count = |verdict: Verdict| {
            let said = self.sample.items.iter().filter_map(|item| item.said.as_ref());
            said.filter(|audit| audit.verdict == verdict).count()
        };
        Progress { agree: count(Verdict::Agree), disagree: count(Verdict::Disagree), of: self.sample.items.len() }
    }
}
