//! The head of the screen: which store, who rules, what is left, the pace, the filter and the order in force.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::style::Theme;
use super::text::{fit, shown, thousands, width};
use crate::app::Model;
use crate::core::text::reveal;

/// Draws one line, or two where there is room for two.
pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let only = if model.setup.read_only { "READ ONLY " } else { "" };
    let who = format!(" GAINSAY  {}  as {} {only}", shown(&model.setup.store), shown(&model.setup.actor));
    let cells = usize::from(area.width);
    if area.height >= 2 {
        ends(
            frame,
            line(area, 0),
            cells,
            vec![Span::styled(who, theme.header.patch(theme.strong))],
            left(model),
            theme.header,
        );
        let here = vec![
            Span::styled(" 1 ", theme.key),
            Span::styled("Triage", theme.strong),
            Span::styled("   showing ", theme.dim),
            Span::styled(filter(model), emphasis(model, theme)),
            Span::styled("   order ", theme.dim),
            Span::styled(model.triage.queue.sorting.name(), theme.text),
        ];
        ends(frame, line(area, 1), cells, here, blind(model), theme.text);
        return;
    }
    let right = short(model);
    let room = cells.saturating_sub(right.len() + 1);
    let mut said = vec![Span::styled(fit(&who, room), theme.header.patch(theme.strong))];
    if model.triage.queue.filter.narrows() {
        said.push(Span::styled(filter(model), theme.header));
    }
    ends(frame, area, cells, said, right, theme.header);
}

/// A line with something at its left and at its right end; the right end gives way.
fn ends(frame: &mut Frame<'_>, area: Rect, cells: usize, left: Vec<Span<'static>>, right: String, style: Style) {
    let used = width(&left);
    let right = fit(&right, cells.saturating_sub(used + 1));
    let gap = cells.saturating_sub(used + Span::raw(right.as_str()).width());
    let mut spans = left;
    spans.push(Span::styled(" ".repeat(gap), style));
    spans.push(Span::styled(right, style));
    frame.render_widget(Line::from(spans).style(style), area);
}

const fn line(area: Rect, at: u16) -> Rect {
    Rect { y: area.y + at, height: 1, ..area }
}

fn emphasis(model: &Model, theme: &Theme) -> Style {
    if model.triage.queue.filter.narrows() { theme.alarm } else { theme.text }
}

/// The filter in words, and how much of the queue it shows.
fn filter(model: &Model) -> String {
    let queue = &model.triage.queue;
    let words = queue.filter.words().join(" · ");
    let text = reveal(&words).into_owned();
    if queue.filter.narrows() && queue.is_loaded() {
        format!("{text} ({} of {} open)", thousands(queue.total), thousands(queue.counts.open))
    } else {
        text
    }
}

/// What is left, and how long it takes.
fn left(model: &Model) -> String {
    let counts = &model.triage.queue.counts;
    let others = [(counts.awaiting, "awaiting"), (counts.deferred, "deferred")];
    let others =
        others.iter().filter(|(many, _)| *many > 0).map(|(many, what)| format!(" · {} {what}", thousands(*many)));
    let ruled = match model.history.count() {
        0 => String::new(),
        many => format!(" · {many} ruled now"),
    };
    let pace = match (model.history.pace(), model.minutes_left()) {
        (Some(pace), Some(minutes)) => format!("   {pace} s a pair, about {} left", duration(minutes)),
        _ => String::new(),
    };
    format!("{} open{}{ruled}{pace} ", thousands(counts.open), others.collect::<String>())
}

fn short(model: &Model) -> String {
    let queue = &model.triage.queue;
    let place = if queue.total == 0 { 0 } else { queue.position() + 1 };
    let time = model.minutes_left().map(|minutes| format!("  ~{}", duration(minutes))).unwrap_or_default();
    format!("{} of {}{time} ", thousands(place), thousands(queue.total))
}

fn blind(model: &Model) -> String {
    if model.triage.blind { "BLIND: B shows all again ".to_owned() } else { String::new() }
}

fn duration(minutes: u64) -> String {
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, _) if hours >= 48 => format!("{} d", hours / 24),
        (hours, minutes) => format!("{hours} h {minutes:02} min"),
    }
}
