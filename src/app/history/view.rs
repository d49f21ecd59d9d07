//! What is drawn of the plane: the whole of it, or a part around the crosshairs.

use chrono::Duration;

use super::super::asks::history::{Crosshairs, Slot};
use super::layout::Pane;
use crate::core::plane::{Frame, Span};
use crate::core::time::Instant;

/// A part is never shorter than this: the times of records are told by the second.
const SHORTEST: i64 = 60_000;

/// How near one looks, and where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// How often the whole was halved.
    pub zoom: u32,
    /// The middle of what is drawn, observed and written; none: all of it.
    pub middle: Option<(Instant, Instant)>,
}

impl View {
    /// The part of the plane that is drawn. Both times have one scale, so that what was written when it was observed
    /// lies on the diagonal.
    pub fn frame(self, slot: &Slot, pane: Pane) -> Frame {
        let whole = whole(slot);
        let length = self.length(whole);
        let (observed, written) = match self.middle {
            Some((observed, written)) if length < whole.milliseconds() => {
                (around(observed, length, whole), around(written, length, whole))
            }
            Some(_) | None => (whole, whole),
        };
        Frame { observed, written, columns: pane.columns, rows: pane.rows }
    }

    fn length(self, whole: Span) -> i64 {
        let halved = whole.milliseconds() >> self.zoom.min(62);
        halved.max(SHORTEST.min(whole.milliseconds()))
    }

    /// Nearer, around the crosshairs; says whether it can go nearer.
    pub fn nearer(&mut self, slot: &Slot, at: Crosshairs) -> bool {
        let nearer = Self { zoom: self.zoom + 1, middle: Some(middle(slot, at)) };
        let can = nearer.length(whole(slot)) < self.length(whole(slot));
        if can {
            *self = nearer;
        }
        can
    }

    /// Farther, up to the whole; says whether it was not there already.
    pub fn farther(&mut self, slot: &Slot, at: Crosshairs) -> bool {
        let can = self.zoom > 0;
        let middle = if self.zoom > 1 { Some(middle(slot, at)) } else { None };
        *self = Self { zoom: self.zoom.saturating_sub(1), middle };
        can
    }

    /// Where the crosshairs have left what is drawn, it follows them.
    pub fn follow(&mut self, slot: &Slot, at: Crosshairs, pane: Pane) {
        let frame = self.frame(slot, pane);
        let (observed, written) = middle(slot, at);
        let whole = whole(slot);
        let lost = |span: Span, at: Instant| whole.holds(at) && !span.holds(at);
        if self.middle.is_some() && (lost(frame.observed, observed) || lost(frame.written, written)) {
            self.middle = Some((observed, written));
        }
    }
}

/// The moments that the crosshairs stand for: observed, written.
pub fn middle(slot: &Slot, at: Crosshairs) -> (Instant, Instant) {
    (at.about.unwrap_or(slot.now), at.believed_at.unwrap_or(slot.now))
}

/// All of it, with some air where it begins.
fn whole(slot: &Slot) -> Span {
    let length = slot.to.since(slot.from);
    let air = (length / 30).max(Duration::minutes(1));
    Span { from: slot.from.plus(-air), to: slot.to }
}

fn around(middle: Instant, length: i64, whole: Span) -> Span {
    let half = Duration::milliseconds(length / 2);
    let from = middle.plus(-half).max(whole.from).min(whole.to.plus(-Duration::milliseconds(length)));
    Span { from, to: from.plus(Duration::milliseconds(length)) }
}
