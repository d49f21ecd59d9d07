//! The event log: the list above, the selected event whole below it, or on all of the screen.

mod list;
mod sample;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect, Spacing};
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};

use unicode_width::UnicodeWidthStr;

use super::header::Said;
use super::region::region;
use super::screen;
use super::style::Theme;
use super::text::{counted, fit, shown, thousands};
use crate::app::Model;
use crate::app::log::detail;
use crate::app::log::piece::Role;
use crate::app::log::shape::{MIDDLE, Shape, WIDE};
use crate::app::spell::age;

/// Draws the screen.
pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame<'_>) {
    let body = screen::frame(model, theme, frame, said(model, theme));
    let shape = Shape::new(model.size, model.log.full);
    if model.log.full {
        whole(model, theme, frame, body);
        return;
    }
    let upper = shape.list + u16::from(shape.names) + 2;
    let parts = Layout::vertical([Constraint::Length(upper), Constraint::Fill(1)]).spacing(Spacing::Overlap(1));
    let [above, below] = body.layout(&parts);
    match &model.log.auditing {
        Some(auditing) => sample::draw(model, auditing, shape, theme, frame, above),
        None => events(model, shape, theme, frame, above),
    }
    whole(model, theme, frame, below);
}

/// What the screen says of itself in the head: the filter in force, and how much it shows.
fn said(model: &Model, theme: &Theme) -> Said {
    let log = &model.log;
    if let Some(auditing) = &log.auditing {
        let progress = auditing.progress();
        let kind = if auditing.blind { "BLIND audit of" } else { "auditing" };
        let words = format!("{kind} {}", shown(&auditing.sample.reviewer));
        return Said {
            here: vec![Span::raw("  "), Span::styled(words.clone(), theme.strong)],
            right: if auditing.blind { "BLIND: B shows what was ruled ".to_owned() } else { String::new() },
            short: format!("{} of {} said ", progress.done(), progress.of),
            alarm: Some(words),
        };
    }
    let filter = filter(model);
    let style = if log.filter.narrows() { theme.alarm } else { theme.text };
    Said {
        here: vec![Span::styled("  showing ", theme.dim), Span::styled(filter.clone(), style)],
        right: String::new(),
        short: place(model),
        alarm: log.filter.narrows().then_some(filter),
    }
}

fn filter(model: &Model) -> String {
    let log = &model.log;
    if !log.filter.narrows() {
        return "all, newest first".to_owned();
    }
    let words = shown(&log.filter.words().join(" · "));
    format!("{words} ({} of {})", thousands(log.list.total()), thousands(log.chain.events))
}

fn place(model: &Model) -> String {
    let list = &model.log.list;
    let at = list.ordinal();
    format!("{} of {} ", thousands(at), thousands(list.total()))
}

fn events(model: &Model, shape: Shape, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let title = Line::from(vec![Span::styled(" Events ", theme.title), Span::styled(place(model), theme.text)]);
    let room = usize::from(area.width).saturating_sub(title.width() + 4);
    let block = region(theme, title).title(corner(model, theme, room).right_aligned());
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let lines = if model.log.list.total() == 0 { empty(model, theme) } else { list::lines(model, shape, theme) };
    frame.render_widget(Text::from(lines), inner);
}

/// The head of the chain, and what `verify` said last: the longest way of saying it that there is room for.
fn corner(model: &Model, theme: &Theme, room: usize) -> Line<'static> {
    let chain = &model.log.chain;
    if chain.events == 0 {
        return Line::default();
    }
    let head = detail::short(&chain.head);
    let events = thousands(chain.events);
    let (verified, brief, style) = match &chain.check {
        None => ("never verified (V)".to_owned(), "unverified".to_owned(), theme.alarm),
        Some(check) => {
            let age = age(model.now.since(check.at));
            let ago = if age == "now" { "just now".to_owned() } else { format!("{age} ago") };
            let since = chain.events.saturating_sub(check.events);
            let more = if since > 0 { format!(", {} since", thousands(since)) } else { String::new() };
            if check.damage.is_empty() {
                (format!("verified {ago}: whole{more}"), format!("whole, {age}"), theme.good)
            } else {
                let many = check.damage.len();
                (format!("verified {ago}: DAMAGED in {many} places"), "DAMAGED".to_owned(), theme.bad)
            }
        }
    };
    let ways = [
        (format!(" chain {head}… · {events} events · "), verified.clone()),
        (format!(" {head}… · "), verified),
        (format!(" {head} "), brief.clone()),
        (" ".to_owned(), brief),
    ];
    let width = |way: &(String, String)| Line::from(vec![way.0.as_str().into(), way.1.as_str().into()]).width() + 1;
    match ways.into_iter().find(|way| width(way) <= room) {
        Some((head, verified)) => {
            Line::from(vec![Span::styled(head, theme.dim), Span::styled(verified, style), Span::raw(" ")])
        }
        None => Line::default(),
    }
}

/// No event to show: why, and what to do about it.
fn empty(model: &Model, theme: &Theme) -> Vec<Line<'static>> {
    let log = &model.log;
    let lines = if !log.list.is_loaded() {
        vec!["reading …".to_owned()]
    } else if log.filter.narrows() {
        let hidden = log.chain.events;
        vec![
            format!("Nothing matches: {}.", shown(&log.filter.words().join(", "))),
            format!("The filter hides {}. F clears it.", counted(hidden, "event")),
        ]
    } else {
        vec!["Nothing has happened yet: `gainsay import` brings records in.".to_owned()]
    };
    lines.into_iter().map(|line| Line::styled(format!(" {line}"), theme.text)).collect()
}

/// The selected event, scrolled.
fn whole(model: &Model, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let log = &model.log;
    let lines = log.lines();
    let room = usize::from(area.width).saturating_sub(4);
    let titles: Vec<String> = log.titles(model.now).iter().map(|title| shown(title)).collect();
    let fits = |title: &&String| title.width() + 2 <= room;
    let title = titles.iter().find(fits).or(titles.last()).cloned().unwrap_or_default();
    let block = region(theme, Line::styled(format!(" {} ", fit(&title, room.saturating_sub(2))), theme.title));
    let inner = block.inner(area);
    let more = lines.len().saturating_sub(log.down + usize::from(inner.height));
    let block = match (log.down, more) {
        (0, 0) => block,
        (_, 0) => block.title_bottom(Line::styled(" the end; K scrolls back ", theme.dim).right_aligned()),
        (_, more) => {
            let lines = if more == 1 { "line" } else { "lines" };
            block.title_bottom(Line::styled(format!(" {more} more {lines}: J "), theme.dim).right_aligned())
        }
    };
    frame.render_widget(block, area);
    let drawn = lines.iter().skip(log.down).take(usize::from(inner.height)).map(|line| {
        Line::from(
            line.iter().map(|span| Span::styled(span.text.clone(), style(span.role, theme))).collect::<Vec<_>>(),
        )
    });
    let mut text: Vec<Line<'_>> = drawn.collect();
    if text.is_empty() && log.current().is_some() {
        text.push(Line::styled(" reading …", theme.dim));
    }
    frame.render_widget(Text::from(text), inner);
}

const fn style(role: Role, theme: &Theme) -> Style {
    match role {
        Role::Text => theme.text,
        Role::Name | Role::Dim => theme.dim,
        Role::Strong => theme.strong,
        Role::Good => theme.good,
        Role::Bad => theme.bad,
        Role::Alarm => theme.alarm,
        Role::Key => theme.key,
    }
}

/// How a list of this screen is laid out at a width.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Columns {
    /// Every column.
    All,
    /// Without the seconds, flag and note in one.
    Some,
    /// The number, the kind and the slot.
    Few,
}

impl Columns {
    const fn of(width: u16) -> Self {
        match width {
            WIDE.. => Self::All,
            MIDDLE.. => Self::Some,
            _ => Self::Few,
        }
    }
}
