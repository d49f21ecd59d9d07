//! What the history screen asks. A slot may hold a hundred thousand records: a window of them is asked for, and a plane
//! of counts, never all of them.

use serde_json::Value;

use crate::app::list::{Around, Row, Window};
use crate::core::pair::{Entry, JudgedRecord, RecordState};
use crate::core::plane::{Frame, Plane};
use crate::core::policy::{Cardinality, OnChange};
use crate::core::recall::AsOf;
use crate::core::record::{Attribute, Batch, Epoch, Kind, Lack, RecordId, Subject};
use crate::core::ruling::{PairId, RulingId};
use crate::core::settle::{EdgeKind, Status};
use crate::core::time::{Instant, When};

/// The slot that a question is about, by the names under which it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub subject: Subject,
    pub attribute: Attribute,
}

/// A question about one slot.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// The slot in a few words: its policy, its values, its extent in time.
    Slot(Named),
    /// Its records on the plane of both times, counted cell by cell.
    Plane { of: Named, frame: Frame },
    /// A window of its records, with rulings and epochs among them.
    Lines { of: Named, generation: u64, around: Around<Line> },
    /// The crosshairs so many changes further, and what the orders alone say there.
    Move { of: Named, number: u64, from: Crosshairs, by: Steps },
    /// What the core answers there.
    Recall { of: Named, number: u64, at: Crosshairs, long: bool },
    /// One record whole.
    Record { of: Named, record: RecordId },
    /// The record as JSON, for the clipboard.
    Json { of: Named, record: RecordId },
    /// An open pair, to be opened in triage.
    Pair(PairId),
}

impl Question {
    /// Whether it may take long: it is then answered beside the quick ones, shows how far it is, and can be cancelled.
    pub const fn is_long(&self) -> bool {
        match self {
            Self::Recall { long, .. } => *long,
            Self::Slot(_)
            | Self::Plane { .. }
            | Self::Lines { .. }
            | Self::Move { .. }
            | Self::Record { .. }
            | Self::Json { .. }
            | Self::Pair(_) => false,
        }
    }
}

/// What comes back; each says what it answers, so that what is outdated can be dropped.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Slot { of: Named, slot: Box<Slot> },
    Plane { of: Named, frame: Frame, plane: Plane },
    Lines { of: Named, generation: u64, window: Window<Line> },
    Moved { of: Named, number: u64, moved: Box<Moved> },
    Recalled { of: Named, number: u64, believed: Box<Believed> },
    Record { of: Named, whole: Option<Box<Whole>> },
    Json { text: String },
    Pair(Option<Box<Entry>>),
}

/// Where one looks from, and at: *believed at* a moment of the store, *about* a moment of the world. None is now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crosshairs {
    pub believed_at: Option<Instant>,
    pub about: Option<Instant>,
}

/// How many changes further, in each of the times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    pub believed_at: i64,
    pub about: i64,
}

/// A slot in a few words.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// Its canonical subject.
    pub subject: Subject,
    pub cardinality: Option<Cardinality>,
    pub on_change: OnChange,
    pub records: u64,
    /// Those that do not say when they were observed.
    pub undated: u64,
    pub rulings: u64,
    /// The most frequent values, each with how many records say it.
    pub values: Vec<(Value, u64)>,
    /// How many distinct values it holds in all.
    pub distinct: u64,
    pub open_pairs: Vec<PairId>,
    /// The first and the last moment at which something was observed or written; now is within it.
    pub from: Instant,
    pub to: Instant,
    pub now: Instant,
}

/// Where the crosshairs have come to, and the records that stores would answer with there which go by an order alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    pub at: Crosshairs,
    pub last_written: Option<Said>,
    pub last_observed: Option<Said>,
}

/// What one record says.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    pub record: RecordId,
    pub value: Value,
    /// It takes the value back.
    pub retracts: bool,
}

/// What the core answers, and on what it rests.
#[derive(Clone, Debug, PartialEq)]
pub struct Believed {
    pub at: Crosshairs,
    pub status: Status,
    pub cardinality: Option<Cardinality>,
    /// The values that live, as many of them as a screen shows.
    pub values: Vec<Value>,
    pub more_values: u64,
    /// The records it rests on, the one that speaks first.
    pub records: Vec<RecordId>,
    pub more_records: u64,
    pub rulings: Vec<RulingId>,
    pub pairs: Vec<PairId>,
    /// The version of the policy.
    pub policy: i64,
}

/// One line of the list.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    Record(Box<RecordLine>),
    Ruling(Box<RulingLine>),
    /// A new world-state: what follows was observed in it, or later.
    Epoch {
        epoch: Epoch,
        first_observed_at: When,
        cause: Option<String>,
        /// Since when it holds, and who said so, where somebody did.
        opened: Option<(Instant, String)>,
    },
    /// The records that follow do not say when they were observed.
    Undated {
        records: u64,
    },
}

/// A line of the list, told from the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineId {
    Record(RecordId),
    Ruling(RulingId),
    Epoch(Epoch),
    Undated,
}

/// A record in a line.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordLine {
    pub id: RecordId,
    pub value: Value,
    /// Which of the slot's values it is, the most frequent counted 0.
    pub mark: usize,
    pub retracts: bool,
    pub kind: Option<Kind>,
    pub observed_at: Option<When>,
    pub written_at: Instant,
    pub epoch: Option<Epoch>,
    pub lacks: Vec<Lack>,
    pub batch: Batch,
    pub state: Option<RecordState>,
    pub superseded_by: Option<RecordId>,
    pub links: Vec<Linked>,
    pub more_links: u64,
    pub open_pair: Option<PairId>,
}

/// A link of a record to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Linked {
    pub kind: EdgeKind,
    /// Whether this record is the newer or winning side.
    pub from_here: bool,
    pub other: RecordId,
    /// What the other one says.
    pub value: Value,
}

/// A ruling in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulingLine {
    pub ruling: RulingId,
    pub at: Instant,
    pub actor: String,
    /// As the log names it.
    pub kind: String,
    /// What was decided, in words.
    pub what: String,
    pub reason: Option<String>,
    pub pair: Option<PairId>,
    pub undone: bool,
}

/// A record whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Whole {
    pub judged: JudgedRecord,
    pub links: Vec<Linked>,
    pub more_links: u64,
    pub open_pair: Option<PairId>,
}

impl Crosshairs {
    /// The question to `recall`.
    pub fn as_of(self) -> AsOf {
        AsOf { believed_at: self.believed_at, about: self.about.map(When::At) }
    }
}

impl Steps {
    /// Whether it goes anywhere.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }
}

impl Line {
    /// The record, where it is one.
    pub fn record(&self) -> Option<&RecordLine> {
        if let Self::Record(record) = self { Some(record) } else { None }
    }
}

impl Row for Line {
    type Id = LineId;

    fn id(&self) -> LineId {
        match self {
            Self::Record(record) => LineId::Record(record.id.clone()),
            Self::Ruling(ruling) => LineId::Ruling(ruling.ruling),
            Self::Epoch { epoch, .. } => LineId::Epoch(*epoch),
            Self::Undated { .. } => LineId::Undated,
        }
    }
}
