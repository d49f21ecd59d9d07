//! `gainsay accept`: one record stands above the other.

use crate::core::order::Order;
use crate::core::record::RecordId;
use crate::core::ruling::PairId;

use super::parse;

/// Accept one record of a pair: it supersedes the other, which is kept
///
/// Permitted when subject, provenance, epoch and cardinality are in order and the record is at least as authoritative.
/// The later but less authoritative one needs --override recency; the reason is then what an auditor reads.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Accept {
    /// The pair, by its number in the queue
    #[arg(value_name = "PAIR", value_parser = parse::pair)]
    pub pair: PairId,
    /// The record that stands
    #[arg(long, value_name = "ID", value_parser = parse::record)]
    pub record: RecordId,
    /// Accept the later record although it is less authoritative
    #[arg(long = "override", value_name = "WHAT", value_enum)]
    pub overriding: Option<Override>,
    /// Why, for the log
    #[arg(long, value_name = "TEXT", value_parser = parse::words, allow_hyphen_values = true)]
    pub reason: String,
}

/// What may be overridden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Override {
    /// Authority, in favour of the later record
    Recency,
}

impl Accept {
    pub fn order(self) -> Order {
        Order::Accept {
            pair: self.pair,
            winner: self.record,
            recency_override: self.overriding == Some(Override::Recency),
            reason: self.reason,
        }
    }
}
