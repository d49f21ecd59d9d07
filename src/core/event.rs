//! The kinds of events that the log holds (INTERFACE 3), and what an event saw.

use super::pair::JudgedRecord;
use super::policy::Rank;
use super::record::SourceClass;
use super::ruling::RulingId;
use super::time::Instant;

/// Every kind that this version writes, in the order in which they are listed.
pub const KINDS: [&str; 25] = [
    "created",
    "import",
    "resolved",
    "pair_opened",
    "pair_changed",
    "pair_closed",
    "epoch_change",
    "accept",
    "override",
    "link",
    "request",
    "reobserved",
    // A look, or an answer, that settled nothing.
    "unseen",
    "rederive",
    "withdraw",
    "declare",
    "alias",
    "epoch",
    "dispute",
    "defer",
    "note",
    "undo",
    "audit",
    "repair",
    "erase",
];

/// A record as an event saw it. What it claims never changes; its class and rank are those of the policy of that time.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordThen {
    pub class: Option<SourceClass>,
    pub rank: Option<Rank>,
    /// With what became of it by now.
    pub judged: JudgedRecord,
}

/// The ruling that took a ruling back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    pub ruling: RulingId,
    pub by: String,
    pub at: Instant,
}
