//! The small rulings, a few lines each: `dispute`, `defer`, `undo`.

use crate::core::order::Order;
use crate::core::record::RecordId;
use crate::core::ruling::{PairId, RulingId};
use crate::core::until::Until;

use super::context::Context;
use super::parse;

/// Contest what the core settled between two records of one slot
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Dispute {
    /// A record
    #[arg(value_name = "RECORD", value_parser = parse::record)]
    pub first: RecordId,
    /// A record
    #[arg(value_name = "RECORD", value_parser = parse::record)]
    pub second: RecordId,
    /// Why, for the log
    #[arg(long, value_name = "TEXT", value_parser = parse::words, allow_hyphen_values = true)]
    pub reason: String,
}

/// Put a pair out of the way for a while
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Defer {
    /// The pair, by its number in the queue
    #[arg(value_name = "PAIR", value_parser = parse::pair)]
    pub pair: PairId,
    /// Until when: a time, a day, or a length of time from now
    #[arg(long, value_name = "T", value_parser = parse::until, default_value = "1d")]
    pub until: Until,
}

/// Take back a ruling: your last one, or the one named; nothing is erased
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Undo {
    /// The ruling, by its number in the log
    #[arg(value_name = "RULING", value_parser = parse::ruling)]
    pub ruling: Option<RulingId>,
}

impl Dispute {
    pub fn order(self) -> Order {
        Order::Dispute { records: (self.first, self.second), reason: self.reason }
    }
}

impl Defer {
    pub fn order(self, context: &Context) -> Order {
        Order::Defer { pair: self.pair, until: self.until.from(context.now) }
    }
}

impl Undo {
    pub fn order(self) -> Order {
        Order::Undo { ruling: self.ruling }
    }
}
