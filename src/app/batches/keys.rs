//! What the keys of the batches screen do, and what follows from the answers.

use super::super::asks::batches::{Answer, Question};
use super::super::dialog::Dialog;
use super::super::failure::Failure;
use super::super::keymap::{Command, Copying, Deciding, Looking, Narrowing, Screen, Way};
use super::super::list::{Anchor, Landed};
use super::super::model::{Model, Tone};
use super::super::msg::Effect;
use super::super::port::Filter;
use super::super::{copy, withdrawal};
use super::shape::Shape;
use super::{Open, Whole, ask};
use crate::core::batch::Summary;
use crate::core::facet::Facet;
use crate::core::pair::{Entry, JudgedRecord};
use crate::core::record::Batch;
use crate::core::time::Instant;

/// Does what a command says; none where it means nothing here.
pub(crate) fn run(model: &mut Model, command: Command, _now: Instant) -> Option<Vec<Effect>> {
    Some(match command {
        Command::Move(to) => match to.way(half(model)) {
            Way::By(rows) => moved(model, rows),
            Way::First => jumped(model, false),
            Way::Last => jumped(model, true),
            Way::Next(by) => next(model, by),
        },
        Command::Look(Looking::Full) => enter(model),
        Command::OpenHistory => open_history(model),
        Command::OpenPair => open_pair(model),
        Command::OpenPairs => open_pairs(model),
        Command::Decide(Deciding::WithdrawBatch) => match model.batches.current().cloned() {
            Some(of) => withdrawal::open(model, &of),
            None => model.hint("there is no batch to withdraw"),
        },
        Command::Copy(what) => copied(model, what),
        Command::Narrow(Narrowing::Find) => begin_finding(model),
        Command::Narrow(Narrowing::Sort) => sort(model),
        Command::Narrow(Narrowing::Clear) => {
            let effects = find(model, "");
            model.say(Tone::Hint, "every batch is listed");
            effects
        }
        Command::Look(_)
        | Command::Narrow(Narrowing::Facets | Narrowing::Awaiting | Narrowing::Stale | Narrowing::Sentences)
        | Command::Mark(_)
        | Command::Decide(_)
        | Command::Skip
        | Command::OpenBatch
        | Command::Dispute
        | Command::Plane(_)
        | Command::Log(_)
        | Command::Edit
        | Command::Common(_) => return None,
    })
}

fn half(model: &Model) -> i64 {
    model.batches.open.as_ref().map_or_else(|| model.batches.list.half(), |open| open.records.half())
}

/// Moves the selection; where a record is shown whole, the text.
fn moved(model: &mut Model, by: i64) -> Vec<Effect> {
    model.said = None;
    let batches = &mut model.batches;
    let Some(open) = &mut batches.open else {
        batches.list.step(by);
        let asked = batches.list.refill();
        return batches.ask_list(asked);
    };
    if let Some(whole) = &mut open.whole {
        whole.down = whole.down.saturating_add_signed(isize::try_from(by).unwrap_or(0)).min(100_000);
        return Vec::new();
    }
    open.records.step(by);
    let asked = open.records.refill();
    open.ask_records(asked)
}

fn jumped(model: &mut Model, last: bool) -> Vec<Effect> {
    model.said = None;
    let batches = &mut model.batches;
    let Some(open) = &mut batches.open else {
        let asked = batches.list.jump(if last { Anchor::Last } else { Anchor::First });
        return batches.ask_list(Some(asked));
    };
    if let Some(whole) = &mut open.whole {
        whole.down = if last { 100_000 } else { 0 };
        return Vec::new();
    }
    let asked = open.records.jump(if last { Anchor::Last } else { Anchor::First });
    open.ask_records(Some(asked))
}

/// The next or previous row; past the end it says so.
fn next(model: &mut Model, by: i64) -> Vec<Effect> {
    let place = |model: &Model| match &model.batches.open {
        Some(open) => open.records.position(),
        None => model.batches.list.position(),
    };
    let before = place(model);
    let effects = moved(model, by);
    if place(model) == before {
        let what = if model.batches.open.is_some() { "record" } else { "batch" };
        return model.hint(format!("this is the {} {what}", if by > 0 { "last" } else { "first" }));
    }
    effects
}

/// Enter: into the batch, then into the record.
fn enter(model: &mut Model) -> Vec<Effect> {
    model.said = None;
    let Some(open) = &mut model.batches.open else {
        let Some(summary) = model.batches.list.current().cloned() else {
            return model.hint("there is no batch to look into");
        };
        return look_into(model, summary);
    };
    if open.whole.take().is_some() {
        return Vec::new();
    }
    match open.records.current() {
        Some(member) => vec![ask(Question::Whole(member.id.clone()))],
        None => Vec::new(),
    }
}

/// Looks into a batch: its records from the first, and its picture.
fn look_into(model: &mut Model, summary: Summary) -> Vec<Effect> {
    let mut open = Open::new(summary);
    open.records.resize(Shape::new(model.size).records);
    let asked = open.records.jump(Anchor::First);
    let mut effects = open.ask_records(Some(asked));
    model.batches.open = Some(Box::new(open));
    effects.extend(count(model));
    effects
}

/// Has the picture counted, unless it is that of the batch as it is, or other work is under way.
fn count(model: &mut Model) -> Option<Effect> {
    if model.working.is_some() || model.pending.is_some() {
        return None;
    }
    let open = model.batches.open.as_ref()?;
    if open.is_counted() {
        return None;
    }
    let number = model.begin_work("counting what the batch did");
    model.batches.open.as_mut().map(|open| open.count(number))
}

fn open_history(model: &mut Model) -> Vec<Effect> {
    let Some(member) = model.batches.record() else {
        return model.hint("Enter looks into the batch: the history is that of a record's slot");
    };
    let (subject, Some(attribute)) = (member.subject.clone(), member.attribute.clone()) else {
        return model.hint("this record names no attribute: it has no slot, and no history");
    };
    model.history.show(subject, attribute);
    model.go(Screen::History)
}

/// The pair of the selected record, in Triage.
fn open_pair(model: &mut Model) -> Vec<Effect> {
    let Some(member) = model.batches.record() else {
        return model.hint("Enter looks into the batch; p then leads to the selected record's pair");
    };
    match &member.pair {
        Some(contest) => vec![ask(Question::Pair(contest.pair))],
        None => model.hint("no pair is open on this record"),
    }
}

/// Every pair of the batch, in Triage.
fn open_pairs(model: &mut Model) -> Vec<Effect> {
    let Some(of) = model.batches.current() else { return model.hint("there is no batch") };
    if of.pairs == 0 {
        return model.hint("no pair is open on a record of this batch");
    }
    // Open ones, and those that await a look at the world, which are open too.
    let filter = Filter { batches: Facet::only(Some(of.batch.to_string())), ..Filter::open() };
    lead_to_triage(model, filter, Anchor::First)
}

fn lead_to_triage(model: &mut Model, filter: Filter, anchor: Anchor<Entry>) -> Vec<Effect> {
    let effects = model.show_pairs(filter, anchor);
    model.say(Tone::Hint, "the queue shows this batch only; F shows all of it, Esc goes back");
    effects
}

fn copied(model: &mut Model, what: Copying) -> Vec<Effect> {
    model.close_menu();
    let Some(of) = model.batches.current() else { return model.hint("there is nothing to copy") };
    let name = of.batch.as_str();
    match (what, model.batches.record()) {
        (Copying::Id, None) => copy::text("the name of the batch", name.to_owned()),
        (Copying::Id, Some(member)) => copy::text("the id", member.id.to_string()),
        (Copying::Value, Some(member)) => {
            copy::text("the value", member.value.as_str().map_or_else(|| member.value.to_string(), str::to_owned))
        }
        (Copying::Line, _) => copy::text("the command", copy::command("gainsay batches", &[name])),
        (Copying::Value, None) => model.hint("a value is a record's: Enter looks into the batch"),
        (Copying::Json | Copying::Number | Copying::Hash | Copying::Event | Copying::LogLine, _) => {
            model.hint("gainsay --json batches NAME gives it; y c copies the command")
        }
    }
}

fn begin_finding(model: &mut Model) -> Vec<Effect> {
    if model.batches.open.is_some() {
        return model.hint("/ finds batches by name: Esc goes back to their list");
    }
    let before = Filter { text: model.batches.listing.text.clone(), ..Filter::default() };
    let input = tui_input::Input::new(before.text.clone().unwrap_or_default());
    model.open(Dialog::Find { input, before: Box::new(before) })
}

/// Lists only the batches with this in their name.
pub(crate) fn find(model: &mut Model, text: &str) -> Vec<Effect> {
    let text = Some(text.trim()).filter(|text| !text.is_empty()).map(str::to_owned);
    model.batches.listing.text = text;
    let asked = model.batches.list.jump(Anchor::First);
    model.batches.ask_list(Some(asked))
}

fn sort(model: &mut Model) -> Vec<Effect> {
    if model.batches.open.is_some() {
        return model.hint("the records stand by lag, the greatest first");
    }
    model.batches.listing.sorting = model.batches.listing.sorting.next();
    let asked = model.batches.list.jump(Anchor::First);
    model.say(Tone::Hint, format!("order: {}", model.batches.listing.sorting.name()));
    model.batches.ask_list(Some(asked))
}

/// One level back within the screen; none at its outermost.
pub(crate) fn back(model: &mut Model) -> Option<Vec<Effect>> {
    let open = model.batches.open.as_mut()?;
    model.said = None;
    if open.whole.take().is_some() {
        return Some(Vec::new());
    }
    model.batches.open = None;
    Some(model.batches.refresh())
}

/// An answer has come.
pub(crate) fn answered(model: &mut Model, number: u64, answer: Result<Answer, Failure>) -> Vec<Effect> {
    match answer {
        Ok(Answer::Page { generation, window }) => match model.batches.list.land(generation, window) {
            Landed::Missed => model.batches.refresh(),
            Landed::Outdated | Landed::Kept | Landed::Moved => Vec::new(),
        },
        Ok(Answer::Summary { batch, found }) => summary(model, &batch, found.map(|found| *found)),
        Ok(Answer::Records { generation, batch, window }) => {
            let Some(open) = &mut model.batches.open else { return Vec::new() };
            if open.summary.batch == batch && open.records.land(generation, window) == Landed::Missed {
                let asked = open.records.reload();
                return open.ask_records(asked);
            }
            Vec::new()
        }
        Ok(Answer::Picture { batch, picture }) => {
            let of = |open: &&mut Box<Open>| open.summary.batch == batch && open.counting == Some(number);
            if let Some(open) = model.batches.open.as_mut().filter(of) {
                open.ended(Some(*picture));
            }
            count(model).into_iter().collect()
        }
        Ok(Answer::Whole(found)) => whole(model, found),
        Ok(Answer::Pair(Some(entry))) => {
            let batches = Facet::only(model.batches.current().map(|of| of.batch.to_string()));
            let filter = Filter { batches, states: vec![entry.state], ..Filter::default() };
            lead_to_triage(model, filter, Anchor::At(entry))
        }
        Ok(Answer::Pair(None)) => model.hint("the pair is no longer there"),
        Err(failure) => failed(model, number, &failure),
    }
}

/// A batch in a line: the one that is wanted is looked into; the one that is looked into is brought up to date.
fn summary(model: &mut Model, batch: &Batch, found: Option<Summary>) -> Vec<Effect> {
    let wanted = model.batches.wanted.take_if(|wanted| wanted == batch).is_some();
    let Some(found) = found else {
        if wanted || model.batches.open.as_ref().is_some_and(|open| open.summary.batch == *batch) {
            model.batches.open = None;
            model.say(Tone::Hint, format!("no record names the batch {batch}"));
            return model.batches.refresh();
        }
        return Vec::new();
    };
    if let Some(open) = model.batches.open.as_mut().filter(|open| open.summary.batch == *batch) {
        open.summary = found;
        return count(model).into_iter().collect();
    }
    if !wanted {
        return Vec::new();
    }
    // The list behind it has it selected, whatever was found there before.
    model.batches.listing.text = None;
    let asked = model.batches.list.jump(Anchor::At(Box::new(found.clone())));
    let mut effects = model.batches.ask_list(Some(asked));
    effects.extend(look_into(model, found));
    effects
}

fn whole(model: &mut Model, found: Option<Box<JudgedRecord>>) -> Vec<Effect> {
    let Some(open) = &mut model.batches.open else { return Vec::new() };
    // Another record may have been selected meanwhile.
    let member = open.records.current().filter(|member| found.as_ref().is_some_and(|it| it.record.id == member.id));
    if let Some((record, member)) = found.clone().zip(member.cloned()) {
        open.whole = Some(Whole { record, member: Box::new(member), down: 0 });
    }
    Vec::new()
}

fn failed(model: &mut Model, number: u64, failure: &Failure) -> Vec<Effect> {
    if let Some(open) = model.batches.open.as_mut().filter(|open| number > 0 && open.counting == Some(number)) {
        open.ended(None);
        if *failure == Failure::Cancelled {
            return model.hint("not counted: Ctrl-r counts it again");
        }
    }
    model.say(Tone::Trouble, failure.to_string());
    Vec::new()
}

/// The terminal has another size.
pub(crate) fn resized(model: &mut Model) {
    let shape = Shape::new(model.size);
    model.batches.list.resize(shape.list);
    if let Some(open) = &mut model.batches.open {
        open.records.resize(shape.records);
    }
}
