//! How far a long command is.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use super::output::note;

/// Progress on standard error, where a person watches and it takes long.
pub(super) struct Meter {
    begun: Instant,
    watched: bool,
    told: Option<Instant>,
}

/// Nothing is said before this has passed, nor more often.
const PATIENCE: Duration = Duration::from_millis(500);

impl Meter {
    pub(super) fn new() -> Self {
        Self { begun: Instant::now(), watched: stderr().is_terminal(), told: None }
    }

    /// Told how many are done, and in which words a person hears of it.
    pub(super) fn tell(&mut self, done: u64, words: impl FnOnce() -> String) {
        if !self.watched || !done.is_multiple_of(1_000) {
            return;
        }
        if self.told.unwrap_or(self.begun).elapsed() > PATIENCE {
            note(&format!("\r{}", words()));
            self.told = Some(Instant::now());
        }
    }

    pub(super) fn clear(&self) {
        if self.told.is_some() {
            note("\r\u{1b}[K");
        }
    }
}
