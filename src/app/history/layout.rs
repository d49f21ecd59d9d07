//! How the history screen is divided, from its size alone: `update` asks for as many cells and lines as the view draws.

use super::super::geometry::{Geometry, Shape, Size};

/// Cells of the dates at the left of the plane, the axis counted.
pub const DATES: u16 = 12;
/// Cells of one column of the plane: a mark, and how many records it stands for.
pub const CELL: u16 = 2;
/// Lines of the axis under the plane: the line itself, and its dates.
pub const AXIS: u16 = 2;
/// Cells of the answer where it stands beside the plane, both borders counted.
const BESIDE: u16 = 46;

/// The screen, divided. Heights are of what lies within the borders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// None where there is no room for one.
    pub plane: Option<Pane>,
    pub answer: Answer,
    pub list: u16,
    /// Lines above the list that name its columns.
    pub heads: u16,
    /// Lines under the list that tell the links of the selected record in words.
    pub told: u16,
}

/// The plane's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pane {
    pub columns: u16,
    pub rows: u16,
}

/// Where the answer stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// At the right of the plane, so many cells wide, both borders counted.
    Beside(u16),
    /// Under it, on so many lines.
    Below(u16),
}

impl Layout {
    /// Divides a screen of this size.
    pub const fn of(size: Size) -> Self {
        let shape = Geometry::new(size).shape;
        let wide = matches!(shape, Shape::Wide);
        // The head, and the two last lines.
        let body = size.height.saturating_sub(if wide { 4 } else { 3 });
        if wide {
            let inner = body.saturating_sub(3);
            let plane = inner * 11 / 20;
            // The plane and the answer share a border.
            let columns = columns(size.width.saturating_sub(BESIDE - 1));
            let (list, heads, told) = listed(inner - plane);
            let pane = Pane { columns, rows: plane - AXIS };
            return Self { plane: Some(pane), answer: Answer::Beside(BESIDE), list, heads, told };
        }
        let inner = body.saturating_sub(4);
        if inner < 15 || size.width < 40 {
            let inner = body.saturating_sub(3);
            let answer = if inner >= 10 { 3 } else { 2 };
            let (list, heads, told) = listed(inner.saturating_sub(answer));
            return Self { plane: None, answer: Answer::Below(answer), list, heads, told };
        }
        let answer = if inner >= 22 { 4 } else { 3 };
        let plane = (inner - answer) / 2;
        let (list, heads, told) = listed(inner - answer - plane);
        let pane = Pane { columns: columns(size.width), rows: plane - AXIS };
        Self { plane: Some(pane), answer: Answer::Below(answer), list, heads, told }
    }
}

/// Columns of a plane in a region so wide, both borders counted.
const fn columns(region: u16) -> u16 {
    let columns = region.saturating_sub(2 + DATES) / CELL;
    if columns == 0 { 1 } else { columns }
}

/// Lines of the list, of the names of its columns, and of what is told of its selected record.
const fn listed(inner: u16) -> (u16, u16, u16) {
    match inner {
        // A rule, and three lines or two.
        15.. => (inner - 5, 1, 4),
        11..=14 => (inner - 4, 1, 3),
        5..=10 => (inner - 1, 1, 0),
        0 => (1, 0, 0),
        _ => (inner, 0, 0),
    }
}
