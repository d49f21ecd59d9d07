//! Keys in dialogs. No command fires where keys are text.

use tui_input::Input;

use super::dialog::{Dialog, Refused};
use super::form::{Confirming, EDIT, Form, Matter, Purpose, Stage, Step, edit, paste as paste_into};
use super::key::{Code, Key};
use super::keymap::{self, Command, Common, Menu, Moving, Place, Screen};
use super::model::{Model, Tone};
use super::msg::{Effect, Errand};
use super::port::Filter;
use super::preview::{self, Bulk};
use super::trial::Trial;
use super::{
    again, batches, commands, decide, declare, declaring, dispute, facets, forms, log, policy, slotting, stale,
    withdrawal,
};
use crate::core::order::{Lacking, Order, Withdrawn};
use crate::core::text::reveal;
use crate::core::time::Instant;

/// A key while a dialog is open: the dialog is taken out, and put back unless the key closed it.
pub(super) fn key(model: &mut Model, key: Key, now: Instant) -> Vec<Effect> {
    let Some(dialog) = model.dialogs.pop() else { return Vec::new() };
    match dialog {
        Dialog::Menu(menu) => in_menu(model, menu, key, now),
        Dialog::Form(form) => in_form(model, *form, key, now),
        Dialog::Refused(refused) => in_refusal(model, refused, key, now),
        Dialog::Notice { .. } if closes(model, key) || key.code == Code::Enter => Vec::new(),
        Dialog::Notice { title, lines } => back(model, Dialog::Notice { title, lines }),
        Dialog::Help { .. }
            if closes(model, key)
                || model.setup.keymap.command(model.place(), key) == Some(Command::Common(Common::Help)) =>
        {
            Vec::new()
        }
        Dialog::Help { scroll } => back(model, Dialog::Help { scroll: scrolled(model, scroll, key) }),
        Dialog::Palette(palette) => in_palette(model, palette, key, now),
        Dialog::Bulk(bulk) => in_bulk(model, bulk, key, now),
        // What was just seen is what it takes back: the list of it is of no more use.
        Dialog::Again(again)
            if matches!(again.stage, again::Stage::Told(_))
                && !key.held
                && model.setup.keymap.command(model.place(), key) == Some(Command::Common(Common::Undo)) =>
        {
            decide::undo(model, now)
        }
        Dialog::Again(again) => again::keys::key(model, again, key, now),
        Dialog::Stale(lane) => stale::keys::key(model, lane, key),
        Dialog::Slotting(lane) => slotting::keys::key(model, lane, key),
        Dialog::Find { input, before } => in_find(model, input, before, key),
    }
}

/// A paste: taken where keys are text, dropped with a word elsewhere.
pub(super) fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    match model.dialogs.last_mut() {
        Some(Dialog::Form(form)) => {
            form.paste(text);
            return declare::keep_up(model);
        }
        Some(Dialog::Palette(palette)) => paste_into(&mut palette.input, text),
        Some(Dialog::Find { input, .. }) => {
            paste_into(input, text);
            let found = input.value().to_owned();
            return find(model, &found);
        }
        Some(Dialog::Slotting(lane)) => {
            if !lane.paste(text) {
                return model.hint("pasted text goes to text fields only: nothing was done with it");
            }
        }
        // A pasted confirmation is no confirmation.
        Some(Dialog::Bulk(bulk)) => {
            if !bulk.paste(text) {
                return model.hint("a pasted word confirms nothing: type it");
            }
        }
        Some(Dialog::Again(again)) if matches!(again.stage, again::Stage::Asking { .. }) => {
            return model.hint("a pasted word confirms nothing: type it");
        }
        Some(
            Dialog::Menu(_)
            | Dialog::Refused(_)
            | Dialog::Notice { .. }
            | Dialog::Help { .. }
            | Dialog::Again(_)
            | Dialog::Stale(_),
        )
        | None => {
            return model.hint("pasted text goes to text fields only: nothing was done with it");
        }
    }
    Vec::new()
}

/// Esc and Ctrl-c close what is no text field, and so do the keys that go back or quit.
fn closes(model: &Model, key: Key) -> bool {
    let does = model.setup.keymap.command(model.place(), key);
    [Key::new(Code::Esc), Key::ctrl('c')].contains(&key)
        || matches!(does, Some(Command::Common(Common::Back | Common::Quit)))
}

fn back(model: &mut Model, dialog: Dialog) -> Vec<Effect> {
    model.dialogs.push(dialog);
    Vec::new()
}

fn scrolled(model: &Model, scroll: usize, key: Key) -> usize {
    let arrows = [(Code::Down, Moving::Down), (Code::Up, Moving::Up)];
    let arrow = arrows.into_iter().find(|(code, _)| *code == key.code).map(|(_, to)| Command::Move(to));
    let by = match arrow.or_else(|| model.setup.keymap.command(Place::Anywhere, key)) {
        Some(Command::Move(to)) => to.in_dialog(0),
        Some(_) | None => 0,
    };
    scroll.saturating_add_signed(by).min(keymap::BINDINGS.len())
}

fn in_menu(model: &mut Model, menu: Menu, key: Key, now: Instant) -> Vec<Effect> {
    // The look-again menu has a `q` of its own, so Esc and Ctrl-c are what closes a menu.
    if key == Key::new(Code::Esc) || key == Key::ctrl('c') {
        return Vec::new();
    }
    let found = model.setup.keymap.command(Place::In(menu), key);
    back(model, Dialog::Menu(menu));
    // The key that opened the menu, still held, chooses nothing in it.
    if let Some((opener, at)) = model.opener.filter(|(opener, _)| *opener == key.pressed()) {
        model.opener = Some((opener, now));
        if now.since(at) < super::triage::REST {
            return model.hint(format!("{key} once more: what is held chooses nothing"));
        }
    }
    match found {
        Some(command) if !key.held => commands::run(model, command, key, now),
        Some(_) => Vec::new(),
        None => model.hint(format!("{key} is no choice here; Esc goes back")),
    }
}

fn in_form(model: &mut Model, mut form: Form, key: Key, now: Instant) -> Vec<Effect> {
    if key.held && form.stage != Stage::Filling {
        return back(model, Dialog::Form(Box::new(form)));
    }
    if key == EDIT
        && let Some(text) = form.editable()
    {
        let text = text.to_owned();
        let _none = back(model, Dialog::Form(Box::new(form)));
        return vec![Effect::Edit { text, errand: Errand::Field }];
    }
    let computing = form.computing();
    let step = form.key(key);
    // Back at the fields, or gone: nobody waits for what it would do.
    let unwanted = computing.filter(|_| form.computing().is_none() || step == Step::Close);
    let mut effects: Vec<Effect> = unwanted.map(|number| Effect::Cancel { number }).into_iter().collect();
    if let Some(number) = unwanted {
        model.end_work(number);
    }
    effects.extend(after(model, form, step, now));
    effects
}

/// What follows from a key in a form.
fn after(model: &mut Model, mut form: Form, step: Step, now: Instant) -> Vec<Effect> {
    match step {
        Step::Stay => {
            model.dialogs.push(Dialog::Form(Box::new(form)));
            declare::keep_up(model)
        }
        Step::Close if matches!(form.purpose, Purpose::Log(_)) => log::keys::closed(model, &form),
        Step::Complete if matches!(form.purpose, Purpose::Log(_)) => log::keys::complete(model, form, now),
        Step::Close if form.purpose == Purpose::Facets => Vec::new(),
        Step::Close if form.marked().is_some() => model.hint("nothing was written; the marks stay"),
        Step::Close => {
            decide::keep_draft(model, &form);
            let of = form.matter.name();
            model.say(Tone::Hint, format!("nothing was written; what you typed is kept for this {of}"));
            declare::cancel(&form).into_iter().collect()
        }
        Step::Complete if form.purpose == Purpose::Facets => {
            if facets::names_stale(&form) {
                return stale::keys::open(model);
            }
            match facets::filter(&form, &model.triage.queue.filter) {
                Ok(filter) => model.triage.queue.filtered(filter),
                Err((field, why)) => {
                    form.object(field, why);
                    back(model, Dialog::Form(Box::new(form)))
                }
            }
        }
        Step::Complete if form.marked().is_some() => complete_for_all(model, form, now),
        Step::Complete => complete(model, form, now),
        Step::Write => match form.stage.clone() {
            Stage::Saying(saying) => log::keys::write(model, &form, *saying),
            Stage::Filling | Stage::Confirming(_) => confirm(model, form, now),
        },
    }
}

/// The editor was left. What it did not give back is as it was before.
pub(super) fn edited(model: &mut Model, errand: Errand, answer: Result<String, String>) -> Vec<Effect> {
    match (errand, answer) {
        (Errand::Read, Ok(_)) => {}
        (Errand::Field, Ok(text)) => {
            if let Some(Dialog::Form(form)) = model.dialogs.last_mut() {
                form.edited(&text);
            }
        }
        (Errand::Read | Errand::Field, Err(why)) => model.say(Tone::Trouble, why),
    }
    Vec::new()
}

/// Every field is filled: the order is shown, with what the store says it would do.
fn complete(model: &mut Model, mut form: Form, now: Instant) -> Vec<Effect> {
    let made = match &form.matter {
        Matter::Nothing => return Vec::new(),
        Matter::Pair(pair) => forms::order(&form, pair, model.triage.side(), now),
        Matter::Batch(batch) => Ok(withdrawal::order(&form, batch)),
        Matter::Attribute(standing) => {
            declaring::declaration(&form, standing).map(|declaration| Order::Declare { declaration })
        }
        Matter::Dispute(disputed) => dispute::order(&form, disputed),
        // The forms of the log are completed by it, those for many by themselves.
        Matter::Records(..) | Matter::Ruling(_) | Matter::Marked(_) => return Vec::new(),
    };
    let order = match made {
        Ok(order) => order,
        Err((field, why)) => {
            form.object(field, why);
            return back(model, Dialog::Form(Box::new(form)));
        }
    };
    if form.purpose == Purpose::Declare {
        // What it would do is computed while it is filled in.
        form.stage = Stage::Confirming(Box::new(Confirming { order, number: 0, preview: None, typed: None }));
        return back(model, Dialog::Form(Box::new(form)));
    }
    let typed = reaches_far(&order).map(|name| (reveal(name).into_owned(), String::new()));
    let number = model.begin_work("computing what it would do");
    form.stage = Stage::Confirming(Box::new(Confirming { order: order.clone(), number, preview: None, typed }));
    model.dialogs.push(Dialog::Form(Box::new(form)));
    vec![Effect::Preview { number, order }]
}

/// What reaches beyond a slot is written by the name of what it is about alone.
fn reaches_far(order: &Order) -> Option<&str> {
    if let Order::RederiveAll { of: Lacking::Kind(kind), .. } = order {
        return Some(kind.as_str());
    }
    let (Order::Withdraw { what: Withdrawn::Batch(batch), .. }
    | Order::RederiveAll { of: Lacking::Batch(batch), .. }) = order
    else {
        return None;
    };
    Some(batch.as_str())
}

/// The words for all marked pairs are there: the core is asked about each. The form stays under the preview.
fn complete_for_all(model: &mut Model, mut form: Form, now: Instant) -> Vec<Effect> {
    let choice = forms::choice(&form, now);
    if let Err((field, why)) = &choice {
        form.object(field, why.clone());
    }
    model.dialogs.push(Dialog::Form(Box::new(form)));
    choice.map(|choice| decide::preview_all(model, choice)).unwrap_or_default()
}

const COMPUTING: &str = "what it would do is still being computed";

/// Whether what an order would do must be known before it may be confirmed. A declaration has its own what-if.
fn wants_preview(order: &Order) -> bool {
    matches!(
        order,
        Order::Withdraw { .. }
            | Order::LinkBothTrue { .. }
            | Order::Dispute { .. }
            | Order::Reobserve { .. }
            | Order::Rederive { .. }
            | Order::RederiveAll { .. }
    )
}

fn confirm(model: &mut Model, form: Form, now: Instant) -> Vec<Effect> {
    let Stage::Confirming(confirming) = &form.stage else { return back(model, Dialog::Form(Box::new(form))) };
    if let Order::Declare { declaration } = &confirming.order
        && form.trial.as_ref().is_none_or(|trial| trial.outcome_of(declaration).is_none())
    {
        let failed = matches!(form.trial, Some(Trial::Failed { .. }));
        let why = if failed { "what it would do is not known: Esc, and try again" } else { COMPUTING };
        model.say(Tone::Hint, why);
        return back(model, Dialog::Form(Box::new(form)));
    }
    if wants_preview(&confirming.order) && confirming.preview.is_none() {
        model.say(Tone::Hint, COMPUTING);
        return back(model, Dialog::Form(Box::new(form)));
    }
    if model.pending.is_some() {
        model.say(Tone::Hint, "the last ruling is still being written");
        return back(model, Dialog::Form(Box::new(form)));
    }
    let order = confirming.order.clone();
    decide::write(model, form, order, now)
}

fn in_refusal(model: &mut Model, refused: Refused, key: Key, now: Instant) -> Vec<Effect> {
    if closes(model, key) {
        return Vec::new();
    }
    // Enter, or the first key of the way to it, takes the nearest step; none of these steps writes.
    let first = first_key(model, refused.nearest);
    if key.held || !(key.code == Code::Enter || Some(key) == first) {
        return back(model, Dialog::Refused(refused));
    }
    model.dialogs.clear();
    commands::run(model, refused.nearest, key, now)
}

fn first_key(model: &Model, command: Command) -> Option<Key> {
    match keymap::binding(command)?.place {
        Place::In(menu) => first_key(model, Command::Common(Common::OpenMenu(menu))),
        Place::Anywhere | Place::On(_) => model.setup.keymap.keys(command).first().copied(),
    }
}

fn in_palette(model: &mut Model, mut palette: super::palette::Palette, key: Key, now: Instant) -> Vec<Effect> {
    match key.code {
        Code::Esc => return Vec::new(),
        Code::Char('c') if key.ctrl => return Vec::new(),
        Code::Down | Code::Tab => palette.step(1),
        Code::Up | Code::BackTab => palette.step(-1),
        Code::Enter => return chosen(model, palette, key, now),
        Code::Char(_)
        | Code::Backspace
        | Code::Delete
        | Code::Left
        | Code::Right
        | Code::Home
        | Code::End
        | Code::PageUp
        | Code::PageDown
        | Code::F(_) => {
            edit(&mut palette.input, key);
            palette.chosen = 0;
        }
    }
    back(model, Dialog::Palette(palette))
}

/// Enter in the palette. It never writes: a command that would write at once is only named, with its key.
fn chosen(model: &mut Model, palette: super::palette::Palette, key: Key, now: Instant) -> Vec<Effect> {
    match palette.command() {
        None => back(model, Dialog::Palette(palette)),
        Some(command) if command.writes_at_once() => {
            let _none = back(model, Dialog::Palette(palette));
            model.hint(format!("Enter never writes: Esc, then {} does it", model.setup.keymap.chord(command)))
        }
        Some(command) => commands::run(model, command, key, now),
    }
}

fn in_bulk(model: &mut Model, mut bulk: Box<Bulk>, key: Key, now: Instant) -> Vec<Effect> {
    match bulk.key(key) {
        preview::Step::Stay => back(model, Dialog::Bulk(bulk)),
        preview::Step::Close => {
            model.say(Tone::Hint, "nothing was written; the marks stay");
            // What is still being computed for it is not wanted any more.
            let unanswered = model.working.take_if(|working| working.number == bulk.number);
            unanswered.map(|working| Effect::Cancel { number: working.number }).into_iter().collect()
        }
        preview::Step::Write if model.pending.is_some() => {
            model.say(Tone::Hint, "the last ruling is still being written");
            back(model, Dialog::Bulk(bulk))
        }
        preview::Step::Write => {
            // The form with its words lies under it.
            model.dialogs.clear();
            decide::write_all(model, &bulk, now)
        }
    }
}

fn in_find(model: &mut Model, mut input: Input, before: Box<Filter>, key: Key) -> Vec<Effect> {
    if key.code == Code::Esc || key == Key::ctrl('c') {
        return find_again(model, &before);
    }
    if key.code == Code::Enter {
        return Vec::new();
    }
    let was = input.value().to_owned();
    edit(&mut input, key);
    let now = input.value().to_owned();
    let _none = back(model, Dialog::Find { input, before });
    if was == now { Vec::new() } else { find(model, &now) }
}

/// What was shown before it was looked for.
fn find_again(model: &mut Model, before: &Filter) -> Vec<Effect> {
    let text = before.text.as_deref().unwrap_or_default();
    match model.screen {
        Screen::Log => log::keys::give_up_finding(model),
        Screen::Batches => batches::keys::find(model, text),
        Screen::Policy => policy::keys::find(model, text),
        Screen::Triage | Screen::History => model.triage.queue.filtered(before.clone()),
    }
}

fn find(model: &mut Model, text: &str) -> Vec<Effect> {
    if model.screen == Screen::Policy {
        return policy::keys::find(model, text.trim());
    }
    if model.screen == Screen::Batches {
        return batches::keys::find(model, text);
    }
    if model.screen == Screen::Log {
        return log::keys::find(model, text);
    }
    let text = Some(text.trim()).filter(|text| !text.is_empty()).map(str::to_owned);
    let filter = Filter { text, ..model.triage.queue.filter.clone() };
    model.triage.queue.filtered(filter)
}
