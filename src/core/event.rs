//! The kinds of events that the log holds (INTERFACE 3).

/// Every kind that this version writes, in the order in which they are listed.
pub const KINDS: [&str; 23] = [
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
    "rederive",
    "withdraw",
    "declare",
    "alias",
    "dispute",
    "defer",
    "note",
    "undo",
    "audit",
    "repair",
    "erase",
];
