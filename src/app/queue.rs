//! The queue: a window of rows around what is selected, so that a million pairs cost what forty do.
//!
//! Positions are those in the whole list. What is selected is a pair, not a place: when others write, the same pair
//! stays selected wherever it has moved to.

use std::collections::BTreeSet;

use super::msg::Effect;
use super::port::{Anchor, Counts, Filter, Page, PageRequest, Sorting};
use crate::core::pair::Entry;
use crate::core::ruling::PairId;

/// Rows held beyond each end of what is visible: a page key lands on a row that is there.
pub const MARGIN: usize = 96;
/// A new window is asked for when the selection comes this near to the end of the rows held.
const NEAR: u64 = 48;

/// The sub-model of the queue.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    pub filter: Filter,
    pub sorting: Sorting,
    pub counts: Counts,
    pub total: u64,
    pub marks: BTreeSet<PairId>,
    /// Where a range began.
    pub range: Option<u64>,
    rows: Vec<Entry>,
    /// The position of the first row held.
    start: u64,
    selected: u64,
    /// The position of the first row shown.
    offset: u64,
    height: u64,
    /// The number of the last request; answers to earlier ones are dropped.
    generation: u64,
    waiting: bool,
    loaded: bool,
    /// The selection goes to the anchor of the answer, rather than staying on its pair.
    jumps: bool,
    /// The pair that was selected when the window was asked for.
    asked_at: Option<PairId>,
}

/// Where a page's answer put the selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landed {
    /// An answer to an older question.
    Outdated,
    Kept,
    Moved,
    /// The selection has moved out of this window meanwhile: a newer one is to be asked for.
    Missed,
}

impl Queue {
    pub fn new() -> Self {
        Self { filter: Filter::open(), height: 1, ..Self::default() }
    }

    /// The entry that is selected.
    pub fn current(&self) -> Option<&Entry> {
        self.at(self.selected)
    }

    /// The place of the selection in the whole list, counted from 0.
    pub const fn position(&self) -> u64 {
        self.selected
    }

    /// The entry at a place, where it is held.
    pub fn at(&self, position: u64) -> Option<&Entry> {
        self.rows.get(usize::try_from(position.checked_sub(self.start)?).ok()?)
    }

    /// The rows to be drawn, each with its place.
    pub fn visible(&self) -> impl Iterator<Item = (u64, &Entry)> {
        let (first, last) = (self.offset, (self.offset + self.height).min(self.total));
        (first..last).filter_map(|position| Some((position, self.at(position)?)))
    }

    /// Whether the store has answered at all.
    pub const fn is_loaded(&self) -> bool {
        self.loaded
    }

    /// How many rows are held.
    pub const fn held(&self) -> usize {
        self.rows.len()
    }

    /// The height of the list on the screen.
    pub fn resize(&mut self, height: u16) {
        self.height = u64::from(height.max(1));
        self.follow();
    }

    /// Moves the selection by so many rows, as far as there are rows; says whether it moved.
    pub fn step(&mut self, by: i64) -> bool {
        let (first, last) = self.reach();
        let aim = self.selected.saturating_add_signed(by).clamp(first, last);
        let moved = aim != self.selected;
        self.selected = aim;
        self.follow();
        moved
    }

    /// Half of the rows that the screen shows; at least one.
    pub fn half(&self) -> i64 {
        i64::try_from(self.height / 2).unwrap_or(1).max(1)
    }

    /// Asks for a window around the selection, if the rows held run out near it.
    pub fn refill(&mut self) -> Vec<Effect> {
        let end = self.start + self.rows.len() as u64;
        let near_start = self.start > 0 && self.selected < self.start + NEAR;
        let near_end = end < self.total && self.selected + NEAR >= end;
        if self.waiting || !(near_start || near_end) { Vec::new() } else { self.reload() }
    }

    /// Asks for the window around the selection again.
    pub fn reload(&mut self) -> Vec<Effect> {
        let anchor = self.current().map_or(Anchor::First, |entry| Anchor::At(Box::new(entry.clone())));
        // A jump that is under way is not forgotten for a reload that overtakes it.
        if self.jumps && self.waiting { Vec::new() } else { self.request(anchor) }
    }

    /// Goes to an anchor, wherever it is.
    pub fn jump(&mut self, anchor: Anchor) -> Vec<Effect> {
        self.jumps = true;
        self.request(anchor)
    }

    fn request(&mut self, anchor: Anchor) -> Vec<Effect> {
        self.generation += 1;
        self.asked_at = self.current().map(|entry| entry.pair);
        self.waiting = true;
        let margin = MARGIN + usize::try_from(self.height).unwrap_or(0);
        let (filter, sorting) = (self.filter.clone(), self.sorting);
        let request = PageRequest { filter, sorting, anchor, before: margin, after: margin };
        vec![Effect::Page { generation: self.generation, request }]
    }

    /// Shows another selection of the pairs, from its first; marks stay on what they were set.
    pub fn filtered(&mut self, filter: Filter) -> Vec<Effect> {
        self.filter = filter;
        self.range = None;
        self.reload()
    }

    /// A window has come.
    pub fn land(&mut self, generation: u64, page: Page) -> Landed {
        if generation != self.generation {
            return Landed::Outdated;
        }
        let was = self.current().map(|entry| entry.pair);
        let kept =
            was.filter(|_| !self.jumps).and_then(|pair| page.rows.iter().position(|entry| entry.pair == pair));
        self.waiting = false;
        if kept.is_none() && !self.jumps && was != self.asked_at {
            return Landed::Missed;
        }
        let shown_at = self.selected.saturating_sub(self.offset);
        let row = kept.unwrap_or(page.anchor).min(page.rows.len().saturating_sub(1));
        (self.rows, self.start, self.total, self.counts) = (page.rows, page.start, page.total, page.counts);
        self.selected = self.start + row as u64;
        // It stays on the line of the screen on which it was.
        self.offset = self.selected.saturating_sub(shown_at);
        (self.jumps, self.loaded) = (false, true);
        self.follow();
        if kept.is_some() { Landed::Kept } else { Landed::Moved }
    }

    /// A window did not come.
    pub const fn failed(&mut self, generation: u64) {
        if generation == self.generation {
            (self.waiting, self.jumps) = (false, false);
        }
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
        let Some(from) = self.range.take() else {
            self.range = Some(self.selected);
            return None;
        };
        let (first, last) = (from.min(self.selected), from.max(self.selected));
        let pairs: Vec<PairId> = (first..=last).filter_map(|at| self.at(at)).map(|entry| entry.pair).collect();
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

    fn reach(&self) -> (u64, u64) {
        (self.start, self.start + (self.rows.len() as u64).saturating_sub(1))
    }

    /// Moves the offset no more than is needed to show the selection.
    fn follow(&mut self) {
        let lowest = (self.selected + 1).saturating_sub(self.height);
        let highest = self.total.saturating_sub(self.height);
        self.offset = self.offset.min(highest).clamp(lowest, self.selected);
    }
}
