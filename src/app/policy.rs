//! The policy: attributes and source kinds, and what they are declared to be.

pub mod detail;
pub(super) mod keys;
pub mod layout;

pub use layout::Focus;

use super::asks::policy::{AttributeOrder, Head, KindLine, Line, Question};
use super::geometry::Size;
use super::list::{Anchor, Asked, List};
use super::msg::Effect;
use detail::Detail;
use layout::Layout;

/// The sub-model of the policy screen.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    pub attributes: List<Line>,
    pub kinds: List<KindLine>,
    pub focus: Focus,
    /// Only attributes with this text in their names are shown.
    pub found: String,
    pub order: AttributeOrder,
    pub head: Option<Head>,
    /// What is looked at whole, over the lists.
    pub detail: Option<Detail>,
}

impl Policy {
    /// Asks again for what is shown; what is selected stays selected.
    pub fn refresh(&mut self) -> Vec<Effect> {
        let asked = self.attributes.reload();
        let mut effects = self.ask_attributes(asked);
        effects.extend(ask_kinds(self.kinds.reload()));
        effects.extend(self.detail.as_ref().map(|detail| ask(detail.question())));
        effects
    }

    /// Divides the screen anew between the lists: for its size, and for the one that has the focus.
    pub fn resize(&mut self, size: Size) {
        let layout = Layout::of(size, self.focus);
        self.attributes.resize(layout.attribute_rows());
        self.kinds.resize(layout.kind_rows());
        if let Some(detail) = &mut self.detail {
            detail.scroll(0, Layout::detail_rows(size));
        }
    }

    /// Moves in the list that has the focus.
    pub fn step(&mut self, by: i64) -> Vec<Effect> {
        match self.focus {
            Focus::Attributes => {
                self.attributes.step(by);
                let asked = self.attributes.refill();
                self.ask_attributes(asked)
            }
            Focus::Kinds => {
                self.kinds.step(by);
                ask_kinds(self.kinds.refill())
            }
        }
    }

    /// Goes to the first or the last of the list that has the focus.
    pub fn first_or_last(&mut self, first: bool) -> Vec<Effect> {
        match self.focus {
            Focus::Attributes => {
                let asked = self.attributes.jump(if first { Anchor::First } else { Anchor::Last });
                self.ask_attributes(Some(asked))
            }
            Focus::Kinds => ask_kinds(Some(self.kinds.jump(if first { Anchor::First } else { Anchor::Last }))),
        }
    }

    /// Half of what the focused list shows.
    pub fn half(&self) -> i64 {
        match self.focus {
            Focus::Attributes => self.attributes.half(),
            Focus::Kinds => self.kinds.half(),
        }
    }

    /// Shows other attributes, or in another order, from the first.
    pub fn from_the_first(&mut self) -> Vec<Effect> {
        let asked = self.attributes.jump(Anchor::First);
        self.ask_attributes(Some(asked))
    }

    pub(super) fn ask_attributes(&self, asked: Option<Asked<Line>>) -> Vec<Effect> {
        let (found, order) = (self.found.clone(), self.order);
        let question = |Asked { generation, around }| Question::Attributes { generation, around, found, order };
        asked.map(|asked| ask(question(asked))).into_iter().collect()
    }
}

fn ask_kinds(asked: Option<Asked<KindLine>>) -> Vec<Effect> {
    let question = |Asked { generation, around }| Question::Kinds { generation, around };
    asked.map(|asked| ask(question(asked))).into_iter().collect()
}

pub(super) const fn ask(question: Question) -> Effect {
    Effect::Policy { number: 0, question }
}
