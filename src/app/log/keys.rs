//! What the keys of the log screen do, and what follows from the answers.

use super::super::asks::log::Answer;
use super::super::failure::Failure;
use super::super::keymap::Command;
use super::super::list::Landed;
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
        Ok(Answer::Page { generation, window }) => match model.log.list.land(generation, window) {
            Landed::Missed => model.log.refresh(),
            Landed::Outdated | Landed::Kept | Landed::Moved => Vec::new(),
        },
        Err(failure) => {
            model.say(Tone::Trouble, failure.to_string());
            Vec::new()
        }
    }
}

/// The terminal has another size.
pub(crate) fn resized(model: &mut Model) {
    model.log.list.resize(model.size.height.saturating_sub(6));
}
