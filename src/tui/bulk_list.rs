//! Every marked pair with what the core says of it, from the preview of a bulk: heap by heap, each under its reason.

use ratatui::Frame;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::popup::{self, Footed, folded};
use super::style::Theme;
use super::text::{fit, pad, shown, thousands};
use crate::app::bulk::{Heap, Sorted, Weighed};
use crate::core::text::reveal;

const WIDTH: u16 = 100;
const NUMBERS: usize = 9;

/// Draws those from a pair on.
pub(super) fn draw(title: &str, sorted: &Sorted, from: usize, theme: &Theme, frame: &mut Frame<'_>) {
    let inside = popup::inside(frame, WIDTH);
    let each = sorted.each();
    let first = from.min(each.len().saturating_sub(1));
    let (mut lines, mut heap) = (Vec::new(), None);
    // The border, and two lines of keys where one has no room for them.
    let room = usize::from(frame.area().height).saturating_sub(4).max(1);
    let mut last = first;
    for of in each.iter().skip(first) {
        if heap != Some(of.heap) {
            let many = each.iter().filter(|other| other.heap == of.heap).count();
            lines.extend(heading(of.heap, many, inside, theme));
            heap = Some(of.heap);
        }
        lines.push(row(*of, inside, theme));
        last += 1;
        if lines.len() >= room {
            break;
        }
    }
    let place =
        format!("from {} of {}", thousands((first + 1).min(each.len()) as u64), thousands(each.len() as u64));
    let more = if last < each.len() { place } else { format!("{place}, the end") };
    let foot = folded(&[("Esc", "back to the preview"), ("PgDn PgUp", "scroll"), ("", &more)], inside, theme);
    popup::draw_footed(frame, theme, &shown(title), Footed { lines, foot, keep: 0 }, WIDTH);
}

/// What the core says of the pairs under it, whole.
fn heading(of: Heap<'_>, many: usize, inside: usize, theme: &Theme) -> Vec<Line<'static>> {
    let (word, style, why): (&str, Style, &str) = match of {
        Heap::Allowed => ("allowed", theme.good, "written"),
        Heap::Along => ("along", theme.good, "another of these closes it"),
        Heap::NeedsOverride => ("needs override", theme.alarm, "a reason is needed"),
        Heap::Refused(why) => ("refused", theme.bad, why),
        Heap::Gone => ("gone", theme.dim, "it is no longer there"),
    };
    let text = format!("{} {word}: {}", thousands(many as u64), reveal(why));
    let folded = textwrap::wrap(&text, inside.saturating_sub(2).max(8)).into_iter();
    folded.map(|line| Line::styled(format!(" {line}"), style)).collect()
}

fn row(of: Weighed<'_>, inside: usize, theme: &Theme) -> Line<'static> {
    let slot = of.slot.map(|(subject, attribute)| shown(&format!("{attribute} of {subject}"))).unwrap_or_default();
    Line::from(vec![
        Span::styled(format!("   {}", pad(&of.pair.to_string(), NUMBERS)), theme.strong),
        Span::styled(fit(&slot, inside.saturating_sub(NUMBERS + 4)), theme.text),
    ])
}
