//! A slot as it is loaded: everything from which it is settled.

use std::collections::HashMap;

use super::error::StoreError;
use super::law::SlotName;
use super::rows::{self, Stored};
use super::session::{self, Session};
use crate::core::policy::Rules;
use crate::core::record::RecordId;
use crate::core::ruling::Ruling;
use crate::core::settle::{Slot, settle};

/// A slot's input, and what `settle` makes of it.
pub(super) struct Loaded {
    pub(super) name: SlotName,
    pub(super) records: Vec<Stored>,
    pub(super) rulings: Vec<Ruling>,
}

/// Loads everything that a slot is settled from.
pub(super) fn load(session: &Session<'_>, home: i64) -> Result<Loaded, StoreError> {
    let connection = session.connection;
    let rulings = rows::rulings_at_home(connection, home)?.into_iter().map(|stored| stored.ruling).collect();
    Ok(Loaded {
        name: session::name_of(connection, home)?,
        records: rows::records_at_home(connection, home)?,
        rulings,
    })
}

impl Loaded {
    /// Settles it under these rules.
    pub(super) fn settle(&self, rules: &Rules) -> Slot<'_> {
        settle(self.records.iter().map(|stored| &stored.record), rules, &self.rulings)
    }

    /// The row number of each record of the settled slot, by its place.
    pub(super) fn rows(&self, slot: &Slot<'_>) -> Vec<i64> {
        let by_id: HashMap<&RecordId, i64> =
            self.records.iter().map(|stored| (&stored.record.id, stored.row)).collect();
        slot.records.iter().map(|record| by_id[&record.id]).collect()
    }
}

/// Each record's claim, named by the row of its first member: a name that later members leave alone.
pub(super) fn claim_rows(slot: &Slot<'_>, rows: &[i64]) -> Vec<Option<i64>> {
    let mut first: HashMap<usize, i64> = HashMap::new();
    for (at, claim) in slot.claim.iter().enumerate() {
        if let Some(claim) = claim {
            first.entry(*claim).or_insert(rows[at]);
        }
    }
    slot.claim.iter().map(|claim| claim.and_then(|claim| first.get(&claim).copied())).collect()
}
