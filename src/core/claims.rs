//! Which records of a slot say the same value: the classes from which claims are made.

use std::collections::{BTreeMap, HashMap};

use super::policy::Rules;
use super::record::{Record, RecordId};
use super::ruling::{Decision, Ruling};
use super::value::Key;

/// The value class of each record of a slot, by index.
pub(super) struct Classes {
    of: Vec<usize>,
    /// The keys of each class: several where a reviewer linked spellings.
    keys: Vec<Vec<Key>>,
}

impl Classes {
    /// Groups the records by their key under the rules' comparison, joined where a ruling says *same*.
    pub(super) fn new(records: &[&Record], rules: &Rules, rulings: &[&Ruling]) -> Self {
        let mut numbers: HashMap<Key, usize> = HashMap::new();
        let mut keys: Vec<Vec<Key>> = Vec::new();
        let mut of: Vec<usize> = Vec::with_capacity(records.len());
        for record in records {
            let key = record.key(rules);
            let number = *numbers.entry(key.clone()).or_insert_with(|| {
                keys.push(vec![key]);
                keys.len() - 1
            });
            of.push(number);
        }
        let mut classes = Self { of, keys };
        classes.join_same(records, rulings);
        classes
    }

    /// The class of a record.
    pub(super) fn of(&self, record: usize) -> usize {
        self.of[record]
    }

    /// Whether two classes say one value, or one refines the other.
    pub(super) fn agree(&self, a: usize, b: usize) -> bool {
        a == b || self.covers(a, b) || self.covers(b, a)
    }

    fn covers(&self, coarse: usize, fine: usize) -> bool {
        self.keys[coarse].iter().any(|key| self.keys[fine].iter().any(|other| key.covers(other)))
    }

    /// For each of these classes that is a coarser form of others among them, those others (the finest only).
    pub(super) fn refinements(&self, present: &[usize]) -> BTreeMap<usize, Vec<usize>> {
        let is_span = |class: &&usize| self.keys[**class].iter().any(|key| matches!(key, Key::Span(_)));
        let spans: Vec<usize> = present.iter().filter(is_span).copied().collect();
        let widest = spans.iter().map(|class| self.precision(*class)).max();
        let narrowest = spans.iter().map(|class| self.precision(*class)).min();
        if widest == narrowest {
            return BTreeMap::new();
        }
        let finer = |coarse: usize| -> Vec<usize> {
            spans.iter().filter(|fine| **fine != coarse && self.covers(coarse, **fine)).copied().collect()
        };
        spans
            .iter()
            .filter(|class| Some(self.precision(**class)) != narrowest)
            .map(|coarse| (*coarse, finer(*coarse)))
            .filter(|(_, fine)| !fine.is_empty())
            .map(|(coarse, fine)| {
                let finest =
                    fine.iter().filter(|class| !fine.iter().any(|other| self.covers(**class, *other))).copied();
                (coarse, finest.collect())
            })
            .collect()
    }

    /// How wide the class's span of time is: the smaller, the finer it speaks.
    pub(super) fn precision(&self, class: usize) -> chrono::Duration {
        let width = |key: &Key| match key {
            Key::Span(when) => when.last().since(when.first()),
            Key::Text(_) | Key::Number(_) | Key::Nanoseconds(_) | Key::Unread(_) => chrono::Duration::zero(),
        };
        self.keys[class].iter().map(width).min().unwrap_or_default()
    }

    fn join_same(&mut self, records: &[&Record], rulings: &[&Ruling]) {
        let find = |id: &RecordId| records.iter().position(|record| record.id == *id);
        for ruling in rulings {
            let Decision::Same(between) = &ruling.decision else { continue };
            let (Some(a), Some(b)) = (find(&between.0), find(&between.1)) else { continue };
            let (kept, joined) = (self.of[a].min(self.of[b]), self.of[a].max(self.of[b]));
            if kept != joined {
                let keys = std::mem::take(&mut self.keys[joined]);
                self.keys[kept].extend(keys);
                self.of.iter_mut().filter(|class| **class == joined).for_each(|class| *class = kept);
            }
        }
    }
}
