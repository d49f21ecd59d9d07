//! The terminal's events turned into ours. The only file that knows its keys.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::app::{Code, Key, Msg};
use crate::core::time::Instant;

/// What an event means, if it means anything: a release is no press, and the mouse is left to the terminal.
pub fn message(event: Event, now: Instant) -> Option<Msg> {
    match event {
        Event::Key(event) => key(event).map(|key| Msg::Key(key, now)),
        Event::Paste(text) => Some(Msg::Paste(text)),
        Event::Resize(width, height) => Some(Msg::Resized { width, height }),
        Event::FocusGained | Event::FocusLost | Event::Mouse(_) => None,
    }
}

fn key(event: KeyEvent) -> Option<Key> {
    let held = match event.kind {
        KeyEventKind::Press => false,
        KeyEventKind::Repeat => true,
        KeyEventKind::Release => return None,
    };
    let code = match event.code {
        KeyCode::Char(char) => Code::Char(char),
        KeyCode::Enter => Code::Enter,
        KeyCode::Esc => Code::Esc,
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
        KeyCode::F(number) => Code::F(number),
        KeyCode::Insert
        | KeyCode::Null
        | KeyCode::CapsLock
        | KeyCode::ScrollLock
        | KeyCode::NumLock
        | KeyCode::PrintScreen
        | KeyCode::Pause
        | KeyCode::Menu
        | KeyCode::KeypadBegin
        | KeyCode::Media(_)
        | KeyCode::Modifier(_) => return None,
    };
    // Shift is part of the character; with any other modifier a key is not the plain one, and never decides.
    let alt = event.modifiers.intersects(
        KeyModifiers::ALT.union(KeyModifiers::SUPER).union(KeyModifiers::HYPER).union(KeyModifiers::META),
    );
    Some(Key { code, ctrl: event.modifiers.contains(KeyModifiers::CONTROL), alt, held })
}
