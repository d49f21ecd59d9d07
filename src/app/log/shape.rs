//! How the log screen is divided, from the size of the terminal alone: `update` needs it, and the view draws by it.

use super::super::geometry::Size;

/// The lines of its parts, the borders not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Whether there is room for the names of the columns.
    pub names: bool,
    /// Events in the list.
    pub list: u16,
    /// Lines of the selected event.
    pub whole: u16,
    /// Cells within the borders.
    pub inner: u16,
}

/// From this width on every column of the list is shown.
pub const WIDE: u16 = 100;
/// From this width on the list names who acted and when.
pub const MIDDLE: u16 = 60;

impl Shape {
    /// The shape at a size; with the selected event on the whole screen there is no list.
    pub const fn new(size: Size, full: bool) -> Self {
        // The head of two lines where there is room for it, and the two last lines.
        let head = if size.width >= 110 && size.height >= 30 { 2 } else { 1 };
        let body = size.height.saturating_sub(head + 2);
        let inner = size.width.saturating_sub(2);
        if full {
            return Self { names: false, list: 0, whole: body.saturating_sub(2), inner };
        }
        // The list and the event share a border.
        let lines = body.saturating_sub(3);
        let names = size.width >= WIDE && lines >= 20;
        let upper = lines * 2 / 5;
        let upper = if upper < 2 { 2 } else { upper };
        let list = if names { upper.saturating_sub(1) } else { upper };
        Self { names, list, whole: lines.saturating_sub(upper), inner }
    }
}
