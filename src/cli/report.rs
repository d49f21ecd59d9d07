//! A story as one HTML page that needs nothing else: no script, no font, no picture from elsewhere. The records stand on
//! a plane of both times, drawn as SVG.

use std::collections::BTreeMap;

use crate::app::history::axis;
use crate::core::pair::{JudgedRecord, RecordState};
use crate::core::plane::Span;
use crate::core::plural::count;
use crate::core::story::{Piece, Section, Sentence, moment};
use crate::core::text::reveal;
use crate::core::time::{Instant, When};
use crate::core::value::{canonical, plain};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;\
background:#fff}h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}code{background:#f0f0f0;padding:0 .2em}\
b{font-weight:600}li{margin:.3em 0}footer{margin-top:3rem;color:#666;font-size:.85rem;overflow-wrap:anywhere}\
svg{width:100%;height:auto}text{font:11px system-ui,sans-serif;fill:#444}.gone{opacity:.35}";

/// One colour and one shape a value: neither is the only sign.
const COLOURS: [&str; 6] = ["#0b5fa5", "#b3401f", "#2b7a3d", "#7b3fa0", "#8a6d00", "#444444"];

/// The page.
pub(super) fn page(title: [&str; 2], sections: &[Section], records: &[JudgedRecord], foot: &str) -> String {
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{0} {1}</title>\n<style>{STYLE}</style>\n\
         <h1><code>{0}</code> <code>{1}</code></h1>\n",
        escaped(title[0]),
        escaped(title[1])
    );
    for (at, section) in sections.iter().enumerate() {
        text.push_str(&format!("<h2>{}</h2>\n<ul>\n", section.title));
        for (sentence, more) in &section.items {
            let more: Vec<String> = more.iter().map(|it| format!("<li>{}</li>", set(it))).collect();
            let more = if more.is_empty() { String::new() } else { format!("<ul>{}</ul>", more.concat()) };
            text.push_str(&format!("<li>{}{more}</li>\n", set(sentence)));
        }
        text.push_str("</ul>\n");
        if at == 0 {
            text.push_str(&plane(records));
        }
    }
    text.push_str(&format!("<footer>{}</footer>\n</html>\n", escaped(foot)));
    text
}

fn set(sentence: &Sentence) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Ours(text) => escaped(text),
        Piece::Theirs(text) => format!("<code>{}</code>", escaped(text)),
        Piece::Value(text) => format!("<b>“{}”</b>", escaped(text)),
    };
    sentence.0.iter().map(piece).collect()
}

/// A text that no browser acts on.
fn escaped(text: &str) -> String {
    let shown = reveal(text);
    let mut safe = String::with_capacity(shown.len());
    for letter in shown.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            _ => safe.push(letter),
        }
    }
    safe
}

const WIDTH: u16 = 720;
const HEIGHT: u16 = 360;
const LEFT: u16 = 110;
const BELOW: u16 = 40;
/// More than this nobody tells apart.
const MOST: usize = 2_000;

/// The records where they stand: true across, written up.
fn plane(records: &[JudgedRecord]) -> String {
    let placed: Vec<(&JudgedRecord, When)> =
        records.iter().filter_map(|it| Some((it, it.record.observed_at?))).take(MOST).collect();
    let Some((across, up)) = axes(&placed) else { return String::new() };
    let mut values: BTreeMap<String, usize> = BTreeMap::new();
    for (it, _) in &placed {
        let next = values.len();
        values.entry(canonical(&it.record.value)).or_insert(next);
    }
    let (right, top) = (WIDTH - 10, 10);
    let (columns, rows) = (right - LEFT, HEIGHT - BELOW - top);
    let x =
        |at: Instant| LEFT + across.place(at, columns).unwrap_or(if at < across.from { 0 } else { columns - 1 });
    let y = |at: Instant| HEIGHT - BELOW - up.place(at, rows).unwrap_or(0);
    let mut text = format!(
        "<figure><svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"The records in both times\">\n\
         <path d=\"M{LEFT} {top}V{0}H{right}\" fill=\"none\" stroke=\"#888\"/>\n",
        HEIGHT - BELOW
    );
    for tick in axis::ticks(across, columns, 90) {
        let at = LEFT + tick.cell;
        text.push_str(&format!(
            "<path d=\"M{at} {0}v5\" stroke=\"#888\"/><text x=\"{at}\" y=\"{1}\" text-anchor=\"middle\">{2}</text>\n",
            HEIGHT - BELOW,
            HEIGHT - BELOW + 17,
            escaped(&tick.label)
        ));
    }
    for tick in axis::ticks(up, rows, 24) {
        let at = HEIGHT - BELOW - tick.cell;
        text.push_str(&format!(
            "<path d=\"M{LEFT} {at}h-5\" stroke=\"#888\"/><text x=\"{0}\" y=\"{1}\" text-anchor=\"end\">{2}</text>\n",
            LEFT - 9,
            at + 4,
            escaped(&tick.label)
        ));
    }
    text.push_str(&diagonal(across, up, &x, &y));
    for (it, observed) in &placed {
        let value = values.get(&canonical(&it.record.value)).copied().unwrap_or_default();
        text.push_str(&mark(it, value, [x(observed.first()), x(observed.last())], y(it.record.written_at)));
    }
    let foot = HEIGHT - 6;
    text.push_str(&format!("<text x=\"{right}\" y=\"{foot}\" text-anchor=\"end\">true at →</text>\n"));
    text.push_str("<text x=\"6\" y=\"16\">written at ↑</text>\n</svg>\n<figcaption>");
    text.push_str(&legend(&placed, &values, records.len()));
    text.push_str("</figcaption></figure>\n");
    text
}

fn axes(placed: &[(&JudgedRecord, When)]) -> Option<(Span, Span)> {
    let air = |from: Instant, to: Instant| {
        let air = (to.since(from) / 20).max(chrono::Duration::hours(1));
        Span { from: from.plus(-air), to: to.plus(air) }
    };
    let across = air(placed.iter().map(|(_, at)| at.first()).min()?, placed.iter().map(|(_, at)| at.last()).max()?);
    let written = || placed.iter().map(|(it, _)| it.record.written_at);
    Some((across, air(written().min()?, written().max()?)))
}

/// Where what is written when it is true stands.
fn diagonal(across: Span, up: Span, x: &impl Fn(Instant) -> u16, y: &impl Fn(Instant) -> u16) -> String {
    let (from, to) = (across.from.max(up.from), across.to.min(up.to));
    if from >= to {
        return String::new();
    }
    let (x1, y1, x2, y2) = (x(from), y(from), x(to), y(to));
    format!("<path d=\"M{x1} {y1}L{x2} {y2}\" stroke=\"#bbb\" stroke-dasharray=\"3 4\"/>\n")
}

/// A record: a shape for its value, as long as the time that it says; what no longer counts is faint.
fn mark(it: &JudgedRecord, value: usize, [from, to]: [u16; 2], y: u16) -> String {
    let colour = COLOURS[value % COLOURS.len()];
    let gone = matches!(
        it.state,
        Some(RecordState::Superseded | RecordState::History | RecordState::Withdrawn | RecordState::Retracted)
    );
    let class = if gone { " class=\"gone\"" } else { "" };
    let reach = if to > from + 1 {
        format!("<path d=\"M{from} {y}H{to}\" stroke=\"{colour}\" stroke-width=\"3\" stroke-linecap=\"round\"/>")
    } else {
        String::new()
    };
    let (left, right, above, below) = (from.saturating_sub(5), from + 5, y.saturating_sub(5), y + 5);
    let shape = match value % 3 {
        0 => format!("<circle cx=\"{from}\" cy=\"{y}\" r=\"5\" fill=\"{colour}\"/>"),
        1 => format!("<rect x=\"{left}\" y=\"{above}\" width=\"10\" height=\"10\" fill=\"{colour}\"/>"),
        _ => format!("<path d=\"M{from} {above}L{right} {below}H{left}Z\" fill=\"{colour}\"/>"),
    };
    let observed = it.record.observed_at.map(super::words::when).unwrap_or_default();
    let title = format!(
        "{}: {}, true {observed}, written {}",
        it.record.id,
        plain(&it.record.value),
        moment(it.record.written_at)
    );
    format!("<g{class}>{reach}{shape}<title>{}</title></g>\n", escaped(&title))
}

fn legend(placed: &[(&JudgedRecord, When)], values: &BTreeMap<String, usize>, all: usize) -> String {
    const SHAPES: [&str; 3] = ["●", "■", "▲"];
    let mut named: Vec<(usize, String)> = Vec::new();
    for (it, _) in placed {
        let value = values.get(&canonical(&it.record.value)).copied().unwrap_or_default();
        if !named.iter().any(|(known, _)| *known == value) {
            named.push((value, plain(&it.record.value)));
        }
    }
    named.sort_unstable();
    let sign = |(value, name): &(usize, String)| {
        let (colour, shape) = (COLOURS[value % COLOURS.len()], SHAPES[value % SHAPES.len()]);
        format!("<span style=\"color:{colour}\">{shape}</span> {}", escaped(name))
    };
    let signs: Vec<String> = named.iter().take(12).map(sign).collect();
    let more = if named.len() > 12 {
        format!(", {} more", count(named.len() as u64 - 12, "value"))
    } else {
        String::new()
    };
    let elsewhere = all - placed.len();
    let elsewhere = if elsewhere > 0 { format!("; {elsewhere} not drawn") } else { String::new() };
    format!("{}{more}{elsewhere}; the dotted line: written when it was true", signs.join(", "))
}
