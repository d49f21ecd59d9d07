//! A part of the screen with a border and a title.

use ratatui::symbols::merge::MergeStrategy;
use ratatui::text::Line;
use ratatui::widgets::Block;

use super::style::Theme;

/// A bordered region that shares its borders with its neighbours.
pub(super) fn region<'a>(theme: &Theme, title: impl Into<Line<'a>>) -> Block<'a> {
    let title: Line<'a> = title.into();
    let block = Block::bordered().border_style(theme.border).merge_borders(MergeStrategy::Exact);
    if title.width() == 0 { block } else { block.title(title) }
}
