//! Tables: a column of names that takes what room is left, and as many of the others as fit, the least needed left out first.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::style::Theme;
use super::text::{pad, pad_left};

/// A column beside the names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) title: &'static str,
    pub(super) width: usize,
    /// Numbers stand at the right.
    pub(super) right: bool,
    /// Where there is no room for all, the column with the smallest number goes first.
    pub(super) needed: u8,
}

/// What stands in a cell, and how.
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) style: Style,
}

/// The columns of a table at one width.
pub(super) struct Table<'a> {
    columns: &'a [Column],
    shown: Vec<usize>,
    names: usize,
}

/// The sign of the selected row and a cell of air.
const SIGN: usize = 2;
const GAP: usize = 2;
/// Names are cut no shorter than this while there are columns to leave out.
const LEAST: usize = 18;

impl<'a> Table<'a> {
    pub(super) fn new(columns: &'a [Column], room: usize) -> Self {
        let mut shown: Vec<usize> = (0..columns.len()).collect();
        let taken = |shown: &[usize]| SIGN + shown.iter().map(|at| columns[*at].width + GAP).sum::<usize>();
        while !shown.is_empty() && taken(&shown) + LEAST > room {
            let least = (0..shown.len()).min_by_key(|place| columns[shown[*place]].needed).unwrap_or(0);
            shown.remove(least);
        }
        let names = room.saturating_sub(taken(&shown));
        Self { columns, shown, names }
    }

    /// The names of the columns.
    pub(super) fn titles(&self, name: &str, theme: &Theme) -> Line<'static> {
        let mut text = format!("  {}", pad(name, self.names));
        for column in self.shown.iter().map(|at| self.columns[*at]) {
            text.push_str("  ");
            text.push_str(&fitted(column.title, &column));
        }
        Line::styled(text, theme.dim)
    }

    /// A row; `cells` has one for each column, in their order. A selected row has one style throughout.
    pub(super) fn row(&self, name: &Cell, cells: &[Cell], selected: bool, theme: &Theme) -> Line<'static> {
        let style = |style| if selected { theme.selected } else { style };
        let sign = if selected { "▸ " } else { "  " };
        let mut spans = vec![
            Span::styled(sign, style(theme.text)),
            Span::styled(pad(&name.text, self.names), style(name.style)),
        ];
        for at in &self.shown {
            let Some(cell) = cells.get(*at) else { continue };
            spans.push(Span::styled("  ", style(theme.text)));
            spans.push(Span::styled(fitted(&cell.text, &self.columns[*at]), style(cell.style)));
        }
        Line::from(spans)
    }
}

impl Cell {
    pub(super) fn new(text: impl Into<String>, style: Style) -> Self {
        Self { text: text.into(), style }
    }
}

fn fitted(text: &str, column: &Column) -> String {
    if column.right { pad_left(text, column.width) } else { pad(text, column.width) }
}
