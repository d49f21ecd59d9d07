//! The event log, newest first.

pub(super) mod keys;

use super::asks::log::{Event, Question};
use super::list::{Asked, List};
use super::msg::Effect;

/// The sub-model of the screen.
#[derive(Clone, Debug, Default)]
pub struct Log {
    pub list: List<Event>,
}

impl Log {
    /// Asks again for what is shown; what is selected stays selected.
    pub fn refresh(&mut self) -> Vec<Effect> {
        let asked = self.list.reload();
        Self::ask(asked)
    }

    fn ask(asked: Option<Asked<Event>>) -> Vec<Effect> {
        let question = |Asked { generation, around }| Question::Page { generation, around };
        asked.map(|asked| Effect::Log { number: 0, question: question(asked) }).into_iter().collect()
    }
}
