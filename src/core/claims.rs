//! Which records of a slot say the same value: the classes from which claims are made.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::policy::Rules;
use super::record::{Record, RecordId};
use super::ruling::{Decision, Ruling};
use super::time::When;
use super::value::Key;

/// The value class of each record of a slot, by index.
pub(super) struct Classes {
    of: Vec<usize>,
    /// The keys of each class: several where a reviewer linked spellings.
    keys: Vec<Vec<Key>>,
    /// Of each class: the classes that say the same more coarsely, and those that say it more finely.
    coarser: Vec<BTreeSet<usize>>,
    finer: Vec<BTreeSet<usize>>,
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
        let mut classes = Self { of, keys, coarser: Vec::new(), finer: Vec::new() };
        classes.join_same(records, rulings);
        classes.relate();
        classes
    }

    /// The class of a record.
    pub(super) fn of(&self, record: usize) -> usize {
        self.of[record]
    }

    /// Whether two classes say one value, or one refines the other.
    pub(super) fn agree(&self, a: usize, b: usize) -> bool {
        a == b || self.coarser[a].contains(&b) || self.coarser[b].contains(&a)
    }

    /// Every class that says this value: itself, and its coarser and finer forms.
    pub(super) fn agreeing(&self, class: usize) -> impl Iterator<Item = usize> {
        std::iter::once(class).chain(self.coarser[class].iter().copied()).chain(self.finer[class].iter().copied())
    }

    /// For each of these classes that is a coarser form of others among them, those others (the finest only).
    pub(super) fn refinements(&self, present: &BTreeSet<usize>) -> BTreeMap<usize, Vec<usize>> {
        let here = |classes: &BTreeSet<usize>| classes.iter().any(|class| present.contains(class));
        let coarse = present.iter().copied().filter(|class| here(&self.finer[*class]));
        let finest = |class: usize| -> Vec<usize> {
            let finer = self.finer[class].iter().copied().filter(|finer| present.contains(finer));
            finer.filter(|finer| !here(&self.finer[*finer])).collect()
        };
        coarse.map(|class| (class, finest(class))).filter(|(_, finest)| !finest.is_empty()).collect()
    }

    /// Spans of the calendar nest, so that what holds a span is found by name: its day, its month, its year.
    fn relate(&mut self) {
        self.coarser = vec![BTreeSet::new(); self.keys.len()];
        self.finer = vec![BTreeSet::new(); self.keys.len()];
        let home: HashMap<When, usize> = self
            .keys
            .iter()
            .enumerate()
            .flat_map(|(class, keys)| keys.iter().filter_map(Key::span).map(move |span| (span, class)))
            .collect();
        for (span, fine) in &home {
            for coarse in span.held_by().into_iter().filter_map(|wider| home.get(&wider)) {
                if coarse != fine {
                    self.coarser[*fine].insert(*coarse);
                    self.finer[*coarse].insert(*fine);
                }
            }
        }
    }

    /// How wide the class's span of time is: the smaller, the finer it speaks.
    pub(super) fn precision(&self, class: usize) -> chrono::Duration {
        let width =
            |key: &Key| key.span().map_or_else(chrono::Duration::zero, |span| span.last().since(span.first()));
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
