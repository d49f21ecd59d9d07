//! The signs of the values: a shape and a colour each, so that neither has to be seen for the other to tell.

use ratatui::style::Style;
use ratatui::text::Span;

use super::super::style::Theme;
use super::super::text::{fit, thousands, width};
use crate::app::asks::history::Slot;
use crate::core::text::shown_value;

const SHAPES: [&str; 8] = ["●", "■", "▲", "◆", "○", "□", "△", "◇"];
/// Beyond the eighth, values are not told apart.
const OTHER: &str = "∙";
/// Records in one cell that say several values.
pub(super) const MIXED: &str = "*";

/// The sign of a value.
pub(super) fn shape(value: usize) -> &'static str {
    SHAPES.get(value).copied().unwrap_or(OTHER)
}

/// Its colour.
pub(super) fn style(value: usize, theme: &Theme) -> Style {
    if value < SHAPES.len() { theme.values[value % theme.values.len()] } else { theme.dim }
}

/// How many records a mark stands for, in the cell behind it.
pub(super) const fn many(records: u64) -> &'static str {
    match records {
        0 | 1 => " ",
        2 => "²",
        3 => "³",
        4 => "⁴",
        5 => "⁵",
        6 => "⁶",
        7 => "⁷",
        8 => "⁸",
        9 => "⁹",
        10.. => "⁺",
    }
}

/// Each value with its sign and how many records say it: as many as there is room for on one line.
pub(super) fn legend(slot: &Slot, room: usize, theme: &Theme) -> Vec<Span<'static>> {
    let mut spans: Vec<Span<'static>> = Vec::new();
    for (at, (value, records)) in slot.values.iter().enumerate() {
        let item = [
            Span::styled(format!(" {} ", shape(at)), style(at, theme)),
            Span::styled(fit(&shown_value(value), 14), theme.text),
            Span::styled(format!(" {} ", thousands(*records)), theme.dim),
        ];
        if width(&spans) + width(&item) > room {
            break;
        }
        spans.extend(item);
    }
    spans
}
