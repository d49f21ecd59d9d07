//! Keys as the program knows them; `tui::input` turns the terminal's into these.

use std::fmt;
use std::str::FromStr;

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use crate::core::text::{hides_something, reveal};

/// One key press: what was pressed, and the modifiers that are not part of the character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    pub code: Code,
    pub ctrl: bool,
    pub alt: bool,
    /// The terminal says that the key is being held: such a press only ever moves.
    pub held: bool,
}

/// What was pressed. Shift is part of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    Char(char),
    Enter,
    Esc,
    Tab,
    BackTab,
    Backspace,
    Delete,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    F(u8),
}

impl Key {
    pub const fn new(code: Code) -> Self {
        Self { code, ctrl: false, alt: false, held: false }
    }

    pub const fn char(char: char) -> Self {
        Self::new(Code::Char(char))
    }

    pub const fn ctrl(char: char) -> Self {
        Self { ctrl: true, ..Self::char(char) }
    }

    pub const fn alt(char: char) -> Self {
        Self { alt: true, ..Self::char(char) }
    }

    /// The key as it stands in the table, whether held or not.
    #[must_use]
    pub const fn pressed(self) -> Self {
        Self { held: false, ..self }
    }
}

/// As the help names it: by the character, never by its place on one country's keyboard.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("Ctrl-")?;
        }
        if self.alt {
            f.write_str("Alt-")?;
        }
        match self.code {
            Code::Char(' ') => f.write_str("Space"),
            Code::Char(char) => f.write_str(&reveal(char.encode_utf8(&mut [0; 4]))),
            Code::Enter => f.write_str("Enter"),
            Code::Esc => f.write_str("Esc"),
            Code::Tab => f.write_str("Tab"),
            Code::BackTab => f.write_str("Shift-Tab"),
            Code::Backspace => f.write_str("Backspace"),
            Code::Delete => f.write_str("Delete"),
            Code::Up => f.write_str("Up"),
            Code::Down => f.write_str("Down"),
            Code::Left => f.write_str("Left"),
            Code::Right => f.write_str("Right"),
            Code::Home => f.write_str("Home"),
            Code::End => f.write_str("End"),
            Code::PageUp => f.write_str("PgUp"),
            Code::PageDown => f.write_str("PgDn"),
            Code::F(number) => write!(f, "F{number}"),
        }
    }
}

/// Why a text names no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    #[error("{0:?} names no key")]
    Unknown(String),
    #[error("Shift is part of the character: write {0} for it")]
    Shift(String),
    #[error("{0} is one character to you and several to a terminal: one that is one is needed")]
    Several(String),
}

/// What a key may be called, for those who got one wrong.
pub const KEY_NAMES: &str = "one character (a, G, ?, ф), or Space, Enter, Esc, Tab, Shift-Tab, Backspace, Delete, Up, Down, \
     Left, Right, Home, End, PgUp, PgDn, F1 to F24; with Ctrl- or Alt- before it";

/// Names of keys, and what else people call them. The first of each is the one that is shown.
const NAMES: &[(&str, Code)] = &[
    ("space", Code::Char(' ')),
    ("enter", Code::Enter),
    ("return", Code::Enter),
    ("esc", Code::Esc),
    ("escape", Code::Esc),
    ("tab", Code::Tab),
    ("shift-tab", Code::BackTab),
    ("backtab", Code::BackTab),
    ("backspace", Code::Backspace),
    ("delete", Code::Delete),
    ("del", Code::Delete),
    ("up", Code::Up),
    ("down", Code::Down),
    ("left", Code::Left),
    ("right", Code::Right),
    ("↑", Code::Up),
    ("↓", Code::Down),
    ("←", Code::Left),
    ("→", Code::Right),
    ("home", Code::Home),
    ("end", Code::End),
    ("pgup", Code::PageUp),
    ("pageup", Code::PageUp),
    ("pgdn", Code::PageDown),
    ("pagedown", Code::PageDown),
];

/// Reads what [`Display`](fmt::Display) writes, names in any case. The crate `crokey` is not it: it lowers `G` to `g`,
/// takes a key by its place (`Shift-6`), and knows no character outside ASCII.
impl FromStr for Key {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        // An accent that an editor keeps apart from its letter comes from the keyboard with it.
        let whole: String = text.trim().nfc().collect();
        let (mut rest, mut ctrl, mut alt) = (whole.as_str(), false, false);
        loop {
            if let Some(after) = prefixed(rest, "ctrl") {
                (rest, ctrl) = (after, true);
            } else if let Some(after) = prefixed(rest, "alt") {
                (rest, alt) = (after, true);
            } else {
                break;
            }
        }
        let code = code(rest).ok_or_else(|| match prefixed(rest, "shift") {
            Some(after) if after.chars().count() == 1 => KeyError::Shift(after.to_uppercase()),
            _ if one_letter(rest) => KeyError::Several(rest.to_owned()),
            _ => KeyError::Unknown(text.to_owned()),
        })?;
        // With Ctrl a terminal sends one letter for both cases.
        let lower = |char: char| Code::Char(if ctrl { char.to_ascii_lowercase() } else { char });
        let code = if let Code::Char(char) = code { lower(char) } else { code };
        Ok(Self { code, ctrl, alt, held: false })
    }
}

/// What stands after a modifier and its hyphen (or plus), where something does.
fn prefixed<'a>(text: &'a str, modifier: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(modifier.len())?;
    let rest = rest.strip_prefix(['-', '+'])?;
    (head.eq_ignore_ascii_case(modifier) && !rest.is_empty()).then_some(rest)
}

fn code(name: &str) -> Option<Code> {
    let mut letters = name.chars();
    if let (Some(char), None) = (letters.next(), letters.next()) {
        let arrow = NAMES.iter().find(|(listed, _)| *listed == name).map(|(_, code)| *code);
        // What cannot be shown cannot be looked for on a keyboard.
        let shows = !char.is_whitespace() && !hides_something(name);
        return arrow.or_else(|| shows.then_some(Code::Char(char)));
    }
    let name = name.to_lowercase();
    let function = || name.strip_prefix('f')?.parse().ok().filter(|number| (1..=24).contains(number)).map(Code::F);
    NAMES.iter().find(|(listed, _)| *listed == name).map(|(_, code)| *code).or_else(function)
}

/// A letter with its accents apart: one to the eye, several characters.
fn one_letter(text: &str) -> bool {
    text.graphemes(true).count() == 1
}
