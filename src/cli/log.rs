//! `gainsay log`: what happened, event by event.

use crate::core::record::Subject;
use crate::core::time::Instant;

use super::parse;

/// Show the event log
///
/// With --actor NAME, only what NAME did.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Log {
    /// Only events of this kind
    #[arg(long, value_name = "K", value_parser = KINDS)]
    pub kind: Option<String>,
    /// Only from this time on
    #[arg(long, value_name = "T", value_parser = parse::first_moment)]
    pub since: Option<Instant>,
    /// Only about this subject
    #[arg(long, value_name = "S", value_parser = parse::subject)]
    pub subject: Option<Subject>,
}

/// The kinds of events (INTERFACE 3).
pub const KINDS: [&str; 17] = [
    "import",
    "resolved",
    "pair_opened",
    "pair_closed",
    "epoch_change",
    "accept",
    "override",
    "link",
    "request",
    "reobserved",
    "rederive",
    "withdraw",
    "declare",
    "alias",
    "dispute",
    "defer",
    "undo",
];
