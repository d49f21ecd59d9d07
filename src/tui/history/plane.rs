//! The plane of both times: *observed* across, *written* up, a mark for each value where records stand, the diagonal
//! "written when observed", and the crosshairs.

use std::collections::{BTreeMap, BTreeSet};

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span, Text};
use unicode_width::UnicodeWidthStr;

use super::super::region::region;
use super::super::style::Theme;
use super::super::text::{pad_left, thousands};
use super::marks;
use crate::app::asks::history::Slot;
use crate::app::history::axis::{self, Tick};
use crate::app::history::layout::{CELL, DATES};
use crate::app::history::view::middle;
use crate::app::history::{Focus, History};
use crate::core::plane::{Beyond, Cell, Frame as Part, Plane, Reach};
use crate::core::time::When;

/// Draws it within its borders, with the signs of the values in its title where they stand nowhere else.
pub(super) fn draw(history: &History, slot: &Slot, legend: bool, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let focused = history.focus == Focus::Plane;
    let name = if area.width < 60 { "written ↑  true →" } else { "Written up, true across" };
    let name = format!("{}{name} ", if focused { " ▪ " } else { " " });
    let mut block = region(theme, Line::styled(name.clone(), theme.title));
    if legend {
        let room = usize::from(area.width).saturating_sub(name.width() + 4);
        block = block.title(Line::from(marks::legend(slot, room, theme)).right_aligned());
    }
    let Some(part) = history.layout().plane.map(|pane| history.view.frame(slot, pane)) else { return };
    let counted = history.plane.as_ref().filter(|(frame, _)| *frame == part).map(|(_, plane)| plane);
    let nearer =
        history.view.middle.map(|_| format!("1/{} of it drawn", thousands(1 << history.view.zoom.min(40))));
    let beyond = counted.map(|plane| beyond(plane.beyond)).filter(|words| !words.is_empty());
    let foot: Vec<String> = [nearer, beyond].into_iter().flatten().collect();
    if !foot.is_empty() {
        block = block.title_bottom(Line::styled(format!(" {} ", foot.join(" · ")), theme.alarm).right_aligned());
    }
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let drawing = Drawing::new(history, slot, part, counted, theme);
    frame.render_widget(Text::from(drawing.lines()), inner);
}

/// How many records stand outside of what is drawn.
fn beyond(beyond: Beyond) -> String {
    let told = [
        (beyond.left, "true before ◂"),
        (beyond.right, "true later ▸"),
        (beyond.below, "written before ▾"),
        (beyond.above, "written later ▴"),
        (beyond.undated, "at unknown"),
    ];
    let told = told.iter().filter(|(many, _)| *many > 0).map(|(many, what)| format!("{} {what}", thousands(*many)));
    told.collect::<Vec<_>>().join(" · ")
}

/// Everything that one drawing of it looks up.
struct Drawing<'a> {
    part: Part,
    cells: BTreeMap<(u16, u16), &'a Cell>,
    reaches: BTreeSet<Reach>,
    /// Where the crosshairs stand, where that is within it.
    row: Option<u16>,
    column: Option<u16>,
    /// The cell of the selected record.
    selected: Option<(u16, u16)>,
    across: Vec<Tick>,
    up: BTreeMap<u16, String>,
    theme: &'a Theme,
    focused: bool,
}

impl<'a> Drawing<'a> {
    fn new(history: &History, slot: &Slot, part: Part, plane: Option<&'a Plane>, theme: &'a Theme) -> Self {
        let (observed, written) = middle(slot, history.at);
        let row = part.written.place(written, part.rows);
        let mut up: BTreeMap<u16, String> =
            axis::ticks(part.written, part.rows, 2).into_iter().map(|tick| (tick.cell, tick.label)).collect();
        if let Some(row) = row {
            up.insert(row, axis::label(written, part.written, part.rows));
        }
        let selected = history.record().and_then(|record| {
            let row = part.written.place(record.written_at, part.rows)?;
            Some((row, part.observed.place(record.observed_at.map(When::first)?, part.columns)?))
        });
        Self {
            part,
            cells: plane.into_iter().flat_map(|plane| &plane.cells).map(|it| ((it.row, it.column), it)).collect(),
            reaches: plane.into_iter().flat_map(|plane| plane.reaches.iter().copied()).collect(),
            row,
            column: part.observed.place(observed, part.columns),
            selected,
            across: axis::ticks(part.observed, part.columns, 6),
            up,
            theme,
            focused: history.focus == Focus::Plane,
        }
    }

    /// The rows, the latest written first, then the axis with its dates.
    fn lines(&self) -> Vec<Line<'static>> {
        let rows = (0..self.part.rows).rev().map(|row| self.row(row));
        rows.chain([self.axis(), self.dates()]).collect()
    }

    fn row(&self, row: u16) -> Line<'static> {
        let here = self.row == Some(row);
        let label = self.up.get(&row).map_or("", String::as_str);
        let axis = match (here, label.is_empty()) {
            (true, _) => "▸",
            (false, true) => "│",
            (false, false) => "┤",
        };
        let mut spans = vec![
            Span::styled(pad_left(label, usize::from(DATES) - 1), if here { self.cross() } else { self.theme.dim }),
            Span::styled(axis, if here { self.cross() } else { self.theme.border }),
        ];
        spans.extend((0..self.part.columns).flat_map(|column| self.cell(row, column)));
        Line::from(spans)
    }

    fn cell(&self, row: u16, column: u16) -> Vec<Span<'static>> {
        let theme = self.theme;
        if let Some(cell) = self.cells.get(&(row, column)) {
            let (sign, style) = if cell.mixed {
                (marks::MIXED, theme.alarm)
            } else {
                (marks::shape(cell.value), marks::style(cell.value, theme))
            };
            // What was not written yet, or not true yet, where one looks from: it has no part in the answer there.
            let style = if self.is_to_come(row, column) { self.theme.dim } else { style };
            let chosen = self.selected == Some((row, column));
            let style = if chosen { style.add_modifier(Modifier::REVERSED) } else { style };
            return vec![Span::styled(sign, style), Span::styled(marks::many(cell.records), style)];
        }
        let (text, style) = match (self.row == Some(row), self.column == Some(column)) {
            (true, true) => ("┼┈", self.cross()),
            (true, false) => ("┈┈", self.cross()),
            (false, true) => ("┊ ", self.cross()),
            (false, false) if self.reached(row, column) => ("╌╌", theme.dim),
            (false, false) if self.diagonal(row, column) => ("⋅ ", theme.border),
            (false, false) => ("  ", theme.text),
        };
        vec![Span::styled(text, style)]
    }

    /// Whether what stands here lies behind the crosshairs, in either time.
    fn is_to_come(&self, row: u16, column: u16) -> bool {
        self.row.is_some_and(|here| row > here) || self.column.is_some_and(|here| column > here)
    }

    /// Whether a record's day, month or year reaches over this cell.
    fn reached(&self, row: u16, column: u16) -> bool {
        self.reaches.iter().any(|reach| reach.row == row && reach.from < column && column <= reach.to)
    }

    /// Whether what was written when it was observed stands here.
    fn diagonal(&self, row: u16, column: u16) -> bool {
        let at = self.part.observed.moment(column, self.part.columns);
        let half = self.part.observed.milliseconds() / i64::from(self.part.columns.max(1)) / 2;
        let at = at.plus(chrono::Duration::milliseconds(half));
        self.part.written.place(at, self.part.rows) == Some(row)
    }

    fn cross(&self) -> ratatui::style::Style {
        if self.focused { self.theme.key } else { self.theme.strong }
    }

    fn axis(&self) -> Line<'static> {
        let mut spans = vec![Span::styled(pad_left("└", usize::from(DATES)), self.theme.border)];
        spans.extend((0..self.part.columns).map(|column| {
            if self.column == Some(column) {
                Span::styled("▴─", self.cross())
            } else if self.across.iter().any(|tick| tick.cell == column) {
                Span::styled("┬─", self.theme.border)
            } else {
                Span::styled("──", self.theme.border)
            }
        }));
        Line::from(spans)
    }

    /// The dates, each under its tick; what would touch the one before it is left out.
    fn dates(&self) -> Line<'static> {
        let width = usize::from(DATES + CELL * self.part.columns);
        let mut line = String::new();
        let mut used = 0;
        for tick in &self.across {
            let long = tick.label.len();
            let middle = usize::from(DATES + CELL * tick.cell) + 1;
            let start = middle.saturating_sub(long / 2).min(width.saturating_sub(long));
            if start > used || used == 0 {
                line.push_str(&" ".repeat(start - used));
                line.push_str(&tick.label);
                used = start + long;
            }
        }
        Line::styled(line, self.theme.dim)
    }
}
