//! What the keys of the history screen do, and what follows from the answers.

use super::super::asks::history::{Answer, Crosshairs, LineId, Question, Steps};
use super::super::failure::Failure;
use super::super::keymap::{Command, Copying, Looking, Moving, Planing, Screen, Way};
use super::super::list::{Anchor, Landed, Row};
use super::super::model::{Model, Tone};
use super::super::msg::Effect;
use super::super::port::Filter;
use super::super::{copy, dispute};
use super::view::middle;
use super::whole::Shown;
use super::{Focus, Pace, ask};
use crate::core::pair::Entry;
use crate::core::time::Instant;

/// Does what a command says; none where it means nothing here.
pub(crate) fn run(model: &mut Model, command: Command, now: Instant) -> Option<Vec<Effect>> {
    Some(match command {
        Command::Move(Moving::Down) => vertical(model, 1),
        Command::Move(Moving::Up) => vertical(model, -1),
        Command::Move(to) => match to.way(model.history.list.half()) {
            Way::By(rows) => moved(model, rows),
            Way::First => jump(model, Anchor::First),
            Way::Last => jump(model, Anchor::Last),
            Way::Next(_) => return None,
        },
        Command::Look(Looking::FocusNext | Looking::FocusPrevious) => focus(model),
        Command::Look(Looking::ScrollLeft) => step(model, Steps { about: -1, ..Steps::default() }),
        Command::Look(Looking::ScrollRight) => step(model, Steps { about: 1, ..Steps::default() }),
        Command::Look(Looking::Full) => whole(model, now),
        Command::Plane(what) => plane(model, what),
        Command::OpenPair => open_pair(model),
        Command::OpenBatch => open_batch(model),
        Command::Dispute => dispute::begin(model),
        Command::Copy(what) => copied(model, what),
        Command::Look(Looking::EvidenceDown | Looking::EvidenceUp | Looking::Wrap | Looking::Blind)
        | Command::Mark(_)
        | Command::Narrow(_)
        | Command::Decide(_)
        | Command::Skip
        | Command::OpenHistory
        | Command::OpenPairs
        | Command::Log(_)
        | Command::Edit
        | Command::Common(_) => return None,
    })
}

/// Up and down: rows of the list, or with the plane in focus what was believed later and earlier.
fn vertical(model: &mut Model, down: i64) -> Vec<Effect> {
    if model.history.whole.is_none() && model.history.focus == Focus::Plane {
        return step(model, Steps { believed_at: -down, ..Steps::default() });
    }
    moved(model, down)
}

/// Moves the selection, or what is shown whole.
fn moved(model: &mut Model, by: i64) -> Vec<Effect> {
    model.said = None;
    let history = &mut model.history;
    if let Some(whole) = &mut history.whole {
        whole.scroll(by);
        return Vec::new();
    }
    if !history.list.step(by) {
        return Vec::new();
    }
    let asked = history.list.refill();
    history.lines(asked)
}

fn jump(model: &mut Model, anchor: Anchor<super::Line>) -> Vec<Effect> {
    model.said = None;
    let history = &mut model.history;
    if let Some(whole) = &mut history.whole {
        whole.scroll(if anchor == Anchor::First { i64::MIN } else { i64::MAX });
        return Vec::new();
    }
    if history.of.is_none() {
        return Vec::new();
    }
    let asked = history.list.jump(anchor);
    history.lines(Some(asked))
}

fn focus(model: &mut Model) -> Vec<Effect> {
    if model.history.layout().plane.is_none() {
        return model.hint("there is no room for the plane: , and . and h l move the crosshairs all the same");
    }
    model.history.focus = match model.history.focus {
        Focus::List => Focus::Plane,
        Focus::Plane => Focus::List,
    };
    Vec::new()
}

/// Moves the crosshairs: to the next change, or by a cell.
fn step(model: &mut Model, by: Steps) -> Vec<Effect> {
    model.said = None;
    let history = &mut model.history;
    if history.whole.is_some() {
        return Vec::new();
    }
    let (Some(slot), Some(pane)) = (history.slot.as_deref(), history.layout().plane) else {
        return history.look(by);
    };
    if history.pace == Pace::Change {
        return history.look(by);
    }
    let frame = history.view.frame(slot, pane);
    let (observed, written) = middle(slot, history.at);
    let cell = |at: Instant, span: crate::core::plane::Span, cells: u16, by: i64| {
        let cell = span.milliseconds() / i64::from(cells.max(1));
        let to = at.plus(chrono::Duration::milliseconds(cell.max(1).saturating_mul(by)));
        // It comes to rest on now, rather than a little before or behind it.
        if (at < slot.now) == (slot.now <= to) { None } else { Some(to) }
    };
    let mut at = history.at;
    if by.about != 0 {
        at.about = cell(observed, frame.observed, frame.columns, by.about);
    }
    if by.believed_at != 0 {
        at.believed_at = cell(written, frame.written, frame.rows, by.believed_at).filter(|at| *at < slot.now);
    }
    history.at = at;
    history.look(Steps::default())
}

fn plane(model: &mut Model, what: Planing) -> Vec<Effect> {
    match what {
        Planing::Earlier => return step(model, Steps { believed_at: -1, ..Steps::default() }),
        Planing::Later => return step(model, Steps { believed_at: 1, ..Steps::default() }),
        Planing::Pace => {
            model.history.pace = match model.history.pace {
                Pace::Change => Pace::Cell,
                Pace::Cell => Pace::Change,
            };
            let words = model.history.pace.words();
            return model.hint(format!("the crosshairs now go {words}"));
        }
        Planing::Now => {
            model.history.view = super::View::default();
            return set(model, Crosshairs::default());
        }
        Planing::Here => return here(model),
        Planing::Nearer | Planing::Farther => {}
    }
    let history = &mut model.history;
    let Some(slot) = history.slot.as_deref() else { return Vec::new() };
    let went = if what == Planing::Nearer {
        history.view.nearer(slot, history.at)
    } else {
        history.view.farther(slot, history.at)
    };
    match (went, what) {
        (true, _) => model.history.count(),
        (false, Planing::Nearer) => model.hint("a minute is as near as it goes"),
        (false, _) => model.hint("this is the whole of it"),
    }
}

/// Sets the crosshairs.
fn set(model: &mut Model, at: Crosshairs) -> Vec<Effect> {
    model.said = None;
    let history = &mut model.history;
    history.at = at;
    history.under_way = Steps::default();
    let mut effects = history.count();
    effects.extend(history.look(Steps::default()));
    effects
}

/// The crosshairs go to the selected line: to when a record was written and what it was about, to when a ruling was made.
fn here(model: &mut Model) -> Vec<Effect> {
    let at = match model.history.list.current() {
        Some(super::Line::Record(record)) => Crosshairs {
            believed_at: Some(record.written_at),
            about: Some(record.observed_at.map_or(record.written_at, crate::core::time::When::last)),
        },
        Some(super::Line::Ruling(ruling)) => Crosshairs { believed_at: Some(ruling.at), ..model.history.at },
        Some(super::Line::Epoch { first_observed_at, .. }) => {
            Crosshairs { about: Some(first_observed_at.last()), ..model.history.at }
        }
        Some(super::Line::Undated { .. }) => return model.hint("these records do not say when they were true"),
        None => return model.hint("nothing is selected"),
    };
    set(model, at)
}

/// The selected line on the whole screen; the same key closes it.
fn whole(model: &mut Model, now: Instant) -> Vec<Effect> {
    model.said = None;
    let width = model.size.width;
    let history = &mut model.history;
    if history.whole.take().is_some() {
        return Vec::new();
    }
    match (history.of.clone(), history.list.current()) {
        (Some(of), Some(super::Line::Record(record))) => {
            vec![ask(Question::Record { of, record: record.id.clone() })]
        }
        (_, Some(line)) => {
            history.whole = Shown::line(line, width, now).map(Box::new);
            Vec::new()
        }
        (_, None) => model.hint("nothing is selected"),
    }
}

fn open_pair(model: &mut Model) -> Vec<Effect> {
    let of_line = match model.history.list.current() {
        Some(super::Line::Record(record)) => record.open_pair,
        Some(super::Line::Ruling(ruling)) => ruling.pair,
        Some(super::Line::Epoch { .. } | super::Line::Undated { .. }) | None => None,
    };
    let open = model.history.slot.as_ref().and_then(|slot| slot.open_pairs.first().copied());
    match of_line.or(open) {
        Some(pair) => vec![ask(Question::Pair(pair))],
        None => model.hint("no pair of this slot is open"),
    }
}

fn open_batch(model: &mut Model) -> Vec<Effect> {
    let Some(batch) = model.history.record().map(|record| record.batch.clone()) else {
        return model.hint("select a record: a batch is what it came with");
    };
    model.batches.wanted = Some(batch);
    model.go(Screen::Batches)
}

fn copied(model: &mut Model, what: Copying) -> Vec<Effect> {
    model.close_menu();
    let Some(of) = model.history.of.clone() else { return model.hint("no slot is chosen: nothing to copy") };
    if what == Copying::Line {
        let line = copy::command("gainsay history", &[of.subject.as_str(), of.attribute.as_str()]);
        return copy::text("the command", line);
    }
    let Some(record) = model.history.record() else {
        return model.hint("select a record: c copies the command that shows the slot");
    };
    match what {
        Copying::Id => copy::text("the id", record.id.to_string()),
        Copying::Value => copy::text("the value", crate::core::value::plain(&record.value)),
        Copying::Json | Copying::Line => vec![ask(Question::Json { of, record: record.id.clone() })],
        // The log has a menu of its own.
        Copying::Number | Copying::Hash | Copying::Event | Copying::LogLine => Vec::new(),
    }
}

/// One level back within the screen; none at its outermost.
pub(crate) fn back(model: &mut Model) -> Option<Vec<Effect>> {
    if model.history.whole.take().is_some() {
        return Some(Vec::new());
    }
    let in_plane = std::mem::take(&mut model.history.focus) == Focus::Plane;
    in_plane.then(Vec::new)
}

/// An answer has come; one about another slot is dropped.
pub(crate) fn answered(model: &mut Model, _number: u64, answer: Result<Answer, Failure>) -> Vec<Effect> {
    let answer = match answer {
        Ok(answer) => answer,
        Err(Failure::Cancelled) => return Vec::new(),
        Err(failure) => {
            model.history.failed();
            model.say(Tone::Trouble, failure.to_string());
            return Vec::new();
        }
    };
    let (width, now) = (model.size.width, model.now);
    let history = &mut model.history;
    let wanted = history.of.clone();
    let ours = |of: super::Named| wanted == Some(of);
    match answer {
        Answer::Slot { of, slot } if ours(of.clone()) => history.take(slot),
        Answer::Plane { of, frame, plane } if ours(of.clone()) => {
            history.counted(frame, plane);
            Vec::new()
        }
        Answer::Lines { of, generation, window } if ours(of.clone()) => landed(model, generation, window),
        Answer::Moved { of, number, moved } if ours(of.clone()) => history.landed(number, moved),
        Answer::Recalled { of, number, believed } if ours(of.clone()) && number == history.number => {
            history.believed = Some(believed);
            Vec::new()
        }
        Answer::Record { of, whole: Some(whole) } if ours(of.clone()) => {
            let still = |line: &super::Line| line.id() == LineId::Record(whole.judged.record.id.clone());
            if history.list.current().is_some_and(still) {
                history.whole = Some(Box::new(Shown::record(&whole, width, now)));
            }
            Vec::new()
        }
        Answer::Json { text } => copy::text("the record as JSON", text),
        Answer::Pair(Some(entry)) => triage(model, entry),
        Answer::Pair(None) => model.hint("the pair is no longer there"),
        Answer::Slot { .. }
        | Answer::Plane { .. }
        | Answer::Lines { .. }
        | Answer::Moved { .. }
        | Answer::Recalled { .. }
        | Answer::Record { .. } => Vec::new(),
    }
}

fn landed(model: &mut Model, generation: u64, window: super::super::list::Window<super::Line>) -> Vec<Effect> {
    let history = &mut model.history;
    let first = !history.list.is_loaded();
    let landed = history.list.land(generation, window);
    // It begins on a record, not on the rule of its epoch.
    if first && landed == Landed::Moved && history.record().is_none() {
        history.list.step(1);
    }
    let asked = match landed {
        Landed::Outdated => None,
        Landed::Missed => history.list.reload(),
        Landed::Kept | Landed::Moved => history.list.refill(),
    };
    history.lines(asked)
}

/// A pair of the slot, in triage: the queue shows pairs of its state, whatever was filtered before.
fn triage(model: &mut Model, entry: Box<Entry>) -> Vec<Effect> {
    if model.screen != Screen::History {
        return Vec::new();
    }
    let filter = Filter { states: vec![entry.state], ..Filter::default() };
    model.show_pairs(filter, Anchor::At(entry))
}

/// The terminal has another size.
pub(crate) fn resized(model: &mut Model) -> Vec<Effect> {
    let size = model.size;
    model.history.resize(size)
}
