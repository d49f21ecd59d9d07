//! The facets of a batch: its records by what the core did with them, by attribute and by lag, its pairs by ground.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};

use crate::app::batches::Open;
use crate::core::batch::Picture;
use crate::core::lag::{Band, Lags};
use crate::core::pair::RecordState;
use crate::tui::queue::short;
use crate::tui::style::Theme;
use crate::tui::text::{fit, pad, pad_left, shown, thousands};

/// One facet: its rows, each with how many there are, and its style.
struct Facet {
    title: &'static str,
    rows: Vec<(String, u64, Style)>,
}

/// Draws as many rows of each as there is room for, fairly.
pub(super) fn draw(open: &Open, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let facets: Vec<Facet> = all(open, theme).into_iter().filter(|facet| !facet.rows.is_empty()).collect();
    // Where it is low, whole facets give way before all of them are cut to one row.
    let many = facets.len().min((usize::from(area.height) / 4).max(1));
    let facets = facets.get(..many).unwrap_or_default();
    let kept = share(facets, usize::from(area.height));
    let cells = usize::from(area.width);
    let lines: Vec<Line<'static>> =
        facets.iter().zip(kept).flat_map(|(facet, rows)| lines(facet, rows, cells, theme)).collect();
    frame.render_widget(Text::from(lines), area);
}

fn all(open: &Open, theme: &Theme) -> Vec<Facet> {
    let lags = lags(&open.summary.lags, theme);
    let Some(picture) = &open.picture else { return vec![lags] };
    vec![states(picture, theme), grounds(picture, theme), lags, attributes(picture, theme)]
}

fn states(picture: &Picture, theme: &Theme) -> Facet {
    let row = |(state, many): &(Option<RecordState>, u64)| {
        let style = match state {
            Some(RecordState::Contested) => theme.alarm,
            Some(RecordState::Live) => theme.good,
            Some(
                RecordState::Superseded | RecordState::History | RecordState::Withdrawn | RecordState::Retracted,
            )
            | None => theme.text,
        };
        (state.map_or("unslotted", RecordState::name).to_owned(), *many, style)
    };
    Facet { title: "what the core did", rows: picture.states.iter().map(row).collect() }
}

fn grounds(picture: &Picture, theme: &Theme) -> Facet {
    let rows = picture.grounds.iter().map(|(ground, many)| (short(*ground).to_owned(), *many, theme.alarm));
    Facet { title: "pairs by ground", rows: rows.collect() }
}

fn lags(lags: &Lags, theme: &Theme) -> Facet {
    let style = |band: Band| if band == Band::Ahead { theme.alarm } else { theme.text };
    let known = Band::ALL.into_iter().map(|band| (band.name().to_owned(), lags.of(band), style(band)));
    let rows = known.chain([("not known".to_owned(), lags.unknown, theme.dim)]);
    Facet { title: "lag, written minus true", rows: rows.filter(|(_, many, _)| *many > 0).collect() }
}

fn attributes(picture: &Picture, theme: &Theme) -> Facet {
    let rows = picture.attributes.iter().map(|(attribute, many)| {
        let name = attribute.as_ref().map_or_else(|| "none".to_owned(), |name| shown(name.as_str()));
        (name, *many, theme.text)
    });
    Facet { title: "attribute", rows: rows.collect() }
}

/// How many rows of each facet are drawn beside its title: the longest gives way first; none where not even one fits.
fn share(facets: &[Facet], height: usize) -> Vec<usize> {
    let mut rows: Vec<usize> = facets.iter().map(|facet| facet.rows.len()).collect();
    let needed = |rows: &[usize]| rows.iter().map(|rows| if *rows == 0 { 0 } else { rows + 1 }).sum::<usize>();
    while needed(&rows) > height {
        // Of equals the later gives way: the first say most.
        let Some(longest) = (0..rows.len()).max_by_key(|at| (rows[*at], *at)).filter(|at| rows[*at] > 0) else {
            break;
        };
        rows[longest] -= 1;
    }
    rows
}

fn lines(facet: &Facet, rows: usize, cells: usize, theme: &Theme) -> Vec<Line<'static>> {
    if rows == 0 {
        return Vec::new();
    }
    let hidden = facet.rows.len() - rows;
    let most = facet.rows.iter().map(|(_, many, _)| *many).max().unwrap_or(1);
    let name = if cells >= 38 { 17 } else { 15 };
    let bar = cells.saturating_sub(name + 10);
    let more = if hidden > 0 { format!(", {hidden} more") } else { String::new() };
    let mut lines = vec![Line::styled(fit(&format!(" {}{more}", facet.title), cells), theme.dim)];
    lines.extend(facet.rows.iter().take(rows).map(|(text, many, style)| {
        Line::from(vec![
            Span::styled(format!("  {}", pad(text, name)), *style),
            Span::styled(pad(&filled(*many, most, bar), bar), theme.key),
            Span::styled(pad_left(&thousands(*many), 7), theme.text),
        ])
    }));
    lines
}

/// A bar of so many of the most, to an eighth of a cell; what is there at all shows.
fn filled(many: u64, most: u64, cells: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (u128::from(many) * 8 * cells as u128).div_ceil(u128::from(most.max(1)));
    let eighths = usize::try_from(eighths).unwrap_or(0).min(8 * cells);
    format!("{}{}", "█".repeat(eighths / 8), PARTS[eighths % 8])
}
