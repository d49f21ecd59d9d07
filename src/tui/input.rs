//! The terminal's bytes turned into keys, pastes, clicks and answers. The only file that knows how terminals say them.
//!
//! Bytes, and not the events of a library: what reads them can then be stopped at any byte, so that an editor gets
//! every key that is meant for it, no key is lost while the terminal is asked for its colours, and an answer that comes
//! late is never taken for keys.

mod csi;

use std::time::Duration;

use super::heard::{ESC, Step};
pub use super::heard::{Heard, Mouse, MouseKind};
use crate::app::{Code, Key};

/// Bytes that are not yet a whole key.
#[derive(Clone, Debug, Default)]
pub struct Decoder {
    bytes: Vec<u8>,
    /// Within a bracketed paste: it goes on until its end, whatever is in it.
    pasting: bool,
}

const PASTE_ENDS: &[u8] = b"\x1b[201~";
/// The rest of a key follows its escape at once, even over a slow line.
const AT_ONCE: Duration = Duration::from_millis(25);
/// The rest of a paste, or of an answer, may take longer.
const SOON: Duration = Duration::from_secs(1);
/// No answer is longer than this.
const LONGEST_ANSWER: usize = 4096;

impl Decoder {
    /// Takes bytes in; gives what is whole now.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Heard> {
        self.bytes.extend_from_slice(bytes);
        self.take(false)
    }

    /// How long the rest of what has begun may take; none where nothing has.
    pub fn patience(&self) -> Option<Duration> {
        let begun = self.bytes.first()?;
        let answer =
            *begun == ESC && self.bytes.len() > 2 && self.bytes.get(1).is_some_and(|byte| opens_text(*byte));
        Some(if self.pasting || answer { SOON } else { AT_ONCE })
    }

    /// Nothing more has come: an escape alone is the Esc key, and what is cut off is nothing.
    pub fn settle(&mut self) -> Vec<Heard> {
        self.take(true)
    }

    fn take(&mut self, settled: bool) -> Vec<Heard> {
        let mut heard = Vec::new();
        while !self.bytes.is_empty() || self.pasting {
            if self.pasting {
                let Some(paste) = self.paste(settled) else { break };
                heard.push(paste);
                continue;
            }
            match first(&self.bytes) {
                Step::Take(many, what) => {
                    heard.extend(what);
                    self.drop_first(many);
                }
                Step::Paste(many) => {
                    self.drop_first(many);
                    self.pasting = true;
                }
                Step::More if settled => heard.extend(self.cut_off()),
                Step::More => break,
            }
        }
        heard
    }

    /// A paste, once its end is there.
    fn paste(&mut self, settled: bool) -> Option<Heard> {
        let end = self.bytes.windows(PASTE_ENDS.len()).position(|part| part == PASTE_ENDS);
        let (text, gone) = match end {
            Some(end) => (end, end + PASTE_ENDS.len()),
            None if settled => (self.bytes.len(), self.bytes.len()),
            None => return None,
        };
        let text = String::from_utf8_lossy(self.bytes.get(..text).unwrap_or_default()).into_owned();
        self.drop_first(gone);
        self.pasting = false;
        Some(Heard::Paste(text))
    }

    /// What stands there is all there is: the Esc key, or a letter with Alt.
    fn cut_off(&mut self) -> Option<Heard> {
        let bytes = std::mem::take(&mut self.bytes);
        match bytes.as_slice() {
            [ESC] => Some(Heard::Key(Key::new(Code::Esc))),
            [ESC, letter] if letter.is_ascii_graphic() => Some(Heard::Key(Key::alt(char::from(*letter)))),
            _ => None,
        }
    }

    fn drop_first(&mut self, many: usize) {
        self.bytes.drain(..many.min(self.bytes.len()));
    }
}

/// Whether this, after an escape, opens a text that a string terminator ends.
const fn opens_text(byte: u8) -> bool {
    matches!(byte, b']' | b'P' | b'_' | b'^' | b'X')
}

fn first(bytes: &[u8]) -> Step {
    match bytes {
        [] | [ESC] => Step::More,
        [ESC, b'[', ..] => csi::sequence(bytes),
        [ESC, b'O'] => Step::More,
        [ESC, b'O', letter, ..] => Step::Take(3, csi::application(*letter).map(Heard::Key)),
        [ESC, opener, ..] if opens_text(*opener) => text(bytes),
        [ESC, ESC, ..] => Step::Take(1, Some(Heard::Key(Key::new(Code::Esc)))),
        [ESC, rest @ ..] => match plain(rest) {
            Step::Take(many, Some(Heard::Key(key))) => {
                Step::Take(many + 1, Some(Heard::Key(Key { alt: true, ..key })))
            }
            Step::Take(many, _) => Step::Take(many + 1, None),
            Step::More | Step::Paste(_) => Step::More,
        },
        _ => plain(bytes),
    }
}

/// A character, or a control character.
fn plain(bytes: &[u8]) -> Step {
    let Some(byte) = bytes.first() else { return Step::More };
    let key = match *byte {
        b'\r' => Key::new(Code::Enter),
        b'\t' => Key::new(Code::Tab),
        // Some terminals send the one for the key, some the other.
        0x7f | 0x08 => Key::new(Code::Backspace),
        0 => Key::ctrl(' '),
        letter @ 0x01..=0x1a => Key::ctrl(char::from(letter + b'a' - 1)),
        sign @ 0x1c..=0x1f => Key::ctrl(char::from(sign + b'@')),
        _ => return character(bytes),
    };
    Step::Take(1, Some(Heard::Key(key)))
}

fn character(bytes: &[u8]) -> Step {
    let length = match bytes.first() {
        Some(0xc2..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf4) => 4,
        Some(_) | None => 1,
    };
    let Some(whole) = bytes.get(..length) else { return Step::More };
    match std::str::from_utf8(whole).ok().and_then(|text| text.chars().next()) {
        Some(char) if char.is_control() => Step::Take(length, None),
        Some(char) => Step::Take(length, Some(Heard::Key(Key::char(char)))),
        None => Step::Take(1, None),
    }
}

/// An answer in the form of a text: of them only the colour of the background was asked for.
fn text(bytes: &[u8]) -> Step {
    let end = bytes.iter().enumerate().skip(2).find_map(|(at, byte)| match *byte {
        0x07 => Some((at, at + 1)),
        ESC if bytes.get(at + 1) == Some(&b'\\') => Some((at, at + 2)),
        _ => None,
    });
    match end {
        Some((end, whole)) => {
            let said = bytes.get(2..end).unwrap_or_default();
            let colour = said.strip_prefix(b"11;").filter(|_| bytes.get(1) == Some(&b']')).and_then(colour);
            Step::Take(whole, colour.map(|(red, green, blue)| Heard::Background(red, green, blue)))
        }
        None if bytes.len() > LONGEST_ANSWER => Step::Take(bytes.len(), None),
        None => Step::More,
    }
}

/// `rgb:1e1e/1e1e/2e2e`, with one to four digits a part, or `rgba:` with a fourth.
fn colour(said: &[u8]) -> Option<(u8, u8, u8)> {
    let (_, parts) = std::str::from_utf8(said).ok()?.split_once(':')?;
    let mut parts = parts.split('/').map(|digits| {
        let most =
            16_u32.checked_pow(u32::try_from(digits.len()).ok()?)?.checked_sub(1).filter(|most| *most > 0)?;
        let part = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() <= 4)?;
        u8::try_from(part * 255 / most).ok()
    });
    Some((parts.next()??, parts.next()??, parts.next()??))
}
