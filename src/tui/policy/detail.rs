//! One attribute, or one source kind, whole: a line for each thing that is known of it.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};

use super::words;
use crate::app::asks::policy::{KindLine, Version, Writer};
use crate::app::policy::detail::{Detail, Fact, Of, Row};
use crate::app::spell::{ago, moment};
use crate::core::pair::{Entry, Tally};
use crate::core::text::shown_value;
use crate::core::time::Instant;
use crate::tui::region::region;
use crate::tui::style::Theme;
use crate::tui::text::{counted, fit, pad, pad_left, shown, thousands};

/// Draws it on the whole body, from the line to which it is scrolled.
pub(super) fn draw(detail: &Detail, now: Instant, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let (rows, height) = (detail.rows(), usize::from(area.height.saturating_sub(2)));
    let below = rows.len().saturating_sub(detail.scroll + height);
    let more = match (detail.scroll, below) {
        (0, 0) => String::new(),
        (_, 0) => " k scrolls back ".to_owned(),
        (_, below) => format!(" {} more below, j scrolls ", thousands(below as u64)),
    };
    let title = Line::from(vec![
        Span::styled(format!(" {} ", title(detail)), theme.title),
        Span::styled(subtitle(detail), theme.dim),
    ]);
    let block = region(theme, title).title_bottom(Line::styled(more, theme.dim));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let room = usize::from(inner.width);
    let line = |row: &Row<'_>| line(row, detail, room, now, theme);
    let lines: Vec<Line<'static>> = rows.iter().skip(detail.scroll).take(height).map(line).collect();
    frame.render_widget(Text::from(lines), inner);
}

fn title(detail: &Detail) -> String {
    match &detail.of {
        Of::Attribute(attribute, _) => shown(attribute.as_str()),
        Of::Kind(kind, _) => kind.as_ref().map_or_else(|| "(no source)".to_owned(), |kind| shown(kind.as_str())),
    }
}

fn subtitle(detail: &Detail) -> String {
    match &detail.of {
        Of::Attribute(_, None) => "attribute ".to_owned(),
        Of::Attribute(_, Some(whole)) => {
            format!(
                "attribute · {} · {} held open ",
                counted(whole.line.records, "record"),
                thousands(whole.line.held)
            )
        }
        Of::Kind(..) => "source kind ".to_owned(),
    }
}

fn line(row: &Row<'_>, detail: &Detail, room: usize, now: Instant, theme: &Theme) -> Line<'static> {
    let indented = |text: String| fit(&format!("   {text}"), room);
    match row {
        Row::Gap => Line::default(),
        Row::Part(name, 0) => Line::styled(fit(&format!(" {name}"), room), theme.title),
        Row::Part(name, many) => Line::from(vec![
            Span::styled(format!(" {name} "), theme.title),
            Span::styled(thousands(*many), theme.dim),
        ]),
        Row::Nothing(words) => Line::styled(indented((*words).to_owned()), theme.dim),
        Row::Fields(fields) => declared(&words::fields(fields), fields.cardinality.is_none(), room, theme),
        Row::Version(version) => of_version(version, room, now, theme),
        Row::Own(subject, fields) => {
            let (subject, names) = (shown(subject.as_str()), name_width(room));
            Line::from(vec![
                Span::styled(format!("   {}  ", pad(&subject, names)), theme.text),
                Span::styled(fit(&words::fields(fields), room.saturating_sub(names + 5)), theme.strong),
            ])
        }
        Row::Writer(writer) => of_writer(writer, room, theme),
        Row::Pair(entry) => of_pair(entry, room, now, theme),
        Row::Summary(fact) => match &detail.of {
            Of::Kind(_, Some(whole)) => summary(*fact, &whole.line, room, theme),
            Of::Kind(_, None) | Of::Attribute(..) => Line::default(),
        },
        Row::Lack(what, many) => {
            let of = match &detail.of {
                Of::Kind(_, Some(whole)) => whole.line.records,
                Of::Kind(_, None) | Of::Attribute(..) => 0,
            };
            let text = format!(
                "{}  {}  {}",
                pad(what, 12),
                pad_left(&words::share(*many, of), 4),
                counted(*many, "record")
            );
            Line::styled(indented(text), theme.text)
        }
        Row::Confidence(value, many) => Line::styled(
            indented(format!("{}  {}", pad(&value.to_string(), 10), counted(*many, "record"))),
            theme.text,
        ),
        Row::Stated(class, many) => {
            Line::styled(indented(format!("{}  {}", pad(class.name(), 12), counted(*many, "record"))), theme.text)
        }
        Row::Written(attribute, many, tally) => {
            let text = format!(
                "{}{}{}",
                pad(&shown(attribute.as_str()), name_width(room)),
                pad_left(&counted(*many, "record"), 18),
                fared(*tally, room)
            );
            Line::styled(indented(text), theme.text)
        }
    }
}

/// Narrower than this a line says less, rather than half of it.
const NARROW: usize = 60;

/// How it fared in rulings, where there is room to say so.
fn fared(tally: Tally, room: usize) -> String {
    if room < 90 { String::new() } else { format!("   won / lost {}", words::tally(tally)) }
}

fn name_width(room: usize) -> usize {
    (room / 3).clamp(8, 30)
}

fn declared(said: &str, undeclared: bool, room: usize, theme: &Theme) -> Line<'static> {
    if undeclared {
        return Line::from(vec![
            Span::styled(" undeclared", theme.alarm),
            Span::styled(fit("  p declares it: one value or many", room.saturating_sub(11)), theme.dim),
        ]);
    }
    Line::styled(fit(&format!(" {said}"), room), theme.strong)
}

fn of_version(version: &Version, room: usize, now: Instant, theme: &Theme) -> Line<'static> {
    let whom = version.subject.as_ref().map(|subject| format!(" for {}", shown(subject.as_str())));
    let head = format!(
        "   v{}  {}  {}  ruling {}{}  ",
        version.version,
        if room >= 90 { moment(version.at) } else { ago(version.at, now) },
        shown(&version.actor),
        version.ruling,
        whom.unwrap_or_default()
    );
    let head = fit(&head, room);
    let left = room.saturating_sub(unicode_width::UnicodeWidthStr::width(head.as_str()));
    let (said, style) = match version.undone {
        true => (format!("UNDONE  {}", words::fields(&version.fields)), theme.dim),
        false => (words::fields(&version.fields), theme.strong),
    };
    Line::from(vec![
        Span::styled(head, if version.undone { theme.dim } else { theme.text }),
        Span::styled(fit(&said, left), style),
    ])
}

fn of_writer(writer: &Writer, room: usize, theme: &Theme) -> Line<'static> {
    let names = name_width(room);
    let name = writer.kind.as_ref().map_or_else(|| "(no source)".to_owned(), |kind| shown(kind.as_str()));
    let (class, style) = match (writer.class, writer.rank) {
        (_, Some(0)) => ("system of record".to_owned(), theme.strong),
        (Some(class), Some(rank)) => (format!("{}, rank {rank}", class.name()), theme.text),
        (Some(class), None) => (format!("{}, no rank", class.name()), theme.alarm),
        (None, _) => ("no class".to_owned(), theme.alarm),
    };
    let classes = if room < NARROW { 16 } else { 21 };
    let records = if room < NARROW { thousands(writer.records) } else { counted(writer.records, "record") };
    let records = pad_left(&records, if room < NARROW { 9 } else { 16 });
    let rest = format!("{records}{}", fared(writer.tally, room));
    Line::from(vec![
        Span::styled(format!("   {}  ", pad(&name, names)), theme.text),
        Span::styled(pad(&class, classes.min(room.saturating_sub(names + 5))), style),
        Span::styled(fit(&rest, room.saturating_sub(names + 5 + classes)), theme.text),
    ])
}

fn of_pair(entry: &Entry, room: usize, now: Instant, theme: &Theme) -> Line<'static> {
    let grounds: Vec<&str> = entry.grounds.iter().map(|ground| crate::tui::queue::short(*ground)).collect();
    let values = entry.values.each_ref().map(shown_value);
    let names = name_width(room);
    let text = format!(
        "   {}  {}  {} ≠ {}  {}  {}",
        pad_left(&entry.pair.to_string(), 4),
        pad(&shown(entry.subject.as_str()), names),
        fit(&values[0], room / 6),
        fit(&values[1], room / 6),
        grounds.join(" "),
        ago(entry.opened_at, now)
    );
    Line::styled(fit(&text, room), theme.text)
}

/// A fact about a kind: its name, then what there is to say.
fn summary(fact: Fact, line: &KindLine, room: usize, theme: &Theme) -> Line<'static> {
    const NAMES: usize = 12;
    let (name, text, style) = match fact {
        Fact::Class => class(line, theme),
        Fact::Records => ("records", thousands(line.records), theme.text),
        Fact::Spread => (
            "confidence",
            spread(line),
            if words::tells_nothing(&line.confidence) { theme.alarm } else { theme.text },
        ),
        Fact::Tally => {
            let on = match line.ruled_on {
                0 => "no ruling chose for or against it yet".to_owned(),
                many => format!("{} in rulings on {}", words::tally(line.tally), counted(many, "attribute")),
            };
            ("won / lost", on, theme.text)
        }
    };
    Line::from(vec![
        Span::styled(format!(" {}", pad(name, NAMES)), theme.dim),
        Span::styled(fit(&text, room.saturating_sub(NAMES + 1)), style),
    ])
}

fn class(line: &KindLine, theme: &Theme) -> (&'static str, String, ratatui::style::Style) {
    match (line.class, &line.kind) {
        (Some(class), _) => ("class", class.name().to_owned(), theme.strong),
        (None, None) => ("class", "none: without a source nothing is won".to_owned(), theme.alarm),
        (None, Some(_)) if line.stated == line.records => {
            ("class", "each record states its own".to_owned(), theme.text)
        }
        (None, Some(_)) => ("class", "no class: add it to the policy".to_owned(), theme.alarm),
    }
}

fn spread(line: &KindLine) -> String {
    let spread = &line.confidence;
    let Some((value, many)) = spread.commonest else { return "it states none".to_owned() };
    if words::tells_nothing(spread) {
        return format!("always {value}: it says nothing");
    }
    let more = if spread.more { "more than " } else { "" };
    let share = words::share(many, spread.stated);
    format!("{more}{}; {value} in {share} of {}", counted(spread.distinct, "value"), thousands(spread.stated))
}
