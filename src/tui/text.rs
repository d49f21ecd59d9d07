//! Text for cells: fitted, padded, cut. What comes from the store is revealed before it is measured.

use ratatui::style::Style;
use ratatui::text::Span;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::app::evidence::Piece;
use crate::core::plural::things;
use crate::core::text::reveal;

/// A text of the store, fit to be drawn.
pub(super) fn shown(text: &str) -> String {
    reveal(text).into_owned()
}

/// The text cut to a width, with `…` where something is missing.
pub(super) fn fit(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    if width == 0 {
        return String::new();
    }
    let mut kept = take(text, width - 1);
    kept.push('…');
    kept
}

/// The text cut or filled up with spaces to exactly this width.
pub(super) fn pad(text: &str, width: usize) -> String {
    let mut fitted = fit(text, width);
    let lacking = width.saturating_sub(fitted.width());
    fitted.extend(std::iter::repeat_n(' ', lacking));
    fitted
}

/// As [`pad`], with the text at the right.
pub(super) fn pad_left(text: &str, width: usize) -> String {
    let fitted = fit(text, width);
    format!("{}{fitted}", " ".repeat(width.saturating_sub(fitted.width())))
}

/// Pieces on one line, scrolled by `skip` columns and cut to a width; each in the style of what it is.
pub(super) fn line(pieces: &[Piece], skip: usize, width: usize, plain: Style, mark: Style) -> Vec<Span<'static>> {
    let mut spans: Vec<Span<'static>> = Vec::new();
    let (mut to_skip, mut room) = (skip, width);
    for piece in pieces {
        let style = if piece.marked { mark } else { plain };
        let text = skip_columns(&piece.text, &mut to_skip);
        let whole = text.width() <= room;
        let kept = if whole { text.to_owned() } else { fit(text, room) };
        room -= kept.width().min(room);
        spans.push(Span::styled(kept, style));
        if !whole {
            return spans;
        }
    }
    spans
}

/// Pieces broken into lines of a width, wherever it falls: a value may have no spaces to break at.
pub(super) fn fold(pieces: &[Piece], width: usize) -> Vec<Vec<Piece>> {
    let mut lines: Vec<Vec<Piece>> = vec![Vec::new()];
    let mut room = width;
    for piece in pieces {
        for grapheme in piece.text.graphemes(true) {
            if grapheme.width() > room {
                lines.push(Vec::new());
                room = width;
            }
            room = room.saturating_sub(grapheme.width());
            let Some(line) = lines.last_mut() else { continue };
            match line.last_mut().filter(|last| last.marked == piece.marked) {
                Some(last) => last.text.push_str(grapheme),
                None => line.push(Piece { text: grapheme.to_owned(), marked: piece.marked }),
            }
        }
    }
    lines
}

/// How wide spans are together.
pub(super) fn width(spans: &[Span<'_>]) -> usize {
    spans.iter().map(Span::width).sum()
}

/// A number with its thousands apart: `1,204`.
pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// A number of things, with its thousands apart: `1 pair`, `1,204 pairs`.
pub(super) fn counted(many: u64, thing: &str) -> String {
    format!("{} {}", thousands(many), things(many, thing))
}

fn take(text: &str, width: usize) -> String {
    let mut used = 0;
    text.graphemes(true)
        .take_while(|grapheme| {
            used += grapheme.width();
            used <= width
        })
        .collect()
}

fn skip_columns<'a>(text: &'a str, columns: &mut usize) -> &'a str {
    if *columns == 0 {
        return text;
    }
    for (at, grapheme) in text.grapheme_indices(true) {
        if *columns == 0 {
            return text.get(at..).unwrap_or("");
        }
        *columns = columns.saturating_sub(grapheme.width());
    }
    ""
}
