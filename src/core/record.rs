//! Records: immutable claims with their provenance and evidence.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};
use unicode_normalization::UnicodeNormalization;

pub use super::epoch::Epoch;
use super::epoch::Opening;
use super::number::RequestId;
use super::time::{Instant, When};

/// A text that names something: cheap to copy, ordered by its characters.
macro_rules! name {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

/// A name taken as it is, to the byte.
macro_rules! exact_name {
    ($(#[$doc:meta])* $name:ident) => {
        name!($(#[$doc])* $name);

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }
    };
}

/// A name in Unicode normal form C: two spellings of the same characters are one name, and nothing else is.
macro_rules! normal_name {
    ($(#[$doc:meta])* $name:ident) => {
        name!($(#[$doc])* $name);

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                if unicode_normalization::is_nfc(text) {
                    return Self(text.into());
                }
                Self(text.nfc().collect::<String>().into())
            }
        }
    };
}

exact_name!(
    /// The id of a record, as its memory store gave it.
    RecordId
);
exact_name!(
    /// A source kind: `user_utterance`, `tool_output`, `crm_import` …
    Kind
);
exact_name!(
    /// The name under which records came together: an import, or a batch its source names.
    Batch
);
normal_name!(
    /// Whom or what a claim is about.
    Subject
);
normal_name!(
    /// Which property of the subject is claimed.
    Attribute
);

/// How directly a source knows: the policy maps each source kind to one, and orders them for each attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SourceClass {
    Observation,
    User,
    Inference,
    ThirdParty,
}

/// Whether a record says that a value holds, or that it no longer does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    Assert,
    Retract,
}

/// Where a claim comes from: its kind and class, and every other key that came with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// Absent when the source came without a kind; the record is then unanchored.
    pub kind: Option<Kind>,
    /// A class the record itself states, over the policy's map.
    pub class: Option<SourceClass>,
    /// The source as it came (an object), for people and for output.
    pub fields: Map<String, Value>,
}

/// One immutable claim. Built by `wire` (or an embedding agent), never changed afterwards.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub id: RecordId,
    pub subject: Subject,
    /// Absent: the record is *unslotted*, kept and listed, and compared with nothing.
    pub attribute: Option<Attribute>,
    pub value: Value,
    pub op: Op,
    pub source: Option<Source>,
    /// Valid time: when it was true, or was said to be.
    pub observed_at: Option<When>,
    /// Transaction time: when the memory store wrote it.
    pub written_at: Instant,
    /// When it entered this store. The core decides nothing by it.
    pub recorded_at: Instant,
    pub epoch: Option<Epoch>,
    /// 0 to 1. An ordering, never a probability.
    pub confidence: Option<f64>,
    /// The words or reading that it came from, which a person audits.
    pub evidence: Option<String>,
    /// The request that it answers: what makes it a re-observation, if it qualifies.
    pub answers: Option<RequestId>,
    /// The record whose missing provenance it supplies.
    pub derived_from: Option<RecordId>,
    pub batch: Batch,
}

/// Observed later than this after being written is impossible provenance (clocks differ by minutes, not more).
pub const CLOCK_SKEW: chrono::Duration = chrono::Duration::minutes(5);

/// A record with whole and possible provenance. Only [`Record::anchored`] makes one: what may win takes this type. In its
/// slot it is asked of [`super::policy::Rules`], which also know when an epoch was over.
#[derive(Clone, Copy, Debug)]
pub struct Anchored<'a> {
    pub record: &'a Record,
    pub kind: &'a Kind,
    pub observed_at: When,
    pub epoch: Epoch,
}

/// What a record lacks to be anchored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lack {
    Source,
    ObservedAt,
    Epoch,
    /// Observed later than it was written.
    Possible,
    /// It names an epoch that was over when it was observed: this one had been opened.
    OpenEpoch(Opening),
}

impl Record {
    /// The record as an anchored one, or everything that it lacks.
    pub fn anchored(&self) -> Result<Anchored<'_>, Vec<Lack>> {
        let lacks = self.lacks();
        match (self.kind(), self.observed_at, self.epoch) {
            (Some(kind), Some(observed_at), Some(epoch)) if lacks.is_empty() => {
                Ok(Anchored { record: self, kind, observed_at, epoch })
            }
            _ => Err(lacks),
        }
    }

    /// Whether its provenance is whole and possible.
    pub fn is_anchored(&self) -> bool {
        self.lacks().is_empty()
    }

    /// Everything that keeps it from being anchored; empty when it is.
    pub fn lacks(&self) -> Vec<Lack> {
        let impossible = self.observed_at.is_some_and(|at| at.first() > self.written_at.plus(CLOCK_SKEW));
        [
            (self.kind().is_none(), Lack::Source),
            (self.observed_at.is_none(), Lack::ObservedAt),
            (self.epoch.is_none(), Lack::Epoch),
            (impossible, Lack::Possible),
        ]
        .into_iter()
        .filter_map(|(lacks, what)| lacks.then_some(what))
        .collect()
    }

    /// Its source's kind, where it has one.
    pub fn kind(&self) -> Option<&Kind> {
        self.source.as_ref()?.kind.as_ref()
    }

    /// The last moment at which it can have been observed: what it says, and never after it was written.
    pub fn observed_no_later_than(&self) -> Instant {
        self.observed_at.map_or(self.written_at, |at| at.last().min(self.written_at))
    }

    /// The choice that names pairs and decides nothing: the earliest written, then the smallest id.
    pub fn writing_order(&self) -> (Instant, &RecordId) {
        (self.written_at, &self.id)
    }
}

impl SourceClass {
    pub const ALL: [Self; 4] = [Self::Observation, Self::User, Self::Inference, Self::ThirdParty];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Observation => "observation",
            Self::User => "user",
            Self::Inference => "inference",
            Self::ThirdParty => "third_party",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }
}

impl fmt::Display for SourceClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Op {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Assert => "assert",
            Self::Retract => "retract",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        [Self::Assert, Self::Retract].into_iter().find(|op| op.name() == name)
    }
}

impl Lack {
    /// The opening after which the epoch that is named was over, where that is what is wrong.
    pub fn over(lacks: &[Self]) -> Option<Opening> {
        lacks.iter().find_map(|lack| if let Self::OpenEpoch(opening) = lack { Some(*opening) } else { None })
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::ObservedAt => "observed_at",
            Self::Epoch => "epoch",
            Self::Possible => "possible times",
            Self::OpenEpoch(_) => "an epoch that was still open",
        }
    }
}
