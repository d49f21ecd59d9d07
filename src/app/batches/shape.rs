//! How the batches screen is divided, from its size alone: `update` needs the heights of the lists, the view draws by
//! them.

use crate::app::geometry::Size;

/// Lines of each part; 0 where a part has no room and is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Lines of the head.
    pub head: u16,
    /// Batches that the list shows, without its borders and the line of names.
    pub list: u16,
    /// Lines within the borders of the plane and the facets, beside or above each other.
    pub upper: u16,
    /// Cells of the facets with both borders; 0 where they have no room beside the plane.
    pub facets: u16,
    /// Records of a batch that are shown, without borders and the line of names.
    pub records: u16,
}

/// Lines of the foot.
const FOOT: u16 = 2;
/// Lines that a table needs besides its rows: two borders and the names of the columns.
const FRAME: u16 = 3;
/// Lines above the plane that say how large the damage is.
pub const DAMAGE: u16 = 2;

impl Shape {
    pub const fn new(size: Size) -> Self {
        let Size { width, height } = size;
        let head = if width >= 110 && height >= 30 { 2 } else { 1 };
        let body = height.saturating_sub(head + FOOT);
        let upper = match height {
            38.. => 17,
            30..38 => 13,
            20..30 => 8,
            _ => 0,
        };
        let facets = match width {
            112.. => 41,
            74..112 => 34,
            _ => 0,
        };
        // The plane shares its lower border with the table.
        let above = if upper == 0 { 0 } else { upper + 1 };
        Self {
            head,
            list: at_least_one(body.saturating_sub(FRAME)),
            upper,
            facets,
            records: at_least_one(body.saturating_sub(DAMAGE + above + FRAME)),
        }
    }
}

const fn at_least_one(lines: u16) -> u16 {
    if lines == 0 { 1 } else { lines }
}
