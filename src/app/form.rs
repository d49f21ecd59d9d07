//! A form: fields to fill in, then a look at what will be written, then `y`. Enter never writes.

use super::asks::log::Saying;
pub use super::field::{Entry, Field, edit, paste};
use super::key::{Code, Key};
use super::standing::Standing;
use super::trial::Trial;
use crate::core::order::{Order, Outcome};
use crate::core::pair::Pair;
use crate::core::record::{Attribute, Batch, RecordId};
use crate::core::ruling::{PairId, RulingId};

/// What a form is for; its drafts are kept under this and what it is about.
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
    /// An attribute and a value out of a sentence.
    Slot,
    Dispute,
    Facets,
    /// A form of the log screen, which knows what follows from it.
    Log(Logged),
}

/// What a form of the log screen is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Logged {
    Facets,
    /// Contest what the core settled.
    Dispute,
    /// Draw a sample of rulings.
    Sample,
    Says(Says),
}

/// What an auditor says of a ruling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Says {
    Agree,
    Disagree,
    /// What he would have ruled, before he has seen the ruling.
    Blind,
}

/// A field, by name, and what is wrong with it.
pub type Objection = (&'static str, String);

/// In a field of text: what stands in it goes to the user's editor.
pub const EDIT: Key = Key::ctrl('e');

/// Where the reviewer is in it.
#[derive(Clone, Debug, PartialEq)]
pub enum Stage {
    Filling,
    /// Everything is there; the order is shown, with what it would do, and waits for `y` (or a name, typed).
    Confirming(Box<Confirming>),
    /// What an auditor says is shown, and waits for `y`.
    Saying(Box<Saying>),
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
    pub matter: Matter,
    pub title: String,
    /// What it will do, in a sentence.
    pub about: String,
    pub fields: Vec<Field>,
    pub focus: usize,
    pub stage: Stage,
    pub error: Option<String>,
    /// What it would do, where that is computed while it is filled in.
    pub trial: Option<Trial>,
}

/// What a form is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Matter {
    /// Nothing that is ruled on.
    Nothing,
    /// The pair as it was when the form was opened: the order holds against that revision only.
    Pair(Box<Pair>),
    Batch(Batch),
    /// An attribute, with what was declared of it when the form was opened.
    Attribute(Box<Standing>),
    Dispute(Box<Disputed>),
    /// Two records that the core ranked: the winner, the loser.
    Records(RecordId, RecordId),
    /// A ruling that an auditor speaks about.
    Ruling(RulingId),
    /// So many marked pairs.
    Marked(usize),
}

/// A record, and those that the core settled it against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disputed {
    pub record: RecordId,
    pub against: Vec<RecordId>,
}

/// What a draft is kept for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kept {
    Pair(PairId),
    Batch(Batch),
    Attribute(Attribute),
    Record(RecordId),
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
        Self {
            purpose,
            matter: Matter::Nothing,
            title,
            about,
            fields,
            focus: 0,
            stage: Stage::Filling,
            error: None,
            trial: None,
        }
    }

    /// The form, about this.
    #[must_use]
    pub fn on(self, pair: &Pair) -> Self {
        self.about(Matter::Pair(Box::new(pair.clone())))
    }

    /// The form, about this.
    #[must_use]
    pub fn about(self, matter: Matter) -> Self {
        Self { matter, ..self }
    }

    /// What is declared of the attribute that it is about.
    pub fn standing(&self) -> Option<Standing> {
        match &self.matter {
            Matter::Pair(pair) => Some(Standing::of(pair)),
            Matter::Attribute(standing) => Some((**standing).clone()),
            Matter::Nothing
            | Matter::Batch(_)
            | Matter::Dispute(_)
            | Matter::Records(..)
            | Matter::Ruling(_)
            | Matter::Marked(_) => None,
        }
    }

    /// How many marked pairs it is about, where it is about them.
    pub const fn marked(&self) -> Option<usize> {
        if let Matter::Marked(many) = self.matter { Some(many) } else { None }
    }

    /// What stands in a text field, or the name of what is chosen; trimmed.
    pub fn value(&self, name: &str) -> &str {
        self.fields.iter().find(|field| field.name == name).map_or("", Field::value).trim()
    }

    /// The number of the preview that is being computed.
    pub const fn computing(&self) -> Option<u64> {
        match &self.stage {
            Stage::Confirming(confirming) if confirming.preview.is_none() => Some(confirming.number),
            Stage::Confirming(_) | Stage::Filling | Stage::Saying(_) => None,
        }
    }

    /// The pair that it is about, where it is one.
    pub fn pair(&self) -> Option<&Pair> {
        if let Matter::Pair(pair) = &self.matter { Some(pair) } else { None }
    }

    /// What its draft is kept under; none where nothing is kept.
    pub fn kept(&self) -> Option<(Purpose, Kept)> {
        let of = match &self.matter {
            Matter::Nothing => return None,
            Matter::Pair(pair) => Kept::Pair(pair.entry.pair),
            Matter::Batch(batch) => Kept::Batch(batch.clone()),
            Matter::Attribute(standing) => Kept::Attribute(standing.attribute.clone()),
            Matter::Dispute(disputed) => Kept::Record(disputed.record.clone()),
            // The log keeps what was typed in its own forms; one for many stays under its preview.
            Matter::Records(..) | Matter::Ruling(_) | Matter::Marked(_) => return None,
        };
        Some((self.purpose, of))
    }

    /// Which of the options of a choice is chosen, counted from 0.
    pub fn chosen(&self, name: &str) -> Option<usize> {
        let field = self.fields.iter().find(|field| field.name == name)?;
        if let Entry::Choice { at, .. } = &field.entry { Some(*at) } else { None }
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
            (Stage::Filling, None) | (Stage::Saying(_), _) => {}
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
            Stage::Saying(_) if key == Key::char('y') => Step::Write,
            Stage::Saying(_) => {
                if key.code == Code::Esc {
                    self.stage = Stage::Filling;
                }
                Step::Stay
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
            Code::Enter if self.focus >= last || self.purpose == Purpose::Declare => return Step::Complete,
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

impl Matter {
    /// In a word.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Nothing | Self::Pair(_) => "pair",
            Self::Batch(_) => "batch",
            Self::Attribute(_) => "attribute",
            Self::Dispute(_) | Self::Records(..) | Self::Ruling(_) | Self::Marked(_) => "record",
        }
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
