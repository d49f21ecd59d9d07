//! The terminal's bytes turned into keys, pastes, clicks and answers. The only file that knows how terminals say them.
//!
//! Bytes, and not the events of a reader that owns the terminal: what reads them can then be stopped at any byte, so
//! that an editor gets every key that is meant for it, no key is lost while the terminal is asked for its colours, and
//! an answer that comes late is never taken for keys. What the bytes mean is `termina`'s to say; what is here is what a
//! parser cannot know: that nothing more has come.

use std::time::Duration;

use termina::escape::csi::{Csi, Device};
use termina::escape::osc::{ColorOrQuery, DynamicColorNumber, Osc};
use termina::event::{KeyCode, KeyEvent, KeyEventKind, Modifiers, MouseButton, MouseEvent, MouseEventKind};
use termina::{Event, Parser};

use crate::app::{Code, Key};

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

/// Bytes that are not yet a whole key.
#[derive(Debug, Default)]
pub struct Decoder {
    parser: Parser,
    /// What the parser has been given since it last said something.
    pending: Vec<u8>,
}

const ESC: u8 = 0x1b;
const PASTE: &[u8] = b"\x1b[200~";
/// The rest of a key follows its escape at once, even over a slow line.
const AT_ONCE: Duration = Duration::from_millis(25);
/// The rest of a paste, or of an answer, may take longer.
const SOON: Duration = Duration::from_secs(1);
/// No answer is longer than this.
const LONGEST_ANSWER: usize = 4096;

impl Decoder {
    /// Takes bytes in; gives what is whole now.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Heard> {
        let mut heard = Vec::new();
        for byte in bytes {
            heard.extend(self.take(*byte));
        }
        heard
    }

    /// How long the rest of what has begun may take; none where nothing has.
    pub fn patience(&self) -> Option<Duration> {
        let answer = matches!(self.pending.as_slice(), [ESC, b']' | b'P' | b'_' | b'^' | b'X', _, ..]);
        let soon = answer || self.pending.starts_with(PASTE);
        (!self.pending.is_empty()).then_some(if soon { SOON } else { AT_ONCE })
    }

    /// Nothing more has come: an escape alone is the Esc key, and what is cut off is nothing.
    pub fn settle(&mut self) -> Vec<Heard> {
        self.parser.parse(&[], false);
        let heard = self.parser.pop().map_or_else(|| cut_off(&self.pending), heard);
        *self = Self::default();
        heard.into_iter().collect()
    }

    fn take(&mut self, byte: u8) -> Option<Heard> {
        // Esc, and then the beginning of something else: the parser would take the two for one.
        if byte == ESC && self.pending == [ESC] {
            return Some(Heard::Key(Key::new(Code::Esc)));
        }
        self.pending.push(byte);
        if matches!(self.pending.as_slice(), [ESC, b'_' | b'^' | b'X', ..]) {
            // Answers in words that the parser does not know: they end as the others do.
            let ended = byte == 0x07 || self.pending.len() > 3 && self.pending.ends_with(&[ESC, b'\\']);
            if ended || self.pending.len() > LONGEST_ANSWER {
                *self = Self::default();
            }
            return None;
        }
        self.parser.parse(&[byte], true);
        let event = self.parser.pop().or_else(|| retold(&self.pending));
        let pasting = self.pending.starts_with(PASTE);
        let endless = !pasting && self.pending.len() > LONGEST_ANSWER;
        if event.is_some() || endless || is_no_text(&self.pending) {
            self.pending.clear();
        }
        if endless {
            self.parser = Parser::default();
        }
        event.and_then(heard)
    }
}

/// What the parser knows in other words only: a key in the manner of xterm's `modifyOtherKeys`, which a program before
/// may have left switched on, and a background that has a transparency too.
fn retold(bytes: &[u8]) -> Option<Event> {
    const KEY: &str = "\x1b[27;";
    const COLOUR: &str = "\x1b]11;rgba:";
    // It is asked at every byte: what begins otherwise, as a long paste does, is not read through.
    if ![KEY, COLOUR].iter().any(|begins| bytes.starts_with(begins.as_bytes())) {
        return None;
    }
    let said = std::str::from_utf8(bytes).ok()?;
    let other = if let Some(key) = said.strip_prefix(KEY).and_then(|key| key.strip_suffix('~')) {
        let (modifiers, code) = key.split_once(';')?;
        format!("\x1b[{code};{modifiers}u")
    } else {
        let colour = said.strip_prefix(COLOUR)?;
        let colour = colour.strip_suffix('\x07').or_else(|| colour.strip_suffix("\x1b\\"))?;
        let (opaque, _) = colour.rsplit_once('/')?;
        format!("\x1b]11;rgb:{opaque}\x07")
    };
    let mut parser = Parser::default();
    parser.parse(other.as_bytes(), false);
    parser.pop()
}

/// Whether these bytes begin no character, whatever follows.
fn is_no_text(bytes: &[u8]) -> bool {
    bytes.first() != Some(&ESC) && std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_some())
}

/// What stands there is all there is: a letter with Alt, or a paste of which the end was lost.
fn cut_off(bytes: &[u8]) -> Option<Heard> {
    if let Some(text) = bytes.strip_prefix(PASTE) {
        return Some(Heard::Paste(String::from_utf8_lossy(text).into_owned()));
    }
    match bytes {
        [.., ESC, letter] if letter.is_ascii_graphic() => Some(Heard::Key(Key::alt(char::from(*letter)))),
        _ => None,
    }
}

fn heard(event: Event) -> Option<Heard> {
    match event {
        Event::Key(event) => key(event).map(Heard::Key),
        Event::Mouse(event) => mouse(event).map(Heard::Mouse),
        Event::Paste(text) => Some(Heard::Paste(text)),
        Event::Osc(Osc::ChangeDynamicColors(DynamicColorNumber::TextBackgroundColor, colours)) => {
            match colours.first() {
                Some(ColorOrQuery::Color(colour)) => Some(Heard::Background(colour.red, colour.green, colour.blue)),
                Some(ColorOrQuery::Query) | None => None,
            }
        }
        Event::Csi(Csi::Device(Device::DeviceAttributes(_))) => Some(Heard::Attributes),
        Event::Csi(_) | Event::Osc(_) | Event::Dcs(_) => None,
        Event::WindowResized(_) | Event::FocusIn | Event::FocusOut => None,
    }
}

fn key(event: KeyEvent) -> Option<Key> {
    let ctrl = event.modifiers.contains(Modifiers::CONTROL);
    let shift = event.modifiers.contains(Modifiers::SHIFT);
    // With Super, Hyper or Meta a key is not the plain one.
    let alt = Modifiers::ALT | Modifiers::SUPER | Modifiers::HYPER | Modifiers::META;
    let code = match event.code {
        // Some terminals send Ctrl-h for the key Backspace.
        KeyCode::Char('h') if ctrl => return Some(Key::new(Code::Backspace)),
        KeyCode::Char(char) if shift => Code::Char(capital(char)),
        KeyCode::Char(char) => Code::Char(char),
        KeyCode::Enter => Code::Enter,
        KeyCode::Escape => Code::Esc,
        KeyCode::Tab if shift => Code::BackTab,
        KeyCode::Tab => Code::Tab,
        KeyCode::BackTab => Code::BackTab,
        KeyCode::Backspace => Code::Backspace,
        KeyCode::Delete => Code::Delete,
        KeyCode::Up => Code::Up,
        KeyCode::Down => Code::Down,
        KeyCode::Left => Code::Left,
        KeyCode::Right => Code::Right,
        KeyCode::Home => Code::Home,
        KeyCode::End => Code::End,
        KeyCode::PageUp => Code::PageUp,
        KeyCode::PageDown => Code::PageDown,
        KeyCode::Function(number) => Code::F(number),
        KeyCode::Insert
        | KeyCode::KeypadBegin
        | KeyCode::CapsLock
        | KeyCode::ScrollLock
        | KeyCode::NumLock
        | KeyCode::PrintScreen
        | KeyCode::Pause
        | KeyCode::Menu
        | KeyCode::Null
        | KeyCode::Modifier(_)
        | KeyCode::Media(_) => return None,
    };
    let held = match event.kind {
        KeyEventKind::Press => false,
        KeyEventKind::Repeat => true,
        KeyEventKind::Release => return None,
    };
    Some(Key { code, ctrl, alt: event.modifiers.intersects(alt), held })
}

/// The capital, where it is one character.
fn capital(char: char) -> char {
    let mut capital = char.to_uppercase();
    match (capital.next(), capital.next()) {
        (Some(capital), None) => capital,
        _ => char,
    }
}

/// With Shift, Alt or Ctrl it is another gesture, which most terminals keep for themselves.
fn mouse(event: MouseEvent) -> Option<Mouse> {
    let kind = match event.kind {
        MouseEventKind::Down(MouseButton::Left) => MouseKind::Press,
        MouseEventKind::ScrollUp => MouseKind::WheelUp,
        MouseEventKind::ScrollDown => MouseKind::WheelDown,
        MouseEventKind::Down(_)
        | MouseEventKind::Up(_)
        | MouseEventKind::Drag(_)
        | MouseEventKind::Moved
        | MouseEventKind::ScrollLeft
        | MouseEventKind::ScrollRight => return None,
    };
    event.modifiers.is_empty().then_some(Mouse { kind, column: event.column, row: event.row })
}
