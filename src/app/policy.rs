//! The policy: attributes and source kinds, and what they are declared to be.

pub(super) mod keys;

use super::asks::policy::{Line, Question};
use super::msg::Effect;

/// The sub-model of the policy screen.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    pub attributes: Vec<Line>,
    /// The first that is shown.
    pub offset: usize,
}

impl Policy {
    /// Asks again for what is shown.
    pub fn refresh(&self) -> Vec<Effect> {
        vec![Effect::Policy { number: 0, question: Question::Attributes }]
    }
}
