//! Batches: their list, one of them looked into, one of its records whole.

mod detail;
mod facets;
mod list;
mod members;
mod plane;
mod whole;

use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::text::{Line, Span, Text};

use super::header::Said;
use super::screen;
use super::style::Theme;
use super::text::{fit, pad, pad_left, shown, thousands};
use crate::app::Model;
use crate::app::list::{List, Row};

/// Draws the screen.
pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame<'_>) {
    match &model.batches.open {
        Some(open) => {
            let body = screen::frame(model, theme, frame, of_batch(&shown(open.summary.batch.as_str()), theme));
            match &open.whole {
                Some(it) => whole::draw(it, theme, frame, body),
                None => detail::draw(model, open, theme, frame, body),
            }
        }
        None => {
            let body = screen::frame(model, theme, frame, of_list(model, theme));
            list::draw(model, theme, frame, body);
        }
    }
}

/// What the list says of itself in the head: what is found, and the order.
fn of_list(model: &Model, theme: &Theme) -> Said {
    let listing = &model.batches.listing;
    let (narrows, words) = match &listing.text {
        Some(text) => (true, format!("/{}", shown(text))),
        None => (false, "every batch".to_owned()),
    };
    Said {
        here: vec![
            Span::styled("  showing ", theme.dim),
            Span::styled(words.clone(), if narrows { theme.alarm } else { theme.text }),
            Span::styled("  order ", theme.dim),
            Span::styled(listing.sorting.name(), theme.text),
        ],
        right: String::new(),
        short: format!(" {} ", listing.sorting.name()),
        alarm: narrows.then_some(words),
    }
}

fn of_batch(name: &str, theme: &Theme) -> Said {
    let name = fit(name, 40);
    Said {
        here: vec![Span::styled("  looking into ", theme.dim), Span::styled(name.clone(), theme.strong)],
        right: String::new(),
        short: format!(" {name} "),
        alarm: None,
    }
}

/// `3 of 1,204`.
fn place<R: Row>(list: &List<R>) -> String {
    let place = list.ordinal();
    format!("{} of {}", thousands(place), thousands(list.total()))
}

/// Which side of its column a text stands at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// A column of a table: its name, its width, its side.
#[derive(Clone, Copy, Debug)]
struct Column {
    name: &'static str,
    width: usize,
    side: Side,
}

impl Column {
    const fn left(name: &'static str, width: usize) -> Self {
        Self { name, width, side: Side::Left }
    }

    const fn right(name: &'static str, width: usize) -> Self {
        Self { name, width, side: Side::Right }
    }

    /// A text that has been revealed, in this column, with a cell of air after it.
    fn cell(self, text: &str) -> String {
        let text = match self.side {
            Side::Left => pad(text, self.width),
            Side::Right => pad_left(text, self.width),
        };
        format!("{text} ")
    }
}

/// The names of the columns, above their rows.
fn names(columns: &[Column], theme: &Theme) -> Line<'static> {
    let names: String = columns.iter().map(|column| column.cell(column.name)).collect();
    Line::styled(format!("  {}", names.trim_end()), theme.dim)
}

/// Words in the middle of an empty region.
fn note(lines: &[String], theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let lines: Vec<Line<'_>> = lines.iter().map(|line| Line::styled(line.clone(), theme.text).centered()).collect();
    let height = u16::try_from(lines.len()).unwrap_or(1);
    frame.render_widget(Text::from(lines), area.centered_vertically(Constraint::Length(height)));
}
