//! The triage screen: the queue beside the pair that is selected in it, and when a decision may be taken on it.

pub(super) mod keys;

use chrono::Duration;

use super::compare::{self, Row};
use super::evidence::{self, Wrapped};
use super::geometry::Geometry;
use super::msg::Effect;
use super::queue::Queue;
use crate::core::examine::Side;
use crate::core::pair::{Pair, Revision};
use crate::core::ruling::PairId;
use crate::core::text::shown_value;
use crate::core::time::Instant;

/// How long decision keys rest after a ruling. Each press during the rest begins it anew, so that a held key rules once.
pub const REST: Duration = Duration::milliseconds(150);

/// The sub-model of the triage screen.
#[derive(Clone, Debug)]
pub struct Triage {
    pub queue: Queue,
    pub focus: Focus,
    /// Columns by which long lines are scrolled.
    pub sideways: usize,
    /// Lines by which the evidence is scrolled.
    pub down: usize,
    pub wrap: bool,
    /// The pair on the whole screen.
    pub full: bool,
    pub blind: bool,
    pair: Option<Box<Pair>>,
    rows: Vec<Row>,
    evidence: [Option<Wrapped>; 2],
    wrapped_for: Option<u16>,
    /// What stood on the screen when it was last drawn.
    drawn: Option<(PairId, Revision)>,
    rest_until: Option<Instant>,
    /// A ruling was made, and the pair that comes after it has not been drawn yet.
    ruled: bool,
}

/// What `h l`, copy and the batch keys are about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    #[default]
    Queue,
    Record(Side),
}

/// Why a decision key does nothing just now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotYet {
    NothingSelected,
    /// The pair has not been drawn as it now is.
    Unseen,
    Resting,
}

impl Triage {
    pub fn new() -> Self {
        Self {
            queue: Queue::new(),
            focus: Focus::Queue,
            sideways: 0,
            down: 0,
            wrap: true,
            full: false,
            blind: false,
            pair: None,
            rows: Vec::new(),
            evidence: [None, None],
            wrapped_for: None,
            drawn: None,
            rest_until: None,
            ruled: false,
        }
    }

    /// The pair on the screen: the one that is selected, once it has come.
    pub fn pair(&self) -> Option<&Pair> {
        let selected = self.queue.current()?.pair;
        self.pair.as_deref().filter(|pair| pair.entry.pair == selected)
    }

    /// The lines of the comparison.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// One record's evidence, wrapped.
    pub const fn evidence(&self, side: Side) -> Option<&Wrapped> {
        let [left, right] = &self.evidence;
        match side {
            Side::Left => left.as_ref(),
            Side::Right => right.as_ref(),
        }
    }

    /// By how many columns what is longer than its column can be scrolled: until its end stands at the edge.
    pub fn beyond(&self, geometry: Geometry) -> usize {
        let cells = self.rows.iter().filter(|row| row.name.is_scrolled()).flat_map(|row| &row.sides);
        let lines = cells.map(|cell| evidence::cells(&cell.pieces));
        let widest = lines.chain(self.evidence.iter().flatten().map(|wrapped| wrapped.widest)).max().unwrap_or(0);
        widest.saturating_sub(usize::from(geometry.side))
    }

    /// The lines of the longer evidence.
    pub fn evidence_lines(&self) -> usize {
        self.evidence.iter().flatten().map(|wrapped| wrapped.lines.len()).max().unwrap_or(0)
    }

    /// The side that copy, withdraw and the like are about; A where the queue has the focus.
    pub const fn side(&self) -> Side {
        match self.focus {
            Focus::Queue => Side::Left,
            Focus::Record(side) => side,
        }
    }

    /// Another pair is selected: its records are asked for, and what was scrolled starts anew.
    pub fn selected(&mut self) -> Vec<Effect> {
        (self.sideways, self.down) = (0, 0);
        self.queue.current().map(|entry| Effect::Pair(entry.pair)).into_iter().collect()
    }

    /// A pair has come; one that is no longer selected is dropped.
    pub fn show(&mut self, pair: Option<Pair>, geometry: Geometry, now: Instant) {
        let Some(pair) = pair else {
            self.pair = None;
            return;
        };
        if self.queue.current().is_none_or(|entry| entry.pair != pair.entry.pair) {
            return;
        }
        self.pair = Some(Box::new(pair));
        self.wrapped_for = None;
        self.lay_out(geometry, now);
    }

    /// Builds what is drawn of the pair: when it comes, when the width changes, when wrap or blind is switched.
    pub fn lay_out(&mut self, geometry: Geometry, now: Instant) {
        let Some(pair) = self.pair.as_deref() else { return };
        self.rows = compare::rows(pair, self.blind, now);
        let width = self.wrap.then_some(geometry.side);
        if self.wrapped_for != Some(width.unwrap_or(0)) {
            self.evidence = [&pair.left, &pair.right].map(|side| {
                let text = side.record.evidence.as_deref()?;
                Some(evidence::wrap(text, &shown_value(&side.record.value), width))
            });
            self.wrapped_for = Some(width.unwrap_or(0));
        }
        self.down = self.down.min(self.evidence_lines().saturating_sub(1));
    }

    /// The screen was drawn: what stands there has now been seen.
    pub fn drawn(&mut self, at: Instant) {
        let seen = self.pair().map(|pair| (pair.entry.pair, pair.revision));
        // The next pair rests from when it is seen, not from when the last was ruled on.
        if self.ruled && seen.is_some() && seen != self.drawn {
            self.ruled = false;
            self.rest(at);
        }
        self.drawn = seen;
    }

    /// The pair that the reviewer looks at, unless it is being ruled on.
    pub(super) fn looked_at(&self) -> Option<PairId> {
        self.drawn.map(|(pair, _)| pair).filter(|_| !self.ruled)
    }

    /// A ruling is on its way: decision keys rest from now, and again from when the next pair is seen.
    pub fn rule(&mut self, now: Instant) {
        self.ruled = true;
        self.rest(now);
    }

    fn rest(&mut self, now: Instant) {
        self.rest_until = Some(now.plus(REST));
    }

    /// Whether decision keys rest; a press during the rest begins it anew.
    pub fn rests(&mut self, now: Instant) -> bool {
        let rests = self.rest_until.is_some_and(|until| now < until);
        if rests {
            self.rest(now);
        }
        rests
    }

    /// The pair that a decision key rules on, if it may now.
    pub fn ready(&mut self, now: Instant) -> Result<&Pair, NotYet> {
        if self.rests(now) {
            return Err(NotYet::Resting);
        }
        let drawn = self.drawn;
        let pair = match (self.queue.current(), self.pair()) {
            (None, _) => return Err(NotYet::NothingSelected),
            (Some(_), None) => return Err(NotYet::Unseen),
            (Some(_), Some(pair)) => pair,
        };
        if drawn == Some((pair.entry.pair, pair.revision)) { Ok(pair) } else { Err(NotYet::Unseen) }
    }
}

impl Default for Triage {
    fn default() -> Self {
        Self::new()
    }
}

impl Focus {
    /// Round and round: the queue, A, B.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Queue => Self::Record(Side::Left),
            Self::Record(Side::Left) => Self::Record(Side::Right),
            Self::Record(Side::Right) => Self::Queue,
        }
    }

    #[must_use]
    pub const fn previous(self) -> Self {
        self.next().next()
    }
}

impl NotYet {
    pub const fn words(self) -> &'static str {
        match self {
            Self::NothingSelected => "no pair is selected: nothing to decide on",
            Self::Unseen => "this pair is not on the screen yet: look at it first",
            Self::Resting => "decision keys rest for a moment after a ruling: look at this pair first",
        }
    }
}
