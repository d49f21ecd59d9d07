//! Every marked pair with what the core says of it, from the preview of a bulk.

use ratatui::Frame;
use ratatui::text::{Line, Span};

use super::popup::{self, folded};
use super::style::Theme;
use super::text::{fit, pad, shown, thousands};
use crate::app::bulk::{Heap, Sorted, Weighed};
use crate::core::text::reveal;

const WIDTH: u16 = 110;
const NUMBERS: usize = 9;
const WORDS: usize = 15;

/// Draws those from a line on.
pub(super) fn draw(title: &str, sorted: &Sorted, line: usize, theme: &Theme, frame: &mut Frame<'_>) {
    let inside = popup::inside(frame, WIDTH);
    let each = sorted.each();
    // The box: its border, the list, an empty line and that of the keys.
    let room = usize::from(frame.area().height).saturating_sub(2 + 2).max(1);
    let rows = each.len().min(room);
    let first = line.min(each.len() - rows);
    let mut lines: Vec<Line<'static>> =
        each.iter().skip(first).take(rows).map(|it| row(*it, inside, theme)).collect();
    lines.push(Line::default());
    let place = format!(
        "{} to {} of {}",
        thousands((first + 1).min(each.len()) as u64),
        thousands((first + rows) as u64),
        thousands(each.len() as u64)
    );
    lines.extend(folded(&[("Esc", "back to the preview"), ("PgDn PgUp", "scroll"), ("", &place)], inside, theme));
    popup::draw(frame, theme, &shown(title), lines, WIDTH, 0);
}

fn row(of: Weighed<'_>, inside: usize, theme: &Theme) -> Line<'static> {
    let (word, style, why) = match of.heap {
        Heap::Allowed => ("allowed", theme.good, ""),
        Heap::Along => ("closes along", theme.good, "another of these closes it"),
        Heap::NeedsOverride => ("needs override", theme.alarm, "a reason is needed"),
        Heap::Refused(why) => ("refused", theme.bad, why),
        Heap::Gone => ("gone", theme.dim, "it is no longer there"),
    };
    let slot = of.slot.map(|(subject, attribute)| shown(&format!("{attribute} of {subject}"))).unwrap_or_default();
    let rest = inside.saturating_sub(1 + NUMBERS + WORDS + 2);
    let slots = if why.is_empty() { rest } else { (rest / 2).min(36) };
    Line::from(vec![
        Span::styled(format!(" {}", pad(&of.pair.to_string(), NUMBERS)), theme.strong),
        Span::styled(pad(word, WORDS), style),
        Span::styled(format!("{} ", pad(&slot, slots)), theme.text),
        Span::styled(fit(&reveal(why), rest.saturating_sub(slots)), theme.dim),
    ])
}
