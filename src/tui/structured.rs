//! A value that is an object or a list, on lines of its own: both sides line by line, what differs marked.

use ratatui::text::{Line, Span};
use serde_json::Value;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::style::Theme;
use super::text::{line, pad, width};
use crate::app::evidence::Piece;
use crate::app::geometry::Geometry;
use crate::core::examine::Side;
use crate::core::pair::Pair;
use crate::core::text::reveal_lines;

/// More lines than this of one value are not compared line by line.
const LONGEST: usize = 2_000;

/// Both values, where either has parts; none where both are plain.
pub(super) fn value(pair: &Pair, geometry: Geometry, theme: &Theme) -> Option<Vec<Line<'static>>> {
    let values = Side::BOTH.map(|side| &pair.record(side).record.value);
    if !values.iter().any(|value| value.is_object() || value.is_array()) {
        return None;
    }
    let [left, right] = values.map(lines);
    if left.len().max(right.len()) > LONGEST {
        return None;
    }
    let side = usize::from(geometry.side);
    let cell = |text: Option<&String>, marked: bool| {
        let pieces: Vec<Piece> = text.map(|text| Piece { text: text.clone(), marked }).into_iter().collect();
        let style = if marked { theme.strong } else { theme.dim };
        let mut spans = line(&pieces, 0, side, style, theme.mark);
        spans.push(Span::raw(" ".repeat(side.saturating_sub(width(&spans)))));
        spans
    };
    let rows = aligned(&left, &right).into_iter().enumerate().map(|(at, (a, b, same))| {
        let name = if at == 0 { "value" } else { "" };
        let sign = if same { " " } else { "≠" };
        let name = Span::styled(format!(" {}", pad(name, usize::from(geometry.names))), theme.dim);
        let sign = Span::styled(format!(" {sign} "), theme.strong);
        Line::from([vec![name], cell(a, !same), vec![sign], cell(b, !same)].concat())
    });
    Some(rows.collect())
}

fn lines(value: &Value) -> Vec<String> {
    let text = if value.is_object() || value.is_array() {
        serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string())
    } else {
        crate::core::value::plain(value)
    };
    reveal_lines(&text).split('\n').map(str::to_owned).collect()
}

/// Lines beside each other: the equal ones on one height, the others against each other.
fn aligned<'a>(left: &'a [String], right: &'a [String]) -> Vec<(Option<&'a String>, Option<&'a String>, bool)> {
    let mut rows = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, left, right) {
        let same = matches!(op, DiffOp::Equal { .. });
        let (old, new) = (op.old_range(), op.new_range());
        for at in 0..old.len().max(new.len()) {
            let of = |lines: &'a [String], range: &std::ops::Range<usize>| lines.get(range.clone())?.get(at);
            rows.push((of(left, &old), of(right, &new), same));
        }
    }
    rows
}
