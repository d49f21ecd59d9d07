//! What the keys of the batches screen do, and what follows from the answers.

use super::super::asks::batches::Answer;
use super::super::failure::Failure;
use super::super::keymap::{Command, Looking, Screen};
use super::super::list::{Anchor, Landed};
use super::super::model::{Model, Tone};
use super::super::msg::Effect;
use super::super::port::Filter;
use crate::core::time::Instant;

/// Does what a command says; none where it means nothing here.
pub(crate) fn run(model: &mut Model, command: Command, _now: Instant) -> Option<Vec<Effect>> {
    let half = model.batches.list.half();
    let steps = [
        (Command::Down, 1),
        (Command::Up, -1),
        (Command::HalfDown, half),
        (Command::HalfUp, -half),
        (Command::PageDown, 2 * half),
        (Command::PageUp, -2 * half),
    ];
    if let Some((_, by)) = steps.into_iter().find(|(listed, _)| *listed == command) {
        let _moved = model.batches.list.step(by);
        return Some(model.batches.refill());
    }
    if command == Command::First {
        return Some(model.batches.jump(Anchor::First));
    }
    if command == Command::Last {
        return Some(model.batches.jump(Anchor::Last));
    }
    if command != Command::Look(Looking::Full) {
        return None;
    }
    // Enter: the open pairs of the batch, in triage.
    let batch = model.batches.list.current()?.batch.to_string();
    let filter = Filter { batch: Some(batch), ..Filter::open() };
    let mut effects = model.triage.queue.filtered(filter);
    effects.extend(model.go(Screen::Triage));
    Some(effects)
}

/// One level back within the screen; none at its outermost.
pub(crate) const fn back(_model: &mut Model) -> Option<Vec<Effect>> {
    None
}

/// An answer has come.
pub(crate) fn answered(model: &mut Model, _number: u64, answer: Result<Answer, Failure>) -> Vec<Effect> {
    match answer {
        Ok(Answer::Page { generation, window }) => match model.batches.list.land(generation, window) {
            Landed::Missed => model.batches.refresh(),
            Landed::Outdated => Vec::new(),
            Landed::Kept | Landed::Moved => model.batches.wanted(),
        },
        Err(failure) => {
            model.say(Tone::Trouble, failure.to_string());
            Vec::new()
        }
    }
}

/// The terminal has another size.
pub(crate) fn resized(model: &mut Model) {
    model.batches.list.resize(model.size.height.saturating_sub(6));
}
