//! The mouse: it selects, scrolls and presses the keys that stand on the screen. One click never writes: what a key
//! writes at once, a click only names.

use super::dialog::Dialog;
use super::form::Stage;
use super::key::{Code, Key};
use super::keymap::{Command, Common, Looking, Moving, Screen};
use super::model::Model;
use super::msg::{Effect, Pointed};
use super::{commands, dialogs};
use crate::core::permit::Permission;
use crate::core::time::Instant;

/// Rows that one notch of the wheel moves.
const NOTCH: usize = 3;

/// The mouse was pressed or turned where this stands.
pub(super) fn pointed(model: &mut Model, at: Pointed, now: Instant) -> Vec<Effect> {
    match at {
        Pointed::Key(key) if model.dialogs.is_empty() => on_screen(model, key, now),
        Pointed::Key(key) => in_dialog(model, key, now),
        Pointed::Row { below } => step(model, below, now),
        Pointed::Wheel { down, list } => {
            let beside = !list && model.dialogs.is_empty() && model.screen == Screen::Triage;
            let command = Command::Look(if down { Looking::EvidenceDown } else { Looking::EvidenceUp });
            let turn = |model: &mut Model| {
                if beside { commands::run(model, command, arrow(down), now) } else { step(model, down, now) }
            };
            (0..NOTCH).flat_map(|_| turn(model)).collect()
        }
    }
}

/// One row on, in the innermost list. In a form the wheel and a click go from field to field.
fn step(model: &mut Model, down: bool, now: Instant) -> Vec<Effect> {
    if model.dialogs.is_empty() {
        let command = if down { Command::Move(Moving::Down) } else { Command::Move(Moving::Up) };
        return commands::run(model, command, arrow(down), now);
    }
    match model.dialogs.last() {
        Some(Dialog::Form(form)) if form.stage != Stage::Filling => Vec::new(),
        Some(
            Dialog::Form(_)
            | Dialog::Palette(_)
            | Dialog::Help { .. }
            | Dialog::Again(_)
            | Dialog::Stale(_)
            | Dialog::Slotting(_),
        ) => dialogs::key(model, arrow(down), now),
        Some(
            Dialog::Menu(_) | Dialog::Refused(_) | Dialog::Notice { .. } | Dialog::Bulk(_) | Dialog::Find { .. },
        )
        | None => Vec::new(),
    }
}

const fn arrow(down: bool) -> Key {
    Key::new(if down { Code::Down } else { Code::Up })
}

/// A key of the screen.
fn on_screen(model: &mut Model, key: Key, now: Instant) -> Vec<Effect> {
    match model.setup.keymap.command(model.place(), key) {
        Some(command) if writes(model, command) => only_named(model, key),
        Some(command) => commands::run(model, command, key, now),
        None => Vec::new(),
    }
}

/// A key that stands in a dialog: a choice of a menu, or the way out or on. Never what confirms.
fn in_dialog(model: &mut Model, key: Key, now: Instant) -> Vec<Effect> {
    let leaves = key == Key::new(Code::Esc);
    let on = [Code::Enter, Code::Tab].contains(&key.code);
    let passes = match model.dialogs.last() {
        Some(Dialog::Menu(menu)) => {
            let chosen = model.setup.keymap.command(super::keymap::Place::In(*menu), key);
            if chosen.is_some_and(|command| writes(model, command)) {
                return only_named(model, key);
            }
            leaves || chosen.is_some()
        }
        Some(Dialog::Form(form)) => leaves || on && form.stage == Stage::Filling,
        Some(Dialog::Refused(_) | Dialog::Notice { .. } | Dialog::Find { .. } | Dialog::Palette(_)) => leaves || on,
        Some(Dialog::Help { .. } | Dialog::Bulk(_) | Dialog::Again(_) | Dialog::Stale(_) | Dialog::Slotting(_)) => {
            leaves
        }
        None => false,
    };
    if passes { dialogs::key(model, key, now) } else { only_named(model, key) }
}

fn only_named(model: &mut Model, key: Key) -> Vec<Effect> {
    model.hint(format!("a click never writes: {key} does it"))
}

/// Whether the key of a command would write now, without asking anything more.
fn writes(model: &Model, command: Command) -> bool {
    if !command.writes_at_once() {
        return false;
    }
    // With marks a preview comes first, and what the core refuses or wants a reason for opens a dialog.
    let marked =
        !model.triage.queue.marks.is_empty() && !matches!(command, Command::Common(Common::Undo | Common::Redo));
    let permission = command.action().and_then(|action| model.triage.pair()?.permission(action));
    let asks = matches!(permission, Some(Permission::Refused(_) | Permission::NeedsRecencyOverride));
    !(model.screen == Screen::Triage && (marked || asks))
}
