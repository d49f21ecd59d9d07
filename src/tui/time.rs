//! Order in time: when each record was true and when each was written, on one scale. Where the two strips show A and B
//! the other way round, the write order lies.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};

use super::region::region;
use super::style::Theme;
use crate::app::compare::{Crossing, crossing};
use crate::core::examine::Side;
use crate::core::pair::Pair;
use crate::core::time::Instant;

const NAMES: usize = 11;

/// Draws the strips, with what they say in the title.
pub(super) fn draw(pair: &Pair, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let crossed = matches!(crossing(pair), Crossing::Crossed { .. });
    let title = Line::from(vec![
        Span::styled(" Order in time: ", theme.title),
        Span::styled(format!("{} ", words(pair)), if crossed { theme.alarm } else { theme.dim }),
    ]);
    let scale = scale(pair);
    let room = usize::from(area.width).saturating_sub(title.width() + 4);
    let mut block = region(theme, title);
    if scale.len() <= room {
        block = block.title(Line::styled(scale, theme.dim).right_aligned());
    }
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let cells = usize::from(inner.width).saturating_sub(NAMES + 2);
    let strips = strips(pair, cells);
    let lines =
        ["true", "written"].iter().zip(strips).map(|(name, strip)| {
            let mut spans = vec![Span::styled(format!(" {name:<NAMES$}"), theme.dim)];
            spans.extend(strip.iter().map(|(text, strong)| {
                Span::styled(text.clone(), if *strong { theme.strong } else { theme.border })
            }));
            Line::from(spans)
        });
    frame.render_widget(Text::from(lines.collect::<Vec<_>>()), inner);
}

/// What the two orders say of each other.
pub(super) fn words(pair: &Pair) -> String {
    match crossing(pair) {
        Crossing::Straight => "written in the order in which they were true".to_owned(),
        Crossing::Crossed { late } => {
            let (late, first) = (late.of("A", "B"), late.other().of("A", "B"));
            format!("CROSSED, {late} was written last, {first} is the later truth")
        }
        Crossing::Unknown => "not certain: a time is missing, or they overlap".to_owned(),
    }
}

/// The same in two words, where there is only a crossing to tell of.
pub(super) fn brief(pair: &Pair) -> Option<String> {
    match crossing(pair) {
        Crossing::Crossed { late } => Some(format!("CROSSED in time: {} came late", late.of("A", "B"))),
        Crossing::Straight | Crossing::Unknown => None,
    }
}

/// The days at both ends of the scale.
fn scale(pair: &Pair) -> String {
    let times = times(pair);
    match (times.iter().min(), times.iter().max()) {
        (Some(first), Some(last)) => format!(" {} to {} ", day(*first), day(*last)),
        _ => String::new(),
    }
}

fn day(at: Instant) -> String {
    at.utc().format("%Y-%m-%d").to_string()
}

/// Every time that is known of the two.
fn times(pair: &Pair) -> Vec<Instant> {
    let sides = [&pair.left.record, &pair.right.record];
    let observed = sides.iter().filter_map(|record| record.observed_at.map(crate::core::time::When::first));
    observed.chain(sides.iter().map(|record| record.written_at)).collect()
}

/// The strips of both times on one scale, as stretches of text; the letters are strong.
fn strips(pair: &Pair, cells: usize) -> [Vec<(String, bool)>; 2] {
    let sides = [Side::Left, Side::Right].map(|side| &pair.record(side).record);
    let observed = sides.map(|record| record.observed_at.map(crate::core::time::When::first));
    let written = sides.map(|record| Some(record.written_at));
    let all = times(pair);
    let (Some(first), Some(last)) = (all.iter().min().copied(), all.iter().max().copied()) else {
        return [Vec::new(), Vec::new()];
    };
    [observed, written].map(|times| strip(times, first, last, cells))
}

fn strip(times: [Option<Instant>; 2], first: Instant, last: Instant, cells: usize) -> Vec<(String, bool)> {
    let mut letters: Vec<(usize, char, Instant)> = times
        .into_iter()
        .zip(['A', 'B'])
        .filter_map(|(time, letter)| time.map(|time| (place(time, first, last, cells), letter, time)))
        .collect();
    if letters.is_empty() {
        return vec![("not known".to_owned(), true)];
    }
    letters.sort_by_key(|(_, _, time)| *time);
    keep_apart(&mut letters, cells);
    let mut strip = Vec::new();
    let mut at = 0;
    for (cell, letter, _) in &letters {
        strip.push(("·".repeat(cell.saturating_sub(at)), false));
        strip.push((letter.to_string(), true));
        at = cell + 1;
    }
    strip.push(("·".repeat(cells.saturating_sub(at)), false));
    if letters.len() == 1 {
        let missing = if times[0].is_none() { " A not known" } else { " B not known" };
        strip.push((missing.to_owned(), true));
        shorten(&mut strip, missing.len());
    }
    strip
}

/// The cell of a time on the scale.
fn place(time: Instant, first: Instant, last: Instant, cells: usize) -> usize {
    let whole = last.since(first).num_milliseconds().max(1);
    let part = time.since(first).num_milliseconds();
    let cells = i64::try_from(cells.saturating_sub(1)).unwrap_or(0);
    usize::try_from(i128::from(part) * i128::from(cells) / i128::from(whole)).unwrap_or(0)
}

/// Two times in one cell stand side by side, the earlier first.
fn keep_apart(letters: &mut [(usize, char, Instant)], cells: usize) {
    let [(earlier, ..), (later, ..)] = letters else { return };
    if earlier != later {
        return;
    }
    if *later + 1 < cells {
        *later += 1;
    } else {
        *earlier = earlier.saturating_sub(1);
    }
}

/// Makes room at the end by taking dots away from the last stretch of them, then from the one before.
fn shorten(strip: &mut [(String, bool)], by: usize) {
    let mut left = by;
    for (text, strong) in strip.iter_mut().rev().filter(|(_, strong)| !strong) {
        debug_assert!(!*strong, "only dots are taken");
        let dots = text.chars().count();
        let gone = dots.min(left);
        *text = "·".repeat(dots - gone);
        left -= gone;
    }
}
