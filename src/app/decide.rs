//! Decisions: from a command to an order, a form, a preview, or the reason why not.
//!
//! The core is asked here for what the screen shows, and asked again, on fresh rows, by the store.

use chrono::Duration;

use super::bulk::Choice;
use super::bulk::Ordered;
use super::dialog::{Bulk, Dialog, Refused, purpose};
use super::form::{Form, Purpose};
use super::forms;
use super::keymap::{self, Command, Menu};
use super::model::{Model, Pending, What};
use super::msg::Effect;
use crate::core::examine::{Condition, Side};
use crate::core::order::Order;
use crate::core::pair::Pair;
use crate::core::permit::{Because, Permission};
use crate::core::time::Instant;

/// A decision key: on the pair on the screen, or with marks on all of them.
pub(super) fn decide(model: &mut Model, command: Command, now: Instant) -> Vec<Effect> {
    if let Some(why) = cannot_write(model) {
        return model.hint(why);
    }
    if !model.triage.queue.marks.is_empty() {
        return for_all(model, command, now);
    }
    let side = model.triage.side();
    let pair = match model.triage.ready(now) {
        Ok(pair) => pair.clone(),
        Err(not_yet) => return model.hint(not_yet.words()),
    };
    match command.action().and_then(|action| pair.permission(action).cloned()) {
        Some(Permission::Refused(because)) => refuse(model, command, &because),
        Some(Permission::NeedsRecencyOverride) => {
            let purpose =
                if command == Command::Accept(Side::Left) { Purpose::OverrideLeft } else { Purpose::OverrideRight };
            open_form(model, forms::build(purpose, &pair, side))
        }
        Some(Permission::Permitted) | None => begin(model, command, &pair, side, now),
    }
}

/// Why nothing can be written just now.
const fn cannot_write(model: &Model) -> Option<&'static str> {
    if model.setup.read_only {
        return Some("opened read only: nothing is written");
    }
    if model.pending.is_some() { Some("the last ruling is still being written") } else { None }
}

/// What is permitted begins: an order at once where one key may write, else its form.
fn begin(model: &mut Model, command: Command, pair: &Pair, side: Side, now: Instant) -> Vec<Effect> {
    if let Some(purpose) = purpose(command) {
        return open_form(model, forms::build(purpose, pair, side));
    }
    if command == Command::RunObserver {
        close_menu(model);
        let what = What::Ruling(format!("look again at pair {}", pair.entry.pair));
        model.pending = Some(Pending::new(what, Some(Box::new(pair.entry.clone())), None, 1));
        model.triage.rule(now);
        let number = model.begin_work("the observer runs");
        return vec![Effect::Observe { number, pair: pair.entry.pair }];
    }
    match choice(command, now) {
        Some(choice) => {
            close_menu(model);
            let ordered = Ordered { order: choice.order(pair), revision: Some(pair.revision) };
            let what = format!("{} of pair {}", name(command), pair.entry.pair);
            send(
                model,
                vec![ordered],
                Pending::new(What::Ruling(what), Some(Box::new(pair.entry.clone())), None, 1),
                now,
            )
        }
        None => Vec::new(),
    }
}

/// With marks: the choice for all of them is sorted by the store, and shown before anything is asked.
fn for_all(model: &mut Model, command: Command, now: Instant) -> Vec<Effect> {
    let Some(choice) = choice(command, now) else {
        let back = model.key(Command::Back);
        return model.hint(format!("{} is not for many at once: {back} takes the marks away", name(command)));
    };
    close_menu(model);
    let pairs: Vec<_> = model.triage.queue.marks.iter().copied().collect();
    let marked = pairs.len();
    let number = model.begin_work(format!("asking the core about {marked} pairs"));
    model.dialogs.push(Dialog::Bulk(Bulk { choice, number, marked, sorted: None, typed: String::new() }));
    vec![Effect::Sort { number, pairs, choice }]
}

/// The choices that need no words.
fn choice(command: Command, now: Instant) -> Option<Choice> {
    let deferred = |by| Choice::Defer(now.plus(by));
    let choices = [
        (Command::Accept(Side::Left), Choice::Accept(Side::Left)),
        (Command::Accept(Side::Right), Choice::Accept(Side::Right)),
        (Command::LinkSame, Choice::LinkSame),
        (Command::LinkBothTrue, Choice::LinkBothTrue),
        (Command::LinkAcrossEpochs, Choice::LinkAcrossEpochs),
        (Command::LeaveRequest, Choice::Request),
        (Command::DeferHour, deferred(Duration::hours(1))),
        (Command::DeferDay, deferred(Duration::days(1))),
        (Command::DeferWeek, deferred(Duration::days(7))),
    ];
    choices.into_iter().find(|(listed, _)| *listed == command).map(|(_, choice)| choice)
}

/// Gives orders to the store.
pub(super) fn send(model: &mut Model, orders: Vec<Ordered>, pending: Pending, now: Instant) -> Vec<Effect> {
    model.triage.rule(now);
    model.said = None;
    let number = match orders.len() {
        0 | 1 => 0,
        many => model.begin_work(format!("writing {many} rulings")),
    };
    model.pending = Some(pending);
    vec![Effect::CarryOut { number, orders }]
}

/// Writes what a form was confirmed to write.
pub(super) fn write(model: &mut Model, form: Form, order: Order, now: Instant) -> Vec<Effect> {
    let entry = form.pair.as_ref().map(|pair| Box::new(pair.entry.clone()));
    let revision = form.pair.as_ref().map(|pair| pair.revision).filter(|_| order.pair().is_some());
    // What was typed is a draft until the store has taken it.
    keep_draft(model, &form);
    let what = match &entry {
        Some(entry) => format!("{} (pair {})", form.title, entry.pair),
        None => form.title.clone(),
    };
    send(model, vec![Ordered { order, revision }], Pending::new(What::Ruling(what), entry, Some(form), 1), now)
}

/// Writes the allowed ones of a bulk.
pub(super) fn write_all(model: &mut Model, bulk: Bulk, now: Instant) -> Vec<Effect> {
    let orders = bulk.sorted.map(|sorted| sorted.allowed).unwrap_or_default();
    let what = format!("{} of {} pairs", bulk.choice.title(), orders.len());
    let pending = Pending::new(What::Ruling(what), None, None, orders.len());
    send(model, orders, pending, now)
}

/// Opens a form, with what was last typed in it for this pair.
pub(super) fn open_form(model: &mut Model, mut form: Form) -> Vec<Effect> {
    close_menu(model);
    if let Some(draft) = draft_key(&form).and_then(|key| model.drafts.get(&key)) {
        form.restore(draft);
    }
    model.dialogs.push(Dialog::Form(Box::new(form)));
    Vec::new()
}

/// Keeps what was typed, for when the form is opened again.
pub(super) fn keep_draft(model: &mut Model, form: &Form) {
    if let Some(key) = draft_key(form) {
        model.drafts.insert(key, form.draft());
    }
}

/// Forgets the draft of what has been written.
pub(super) fn drop_draft(model: &mut Model, form: &Form) {
    if let Some(key) = draft_key(form) {
        model.drafts.remove(&key);
    }
}

fn draft_key(form: &Form) -> Option<(Purpose, crate::core::ruling::PairId)> {
    form.pair.as_ref().map(|pair| (form.purpose, pair.entry.pair))
}

/// `u`: undoes the last thing done, and says what.
pub(super) fn undo(model: &mut Model, now: Instant) -> Vec<Effect> {
    let orders = model.session.undo();
    compensate(model, orders, What::Undo, now)
}

/// `U`: undoes the last undo.
pub(super) fn redo(model: &mut Model, now: Instant) -> Vec<Effect> {
    let orders = model.session.redo();
    compensate(model, orders, What::Redo, now)
}

fn compensate(model: &mut Model, orders: Vec<Ordered>, what: What, now: Instant) -> Vec<Effect> {
    if let Some(why) = cannot_write(model) {
        return model.hint(why);
    }
    if model.triage.rests(now) {
        return model.hint("keys that write rest for a moment after a ruling");
    }
    let many = orders.len();
    send(model, orders, Pending::new(what, None, None, many), now)
}

fn refuse(model: &mut Model, command: Command, because: &Because) -> Vec<Effect> {
    let refused = Refused { command, because: because.to_string(), nearest: nearest(because) };
    model.dialogs.push(Dialog::Refused(refused));
    Vec::new()
}

/// The nearest step that the core permits, when it refuses one. Each only opens something: none of them writes.
fn nearest(because: &Because) -> Command {
    match because {
        Because::Unmet(checks) => match checks.first().map(|check| check.condition) {
            Some(Condition::Subject) => Command::OpenMenu(Menu::Identity),
            Some(Condition::Provenance) => Command::Rederive,
            Some(Condition::Cardinality) => Command::Declare,
            Some(Condition::Epoch | Condition::Authority | Condition::Order | Condition::Confidence) | None => {
                Command::OpenMenu(Menu::LookAgain)
            }
        },
        Because::RankUnknownAndNotLater => Command::Declare,
        Because::SubjectUnconfirmed => Command::OpenMenu(Menu::Identity),
        Because::NotAnchored(_) => Command::Rederive,
        Because::OutrankedAndNotLater
        | Because::AlreadyMany
        | Because::TakesBack
        | Because::SameEpoch
        | Because::SubjectConfirmed
        | Because::NothingMissing
        | Because::Settled => Command::OpenMenu(Menu::LookAgain),
    }
}

/// The innermost menu has done its part.
fn close_menu(model: &mut Model) {
    if matches!(model.dialogs.last(), Some(Dialog::Menu(_))) {
        model.dialogs.pop();
    }
}

fn name(command: Command) -> &'static str {
    keymap::binding(command).map_or("this", |binding| binding.name)
}
