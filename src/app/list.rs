//! A list of which only a window is held: the rows around what is selected, so that a million rows cost what forty do.
//!
//! Positions are those in the whole list. What is selected is a row, not a place: when others write, the same row
//! stays selected wherever it has moved to.

/// Rows held beyond each end of what is visible: a page key lands on a row that is there.
pub const MARGIN: usize = 96;
/// A new window is asked for when the selection comes this near to the end of the rows held.
const NEAR: u64 = 48;

/// What stands in a list: it is told from the other rows by its id, wherever it stands.
pub trait Row: Clone {
    type Id: PartialEq + Clone;

    fn id(&self) -> Self::Id;
}

/// Where a window is to stand.
#[derive(Clone, Debug, PartialEq)]
pub enum Anchor<R> {
    First,
    Last,
    /// At this row; where it has left the list, at what stands in its place (the last one, past the end).
    At(Box<R>),
}

/// A window asked for: up to `before` rows before the anchor, the anchor, and up to `after` rows after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Around<R> {
    pub anchor: Anchor<R>,
    pub before: usize,
    pub after: usize,
}

/// A question for a window, by its number: answers to earlier ones are dropped.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked<R> {
    pub generation: u64,
    pub around: Around<R>,
}

/// The window asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Window<R> {
    pub rows: Vec<R>,
    /// How many rows of the list stand before the first.
    pub start: u64,
    /// How many rows the list has in all.
    pub total: u64,
    /// The place of the anchor within the rows; 0 where there are none.
    pub anchor: usize,
}

/// The list as the screen holds it.
#[derive(Clone, Debug)]
pub struct List<R: Row> {
    total: u64,
    rows: Vec<R>,
    /// The position of the first row held.
    start: u64,
    selected: u64,
    /// The position of the first row shown.
    offset: u64,
    height: u64,
    /// The number of the last question.
    generation: u64,
    waiting: bool,
    loaded: bool,
    /// The selection goes to the anchor of the answer, rather than staying on its row.
    jumps: bool,
    /// What was selected when the window was asked for.
    asked_at: Option<R::Id>,
}

/// Where an answer put the selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landed {
    /// An answer to an older question.
    Outdated,
    Kept,
    Moved,
    /// The selection has moved out of this window meanwhile: a newer one is to be asked for.
    Missed,
}

impl<R: Row> List<R> {
    /// The row that is selected.
    pub fn current(&self) -> Option<&R> {
        self.at(self.selected)
    }

    /// The place of the selection, counted from 1; 0 in an empty list.
    pub const fn ordinal(&self) -> u64 {
        if self.total() == 0 { 0 } else { self.position() + 1 }
    }

    /// The place of the selection in the whole list, counted from 0.
    pub const fn position(&self) -> u64 {
        self.selected
    }

    /// How many rows the whole list has.
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// The row at a place, where it is held.
    pub fn at(&self, position: u64) -> Option<&R> {
        self.rows.get(usize::try_from(position.checked_sub(self.start)?).ok()?)
    }

    /// The rows to be drawn, each with its place.
    pub fn visible(&self) -> impl Iterator<Item = (u64, &R)> {
        let (first, last) = (self.offset, (self.offset + self.height).min(self.total));
        (first..last).filter_map(|position| Some((position, self.at(position)?)))
    }

    /// The position of the first row shown.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// How many rows are shown.
    pub const fn height(&self) -> u64 {
        self.height
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
        let last = self.start + (self.rows.len() as u64).saturating_sub(1);
        let aim = self.selected.saturating_add_signed(by).clamp(self.start, last);
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
    pub fn refill(&mut self) -> Option<Asked<R>> {
        let end = self.start + self.rows.len() as u64;
        let near_start = self.start > 0 && self.selected < self.start + NEAR;
        let near_end = end < self.total && self.selected + NEAR >= end;
        if self.waiting || !(near_start || near_end) { None } else { self.reload() }
    }

    /// Asks for the window around the selection again. A jump that is under way is not forgotten for it.
    pub fn reload(&mut self) -> Option<Asked<R>> {
        if self.jumps && self.waiting {
            return None;
        }
        let anchor = self.current().map_or(Anchor::First, |row| Anchor::At(Box::new(row.clone())));
        Some(self.ask(anchor))
    }

    /// Goes to an anchor, wherever it is.
    pub fn jump(&mut self, anchor: Anchor<R>) -> Asked<R> {
        self.jumps = true;
        self.ask(anchor)
    }

    fn ask(&mut self, anchor: Anchor<R>) -> Asked<R> {
        self.generation += 1;
        self.asked_at = self.current().map(Row::id);
        self.waiting = true;
        let margin = MARGIN + usize::try_from(self.height).unwrap_or(0);
        Asked { generation: self.generation, around: Around { anchor, before: margin, after: margin } }
    }

    /// A window has come.
    pub fn land(&mut self, generation: u64, window: Window<R>) -> Landed {
        if generation != self.generation {
            return Landed::Outdated;
        }
        let was = self.current().map(Row::id);
        let place = |id: &R::Id| window.rows.iter().position(|row| row.id() == *id);
        let kept = was.as_ref().filter(|_| !self.jumps).and_then(place);
        self.waiting = false;
        if kept.is_none() && !self.jumps && was != self.asked_at {
            return Landed::Missed;
        }
        let shown_at = self.selected.saturating_sub(self.offset);
        let row = kept.unwrap_or(window.anchor).min(window.rows.len().saturating_sub(1));
        (self.rows, self.start, self.total) = (window.rows, window.start, window.total);
        self.selected = self.start + row as u64;
        // It stays on the line of the screen on which it was.
        self.offset = self.selected.saturating_sub(shown_at);
        (self.jumps, self.loaded) = (false, true);
        self.follow();
        if kept.is_some() { Landed::Kept } else { Landed::Moved }
    }

    /// Whatever window was asked for last did not come.
    pub const fn give_up(&mut self) {
        let _waited = self.failed(self.generation);
    }

    /// A window did not come; says whether it was the one that is waited for.
    pub const fn failed(&mut self, generation: u64) -> bool {
        let waited = generation == self.generation;
        if waited {
            (self.waiting, self.jumps) = (false, false);
        }
        waited
    }

    /// Moves the offset no more than is needed to show the selection.
    fn follow(&mut self) {
        let lowest = (self.selected + 1).saturating_sub(self.height);
        let highest = self.total.saturating_sub(self.height);
        self.offset = self.offset.min(highest).clamp(lowest, self.selected);
    }
}

impl<R: Row> Default for List<R> {
    fn default() -> Self {
        Self {
            total: 0,
            rows: Vec::new(),
            start: 0,
            selected: 0,
            offset: 0,
            height: 1,
            generation: 0,
            waiting: false,
            loaded: false,
            jumps: false,
            asked_at: None,
        }
    }
}

impl<R> Default for Window<R> {
    fn default() -> Self {
        Self { rows: Vec::new(), start: 0, total: 0, anchor: 0 }
    }
}

impl<R> Around<R> {
    /// Cuts the window out of a list that is there whole. `place` says where the anchor's row belongs in it.
    pub fn of(&self, all: &[R], place: impl FnOnce(&R) -> usize) -> Window<R>
    where
        R: Clone,
    {
        let last = all.len().saturating_sub(1);
        let anchor = match &self.anchor {
            Anchor::First => 0,
            Anchor::Last => last,
            Anchor::At(row) => place(row).min(last),
        };
        let start = anchor.saturating_sub(self.before);
        let rows = all.iter().skip(start).take(anchor - start + 1 + self.after).cloned().collect();
        Window { rows, start: start as u64, total: all.len() as u64, anchor: anchor - start }
    }
}
