//! What wakes the main thread.

use crate::app::Msg;

/// What wakes the main thread.
pub(super) enum Wake {
    Msg(Box<Msg>),
    Signal(i32),
    /// A worker thread panicked: nothing more can be done but to say so and leave.
    Died(String),
}
