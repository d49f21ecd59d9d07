//! `gainsay recall` and `gainsay history`: what a slot answers, and how it came to.

use crate::core::recall::AsOf;
use crate::core::record::{Attribute, Subject};
use crate::core::time::{Instant, When};

use super::parse;

/// Ask what holds: one value, or none with the status that says why
///
/// Both times may be asked for: what the memory believed at a moment (--believed-at), about a moment in the world
/// (--about). A day, month or year counts to its end.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Recall {
    /// Whom or what it is about
    #[arg(value_name = "SUBJECT", value_parser = parse::subject)]
    pub subject: Subject,
    /// Without it, every attribute of the subject
    #[arg(value_name = "ATTRIBUTE", value_parser = parse::attribute)]
    pub attribute: Option<Attribute>,
    /// As it was known at this time
    #[arg(long, value_name = "T", value_parser = parse::last_moment)]
    pub believed_at: Option<Instant>,
    /// About this time in the world
    #[arg(long, value_name = "T", value_parser = parse::when)]
    pub about: Option<When>,
}

/// Show how a slot came to what it answers: records, edges, epochs, rulings
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct History {
    /// Whom or what it is about
    #[arg(value_name = "SUBJECT", value_parser = parse::subject)]
    pub subject: Subject,
    /// The attribute
    #[arg(value_name = "ATTRIBUTE", value_parser = parse::attribute)]
    pub attribute: Attribute,
}

impl Recall {
    pub const fn as_of(&self) -> AsOf {
        AsOf { believed_at: self.believed_at, about: self.about }
    }
}
