//! What wakes the main thread.

use crate::app::Msg;
use crate::tui::input::Mouse;

/// What wakes the main thread.
pub(super) enum Wake {
    Msg(Box<Msg>),
    /// Where the mouse was pressed or turned: what stands there is looked up in the frame.
    Mouse(Mouse),
    /// The terminal has said the colour of its background.
    Background(u8, u8, u8),
    /// The terminal has answered what it was asked, or will not.
    Answered,
    Signal(i32),
    /// A worker thread panicked: nothing more can be done but to say so and leave.
    Died(String),
}
