//! `gainsay rederive`: the provenance that a record lacks.

use crate::core::order::{Order, Supplied};
use crate::core::record::{Epoch, Kind, RecordId};
use crate::core::time::When;

use super::parse;

/// Supply the provenance that a record lacks, with the proof of it
///
/// Writes a new record with what was missing, linked to the old one, of a class no higher than it had.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Rederive {
    /// The record that lacks it
    #[arg(value_name = "RECORD", value_parser = parse::record)]
    pub record: RecordId,
    #[command(flatten)]
    pub missing: Missing,
    /// What proves it: the message, the log line, the commit
    #[arg(long, value_name = "TEXT", value_parser = parse::words, allow_hyphen_values = true)]
    pub evidence: String,
}

/// What was missing: at least one of these.
#[derive(Clone, Debug, PartialEq, clap::Args)]
#[group(required = true, multiple = true)]
pub struct Missing {
    /// Where the claim comes from: a source kind
    #[arg(long, value_name = "KIND", value_parser = parse::kind)]
    pub source: Option<Kind>,
    /// When it was true, or was said to be
    #[arg(long, value_name = "TIME", value_parser = parse::when)]
    pub observed_at: Option<When>,
    /// The epoch in which it was observed
    #[arg(long, value_name = "N", value_parser = parse::epoch, allow_negative_numbers = true)]
    pub epoch: Option<Epoch>,
}

impl Rederive {
    pub fn order(self) -> Order {
        let Self { record, missing: Missing { source, observed_at, epoch }, evidence } = self;
        Order::Rederive { record, supplied: Supplied { source, observed_at, epoch, evidence } }
    }
}
