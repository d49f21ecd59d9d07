//! Stopping a command that waits for something it started: what it started is stopped first.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::error::{Error, Kind, Result};

/// Whether somebody wants the command to end. An observer is in a process group of its own, so that what the terminal
/// sends to the command does not reach it.
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on these signals end nothing by themselves.
    pub(super) fn listen() -> Result<Self> {
        let told = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            signal_hook::flag::register(signal, Arc::clone(&told))
                .map_err(|error| Error::internal(format!("signals cannot be heard: {error}")))?;
        }
        Ok(Self(told))
    }

    /// Whether to go on.
    pub(super) fn goes_on(&self) -> bool {
        !self.0.load(Ordering::Relaxed)
    }

    /// What is said where it did not.
    pub(super) fn error() -> Error {
        Error::new(Kind::Refused, "stopped: nothing was seen, and nothing was written")
    }
}
