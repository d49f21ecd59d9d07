//! Looking again at many: which of them somebody can look at, and what came of each look.

use serde_json::Value;

use super::super::failure::Failure;
use crate::core::examine::Ground;
use crate::core::order::{Outcome, Target};
use crate::core::record::{Attribute, Subject};
use crate::core::time::Instant;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Which of these an observer looks at.
    Served(Vec<Target>),
    /// Runs the observers of all of these, a few at a time. What was seen before the work was cancelled stays entered; all
    /// of it is one stroke.
    All(Vec<Target>),
    /// The facts that have grown old, those that nobody has seen for longest first, and no more than so many.
    Stale(usize),
}

/// What comes back.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Served(Served),
    Looked(Looks),
    Stale(Vec<StaleFact>),
}

/// Which of some targets an observer looks at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Served {
    /// With the program that looks, in the order in which they were asked for.
    pub by: Vec<(Target, String)>,
    /// No observer serves them.
    pub nobody: Vec<Target>,
    /// Settled by now, or not there.
    pub gone: Vec<Target>,
}

/// What came of looking at one target.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    pub target: Target,
    pub subject: Subject,
    pub attribute: Attribute,
    pub came: Came,
}

/// What came of a look.
#[derive(Clone, Debug, PartialEq)]
pub enum Came {
    /// What was seen is entered, and the slot is settled.
    Settled(Outcome),
    /// The same look at its slot, made for another target, has settled it.
    Along,
    /// What was seen is entered, and something of the slot is still open, for these grounds.
    Open(Option<Outcome>, Vec<Ground>),
    /// Nothing was seen, or what was seen settles nothing: why.
    Failed(String),
    /// The work was stopped before.
    NotLooked,
}

/// A settled fact that nobody has seen to hold for longer than its policy allows.
#[derive(Clone, Debug, PartialEq)]
pub struct StaleFact {
    pub subject: Subject,
    pub attribute: Attribute,
    /// None where several values live.
    pub value: Option<Value>,
    /// When it was last seen to hold.
    pub supported_at: Instant,
    /// In words, how long it may stand unseen: `90d`.
    pub may_stand: String,
}

/// What came of each look, in the order in which they were asked for.
pub type Looks = Vec<Look>;

impl Look {
    /// Whether it is to be looked at another time.
    pub const fn is_left(&self) -> bool {
        match self.came {
            Came::Failed(_) | Came::NotLooked => true,
            Came::Settled(_) | Came::Along | Came::Open(..) => false,
        }
    }

    /// The ruling that the look made.
    pub const fn outcome(&self) -> Option<&Outcome> {
        match &self.came {
            Came::Settled(outcome) | Came::Open(Some(outcome), _) => Some(outcome),
            Came::Along | Came::Open(None, _) | Came::Failed(_) | Came::NotLooked => None,
        }
    }
}

impl From<Failure> for Came {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Cancelled => Self::NotLooked,
            Failure::Refused(_) | Failure::Store(_) => Self::Failed(failure.to_string()),
        }
    }
}
