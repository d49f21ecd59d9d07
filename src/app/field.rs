//! A field of a form: a text, of one line or of many, or a choice; and what may be offered for it.

use tui_input::{Input, InputRequest};

use super::key::{Code, Key};
use super::listed::quoted;

/// One field.
#[derive(Clone, Debug)]
pub struct Field {
    pub name: &'static str,
    pub hint: String,
    pub entry: Entry,
    /// Values to choose from, each with how many have it; more than these may be entered.
    pub offers: Vec<(String, u64)>,
    /// A text may have several lines.
    pub lines: bool,
}

/// What is entered in a field.
#[derive(Clone, Debug)]
pub enum Entry {
    Text(Input),
    Choice { options: Vec<String>, at: usize },
}

impl Field {
    pub fn text(name: &'static str, hint: &str) -> Self {
        Self::of(name, hint, Entry::Text(Input::default()))
    }

    /// A text of as many lines as it takes.
    pub fn lines(name: &'static str, hint: &str) -> Self {
        Self { lines: true, ..Self::text(name, hint) }
    }

    pub fn choice(name: &'static str, hint: &str, options: &[&str]) -> Self {
        let options = options.iter().map(|option| (*option).to_owned()).collect();
        Self::of(name, hint, Entry::Choice { options, at: 0 })
    }

    fn of(name: &'static str, hint: &str, entry: Entry) -> Self {
        Self { name, hint: hint.to_owned(), entry, offers: Vec::new(), lines: false }
    }

    /// The field with values to choose from.
    #[must_use]
    pub fn offering(mut self, offers: Vec<(String, u64)>) -> Self {
        self.offers = offers;
        self
    }

    /// The offers that go with what is being typed behind the last comma; all of them once one of them stands there.
    pub fn offered(&self) -> Vec<&(String, u64)> {
        let typed = self.last_typed();
        let stands = typed.is_empty() || self.offers.iter().any(|(value, _)| quoted(value) == typed);
        let goes_with = |offer: &&(String, u64)| stands || offer.0.contains(typed);
        self.offers.iter().filter(goes_with).collect()
    }

    fn last_typed(&self) -> &str {
        let text = self.value();
        let last = text.rsplit_once(',').map_or(text, |(_, last)| last);
        last.trim().trim_start_matches('!')
    }

    /// Puts the next of the offers in the place of what is being typed.
    fn take_offer(&mut self) {
        let typed = self.last_typed().to_owned();
        let offered: Vec<String> = self.offered().into_iter().map(|(value, _)| quoted(value)).collect();
        let at = offered.iter().position(|value| *value == typed).map_or(0, |at| (at + 1) % offered.len());
        let Some(next) = offered.get(at) else { return };
        let Entry::Text(input) = &mut self.entry else { return };
        let kept = input.value().trim_end().strip_suffix(typed.as_str()).unwrap_or_default();
        *input = Input::new(format!("{kept}{next}"));
    }

    /// The field with something in it from the start.
    #[must_use]
    pub fn holding(mut self, text: &str) -> Self {
        self.set(text);
        self
    }

    pub fn value(&self) -> &str {
        match &self.entry {
            Entry::Text(input) => input.value(),
            Entry::Choice { options, at } => options.get(*at).map_or("", String::as_str),
        }
    }

    pub(super) fn set(&mut self, text: &str) {
        match &mut self.entry {
            Entry::Text(input) => *input = Input::new(text.to_owned()),
            Entry::Choice { options, at } => *at = options.iter().position(|option| option == text).unwrap_or(*at),
        }
    }

    pub(super) fn paste(&mut self, text: &str) {
        match &mut self.entry {
            Entry::Text(input) if self.lines => paste_lines(input, text),
            Entry::Text(input) => paste(input, text),
            Entry::Choice { .. } => {}
        }
    }

    pub(super) fn key(&mut self, key: Key) {
        let at_end = matches!(&self.entry, Entry::Text(input) if input.cursor() == input.value().chars().count());
        if at_end && key.code == Code::Right && !self.offers.is_empty() {
            self.take_offer();
            return;
        }
        match &mut self.entry {
            Entry::Text(input) => edit(input, key),
            Entry::Choice { options, at } => {
                let many = options.len().max(1);
                if [Code::Right, Code::Char(' ')].contains(&key.code) {
                    *at = (*at + 1) % many;
                } else if key.code == Code::Left {
                    *at = (*at + many - 1) % many;
                }
            }
        }
    }
}

/// Edits one line of text as terminals do.
pub fn edit(input: &mut Input, key: Key) {
    let request = match (key.code, key.ctrl) {
        _ if key.alt => None,
        (Code::Char('u'), true) => Some(InputRequest::DeleteFromStart),
        (Code::Char('k'), true) => Some(InputRequest::DeleteTillEnd),
        (Code::Char('w'), true) => Some(InputRequest::DeletePrevWord),
        (Code::Char(char), false) => Some(InputRequest::InsertChar(char)),
        (Code::Backspace, false) => Some(InputRequest::DeletePrevChar),
        (Code::Delete, false) => Some(InputRequest::DeleteNextChar),
        (Code::Left, false) => Some(InputRequest::GoToPrevChar),
        (Code::Right, false) => Some(InputRequest::GoToNextChar),
        (Code::Left, true) => Some(InputRequest::GoToPrevWord),
        (Code::Right, true) => Some(InputRequest::GoToNextWord),
        (Code::Home, _) => Some(InputRequest::GoToStart),
        (Code::End, _) => Some(InputRequest::GoToEnd),
        _ => None,
    };
    if let Some(request) = request {
        let _changed = input.handle(request);
    }
}

/// Puts a pasted text in at the cursor: its line breaks become spaces, for a field is one line.
pub fn paste(input: &mut Input, text: &str) {
    for char in text.trim_end_matches(['\r', '\n']).chars() {
        let char = if matches!(char, '\r' | '\n') { ' ' } else { char };
        let _changed = input.handle(InputRequest::InsertChar(char));
    }
}

/// Puts a text in at the cursor with its line breaks, however they were written.
fn paste_lines(input: &mut Input, text: &str) {
    for char in text.replace("\r\n", "\n").replace('\r', "\n").chars() {
        let _changed = input.handle(InputRequest::InsertChar(char));
    }
}
