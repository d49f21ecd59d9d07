//! What the policy screen asks, and the form in which a policy is declared.

use crate::app::list::{Around, Row, Window};
use crate::core::pair::{Entry, Tally};
use crate::core::policy::{AttributePolicy, Declaration};
use crate::core::record::{Attribute, Kind, SourceClass, Subject};
use crate::core::ruling::RulingId;
use crate::core::time::Instant;
use crate::core::tried::Tried;

/// A question about the policy.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// A window of the attributes, declared or not.
    Attributes { generation: u64, around: Around<Line>, found: String, order: AttributeOrder },
    /// A window of the source kinds: those without a class first, then by how many records they wrote.
    Kinds { generation: u64, around: Around<KindLine> },
    /// One attribute whole.
    Attribute(Attribute),
    /// One source kind whole; none is what came without a source.
    Kind(Option<Kind>),
    /// What a declaration would do.
    Try(Declaration),
}

/// Of questions of one topic only the last is worth an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    Attributes,
    Kinds,
    Detail,
    Try,
}

/// The order of the attributes; the name decides ties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AttributeOrder {
    /// The undeclared ones first, then by how many pairs they hold open.
    #[default]
    Held,
    Name,
    Records,
}

impl Question {
    /// All of them: the store is surveyed for the answers, so they never keep a key waiting.
    pub const fn is_long(&self) -> bool {
        match self {
            Self::Attributes { .. } | Self::Kinds { .. } | Self::Attribute(_) | Self::Kind(_) | Self::Try(_) => {
                true
            }
        }
    }

    /// What it is about: a later question about the same overtakes it.
    pub const fn topic(&self) -> Topic {
        match self {
            Self::Attributes { .. } => Topic::Attributes,
            Self::Kinds { .. } => Topic::Kinds,
            Self::Attribute(_) | Self::Kind(_) => Topic::Detail,
            Self::Try(_) => Topic::Try,
        }
    }
}

/// What comes back.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Attributes { generation: u64, window: Window<Line>, head: Head },
    Kinds { generation: u64, window: Window<KindLine> },
    Attribute(Box<AttributeDetail>),
    Kind(Box<KindDetail>),
    Tried(Box<Tried>),
}

/// The policy in numbers, whatever is shown of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Head {
    pub version: i64,
    pub attributes: u64,
    /// Attributes without a cardinality, and the pairs that they hold open.
    pub undeclared: u64,
    pub held: u64,
}

/// An attribute in a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub attribute: Attribute,
    /// What is declared of it.
    pub fields: AttributePolicy,
    /// For how many subjects it is declared apart.
    pub own: u64,
    pub records: u64,
    /// Open pairs in its slots.
    pub held: u64,
}

impl Line {
    /// Whether it holds one value or many is not declared.
    pub const fn is_undeclared(&self) -> bool {
        self.fields.cardinality.is_none()
    }
}

impl Row for Line {
    type Id = Attribute;

    fn id(&self) -> Attribute {
        self.attribute.clone()
    }
}

/// A source kind in a line; without a kind: what came without a source.
#[derive(Clone, Debug, PartialEq)]
pub struct KindLine {
    pub kind: Option<Kind>,
    pub class: Option<SourceClass>,
    /// Records that state a class of their own.
    pub stated: u64,
    pub records: u64,
    pub lacks: Lacks,
    pub confidence: Spread,
    /// How it fared in rulings, on all attributes together.
    pub tally: Tally,
    /// On how many attributes it was ruled on, and on which most.
    pub ruled_on: u64,
    pub most_on: Option<Attribute>,
}

impl Row for KindLine {
    type Id = Option<Kind>;

    fn id(&self) -> Option<Kind> {
        self.kind.clone()
    }
}

/// How many records of a kind lack what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lacks {
    pub observed_at: u64,
    pub epoch: u64,
    pub confidence: u64,
    pub batch: u64,
}

/// How the confidence that a kind states is spread. One value for everything says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    /// Records that state one, and how many values they state.
    pub stated: u64,
    pub distinct: u64,
    /// There are more values than were counted.
    pub more: bool,
    /// The commonest value, and how many records state it.
    pub commonest: Option<(f64, u64)>,
}

/// One attribute whole.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeDetail {
    pub line: Line,
    /// The declarations that name it, the last first; at most a few hundred, of so many.
    pub versions: Vec<Version>,
    pub versions_in_all: u64,
    /// What is declared of it for single subjects.
    pub own: Vec<(Subject, AttributePolicy)>,
    /// The source kinds that write it, the most frequent first.
    pub kinds: Vec<Writer>,
    /// A few of its open pairs.
    pub pairs: Vec<Entry>,
}

/// A version of the policy that a declaration made.
#[derive(Clone, Debug, PartialEq)]
pub struct Version {
    pub version: i64,
    pub at: Instant,
    pub actor: String,
    pub ruling: RulingId,
    pub subject: Option<Subject>,
    pub fields: AttributePolicy,
    /// Undone since: it no longer counts.
    pub undone: bool,
}

/// A source kind that writes an attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct Writer {
    pub kind: Option<Kind>,
    pub class: Option<SourceClass>,
    /// Its place in the attribute's order of authority, 0 for the system of record; none where it has none.
    pub rank: Option<usize>,
    pub records: u64,
    pub tally: Tally,
}

/// One source kind whole.
#[derive(Clone, Debug, PartialEq)]
pub struct KindDetail {
    pub line: KindLine,
    /// The confidences that it states, the commonest first, with how many records state each.
    pub confidences: Vec<(f64, u64)>,
    /// The classes that its records state themselves.
    pub stated: Vec<(SourceClass, u64)>,
    /// The attributes that it writes, the most frequent first, and how it fared on each.
    pub attributes: Vec<(Attribute, u64, Tally)>,
    pub attributes_in_all: u64,
}

impl AttributeOrder {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Held => "by pairs held",
            Self::Name => "by name",
            Self::Records => "by records",
        }
    }

    /// The one after it, round and round.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Held => Self::Name,
            Self::Name => Self::Records,
            Self::Records => Self::Held,
        }
    }
}
