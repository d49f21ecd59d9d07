//! What is wrong in an input, and exactly where.

use std::fmt;

/// A place in a text: lines and columns from 1. A column counts characters, as editors do, not bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub line: u64,
    pub column: u64,
}

/// One thing wrong with an input. Displays as a sentence without its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub at: Position,
    /// The key that it is about: `observed_at`, `source.class`.
    pub key: Option<String>,
    pub message: String,
    pub expected: Option<String>,
}

impl Position {
    pub const START: Self = Self { line: 1, column: 1 };

    /// The place after these bytes, where they begin here. Broken UTF-8 is counted as well as it can be.
    #[must_use]
    pub fn after(self, bytes: &[u8]) -> Self {
        let (newlines, last) = bytes.iter().enumerate().fold((0, None), |(count, last), (at, byte)| {
            if *byte == b'\n' { (count + 1, Some(at)) } else { (count, last) }
        });
        match last {
            None => Self { column: self.column + characters(bytes), ..self },
            Some(at) => {
                Self { line: self.line + newlines, column: 1 + characters(bytes.get(at + 1..).unwrap_or_default()) }
            }
        }
    }
}

/// Every byte that does not continue a character begins one.
fn characters(bytes: &[u8]) -> u64 {
    bytes.iter().map(|byte| u64::from(byte & 0xC0 != 0x80)).sum()
}

impl Fault {
    /// A fault that is about no key.
    pub fn new(at: Position, message: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { at, key: None, message: message.into(), expected: Some(expected.into()) }
    }

    /// The same fault, about this key where it names none itself.
    #[must_use]
    pub fn about(self, key: &str) -> Self {
        Self { key: self.key.or_else(|| Some(key.to_owned())), ..self }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(key) = &self.key {
            write!(f, "{key}: ")?;
        }
        f.write_str(&self.message)?;
        match &self.expected {
            Some(expected) => write!(f, "; expected {expected}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Fault {}
