//! Batches as every face of the program shows them: one in a line, its records, and the picture of what it did.

use serde_json::Value;

use super::examine::Ground;
use super::lag::Lags;
use super::pair::{RecordState, Tally};
use super::record::{Attribute, Batch, RecordId, Subject};
use super::ruling::PairId;
use super::time::{Instant, When};

/// A batch in a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    pub batch: Batch,
    /// Grows with every record of it: the batch last recorded has the greatest.
    pub newest: i64,
    pub records: u64,
    pub unslotted: u64,
    /// Records of it that are party to an open pair.
    pub contested: u64,
    pub withdrawn: u64,
    /// Open pairs with a record of it.
    pub pairs: u64,
    pub lag: Option<Lag>,
    /// Its records by how late they were written.
    pub lags: Lags,
    /// Rulings that its records won and lost.
    pub rulings: Tally,
    /// The first and the last time that its records are about.
    pub observed: Option<(Instant, Instant)>,
    pub first_written_at: Instant,
    pub last_written_at: Instant,
    pub recorded_at: Instant,
}

/// How much later records were written than observed, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lag {
    pub median: i64,
    pub least: i64,
    pub greatest: i64,
}

/// A record of a batch in a line, with what the core did with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Its number in the store: of two with one lag the later comes first.
    pub row: i64,
    pub id: RecordId,
    pub subject: Subject,
    pub attribute: Option<Attribute>,
    pub value: Value,
    pub observed_at: Option<When>,
    pub written_at: Instant,
    /// Written minus observed, in seconds; none where it does not say when it was observed.
    pub lag: Option<i64>,
    /// None for an unslotted record, which is compared with nothing.
    pub state: Option<RecordState>,
    pub superseded_by: Option<RecordId>,
    /// The open pair that its claim is party to.
    pub pair: Option<Contest>,
    /// A reader that serves whatever was written last would serve it.
    pub newest: bool,
}

/// An open pair, from the side of one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contest {
    pub pair: PairId,
    pub grounds: Vec<Ground>,
}

/// What a batch did, counted over all of its records.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    pub subjects: u64,
    /// Records that a reader would serve that serves whatever was written last; and those of them that do not live.
    pub newest: u64,
    pub newest_not_live: u64,
    /// Records by attribute, the most first; unslotted ones under none.
    pub attributes: Vec<(Option<Attribute>, u64)>,
    /// Records by what the core did with them, the most first.
    pub states: Vec<(Option<RecordState>, u64)>,
    /// Its open pairs by ground, the most first.
    pub grounds: Vec<(Ground, u64)>,
    pub plane: Plane,
}

/// Records by when they were observed (across) and when they were written (down), on one scale of time for both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plane {
    /// Where both axes begin and end.
    pub between: Option<(Instant, Instant)>,
    /// Fields in rows from the earliest written, each row from the earliest observed; empty where nothing can be drawn.
    pub fields: Vec<Field>,
    /// Records of others that lie beyond the axes, and records of the batch that say no time.
    pub beyond: u64,
}

/// How many records lie in one field of the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Field {
    pub batch: u64,
    pub others: u64,
}

impl Plane {
    /// Fields across.
    pub const ACROSS: usize = 240;
    /// Fields down.
    pub const DOWN: usize = 48;

    /// The picture of a square of fields drawn on fewer cells: the sum of the fields that a cell covers.
    pub fn cell(&self, (x, y): (usize, usize), (across, down): (usize, usize)) -> Field {
        let span = |at: usize, cells: usize, fields: usize| {
            let first = at * fields / cells.max(1);
            first..((at + 1) * fields / cells.max(1)).max(first + 1).min(fields)
        };
        let mut sum = Field::default();
        for row in span(y, down, Self::DOWN) {
            for column in span(x, across, Self::ACROSS) {
                if let Some(field) = self.fields.get(row * Self::ACROSS + column) {
                    sum.batch += field.batch;
                    sum.others += field.others;
                }
            }
        }
        sum
    }
}

/// Which batches are listed, and in which order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    pub sorting: Sorting,
    /// Found anywhere in the name, without regard to (ASCII) case.
    pub text: Option<String>,
}

/// The order of the list; of equals, the one last recorded comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sorting {
    #[default]
    Newest,
    /// By records that are party to an open pair.
    Contested,
    /// By the median lag; those without one come last.
    Lag,
    /// By rulings lost.
    Lost,
}

impl Sorting {
    /// In words, for the header.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Newest => "newest first",
            Self::Contested => "most contested first",
            Self::Lag => "greatest lag first",
            Self::Lost => "most lost first",
        }
    }

    /// The one after it, round and round.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Newest => Self::Contested,
            Self::Contested => Self::Lag,
            Self::Lag => Self::Lost,
            Self::Lost => Self::Newest,
        }
    }
}
