//! `gainsay link`: both records are kept.

use crate::core::order::{Order, Scope};
use crate::core::ruling::PairId;
use crate::error::{Error, Kind, Result};

use super::parse;

/// Keep both records of a pair, and say how they belong together
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Link {
    /// The pair, by its number in the queue
    #[arg(value_name = "PAIR", value_parser = parse::pair)]
    pub pair: PairId,
    /// How they belong together
    #[arg(long = "as", value_name = "HOW", value_enum)]
    pub how: How,
    /// Where many values are declared to hold, with --as both-true
    #[arg(long, value_name = "WHERE", value_enum)]
    pub scope: Option<LinkScope>,
    /// What changed the world, with --as across-epochs: a deploy, a migration
    #[arg(long, value_name = "TEXT", value_parser = parse::words, allow_hyphen_values = true)]
    pub cause: Option<String>,
    /// Why, for the log
    #[arg(long, value_name = "TEXT", value_parser = parse::words, allow_hyphen_values = true)]
    pub reason: String,
}

/// How two records belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum How {
    /// Two spellings of one value
    Same,
    /// The attribute holds many values at a time
    BothTrue,
    /// Each was true in its epoch; a re-observation stays requested
    AcrossEpochs,
    /// The two names are one subject
    OneSubject,
    /// The two names are two subjects
    TwoSubjects,
}

/// Where a declaration of many values holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LinkScope {
    /// For this subject only
    Slot,
    /// For every subject
    Attribute,
}

impl Link {
    /// The order; an option that belongs to another way of linking is an error, for it would be lost.
    pub fn order(self) -> Result<Order> {
        let Self { pair, how, scope, cause, reason } = self;
        if scope.is_some() && how != How::BothTrue {
            return Err(Error::new(Kind::Usage, "--scope belongs to --as both-true"));
        }
        if cause.is_some() && how != How::AcrossEpochs {
            return Err(Error::new(Kind::Usage, "--cause belongs to --as across-epochs"));
        }
        Ok(match how {
            How::Same => Order::LinkSame { pair, reason },
            How::BothTrue => Order::LinkBothTrue { pair, scope: scope.unwrap_or(LinkScope::Slot).into(), reason },
            How::AcrossEpochs => Order::LinkAcrossEpochs { pair, cause, reason },
            How::OneSubject => Order::LinkSubjects { pair, one: true, reason },
            How::TwoSubjects => Order::LinkSubjects { pair, one: false, reason },
        })
    }
}

impl From<LinkScope> for Scope {
    fn from(scope: LinkScope) -> Self {
        match scope {
            LinkScope::Slot => Self::Slot,
            LinkScope::Attribute => Self::Attribute,
        }
    }
}
