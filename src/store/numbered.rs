//! Which number a contradiction has: a pair keeps its number as long as its records stand in the same two claims,
//! whoever speaks for these.

use std::collections::{BTreeMap, HashMap};

use super::pairs::PairRow;
use super::slot::claim_rows;
use crate::core::settle::Slot;

/// The pairs that a slot ever had, to be found by the contradiction that they are.
pub(super) struct Numbered {
    /// The claim of each record, by row.
    claims: HashMap<i64, Option<i64>>,
    /// Unsettled pairs first, then by number.
    rows: BTreeMap<(bool, i64), PairRow>,
    by_records: HashMap<(i64, i64), (bool, i64)>,
    by_claims: HashMap<(i64, i64), Vec<(bool, i64)>>,
}

impl Numbered {
    pub(super) fn new(slot: &Slot<'_>, rows: &[i64], stored: Vec<PairRow>) -> Self {
        let claims = rows.iter().copied().zip(claim_rows(slot, rows)).collect();
        let mut numbered =
            Self { claims, rows: BTreeMap::new(), by_records: HashMap::new(), by_claims: HashMap::new() };
        for pair in stored {
            let order = (pair.is_settled(), pair.pair);
            // Of several on the same two records the first number stands: it is the one that people know.
            numbered.by_records.entry(unordered(pair.left, pair.right)).or_insert(order);
            numbered.by_claims.entry(numbered.key(pair.left, pair.right)).or_default().push(order);
            numbered.rows.insert(order, pair);
        }
        numbered.by_claims.values_mut().for_each(|orders| orders.sort_unstable());
        numbered
    }

    /// The pair of these two records, else the one of their claims: an unsettled one before a settled one.
    pub(super) fn take(&mut self, left: i64, right: i64) -> Option<PairRow> {
        let exact = self.by_records.get(&unordered(left, right)).copied();
        let alike = self.by_claims.get(&self.key(left, right)).cloned().unwrap_or_default();
        exact.into_iter().chain(alike).find_map(|order| self.rows.remove(&order))
    }

    /// Those that no contradiction took: what was open of them is closed.
    pub(super) fn left_over(self) -> impl Iterator<Item = PairRow> {
        self.rows.into_values()
    }

    fn key(&self, left: i64, right: i64) -> (i64, i64) {
        let party = |row: i64| self.claims.get(&row).copied().flatten().unwrap_or(-row);
        unordered(party(left), party(right))
    }
}

fn unordered(a: i64, b: i64) -> (i64, i64) {
    (a.min(b), a.max(b))
}
