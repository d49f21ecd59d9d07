//! A form: fields to fill in, then a look at what will be written, then `y`. Enter never writes.

use tui_input::{Input, InputRequest};

use super::key::{Code, Key};
use crate::core::order::{Order, Outcome};
use crate::core::pair::Pair;

/// What a form is for; its drafts are kept under this and the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    OverrideLeft,
    OverrideRight,
    BothTrue,
    AcrossEpochs,
    OneSubject,
    TwoSubjects,
    Seen,
    Rederive,
    WithdrawRecord,
    WithdrawBatch,
    Declare,
    DeferUntil,
    Note,
    Facets,
}

/// In a field of text: what stands in it goes to the user's editor.
pub const EDIT: Key = Key::ctrl('e');

/// One field.
#[derive(Clone, Debug)]
pub struct Field {
    pub name: &'static str,
    pub hint: String,
    pub entry: Entry,
    /// A text may have several lines.
    pub lines: bool,
}

/// What is entered in a field.
#[derive(Clone, Debug)]
pub enum Entry {
    Text(Input),
    Choice { options: Vec<String>, at: usize },
}

/// Where the reviewer is in it.
#[derive(Clone, Debug, PartialEq)]
pub enum Stage {
    Filling,
    /// Everything is there; the order is shown, with what it would do, and waits for `y` (or a name, typed).
    Confirming(Box<Confirming>),
}

/// What waits to be confirmed.
#[derive(Clone, Debug, PartialEq)]
pub struct Confirming {
    pub order: Order,
    /// The preview asked for by this number.
    pub number: u64,
    pub preview: Option<Outcome>,
    /// The name that must be typed, and what has been typed of it.
    pub typed: Option<(String, String)>,
}

/// A form being filled in.
#[derive(Clone, Debug)]
pub struct Form {
    pub purpose: Purpose,
    /// The pair as it was when the form was opened: the order holds against that revision only.
    pub pair: Option<Box<Pair>>,
    pub title: String,
    /// What it will do, in a sentence.
    pub about: String,
    pub fields: Vec<Field>,
    pub focus: usize,
    pub stage: Stage,
    pub error: Option<String>,
}

/// What a key did to a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Something typed, or nothing.
    Stay,
    /// Closed: what was typed is kept as a draft.
    Close,
    /// Every field is passed: is it complete?
    Complete,
    /// Confirmed: write.
    Write,
}

impl Form {
    pub fn new(purpose: Purpose, title: String, about: String, fields: Vec<Field>) -> Self {
        Self { purpose, pair: None, title, about, fields, focus: 0, stage: Stage::Filling, error: None }
    }

    /// The form, about this pair.
    #[must_use]
    pub fn on(self, pair: &Pair) -> Self {
        Self { pair: Some(Box::new(pair.clone())), ..self }
    }

    /// What stands in a text field, or the name of what is chosen; trimmed.
    pub fn value(&self, name: &str) -> &str {
        self.fields.iter().find(|field| field.name == name).map_or("", Field::value).trim()
    }

    /// Everything entered, for a draft.
    pub fn draft(&self) -> Vec<(&'static str, String)> {
        self.fields.iter().map(|field| (field.name, field.value().to_owned())).collect()
    }

    /// Fills in a draft.
    pub fn restore(&mut self, draft: &[(&'static str, String)]) {
        for (name, text) in draft {
            if let Some(field) = self.fields.iter_mut().find(|field| field.name == *name) {
                field.set(text);
            }
        }
    }

    /// Back to a field, with what is wrong with it.
    pub fn object(&mut self, name: &str, error: String) {
        self.stage = Stage::Filling;
        self.focus = self.fields.iter().position(|field| field.name == name).unwrap_or(self.focus);
        self.error = Some(error);
    }

    /// What stands in the field with the cursor, if it is a text and there is still something to fill in.
    pub fn editable(&self) -> Option<&str> {
        let field = self.fields.get(self.focus).filter(|_| self.stage == Stage::Filling)?;
        match &field.entry {
            Entry::Text(input) => Some(input.value()),
            Entry::Choice { .. } => None,
        }
    }

    /// What stands in that field from now on; a field of one line takes it on one line.
    pub fn edited(&mut self, text: &str) {
        if self.editable().is_none() {
            return;
        }
        if let Some(field) = self.fields.get_mut(self.focus) {
            field.set("");
            field.paste(text);
        }
    }

    /// Text that was pasted goes where the cursor is.
    pub fn paste(&mut self, text: &str) {
        match (&mut self.stage, self.fields.get_mut(self.focus)) {
            (Stage::Confirming(confirming), _) => {
                if let Some((_, typed)) = &mut confirming.typed {
                    typed.push_str(text.trim());
                }
            }
            (Stage::Filling, Some(field)) => field.paste(text),
            (Stage::Filling, None) => {}
        }
    }

    /// A key in the form.
    pub fn key(&mut self, key: Key) -> Step {
        if key == Key::ctrl('c') {
            return Step::Close;
        }
        match &mut self.stage {
            Stage::Filling => self.fill(key),
            Stage::Confirming(confirming) => {
                let step = confirming.key(key);
                if step == Step::Close {
                    self.stage = Stage::Filling;
                    return Step::Stay;
                }
                step
            }
        }
    }

    fn fill(&mut self, key: Key) -> Step {
        self.error = None;
        let last = self.fields.len().saturating_sub(1);
        let lines = self.fields.get(self.focus).is_some_and(|field| field.lines);
        match key.code {
            Code::Esc => return Step::Close,
            Code::Enter if key.alt && lines => self.paste("\n"),
            Code::Enter if self.focus >= last => return Step::Complete,
            Code::Enter | Code::Tab | Code::Down => {
                self.focus = if self.focus >= last { 0 } else { self.focus + 1 }
            }
            Code::BackTab | Code::Up => self.focus = self.focus.checked_sub(1).unwrap_or(last),
            Code::Char(_)
            | Code::Backspace
            | Code::Delete
            | Code::Left
            | Code::Right
            | Code::Home
            | Code::End
            | Code::PageUp
            | Code::PageDown
            | Code::F(_) => {
                if let Some(field) = self.fields.get_mut(self.focus) {
                    field.key(key);
                }
            }
        }
        Step::Stay
    }
}

impl Confirming {
    fn key(&mut self, key: Key) -> Step {
        match (key.code, &mut self.typed) {
            (Code::Esc, _) => return Step::Close,
            (Code::Char('y'), None) if key == Key::char('y') => return Step::Write,
            (Code::Enter, Some((name, typed))) if name == typed => return Step::Write,
            (Code::Backspace, Some((_, typed))) => {
                typed.pop();
            }
            (Code::Char(char), Some((_, typed))) if !key.ctrl && !key.alt => typed.push(char),
            _ => {}
        }
        Step::Stay
    }
}

impl Field {
    pub fn text(name: &'static str, hint: &str) -> Self {
        Self { name, hint: hint.to_owned(), entry: Entry::Text(Input::default()), lines: false }
    }

    /// A text of as many lines as it takes.
    pub fn lines(name: &'static str, hint: &str) -> Self {
        Self { lines: true, ..Self::text(name, hint) }
    }

    pub fn choice(name: &'static str, hint: &str, options: &[&str]) -> Self {
        let options = options.iter().map(|option| (*option).to_owned()).collect();
        Self { name, hint: hint.to_owned(), entry: Entry::Choice { options, at: 0 }, lines: false }
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

    fn set(&mut self, text: &str) {
        match &mut self.entry {
            Entry::Text(input) => *input = Input::new(text.to_owned()),
            Entry::Choice { options, at } => *at = options.iter().position(|option| option == text).unwrap_or(*at),
        }
    }

    fn paste(&mut self, text: &str) {
        match &mut self.entry {
            Entry::Text(input) if self.lines => paste_lines(input, text),
            Entry::Text(input) => paste(input, text),
            Entry::Choice { .. } => {}
        }
    }

    fn key(&mut self, key: Key) {
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
