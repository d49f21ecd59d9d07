//! The answer at the crosshairs: what the core says there, on what it rests, and beside it what a store would say that
//! goes by the order of writing, or of observing, alone.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};

use super::super::region::region;
use super::super::style::Theme;
use super::super::text::{fit, pad, pad_left, shown, thousands, width};
use super::marks;
use crate::app::Model;
use crate::app::asks::history::{Believed, Said, Slot};
use crate::app::history::History;
use crate::app::keymap::Command;
use crate::app::spell::{ago, moment};
use crate::core::policy::Cardinality;
use crate::core::settle::Status;
use crate::core::text::shown_value;
use crate::core::time::Instant;

const NAMES: usize = 12;
const TITLE: &str = " The answer there ";

/// At the right of the plane: a line for each thing, and the signs of the values below.
pub(super) fn beside(model: &Model, slot: &Slot, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let block = region(theme, Line::styled(TITLE, theme.title));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let history = &model.history;
    let room = usize::from(inner.width);
    let named = |name: &'static str, spans: Vec<Span<'static>>| {
        Line::from([vec![Span::styled(format!(" {}", pad(name, NAMES)), theme.dim)], spans].concat())
    };
    let text = room.saturating_sub(NAMES + 2);
    let mut lines = vec![
        named("believed at", time(history.at.believed_at, model.now, theme)),
        named("about", time(history.at.about, model.now, theme)),
        Line::default(),
        named("the core", core(history, text, theme)),
        named("write order", last_written(history, text, theme)),
        named("true order", order(history.moved.as_ref().and_then(|it| it.last_observed.as_ref()), text, theme)),
        Line::default(),
    ];
    if let Some(believed) = answered(history) {
        lines.push(named("rests on", vec![Span::styled(fit(&records(believed), text), theme.text)]));
        lines.push(named("", vec![Span::styled(fit(&rulings(believed), text), theme.text)]));
        lines.push(named("open pairs", pairs(model, believed, text, theme)));
        lines.push(Line::default());
    }
    lines.extend(values(slot, usize::from(inner.height).saturating_sub(lines.len()), room, theme));
    frame.render_widget(Text::from(lines), inner);
}

/// Under the plane, or in its place: the same on a few lines.
pub(super) fn below(model: &Model, slot: &Slot, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let block = region(theme, Line::styled(TITLE, theme.title));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let history = &model.history;
    let room = usize::from(inner.width).saturating_sub(1);
    let name = |name: &str| Span::styled(format!(" {name} "), theme.dim);
    let times = vec![
        name("believed at"),
        Span::styled(short(history.at.believed_at, room), theme.strong),
        name(" about"),
        Span::styled(short(history.at.about, room), theme.strong),
    ];
    let core = [vec![name("the core")], core(history, room / 2, theme)].concat();
    let names = if room < 60 { ["write", " true"] } else { ["write order", " true order"] };
    let said = room.saturating_sub(names.concat().len() + TRAP.len() + 4) / 2;
    let orders = [
        vec![name(names[0])],
        last_written(history, said + TRAP.len(), theme),
        vec![name(names[1])],
        order(history.moved.as_ref().and_then(|it| it.last_observed.as_ref()), said, theme),
    ]
    .concat();
    let rests = answered(history).map(|believed| {
        let told = format!(" · {} · rests on {}", rulings(believed), records(believed));
        [vec![Span::raw(" ")], pairs(model, believed, room, theme), vec![Span::styled(told, theme.text)]].concat()
    });
    // What fits beside what stands before it shares its line: the more is left for what the answer rests on.
    let mut lines: Vec<Vec<Span<'static>>> = vec![times];
    for part in [Some(core), Some(orders), rests].into_iter().flatten() {
        match lines.last_mut().filter(|line| width(line) + width(&part) + 2 <= room) {
            Some(line) => line.extend([vec![Span::raw("  ")], part].concat()),
            None => lines.push(part),
        }
    }
    if usize::from(inner.height) > lines.len() && history.layout().plane.is_none() {
        lines.push(marks::legend(slot, room, theme));
    }
    frame.render_widget(Text::from(lines.into_iter().map(Line::from).collect::<Vec<_>>()), inner);
}

/// A moment of the crosshairs, and how long ago it is.
fn time(at: Option<Instant>, now: Instant, theme: &Theme) -> Vec<Span<'static>> {
    match at {
        None => vec![Span::styled("now", theme.strong)],
        Some(at) => {
            vec![Span::styled(moment(at), theme.strong), Span::styled(format!(" {}", ago(at, now)), theme.dim)]
        }
    }
}

fn short(at: Option<Instant>, room: usize) -> String {
    match at {
        None => "now".to_owned(),
        Some(at) if room < 60 => at.utc().format("%y-%m-%d %H:%M").to_string(),
        Some(at) => moment(at),
    }
}

/// The answer of the core, once it is the one where the crosshairs stand.
fn answered(history: &History) -> Option<&Believed> {
    history.believed.as_deref().filter(|_| history.is_answered())
}

/// What the core answers, with the status that says why.
fn core(history: &History, room: usize, theme: &Theme) -> Vec<Span<'static>> {
    let Some(believed) = answered(history) else { return vec![Span::styled("asking …", theme.dim)] };
    let status = believed.status.name();
    let values: Vec<String> = believed.values.iter().map(shown_value).collect();
    let values = match (values.as_slice(), believed.cardinality) {
        ([], Some(Cardinality::Many)) => "none".to_owned(),
        ([], Some(Cardinality::One) | None) => "no value".to_owned(),
        _ if believed.more_values > 0 => format!("{} and {} more", values.join(", "), believed.more_values),
        _ => values.join(", "),
    };
    let value = fit(&values, room.saturating_sub(status.len() + 2));
    let strong = if believed.values.is_empty() { theme.bad } else { theme.strong };
    vec![Span::styled(value, strong), Span::styled(format!("  {status}"), tone(believed.status, theme))]
}

const fn tone(status: Status, theme: &Theme) -> Style {
    match status {
        Status::Settled => theme.good,
        Status::Contested | Status::Awaiting => theme.bad,
        Status::Unanchored | Status::Empty => theme.dim,
    }
}

/// What the last one written says: a trap, where the core would not say it.
fn last_written(history: &History, room: usize, theme: &Theme) -> Vec<Span<'static>> {
    let said = history.moved.as_ref().and_then(|it| it.last_written.as_ref());
    if !is_trap(history) {
        return order(said, room, theme);
    }
    let mut spans = order(said, room.saturating_sub(TRAP.len()), theme);
    spans.push(Span::styled(TRAP, theme.alarm));
    spans
}

const TRAP: &str = "  the trap";

/// Whether a store that goes by the write order would be taken in here: it says what the core does not, and the later
/// truth says otherwise, or the core does.
fn is_trap(history: &History) -> bool {
    let (Some(believed), Some(moved)) = (answered(history), &history.moved) else { return false };
    let Some(written) = &moved.last_written else { return false };
    if believed.cardinality == Some(Cardinality::Many) {
        return false;
    }
    match believed.values.first() {
        Some(value) => *value != written.value || written.retracts,
        None => moved.last_observed.as_ref().is_some_and(|observed| observed.value != written.value),
    }
}

fn order(said: Option<&Said>, room: usize, theme: &Theme) -> Vec<Span<'static>> {
    let Some(said) = said else { return vec![Span::styled("nothing", theme.dim)] };
    let not = if said.retracts { "not " } else { "" };
    vec![Span::styled(fit(&format!("{not}{}", shown_value(&said.value)), room), theme.text)]
}

fn records(believed: &Believed) -> String {
    let ids: Vec<String> = believed.records.iter().take(3).map(|id| shown(id.as_str())).collect();
    let more = believed.records.len().saturating_sub(3) as u64 + believed.more_records;
    match (ids.is_empty(), more) {
        (true, _) => "no record".to_owned(),
        (false, 0) => ids.join(", "),
        (false, more) => format!("{} and {} more", ids.join(", "), thousands(more)),
    }
}

fn rulings(believed: &Believed) -> String {
    let numbers: Vec<String> = believed.rulings.iter().take(4).map(ToString::to_string).collect();
    let more = if believed.rulings.len() > 4 { " …" } else { "" };
    match numbers.len() {
        0 => format!("policy {}, no ruling", believed.policy),
        1 => format!("policy {}, ruling {}", believed.policy, numbers[0]),
        _ => format!("policy {}, rulings {}{more}", believed.policy, numbers.join(", ")),
    }
}

fn pairs(model: &Model, believed: &Believed, room: usize, theme: &Theme) -> Vec<Span<'static>> {
    if believed.pairs.is_empty() {
        return vec![Span::styled("no open pair", theme.dim)];
    }
    let numbers: Vec<String> = believed.pairs.iter().take(4).map(ToString::to_string).collect();
    let more = believed.pairs.len().saturating_sub(4);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let word = if believed.pairs.len() == 1 { "pair" } else { "pairs" };
    vec![
        Span::styled(fit(&format!("{word} {}{more} open  ", numbers.join(", ")), room), theme.strong),
        Span::styled(model.setup.keymap.chord(Command::OpenPair), theme.key),
    ]
}

/// Each value on a line with its sign; what there is no room for is counted.
fn values(slot: &Slot, room: usize, cells: usize, theme: &Theme) -> Vec<Line<'static>> {
    let all = usize::try_from(slot.distinct).unwrap_or(usize::MAX);
    let told = if all <= room { all } else { room.saturating_sub(1) }.min(slot.values.len());
    let mut lines: Vec<Line<'static>> = slot
        .values
        .iter()
        .take(told)
        .enumerate()
        .map(|(at, (value, records))| {
            let records = thousands(*records);
            let count = records.len().max(5);
            Line::from(vec![
                Span::styled(format!(" {} ", marks::shape(at)), marks::style(at, theme)),
                Span::styled(pad(&shown_value(value), cells.saturating_sub(5 + count)), theme.text),
                Span::styled(pad_left(&records, count), theme.dim),
            ])
        })
        .collect();
    if told < all && room > 0 {
        let more = thousands((all - told) as u64);
        lines.push(Line::styled(
            format!(" and {more} more value{}", if all - told == 1 { "" } else { "s" }),
            theme.dim,
        ));
    }
    lines
}
