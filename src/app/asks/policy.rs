//! What the policy screen asks.

use crate::core::policy::Cardinality;
use crate::core::record::Attribute;

/// A question about the policy.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// Every attribute, declared or not.
    Attributes,
}

impl Question {
    /// Whether it may take long: it is then answered beside the quick ones, shows how far it is, and can be cancelled.
    pub const fn is_long(&self) -> bool {
        match self {
            Self::Attributes => false,
        }
    }
}

/// What comes back.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Attributes(Vec<Line>),
}

/// An attribute in a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub attribute: Attribute,
    /// None: undeclared.
    pub cardinality: Option<Cardinality>,
    pub slots: u64,
    /// Open pairs in its slots.
    pub pairs: u64,
}
