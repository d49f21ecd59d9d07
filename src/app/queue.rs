//! The queue: the list of pairs under a filter and in an order, and which of them are marked.

use std::collections::BTreeSet;

use super::list::{Anchor, Asked, Landed, List, Row};
use super::msg::Effect;
use super::port::{Counts, Filter, Page, PageRequest, Sorting};
use crate::core::pair::Entry;
use crate::core::ruling::PairId;

/// The sub-model of the queue.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    pub list: List<Entry>,
    pub filter: Filter,
    pub sorting: Sorting,
    pub counts: Counts,
    pub marks: BTreeSet<PairId>,
    /// Where a range began.
    pub range: Option<u64>,
}

impl Row for Entry {
    type Id = PairId;

    fn id(&self) -> PairId {
        self.pair
    }
}

impl Queue {
    pub fn new() -> Self {
        Self { filter: Filter::open(), ..Self::default() }
    }

    /// The entry that is selected.
    pub fn current(&self) -> Option<&Entry> {
        self.list.current()
    }

    /// Asks for a window around the selection, if the rows held run out near it.
    pub fn refill(&mut self) -> Vec<Effect> {
        let asked = self.list.refill();
        self.ask(asked)
    }

    /// Asks for the window around the selection again.
    pub fn reload(&mut self) -> Vec<Effect> {
        let asked = self.list.reload();
        self.ask(asked)
    }

    /// Goes to an anchor, wherever it is.
    pub fn jump(&mut self, anchor: Anchor<Entry>) -> Vec<Effect> {
        let asked = self.list.jump(anchor);
        self.ask(Some(asked))
    }

    fn ask(&self, asked: Option<Asked<Entry>>) -> Vec<Effect> {
        let (filter, sorting) = (self.filter.clone(), self.sorting);
        asked
            .map(|Asked { generation, around }| Effect::Page {
                generation,
                request: PageRequest { filter, sorting, around },
            })
            .into_iter()
            .collect()
    }

    /// Shows another selection of the pairs, from its first; marks stay on what they were set.
    pub fn filtered(&mut self, filter: Filter) -> Vec<Effect> {
        self.filter = filter;
        self.range = None;
        self.reload()
    }

    /// A window has come, with the counts.
    pub fn land(&mut self, generation: u64, page: Page) -> Landed {
        let landed = self.list.land(generation, page.window);
        if matches!(landed, Landed::Kept | Landed::Moved) {
            self.counts = page.counts;
        }
        landed
    }

    /// Marks or unmarks what is selected.
    pub fn toggle_mark(&mut self) {
        let Some(pair) = self.current().map(|entry| entry.pair) else { return };
        if !self.marks.remove(&pair) {
            self.marks.insert(pair);
        }
    }

    /// Begins a range at the selection, or marks all from where it began to here; says how many that were.
    pub fn mark_range(&mut self) -> Option<usize> {
        let here = self.list.position();
        let Some(from) = self.range.take() else {
            self.range = Some(here);
            return None;
        };
        let (first, last) = (from.min(here), from.max(here));
        let pairs: Vec<PairId> = (first..=last).filter_map(|at| self.list.at(at)).map(|entry| entry.pair).collect();
        self.marks.extend(&pairs);
        Some(pairs.len())
    }

    /// Takes every mark away; says whether there was one.
    pub fn unmark(&mut self) -> bool {
        let had = !self.marks.is_empty() || self.range.is_some();
        self.marks.clear();
        self.range = None;
        had
    }
}
