//! Batches.

use ratatui::Frame;

use super::header::Said;
use super::region::region;
use super::screen;
use super::style::Theme;
use crate::app::Model;

/// Draws the screen.
pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame<'_>) {
    let body = screen::frame(model, theme, frame, Said::default());
    frame.render_widget(region(theme, " batches "), body);
}
