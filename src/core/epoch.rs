//! Epochs: the numbered states of the world, and when one was opened.

use std::fmt;

use super::number::RulingId;
use super::time::Instant;

/// The number of the world-state in which something was observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Epoch(pub i64);

/// An epoch that was opened, as a slot's rules hold it: an older one that is claimed for what was observed afterwards is
/// no provenance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Opening {
    pub since: Instant,
    pub epoch: Epoch,
    /// The ruling that says so.
    pub ruling: RulingId,
}

impl Opening {
    /// Whether what was first seen then, and says it was seen in that epoch, says what cannot be.
    pub fn rules_out(&self, epoch: Epoch, observed: Instant) -> bool {
        epoch < self.epoch && observed >= self.since
    }
}

impl fmt::Display for Epoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
