//! What the keys of the policy screen do, and what follows from the answers.

use super::super::asks::policy::Answer;
use super::super::failure::Failure;
use super::super::keymap::Command;
use super::super::model::{Model, Tone};
use super::super::msg::Effect;
use crate::core::time::Instant;

/// Does what a command says; none where it means nothing here.
pub(crate) fn run(model: &mut Model, command: Command, _now: Instant) -> Option<Vec<Effect>> {
    let last = model.policy.attributes.len().saturating_sub(1);
    let steps = [
        (Command::Down, 1),
        (Command::Up, -1),
        (Command::HalfDown, 10),
        (Command::HalfUp, -10),
        (Command::PageDown, 20),
        (Command::PageUp, -20),
        (Command::First, isize::MIN / 2),
        (Command::Last, isize::MAX / 2),
    ];
    let (_, by) = steps.into_iter().find(|(listed, _)| *listed == command)?;
    model.policy.offset = model.policy.offset.saturating_add_signed(by).min(last);
    Some(Vec::new())
}

/// One level back within the screen; none at its outermost.
pub(crate) const fn back(_model: &mut Model) -> Option<Vec<Effect>> {
    None
}

/// An answer has come.
pub(crate) fn answered(model: &mut Model, _number: u64, answer: Result<Answer, Failure>) -> Vec<Effect> {
    match answer {
        Ok(Answer::Attributes(attributes)) => model.policy.attributes = attributes,
        Err(failure) => model.say(Tone::Trouble, failure.to_string()),
    }
    Vec::new()
}

/// The terminal has another size.
pub(crate) const fn resized(_model: &mut Model) {}
