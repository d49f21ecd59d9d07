//! The lines of the list: number, when, who, what, slot, what changed, flag, note.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::Columns;
use crate::app::Model;
use crate::app::asks::log::Event;
use crate::app::log::shape::Shape;
use crate::app::log::words;
use crate::core::time::Instant;
use crate::tui::style::Theme;
use crate::tui::text::{fit, pad, pad_left, shown};

/// How wide each column is.
struct Widths {
    columns: Columns,
    number: usize,
    who: usize,
    slot: usize,
    changed: usize,
}

/// The widest kind is `reobserved`, `epoch_change`.
const KIND: usize = 12;
const FLAG: usize = 9;
const NOTE: usize = 4;

/// The rows that are seen, below the names of the columns where there is room for them.
pub(super) fn lines(model: &Model, shape: Shape, theme: &Theme) -> Vec<Line<'static>> {
    let list = &model.log.list;
    let widths = widths(model, usize::from(shape.inner));
    let names = shape.names.then(|| names(&widths, theme));
    let rows = list.visible().map(|(position, event)| {
        let chosen = position == list.position();
        row(event, chosen, &widths, theme, usize::from(shape.inner))
    });
    names.into_iter().chain(rows).collect()
}

fn widths(model: &Model, width: usize) -> Widths {
    let list = &model.log.list;
    let columns = Columns::of(u16::try_from(width + 2).unwrap_or(u16::MAX));
    let number = list.visible().map(|(_, event)| event.seq.to_string().len()).max().unwrap_or(1).max(2);
    let longest = |of: fn(&Event) -> String, least: usize, most: usize| {
        let widths =
            list.visible().map(|(_, event)| unicode_width::UnicodeWidthStr::width(shown(&of(event)).as_str()));
        widths.max().unwrap_or(least).clamp(least, most)
    };
    let who = longest(|event| event.actor.clone(), 5, if columns == Columns::All { 12 } else { 8 });
    // Two signs, the number, the time, who, what, each with a cell of air behind it.
    let fixed = match columns {
        Columns::All => 2 + number + 1 + 20 + who + 1 + KIND + 1 + 1 + FLAG + NOTE,
        Columns::Some => 2 + number + 1 + 12 + who + 1 + KIND + 1 + 1,
        Columns::Few => 2 + number + 1 + KIND + 1,
    };
    let room = width.saturating_sub(fixed);
    let slot = match columns {
        Columns::All => longest(words::about, 12, room.div_ceil(2).clamp(12, 40)),
        Columns::Some => longest(words::about, 10, (room * 6 / 10).max(10)),
        Columns::Few => room,
    };
    Widths { columns, number, who, slot: slot.min(room), changed: room.saturating_sub(slot) }
}

fn names(widths: &Widths, theme: &Theme) -> Line<'static> {
    let text = format!(
        "  {} {} {} {} {} {} {}{}",
        pad_left("no", widths.number),
        pad("when (UTC)", 19),
        pad("who", widths.who),
        pad("what", KIND),
        pad("slot", widths.slot),
        pad("what changed", widths.changed.saturating_sub(1)),
        pad("flag", FLAG),
        pad("note", NOTE),
    );
    Line::styled(text, theme.dim)
}

fn row(event: &Event, chosen: bool, widths: &Widths, theme: &Theme, width: usize) -> Line<'static> {
    let flag = words::flag(event);
    let note = if words::has_note(event) { "note" } else { "" };
    let plain = if event.undone.is_some() { theme.dim } else { theme.text };
    let sign = if chosen { "▸ " } else { "  " };
    let number = format!("{sign}{} ", pad_left(&event.seq.to_string(), widths.number));
    let kind = pad(&shown(&event.kind), KIND);
    let kind_style = if event.kind == "override" || is_disagreement(event) { theme.alarm } else { plain };
    let slot = pad(&shown(&words::about(event)), widths.slot);
    let changed = shown(&words::changed(event));
    let mut spans = vec![Span::styled(number, plain)];
    match widths.columns {
        Columns::All => {
            spans.push(Span::styled(time(event.at, "%Y-%m-%d %H:%M:%S "), theme.dim));
            spans.push(Span::styled(format!("{} ", pad(&shown(&event.actor), widths.who)), plain));
            spans.push(Span::styled(format!("{kind} "), kind_style));
            spans.push(Span::styled(format!("{slot} "), plain));
            spans.push(Span::styled(format!("{} ", pad(&changed, widths.changed.saturating_sub(1))), plain));
            spans.push(Span::styled(pad(flag, FLAG), if flag == words::UNDONE { theme.dim } else { theme.alarm }));
            spans.push(Span::styled(pad(note, NOTE), theme.dim));
        }
        Columns::Some => {
            let room = widths.changed;
            let flag = if flag.is_empty() { String::new() } else { format!("{flag} ") };
            let changed = fit(&changed, room.saturating_sub(flag.len()));
            spans.push(Span::styled(time(event.at, "%m-%d %H:%M "), theme.dim));
            spans.push(Span::styled(format!("{} ", pad(&shown(&event.actor), widths.who)), plain));
            spans.push(Span::styled(format!("{kind} "), kind_style));
            spans.push(Span::styled(format!("{slot} "), plain));
            spans.push(Span::styled(flag, theme.alarm));
            spans.push(Span::styled(changed, plain));
        }
        Columns::Few => {
            let flag = if flag.is_empty() { String::new() } else { format!(" {flag}") };
            spans.push(Span::styled(format!("{kind} "), kind_style));
            spans.push(Span::styled(fit(slot.trim_end(), widths.slot.saturating_sub(flag.len())), plain));
            spans.push(Span::styled(flag, theme.alarm));
        }
    }
    whole_line(spans, chosen, theme, width)
}

/// The selected line is reversed to its end, in one style: a colour in it would vanish on some terminals.
pub(super) fn whole_line(spans: Vec<Span<'static>>, chosen: bool, theme: &Theme, width: usize) -> Line<'static> {
    if !chosen {
        return Line::from(spans);
    }
    let text: String = spans.iter().map(|span| span.content.as_ref()).collect();
    Line::styled(pad(&text, width), selected(theme))
}

const fn selected(theme: &Theme) -> Style {
    theme.selected
}

fn is_disagreement(event: &Event) -> bool {
    event.kind == "audit" && event.body["verdict"] == "disagree"
}

pub(super) fn time(at: Instant, format: &str) -> String {
    at.utc().format(format).to_string()
}
