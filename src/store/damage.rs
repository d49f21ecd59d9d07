//! What `verify` finds, said thing by thing.

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

impl Verification {
    /// Whether nothing was found.
    pub fn is_ok(&self) -> bool {
        self.damage.is_empty()
    }

    pub(super) fn find(&mut self, what: impl Into<String>, wrong: impl Into<String>) {
        self.damage.push(Damage { what: what.into(), wrong: wrong.into() });
    }

    /// As [`find`](Self::find), of what is true and therefore cannot be worked out anew.
    pub(super) fn lose(&mut self, what: impl Into<String>, wrong: impl Into<String>) {
        self.find(what, wrong);
        self.beyond_repair += 1;
    }
}

/// Is told how far the check is, and says whether it is still wanted.
pub(super) type Tell<'a> = &'a mut dyn FnMut(&Verification) -> bool;
