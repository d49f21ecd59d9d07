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
    pub range: Option<Box<Entry>>,
    /// The filter of what is held: that of the last window that came.
    pub shown: Filter,
    /// The window that is being looked for, by the number of its work.
    pub finding: Option<u64>,
    /// How much of the queue the index of letters knows, while it is being filled.
    pub indexing: Option<(u64, u64)>,
    /// Numbers for what is looked for. They are the queue's own: long work of the program is counted apart.
    sought: u64,
}

/// What is looked for is numbered from here on, far from all other work.
const SOUGHT: u64 = 1 << 40;

impl Row for Entry {
    type Id = PairId;

    fn id(&self) -> PairId {
        self.pair
    }
}

impl Queue {
    pub fn new() -> Self {
        Self { filter: Filter::open(), shown: Filter::open(), ..Self::default() }
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

    fn ask(&mut self, asked: Option<Asked<Entry>>) -> Vec<Effect> {
        let Some(Asked { generation, around }) = asked else { return Vec::new() };
        let (filter, sorting) = (self.filter.clone(), self.sorting);
        let number = if filter.is_searched() {
            self.sought += 1;
            SOUGHT + self.sought
        } else {
            0
        };
        self.finding = Some(number).filter(|number| *number > 0);
        vec![Effect::Page { number, generation, request: PageRequest { filter, sorting, around } }]
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
            self.shown = self.filter.clone();
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

    /// Begins a range at the selection; the second time: from where it began to here, whichever comes first.
    pub fn range(&mut self) -> Option<Box<[Entry; 2]>> {
        let here = self.current().cloned()?;
        match self.range.take() {
            Some(from) => Some(Box::new([*from, here])),
            None => {
                self.range = Some(Box::new(here));
                None
            }
        }
    }

    /// Asks which of the marked pairs have left the queue, where any are marked.
    pub fn check_marks(&self) -> Vec<Effect> {
        let marked = || self.marks.iter().copied().collect();
        if self.marks.is_empty() { Vec::new() } else { vec![Effect::Settled(marked())] }
    }

    /// Takes every mark away; says whether there was one.
    pub fn unmark(&mut self) -> bool {
        let had = !self.marks.is_empty() || self.range.is_some();
        self.marks.clear();
        self.range = None;
        had
    }
}
