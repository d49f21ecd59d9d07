//! Batches: what came together, how late it was written, how it fared.

pub(super) mod keys;

use super::asks::batches::{Question, Summary};
use super::list::{Anchor, Asked, List};
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

    /// Asks for a window around the selection, if the rows held run out near it.
    pub fn refill(&mut self) -> Vec<Effect> {
        let asked = self.list.refill();
        Self::ask(asked)
    }

    /// Goes to an anchor, wherever it is.
    pub fn jump(&mut self, anchor: Anchor<Summary>) -> Vec<Effect> {
        let asked = self.list.jump(anchor);
        Self::ask(Some(asked))
    }

    /// Goes to the batch that another screen wants to see.
    pub fn wanted(&mut self) -> Vec<Effect> {
        let Some(batch) = self.wanted.take() else { return Vec::new() };
        self.jump(Anchor::At(Box::new(Summary::named(batch))))
    }

    fn ask(asked: Option<Asked<Summary>>) -> Vec<Effect> {
        let question = |Asked { generation, around }| Question::Page { generation, around };
        asked.map(|asked| Effect::Batches { number: 0, question: question(asked) }).into_iter().collect()
    }
}
