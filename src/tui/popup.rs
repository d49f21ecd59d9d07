//! A box over the screen: within the frame at every size, and clean at its edges.

use ratatui::Frame;
use ratatui::layout::{Constraint, Position, Rect};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, BorderType, Clear};
use tui_input::Input;
use unicode_width::UnicodeWidthStr;

use super::style::Theme;
use super::text::{fit, shown};
use crate::app::Model;
use crate::app::keymap::{Command, Common, Moving};
use crate::core::text::reveal;

/// Draws lines in a box in the middle, scrolled; says where the inside of the box is.
pub(super) fn draw(
    frame: &mut Frame<'_>,
    theme: &Theme,
    title: &str,
    lines: Vec<Line<'static>>,
    width: u16,
    scroll: usize,
) -> Rect {
    let screen = frame.area();
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(2);
    let area =
        screen.centered(Constraint::Length(width.min(screen.width)), Constraint::Length(height.min(screen.height)));
    clear(frame, area);
    let title = fit(&format!(" {title} "), usize::from(area.width).saturating_sub(2));
    let block = Block::bordered()
        .border_type(BorderType::Double)
        .border_style(theme.strong)
        .title(Line::styled(title, theme.title));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let last = lines.len().saturating_sub(usize::from(inner.height));
    let shown: Vec<Line<'static>> =
        lines.into_iter().skip(scroll.min(last)).take(usize::from(inner.height)).collect();
    frame.render_widget(Text::from(shown), inner);
    inner
}

/// The width of the inside of a box.
pub(super) fn inside(frame: &Frame<'_>, width: u16) -> usize {
    usize::from(width.min(frame.area().width).saturating_sub(2))
}

/// Takes away what lies under the box. A wide character that reaches into it from the left goes whole: half of one
/// would break the border.
fn clear(frame: &mut Frame<'_>, area: Rect) {
    frame.render_widget(Clear, area);
    let Some(left) = area.x.checked_sub(1) else { return };
    let buffer = frame.buffer_mut();
    for y in area.top()..area.bottom() {
        if let Some(cell) = buffer.cell_mut((left, y))
            && cell.symbol().width() > 1
        {
            cell.reset();
        }
    }
}

/// A text in lines of a box, with a cell of air at each side.
pub(super) fn wrapped(text: &str, inside: usize) -> Vec<Line<'static>> {
    let text = shown(text);
    textwrap::wrap(&text, inside.saturating_sub(2).max(4))
        .into_iter()
        .map(|line| Line::from(format!(" {line}")))
        .collect()
}

/// How what is longer than its box is scrolled and left: `j k scroll, Esc goes back`.
pub(super) fn scrolls(model: &Model) -> String {
    let [down, up, back] = [Command::Move(Moving::Down), Command::Move(Moving::Up), Command::Common(Common::Back)]
        .map(|command| model.key(command));
    format!("{down} {up} scroll, {back} goes back")
}

/// Keys with what they do, for the last line of a box.
pub(super) fn keys(listed: &[(&str, &str)], theme: &Theme) -> Line<'static> {
    let spans = listed.iter().flat_map(|(key, does)| {
        [Span::styled(format!(" {key} "), theme.key), Span::styled(format!("{does}  "), theme.dim)]
    });
    Line::from(spans.collect::<Vec<_>>())
}

/// As [`keys`], on as many lines as they need.
pub(super) fn folded(listed: &[(&str, &str)], inside: usize, theme: &Theme) -> Vec<Line<'static>> {
    let wide = |(key, does): &(&str, &str)| key.width() + does.width() + 4;
    let (mut lines, mut from, mut room) = (Vec::new(), 0, inside + 2);
    for (at, item) in listed.iter().enumerate() {
        if at > from && wide(item) > room {
            lines.push(keys(listed.get(from..at).unwrap_or_default(), theme));
            (from, room) = (at, inside + 2);
        }
        room = room.saturating_sub(wide(item));
    }
    lines.push(keys(listed.get(from..).unwrap_or_default(), theme));
    lines
}

/// Puts the terminal's cursor at a place within a box.
pub(super) fn cursor_at(frame: &mut Frame<'_>, area: Rect, right: usize, down: usize) {
    let right = right.min(usize::from(area.width).saturating_sub(1));
    let (Ok(right), Ok(down)) = (u16::try_from(right), u16::try_from(down)) else { return };
    if down < area.height {
        frame.set_cursor_position(Position::new(area.x + right, area.y + down));
    }
}

/// Puts the terminal's cursor where the next letter goes.
pub(super) fn cursor(frame: &mut Frame<'_>, area: Rect, x: usize, y: usize, input: &Input) {
    let before: String = input.value().chars().take(input.cursor()).collect();
    cursor_at(frame, area, x + reveal(&before).width(), y);
}
