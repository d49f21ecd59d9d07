//! Where the time comes from: the only reader of the clock beside `cli`.

use crate::core::time::Instant;

/// Where the time comes from.
#[derive(Clone, Copy, Debug)]
pub enum Clock {
    System,
    /// As if the program had been started then, for replays: it goes on from there.
    From {
        start: Instant,
        since: std::time::Instant,
    },
}

impl Clock {
    /// A clock that begins at an instant and goes on from there.
    pub fn from(start: Instant) -> Self {
        Self::From { start, since: std::time::Instant::now() }
    }

    /// The time.
    pub fn now(self) -> Instant {
        match self {
            Self::System => system_now(),
            Self::From { start, since } => {
                let elapsed = chrono::Duration::from_std(since.elapsed()).unwrap_or_default();
                start.plus(elapsed)
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the runtime is where the clock is read")]
fn system_now() -> Instant {
    Instant::new(chrono::Utc::now())
}
