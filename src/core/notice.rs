//! What people say of an epoch: which deploy or change began it, and since when it is the one that holds.

use wildmatch::WildMatchPattern;

use super::epoch::{Epoch, Opening};
use super::number::RulingId;
use super::record::Subject;
use super::time::Instant;

/// A word on one epoch, of one subject or of all whose names fit a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// A subject; a `*` in it stands for any run of characters.
    pub over: Subject,
    pub epoch: Epoch,
    /// Since when it holds: what is observed from then on was observed in it, or in a later one. Absent: nothing is said
    /// of when it began.
    pub since: Option<Instant>,
    /// What began it: a deploy, a changed configuration, a rewritten file.
    pub cause: Option<String>,
}

impl Notice {
    /// Whether it speaks of this subject.
    pub fn covers(&self, subject: &Subject) -> bool {
        if self.is_pattern() {
            // Only the star is a sign: a name may well hold a question mark.
            return WildMatchPattern::<'*', '\0'>::new(self.over.as_str()).matches(subject.as_str());
        }
        self.over == *subject
    }

    /// Whether it speaks of every subject whose name fits, and not of one.
    pub fn is_pattern(&self) -> bool {
        self.over.as_str().contains('*')
    }

    /// The opening that it declares, made by that ruling.
    pub fn opening(&self, ruling: RulingId) -> Option<Opening> {
        Some(Opening { since: self.since?, epoch: self.epoch, ruling })
    }
}
