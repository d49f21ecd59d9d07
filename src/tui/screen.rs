//! What all screens share: the head, the body between, the last lines.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};

use super::header::Said;
use super::style::Theme;
use super::{foot, header};
use crate::app::Model;
use crate::app::geometry::Shape;

/// Draws the head and the last lines of a screen, and says where its body is.
pub(super) fn frame(model: &Model, theme: &Theme, frame: &mut Frame<'_>, said: Said) -> Rect {
    let top = if model.geometry().shape == Shape::Wide { 2 } else { 1 };
    let rows = Layout::vertical([
        Constraint::Length(top),
        Constraint::Fill(1),
        Constraint::Length(1),
        Constraint::Length(1),
    ]);
    let [head, body, last, keys] = frame.area().layout(&rows);
    header::draw(model, theme, frame, head, said);
    foot::said(model, theme, frame, last);
    foot::keys(model, theme, frame, keys);
    body
}
