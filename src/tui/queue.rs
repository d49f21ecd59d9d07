//! The queue: a list beside the pair, or folded to a line or three above it.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};

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
    let place = if queue.list.total() == 0 { 0 } else { queue.list.position() + 1 };
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

/// Draws the line or lines above the pair.
pub(super) fn draw_folded(model: &Model, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    if area.height > 0 {
        let lines: Vec<Line<'_>> = rows(model, theme, area.width).collect();
        frame.render_widget(ratatui::text::Text::from(lines), area);
    }
}

fn rows<'a>(model: &'a Model, theme: &'a Theme, width: u16) -> impl Iterator<Item = Line<'static>> + 'a {
    let queue = &model.triage.queue;
    let numbers = queue.list.visible().map(|(_, entry)| entry.pair.to_string().len()).max().unwrap_or(1);
    queue.list.visible().map(move |(position, entry)| {
        let chosen = position == queue.list.position();
        let text = row(model, entry, chosen, numbers, usize::from(width));
        let style = match (chosen, entry.state) {
            (true, _) => theme.selected,
            (false, PairState::Open) => theme.text,
            (false, PairState::Awaiting | PairState::Deferred | PairState::Settled) => theme.dim,
        };
        Line::styled(text, style)
    })
}

/// `▸■ 412 user_31882 home_city EPOCH 3 d`
fn row(model: &Model, entry: &Entry, chosen: bool, numbers: usize, width: usize) -> String {
    let marked = model.triage.queue.marks.contains(&entry.pair);
    let age = age(model.now.since(entry.opened_at));
    let ground = grounds(&entry.grounds);
    let signs =
        format!("{}{}{}", if chosen { '▸' } else { ' ' }, if marked { '■' } else { ' ' }, sign(entry.state));
    let fixed = 3 + numbers + 1 + 1 + 1 + 6 + 4;
    let room = width.saturating_sub(fixed);
    let subject = room.div_ceil(2);
    format!(
        "{signs}{} {} {} {}{}",
        pad_left(&entry.pair.to_string(), numbers),
        pad(&shown(entry.subject.as_str()), subject),
        pad(&shown(entry.attribute.as_str()), room - subject),
        pad(&ground, 6),
        pad_left(&age, 4),
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
    lines.push(Line::styled(fit(" ■ marked   z deferred   @ awaiting", usize::from(width)), theme.dim));
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
        Ground::CrossEpoch => "EPOCH",
        Ground::CardinalityUndeclared => "CARD",
        Ground::AuthorityUnknown => "RANK",
        Ground::OrderUndecidable => "ORDER",
        Ground::LowConfidence => "CONF",
        Ground::Disputed => "DISP",
    }
}
