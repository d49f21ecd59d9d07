//! Hostile text made visible: what may reach a terminal.
//!
//! Values, names and evidence come from outside. A control character, a bidirectional override or a zero-width
//! character is *revealed* as `<U+202E>`, never dropped: a dropped character would make two different values look
//! equal (ratatui drops some of them and passes others raw). Every line made for people passes through here.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc, is_nfc_quick};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
use unicode_security::confusable_detection::skeleton;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::value::plain;

/// How a revealed character begins. A text that holds these very letters has them revealed too, or it would look like
/// the text that holds the character.
const REVEALED: &str = "<U+";

/// The text on one line, with everything that a terminal would act on, reorder or hide made visible.
pub fn reveal(text: &str) -> Cow<'_, str> {
    if !hides_something(text) {
        return Cow::Borrowed(text);
    }
    // A text that is not in normal form C looks like its twin that is: what makes the difference is shown too.
    let loose = !is_nfc(text);
    let mut shown = String::with_capacity(text.len() + 16);
    for (at, cluster) in text.grapheme_indices(true) {
        let draws = cluster.width() > 0;
        let mimics = text[at..].starts_with(REVEALED);
        for character in cluster.chars() {
            if draws && !mimics && is_plain(character) && !(loose && is_loose(character)) {
                shown.push(character);
            } else {
                let _ok = write!(shown, "{REVEALED}{:04X}>", u32::from(character));
            }
        }
    }
    Cow::Owned(shown)
}

/// As [`reveal`], but line feeds stay: for text that is shown on several lines.
pub fn reveal_lines(text: &str) -> String {
    let lines: Vec<Cow<'_, str>> = text.split('\n').map(reveal).collect();
    lines.join("\n")
}

/// Whether the text holds something that [`reveal`] shows in another way: a reason to mark it for the reader.
pub fn hides_something(text: &str) -> bool {
    let printable_ascii = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    text.contains(REVEALED)
        || (!printable_ascii && (!text.chars().all(is_plain) || !is_nfc(text) || !each_cluster_draws(text)))
}

/// Whether two different texts look the same to a reader, or nearly: a Cyrillic letter for a Latin one, `1` for `l`,
/// and whatever draws nothing. By the skeletons of Unicode's security mechanisms (UTS 39); a reason to mark both.
pub fn look_alike(one: &str, other: &str) -> bool {
    one != other && skeleton(one).eq(skeleton(other))
}

/// In what two texts that look the same differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alike {
    /// In how many spaces there are, or where.
    Spaces,
    /// In characters that draw nothing.
    Hidden,
    /// In whether letters and their marks are written together.
    Form,
    /// In letters that have a twin in another script, or nearly.
    Letters,
}

/// In what two texts differ that look the same, or nearly; none where they are equal, or look different.
pub fn alike(one: &str, other: &str) -> Option<Alike> {
    let same = |of: fn(&str) -> String| of(one) == of(other);
    match () {
        () if one == other => None,
        () if same(|text| text.split_whitespace().collect::<Vec<_>>().join(" ")) => Some(Alike::Spaces),
        () if same(|text| text.nfc().collect()) => Some(Alike::Form),
        () if same(|text| text.chars().filter(|char| is_plain(*char)).collect()) => Some(Alike::Hidden),
        () if look_alike(one, other) => Some(Alike::Letters),
        () => None,
    }
}

/// Whether letters that are read from left to right stand beside ones that are read from right to left: a terminal may
/// show them in another order than they are in.
pub fn mixes_directions(text: &str) -> bool {
    let leftwards = |char: char| {
        matches!(char, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}'
            | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
    };
    let letters = || text.chars().filter(|char| char.is_alphabetic());
    letters().any(leftwards) && letters().any(|char| !leftwards(char))
}

/// A value as people read it: a text without quotes, anything else as JSON.
pub fn shown_value(value: &serde_json::Value) -> String {
    reveal(&plain(value)).into_owned()
}

fn is_plain(character: char) -> bool {
    if (' '..='~').contains(&character) {
        return true;
    }
    if is_invisible(character) {
        return false;
    }
    match character.general_category() {
        GeneralCategory::Control
        | GeneralCategory::Format
        | GeneralCategory::LineSeparator
        | GeneralCategory::ParagraphSeparator
        | GeneralCategory::PrivateUse
        | GeneralCategory::Surrogate
        | GeneralCategory::Unassigned
        // A space that is not U+0020 looks like one (no-break, thin, ideographic).
        | GeneralCategory::SpaceSeparator => false,
        GeneralCategory::UppercaseLetter
        | GeneralCategory::LowercaseLetter
        | GeneralCategory::TitlecaseLetter
        | GeneralCategory::ModifierLetter
        | GeneralCategory::OtherLetter
        | GeneralCategory::NonspacingMark
        | GeneralCategory::SpacingMark
        | GeneralCategory::EnclosingMark
        | GeneralCategory::DecimalNumber
        | GeneralCategory::LetterNumber
        | GeneralCategory::OtherNumber
        | GeneralCategory::ConnectorPunctuation
        | GeneralCategory::DashPunctuation
        | GeneralCategory::OpenPunctuation
        | GeneralCategory::ClosePunctuation
        | GeneralCategory::InitialPunctuation
        | GeneralCategory::FinalPunctuation
        | GeneralCategory::OtherPunctuation
        | GeneralCategory::MathSymbol
        | GeneralCategory::CurrencySymbol
        | GeneralCategory::ModifierSymbol
        | GeneralCategory::OtherSymbol => true,
    }
}

/// Whether no mark or half letter stands where it has nothing to lean on: a screen of cells would drop it.
fn each_cluster_draws(text: &str) -> bool {
    text.chars().all(|it| it.width() != Some(0)) || text.graphemes(true).all(|cluster| cluster.width() > 0)
}

/// What normal form C would join with its neighbour (marks, Hangul letters) or replace by its twin (the Kelvin sign).
fn is_loose(character: char) -> bool {
    let joins = is_combining_mark(character) || matches!(character, '\u{1100}'..='\u{11FF}');
    joins || is_nfc_quick(std::iter::once(character)) == IsNormalized::No
}

/// Letters, marks and symbols that draw nothing: fillers, variation selectors, blanks (their categories do not say so).
fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{034F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}' | '\u{2800}'
        | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FFA0}' | '\u{16FE4}' | '\u{1D159}' | '\u{E0100}'..='\u{E01EF}')
}
