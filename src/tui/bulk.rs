//! The preview of one decision for many: counts first, exceptions by number, the safe way chosen, and a word to write it.

use ratatui::Frame;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::popup::{self, Footed, cursor, folded, keys};
use super::style::Theme;
use super::text::{counted, fit, pad, shown, thousands};
use crate::app::bulk::{Sorted, Stroke, by_reason};
use crate::app::preview::{At, Bulk, Way, YES};
use crate::core::ruling::PairId;
use crate::core::text::reveal;

const WIDTH: u16 = 80;
const NAMES: usize = 16;
const COUNTS: usize = 7;
/// Reasons of refusal that are shown, each with its pairs; and on a screen that is no higher than `SHORT`.
const REASONS: usize = 5;
const FEWER: usize = 2;
const SHORT: usize = 24;
/// No higher than this, reasons are left to the list.
const LOW: usize = 15;
/// Lines for reasons that are typed.
const TYPED: usize = 4;

/// Draws it.
pub(super) fn draw(bulk: &Bulk, theme: &Theme, frame: &mut Frame<'_>) {
    let inside = popup::inside(frame, WIDTH);
    let title = format!("{} for {}", bulk.choice.title(), counted(bulk.marked as u64, "marked pair"));
    let Some(sorted) = &bulk.sorted else {
        let lines = vec![
            Line::from(" asking the core about each of them, and what all would do …"),
            Line::default(),
            keys(&[("Esc", "stop, nothing is written")], theme),
        ];
        popup::draw(frame, theme, &title, lines, WIDTH, 0);
        return;
    };
    if let Some(line) = bulk.listed {
        return super::bulk_list::draw(&title, sorted, line, theme, frame);
    }
    let mut lines = heaps(bulk, sorted, inside, usize::from(frame.area().height), theme);
    lines.extend(would(bulk, inside, theme));
    lines.push(Line::default());
    lines.extend(ways(bulk, sorted, theme));
    let typed = lines.len();
    let (fields, at) = reasons(bulk, sorted, inside, theme);
    lines.extend(fields);
    let written = bulk.many() > 0;
    let mut foot = if written { yes(bulk, inside, theme) } else { nothing(theme) };
    foot.extend(last(bulk, written, inside, theme));
    if lines.len() + foot.len() + 2 > usize::from(frame.area().height) {
        // The counts, and what is written with how: the rest is a key away.
        lines.retain(|line| line.width() > 0);
        foot.retain(|line| line.width() > 0);
    }
    let keep = at.map_or(0, |row| typed + row);
    let (area, above) = popup::draw_footed(frame, theme, &shown(&title), Footed { lines, foot, keep }, WIDTH);
    if let (At::Reason(reason), Some(row)) = (bulk.at, at)
        && let Some(input) = bulk.reasons().get(reason)
    {
        cursor(frame, area, LEAD, (typed + row).saturating_sub(above), input);
    }
}

fn count(name: &str, many: usize, style: Style, words: &str, inside: usize, theme: &Theme) -> Line<'static> {
    let room = inside.saturating_sub(1 + NAMES + COUNTS + 3);
    Line::from(vec![
        Span::styled(format!(" {}", pad(name, NAMES)), style),
        Span::styled(format!("{:>COUNTS$}   ", thousands(many as u64)), theme.strong),
        Span::styled(fit(words, room), theme.text),
    ])
}

/// Allowed, needing an override, refused by reason, gone; each with its pairs, as far as the height goes.
fn heaps(bulk: &Bulk, sorted: &Sorted, inside: usize, height: usize, theme: &Theme) -> Vec<Line<'static>> {
    let room = inside.saturating_sub(1 + NAMES + COUNTS + 3);
    let under = |pairs: &[PairId]| {
        Line::styled(format!("{}{}", " ".repeat(1 + NAMES + COUNTS + 3), numbers(pairs, room)), theme.dim)
    };
    let mut lines = vec![count("allowed", sorted.allowed.len(), theme.good, bulk.choice.words(), inside, theme)];
    let allowed: Vec<PairId> = sorted.allowed.iter().filter_map(crate::app::Ordered::pair).collect();
    if !allowed.is_empty() && height > SHORT {
        lines.push(under(&allowed));
    }
    if !sorted.overrides.is_empty() {
        let pairs: Vec<PairId> = sorted.overrides.iter().filter_map(crate::app::Ordered::pair).collect();
        let words = format!("{} (a reason is needed)", numbers(&pairs, room.saturating_sub(23)));
        lines.push(count("needs override", pairs.len(), theme.alarm, &words, inside, theme));
    }
    let all = sorted.reasons();
    let shown = if height > SHORT {
        REASONS
    } else if height > LOW {
        FEWER
    } else {
        0
    };
    for (at, (why, pairs)) in all.iter().take(shown).enumerate() {
        let name = if at == 0 { "refused" } else { "" };
        lines.push(count(name, pairs.len(), theme.bad, &reveal(why), inside, theme));
        lines.push(under(pairs));
    }
    let more: usize = all.iter().skip(shown).map(|(_, pairs)| pairs.len()).sum();
    if more > 0 {
        let (name, told) = if shown == 0 {
            ("refused", "PgDn tells why, of each")
        } else {
            ("", "for other reasons: PgDn tells each")
        };
        lines.push(count(name, more, theme.bad, told, inside, theme));
    }
    if !sorted.gone.is_empty() {
        lines.push(count("gone", sorted.gone.len(), theme.dim, &numbers(&sorted.gone, room), inside, theme));
    }
    lines
}

/// What the stroke would do, as the store computed it.
fn would(bulk: &Bulk, inside: usize, theme: &Theme) -> Vec<Line<'static>> {
    let Some(Stroke { rulings, closed, opened, along, refused }) = bulk.would() else { return Vec::new() };
    let room = inside.saturating_sub(1 + NAMES + COUNTS + 3);
    let mut lines = vec![Line::default()];
    let told = format!(
        "rulings written: {} close, {} open anew",
        counted(*closed as u64, "pair"),
        thousands(*opened as u64)
    );
    lines.push(count("together", *rulings, theme.title, &told, inside, theme));
    if !along.is_empty() {
        let told = format!("close along with another of these: {}", numbers(along, room.saturating_sub(35)));
        lines.push(count("", along.len(), theme.title, &told, inside, theme));
    }
    for (why, pairs) in by_reason(refused).into_iter().take(2) {
        let told = format!("refused once the others are written: {}", reveal(why));
        lines.push(count("", pairs.len(), theme.bad, &told, inside, theme));
    }
    lines
}

fn ways(bulk: &Bulk, sorted: &Sorted, theme: &Theme) -> Vec<Line<'static>> {
    let (allowed, overrides) = (sorted.allowed.len(), sorted.overrides.len());
    let left = bulk.marked.saturating_sub(allowed);
    let line = |way: &Way| {
        let text = match way {
            Way::Allowed if left == 0 => format!("write all {allowed}"),
            Way::Allowed => format!("write the {allowed} allowed, leave the other {left} as they are"),
            Way::OneReason if overrides == 1 => format!("write the {allowed} and override the 1"),
            Way::OneReason => format!("write the {allowed} and override the {overrides}, one reason for all"),
            Way::EachReason => format!("write the {allowed} and override the {overrides}, a reason for each"),
        };
        let chosen = *way == bulk.way;
        let sign = if chosen { "▸" } else { " " };
        Line::styled(format!(" {sign} {text}"), if chosen { theme.strong } else { theme.dim })
    };
    bulk.ways().iter().map(line).collect()
}

/// Cells before what is typed as a reason.
const LEAD: usize = 17;

/// The reasons that the chosen way wants, those around the one that is typed; and which line that one is on.
fn reasons(bulk: &Bulk, sorted: &Sorted, inside: usize, theme: &Theme) -> (Vec<Line<'static>>, Option<usize>) {
    let wanted = bulk.reasons();
    if wanted.is_empty() {
        return (Vec::new(), None);
    }
    let typing = if let At::Reason(at) = bulk.at { Some(at) } else { None };
    let first = typing.unwrap_or(0).saturating_sub(TYPED / 2).min(wanted.len().saturating_sub(TYPED));
    let mut lines = vec![Line::default()];
    for (at, input) in wanted.iter().enumerate().skip(first).take(TYPED) {
        let of = match bulk.way {
            Way::OneReason | Way::Allowed => String::new(),
            Way::EachReason => sorted
                .overrides
                .get(at)
                .and_then(crate::app::Ordered::pair)
                .map(|pair| pair.to_string())
                .unwrap_or_default(),
        };
        let here = typing == Some(at);
        let name = format!(" {} reason {}", if here { "▸" } else { " " }, of);
        lines.push(Line::from(vec![
            Span::styled(pad(&name, LEAD), if here { theme.strong } else { theme.dim }),
            Span::styled(pad(&reveal(input.value()), inside.saturating_sub(LEAD + 1)), theme.field),
        ]));
    }
    if wanted.len() > TYPED {
        let given = wanted.iter().filter(|input| !input.value().trim().is_empty()).count();
        lines.push(Line::styled(format!("   {given} of {} given", wanted.len()), theme.dim));
    }
    (lines, typing.map(|at| 1 + at - first))
}

fn yes(bulk: &Bulk, inside: usize, theme: &Theme) -> Vec<Line<'static>> {
    let many = bulk.many();
    let told = format!("  then Enter to write {}:  ", counted(many as u64, "ruling"));
    let here = bulk.at == At::Yes;
    let told = fit(&told, inside.saturating_sub(16));
    vec![
        Line::default(),
        Line::from(vec![
            Span::styled(if here { " ▸ Type  " } else { "   Type  " }, theme.text),
            Span::styled(YES, theme.key),
            Span::styled(told, theme.text),
            Span::styled(pad(&reveal(&bulk.typed), 4), theme.field),
        ]),
    ]
}

fn nothing(theme: &Theme) -> Vec<Line<'static>> {
    vec![Line::default(), Line::styled(" nothing of this can be written", theme.strong)]
}

fn last(bulk: &Bulk, written: bool, inside: usize, theme: &Theme) -> Vec<Line<'static>> {
    let mut listed = vec![("Esc", "leave all as it is"), ("PgDn", "every pair")];
    if bulk.ways().len() > 1 {
        listed.push(("↑ ↓", "how much"));
    }
    if !bulk.reasons().is_empty() {
        listed.push(("Tab", "next line"));
    }
    if written {
        listed.push(("u", "then undoes all"));
    }
    folded(&listed, inside, theme)
}

/// `421, 424, 430`, as many as there is room for, and how many more.
fn numbers(pairs: &[PairId], room: usize) -> String {
    let mut text = String::new();
    for (at, pair) in pairs.iter().enumerate() {
        let next = format!("{}{pair}", if at == 0 { "" } else { ", " });
        let more = format!(" and {} more", pairs.len() - at);
        if at > 0 && text.len() + next.len() + more.len() > room {
            return text + &more;
        }
        text.push_str(&next);
    }
    text
}
