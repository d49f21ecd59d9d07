//! Batches and imports: what came together, how late it was written, how it fared.

use chrono::Duration;
use ratatui::Frame;
use ratatui::text::{Line, Text};

use super::header::Said;
use super::region::region;
use super::screen;
use super::style::Theme;
use super::text::{fit, pad, pad_left, shown, thousands};
use crate::app::Model;
use crate::app::asks::batches::Summary;
use crate::app::spell::span;

/// Draws the screen.
pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame<'_>) {
    let body = screen::frame(model, theme, frame, Said::default());
    let list = &model.batches.list;
    let title = format!(" Batches {} of {} ", thousands(place(model)), thousands(list.total()));
    let block = region(theme, Line::styled(title, theme.title));
    let inner = block.inner(body);
    frame.render_widget(block, body);
    let width = usize::from(inner.width);
    let mut lines = vec![Line::styled(heads(width), theme.dim)];
    if list.is_loaded() && list.total() == 0 {
        lines.push(Line::styled(" No records yet: gainsay import FILE brings some in.", theme.text));
    }
    lines.extend(list.visible().map(|(position, summary)| {
        let chosen = position == list.position();
        let style = match (chosen, summary.contested) {
            (true, _) => theme.selected,
            (false, 0) => theme.dim,
            (false, _) => theme.text,
        };
        Line::styled(row(summary, chosen, width), style)
    }));
    frame.render_widget(Text::from(lines), inner);
}

fn place(model: &Model) -> u64 {
    if model.batches.list.total() == 0 { 0 } else { model.batches.list.position() + 1 }
}

/// Cells of the numbers behind the name.
const NUMBERS: usize = 56;

fn heads(width: usize) -> String {
    let numbers = ["records", "contested", "pairs", "median lag", "won / lost"];
    line("  batch", numbers.map(str::to_owned), width)
}

fn row(of: &Summary, chosen: bool, width: usize) -> String {
    let sign = if chosen { '▸' } else { ' ' };
    let lag = of.lag.map_or_else(|| "unknown".to_owned(), |lag| span(Duration::seconds(lag)));
    let withdrawn = if of.withdrawn > 0 { "  withdrawn" } else { "" };
    line(
        &format!("{sign} {}{withdrawn}", shown(of.batch.as_str())),
        [
            thousands(of.records),
            thousands(of.contested),
            thousands(of.pairs),
            lag,
            format!("{} / {}", of.won, of.lost),
        ],
        width,
    )
}

/// The name, and as many of the numbers as there is room for.
fn line(name: &str, numbers: [String; 5], width: usize) -> String {
    let cells = [9, 11, 8, 14, 14];
    let fits = if width >= NUMBERS + 20 { 5 } else { 2 };
    let used: usize = cells.iter().take(fits).sum();
    let numbers: String =
        numbers.iter().zip(cells).take(fits).map(|(number, cells)| pad_left(number, cells)).collect();
    fit(&format!("{}{numbers}", pad(name, width.saturating_sub(used))), width)
}
