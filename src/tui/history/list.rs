//! The list: records by when they were observed, an epoch as a rule across, the rulings among them; under it the links of
//! the selected record in words.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span, Text};
use unicode_width::UnicodeWidthStr;

use super::super::region::region;
use super::super::style::Theme;
use super::super::text::{fit, pad, pad_left, shown, thousands, width};
use super::marks;
use crate::app::Model;
use crate::app::asks::history::{Line as Row, RecordLine, RulingLine};
use crate::app::history::words;
use crate::app::history::{Focus, History};
use crate::app::spell::{span, when};
use crate::core::pair::RecordState;
use crate::core::record::Lack;
use crate::core::text::{reveal, shown_value};
use crate::core::time::{Instant, When};

/// Draws it within its borders.
pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let history = &model.history;
    let list = &history.list;
    let place = list.ordinal();
    let focused = if history.focus == Focus::List { " ▪ " } else { " " };
    let title = vec![
        Span::styled(format!("{focused}By when it was true "), theme.title),
        Span::styled(format!("line {} of {} ", thousands(place), thousands(list.total())), theme.text),
    ];
    let block = region(theme, title);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let divided = history.layout();
    let parts = [Constraint::Length(divided.heads), Constraint::Fill(1), Constraint::Length(divided.told)];
    let [heads, rows, told] = inner.layout(&Layout::vertical(parts));
    let columns = Columns::of(usize::from(inner.width));
    if divided.heads > 0 {
        frame.render_widget(Line::styled(columns.heads(), theme.dim), heads);
    }
    let lines: Vec<Line<'static>> =
        list.visible().map(|(at, row)| line(row, at == list.position(), &columns, theme)).collect();
    frame.render_widget(Text::from(lines), rows);
    if divided.told > 0 {
        frame.render_widget(Text::from(links(history, told, theme)), told);
    }
}

/// How wide each column is; 0 where there is no room for it.
struct Columns {
    all: usize,
    value: usize,
    /// Of both times.
    time: usize,
    written: bool,
    epoch: usize,
    kind: usize,
    state: usize,
    id: usize,
}

/// The sign of the selection, that of the value, and a cell of air behind each.
const SIGNS: usize = 4;
const LAG: usize = 8;

impl Columns {
    const fn of(all: usize) -> Self {
        let (time, written, epoch, kind, id) = match all {
            100.. => (18, true, 6, 15, 12),
            70..100 => (11, true, 6, 0, 10),
            55..70 => (11, true, 6, 0, 0),
            _ => (11, false, 0, 0, 0),
        };
        let times = if written { 2 * time } else { time };
        let rest = all.saturating_sub(SIGNS + times + LAG + epoch + kind + id);
        let value = if kind > 0 { rest * 2 / 5 } else { rest * 3 / 8 };
        Self { all, value, time, written, epoch, kind, state: rest - value, id }
    }

    /// The names of the columns, each over its own.
    fn heads(&self) -> String {
        let written = if self.written { pad("written at", self.time) } else { String::new() };
        let named = |name: &str, cells: usize| pad(if cells > 0 { name } else { "" }, cells);
        let heads = [
            pad("", SIGNS),
            pad("value", self.value),
            pad("true at", self.time),
            written,
            pad_left("lag ", LAG),
            named("epoch", self.epoch),
            named("source", self.kind),
            pad("state", self.state),
            named("record", self.id),
        ];
        heads.concat()
    }

    fn moment(&self, at: Instant) -> String {
        let form = if self.time > 11 { "%Y-%m-%d %H:%MZ" } else { "%Y-%m-%d" };
        at.utc().format(form).to_string()
    }

    fn when(&self, said: When) -> String {
        match said {
            When::At(at) => self.moment(at),
            When::Day(_) | When::Month { .. } | When::Year(_) => when(said),
        }
    }
}

fn line(row: &Row, chosen: bool, columns: &Columns, theme: &Theme) -> Line<'static> {
    let sign = if chosen { "▸ " } else { "  " };
    match row {
        Row::Record(record) => {
            let spans = cells(record, sign, columns, theme);
            // The selection is one bar, whatever the colours within it.
            if chosen {
                let text: String = spans.iter().map(|span| span.content.as_ref()).collect();
                return Line::styled(text, theme.selected);
            }
            Line::from(spans)
        }
        Row::Ruling(ruling) => {
            let style = match (chosen, ruling.undone) {
                (true, _) => theme.selected,
                (false, true) => theme.dim,
                (false, false) => theme.text,
            };
            Line::styled(pad(&told(ruling, sign, columns), columns.all), style)
        }
        Row::Epoch { epoch, first_observed_at, cause, opened } => {
            let cause = cause.as_ref().map(|cause| format!(" · {}", shown(cause))).unwrap_or_default();
            let since = |(since, by): &(Instant, String)| {
                format!(" · opened {} by {}", columns.when(When::At(*since)), shown(by))
            };
            let opened = opened.as_ref().map(since).unwrap_or_default();
            let text =
                format!("epoch {epoch} · first observed {}{cause}{opened}", columns.when(*first_observed_at));
            rule(&text, chosen, columns, theme)
        }
        Row::Undated { records } => {
            let word = if *records == 1 { "record" } else { "records" };
            rule(&format!("true at unknown · {} {word}, not drawn", thousands(*records)), chosen, columns, theme)
        }
    }
}

/// `── epoch 7 · first observed 2025-10-14 · deploy 2025.10.2 ──────────`
fn rule(text: &str, chosen: bool, columns: &Columns, theme: &Theme) -> Line<'static> {
    let text = fit(text, columns.all.saturating_sub(8));
    let lead = if chosen { "▸ ── " } else { "──── " };
    let rest = columns.all.saturating_sub(6 + Span::raw(text.as_str()).width());
    if chosen {
        return Line::styled(format!("{lead}{text} {}", "─".repeat(rest)), theme.selected);
    }
    Line::from(vec![
        Span::styled(lead, theme.border),
        Span::styled(text, theme.strong),
        Span::styled(format!(" {}", "─".repeat(rest)), theme.border),
    ])
}

fn cells(record: &RecordLine, sign: &'static str, columns: &Columns, theme: &Theme) -> Vec<Span<'static>> {
    let gone = matches!(
        record.state,
        Some(RecordState::Superseded | RecordState::History | RecordState::Withdrawn | RecordState::Retracted)
    );
    let text = if gone { theme.dim } else { theme.text };
    let value = format!("{}{}", if record.retracts { "not " } else { "" }, shown_value(&record.value));
    let missing = || ("unknown".to_owned(), theme.alarm);
    let (observed, observed_style) = record.observed_at.map_or_else(missing, |at| (columns.when(at), text));
    let (lag, late) = lag(record);
    let mut spans = vec![
        Span::raw(sign),
        Span::styled(format!("{} ", marks::shape(record.mark)), marks::style(record.mark, theme)),
        Span::styled(gap(&value, columns.value), if gone { theme.dim } else { theme.strong }),
        Span::styled(pad(&observed, columns.time), observed_style),
    ];
    if columns.written {
        spans.push(Span::styled(pad(&columns.moment(record.written_at), columns.time), text));
    }
    spans.push(Span::styled(pad_left(&format!("{lag} "), LAG), if late { theme.alarm } else { text }));
    let unknown = |lacks: Lack| if record.lacks.contains(&lacks) { theme.alarm } else { text };
    if columns.epoch > 0 {
        let over = Lack::over(&record.lacks).is_some();
        let sign = if over { "!" } else { "" };
        let epoch = record.epoch.map_or_else(|| "?".to_owned(), |epoch| format!("{epoch}{sign}"));
        let style = if over { theme.alarm } else { unknown(Lack::Epoch) };
        spans.push(Span::styled(gap(&epoch, columns.epoch), style));
    }
    if columns.kind > 0 {
        let kind = record.kind.as_ref().map_or_else(|| "unknown".to_owned(), |kind| shown(kind.as_str()));
        spans.push(Span::styled(gap(&kind, columns.kind), unknown(Lack::Source)));
    }
    let contested = record.state == Some(RecordState::Contested);
    let style = if contested { theme.alarm } else { text };
    spans.push(Span::styled(gap(&state(record, columns.state), columns.state), style));
    if columns.id > 0 {
        spans.push(Span::styled(pad(&shown(record.id.as_str()), columns.id), theme.dim));
    }
    spans
}

/// What became of it; where that is too long, the pair that it is in says it as well.
fn state(record: &RecordLine, room: usize) -> String {
    let words = reveal(&words::became(record)).into_owned();
    match record.open_pair.filter(|_| words.width() >= room) {
        Some(pair) => format!("in pair {pair}"),
        None => words,
    }
}

/// A text in its column, with a cell of air behind it.
fn gap(text: &str, cells: usize) -> String {
    format!("{}{}", pad(text, cells.saturating_sub(1)), if cells > 0 { " " } else { "" })
}

/// How late it was written, and whether that deserves a second look: a day or more, or before it was observed.
fn lag(record: &RecordLine) -> (String, bool) {
    let Some(observed) = record.observed_at else { return ("?".to_owned(), true) };
    if record.lacks.contains(&Lack::Possible) {
        return (format!("-{}!", span(observed.first().since(record.written_at))), true);
    }
    let late = observed.lag(record.written_at).max(chrono::Duration::zero());
    (span(late), late >= chrono::Duration::days(1))
}

fn told(ruling: &RulingLine, sign: &str, columns: &Columns) -> String {
    let undone = if ruling.undone { "undone: " } else { "" };
    let why = ruling.reason.as_ref().filter(|why| !why.is_empty()).map(|why| format!(" · {}", shown(why)));
    let what = shown(&ruling.what);
    // Where there is room, what was ruled stands under the values, and when under the times.
    format!(
        "{sign}§ {} {}: {undone}{}, {what}{}",
        pad(&columns.moment(ruling.at), columns.time - 1),
        shown(&ruling.actor),
        ruling.kind,
        why.unwrap_or_default()
    )
}

/// What the selected line is linked to, in words, as many lines as there is room for.
fn links(history: &History, area: Rect, theme: &Theme) -> Vec<Line<'static>> {
    let cells = usize::from(area.width);
    let room = usize::from(area.height).saturating_sub(1);
    let (name, words) = match history.list.current() {
        Some(Row::Record(record)) => (shown(record.id.as_str()), of_record(record)),
        Some(Row::Ruling(ruling)) => (format!("ruling {}", ruling.ruling), of_ruling(ruling)),
        Some(Row::Epoch { epoch, .. }) => (format!("epoch {epoch}"), vec![BOUNDARY.to_owned()]),
        Some(Row::Undated { .. }) => ("true at unknown".to_owned(), vec![UNDATED.to_owned()]),
        None => (String::new(), Vec::new()),
    };
    let head =
        vec![Span::styled("── ", theme.border), Span::styled(format!("{} ", fit(&name, cells / 2)), theme.strong)];
    let rest = cells.saturating_sub(width(&head));
    let mut lines = vec![Line::from([head, vec![Span::styled("─".repeat(rest), theme.border)]].concat())];
    let more = words.len().saturating_sub(room);
    let fits = if more > 0 { room.saturating_sub(1) } else { room };
    lines.extend(
        words.iter().take(fits).map(|words| Line::styled(fit(&format!("   {}", reveal(words)), cells), theme.text)),
    );
    if more > 0 {
        lines.push(Line::styled(format!("   and {} more: Enter shows all", more + 1), theme.dim));
    }
    lines
}

const BOUNDARY: &str =
    "what follows was observed in this state of the world, or a later one; between two epochs no winner is picked";
const UNDATED: &str = "these records do not say when they were observed; to draw them anywhere would be a guess";

fn of_record(record: &RecordLine) -> Vec<String> {
    let mut told: Vec<String> = record.links.iter().map(words::link).collect();
    if record.more_links > 0 {
        told.push(format!("and {} more links", thousands(record.more_links)));
    }
    if !record.lacks.is_empty() {
        let lacks: Vec<&str> = record.lacks.iter().map(|lack| lack.name()).collect();
        told.insert(0, format!("unanchored, it cannot win: it lacks {}", lacks.join(", ")));
    }
    if told.is_empty() {
        told.push("linked to no other record".to_owned());
    }
    told
}

fn of_ruling(ruling: &RulingLine) -> Vec<String> {
    let undone = if ruling.undone { " · undone: it no longer counts" } else { "" };
    let why = ruling.reason.clone().filter(|why| !why.is_empty()).unwrap_or_else(|| "no reason given".to_owned());
    vec![format!("{} by {}: {}{undone}", ruling.kind, ruling.actor, ruling.what), why]
}
