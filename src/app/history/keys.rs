//! What the keys of the history screen do, and what follows from the answers.

use super::super::asks::history::Answer;
use super::super::failure::Failure;
use super::super::keymap::Command;
use super::super::model::{Model, Tone};
use super::super::msg::Effect;
use crate::core::time::Instant;

/// Does what a command says; none where it means nothing here.
pub(crate) const fn run(_model: &mut Model, _command: Command, _now: Instant) -> Option<Vec<Effect>> {
    None
}

/// One level back within the screen; none at its outermost.
pub(crate) const fn back(_model: &mut Model) -> Option<Vec<Effect>> {
    None
}

/// An answer has come.
pub(crate) fn answered(model: &mut Model, _number: u64, answer: Result<Answer, Failure>) -> Vec<Effect> {
    match answer {
        Ok(Answer::Slot(slot)) => model.history.slot = Some(slot),
        Err(failure) => model.say(Tone::Trouble, failure.to_string()),
    }
    Vec::new()
}

/// The terminal has another size.
pub(crate) const fn resized(_model: &mut Model) {}
