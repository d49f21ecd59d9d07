//! The records of a batch: both times, the lag, and what the core did with each.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};
use unicode_width::UnicodeWidthStr;

use super::{Column, names, note, place};
use crate::app::batches::Open;
use crate::app::spell;
use crate::core::batch::Member;
use crate::core::pair::RecordState;
use crate::core::record::Attribute;
use crate::core::text::shown_value;
use crate::core::time::When;
use crate::tui::queue::short;
use crate::tui::region::region;
use crate::tui::style::Theme;
use crate::tui::text::shown;

/// The order of the records, and what the sign before one means, in as many words as there is room for.
const SAID: [&str; 3] = [
    "· the greatest lag first · ! read as newest: a reader of the last write serves it, the core does not ",
    "· the greatest lag first · ! read as newest, not live ",
    "· ! read as newest ",
];

/// Draws the table.
pub(super) fn draw(open: &Open, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let list = &open.records;
    let mut title =
        vec![Span::styled(" Records ", theme.title), Span::styled(format!("{} ", place(list)), theme.text)];
    let room = usize::from(area.width).saturating_sub(2 + title.iter().map(Span::width).sum::<usize>());
    title.extend(SAID.iter().find(|said| said.width() <= room).map(|said| Span::styled(*said, theme.dim)));
    let block = region(theme, title);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    if !list.is_loaded() {
        note(&["reading …".to_owned()], theme, frame, inner);
        return;
    }
    let columns = columns(usize::from(inner.width));
    let shown: Vec<Column> = columns.iter().map(|(column, _)| *column).collect();
    let mut lines = vec![names(&shown, theme)];
    lines.extend(list.visible().map(|(at, of)| row(of, &columns, at == list.position(), theme)));
    frame.render_widget(Text::from(lines), inner);
}

/// What stands in a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Id,
    Subject,
    Attribute,
    Value,
    True,
    Day,
    Written,
    Lag,
    Did,
}

/// The columns for which there is room; the value takes what is left.
fn columns(width: usize) -> Vec<(Column, Of)> {
    let (left, right) = (Column::left, Column::right);
    let mut columns = match width {
        110.. => vec![
            (left("record", 11), Of::Id),
            (left("subject", 13), Of::Subject),
            (left("attribute", 12), Of::Attribute),
            (left("value", 0), Of::Value),
            (left("true at", 16), Of::True),
            (left("written at", 16), Of::Written),
            (right("lag", 7), Of::Lag),
            (left("the core", 20), Of::Did),
        ],
        70..110 => vec![
            (left("subject", 12), Of::Subject),
            (left("attribute", 11), Of::Attribute),
            (left("value", 0), Of::Value),
            (left("true at", 10), Of::Day),
            (right("lag", 7), Of::Lag),
            (left("the core", 18), Of::Did),
        ],
        _ => vec![
            (left("subject", 11), Of::Subject),
            (left("value", 0), Of::Value),
            (right("lag", 7), Of::Lag),
            (left("the core", 13), Of::Did),
        ],
    };
    let fixed = 2 + columns.iter().map(|(column, _)| column.width + 1).sum::<usize>();
    for (column, _) in columns.iter_mut().filter(|(_, of)| *of == Of::Value) {
        column.width = (width + 1).saturating_sub(fixed).max(4);
    }
    columns
}

fn row(of: &Member, columns: &[(Column, Of)], chosen: bool, theme: &Theme) -> Line<'static> {
    let trap = of.newest && of.state != Some(RecordState::Live);
    let sign = format!("{}{}", if chosen { '▸' } else { ' ' }, if trap { '!' } else { ' ' });
    let at = |style: Style| if chosen { Style::new() } else { style };
    let mut spans = vec![Span::styled(sign, at(theme.alarm))];
    for (column, what) in columns {
        let style = match what {
            Of::Did => did_style(of, theme),
            Of::Value => theme.strong,
            Of::Id | Of::True | Of::Day | Of::Written => theme.dim,
            Of::Subject | Of::Attribute | Of::Lag => theme.text,
        };
        spans.push(Span::styled(column.cell(&text(of, *what)), at(style)));
    }
    let line = Line::from(spans);
    if chosen { line.style(theme.selected) } else { line }
}

fn text(of: &Member, what: Of) -> String {
    match what {
        Of::Id => shown(of.id.as_str()),
        Of::Subject => shown(of.subject.as_str()),
        Of::Attribute => of.attribute.as_ref().map(Attribute::as_str).map_or_else(|| "none".to_owned(), shown),
        Of::Value => shown_value(&of.value),
        Of::True => observed(of, spell::minute),
        Of::Day => observed(of, spell::day),
        Of::Written => spell::minute(of.written_at),
        Of::Lag => of.lag.map_or_else(|| "?".to_owned(), spell::lag),
        Of::Did => did(of),
    }
}

/// What it said of when it was true: an instant as there is room, a span as it came.
fn observed(of: &Member, instant: fn(crate::core::time::Instant) -> String) -> String {
    match of.observed_at {
        None => "unknown".to_owned(),
        Some(When::At(at)) => instant(at),
        Some(span @ (When::Day(_) | When::Month { .. } | When::Year(_))) => span.to_string(),
    }
}

/// What the core did with a record.
pub(super) fn did(of: &Member) -> String {
    match (of.state, &of.pair) {
        (Some(RecordState::Contested), Some(contest)) => {
            let ground = contest.grounds.first().map_or("", |ground| short(*ground));
            let more = if contest.grounds.len() > 1 { "+" } else { "" };
            format!("pair {} {ground}{more}", contest.pair)
        }
        (Some(RecordState::Superseded), _) => match &of.superseded_by {
            Some(by) => format!("lost to {}", shown(by.as_str())),
            None => "superseded".to_owned(),
        },
        (Some(RecordState::Retracted), _) => "taken back".to_owned(),
        (Some(state), _) => state.name().to_owned(),
        (None, _) => "unslotted".to_owned(),
    }
}

fn did_style(of: &Member, theme: &Theme) -> Style {
    match of.state {
        Some(RecordState::Live) => theme.good,
        Some(RecordState::Contested) => theme.alarm,
        Some(RecordState::Superseded | RecordState::History | RecordState::Withdrawn | RecordState::Retracted)
        | None => theme.dim,
    }
}
