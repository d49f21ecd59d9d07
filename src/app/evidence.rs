//! Evidence, revealed, wrapped to a width, with the value found in it and marked. Wrapped once for each width.

use std::ops::Range;

use unicode_width::UnicodeWidthStr;

use crate::core::text::reveal_lines;

/// A stretch of text of one look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub text: String,
    pub marked: bool,
}

/// A text on lines, ready to be drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wrapped {
    pub lines: Vec<Vec<Piece>>,
    /// How often the value was found.
    pub found: usize,
    /// How many cells the longest line takes.
    pub widest: usize,
}

/// How many cells pieces take on one line.
pub fn cells(pieces: &[Piece]) -> usize {
    pieces.iter().map(|piece| piece.text.width()).sum()
}

/// Wraps a text; without a width its lines are left as they are. The text comes from outside: it is revealed here.
pub fn wrap(text: &str, value: &str, width: Option<u16>) -> Wrapped {
    let shown = reveal_lines(text);
    let found = occurrences(&shown, value);
    let mut lines = Vec::new();
    let mut at = 0;
    for line in broken(&shown, width) {
        // What wrapping left out are spaces and line feeds: each line is the next stretch of the text.
        let start = shown.get(at..).and_then(|rest| rest.find(&line)).map_or(at, |skipped| at + skipped);
        at = start + line.len();
        lines.push(marked(&line, start, &found));
    }
    let widest = lines.iter().map(|line| cells(line)).max().unwrap_or(0);
    Wrapped { lines, found: found.len(), widest }
}

fn broken(shown: &str, width: Option<u16>) -> Vec<String> {
    match width {
        Some(width) => {
            let options = textwrap::Options::new(usize::from(width.max(4)))
                .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit)
                .word_splitter(textwrap::WordSplitter::NoHyphenation);
            textwrap::wrap(shown, options).into_iter().map(std::borrow::Cow::into_owned).collect()
        }
        None => shown.split('\n').map(str::to_owned).collect(),
    }
}

/// Where the value stands in the text, without regard to the case of ASCII letters. One letter is found everywhere and
/// says nothing.
fn occurrences(text: &str, value: &str) -> Vec<Range<usize>> {
    if value.chars().count() < 2 || value.len() > text.len() {
        return Vec::new();
    }
    let (haystack, needle) = (text.to_ascii_lowercase(), value.to_ascii_lowercase());
    haystack.match_indices(&needle).map(|(at, found)| at..at + found.len()).collect()
}

fn marked(line: &str, start: usize, found: &[Range<usize>]) -> Vec<Piece> {
    let end = start + line.len();
    let mut pieces = Vec::new();
    let mut at = start;
    let mut push = |range: Range<usize>, marked: bool| {
        if let Some(text) = line.get(range.start - start..range.end - start).filter(|text| !text.is_empty()) {
            pieces.push(Piece { text: text.to_owned(), marked });
        }
    };
    for range in found.iter().filter(|range| range.end > start && range.start < end) {
        let (from, to) = (range.start.max(at), range.end.min(end));
        push(at..from, false);
        push(from..to, true);
        at = to;
    }
    push(at..end, false);
    pieces
}
