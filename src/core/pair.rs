//! An entry of the queue, as every face of the program shows it.

use super::answer::FellShort;
use super::examine::{Examination, Ground, Side};
use super::permit::{Action, Permission, Permitted};
use super::policy::Rules;
use super::record::{Attribute, Epoch, Kind, Lack, Record, RecordId, SourceClass, Subject};
use super::ruling::{PairId, RequestId};
use super::time::Instant;

/// Where a pair stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PairState {
    Open,
    /// Open, with its re-observation requested.
    Awaiting,
    /// Open, and out of the way until a time.
    Deferred,
    Settled,
}

/// A pair as one line of the queue.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub pair: PairId,
    pub state: PairState,
    pub subject: Subject,
    pub attribute: Attribute,
    pub grounds: Vec<Ground>,
    /// The two records, the earlier written first, each with its value.
    pub records: [RecordId; 2],
    pub values: [serde_json::Value; 2],
    pub opened_at: Instant,
    pub deferred_until: Option<Instant>,
}

/// What became of a record in its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RecordState {
    Live,
    Superseded,
    /// Party to an open pair.
    Contested,
    /// Out of contention since a re-observation.
    History,
    Withdrawn,
    /// Its value was taken back.
    Retracted,
}

/// A record with what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedRecord {
    pub record: Record,
    pub class: Option<SourceClass>,
    /// Everything that keeps it from being anchored in its slot; empty when it is.
    pub lacks: Vec<Lack>,
    /// None for an unslotted record, which is compared with nothing.
    pub state: Option<RecordState>,
    pub superseded_by: Option<RecordId>,
}

impl JudgedRecord {
    /// Whether its provenance is whole and possible, as far as its slot knows.
    pub const fn is_anchored(&self) -> bool {
        self.lacks.is_empty()
    }
}

/// How a source kind fared in past rulings on one attribute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub won: u64,
    pub lost: u64,
}

/// One pair whole: both records, the checklist, the finding and what is permitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    pub entry: Entry,
    pub left: JudgedRecord,
    pub right: JudgedRecord,
    pub rules: Rules,
    pub examination: Examination,
    pub permitted: Vec<Permitted>,
    /// How many claims contend in the slot.
    pub contenders: usize,
    /// The request it waits for: by whom and since when.
    pub request: Option<Requested>,
    /// What came as an answer to that request, and settled nothing.
    pub fell_short: Vec<FellShort>,
    /// The latest ruling on this pair that counts.
    pub ruled: Option<Ruled>,
    /// Past rulings on this attribute, of the left and of the right record's source kind.
    pub tallies: [Tally; 2],
    /// Where two names are in doubt: what else is said of both, and whether it is the same.
    pub shared: Vec<Shared>,
    /// What the records of its slot named before.
    pub known: Known,
    /// Changes whenever anything in the slot does: an order against another revision is refused.
    pub revision: Revision,
}

/// What the records of a slot named: of a great many, the latest that came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Each epoch that was observed or opened, the latest first, with how many records name it.
    pub epochs: Vec<(Epoch, u64)>,
    /// Each source kind, the commonest first.
    pub kinds: Vec<(Kind, u64)>,
    /// What is said to have begun an epoch, where somebody said so.
    pub causes: Vec<(Epoch, String)>,
}

impl Known {
    /// What is said to have begun the epoch.
    pub fn cause(&self, epoch: Epoch) -> Option<&str> {
        self.causes.iter().find(|(of, _)| *of == epoch).map(|(_, cause)| cause.as_str())
    }
}

/// An attribute of which two names each have a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Shared {
    pub attribute: Attribute,
    /// The left record's name first.
    pub values: [serde_json::Value; 2],
    pub agrees: bool,
}

/// What a pair was when it was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Revision(pub i64);

/// A request that is open.
#[derive(Clone, Debug, PartialEq)]
pub struct Requested {
    pub request: RequestId,
    pub by: String,
    pub at: Instant,
}

/// Who ruled what, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruled {
    pub ruling: super::ruling::RulingId,
    pub by: String,
    pub at: Instant,
    /// The kind of the ruling, as the log names it.
    pub what: String,
}

impl Pair {
    /// One side's record.
    pub const fn record(&self, side: Side) -> &JudgedRecord {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }

    /// Whether an action is permitted.
    pub fn permission(&self, action: Action) -> Option<&Permission> {
        self.permitted.iter().find(|permitted| permitted.action == action).map(|permitted| &permitted.permission)
    }
}

impl PairState {
    pub const ALL: [Self; 4] = [Self::Open, Self::Awaiting, Self::Deferred, Self::Settled];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Awaiting => "awaiting",
            Self::Deferred => "deferred",
            Self::Settled => "settled",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

impl RecordState {
    pub const ALL: [Self; 6] =
        [Self::Live, Self::Superseded, Self::Contested, Self::History, Self::Withdrawn, Self::Retracted];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Superseded => "superseded",
            Self::Contested => "contested",
            Self::History => "history",
            Self::Withdrawn => "withdrawn",
            Self::Retracted => "retracted",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}
