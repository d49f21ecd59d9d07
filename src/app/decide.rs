//! Decisions: from a command to an order, a form, a preview, or the reason why not.
//!
//! The core is asked here for what the screen shows, and asked again, on fresh rows, by the store.

use chrono::Duration;

use super::again;
use super::bulk::Choice;
use super::bulk::Ordered;
use super::declare;
use super::dialog::{Dialog, Refused, purpose};
use super::form::{Form, Purpose};
use super::forms;
use super::keymap::{self, Command, Common, Deciding, Menu};
use super::model::{Model, Pending, What};
use super::msg::Effect;
use super::preview::Bulk;
use crate::core::examine::{Condition, Side};
use crate::core::order::{Order, Scope, Target, Withdrawn};
use crate::core::pair::Pair;
use crate::core::permit::{Because, Permission};
use crate::core::text::reveal;
use crate::core::time::Instant;

/// A decision key: on the pair on the screen, or with marks on all of them.
pub(super) fn decide(model: &mut Model, what: Deciding, now: Instant) -> Vec<Effect> {
    if let Some(why) = model.cannot_write() {
        return model.hint(why);
    }
    if !model.triage.queue.marks.is_empty() {
        return for_all(model, what, now);
    }
    let side = model.triage.side();
    let pair = match model.triage.ready(now) {
        Ok(pair) => pair.clone(),
        Err(not_yet) => return model.hint(not_yet.words()),
    };
    match Command::Decide(what).action().and_then(|action| pair.permission(action).cloned()) {
        Some(Permission::Refused(because)) => refuse(model, Command::Decide(what), &because),
        Some(Permission::NeedsRecencyOverride) => {
            let purpose =
                if what == Deciding::Accept(Side::Left) { Purpose::OverrideLeft } else { Purpose::OverrideRight };
            open_form(model, forms::build(purpose, &pair, side))
        }
        Some(Permission::Permitted) | None => begin(model, what, &pair, side, now),
    }
}

/// What is permitted begins: an order at once where one key may write, else its form.
fn begin(model: &mut Model, what: Deciding, pair: &Pair, side: Side, now: Instant) -> Vec<Effect> {
    if let Some(purpose) = purpose(what) {
        return open_form(model, forms::build(purpose, pair, side));
    }
    if what == Deciding::RunObserver {
        model.close_menu();
        let what = What::Ruling(format!("look again at pair {}", pair.entry.pair));
        model.pending = Some(Pending::new(what, Some(Box::new(pair.entry.clone())), None, 1));
        model.triage.rule(now);
        let slot = format!("{} of {}", pair.entry.attribute, pair.entry.subject);
        let number = model.begin_looking(format!("looking again at {}", reveal(&slot)));
        return vec![Effect::Observe { number, pair: pair.entry.pair }];
    }
    match choice(what, now) {
        Some(choice) => {
            model.close_menu();
            let ordered = Ordered {
                revision: Some(pair.revision),
                of: Some(pair.entry.pair),
                ..Ordered::plain(choice.order(pair))
            };
            let what = format!("{} of pair {}", name(what), pair.entry.pair);
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

/// With marks: what is decided for all of them. Where it wants words, a form asks for them first.
fn for_all(model: &mut Model, what: Deciding, now: Instant) -> Vec<Effect> {
    let many = model.triage.queue.marks.len();
    if what == Deciding::RunObserver {
        model.close_menu();
        let targets = model.triage.queue.marks.iter().copied().map(Target::Pair).collect();
        return again::keys::ask(model, targets);
    }
    if let Some(purpose) = purpose(what) {
        let Some(form) = forms::for_many(purpose, many, model.triage.side()) else {
            let why = format!("{} needs a look at each pair: Esc takes the marks away", name(what));
            return model.hint(why);
        };
        model.close_menu();
        model.dialogs.push(Dialog::Form(Box::new(form)));
        return Vec::new();
    }
    let Some(choice) = choice(what, now) else {
        let back = model.key(Common::Back);
        return model.hint(format!("{} is not for many at once: {back} takes the marks away", name(what)));
    };
    model.close_menu();
    preview_all(model, choice)
}

/// The choice for all marked pairs is sorted by the core, and shown before anything is asked.
pub(super) fn preview_all(model: &mut Model, choice: Choice) -> Vec<Effect> {
    let pairs: Vec<_> = model.triage.queue.marks.iter().copied().collect();
    let number = model.begin_work(format!("asking the core about {} pairs", pairs.len()));
    model.dialogs.push(Dialog::Bulk(Box::new(Bulk::new(choice.clone(), number, pairs.len()))));
    vec![Effect::Sort { number, pairs, choice }]
}

/// The choices that need no words.
fn choice(what: Deciding, now: Instant) -> Option<Choice> {
    let deferred = |by| Choice::Defer(now.plus(by));
    let choices = [
        (Deciding::Accept(Side::Left), Choice::Accept(Side::Left)),
        (Deciding::Accept(Side::Right), Choice::Accept(Side::Right)),
        (Deciding::LinkSame, Choice::LinkSame),
        (Deciding::LeaveRequest, Choice::Request),
        (Deciding::DeferHour, deferred(Duration::hours(1))),
        (Deciding::DeferDay, deferred(Duration::days(1))),
        (Deciding::DeferWeek, deferred(Duration::days(7))),
    ];
    choices.into_iter().find(|(listed, _)| *listed == what).map(|(_, choice)| choice)
}

/// Gives orders to the store.
pub(super) fn send(model: &mut Model, orders: Vec<Ordered>, pending: Pending, now: Instant) -> Vec<Effect> {
    model.triage.rule(now);
    model.said = None;
    let number = match orders.as_slice() {
        [] => 0,
        [only] => work_of(model, &only.order).map_or(0, |what| model.begin_work(what)),
        many => model.begin_work(format!("writing {} rulings", many.len())),
    };
    model.pending = Some(pending);
    vec![Effect::CarryOut { number, orders }]
}

/// In words, what an order does that may touch many slots: it is done beside what a key waits for, shows how far it is,
/// and can be cancelled until it is written.
fn work_of(model: &Model, order: &Order) -> Option<&'static str> {
    match order {
        Order::Withdraw { what: Withdrawn::Batch(_), .. } => Some("withdrawing the batch"),
        Order::Withdraw { what: Withdrawn::Where(_), .. } => Some("withdrawing what was selected"),
        Order::Erase { .. } => Some("erasing"),
        Order::RederiveAll { .. } => Some("re-deriving"),
        Order::Declare { .. } | Order::LinkBothTrue { scope: Scope::Attribute, .. } => Some("declaring"),
        Order::Undo { .. } if model.session.undoes_much() => Some("undoing"),
        Order::Redo if model.session.redoes_much() => Some("doing it again"),
        Order::Withdraw { what: Withdrawn::Record(_), .. }
        | Order::LinkBothTrue { scope: Scope::Slot, .. }
        | Order::Accept { .. }
        | Order::LinkSame { .. }
        | Order::LinkAcrossEpochs { .. }
        | Order::LinkSubjects { .. }
        | Order::Request { .. }
        | Order::Reobserve { .. }
        | Order::Refresh { .. }
        | Order::Rederive { .. }
        | Order::Dispute { .. }
        | Order::Alias { .. }
        | Order::Epoch { .. }
        | Order::Defer { .. }
        | Order::Note { .. }
        | Order::Undo { .. }
        | Order::Redo => None,
    }
}

/// Writes what a form was confirmed to write.
pub(super) fn write(model: &mut Model, form: Form, order: Order, now: Instant) -> Vec<Effect> {
    let entry = form.pair().map(|pair| Box::new(pair.entry.clone()));
    let revision = form.pair().map(|pair| pair.revision).filter(|_| order.pair().is_some());
    // What was typed is a draft until the store has taken it.
    keep_draft(model, &form);
    let pair = entry.as_ref().map(|entry| format!("pair {}", entry.pair));
    let what = match pair {
        Some(pair) if !form.title.ends_with(&pair) => format!("{} ({pair})", form.title),
        Some(_) | None => form.title.clone(),
    };
    send(
        model,
        vec![Ordered { revision, ..Ordered::plain(order) }],
        Pending::new(What::Ruling(what), entry, Some(form), 1),
        now,
    )
}

/// Writes what was chosen of a bulk, as one stroke.
pub(super) fn write_all(model: &mut Model, bulk: &Bulk, now: Instant) -> Vec<Effect> {
    let orders = bulk.orders();
    let what = format!("{} for {} pairs", bulk.choice.title(), orders.len());
    let pending = Pending::new(What::Ruling(what), None, None, orders.len());
    send(model, orders, pending, now)
}

/// Opens a form, with what was last typed in it for this matter.
pub(super) fn open_form(model: &mut Model, mut form: Form) -> Vec<Effect> {
    model.close_menu();
    if let Some(draft) = form.kept().and_then(|key| model.drafts.get(&key)) {
        form.restore(draft);
    }
    model.dialogs.push(Dialog::Form(Box::new(form)));
    declare::keep_up(model)
}

/// Keeps what was typed, for when the form is opened again.
pub(super) fn keep_draft(model: &mut Model, form: &Form) {
    if let Some(key) = form.kept() {
        model.drafts.insert(key, form.draft());
    }
}

/// Forgets the draft of what has been written.
pub(super) fn drop_draft(model: &mut Model, form: &Form) {
    if let Some(key) = form.kept() {
        model.drafts.remove(&key);
    }
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
    if let Some(why) = model.cannot_write() {
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
            Some(Condition::Subject) => Command::Common(Common::OpenMenu(Menu::Identity)),
            Some(Condition::Provenance) => Command::Decide(Deciding::Rederive),
            Some(Condition::Cardinality) => Command::Decide(Deciding::Declare),
            Some(Condition::Epoch | Condition::Authority | Condition::Order | Condition::Confidence) | None => {
                Command::Common(Common::OpenMenu(Menu::LookAgain))
            }
        },
        Because::RankUnknownAndNotLater => Command::Decide(Deciding::Declare),
        Because::SubjectUnconfirmed => Command::Common(Common::OpenMenu(Menu::Identity)),
        Because::NotAnchored(_) => Command::Decide(Deciding::Rederive),
        Because::OutrankedAndNotLater
        | Because::AlreadyMany
        | Because::TakesBack
        | Because::SameEpoch
        | Because::SubjectConfirmed
        | Because::NothingMissing
        | Because::Settled => Command::Common(Common::OpenMenu(Menu::LookAgain)),
    }
}

fn name(command: impl Into<Command>) -> &'static str {
    keymap::binding(command.into()).map_or("this", |binding| binding.name)
}
