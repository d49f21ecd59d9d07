//! Keys as the program knows them; `tui::input` turns the terminal's into these.

use std::fmt;

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
            Code::Char(char) => f.write_str(&crate::core::text::reveal(char.encode_utf8(&mut [0; 4]))),
            Code::Enter => f.write_str("Enter"),
            Code::Esc => f.write_str("Esc"),
            Code::Tab => f.write_str("Tab"),
            Code::BackTab => f.write_str("Shift-Tab"),
            Code::Backspace => f.write_str("Backspace"),
            Code::Delete => f.write_str("Delete"),
            Code::Up => f.write_str("↑"),
            Code::Down => f.write_str("↓"),
            Code::Left => f.write_str("←"),
            Code::Right => f.write_str("→"),
            Code::Home => f.write_str("Home"),
            Code::End => f.write_str("End"),
            Code::PageUp => f.write_str("PgUp"),
            Code::PageDown => f.write_str("PgDn"),
            Code::F(number) => write!(f, "F{number}"),
        }
    }
}
