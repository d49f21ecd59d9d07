//! The queue: a list beside the pair, or folded to a line or three above it.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Scrollbar, ScrollbarOrientation, ScrollbarState};
use unicode_width::UnicodeWidthStr;

use super::region::region;
use super::style::Theme;
use super::text::{fit, pad, pad_left, shown, thousands};
use crate::app::Model;
use crate::app::geometry::QUEUE_FOOT;
use crate::app::keymap::{Command, Narrowing};
use crate::app::spell::age;
use crate::core::examine::Ground;
use crate::core::pair::{Entry, PairState};

/// Draws the list within its borders, with the counts by ground and the legend of signs at its foot.
pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let queue = &model.triage.queue;
    let place = queue.list.ordinal();
    let focused = model.triage.focus == crate::app::triage::Focus::Queue;
    let mut title = vec![
        Span::styled(if focused { " ▪ Queue " } else { " Queue " }, theme.title),
        Span::styled(format!("{} of {} ", thousands(place), thousands(queue.list.total())), theme.text),
    ];
    if !queue.marks.is_empty() {
        title.push(Span::styled(format!("· {} marked ", thousands(queue.marks.len() as u64)), theme.alarm));
    }
    let block = region(theme, title);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let [list, foot] = inner.layout(&Layout::vertical([Constraint::Fill(1), Constraint::Length(QUEUE_FOOT)]));
    let lines: Vec<Line<'_>> = rows(model, theme, list.width).collect();
    frame.render_widget(ratatui::text::Text::from(lines), list);
    frame.render_widget(ratatui::text::Text::from(legend(model, theme, foot.width)), foot);
}

/// Draws, on the border at the list's right, where in the whole list the rows that are seen stand.
pub(super) fn draw_scrollbar(model: &Model, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let list = &model.triage.queue.list;
    let lines = area.height.saturating_sub(2 + QUEUE_FOOT);
    if list.total() <= list.height() || lines == 0 || area.width == 0 {
        return;
    }
    let whole = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let mut state = ScrollbarState::new(whole(list.total().saturating_sub(list.height())))
        .position(whole(list.offset()))
        .viewport_content_length(whole(list.height()));
    let bar = Scrollbar::new(ScrollbarOrientation::VerticalRight)
        .begin_symbol(None)
        .end_symbol(None)
        .track_symbol(None)
        .thumb_symbol("┃")
        .thumb_style(theme.strong);
    let area = Rect { x: area.right() - 1, y: area.y + 1, width: 1, height: lines };
    let joins = |frame: &mut Frame<'_>, sign| {
        let rows = (area.top()..area.bottom())
            .filter(|y| frame.buffer_mut().cell((area.x, *y)).is_some_and(|cell| cell.symbol() == sign));
        rows.collect::<Vec<u16>>()
    };
    // Where another region's border begins it stays in sight.
    let joined = joins(frame, "├");
    frame.render_stateful_widget(bar, area, &mut state);
    for y in joins(frame, "┃").into_iter().filter(|y| joined.contains(y)) {
        frame.render_widget(Span::styled("┠", theme.strong), Rect { y, height: 1, ..area });
    }
}

/// Draws the line or lines above the pair.
pub(super) fn draw_folded(model: &Model, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    if area.height > 0 {
        let lines: Vec<Line<'_>> = rows(model, theme, area.width).collect();
        frame.render_widget(ratatui::text::Text::from(lines), area);
    }
}

fn rows<'a>(model: &'a Model, theme: &'a Theme, width: u16) -> impl Iterator<Item = Line<'static>> + 'a {
    let queue = &model.triage.queue;
    let columns = columns(model, usize::from(width));
    queue.list.visible().map(move |(position, entry)| {
        let chosen = position == queue.list.position();
        let text = row(model, entry, chosen, columns);
        let style = match (chosen, entry.state) {
            (true, _) => theme.selected,
            (false, PairState::Open) => theme.text,
            (false, PairState::Awaiting | PairState::Deferred | PairState::Settled) => theme.dim,
        };
        Line::styled(text, style)
    })
}

/// The widths of the columns that differ from list to list.
#[derive(Clone, Copy)]
struct Columns {
    /// Whether the states are told: where all are open there is nothing to tell.
    states: bool,
    /// Whether the ages are told: on a narrow list the names come first.
    ages: bool,
    number: usize,
    subject: usize,
    attribute: usize,
}

/// As wide as what is seen wants; where that is too much, the wider of the two names gives way first.
fn columns(model: &Model, width: usize) -> Columns {
    let seen = || model.triage.queue.list.visible().map(|(_, entry)| entry);
    let number = seen().map(|entry| entry.pair.to_string().len()).max().unwrap_or(1);
    let states = seen().any(|entry| entry.state != PairState::Open);
    let room = width.saturating_sub(2 + usize::from(states) + number + 1 + 1 + 1 + 6 + 4);
    let widest = |name: fn(&Entry) -> &str| seen().map(|entry| shown(name(entry)).width()).max().unwrap_or(0);
    let (subject, attribute) = (widest(|entry| entry.subject.as_str()), widest(|entry| entry.attribute.as_str()));
    let ages = room >= 20 || subject + attribute <= room;
    let room = if ages { room } else { room + 4 };
    let half = room / 2;
    let subject = match () {
        () if subject + attribute <= room => subject,
        () if subject <= half => subject,
        () if attribute <= half => room - attribute,
        () => room - half,
    };
    Columns { states, ages, number, subject, attribute: room - subject }
}

/// `▸■ 412 user_31882 home_city EPOCH 3 d`
fn row(model: &Model, entry: &Entry, chosen: bool, columns: Columns) -> String {
    let marked = model.triage.queue.marks.contains(&entry.pair);
    let age = if columns.ages { pad_left(&age(model.now.since(entry.opened_at)), 4) } else { String::new() };
    let state = if columns.states { sign(entry.state).to_string() } else { String::new() };
    let signs = format!("{}{}{state}", if chosen { '▸' } else { ' ' }, if marked { '■' } else { ' ' });
    format!(
        "{signs}{} {} {} {}{age}",
        pad_left(&entry.pair.to_string(), columns.number),
        pad(&shown(entry.subject.as_str()), columns.subject),
        pad(&shown(entry.attribute.as_str()), columns.attribute),
        pad(&grounds(&entry.grounds), 6),
    )
}

fn legend(model: &Model, theme: &Theme, width: u16) -> Vec<Line<'static>> {
    let counts = &model.triage.queue.counts;
    let each = counts.by_ground.iter().map(|(ground, many)| format!("{} {}", short(*ground), thousands(*many)));
    let each = each.collect::<Vec<_>>().join("  ");
    let grounds = textwrap::wrap(&each, usize::from(width.max(8)).saturating_sub(1))
        .into_iter()
        .map(|line| Line::styled(format!(" {line}"), theme.dim))
        .take(usize::from(QUEUE_FOOT) - 3);
    let mut lines = vec![Line::styled("─".repeat(usize::from(width)), theme.border)];
    lines.extend(grounds);
    while lines.len() + 2 < usize::from(QUEUE_FOOT) {
        lines.push(Line::default());
    }
    lines.push(Line::styled(fit(" ■ marked  z deferred  @ awaiting", usize::from(width)), theme.dim));
    let keys = [(Narrowing::Facets, "facets"), (Narrowing::Find, "find"), (Narrowing::Sort, "order")];
    let spans = keys.into_iter().flat_map(|(command, word)| {
        let key = model.key(Command::Narrow(command));
        [Span::styled(format!(" {key}"), theme.key), Span::styled(format!(" {word} "), theme.dim)]
    });
    lines.push(Line::from(spans.collect::<Vec<_>>()));
    lines
}

const fn sign(state: PairState) -> char {
    match state {
        PairState::Open => ' ',
        PairState::Awaiting => '@',
        PairState::Deferred => 'z',
        PairState::Settled => '✓',
    }
}

/// The first ground in a word, with a `+` where there are more.
fn grounds(grounds: &[Ground]) -> String {
    match grounds {
        [] => String::new(),
        [one] => short(*one).to_owned(),
        [first, ..] => format!("{}+", short(*first)),
    }
}

/// A ground in one short word.
pub(super) const fn short(ground: Ground) -> &'static str {
    match ground {
        Ground::SubjectUnconfirmed => "IDENT",
        Ground::MissingProvenance => "PROV",
        Ground::ImpossibleProvenance => "TIMES",
        Ground::OutdatedProvenance => "ENDED",
        Ground::CrossEpoch => "EPOCH",
        Ground::CardinalityUndeclared => "CARD",
        Ground::AuthorityUnknown => "RANK",
        Ground::OrderUndecidable => "ORDER",
        Ground::LowConfidence => "CONF",
        Ground::Disputed => "DISP",
    }
}
