//! What a mapping saw besides the records it made: for the summary of an import.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::ahead::hash;
use super::spec::{Format, Kind};
use crate::core::record::Op;
use crate::core::value::canonical;
use crate::wire::Incoming;

/// So many lines are named; the count is of all of them.
const NAMED: usize = 5;

/// Counts of what a file held.
#[derive(Debug, Default)]
pub struct Tally {
    /// By kind of object: how many, and how many records they became.
    pub kinds: BTreeMap<String, (u64, u64)>,
    /// Keys that nothing reads: how often, and where first.
    pub left_out: BTreeMap<String, (u64, u64)>,
    /// What a later version of its object no longer says.
    pub gone: Counted,
    /// By slot the first value that is claimed of it, and whether another is: what is kept is little, for slots are many.
    slots: HashMap<u64, (u64, bool)>,
    retired: Vec<(u64, u64, u64)>,
}

/// How many, and the lines of the first few.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    pub count: u64,
    pub lines: Vec<u64>,
    /// There are lines that are not named.
    pub more: bool,
}

impl Counted {
    fn add(&mut self, line: u64, count: u64) {
        if count > 0 && self.lines.last() != Some(&line) {
            match self.lines.len() {
                NAMED.. => self.more = true,
                _ => self.lines.push(line),
            }
        }
        self.count += count;
    }
}

impl Tally {
    pub(super) fn took(&mut self, format: &Format, kind: &Kind, line: u64, object: &Value, records: usize) {
        let counts = self.kinds.entry(kind.name.clone()).or_default();
        counts.0 += 1;
        counts.1 += u64::try_from(records).unwrap_or(u64::MAX);
        for (key, value) in object.as_object().into_iter().flatten() {
            if !value.is_null() && !kind.reads(key) && !format.ignores.contains(key) {
                self.left_out.entry(key.clone()).or_insert((0, line)).0 += 1;
            }
        }
    }

    pub(super) fn gone(&mut self, line: u64, count: u64) {
        self.gone.add(line, count);
    }

    /// The slot and the value of a claim, as marks.
    pub(super) fn claim(&self, incoming: &Incoming) -> (u64, u64) {
        let record = &incoming.record;
        let slot = (record.subject.as_str(), record.attribute.as_ref().map(|attribute| attribute.as_str()));
        (hash(&slot), hash(&canonical(&record.value)))
    }

    /// Notes what a record asserts, for what is retired to be held against.
    pub(super) fn assert(&mut self, incoming: &Incoming) {
        if incoming.record.op == Op::Assert && incoming.record.attribute.is_some() {
            let (slot, value) = self.claim(incoming);
            let (first, differ) = self.slots.entry(slot).or_insert((value, false));
            *differ |= *first != value;
        }
    }

    pub(super) fn retire(&mut self, line: u64, claims: Vec<(u64, u64)>) {
        self.retired.extend(claims.into_iter().map(|(slot, value)| (line, slot, value)));
    }

    /// Retractions of what nothing else in the file disagrees with.
    pub fn retired_alone(&self) -> Counted {
        let mut counted = Counted::default();
        for (line, slot, value) in &self.retired {
            let others = self.slots.get(slot).is_some_and(|(first, differ)| *differ || first != value);
            counted.add(*line, u64::from(!others));
        }
        counted
    }
}
