//! Batches: what came together, how late it was written, how it fared; and one of them looked into.

pub(super) mod keys;
pub mod shape;

use super::asks::batches::Question;
use super::list::{Asked, List};
use super::msg::Effect;
use crate::core::batch::Listing;
use crate::core::batch::{Member, Picture, Summary};
use crate::core::pair::JudgedRecord;
use crate::core::record::Batch;

/// The sub-model of the screen.
#[derive(Clone, Debug, Default)]
pub struct Batches {
    pub list: List<Summary>,
    pub listing: Listing,
    /// The batch that is to be looked into once it has been read: another screen leads here.
    pub wanted: Option<Batch>,
    pub open: Option<Box<Open>>,
}

/// A batch that is looked into.
#[derive(Clone, Debug)]
pub struct Open {
    pub summary: Summary,
    pub records: List<Member>,
    /// None until it has been counted.
    pub picture: Option<Picture>,
    /// The number of the counting that is under way.
    pub(super) counting: Option<u64>,
    /// The summary that the picture was counted for.
    counted: Option<Summary>,
    /// The selected record whole, over its batch.
    pub whole: Option<Whole>,
}

/// A record on the whole screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Whole {
    pub record: Box<JudgedRecord>,
    /// Its line in the list.
    pub member: Box<Member>,
    /// Lines by which it is scrolled.
    pub down: usize,
}

impl Batches {
    /// Asks again for what is shown; what is selected stays selected.
    pub fn refresh(&mut self) -> Vec<Effect> {
        if let Some(batch) = &self.wanted {
            return vec![ask(Question::Summary(batch.clone()))];
        }
        match &mut self.open {
            Some(open) => {
                let mut effects = vec![ask(Question::Summary(open.summary.batch.clone()))];
                let asked = open.records.reload();
                effects.extend(open.ask_records(asked));
                effects
            }
            None => {
                let asked = self.list.reload();
                self.ask_list(asked)
            }
        }
    }

    /// The batch that is looked into, or selected in the list.
    pub fn current(&self) -> Option<&Summary> {
        self.open.as_ref().map(|open| &open.summary).or_else(|| self.list.current())
    }

    /// The record that is selected in the batch that is looked into.
    pub fn record(&self) -> Option<&Member> {
        self.open.as_ref().and_then(|open| open.records.current())
    }

    pub(super) fn ask_list(&self, asked: Option<Asked<Summary>>) -> Vec<Effect> {
        let listing = self.listing.clone();
        let question = |Asked { generation, around }| ask(Question::Page { generation, listing, around });
        asked.map(question).into_iter().collect()
    }
}

impl Open {
    pub(super) fn new(summary: Summary) -> Self {
        Self { summary, records: List::default(), picture: None, counting: None, counted: None, whole: None }
    }

    pub(super) fn ask_records(&self, asked: Option<Asked<Member>>) -> Vec<Effect> {
        let batch = self.summary.batch.clone();
        let question = |Asked { generation, around }| ask(Question::Records { generation, batch, around });
        asked.map(question).into_iter().collect()
    }

    /// Whether what has been counted, or is being counted, is of what the batch now is.
    pub(super) fn is_counted(&self) -> bool {
        self.counted.as_ref() == Some(&self.summary)
    }

    /// The picture is being counted for the batch as it is now.
    pub(super) fn count(&mut self, number: u64) -> Effect {
        (self.counting, self.counted) = (Some(number), Some(self.summary.clone()));
        Effect::Batches { number, question: Question::Picture(Box::new(self.summary.clone())) }
    }

    /// The counting has ended: with a picture, or without.
    pub(super) fn ended(&mut self, picture: Option<Picture>) {
        self.counting = None;
        match picture {
            Some(picture) => self.picture = Some(picture),
            None => self.counted = None,
        }
    }

    /// Whether the picture is being counted.
    pub const fn counts(&self) -> bool {
        self.counting.is_some()
    }
}

/// A quick question: its answer says itself what it is.
pub(super) const fn ask(question: Question) -> Effect {
    Effect::Batches { number: 0, question }
}
