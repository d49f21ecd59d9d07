//! What each command does on every screen; what concerns one screen is handed on to it.

use super::dialog::Dialog;
use super::key::Key;
use super::keymap::{Command, Common, Menu, Narrowing, Screen};
use super::model::{Model, Tone};
use super::msg::Effect;
use super::palette::Palette;
use super::{batches, decide, history, log, policy, triage};
use crate::core::time::Instant;

/// Does what a command says.
pub(super) fn run(model: &mut Model, command: Command, key: Key, now: Instant) -> Vec<Effect> {
    if let Command::Common(common) = command { alike(model, common, key, now) } else { here(model, command, now) }
}

/// What is done alike on every screen.
fn alike(model: &mut Model, command: Common, key: Key, now: Instant) -> Vec<Effect> {
    match command {
        Common::Undo => decide::undo(model, now),
        Common::Redo => decide::redo(model, now),
        Common::OpenMenu(menu) => open_menu(model, menu, key, now),
        Common::Go(screen) => model.switch(screen),
        Common::Quit => quit(model),
        Common::Back => back(model),
        Common::Suspend => vec![Effect::Suspend],
        Common::Redraw => vec![Effect::Redraw],
        Common::Mouse => mouse(model),
        Common::Reload => {
            model.say(Tone::Hint, "read again");
            model.refresh()
        }
        Common::Palette => model.open(Dialog::Palette(Palette::default())),
        Common::Help => model.open(Dialog::Help { scroll: 0 }),
    }
}

/// What concerns the screen that is open. A command that means nothing there says so.
fn here(model: &mut Model, command: Command, now: Instant) -> Vec<Effect> {
    let done = match model.screen {
        Screen::Triage => triage::keys::run(model, command, now),
        Screen::History => history::keys::run(model, command, now),
        Screen::Batches => batches::keys::run(model, command, now),
        Screen::Log => log::keys::run(model, command, now),
        Screen::Policy => policy::keys::run(model, command, now),
    };
    match done {
        Some(effects) => effects,
        None => not_here(model, super::keymap::binding(command).map_or("this", |row| row.name)),
    }
}

fn not_here(model: &mut Model, name: &str) -> Vec<Effect> {
    let help = model.key(Common::Help);
    model.hint(format!("{name}: not on this screen; {help} shows the keys that work here"))
}

fn open_menu(model: &mut Model, menu: Menu, key: Key, now: Instant) -> Vec<Effect> {
    if let Some(row) = super::keymap::binding(Command::Common(Common::OpenMenu(menu)))
        && !row.works_on(model.screen)
    {
        return not_here(model, row.name);
    }
    // One key copies everywhere; what there is to copy depends on the screen.
    let menu = if menu == Menu::Copy && model.screen == Screen::Log { Menu::CopyEvent } else { menu };
    if !matches!(menu, Menu::Copy | Menu::CopyEvent)
        && model.screen == Screen::Triage
        && model.triage.queue.marks.is_empty()
        && let Err(not_yet) = model.triage.ready(now).map(|_| ())
    {
        return model.hint(not_yet.words());
    }
    model.opener = Some((key.pressed(), now));
    model.open(Dialog::Menu(menu))
}

/// The mouse changes hands: what it is good for is said, for it takes something away.
fn mouse(model: &mut Model) -> Vec<Effect> {
    let on = !model.setup.mouse;
    model.setup.mouse = on;
    let text = if on {
        "the mouse selects, scrolls and presses keys; text is selected with Shift held"
    } else {
        "the mouse is the terminal's again"
    };
    model.say(Tone::Hint, text);
    vec![Effect::Mouse(on)]
}

/// One level back; at the outermost it says how to quit. Work that is under way is cancelled first.
fn back(model: &mut Model) -> Vec<Effect> {
    if let Some(working) = model.working.take() {
        model.looking.take_if(|looking| looking.number == working.number);
        model.working.clone_from(&model.looking);
        model.say(Tone::Hint, format!("cancelled: {}", working.what));
        return vec![Effect::Cancel { number: working.number }];
    }
    let within = match model.screen {
        Screen::Triage => triage::keys::back(model),
        Screen::History => history::keys::back(model),
        Screen::Batches => batches::keys::back(model),
        Screen::Log => log::keys::back(model),
        Screen::Policy => policy::keys::back(model),
    };
    if let Some(effects) = within {
        return effects;
    }
    match model.trail.pop() {
        Some(screen) => {
            (model.screen, model.said) = (screen, None);
            model.refresh()
        }
        None => {
            let (quit, clear) = (model.key(Common::Quit), model.key(Command::Narrow(Narrowing::Clear)));
            model.hint(format!("{quit} quits; {clear} clears the filter"))
        }
    }
}

/// One level back, and out at the outermost: every ruling is already written.
fn quit(model: &mut Model) -> Vec<Effect> {
    let outermost = model.screen == Screen::Triage && !model.triage.full && model.trail.is_empty();
    if outermost { vec![Effect::Quit] } else { back(model) }
}
