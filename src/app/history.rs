//! The history of one slot, in both times.

pub(super) mod keys;

use super::asks::history::{Question, Slot};
use super::msg::Effect;
use crate::core::record::{Attribute, Subject};

/// The sub-model of the history screen.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The slot that is looked at.
    pub of: Option<(Subject, Attribute)>,
    pub slot: Option<Box<Slot>>,
}

impl History {
    /// Looks at another slot.
    pub fn show(&mut self, subject: Subject, attribute: Attribute) {
        *self = Self { of: Some((subject, attribute)), slot: None };
    }

    /// Asks again for what is shown.
    pub fn refresh(&self) -> Vec<Effect> {
        let question =
            |(subject, attribute)| Effect::History { number: 0, question: Question::Slot(subject, attribute) };
        self.of.clone().map(question).into_iter().collect()
    }
}
