//! Answers to requests: which record is a re-observation, and why another one that says it answers is none (DESIGN 3.2).
//! One that falls short is kept, and judged like any other record.

use std::collections::{BTreeMap, HashMap};

use super::policy::Rules;
use super::record::{Anchored, Attribute, Epoch, Lack, Record, RecordId, Subject};
use super::ruling::{RequestId, Ruling};
use super::time::Instant;

/// Why a record that says it answers a request settles nothing by that.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Shortfall {
    #[error("it lacks {}", .0.iter().map(|lack| lack.name()).collect::<Vec<_>>().join(" and "))]
    Unanchored(Vec<Lack>),
    #[error("it was observed at {observed}, before it was asked for ({asked})")]
    TooEarly { observed: Instant, asked: Instant },
    #[error("it is of epoch {own}, and epoch {newest} was seen already")]
    OlderEpoch { own: Epoch, newest: Epoch },
    #[error("the request was taken back")]
    TakenBack,
    /// No request of the slot has this number.
    #[error("nobody asked that of this slot")]
    NotAsked,
    #[error("there is no such request")]
    NoRequest,
    #[error("the request is about {attribute} of {subject}, another slot")]
    Elsewhere { subject: Subject, attribute: Attribute },
    #[error("it has no attribute: it is compared with nothing")]
    Unslotted,
    #[error("it no longer counts: it was withdrawn, or the ruling that brought it was undone")]
    Withdrawn,
}

/// A record that says it answers a request, and why it settled nothing by that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FellShort {
    pub record: RecordId,
    pub why: Shortfall,
}

/// The requests of a slot, and the epochs that it has seen: what its answers are measured by.
pub(super) struct Requests<'r> {
    rules: &'r Rules,
    open_to_answers: HashMap<RequestId, &'r Ruling>,
    taken_back: Vec<RequestId>,
    /// For each epoch: the first moment observed in it or in any later one.
    first_of_later: BTreeMap<Epoch, Instant>,
}

impl<'r> Requests<'r> {
    /// From all rulings of a slot, those that count, and the records that are not withdrawn.
    pub(super) fn new<'a>(
        all: &'r [Ruling],
        counting: &[&'r Ruling],
        rules: &'r Rules,
        active: impl Iterator<Item = &'a Record>,
    ) -> Self {
        let number = |ruling: &Ruling| RequestId(ruling.id.0);
        let asking = |ruling: &&Ruling| ruling.requests().is_some();
        let open_to_answers: HashMap<RequestId, &Ruling> =
            counting.iter().copied().filter(asking).map(|ruling| (number(ruling), ruling)).collect();
        let taken_back =
            all.iter().filter(asking).map(number).filter(|it| !open_to_answers.contains_key(it)).collect();
        Self { rules, open_to_answers, taken_back, first_of_later: first_of_later_epochs(rules, active) }
    }

    /// Whether a record that says it answers a request is a re-observation: observed no earlier than it was asked for,
    /// anchored, and in an epoch no earlier than that of anything that was not certainly observed later.
    pub(super) fn judge(&self, request: RequestId, record: &Record) -> Result<(), Shortfall> {
        let Some(asked) = self.open_to_answers.get(&request) else {
            return Err(if self.taken_back.contains(&request) {
                Shortfall::TakenBack
            } else {
                Shortfall::NotAsked
            });
        };
        let anchored = self.rules.anchored(record).map_err(Shortfall::Unanchored)?;
        let observed = anchored.observed_at.first();
        if observed < asked.at {
            return Err(Shortfall::TooEarly { observed, asked: asked.at });
        }
        match self.newer_world(&anchored) {
            Some(newest) => Err(Shortfall::OlderEpoch { own: anchored.epoch, newest }),
            None => Ok(()),
        }
    }

    /// The newest epoch that was seen already when the record was observed, where that is a later one than its own.
    fn newer_world(&self, anchored: &Anchored<'_>) -> Option<Epoch> {
        let mut later = self.first_of_later.range(Epoch(anchored.epoch.0.saturating_add(1))..).rev();
        later.find(|(_, first)| anchored.observed_at.last() >= **first).map(|(epoch, _)| *epoch)
    }
}

fn first_of_later_epochs<'a>(rules: &Rules, active: impl Iterator<Item = &'a Record>) -> BTreeMap<Epoch, Instant> {
    let mut firsts: BTreeMap<Epoch, Instant> = BTreeMap::new();
    for anchored in active.filter_map(|record| rules.anchored(record).ok()) {
        let first = anchored.observed_at.first();
        firsts.entry(anchored.epoch).and_modify(|known| *known = first.min(*known)).or_insert(first);
    }
    let mut earliest = None;
    for first in firsts.values_mut().rev() {
        let known = *earliest.get_or_insert(*first);
        *first = known.min(*first);
        earliest = Some(*first);
    }
    firsts
}
