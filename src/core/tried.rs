//! What a declaration would do: every slot that it touches settled as it is and as it would be, and the two compared.

use serde_json::Value;

use super::examine::Ground;
use super::record::Subject;
use super::settle::{Slot, Status};

/// The outcome of a declaration that was not made: exact, for every slot was settled under it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tried {
    /// Slots that settle again.
    pub slots: u64,
    /// Open pairs that close, and pairs that open.
    pub closed: u64,
    pub opened: u64,
    /// Pairs that are open then, and on which grounds: a pair may stand under several.
    pub open: u64,
    pub grounds: Vec<(Ground, u64)>,
    /// Slots that would answer otherwise, by what they are and what they would be.
    pub changes: Vec<Change>,
    /// A few of these slots, the first of each change.
    pub examples: Vec<Example>,
}

/// So many slots that go from one status to another; where both are one, with other values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub before: Status,
    pub after: Status,
    pub slots: u64,
}

/// One slot that would answer otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    pub subject: Subject,
    pub before: Answered,
    pub after: Answered,
}

/// What a slot answers: its status and the values that live in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    pub status: Status,
    /// In the order of their texts, whoever was written first.
    pub values: Vec<Value>,
}

/// Examples of one change that are kept.
const OF_EACH: u64 = 3;

impl Tried {
    /// Slots that would answer otherwise.
    pub fn changed(&self) -> u64 {
        self.changes.iter().map(|change| change.slots).sum()
    }

    /// Takes note of a pair that is open then.
    pub fn leave_open(&mut self, grounds: &[Ground]) {
        self.open += 1;
        for ground in grounds {
            match self.grounds.iter_mut().find(|(known, _)| known == ground) {
                Some((_, many)) => *many += 1,
                None => self.grounds.push((*ground, 1)),
            }
        }
    }

    /// Takes note of one slot, before and after.
    pub fn compare(&mut self, subject: &Subject, before: Answered, after: Answered) {
        if before == after {
            return;
        }
        let kind = (before.status, after.status);
        let known = self.changes.iter_mut().find(|change| (change.before, change.after) == kind);
        let seen = match known {
            Some(change) => {
                change.slots += 1;
                change.slots
            }
            None => {
                self.changes.push(Change { before: kind.0, after: kind.1, slots: 1 });
                1
            }
        };
        if seen <= OF_EACH {
            self.examples.push(Example { subject: subject.clone(), before, after });
        }
    }

    /// Puts the changes in order, the most frequent first, and the examples of each beside it: one of every change
    /// before a second of any.
    #[must_use]
    pub fn ordered(mut self) -> Self {
        self.changes.sort_by_key(|change| std::cmp::Reverse(change.slots));
        self.grounds.sort_by_key(|(ground, many)| (std::cmp::Reverse(*many), *ground));
        let place = |example: &Example| {
            let kind = (example.before.status, example.after.status);
            self.changes.iter().position(|change| (change.before, change.after) == kind)
        };
        let mut rounds: Vec<(usize, Option<usize>, Example)> = Vec::with_capacity(self.examples.len());
        for example in &self.examples {
            let at = place(example);
            let round = rounds.iter().filter(|(_, other, _)| *other == at).count();
            rounds.push((round, at, example.clone()));
        }
        rounds.sort_by_key(|(round, at, _)| (*round, *at));
        self.examples = rounds.into_iter().map(|(_, _, example)| example).collect();
        self
    }
}

impl Answered {
    /// What a settled slot answers.
    pub fn of(slot: &Slot<'_>) -> Self {
        let mut values: Vec<Value> =
            slot.live.iter().map(|live| slot.records[live.speaker].value.clone()).collect();
        values.sort_by_cached_key(Value::to_string);
        Self { status: slot.status, values }
    }
}
