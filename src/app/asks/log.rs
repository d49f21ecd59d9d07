//! What the log screen asks.

use serde_json::Value;

use crate::app::list::{Around, Row, Window};
use crate::core::audit::{Audit, Drawn, Tally, Verdict};
use crate::core::event::{RecordThen, Undone};
use crate::core::pair::Entry;
use crate::core::ruling::{PairId, RulingId};
use crate::core::time::Instant;

/// A question about the event log.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// A window of the events that the filter shows, the newest first. `long` where finding them may take long.
    Page { generation: u64, around: Around<Event>, filter: Filter, long: bool },
    /// One event whole, as it stood.
    Whole(i64),
    /// The whole store, checked.
    Verify,
    /// Who has made rulings that can be audited.
    Reviewers,
    /// A sample of a reviewer's rulings.
    Sample(Draw),
    /// What an auditor says of a ruling: it is written.
    Say(Saying),
}

impl Question {
    /// Whether it may take long: it is then answered beside the quick ones, shows how far it is, and can be cancelled.
    pub const fn is_long(&self) -> bool {
        match self {
            Self::Page { long, .. } => *long,
            Self::Verify | Self::Reviewers | Self::Sample(_) => true,
            Self::Whole(_) | Self::Say(_) => false,
        }
    }

    /// Whether a later question of its kind makes it needless: nobody looks at its answer any more.
    pub const fn is_overtaken_by(&self, later: &Self) -> bool {
        match (self, later) {
            (Self::Page { .. }, Self::Page { .. }) | (Self::Whole(_), Self::Whole(_)) => true,
            (
                Self::Page { .. }
                | Self::Whole(_)
                | Self::Verify
                | Self::Reviewers
                | Self::Sample(_)
                | Self::Say(_),
                _,
            ) => false,
        }
    }
}

/// What comes back.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Page {
        generation: u64,
        window: Window<Event>,
        chain: Chain,
    },
    Whole(Option<Box<Whole>>),
    Verified(Chain),
    /// The busiest first, each with how many rulings.
    Reviewers(Vec<(String, u64)>),
    Sample(Box<Sample>),
    Said {
        audit: Box<Audit>,
        tally: Tally,
    },
}

/// Which events are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    pub actor: Option<String>,
    pub kind: Option<String>,
    pub subject: Option<String>,
    pub since: Option<Instant>,
    /// Up to this time, which still belongs to it.
    pub until: Option<Instant>,
    pub pair: Option<PairId>,
    /// The ruling, what undid it, and the audits of it.
    pub ruling: Option<RulingId>,
    /// Found in subject, attribute, actor, kind, or in what the event says, without regard to case.
    pub text: Option<String>,
}

/// An event in a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub seq: i64,
    pub at: Instant,
    pub actor: String,
    pub kind: String,
    pub subject: Option<String>,
    pub attribute: Option<String>,
    pub pair: Option<PairId>,
    pub ruling: Option<RulingId>,
    pub body: Value,
    /// In hexadecimal digits.
    pub hash: String,
    /// The ruling that undid it, where one counts.
    pub undone: Option<RulingId>,
    /// The first two records that it names, each with its value as people read it: the winner first, where there is one.
    pub named: Vec<(String, String)>,
}

/// The chain of the events: where it ends, and what `verify` said last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    /// How many events there are, whatever the filter.
    pub events: u64,
    /// The hash of the last, in hexadecimal digits.
    pub head: String,
    pub check: Option<Check>,
}

/// What `verify` said, when, and to whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    pub at: Instant,
    pub actor: String,
    /// How many events there were.
    pub events: u64,
    /// What was found, a line each; empty where the store was whole.
    pub damage: Vec<String>,
}

/// An event whole, as it stood.
#[derive(Clone, Debug, PartialEq)]
pub struct Whole {
    pub event: Event,
    /// The hash that it follows; none before the first.
    pub follows: Option<String>,
    /// The records that it names, the winner first where there is one; of many the first few.
    pub records: Vec<RecordThen>,
    /// How many it names in all.
    pub many: u64,
    /// The policy version under which it was written.
    pub policy: i64,
    pub undone: Option<Undone>,
    pub audits: Vec<Audit>,
    /// Its pair as it is now.
    pub pair: Option<Entry>,
    /// The event of the ruling that it is about: of an undo, or of an audit.
    pub about: Option<Event>,
    /// The event as `log --json` gives it.
    pub json: String,
}

/// How a sample is to be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    pub reviewer: String,
    pub size: u64,
    pub seed: String,
}

/// A sample of one reviewer's rulings, with what this auditor has said of each.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    pub reviewer: String,
    pub drawn: Drawn,
    /// How many rulings it was drawn from.
    pub of: u64,
    pub items: Vec<Item>,
    /// All audits of this reviewer by others.
    pub tally: Tally,
}

/// A ruling of a sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub event: Event,
    pub ruling: RulingId,
    /// What this auditor said of it last.
    pub said: Option<Audit>,
}

/// What an auditor says of a ruling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saying {
    pub ruling: RulingId,
    pub word: Word,
    pub note: Option<String>,
    pub sample: Option<Drawn>,
}

/// How it is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    Seeing(Verdict),
    /// Before seeing the ruling: what the auditor would have ruled.
    Blind(String),
}

impl Row for Event {
    type Id = i64;

    fn id(&self) -> i64 {
        self.seq
    }
}

impl Filter {
    /// Whether it hides anything.
    pub fn narrows(&self) -> bool {
        *self != Self::default()
    }

    /// Each part of it in words, for the header.
    pub fn words(&self) -> Vec<String> {
        let named = |name: &str, value: Option<String>| value.map(|value| format!("{name} {value}"));
        [
            named("by", self.actor.clone()),
            self.kind.clone(),
            named("about", self.subject.clone()),
            named("since", self.since.map(|at| at.to_string())),
            named("until", self.until.map(|at| at.to_string())),
            named("pair", self.pair.map(|pair| pair.to_string())),
            named("ruling", self.ruling.map(|ruling| ruling.to_string())),
            self.text.as_ref().map(|text| format!("/{text}")),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
