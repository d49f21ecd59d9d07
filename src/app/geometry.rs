//! How the screen is divided, from its size alone. `update` needs it (how many rows of the queue are seen, how wide the
//! evidence wraps) and the view draws by it, so it stands here, once.

/// The size of the terminal in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub width: u16,
    pub height: u16,
}

/// How the triage screen is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Below 40 by 12: one line that says so.
    TooSmall,
    /// A above B, the queue folded to a line.
    Stacked,
    /// A beside B, the queue folded to a line or three.
    Folded,
    /// The queue beside the pair.
    Wide,
}

/// The triage screen, divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    pub shape: Shape,
    pub size: Size,
    /// Cells of the queue, both borders counted; 0 when it is folded.
    pub queue: u16,
    /// Lines of the queue.
    pub queue_lines: u16,
    /// Cells of the pair within its borders.
    pub inner: u16,
    /// Cells of the column of names.
    pub names: u16,
    /// Cells of one record's values.
    pub side: u16,
}

/// Between the two records: a space, the relation, a space.
pub const GUTTER: u16 = 3;
const NAMES: u16 = 11;

impl Geometry {
    pub const fn new(size: Size) -> Self {
        let Size { width, height } = size;
        let shape = match (width, height) {
            _ if width < 40 || height < 12 => Shape::TooSmall,
            _ if width < 60 => Shape::Stacked,
            _ if width < 110 || height < 30 => Shape::Folded,
            _ => Shape::Wide,
        };
        let queue = match shape {
            Shape::Wide if width >= 116 => 40,
            Shape::Wide => 36,
            Shape::TooSmall | Shape::Stacked | Shape::Folded => 0,
        };
        let queue_lines = match shape {
            // Header, the list within its borders, the foot of two lines.
            Shape::Wide => height - 2 - 2 - 2 - QUEUE_FOOT,
            Shape::Folded if height >= 28 => 3,
            Shape::TooSmall | Shape::Stacked | Shape::Folded => 1,
        };
        // The queue and the pair share a border.
        let inner = if queue == 0 { width.saturating_sub(2) } else { width - queue - 1 };
        Self { shape, size, queue, queue_lines, inner, names: NAMES, side: side(shape, inner) }
    }

    /// The same screen with the pair on all of it.
    #[must_use]
    pub const fn whole(self) -> Self {
        let shape = match self.shape {
            Shape::Wide => Shape::Folded,
            Shape::TooSmall | Shape::Stacked | Shape::Folded => self.shape,
        };
        let inner = self.size.width.saturating_sub(2);
        Self { shape, queue: 0, inner, side: side(shape, inner), ..self }
    }
}

const fn side(shape: Shape, inner: u16) -> u16 {
    match shape {
        // The relation stands at the end of the line, with a cell of air before it and behind it.
        Shape::Stacked | Shape::TooSmall => inner.saturating_sub(NAMES + 3),
        Shape::Folded | Shape::Wide => inner.saturating_sub(NAMES + GUTTER + 2) / 2,
    }
}

/// Lines under the list: counts by ground and the legend of signs.
pub const QUEUE_FOOT: u16 = 5;
