//! Control sequences: keys with modifiers, the mouse, answers.

use super::super::heard::{ESC, Heard, Mouse, MouseKind, Step};
use crate::app::{Code, Key};

/// Modifiers as the number in a sequence has them, one added.
const SHIFT: u32 = 1;
const ALT: u32 = 2;
const CTRL: u32 = 4;
/// Super, Hyper, Meta: with any of them a key is not the plain one.
const OTHERS: u32 = 8 | 16 | 32;
/// What happened to the key, as the kitty protocol counts it.
const REPEATED: u32 = 2;
const RELEASED: u32 = 3;

/// The sequence at the beginning of these bytes, which begin with ESC and `[`.
pub(super) fn sequence(bytes: &[u8]) -> Step {
    let body = bytes.get(2..).unwrap_or_default();
    let Some(at) = body.iter().position(|byte| !matches!(byte, 0x20..=0x3f)) else {
        return if body.len() > 64 { Step::Take(bytes.len(), None) } else { Step::More };
    };
    let (said, last) = (body.get(..at).unwrap_or_default(), body.get(at).copied().unwrap_or_default());
    let whole = at + 3;
    if last == ESC {
        // It was cut off; what follows is something else.
        return Step::Take(whole - 1, None);
    }
    let Ok(said) = std::str::from_utf8(said) else { return Step::Take(whole, None) };
    match (said, last) {
        ("200", b'~') => Step::Paste(whole),
        _ => Step::Take(whole, meaning(said, last)),
    }
}

fn meaning(said: &str, last: u8) -> Option<Heard> {
    if let Some(mouse) = said.strip_prefix('<') {
        return (last == b'M').then(|| pointed(mouse)).flatten().map(Heard::Mouse);
    }
    if said.starts_with('?') {
        return (last == b'c').then_some(Heard::Attributes);
    }
    let numbers: Vec<Vec<Option<u32>>> =
        said.split(';').map(|part| part.split(':').map(|number| number.parse().ok()).collect()).collect();
    let number = |part: usize, at: usize| numbers.get(part).and_then(|part| part.get(at).copied().flatten());
    let first = number(0, 0).unwrap_or(1);
    let (code, modified) = match last {
        b'~' if first == 27 => (character(number(2, 0)?, None, 0)?, 1),
        b'~' => (numbered(first)?, 1),
        b'u' => (character(first, number(0, 1), number(1, 0).unwrap_or(1).saturating_sub(1))?, 1),
        b'Z' => (Code::BackTab, 1),
        // A report of the cursor ends like F3.
        b'R' if first != 1 => return None,
        letter => (lettered(letter)?, 1),
    };
    let modifiers = number(modified, 0).unwrap_or(1).saturating_sub(1);
    let kind = number(modified, 1).unwrap_or(1);
    if kind == RELEASED {
        return None;
    }
    let shift = modifiers & SHIFT != 0;
    let code = if shift && code == Code::Tab { Code::BackTab } else { code };
    let (ctrl, alt) = (modifiers & CTRL != 0, modifiers & (ALT | OTHERS) != 0);
    Some(Heard::Key(Key { code, ctrl, alt, held: kind == REPEATED }))
}

/// A key by the number that the kitty protocol, or xterm's `modifyOtherKeys`, gives it: its character.
fn character(number: u32, shifted: Option<u32>, modifiers: u32) -> Option<Code> {
    Some(match number {
        13 | 57414 => Code::Enter,
        9 => Code::Tab,
        27 => Code::Esc,
        8 | 127 => Code::Backspace,
        // Lock keys, modifiers alone, media keys.
        57344..=63743 => return None,
        number => {
            let char = char::from_u32(shifted.unwrap_or(number)).filter(|char| !char.is_control())?;
            let mut capital = char.to_uppercase();
            match (modifiers & SHIFT != 0 && shifted.is_none(), capital.next(), capital.next()) {
                (true, Some(capital), None) => Code::Char(capital),
                _ => Code::Char(char),
            }
        }
    })
}

const fn numbered(number: u32) -> Option<Code> {
    Some(match number {
        1 | 7 => Code::Home,
        3 => Code::Delete,
        4 | 8 => Code::End,
        5 => Code::PageUp,
        6 => Code::PageDown,
        11..=15 => Code::F(number as u8 - 10),
        17..=21 => Code::F(number as u8 - 11),
        23..=26 => Code::F(number as u8 - 12),
        28 | 29 => Code::F(number as u8 - 13),
        31..=34 => Code::F(number as u8 - 14),
        _ => return None,
    })
}

const fn lettered(letter: u8) -> Option<Code> {
    Some(match letter {
        b'A' => Code::Up,
        b'B' => Code::Down,
        b'C' => Code::Right,
        b'D' => Code::Left,
        b'H' => Code::Home,
        b'F' => Code::End,
        b'P' => Code::F(1),
        b'Q' => Code::F(2),
        b'R' => Code::F(3),
        b'S' => Code::F(4),
        _ => return None,
    })
}

/// A key as terminals send it in application mode.
pub(super) fn application(letter: u8) -> Option<Key> {
    match letter {
        b'M' => Some(Key::new(Code::Enter)),
        letter => lettered(letter).map(Key::new),
    }
}

/// `0;12;7`: the button, with modifiers and the wheel in its bits, the column and the row from 1.
fn pointed(said: &str) -> Option<Mouse> {
    let mut numbers = said.split(';').map(|number| number.parse::<u16>().ok());
    let (button, column, row) = (numbers.next()??, numbers.next()??, numbers.next()??);
    // With Shift, Alt or Ctrl it is another gesture, which most terminals keep for themselves.
    let kind = match button {
        0 => MouseKind::Press,
        64 => MouseKind::WheelUp,
        65 => MouseKind::WheelDown,
        _ => return None,
    };
    Some(Mouse { kind, column: column.checked_sub(1)?, row: row.checked_sub(1)? })
}
