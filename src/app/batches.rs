//! Batches: what came together, how late it was written, how it fared.

pub(super) mod keys;

use super::asks::batches::{Question, Summary};
use super::list::{Asked, List};
use super::msg::Effect;
use crate::core::record::Batch;

/// The sub-model of the screen.
#[derive(Clone, Debug, Default)]
pub struct Batches {
    pub list: List<Summary>,
    /// The batch that is to be shown once the list has come.
    pub wanted: Option<Batch>,
}

impl Batches {
    /// Asks again for what is shown; what is selected stays selected.
    pub fn refresh(&mut self) -> Vec<Effect> {
        let asked = self.list.reload();
        Self::ask(asked)
    }

    fn ask(asked: Option<Asked<Summary>>) -> Vec<Effect> {
        let question = |Asked { generation, around }| Question::Page { generation, around };
        asked.map(|asked| Effect::Batches { number: 0, question: question(asked) }).into_iter().collect()
    }
}
