//! The pair on the whole screen: every line and all of the evidence, scrolled.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Text};
use ratatui::widgets::Block;

use super::region::region;
use super::style::Theme;
use super::{checks, foot, header, pair as records};
use crate::app::Model;

/// Cells for the place, `1-25 of 39`, and the corners.
const PLACE: usize = 20;

/// Draws it, with the checklist in words below the evidence.
pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame<'_>) {
    let rows = Layout::vertical([
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(1),
        Constraint::Length(1),
    ]);
    let [head, body, said, keys] = frame.area().layout(&rows);
    header::draw(model, theme, frame, head, header::of_triage(model, theme));
    let title = match model.triage.pair() {
        // What is left beside the place, which is drawn at the right.
        Some(pair) => format!(" {} ", records::slot(pair, usize::from(body.width).saturating_sub(PLACE))),
        None => " No pair ".to_owned(),
    };
    let block = region(theme, Line::styled(title, theme.title));
    let inner = block.inner(body);
    frame.render_widget(block, body);
    if let Some(pair) = model.triage.pair() {
        let mut lines = records::whole(model, pair, theme);
        lines.push(Line::default());
        lines.extend(checks::list(model, pair, theme, usize::from(inner.width)));
        lines.push(checks::finding(model, pair, theme, usize::from(inner.width)));
        lines.extend(checks::fell_short(pair, theme, usize::from(inner.width)));
        let (all, seen) = (lines.len(), usize::from(inner.height));
        let last = all.saturating_sub(seen);
        if last > 0 {
            let first = model.triage.down.min(last);
            let place = format!(" {}-{} of {all} ", first + 1, first + seen);
            let right = Rect { height: 1, ..body };
            frame.render_widget(Block::new().title(Line::styled(place, theme.dim).right_aligned()), inset(right));
        }
        let lines: Vec<Line<'_>> = lines.into_iter().skip(model.triage.down.min(last)).collect();
        frame.render_widget(Text::from(lines), inner);
    }
    foot::said(model, theme, frame, said);
    foot::keys(model, theme, frame, keys);
}

/// Without the corners.
const fn inset(area: Rect) -> Rect {
    Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area }
}
