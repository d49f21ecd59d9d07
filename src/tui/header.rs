//! The head of the screen: which store, who rules, what is left, the pace, the filter and the order in force.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::style::Theme;
use super::text::{fit, shown, thousands, width};
use unicode_width::UnicodeWidthStr;

use crate::app::Model;
use crate::app::keymap::{Command, Common, Looking, Screen};
use crate::core::text::reveal;

/// Draws one line, or two where there is room for two: the store, who rules and what is left; the screens, and what
/// the open one says of itself. On one line its `short` words stand at the right end.
pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame<'_>, area: Rect, said: Said) {
    let only = if model.setup.read_only { "READ ONLY " } else { "" };
    let who = format!(" GAINSAY  {}  as {} {only}", shown(&model.setup.store), shown(&model.setup.actor));
    let cells = usize::from(area.width);
    if area.height >= 2 {
        let name = vec![Span::styled(who, theme.header.patch(theme.strong))];
        ends(frame, line(area, 0), cells, name, left(model), theme.header);
        let here = [screens(model, theme), said.here].concat();
        ends(frame, line(area, 1), cells, here, said.right, theme.text);
        return;
    }
    let room = cells.saturating_sub(said.short.width() + 1);
    let who = if model.screen == Screen::Triage {
        who
    } else {
        format!(" {}  {}", model.screen.name(), who.trim_start())
    };
    let mut line = vec![Span::styled(fit(&who, room), theme.header.patch(theme.strong))];
    line.extend(said.alarm.map(|alarm| Span::styled(alarm, theme.header)));
    ends(frame, area, cells, line, said.short, theme.header);
}

/// What a screen says of itself in the head.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    /// After the names of the screens.
    pub(super) here: Vec<Span<'static>>,
    /// At the right end of that line.
    pub(super) right: String,
    /// At the right end where there is one line only.
    pub(super) short: String,
    /// What must be seen even there: a filter in force.
    pub(super) alarm: Option<String>,
}

/// The screens with their keys, the open one marked.
fn screens(model: &Model, theme: &Theme) -> Vec<Span<'static>> {
    let tab = |screen: Screen| {
        let key = model
            .setup
            .keymap
            .keys(Command::Common(Common::Go(screen)))
            .first()
            .map(ToString::to_string)
            .unwrap_or_default();
        let here = screen == model.screen;
        let name = if here { format!("[{}]", screen.name()) } else { format!(" {} ", screen.name()) };
        [
            Span::styled(format!(" {key}"), theme.key),
            Span::styled(name, if here { theme.strong } else { theme.dim }),
        ]
    };
    Screen::ALL.into_iter().flat_map(tab).collect()
}

/// What the triage screen says of itself: the filter and the order in force.
pub(super) fn of_triage(model: &Model, theme: &Theme) -> Said {
    let narrows = model.triage.queue.filter.narrows();
    Said {
        here: vec![
            Span::styled("  showing ", theme.dim),
            Span::styled(filter(model), emphasis(model, theme)),
            Span::styled("  order ", theme.dim),
            Span::styled(model.triage.queue.sorting.name(), theme.text),
        ],
        right: blind(model),
        short: short(model),
        alarm: narrows.then(|| filter(model)),
    }
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
    if queue.filter.narrows() && queue.list.is_loaded() {
        format!("{text} ({} of {} open)", thousands(queue.list.total()), thousands(queue.counts.open))
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
    let ruled = match model.session.count() {
        0 => String::new(),
        1 => " · 1 ruling made".to_owned(),
        many => format!(" · {many} rulings made"),
    };
    let pace = match (model.session.pace(), model.minutes_left()) {
        (Some(pace), Some(minutes)) => format!("   {pace} s a pair, about {} left", duration(minutes)),
        _ => String::new(),
    };
    format!("{} open{}{ruled}{pace} ", thousands(counts.open), others.collect::<String>())
}

fn short(model: &Model) -> String {
    let queue = &model.triage.queue;
    let place = queue.list.ordinal();
    let time = model.minutes_left().map(|minutes| format!("  ~{}", duration(minutes))).unwrap_or_default();
    format!("{} of {}{time} ", thousands(place), thousands(queue.list.total()))
}

fn blind(model: &Model) -> String {
    let shows = model.key(Command::Look(Looking::Blind));
    if model.triage.blind { format!("BLIND: {shows} shows all again ") } else { String::new() }
}

fn duration(minutes: u64) -> String {
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, _) if hours >= 48 => format!("{} d", hours / 24),
        (hours, minutes) => format!("{hours} h {minutes:02} min"),
    }
}
