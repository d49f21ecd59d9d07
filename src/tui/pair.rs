//! The two records: one column of names, A, the relation, B, so that the eye runs along one line; on narrow screens A
//! above B. What differs is bright, what is equal is dim, what is missing says so in words.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};
use unicode_width::UnicodeWidthStr;

use super::region::region;
use super::style::Theme;
use super::text::{fit, fold, line, pad, shown, width};
use crate::app::Model;
use crate::app::compare::{Cell, Name, Relation, Row};
use crate::app::evidence::{Piece, Wrapped, cells};
use crate::app::geometry::{Geometry, Shape};
use crate::app::keymap::{Command, Looking};
use crate::app::triage::Focus;
use crate::core::examine::Side;
use crate::core::pair::Pair;
use crate::core::policy::Cardinality;

/// Which lines come first where there is not room for all.
const IMPORTANCE: [Name; 14] = [
    Name::Value,
    Name::Looks,
    Name::Subject,
    Name::Shared,
    Name::Kind,
    Name::Class,
    Name::TrueAt,
    Name::WrittenAt,
    Name::Lag,
    Name::Epoch,
    Name::From,
    Name::Confidence,
    Name::WonLost,
    Name::State,
];
/// The same where room is short: kind and class share a line.
const COMPACT: [Name; 13] = [
    Name::Value,
    Name::Looks,
    Name::Subject,
    Name::Shared,
    Name::Source,
    Name::TrueAt,
    Name::WrittenAt,
    Name::Lag,
    Name::Epoch,
    Name::From,
    Name::Confidence,
    Name::WonLost,
    Name::State,
];

/// Draws both records within their borders.
pub(super) fn draw(model: &Model, pair: &Pair, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let slot = format!(" {} ", slot(pair, usize::from(area.width).saturating_sub(4)));
    let block = region(theme, Line::styled(slot.clone(), theme.title));
    let rules = rules(pair);
    let room = usize::from(area.width).saturating_sub(Span::raw(slot).width() + 4);
    let block = if Span::raw(rules.as_str()).width() <= room {
        block.title(Line::styled(rules, theme.dim).right_aligned())
    } else {
        block
    };
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let geometry = model.geometry();
    let lines = match geometry.shape {
        Shape::Stacked | Shape::TooSmall => {
            stacked(model, pair, theme, usize::from(inner.height), model.triage.down)
        }
        Shape::Folded | Shape::Wide => beside(model, pair, theme, usize::from(inner.height), model.triage.down),
    };
    frame.render_widget(Text::from(lines), inner);
}

/// Every line of the comparison, long values folded, and all of the evidence, for the whole screen.
pub(super) fn whole(model: &Model, pair: &Pair, theme: &Theme) -> Vec<Line<'static>> {
    let geometry = model.geometry();
    // The source has a line of its own only where kind and class have none.
    let height = model.triage.rows().len() + model.triage.evidence_lines().max(1);
    let structured = super::structured::value(pair, geometry, theme);
    if matches!(geometry.shape, Shape::Stacked | Shape::TooSmall) {
        return stacked(model, pair, theme, 2 * (height + 1), 0);
    }
    let mut lines = vec![heads(model, pair, geometry, theme)];
    for row in chosen(model, height) {
        match structured.as_ref().filter(|_| row.name == Name::Value) {
            Some(pretty) => lines.extend(pretty.iter().cloned()),
            None => lines.extend(folded(row, geometry, theme)),
        }
    }
    let evidence = model.triage.evidence_lines().max(1);
    lines.extend(
        (0..evidence).map(|at| evidence_beside(model, if at == 0 { "evidence" } else { "" }, at, geometry, theme)),
    );
    lines
}

/// One row on as many lines as the longer of its two texts takes.
fn folded(row: &Row, geometry: Geometry, theme: &Theme) -> Vec<Line<'static>> {
    let side = usize::from(geometry.side);
    let texts = [0, 1].map(|at: usize| row.sides.get(at).map(|cell| fold(&cell.pieces, side)).unwrap_or_default());
    let many = texts.iter().map(Vec::len).max().unwrap_or(1).max(1);
    if many == 1 {
        return vec![row_line(row, geometry, 0, theme)];
    }
    let empty: &[Piece] = &[];
    let part = |at: usize, line_at: usize| {
        let style = row.sides.get(at).map_or(theme.text, |cell| words(row, cell, theme));
        let pieces = texts[at].get(line_at).map_or(empty, Vec::as_slice);
        let mut spans = line(pieces, 0, side, style, theme.mark);
        spans.push(Span::raw(" ".repeat(side.saturating_sub(width(&spans)))));
        spans
    };
    let lines = (0..many).map(|line_at| {
        let (name, relation) = if line_at == 0 { (row.name.word(), row.relation.sign()) } else { ("", " ") };
        let name = Span::styled(format!(" {}", pad(name, usize::from(geometry.names))), theme.dim);
        let relation = Span::styled(format!(" {relation} "), sign(row.relation, theme));
        Line::from([vec![name], part(0, line_at), vec![relation], part(1, line_at)].concat())
    });
    lines.collect()
}

/// `Pair 412  home_city of user_31882`; where that is too long, both names are cut, neither away.
pub(super) fn slot(pair: &Pair, room: usize) -> String {
    const OF: &str = " of ";
    let head = format!("Pair {}  ", pair.entry.pair);
    let (attribute, subjects) = (shown(pair.entry.attribute.as_str()), subjects(pair));
    let room = room.saturating_sub(head.width() + OF.width());
    let half = room / 2;
    let attributes = attribute.width().min(half.max(room.saturating_sub(subjects.width())));
    format!("{head}{}{OF}{}", fit(&attribute, attributes), fit(&subjects, room.saturating_sub(attributes)))
}

/// Whom it is about: both names, where there are two.
fn subjects(pair: &Pair) -> String {
    let [left, right] = [&pair.left, &pair.right].map(|side| shown(side.record.subject.as_str()));
    if left == right { left } else { format!("{left} and {right}") }
}

/// What the attribute holds, and how many claims contend: `one value, succession · 3 claims`.
fn rules(pair: &Pair) -> String {
    let holds = match pair.rules.cardinality {
        Some(Cardinality::One) => format!("one value, {}", pair.rules.on_change.name()),
        Some(Cardinality::Many) => "many values".to_owned(),
        None => "undeclared: one value or many?".to_owned(),
    };
    match pair.contenders {
        0..=2 => format!(" {holds} "),
        many => format!(" {holds} · {many} claims contend "),
    }
}

/// The lines that fit, the most important first, in the order in which they are always shown.
fn chosen(model: &Model, room: usize) -> Vec<&Row> {
    let rows = model.triage.rows();
    let held = |name: &&Name| rows.iter().any(|row| row.name == **name);
    let whole = IMPORTANCE.iter().filter(held).count() <= room + 2;
    let order: &[Name] = if whole { &IMPORTANCE } else { &COMPACT };
    let mut names: Vec<Name> = order.iter().filter(held).copied().collect();
    // What a record lacks is why the pair is here: where room is short it comes before what both have.
    let lacks = |name: &Name| rows.iter().any(|row| row.name == *name && row.sides.iter().any(|it| it.missing));
    names.sort_by_key(|name| *name > Name::Shared && !(name.is_provenance() && lacks(name)));
    names.truncate(room);
    names.sort_unstable();
    rows.iter().filter(|row| names.contains(&row.name)).collect()
}

fn beside(model: &Model, pair: &Pair, theme: &Theme, height: usize, down: usize) -> Vec<Line<'static>> {
    let geometry = model.geometry();
    let evidence = evidence_room(model, height.saturating_sub(1));
    let rows = chosen(model, height.saturating_sub(1 + evidence));
    let spare = height.saturating_sub(1 + rows.len());
    let mut lines = vec![heads(model, pair, geometry, theme)];
    lines.extend(rows.into_iter().map(|row| row_line(row, geometry, model.triage.sideways, theme)));
    for at in 0..spare {
        let name = match at {
            0 if spare == 1 => below(model, down),
            0 => "evidence".to_owned(),
            1 => more(model, spare, down),
            _ => String::new(),
        };
        lines.push(evidence_beside(model, &name, at + down, geometry, theme));
    }
    lines
}

/// One row on one line: its name, A, the relation, B.
fn row_line(row: &Row, geometry: Geometry, sideways: usize, theme: &Theme) -> Line<'static> {
    let side = usize::from(geometry.side);
    let name = Span::styled(format!(" {}", pad(row.name.word(), usize::from(geometry.names))), theme.dim);
    let relation = Span::styled(format!(" {} ", row.relation.sign()), sign(row.relation, theme));
    let [a, b] = [0, 1].map(|at| cell(row, at, side, sideways, theme));
    Line::from([vec![name], a, vec![relation], b].concat())
}

/// One line of the evidence of both.
fn evidence_beside(model: &Model, name: &str, at: usize, geometry: Geometry, theme: &Theme) -> Line<'static> {
    let side = usize::from(geometry.side);
    let name = Span::styled(format!(" {}", pad(name, usize::from(geometry.names))), theme.dim);
    let [a, b] = Side::BOTH.map(|which| evidence_line(model, which, at, side, theme));
    Line::from([vec![name], a, vec![Span::raw("   ")], b].concat())
}

/// Lines kept for the evidence where the lines of the records would take all.
fn evidence_room(model: &Model, height: usize) -> usize {
    let wanted = match height {
        0..=4 => 0,
        5..=7 => 1,
        8..=13 => 2,
        _ => 3,
    };
    wanted.min(model.triage.evidence_lines().max(1))
}

/// On one line: how many more lines there are below it.
fn below(model: &Model, down: usize) -> String {
    match model.triage.evidence_lines().saturating_sub(down + 1) {
        0 => "evidence".to_owned(),
        more @ 1..=99 => format!("evid. +{more}"),
        _ => "evid. …".to_owned(),
    }
}

/// Which of its lines are shown: `3-6/40`.
fn more(model: &Model, room: usize, down: usize) -> String {
    let all = model.triage.evidence_lines();
    match room {
        _ if all <= room => String::new(),
        _ => format!("{}-{}/{all}", down + 1, (down + room).min(all)),
    }
}

fn heads(model: &Model, pair: &Pair, geometry: Geometry, theme: &Theme) -> Line<'static> {
    let side = usize::from(geometry.side);
    let lead = pad("", usize::from(geometry.names) + 1);
    Line::from(vec![
        Span::raw(lead),
        head(model, pair, Side::Left, side, theme),
        Span::raw("   "),
        head(model, pair, Side::Right, side, theme),
    ])
}

fn head(model: &Model, pair: &Pair, side: Side, width: usize, theme: &Theme) -> Span<'static> {
    let focused = model.triage.focus == Focus::Record(side);
    let text = format!("{}  {}", side.of("A", "B"), shown(pair.record(side).record.id.as_str()));
    let style = if focused { theme.selected.patch(theme.strong) } else { theme.strong };
    Span::styled(pad(&text, width), style)
}

/// By how much a text is scrolled: what fits stays where it is, and of nothing more is hidden than stands before its end.
fn scrolled(text: usize, room: usize, skip: usize) -> usize {
    skip.min(text.saturating_sub(room))
}

/// One record's words on a line, filled up to the width of its column.
fn cell(row: &Row, at: usize, width_of: usize, skip: usize, theme: &Theme) -> Vec<Span<'static>> {
    let Some(cell) = row.sides.get(at) else { return Vec::new() };
    let style = words(row, cell, theme);
    let skip = if row.name.is_scrolled() { scrolled(cells(&cell.pieces), width_of, skip) } else { 0 };
    let mut spans = line(&cell.pieces, skip, width_of, style, theme.mark);
    let used = width(&spans);
    let beside = Span::raw(cell.beside.as_str()).width();
    if beside > 0 && used + 2 + beside <= width_of {
        spans.push(Span::raw(" ".repeat(width_of - used - beside)));
        let loud = row.name == Name::Lag || row.relation == Relation::Alarm && row.name == Name::TrueAt;
        spans.push(Span::styled(cell.beside.clone(), if loud { theme.alarm } else { theme.dim }));
    } else {
        spans.push(Span::raw(" ".repeat(width_of.saturating_sub(used))));
    }
    spans
}

fn words(row: &Row, cell: &Cell, theme: &Theme) -> Style {
    match row.relation {
        _ if cell.missing => theme.alarm,
        Relation::Same | Relation::Silent => theme.dim,
        Relation::Differs | Relation::Less | Relation::Greater | Relation::Alarm if row.name == Name::Value => {
            theme.strong
        }
        Relation::Differs | Relation::Less | Relation::Greater | Relation::Alarm => theme.text,
    }
}

fn sign(relation: Relation, theme: &Theme) -> Style {
    match relation {
        Relation::Same | Relation::Silent => theme.dim,
        Relation::Differs | Relation::Less | Relation::Greater => theme.strong,
        Relation::Alarm => theme.alarm,
    }
}

fn evidence_line(model: &Model, side: Side, at: usize, width_of: usize, theme: &Theme) -> Vec<Span<'static>> {
    let Some(wrapped) = model.triage.evidence(side) else {
        let said = if at == 0 { "none given" } else { "" };
        return vec![Span::styled(pad(said, width_of), theme.alarm)];
    };
    let skip = scrolled(wrapped.widest, width_of, model.triage.sideways);
    let mut spans = piece_line(wrapped, at, skip, width_of, theme);
    let room = width_of.saturating_sub(width(&spans));
    let told = found(wrapped, at);
    if !told.is_empty() && told.len() + 2 <= room {
        spans.push(Span::raw(" ".repeat(room - told.len())));
        spans.push(Span::styled(told, theme.dim));
    } else {
        spans.push(Span::raw(" ".repeat(room)));
    }
    spans
}

/// On the last line of the evidence: how often the value stands in it.
fn found(wrapped: &Wrapped, at: usize) -> String {
    if at + 1 != wrapped.lines.len() {
        return String::new();
    }
    match wrapped.found {
        0 => "value not in it".to_owned(),
        1 => "value found".to_owned(),
        many => format!("value found {many}x"),
    }
}

fn piece_line(wrapped: &Wrapped, at: usize, skip: usize, width_of: usize, theme: &Theme) -> Vec<Span<'static>> {
    let none: &[Piece] = &[];
    let pieces = wrapped.lines.get(at).map_or(none, Vec::as_slice);
    line(pieces, skip, width_of, theme.text, theme.mark)
}

/// A above B: each record's head, its lines with the relation at their ends, and its evidence.
fn stacked(model: &Model, pair: &Pair, theme: &Theme, height: usize, down: usize) -> Vec<Line<'static>> {
    let geometry = model.geometry();
    let mut lines = Vec::new();
    let names = usize::from(geometry.names);
    let wide = usize::from(geometry.side);
    if height < 6 {
        return values_only(model, wide, names, height, theme);
    }
    for (at, side) in Side::BOTH.into_iter().enumerate() {
        let half = if at == 0 { height.div_ceil(2) } else { height / 2 };
        let evidence = evidence_room(model, half.saturating_sub(1));
        let rows = chosen(model, half.saturating_sub(1 + evidence));
        let spare = half.saturating_sub(1 + rows.len());
        let head = head(model, pair, side, usize::from(geometry.inner).saturating_sub(1), theme);
        lines.push(Line::from(vec![Span::raw(" "), head]));
        for row in rows {
            let mut spans = vec![Span::styled(format!(" {}", pad(row.name.word(), names)), theme.dim)];
            spans.extend(cell(row, at, wide, model.triage.sideways, theme));
            spans.push(Span::styled(format!(" {}", row.relation.sign()), sign(row.relation, theme)));
            lines.push(Line::from(spans));
        }
        for line_at in 0..spare {
            let name = if line_at == 0 { "evidence" } else { "" };
            let mut spans = vec![Span::styled(format!(" {}", pad(name, names)), theme.dim)];
            spans.extend(evidence_line(model, side, line_at + down, wide, theme));
            lines.push(Line::from(spans));
        }
    }
    lines.truncate(height);
    lines
}

/// Where there is room for nothing more: what each says, and when it was true.
fn values_only(model: &Model, wide: usize, names: usize, height: usize, theme: &Theme) -> Vec<Line<'static>> {
    let rows = chosen(model, height / 2);
    let line = |(row, at): (&Row, usize)| {
        let name =
            format!(" {} {}", if at == 0 { "A" } else { "B" }, pad(row.name.word(), names.saturating_sub(2)));
        let mut spans = vec![Span::styled(name, theme.dim)];
        spans.extend(cell(row, at, wide, model.triage.sideways, theme));
        spans.push(Span::styled(format!(" {}", row.relation.sign()), sign(row.relation, theme)));
        Line::from(spans)
    };
    let mut lines: Vec<Line<'static>> = rows.into_iter().flat_map(|row| [(row, 0), (row, 1)]).map(line).collect();
    if lines.len() < height {
        let told = format!(" {}: the rest, with the evidence", model.key(Command::Look(Looking::Full)));
        lines.push(Line::styled(told, theme.dim));
    }
    lines
}

/// A word of a title, cut to what is left of it.
pub(super) fn titled(text: &str, area: Rect) -> String {
    fit(text, usize::from(area.width).saturating_sub(4))
}
