//! A line of the history on the whole screen.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};

use super::super::region::region;
use super::super::style::Theme;
use super::super::text::{line, pad, thousands};
use crate::app::history::whole::{NAMES, Shown};

/// Draws as much of it as there is room for, and where in it that is.
pub(super) fn draw(shown: &Shown, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let mut block = region(theme, Line::styled(format!(" {} ", shown.title), theme.title));
    let height = usize::from(area.height.saturating_sub(2));
    let last = shown.lines.len().saturating_sub(height);
    let down = shown.down.min(last);
    if last > 0 {
        let (first, end, all) = (down + 1, (down + height).min(shown.lines.len()), shown.lines.len());
        let place = format!(" lines {first}-{end} of {}, j k scroll ", thousands(all as u64));
        block = block.title_bottom(Line::styled(place, theme.dim).right_aligned());
    }
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let room = usize::from(inner.width).saturating_sub(usize::from(NAMES) + 1);
    let lines = shown.lines.iter().skip(down).take(height).map(|(name, pieces)| {
        let name = Span::styled(format!(" {}", pad(name, usize::from(NAMES))), theme.dim);
        Line::from([vec![name], line(pieces, 0, room, theme.text, theme.mark)].concat())
    });
    frame.render_widget(Text::from(lines.collect::<Vec<_>>()), inner);
}
