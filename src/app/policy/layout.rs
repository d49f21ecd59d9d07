//! How the policy screen is divided between its two lists, from the size of the terminal alone: `update` must know how
//! many rows each shows, and the view draws by the same numbers.

use crate::app::geometry::{Geometry, Shape, Size};

/// Which of the two lists the keys move in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    #[default]
    Attributes,
    Kinds,
}

/// Lines of each list with its borders; the two share one. 0: it is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub attributes: u16,
    pub kinds: u16,
}

/// The border above, the names of the columns, the border below.
const AROUND: u16 = 3;
/// Lower than this there is room for one list.
const BOTH: u16 = 16;

impl Layout {
    pub const fn of(size: Size, focus: Focus) -> Self {
        let top = match Geometry::new(size).shape {
            Shape::Wide => 2,
            Shape::TooSmall | Shape::Stacked | Shape::Folded => 1,
        };
        let body = size.height.saturating_sub(top + 2);
        if body < BOTH {
            return match focus {
                Focus::Attributes => Self { attributes: body, kinds: 0 },
                Focus::Kinds => Self { attributes: 0, kinds: body },
            };
        }
        let kinds = if body > 42 { 14 } else { body / 3 + 1 };
        Self { attributes: body + 1 - kinds, kinds }
    }

    /// Rows that the list of attributes shows.
    pub const fn attribute_rows(self) -> u16 {
        self.attributes.saturating_sub(AROUND)
    }

    /// Rows that the list of source kinds shows.
    pub const fn kind_rows(self) -> u16 {
        self.kinds.saturating_sub(AROUND)
    }

    /// Rows that a detail shows, which has the whole body and no names of columns.
    pub const fn detail_rows(size: Size) -> u16 {
        let top = match Geometry::new(size).shape {
            Shape::Wide => 2,
            Shape::TooSmall | Shape::Stacked | Shape::Folded => 1,
        };
        size.height.saturating_sub(top + 4)
    }
}
