//! One record of a batch on the whole screen: everything that it says, and what became of it.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};

use super::members::did;
use crate::app::batches::Whole;
use crate::app::spell;
use crate::core::pair::RecordState;
use crate::core::record::{Attribute, Kind, RecordId};
use crate::core::text::shown_value;
use crate::tui::region::region;
use crate::tui::style::Theme;
use crate::tui::text::{pad, shown};

const NAMES: usize = 13;

/// Draws it, scrolled.
pub(super) fn draw(whole: &Whole, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let title = format!(" {}: j k scroll, Esc goes back ", shown(whole.record.record.id.as_str()));
    let block = region(theme, Line::styled(title, theme.title));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let lines = lines(whole, usize::from(inner.width), theme);
    let last = lines.len().saturating_sub(usize::from(inner.height));
    let lines: Vec<Line<'static>> = lines.into_iter().skip(whole.down.min(last)).collect();
    frame.render_widget(Text::from(lines), inner);
}

fn lines(whole: &Whole, cells: usize, theme: &Theme) -> Vec<Line<'static>> {
    let (record, member) = (&whole.record.record, &whole.member);
    let missing = || "missing".to_owned();
    let id = |id: &RecordId| shown(id.as_str());
    let class = whole.record.class.map_or_else(|| "no class".to_owned(), |class| class.name().to_owned());
    let kind = record.kind().map(Kind::as_str).map_or_else(missing, shown);
    let attribute = record.attribute.as_ref().map(Attribute::as_str);
    let mut fields = vec![
        ("subject", shown(record.subject.as_str())),
        ("attribute", attribute.map_or_else(|| "none: it is compared with nothing".to_owned(), shown)),
        ("value", shown_value(&record.value)),
        ("says", record.op.name().to_owned()),
        ("the core", judged(whole)),
        ("newest", newest(whole)),
        ("source", format!("{kind} ({class})")),
        ("true at", record.observed_at.map_or_else(missing, spell::when)),
        ("written at", spell::moment(record.written_at)),
        ("lag", member.lag.map_or_else(|| "not known".to_owned(), spell::lag)),
        ("recorded at", spell::moment(record.recorded_at)),
        ("epoch", record.epoch.map_or_else(missing, |epoch| epoch.to_string())),
        ("confidence", record.confidence.map_or_else(|| "not said".to_owned(), |sure| sure.to_string())),
        ("batch", shown(record.batch.as_str())),
    ];
    fields.extend(record.derived_from.as_ref().map(|from| ("derived from", id(from))));
    fields.extend(record.answers.map(|request| ("answers", format!("request {request}"))));
    let said = record.source.iter().flat_map(|source| &source.fields);
    let said =
        said.filter(|(name, value)| !value.is_null() && !["kind", "class", "batch"].contains(&name.as_str()));
    let said: Vec<(String, String)> = said.map(|(name, value)| (shown(name), shown_value(value))).collect();
    let mut lines: Vec<Line<'static>> =
        fields.iter().flat_map(|(name, text)| field(name, text, cells, theme)).collect();
    lines.extend(said.iter().flat_map(|(name, text)| field(name, text, cells, theme)));
    lines.push(Line::default());
    let evidence = record.evidence.as_deref().map_or_else(missing, shown);
    lines.extend(field("evidence", &evidence, cells, theme));
    lines
}

/// What the core did with it; of a pair, every ground.
fn judged(whole: &Whole) -> String {
    let member = &whole.member;
    match &member.pair {
        Some(contest) => {
            let grounds: Vec<&str> = contest.grounds.iter().map(|ground| ground.name()).collect();
            let state = member.state.map_or("unslotted", RecordState::name);
            format!("{state}, pair {} is open: {}", contest.pair, grounds.join(", "))
        }
        None => did(member),
    }
}

/// What a reader would make of it that knows only what was written last.
fn newest(whole: &Whole) -> String {
    match (whole.member.newest, whole.record.state == Some(RecordState::Live)) {
        (true, false) => "written last in its slot: a reader of what is newest serves it, the core does not",
        (true, true) => "written last in its slot, and it lives",
        (false, _) => "something later was written in its slot",
    }
    .to_owned()
}

/// A name, and a text wrapped beside it.
fn field(name: &str, text: &str, cells: usize, theme: &Theme) -> Vec<Line<'static>> {
    let room = cells.saturating_sub(NAMES + 3).max(8);
    let wrapped = textwrap::wrap(text, room);
    let named = |at: usize| if at == 0 { pad(name, NAMES) } else { " ".repeat(NAMES) };
    let line = |(at, part): (usize, &std::borrow::Cow<'_, str>)| {
        Line::from(vec![
            Span::styled(format!(" {} ", named(at)), theme.dim),
            Span::styled(part.to_string(), theme.text),
        ])
    };
    if wrapped.is_empty() {
        return vec![Line::styled(format!(" {}", pad(name, NAMES)), theme.dim)];
    }
    wrapped.iter().enumerate().map(line).collect()
}
