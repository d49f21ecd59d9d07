//! What `verify` finds, said thing by thing.

use super::recount::Batches;

/// What `verify` found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verification {
    pub events: u64,
    /// The hash of the last event, in hexadecimal digits.
    pub head: String,
    pub records: u64,
    pub slots: u64,
    pub slots_differing: u64,
    /// What SQLite's own check says: `ok`, or its first complaint.
    pub integrity: String,
    pub damage: Vec<Damage>,
    /// How much of the damage lies in what is true: no repair brings that back, only a backup.
    pub beyond_repair: usize,
}

/// One thing that is not as it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Which thing: `event 12`, `record mem_4a1f`, `slot user_31882 home_city` …
    pub what: String,
    pub wrong: String,
}

impl Damage {
    pub(super) fn new(what: impl Into<String>, wrong: impl Into<String>) -> Self {
        Self { what: what.into(), wrong: wrong.into() }
    }
}

impl Verification {
    /// Whether nothing was found.
    pub fn is_ok(&self) -> bool {
        self.damage.is_empty()
    }

    pub(super) fn find(&mut self, what: impl Into<String>, wrong: impl Into<String>) {
        self.damage.push(Damage::new(what, wrong));
    }

    /// Takes over what another part found.
    pub(super) fn join(&mut self, part: Self) {
        self.events += part.events;
        self.records += part.records;
        self.slots += part.slots;
        self.slots_differing += part.slots_differing;
        self.beyond_repair += part.beyond_repair;
        self.damage.extend(part.damage);
        for (whole, part) in [(&mut self.head, part.head), (&mut self.integrity, part.integrity)] {
            if !part.is_empty() {
                *whole = part;
            }
        }
    }

    /// As [`find`](Self::find), of what is true and therefore cannot be worked out anew.
    pub(super) fn lose(&mut self, what: impl Into<String>, wrong: impl Into<String>) {
        self.find(what, wrong);
        self.beyond_repair += 1;
    }
}

/// What one part of a check has seen.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) found: Verification,
    /// What is wrong with slots, by their numbers: several parts look at slots, and all of it is told in one order.
    pub(super) slots: Vec<(i64, Damage)>,
    pub(super) batches: Batches,
    /// Why it was not looked at to its end, where that lies in what the store holds.
    pub(super) broken_off: Option<Damage>,
}

impl Seen {
    /// Counts a slot, with what is wrong with it.
    pub(super) fn slot(&mut self, slot: i64, damage: Option<Damage>) {
        self.found.slots += 1;
        self.found.slots_differing += u64::from(damage.is_some());
        self.slots.extend(damage.map(|damage| (slot, damage)));
    }
}

/// Is told of each record, event and slot that is looked at; says whether the check is still wanted.
pub(super) type Tell<'a> = &'a mut dyn FnMut() -> bool;
