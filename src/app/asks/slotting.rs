//! Sentences into slots by hand: what is in no slot, and what it would do to read something out of it.

use crate::core::record::RecordId;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// The sentences out of which nothing was read, in the order of their arrival, and no more than so many.
    Left(usize),
    /// What a reading would do: computed, and rolled back.
    Try(Reading),
    /// The reading, written.
    Write(Reading),
}

/// What comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Left(Vec<Sentence>),
    Tried(Came),
    Written(Came),
}

/// A record in no slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    pub record: RecordId,
    pub subject: String,
    pub text: String,
    /// Its source kind.
    pub kind: Option<String>,
}

/// What a reviewer reads in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    pub record: RecordId,
    pub attribute: String,
    /// Stands in the sentence, letter by letter.
    pub value: String,
    /// It is kept as a rule: other sentences of that form are read too, now and from now on.
    pub keep: bool,
}

/// What a reading does, or would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Came {
    /// The other sentences that the rule reads.
    pub others: u64,
    /// The first few of them: subject, sentence, and what is read.
    pub examples: Vec<[String; 3]>,
    /// How the new records land, in words, the most frequent first.
    pub outcomes: Vec<(String, u64)>,
    pub pairs_opened: u64,
    pub pairs_closed: u64,
    /// The batch in which they come: withdrawn, they are gone.
    pub batch: String,
    /// The form that the rule looks for, where it is kept.
    pub form: Option<String>,
    /// Where the rule was kept, or why it could not be.
    pub kept: Option<Result<String, String>>,
}
