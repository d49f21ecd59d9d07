//! When records were true (across) and when they were written (down), on one scale of time. What was written when it was
//! true lies on the diagonal; a bulk load is a flat line of `#` far from it.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use unicode_width::UnicodeWidthStr;

use crate::app::spell;
use crate::core::batch::Plane;
use crate::core::time::Instant;
use crate::tui::style::Theme;
use crate::tui::text::{pad, thousands};

/// Cells of the times at the left, and the axis after them.
const LEFT: usize = 12;

/// What the picture shows, in as many words as there is room for.
pub(super) const fn title(cells: usize) -> &'static str {
    match cells {
        62.. => " When it was true (across) and when it was written (down) ",
        36.. => " True (across), written (down) ",
        _ => " True × written ",
    }
}

/// Draws it, with both axes and what the signs mean.
pub(super) fn draw(plane: &Plane, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let Some(between) = plane.between else { return };
    let cells = usize::from(area.width).saturating_sub(LEFT + 1);
    let rows = usize::from(area.height).saturating_sub(3);
    if cells < 8 || rows == 0 {
        return;
    }
    let mut lines: Vec<Line<'static>> = (0..rows).map(|y| row(plane, between, (y, rows), cells, theme)).collect();
    lines.push(axis(cells, theme));
    lines.push(days(between, cells, theme));
    lines.push(legend(plane, usize::from(area.width), theme));
    frame.render_widget(Text::from(lines), area);
}

fn row(
    plane: &Plane,
    between: (Instant, Instant),
    (y, rows): (usize, usize),
    cells: usize,
    theme: &Theme,
) -> Line<'static> {
    let label = if y == 0 || y + 1 == rows || (rows >= 5 && y == rows / 2) {
        spell::day(at(between, 2 * y + 1, 2 * rows))
    } else {
        String::new()
    };
    let mut spans = vec![Span::styled(format!(" {}│", pad(&label, LEFT - 2)), theme.dim)];
    let diagonal = (2 * y + 1) * cells / (2 * rows);
    for x in 0..cells {
        let field = plane.cell((x, y), (cells, rows));
        spans.push(match (field.batch, field.others) {
            (1.., _) => Span::styled("#", theme.alarm),
            (0, 1..) => Span::styled("∙", theme.text),
            (0, 0) if x == diagonal => Span::styled("╲", theme.border),
            (0, 0) => Span::raw(" "),
        });
    }
    Line::from(spans)
}

fn axis(cells: usize, theme: &Theme) -> Line<'static> {
    let marks = (0..cells).map(|x| if ticks(cells).any(|tick| tick == x) { '┬' } else { '─' });
    Line::styled(format!("{}└{}", " ".repeat(LEFT - 1), marks.collect::<String>()), theme.dim)
}

/// The cells that have their day below them.
fn ticks(cells: usize) -> impl Iterator<Item = usize> {
    let many = (cells / 16).clamp(1, 6);
    (0..=many).map(move |at| at * cells.saturating_sub(1) / many)
}

fn days(between: (Instant, Instant), cells: usize, theme: &Theme) -> Line<'static> {
    let mut line = " ".repeat(LEFT);
    for tick in ticks(cells) {
        let day = spell::day(at(between, tick, cells.saturating_sub(1).max(1)));
        // A day stands under the middle of its tick, and within the axis.
        let begins = LEFT + tick.saturating_sub(day.width() / 2).min(cells.saturating_sub(day.width()));
        if line.width() < begins || line.width() == LEFT {
            line.push_str(&" ".repeat(begins.saturating_sub(line.width())));
            line.push_str(&day);
        }
    }
    Line::styled(line, theme.dim)
}

fn legend(plane: &Plane, cells: usize, theme: &Theme) -> Line<'static> {
    let mut spans = vec![
        Span::styled(" #", theme.alarm),
        Span::styled(" this batch  ", theme.dim),
        Span::styled("∙", theme.text),
        Span::styled(" others  ", theme.dim),
    ];
    let beyond = match plane.beyond {
        0 => String::new(),
        many => format!("  ({} not within)", thousands(many)),
    };
    let room = cells.saturating_sub(spans.iter().map(Span::width).sum());
    let words =
        [format!("╲ written when it was true{beyond}"), format!("╲ when true{beyond}"), "╲ when true".to_owned()];
    spans.extend(words.into_iter().find(|words| words.width() <= room).map(|words| Span::styled(words, theme.dim)));
    Line::from(spans)
}

/// The time so many parts of all along the scale.
fn at((from, to): (Instant, Instant), part: usize, of: usize) -> Instant {
    let (part, of) = (i64::try_from(part).unwrap_or(0), i64::try_from(of.max(1)).unwrap_or(1));
    let length = i128::from(to.since(from).num_seconds()) * i128::from(part) / i128::from(of);
    from.plus(chrono::Duration::seconds(i64::try_from(length).unwrap_or(0)))
}
