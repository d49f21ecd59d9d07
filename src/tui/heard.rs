//! What a terminal may send, before anything is made of it.

use crate::app::Key;

/// What the terminal sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    Key(Key),
    Paste(String),
    Mouse(Mouse),
    /// The colour of its background: red, green and blue.
    Background(u8, u8, u8),
    /// It says what it can do: whatever was asked before this has been answered, or will not be.
    Attributes,
}

/// The mouse, at a cell counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mouse {
    pub kind: MouseKind,
    pub column: u16,
    pub row: u16,
}

/// What was done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouseKind {
    /// The left button went down.
    Press,
    WheelUp,
    WheelDown,
}

/// What the first bytes are.
pub(super) enum Step {
    /// The beginning of something.
    More,
    /// So many bytes, and what they mean, if it is anything to us.
    Take(usize, Option<Heard>),
    /// So many bytes, after which a paste begins.
    Paste(usize),
}

pub(super) const ESC: u8 = 0x1b;
