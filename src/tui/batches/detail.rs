//! A batch looked into: the damage in two lines, when it was true and written, its facets, its records.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect, Spacing};
use ratatui::text::{Line, Span, Text};

use super::{facets, members, note, plane};
use crate::app::Model;
use crate::app::batches::Open;
use crate::app::batches::shape::{DAMAGE, Shape};
use crate::app::keymap::{Command, Common};
use crate::app::spell;
use crate::core::batch::Summary;
use crate::tui::region::region;
use crate::tui::style::Theme;
use crate::tui::text::{shown, thousands, width};

/// Draws it.
pub(super) fn draw(model: &Model, open: &Open, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let shape = Shape::new(model.size);
    let [head, body] = area.layout(&Layout::vertical([Constraint::Length(DAMAGE), Constraint::Fill(1)]));
    frame.render_widget(Text::from(damage(open, usize::from(head.width), theme)), head);
    if shape.upper == 0 {
        members::draw(open, theme, frame, body);
        return;
    }
    let rows =
        Layout::vertical([Constraint::Length(shape.upper + 2), Constraint::Fill(1)]).spacing(Spacing::Overlap(1));
    let [upper, records] = body.layout(&rows);
    let left = if shape.facets == 0 {
        upper
    } else {
        let columns = Layout::horizontal([Constraint::Fill(1), Constraint::Length(shape.facets)])
            .spacing(Spacing::Overlap(1));
        let [left, right] = upper.layout(&columns);
        let block = region(theme, Line::styled(" Facets ", theme.title));
        let inner = block.inner(right);
        frame.render_widget(block, right);
        facets::draw(open, theme, frame, inner);
        left
    };
    let block = region(theme, Line::styled(plane::title(usize::from(left.width)), theme.title));
    let inner = block.inner(left);
    frame.render_widget(block, left);
    match &open.picture {
        Some(picture) => plane::draw(&picture.plane, theme, frame, inner),
        None => note(&[uncounted(model, open)], theme, frame, inner),
    }
    members::draw(open, theme, frame, records);
}

fn uncounted(model: &Model, open: &Open) -> String {
    if open.counts() {
        return "counting …".to_owned();
    }
    let reload = model
        .setup
        .keymap
        .keys(Command::Common(Common::Reload))
        .first()
        .map(ToString::to_string)
        .unwrap_or_default();
    format!("not counted; {reload} counts it")
}

/// The size of the damage, before anything else; then when, and how it fared. What has no room is left out from the end.
fn damage(open: &Open, cells: usize, theme: &Theme) -> Vec<Line<'static>> {
    let of = &open.summary;
    let count = |many: u64, what: &str, style| Span::styled(format!("{} {what}", thousands(many)), style);
    let weight = |many: u64| if many > 0 { theme.alarm } else { theme.dim };
    let mut size = vec![count(of.records, "records", theme.strong)];
    size.extend(open.picture.as_ref().map(|picture| count(picture.subjects, "subjects", theme.strong)));
    size.push(count(of.pairs, "pairs open", weight(of.pairs)));
    size.extend(open.picture.as_ref().map(|picture| {
        let trap = match picture.newest_not_live {
            0 => String::new(),
            many => format!(" ({} not live)", thousands(many)),
        };
        let style = weight(picture.newest_not_live);
        Span::styled(format!("{} read as newest{trap}", thousands(picture.newest)), style)
    }));
    if of.withdrawn > 0 {
        size.push(count(of.withdrawn, "withdrawn", theme.alarm));
    }
    if of.unslotted > 0 {
        size.push(count(of.unslotted, "unslotted", theme.dim));
    }
    let text = |text: String| Span::styled(text, theme.text);
    let mut times = vec![text(format!("written {}", written(of)))];
    times.extend(of.lag.map(|lag| text(format!("median lag {}", spell::lag(lag.median)))));
    let days = |(first, last)| format!("true {} to {}", spell::day(first), spell::day(last));
    times.extend(of.observed.map(|observed| text(days(observed))));
    times.push(text(format!("won {}, lost {}", of.rulings.won, of.rulings.lost)));
    let name = Span::styled(format!(" {}  ", shown(of.batch.as_str())), theme.title);
    let named = cells >= 110;
    vec![joined(named.then_some(name), size, cells, theme), joined(None, times, cells, theme)]
}

/// Parts with a dot between them, as many as there is room for.
fn joined(first: Option<Span<'static>>, parts: Vec<Span<'static>>, cells: usize, theme: &Theme) -> Line<'static> {
    let mut line = vec![first.filter(|first| first.width() * 3 < cells).unwrap_or_else(|| Span::raw(" "))];
    for (at, part) in parts.into_iter().enumerate() {
        let dot = if at == 0 { 0 } else { 3 };
        if width(&line) + dot + part.width() > cells {
            break;
        }
        if at > 0 {
            line.push(Span::styled(" · ", theme.dim));
        }
        line.push(part);
    }
    Line::from(line)
}

/// One moment, a stretch of one day, or two days.
fn written(of: &Summary) -> String {
    let (first, last) = (spell::minute(of.first_written_at), spell::minute(of.last_written_at));
    if first == last {
        return first;
    }
    if spell::day(of.first_written_at) == spell::day(of.last_written_at) {
        return format!("{first} to {}", of.last_written_at.utc().format("%H:%M"));
    }
    format!("{} to {}", spell::day(of.first_written_at), spell::day(of.last_written_at))
}
