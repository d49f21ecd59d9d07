//! The calendar of epochs: what the notices that count say, and of whom.

use super::epoch::{Epoch, Opening};
use super::notice::Notice;
use super::record::Subject;
use super::ruling::{Decision, Ruling, RulingId};
use super::time::Instant;

/// Every notice that counts, the oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Calendar {
    told: Vec<Told>,
}

/// A notice, with who gave it and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    pub ruling: RulingId,
    pub by: String,
    pub at: Instant,
    pub notice: Notice,
}

impl Calendar {
    /// What the notices among these rulings say; pass those that count ([`super::ruling::effective`]).
    pub fn new<'a>(rulings: impl IntoIterator<Item = &'a Ruling>) -> Self {
        let mut told: Vec<Told> = rulings
            .into_iter()
            .filter_map(|ruling| {
                let Decision::Epoch(notice) = &ruling.decision else { return None };
                Some(Told { ruling: ruling.id, by: ruling.actor.clone(), at: ruling.at, notice: notice.clone() })
            })
            .collect();
        told.sort_by_key(|told| told.ruling);
        Self { told }
    }

    /// Whether nothing was said of any epoch.
    pub const fn is_empty(&self) -> bool {
        self.told.is_empty()
    }

    /// Every notice, the oldest first.
    pub fn all(&self) -> impl Iterator<Item = &Told> {
        self.told.iter()
    }

    /// The notices on a subject, by all of its names; the oldest first.
    pub fn of(&self, names: &[Subject]) -> impl Iterator<Item = &Told> {
        self.told.iter().filter(move |told| names.iter().any(|name| told.notice.covers(name)))
    }

    /// The epochs that were opened for a subject, by all of its names; always in one order.
    pub fn openings(&self, names: &[Subject]) -> Vec<Opening> {
        let mut openings: Vec<Opening> =
            self.of(names).filter_map(|told| told.notice.opening(told.ruling)).collect();
        openings.sort_unstable();
        openings
    }

    /// The notices over exactly this subject or pattern.
    pub fn over(&self, over: &Subject) -> impl Iterator<Item = &Told> {
        self.told.iter().filter(move |told| told.notice.over == *over)
    }

    /// What is said to have begun an epoch: the last word on it.
    pub fn cause<'t>(told: impl IntoIterator<Item = &'t Told>, epoch: Epoch) -> Option<&'t Told> {
        told.into_iter().filter(|told| told.notice.epoch == epoch && told.notice.cause.is_some()).last()
    }

    /// Since when an epoch holds: of several words, the earliest moment.
    pub fn opened<'t>(told: impl IntoIterator<Item = &'t Told>, epoch: Epoch) -> Option<&'t Told> {
        let of_it = told.into_iter().filter(|told| told.notice.epoch == epoch && told.notice.since.is_some());
        of_it.min_by_key(|told| (told.notice.since, told.ruling))
    }
}
