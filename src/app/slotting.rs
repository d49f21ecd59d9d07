//! The lane of sentences in no slot: a reviewer reads an attribute and a value out of one, may keep that as a rule, and
//! sees what it would do before it is written.

pub(super) mod keys;

use super::asks::slotting::{Came, Reading, Sentence};
use super::form::{Field, Form, Objection, Purpose};

/// The most that are listed at once.
pub const MOST: usize = 1_000;

const ONE: &str = "this sentence only";
const RULE: &str = "as a rule, for others like it too";

/// The lane.
#[derive(Clone, Debug, Default)]
pub struct Slotting {
    /// Of the work whose answer it waits for.
    pub number: u64,
    /// What is in no slot; none before it has come.
    pub sentences: Option<Vec<Sentence>>,
    pub at: usize,
    /// The form over it, and what is tried with it.
    pub form: Option<Form>,
    pub tried: Option<Tried>,
}

/// A reading that waits to be confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    pub reading: Reading,
    /// What it would do, once that is known.
    pub came: Option<Came>,
}

impl Slotting {
    /// The sentence that is selected.
    pub fn current(&self) -> Option<&Sentence> {
        self.sentences.as_ref()?.get(self.at)
    }

    pub(super) fn len(&self) -> usize {
        self.sentences.as_ref().map_or(0, Vec::len)
    }

    pub(super) fn step(&mut self, by: isize) {
        self.at = self.at.saturating_add_signed(by).min(self.len().saturating_sub(1));
    }

    /// What has come takes its place; who had read further stays where he was.
    pub(super) fn list(&mut self, sentences: Vec<Sentence>) {
        self.sentences = Some(sentences);
        self.step(0);
    }

    /// Text that was pasted goes into the form; whether there is one to take it.
    pub(super) fn paste(&mut self, text: &str) -> bool {
        let form = self.form.as_mut().filter(|_| self.tried.is_none());
        form.map(|form| form.paste(text)).is_some()
    }
}

/// The form in which a sentence is read.
pub(super) fn form(sentence: &Sentence) -> Form {
    let about = format!("Of {}: {}", sentence.subject, sentence.text);
    let fields = vec![
        Field::text("attribute", "home_city, employer, allergy …"),
        Field::text("value", "as it stands in the sentence, letter by letter"),
        Field::choice("reads", "← → a rule is tried on all the other sentences first", &[ONE, RULE]),
    ];
    Form::new(Purpose::Slot, "Read a sentence into a slot".to_owned(), about, fields)
}

/// The reading that the filled form makes.
pub(super) fn reading(form: &Form, sentence: &Sentence) -> Result<Reading, Objection> {
    let (attribute, value) = (form.value("attribute"), form.value("value"));
    if attribute.is_empty() {
        return Err(("attribute", "an attribute is needed: what the sentence says something of".to_owned()));
    }
    if value.is_empty() {
        return Err(("value", "a value is needed".to_owned()));
    }
    if !sentence.text.contains(value) {
        return Err(("value", "this does not stand in the sentence: the sentence is its evidence".to_owned()));
    }
    Ok(Reading {
        record: sentence.record.clone(),
        attribute: attribute.to_owned(),
        value: value.to_owned(),
        keep: form.value("reads") == RULE,
    })
}
