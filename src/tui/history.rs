//! The history of a slot: the plane of both times, the answer at its crosshairs, and the list under them.

mod answer;
mod list;
mod marks;
mod plane;
mod whole;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect, Spacing};
use ratatui::text::{Line, Span, Text};

use super::header::Said;
use super::region::region;
use super::screen;
use super::style::Theme;
use super::text::{counted, fit, shown};
use crate::app::Model;
use crate::app::asks::history::Slot;
use crate::app::history::History;
use crate::app::history::layout::{AXIS, Answer, Layout as Divided};
use crate::core::policy::Cardinality;

/// Draws the screen.
pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame<'_>) {
    let history = &model.history;
    let body = screen::frame(model, theme, frame, said(history, theme));
    if let Some(whole) = &history.whole {
        return whole::draw(whole, theme, frame, body);
    }
    match &history.slot {
        Some(slot) if slot.records > 0 || slot.rulings > 0 => parts(model, slot, theme, frame, body),
        Some(_) => empty(&NOTHING, theme, frame, body),
        None if history.of.is_none() => empty(&NO_SLOT, theme, frame, body),
        None => empty(&["reading …"], theme, frame, body),
    }
}

const NO_SLOT: [&str; 3] = [
    "No slot is chosen: a history is of one attribute of one subject.",
    "Select a pair in triage (1), then press t.",
    "t opens the history of a slot from batches and from the log, too.",
];

const NOTHING: [&str; 2] = ["No record is about this slot.", "Esc goes back."];

fn parts(model: &Model, slot: &Slot, theme: &Theme, frame: &mut Frame<'_>, body: Rect) {
    let history = &model.history;
    let divided = Divided::of(model.size);
    let above = divided.plane.map(|pane| Constraint::Length(pane.rows + AXIS + 2));
    match divided.answer {
        Answer::Beside(width) => {
            let rows = Layout::vertical([above.unwrap_or(Constraint::Length(1)), Constraint::Fill(1)])
                .spacing(Spacing::Overlap(1));
            let [upper, below] = body.layout(&rows);
            let columns =
                Layout::horizontal([Constraint::Fill(1), Constraint::Length(width)]).spacing(Spacing::Overlap(1));
            let [left, right] = upper.layout(&columns);
            answer::beside(model, slot, theme, frame, right);
            list::draw(model, theme, frame, below);
            // Last, for the words at its foot stand in a border that it shares.
            plane::draw(history, slot, false, theme, frame, left);
        }
        Answer::Below(lines) => {
            let parts =
                [above.unwrap_or(Constraint::Length(1)), Constraint::Length(lines + 2), Constraint::Fill(1)];
            let [upper, middle, below] = body.layout(&Layout::vertical(parts).spacing(Spacing::Overlap(1)));
            answer::below(model, slot, theme, frame, middle);
            list::draw(model, theme, frame, below);
            if above.is_some() {
                plane::draw(history, slot, true, theme, frame, upper);
            }
        }
    }
}

/// What the head says of the slot.
fn said(history: &History, theme: &Theme) -> Said {
    let Some(of) = &history.of else { return Said::default() };
    let subject = history.slot.as_ref().map_or(&of.subject, |slot| &slot.subject);
    let name = format!("{} of {}", shown(of.attribute.as_str()), shown(subject.as_str()));
    let holds = history.slot.as_deref().map(holds).unwrap_or_default();
    Said {
        here: vec![Span::raw("  "), Span::styled(fit(&name, 48), theme.strong)],
        right: format!("{holds} "),
        short: format!("{} ", fit(&name, 34)),
        alarm: None,
    }
}

/// `one value, succession · 4 records · 2 values`
fn holds(slot: &Slot) -> String {
    let rules = match slot.cardinality {
        Some(Cardinality::One) => format!("one value, {}", slot.on_change.name()),
        Some(Cardinality::Many) => "many values".to_owned(),
        None => "undeclared".to_owned(),
    };
    format!("{rules} · {} · {}", counted(slot.records, "record"), counted(slot.distinct, "value"))
}

/// Nothing to show: why, and what to do about it.
fn empty(words: &[&'static str], theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let block = region(theme, "");
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let wrapped = words.iter().flat_map(|line| textwrap::wrap(line, usize::from(inner.width.max(8))));
    let lines: Vec<Line<'_>> = wrapped.map(|line| Line::styled(line.into_owned(), theme.text).centered()).collect();
    let height = u16::try_from(lines.len()).unwrap_or(1);
    frame.render_widget(Text::from(lines), inner.centered_vertically(Constraint::Length(height)));
}
