//! The preview of one decision for many: what the core says of each pair, what the stroke would do, how much of it is to
//! be written, and the word that writes it.

use tui_input::Input;

use super::bulk::{Choice, Ordered, Sorted, Stroke};
use super::form::{edit, paste};
use super::key::{Code, Key};

/// Lines that a page of the list of pairs goes on by.
const PAGE: isize = 10;

/// The word that writes a bulk.
pub const YES: &str = "yes";

/// The preview of one decision for many.
#[derive(Clone, Debug)]
pub struct Bulk {
    pub choice: Choice,
    pub number: u64,
    pub marked: usize,
    /// What the core says; none before it has come.
    pub sorted: Option<Sorted>,
    pub way: Way,
    /// The reason for all overrides, or one for each.
    pub reasons: Vec<Input>,
    pub at: At,
    pub typed: String,
    /// The list of every pair lies over it, from this line on.
    pub listed: Option<usize>,
}

/// How much is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// What is allowed; the rest stays in the queue.
    #[default]
    Allowed,
    /// The overrides too, one reason for all of them.
    OneReason,
    /// The overrides too, each with a reason of its own.
    EachReason,
}

/// What is being typed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum At {
    /// One of the reasons.
    Reason(usize),
    #[default]
    Yes,
}

/// What a key did to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Stay,
    Close,
    Write,
}

impl Bulk {
    pub fn new(choice: Choice, number: u64, marked: usize) -> Self {
        let (reasons, typed) = (Vec::new(), String::new());
        Self { choice, number, marked, sorted: None, way: Way::Allowed, reasons, at: At::Yes, typed, listed: None }
    }

    /// The core has answered.
    pub fn answer(&mut self, sorted: Sorted) {
        self.reasons = vec![Input::default(); sorted.overrides.len()];
        self.sorted = Some(sorted);
    }

    /// The ways there are: only one, where nothing needs an override.
    pub fn ways(&self) -> &'static [Way] {
        match self.sorted.as_ref().map_or(0, |sorted| sorted.overrides.len()) {
            0 => &[Way::Allowed],
            1 => &[Way::Allowed, Way::OneReason],
            _ => &[Way::Allowed, Way::OneReason, Way::EachReason],
        }
    }

    /// What is written in the way that is chosen.
    pub fn orders(&self) -> Vec<Ordered> {
        let Some(sorted) = &self.sorted else { return Vec::new() };
        let mut orders = sorted.allowed.clone();
        if self.way != Way::Allowed {
            let reasons: Vec<String> = self.reasons().iter().map(|input| input.value().trim().to_owned()).collect();
            orders.extend(sorted.overriding(&reasons));
            orders.sort_by_key(Ordered::pair);
        }
        orders
    }

    /// How many rulings the chosen way asks for.
    pub fn many(&self) -> usize {
        let Some(sorted) = &self.sorted else { return 0 };
        sorted.allowed.len() + if self.way == Way::Allowed { 0 } else { sorted.overrides.len() }
    }

    /// What the chosen way would do.
    pub fn would(&self) -> Option<&Stroke> {
        let sorted = self.sorted.as_ref()?;
        if self.way == Way::Allowed { Some(&sorted.would) } else { sorted.would_override.as_ref() }
    }

    /// The reasons that the chosen way wants.
    pub fn reasons(&self) -> &[Input] {
        let wanted = match self.way {
            Way::Allowed => 0,
            Way::OneReason => 1,
            Way::EachReason => self.reasons.len(),
        };
        self.reasons.get(..wanted).unwrap_or_default()
    }

    fn is_reasoned(&self) -> bool {
        self.reasons().iter().all(|input| !input.value().trim().is_empty())
    }

    /// Pasted text goes into a reason. A pasted confirmation is no confirmation: it goes nowhere; says whether it went.
    pub fn paste(&mut self, text: &str) -> bool {
        let At::Reason(at) = self.at else { return false };
        self.reasons.get_mut(at).map(|input| paste(input, text)).is_some()
    }

    /// A key in the preview. Enter writes only behind the word, and only where every reason is given.
    pub fn key(&mut self, key: Key) -> Step {
        if self.listed.is_some() {
            return self.in_list(key);
        }
        if key.code == Code::Esc || key == Key::ctrl('c') {
            return Step::Close;
        }
        if key.alt || (key.held && key.code != Code::Backspace) {
            return Step::Stay;
        }
        match key.code {
            Code::Down => self.choose(1),
            Code::Up => self.choose(-1),
            Code::PageDown if self.sorted.is_some() => self.listed = Some(0),
            Code::Tab => self.go(1),
            Code::BackTab => self.go(-1),
            Code::Enter if self.at == At::Yes => {
                if self.typed == YES && self.many() > 0 {
                    if self.is_reasoned() {
                        return Step::Write;
                    }
                    self.at = At::Reason(self.first_empty());
                }
            }
            Code::Enter => self.go(1),
            Code::Char(_)
            | Code::Backspace
            | Code::Delete
            | Code::Left
            | Code::Right
            | Code::Home
            | Code::End
            | Code::PageUp
            | Code::PageDown
            | Code::F(_) => self.text(key),
            Code::Esc => {}
        }
        Step::Stay
    }

    /// A key in the list of every pair. Nothing is written from there: the preview is where that is asked.
    fn in_list(&mut self, key: Key) -> Step {
        let Some(line) = self.listed else { return Step::Stay };
        let most = self.marked.saturating_sub(1);
        let to = |by: isize| Some(line.saturating_add_signed(by).min(most));
        self.listed = match key.code {
            Code::Esc | Code::Enter | Code::Char('q') => None,
            Code::Char('c') if key.ctrl => None,
            Code::PageUp if line == 0 => None,
            Code::Down | Code::Char('j') => to(1),
            Code::Up | Code::Char('k') => to(-1),
            Code::PageDown => to(PAGE),
            Code::PageUp => to(-PAGE),
            Code::Home => Some(0),
            Code::End => Some(most),
            Code::Char(_)
            | Code::Tab
            | Code::BackTab
            | Code::Backspace
            | Code::Delete
            | Code::Left
            | Code::Right
            | Code::F(_) => Some(line),
        };
        Step::Stay
    }

    fn text(&mut self, key: Key) {
        match (self.at, key.code) {
            (At::Reason(at), _) => {
                if let Some(input) = self.reasons.get_mut(at) {
                    edit(input, key);
                }
            }
            (At::Yes, Code::Char(char)) if !key.ctrl && self.typed.len() < 12 => self.typed.push(char),
            (At::Yes, Code::Backspace) => {
                self.typed.pop();
            }
            (At::Yes, _) => {}
        }
    }

    fn first_empty(&self) -> usize {
        self.reasons().iter().position(|input| input.value().trim().is_empty()).unwrap_or(0)
    }

    /// Another way. The word is typed anew for it.
    fn choose(&mut self, by: isize) {
        let ways = self.ways();
        let at = ways.iter().position(|way| *way == self.way).unwrap_or(0);
        let next = ways.get(at.saturating_add_signed(by)).copied().unwrap_or(self.way);
        if next != self.way {
            (self.way, self.typed) = (next, String::new());
            self.at =
                if next == Way::Allowed || self.is_reasoned() { At::Yes } else { At::Reason(self.first_empty()) };
        }
    }

    /// From reason to reason, to the word, and round again.
    fn go(&mut self, by: isize) {
        let stops = self.reasons().len() + 1;
        let at = if let At::Reason(at) = self.at { at } else { stops - 1 };
        let next = (at + stops).saturating_add_signed(by) % stops;
        self.at = if next + 1 == stops { At::Yes } else { At::Reason(next) };
    }
}
