//! What the keys of the triage screen do.

use super::super::dialog::Dialog;
use super::super::keymap::{Command, Common, Looking, Marking, Narrowing, Screen, Way};
use super::super::list::Anchor;
use super::super::model::{Model, Tone};
use super::super::msg::{Effect, Errand};
use super::super::port::{Filter, Wanted};
use super::super::{copy, decide, facets, sheet, slotting, stale};
use crate::core::pair::{Entry, PairState};
use crate::core::time::Instant;

/// The most pairs that `*` marks at once.
pub(crate) const MOST_MARKS: usize = 5_000;

/// Does what a command says; none where it means nothing here.
pub(crate) fn run(model: &mut Model, command: Command, now: Instant) -> Option<Vec<Effect>> {
    Some(match command {
        Command::Move(to) => match to.way(model.triage.queue.list.half()) {
            Way::By(rows) => moved(model, rows),
            Way::First => model.triage.queue.jump(Anchor::First),
            Way::Last => model.triage.queue.jump(Anchor::Last),
            Way::Next(by) => next(model, by),
        },
        Command::Skip => {
            let effects = next(model, 1);
            if model.said.is_none() {
                model.say(Tone::Hint, "skipped: nothing was written");
            }
            effects
        }
        Command::Decide(what) => decide::decide(model, what, now),
        Command::OpenHistory => open_history(model),
        Command::OpenBatch => open_batch(model),
        Command::Edit => edit(model),
        Command::Copy(what) => copy::copy(model, what),
        Command::Look(how) => look(model, how),
        Command::Mark(what) => mark(model, what),
        Command::Narrow(to) => narrow(model, to),
        Command::Dispute
        | Command::OpenPair
        | Command::OpenPairs
        | Command::Plane(_)
        | Command::Log(_)
        | Command::Common(_) => return None,
    })
}

fn open_history(model: &mut Model) -> Vec<Effect> {
    let Some(entry) = model.triage.queue.current() else { return model.hint("no pair is selected") };
    let (subject, attribute) = (entry.subject.clone(), entry.attribute.clone());
    model.history.show(subject, attribute);
    model.go(Screen::History)
}

fn open_batch(model: &mut Model) -> Vec<Effect> {
    let side = model.triage.side();
    let Some(pair) = model.triage.pair() else { return model.hint("no pair is on the screen") };
    let batch = pair.record(side).record.batch.clone();
    model.batches.wanted = Some(batch);
    model.go(Screen::Batches)
}

/// The pair as a text for the editor: a copy, of which nothing comes back.
fn edit(model: &mut Model) -> Vec<Effect> {
    let Some(pair) = model.triage.pair() else { return model.hint("no pair is on the screen") };
    vec![Effect::Edit { text: sheet::of(pair, model.triage.rows()), errand: Errand::Read }]
}

/// Moves the selection, or in the whole-screen view the text.
fn moved(model: &mut Model, by: i64) -> Vec<Effect> {
    model.said = None;
    if model.triage.full {
        scroll(model, by);
        return Vec::new();
    }
    if !model.triage.queue.list.step(by) {
        return Vec::new();
    }
    let mut effects = model.triage.selected();
    effects.extend(model.triage.queue.refill());
    effects
}

/// The next or previous pair; past the end it says so.
fn next(model: &mut Model, by: i64) -> Vec<Effect> {
    model.said = None;
    if model.triage.queue.list.step(by) {
        let mut effects = model.triage.selected();
        effects.extend(model.triage.queue.refill());
        return effects;
    }
    let queue = &model.triage.queue;
    let (end, what) = (
        if by > 0 { "last" } else { "first" },
        if queue.filter.text.is_some() { "match" } else { "undecided pair" },
    );
    let text = match queue.list.total() {
        0 => format!("there is no {what}"),
        total => format!(
            "this is the {end} {what} of {total}: there is none {}",
            if by > 0 { "after it" } else { "before it" }
        ),
    };
    model.hint(text)
}

fn scroll(model: &mut Model, by: i64) {
    let triage = &mut model.triage;
    let last = (triage.evidence_lines() + triage.rows().len()).saturating_sub(1);
    triage.down = triage.down.saturating_add_signed(isize::try_from(by).unwrap_or(0)).min(last);
}

/// What changes only how the pair is looked at.
fn look(model: &mut Model, how: Looking) -> Vec<Effect> {
    let geometry = model.geometry();
    let now = model.now;
    let triage = &mut model.triage;
    match how {
        Looking::FocusNext => triage.focus = triage.focus.next(),
        Looking::FocusPrevious => triage.focus = triage.focus.previous(),
        Looking::ScrollLeft => triage.sideways = triage.sideways.saturating_sub(8),
        Looking::ScrollRight => {
            let beyond = triage.beyond(geometry);
            if triage.sideways >= beyond {
                let told = if beyond == 0 { "every line is whole" } else { "this is the end of the longest line" };
                return model.hint(format!("{told}: there is nothing more to the right"));
            }
            triage.sideways = (triage.sideways + 8).min(beyond);
        }
        Looking::EvidenceDown => scroll(model, 1),
        Looking::EvidenceUp => scroll(model, -1),
        Looking::Full => {
            (triage.full, triage.down) = (!triage.full && triage.pair().is_some(), 0);
            lay_out(model);
        }
        Looking::Wrap => {
            (triage.wrap, triage.sideways) = (!triage.wrap, 0);
            triage.lay_out(geometry, now);
            let text = if triage.wrap {
                "evidence is wrapped".to_owned()
            } else {
                let [left, right] =
                    [Looking::ScrollLeft, Looking::ScrollRight].map(|way| model.key(Command::Look(way)));
                format!("evidence on long lines: {left} {right} scroll sideways")
            };
            return model.hint(text);
        }
        Looking::Blind => {
            triage.blind = !triage.blind;
            triage.lay_out(geometry, now);
            let text = if triage.blind {
                "blind: finding, confidence and won / lost are hidden"
            } else {
                "no longer blind"
            };
            return model.hint(text);
        }
    }
    Vec::new()
}

fn mark(model: &mut Model, what: Marking) -> Vec<Effect> {
    let queue = &mut model.triage.queue;
    match what {
        Marking::One => {
            queue.toggle_mark();
            // On to the next, so that a run of marks is one key each.
            let effects = moved(model, 1);
            let many = model.triage.queue.marks.len();
            let back = model.key(Common::Back);
            model.say(
                Tone::Hint,
                format!("{many} marked: a decision is for all of them; {back} takes the marks away"),
            );
            effects
        }
        Marking::Range => match queue.range() {
            // The store names the rows between: they need not be held here.
            Some(between) => wanted(model, "marking a range", Some(between)),
            None if queue.range.is_some() => {
                let again = model.key(Command::Mark(Marking::Range));
                model.hint(format!("a range begins here: move, then {again} again marks all between"))
            }
            None => model.hint("there is nothing to mark"),
        },
        Marking::All => wanted(model, "marking all", None),
    }
}

fn wanted(model: &mut Model, what: &str, between: Option<Box<[Entry; 2]>>) -> Vec<Effect> {
    let (filter, sorting) = (model.triage.queue.filter.clone(), model.triage.queue.sorting);
    let number = model.begin_work(what);
    vec![Effect::Ids { number, wanted: Wanted { filter, sorting, between, most: MOST_MARKS + 1 } }]
}

fn narrow(model: &mut Model, to: Narrowing) -> Vec<Effect> {
    let queue = &mut model.triage.queue;
    match to {
        Narrowing::Find => {
            let before = Box::new(queue.filter.clone());
            let input = tui_input::Input::new(before.text.clone().unwrap_or_default());
            model.open(Dialog::Find { input, before })
        }
        Narrowing::Facets => {
            let clear = model.setup.keymap.named(Command::Narrow(Narrowing::Clear));
            let form = facets::build(&queue.filter, &queue.counts, queue.current(), &clear);
            model.dialogs.push(Dialog::Form(Box::new(form)));
            // The commonest subjects and batches are read beside the typing, and offered when they come.
            let number = model.begin_work("counting subjects and batches");
            vec![Effect::Commonest { number }]
        }
        Narrowing::Sort => {
            queue.sorting = queue.sorting.next();
            // Another order is asked for to see what comes first in it.
            let effects = queue.jump(Anchor::First);
            model.say(Tone::Hint, format!("order: {}, from the first", model.triage.queue.sorting.name()));
            effects
        }
        Narrowing::Awaiting => {
            let awaiting = vec![PairState::Awaiting];
            let back = queue.filter.states == awaiting;
            let filter = if back { Filter::open() } else { Filter { states: awaiting, ..Filter::default() } };
            let effects = queue.filtered(filter);
            let again = model.key(Command::Narrow(Narrowing::Awaiting));
            let told = format!("pairs of which another look is requested; {again} goes back to what is open");
            model.say(Tone::Hint, if back { "what is open".to_owned() } else { told });
            effects
        }
        Narrowing::Stale => stale::keys::open(model),
        Narrowing::Sentences => slotting::keys::open(model),
        Narrowing::Clear => {
            let effects = queue.filtered(Filter::open());
            model.say(Tone::Hint, "the filter is cleared");
            effects
        }
    }
}

/// One level back within the screen; none at its outermost.
pub(crate) fn back(model: &mut Model) -> Option<Vec<Effect>> {
    if std::mem::take(&mut model.triage.full) {
        model.triage.down = 0;
        lay_out(model);
        return Some(Vec::new());
    }
    model.triage.queue.unmark().then(|| model.hint("the marks are gone"))
}

/// What is drawn of the pair is built anew for the width it now has.
pub(crate) fn lay_out(model: &mut Model) {
    let (geometry, now) = (model.geometry(), model.now);
    model.triage.lay_out(geometry, now);
}
