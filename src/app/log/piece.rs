//! Lines of text in pieces, each of which says what it is: the view has a style for each. A text of the store is revealed
//! here, before it is measured.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::core::text::reveal;

/// What a piece of text is: the view has a style for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Text,
    /// What a line is about, before it.
    Name,
    Dim,
    Strong,
    Good,
    Bad,
    Alarm,
    /// A key to press.
    Key,
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub role: Role,
    pub text: String,
}

/// A line of the selected event.
pub type Line = Vec<Span>;

/// Cells before what a line says.
pub(super) const NAMES: usize = 11;
/// A piece, fit to be drawn.
pub(super) fn piece(role: Role, text: impl AsRef<str>) -> Span {
    Span { role, text: reveal(text.as_ref()).into_owned() }
}

pub(super) fn named(name: &str) -> Span {
    Span { role: Role::Name, text: format!(" {}", pad(&reveal(name), NAMES)) }
}

/// Broken at words, and within one where it is longer than the line. The text is revealed already.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let options = textwrap::Options::new(width.max(4))
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(text, options).into_iter().map(std::borrow::Cow::into_owned).collect()
}

/// Cut to a width, with `…` where something is missing.
pub(super) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut used = 0;
    let kept = text.graphemes(true).take_while(|grapheme| {
        used += grapheme.width();
        used < width
    });
    format!("{}…", kept.collect::<String>())
}

/// Cut or filled up to exactly this width; where it is cut, a cell of air stays.
pub(super) fn pad(text: &str, width: usize) -> String {
    let kept = if text.width() > width { cut(text, width.saturating_sub(1)) } else { text.to_owned() };
    let lacking = width.saturating_sub(kept.width());
    format!("{kept}{}", " ".repeat(lacking))
}
