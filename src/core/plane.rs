//! The records of a slot in both times: where each stands on a plane of *observed* across and *written* up, the moments
//! at which an answer may change, and what a store would say that picks its winner by an order alone.

use std::collections::BTreeMap;

use super::time::{Instant, When};

/// One record, as far as its place goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    pub observed: Option<When>,
    pub written: Instant,
    /// Which of the slot's distinct values it says, counted from 0.
    pub value: usize,
    /// Its number in the order in which records entered the store.
    pub arrived: i64,
}

/// A stretch of time, both ends within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub from: Instant,
    pub to: Instant,
}

/// What is drawn of the plane: a stretch of each time, cut into cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    pub observed: Span,
    pub written: Span,
    pub columns: u16,
    pub rows: u16,
}

/// A cell with records in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub column: u16,
    /// Counted from the earliest written.
    pub row: u16,
    pub records: u64,
    /// The value that most of them say; of several, the first of the slot's values.
    pub value: usize,
    /// Whether they say more than one value.
    pub mixed: bool,
}

/// A record that says a day, a month or a year reaches over these columns too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reach {
    pub row: u16,
    pub from: u16,
    pub to: u16,
}

/// The records within a frame, counted cell by cell, and how many stand beyond each edge of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plane {
    /// By row, then column.
    pub cells: Vec<Cell>,
    /// In order, each once.
    pub reaches: Vec<Reach>,
    pub beyond: Beyond,
}

/// Records that a frame leaves out. One that stands beyond two edges is counted at the left or the right one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beyond {
    pub left: u64,
    pub right: u64,
    pub below: u64,
    pub above: u64,
    /// They do not say when they were observed: they stand nowhere.
    pub undated: u64,
}

impl Span {
    /// How long it is, in milliseconds; never less than one.
    pub fn milliseconds(self) -> i64 {
        self.to.since(self.from).num_milliseconds().max(1)
    }

    /// Whether the moment lies within it.
    pub fn holds(self, at: Instant) -> bool {
        self.from <= at && at <= self.to
    }

    /// The cell of a moment where the span is cut into so many; none outside.
    pub fn place(self, at: Instant, cells: u16) -> Option<u16> {
        if !self.holds(at) || cells == 0 {
            return None;
        }
        let part = i128::from(at.since(self.from).num_milliseconds()) * i128::from(cells);
        let cell = part / (i128::from(self.milliseconds()) + 1);
        u16::try_from(cell).ok().map(|cell| cell.min(cells - 1))
    }

    /// The first moment of a cell.
    pub fn moment(self, cell: u16, cells: u16) -> Instant {
        let part = i128::from(self.milliseconds()) * i128::from(cell) / i128::from(cells.max(1));
        self.from.plus(chrono::Duration::milliseconds(i64::try_from(part).unwrap_or(0)))
    }
}

/// Lays records out on the plane. A record stands where the time that it says begins.
pub fn plane(spots: impl IntoIterator<Item = Spot>, frame: Frame) -> Plane {
    let mut cells: BTreeMap<(u16, u16), BTreeMap<usize, u64>> = BTreeMap::new();
    let mut plane = Plane::default();
    for spot in spots {
        let Some(observed) = spot.observed else {
            plane.beyond.undated += 1;
            continue;
        };
        let place =
            (frame.written.place(spot.written, frame.rows), frame.observed.place(observed.first(), frame.columns));
        let (Some(row), Some(column)) = place else {
            plane.beyond.count(observed.first(), spot.written, frame);
            continue;
        };
        *cells.entry((row, column)).or_default().entry(spot.value).or_default() += 1;
        let to = frame.observed.place(observed.last(), frame.columns).unwrap_or(frame.columns.saturating_sub(1));
        if to > column {
            plane.reaches.push(Reach { row, from: column, to });
        }
    }
    plane.reaches.sort_unstable();
    plane.reaches.dedup();
    plane.cells = cells.into_iter().map(|((row, column), values)| cell(row, column, &values)).collect();
    plane
}

fn cell(row: u16, column: u16, values: &BTreeMap<usize, u64>) -> Cell {
    let most = values.iter().max_by_key(|(value, count)| (**count, std::cmp::Reverse(**value)));
    Cell {
        column,
        row,
        records: values.values().sum(),
        value: most.map_or(0, |(value, _)| *value),
        mixed: values.len() > 1,
    }
}

impl Beyond {
    fn count(&mut self, observed: Instant, written: Instant, frame: Frame) {
        let edge = if observed < frame.observed.from {
            &mut self.left
        } else if observed > frame.observed.to {
            &mut self.right
        } else if written < frame.written.from {
            &mut self.below
        } else {
            &mut self.above
        };
        *edge += 1;
    }
}

/// The moment so many steps away in a list of moments (in order, each once) among which *now* has its place: behind
/// all that are not later. None is *now*, on the way in and out. It stops at both ends.
pub fn step(moments: &[Instant], from: Option<Instant>, now: Instant, by: i64) -> Option<Instant> {
    let here = moments.partition_point(|at| *at <= now);
    // The places before and behind in the list with *now* in it, as if it stood at `here`.
    let (before, behind) = match from {
        None => (here.checked_sub(1), here + 1),
        Some(at) => {
            let (less, not_more) =
                (moments.partition_point(|it| *it < at), moments.partition_point(|it| *it <= at));
            if at > now { (Some(less), not_more + 1) } else { (less.checked_sub(1), not_more) }
        }
    };
    let further = usize::try_from(by.unsigned_abs().saturating_sub(1)).unwrap_or(usize::MAX);
    let place = match before {
        _ if by == 0 => return from,
        _ if by > 0 && behind <= moments.len() => behind.saturating_add(further).min(moments.len()),
        Some(before) if by < 0 => before.saturating_sub(further),
        Some(_) | None => return from,
    };
    match place.cmp(&here) {
        std::cmp::Ordering::Less => moments.get(place).copied(),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => moments.get(place - 1).copied(),
    }
}

/// The record that a store answers with which takes the last one written; by a time of belief, where one is given.
pub fn last_written(spots: &[Spot], believed_at: Option<Instant>) -> Option<usize> {
    known(spots, believed_at).max_by_key(|(_, spot)| (spot.written, spot.arrived)).map(|(at, _)| at)
}

/// The record that a store answers with which takes the last one observed, of those certainly observed by `about`.
pub fn last_observed(spots: &[Spot], believed_at: Option<Instant>, about: Option<Instant>) -> Option<usize> {
    known(spots, believed_at)
        .filter_map(|(at, spot)| Some((at, spot, spot.observed?.last())))
        .filter(|(_, _, observed)| about.is_none_or(|about| *observed <= about))
        .max_by_key(|(_, spot, observed)| (*observed, spot.written, spot.arrived))
        .map(|(at, _, _)| at)
}

fn known(spots: &[Spot], believed_at: Option<Instant>) -> impl Iterator<Item = (usize, &Spot)> {
    spots.iter().enumerate().filter(move |(_, spot)| believed_at.is_none_or(|at| spot.written <= at))
}
