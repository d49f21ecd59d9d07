//! The whole state of the terminal program.

use std::collections::BTreeMap;

use super::batches::Batches;
use super::dialog::Dialog;
use super::form::{Form, Kept, Purpose};
use super::geometry::{Geometry, Size};
use super::history::History;
use super::keymap::{Command, Common, Keymap, Place, Screen};
use super::list::Anchor;
use super::log::Log;
use super::look::{Look, Paint, Role};
use super::msg::Effect;
use super::policy::Policy;
use super::port::Filter;
use super::session::Session;
use super::triage::Triage;
use crate::core::pair::Entry;
use crate::core::ruling::{PairId, RulingId};
use crate::core::time::Instant;

/// What the program is started with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// The name of the store, for the header.
    pub store: String,
    pub actor: String,
    pub look: Look,
    /// Nothing is written: keys that would write say so.
    pub read_only: bool,
    pub keymap: Keymap,
    /// Styles that the user has chosen instead of those of the look.
    pub styles: Vec<(Role, Paint)>,
    /// Borders and signs are drawn in ASCII.
    pub ascii: bool,
    /// The mouse works, and takes the selection of text from the terminal.
    pub mouse: bool,
    /// What is said before anything else, to be read once.
    pub greeting: Vec<String>,
}

/// The state: each screen has a sub-model of its own.
#[derive(Clone, Debug)]
pub struct Model {
    pub setup: Setup,
    pub size: Size,
    pub screen: Screen,
    pub triage: Triage,
    pub history: History,
    pub batches: Batches,
    pub log: Log,
    pub policy: Policy,
    /// The screens that were left for this one, the last last: Esc goes back there.
    pub trail: Vec<Screen>,
    /// Long work that is under way: shown with how far it is, and cancelled by Esc.
    pub working: Option<Working>,
    /// Looks at the world that go on beside other long work: shown again when that has ended.
    pub(super) looking: Option<Working>,
    /// The open dialogs, the innermost last.
    pub dialogs: Vec<Dialog>,
    pub said: Option<Said>,
    pub session: Session,
    /// What is being written: no other decision is taken meanwhile.
    pub pending: Option<Pending>,
    /// The latest time that came with a message.
    pub now: Instant,
    /// What was typed in forms that were left without writing.
    pub(super) drafts: BTreeMap<(Purpose, Kept), Vec<(&'static str, String)>>,
    /// The pair that others changed first: once it has come, the reviewer is shown what it is now.
    pub(super) overtaken: Option<(PairId, Overtaken)>,
    /// The pair that was looked at when others wrote: if it leaves the list, the reviewer is told who ruled.
    pub(super) watched: Option<PairId>,
    /// The last preview or sorting asked for; answers to others are dropped.
    pub(super) number: u64,
    /// The key that opened the innermost menu, and when it was last pressed: held, it chooses nothing.
    pub(super) opener: Option<(super::key::Key, Instant)>,
}

/// Long work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Working {
    pub number: u64,
    /// In words: `sorting 412 pairs`.
    pub what: String,
    /// How far it is, once it has said so: so many of so many.
    pub progress: Option<(u64, u64)>,
}

/// What the last key did, or why it did nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    pub text: String,
    pub tone: Tone,
}

/// How it is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Hint,
    Done,
    Trouble,
}

/// Orders that are with the store.
#[derive(Clone, Debug)]
pub struct Pending {
    pub what: What,
    /// The entry that was on the screen: undo goes back to it.
    pub entry: Option<Box<Entry>>,
    /// The form they came from: it comes back, as it was, if they are refused.
    pub form: Option<Form>,
    pub orders: usize,
}

/// What kind of thing is being written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    Ruling(String),
    Undo,
    Redo,
}

/// When a reviewer was overtaken by another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Overtaken {
    /// The pair was on the screen.
    Looking,
    /// A ruling on it came too late: the store's words.
    Ruling(String),
}

impl Model {
    /// The state before anything has come, and what to ask first.
    pub fn start(setup: Setup, size: Size, now: Instant) -> (Self, Vec<Effect>) {
        let mut model = Self {
            setup,
            size,
            screen: Screen::Triage,
            triage: Triage::new(),
            history: History::new(size),
            batches: Batches::default(),
            log: Log::default(),
            policy: Policy::default(),
            trail: Vec::new(),
            working: None,
            looking: None,
            dialogs: Vec::new(),
            said: None,
            session: Session::default(),
            pending: None,
            now,
            drafts: BTreeMap::new(),
            overtaken: None,
            watched: None,
            number: 0,
            opener: None,
        };
        let lines = std::mem::take(&mut model.setup.greeting);
        if !lines.is_empty() {
            model.dialogs.push(Dialog::Notice { title: "Welcome".to_owned(), lines });
        }
        model.triage.queue.list.resize(model.geometry().queue_lines);
        model.policy.resize(size);
        model.batches.list.resize(super::batches::shape::Shape::new(size).list);
        model.log.list.resize(super::log::shape::Shape::new(size, false).list);
        let effects = model.triage.queue.jump(Anchor::First);
        (model, effects)
    }

    /// Opens another screen; Esc comes back to this one.
    pub(super) fn go(&mut self, screen: Screen) -> Vec<Effect> {
        self.said = None;
        if self.screen == screen {
            return Vec::new();
        }
        self.trail.retain(|left| *left != screen);
        self.trail.push(self.screen);
        self.screen = screen;
        // Opened without a slot, the history is that of the pair that is looked at.
        if let (Screen::History, None, Some(entry)) = (screen, &self.history.of, self.triage.queue.current()) {
            self.history.show(entry.subject.clone(), entry.attribute.clone());
        }
        self.refresh()
    }

    /// Goes to a screen by its number. Triage is where everything begins: nothing lies behind it.
    pub(super) fn switch(&mut self, screen: Screen) -> Vec<Effect> {
        let effects = self.go(screen);
        if screen == Screen::Triage {
            self.trail.clear();
        }
        effects
    }

    /// Reads again what the open screen shows; what is selected stays selected.
    pub(super) fn refresh(&mut self) -> Vec<Effect> {
        match self.screen {
            Screen::Triage => {
                let mut effects = self.triage.queue.reload();
                effects.extend(self.triage.queue.current().map(|entry| Effect::Pair(entry.pair)));
                effects
            }
            Screen::History => self.history.refresh(),
            Screen::Batches => self.batches.refresh(),
            Screen::Log => self.log.refresh(),
            Screen::Policy => self.policy.refresh(),
        }
    }

    /// Opens a dialog over what is there.
    pub(super) fn open(&mut self, dialog: Dialog) -> Vec<Effect> {
        self.dialogs.push(dialog);
        Vec::new()
    }

    /// Long work begins: its number.
    pub(super) fn begin_work(&mut self, what: impl Into<String>) -> u64 {
        self.number += 1;
        self.working = Some(Working { number: self.number, what: what.into(), progress: None });
        self.number
    }

    /// Long work has ended, however it did.
    pub(super) fn end_work(&mut self, number: u64) {
        self.working.take_if(|working| working.number == number);
        self.looking.take_if(|looking| looking.number == number);
        if self.working.is_none() {
            self.working = self.looking.clone();
        }
    }

    /// Looks at the world begin: they may go on for long beside other work.
    pub(super) fn begin_looking(&mut self, what: impl Into<String>) -> u64 {
        let number = self.begin_work(what);
        self.looking.clone_from(&self.working);
        number
    }

    /// How the screen is divided now.
    pub const fn geometry(&self) -> Geometry {
        let divided = Geometry::new(self.size);
        if self.triage.full { divided.whole() } else { divided }
    }

    /// Where the keys work that are not taken by a dialog.
    pub const fn place(&self) -> Place {
        Place::On(self.screen)
    }

    /// Whether an answer of the store is on its way that will change what is seen: a pair, a first page, a ruling.
    pub fn awaits(&self) -> bool {
        let unread = self.triage.queue.current().is_some() && self.triage.pair().is_none();
        unread || self.pending.is_some() || !self.triage.queue.list.is_loaded() || self.tries()
    }

    /// Whether what a form would do is being computed.
    fn tries(&self) -> bool {
        let running = |dialog: &Dialog| matches!(dialog, Dialog::Form(form) if form.trial.as_ref().is_some_and(|trial| trial.number().is_some()));
        self.dialogs.last().is_some_and(running)
    }

    /// Why nothing can be written just now.
    pub(super) const fn cannot_write(&self) -> Option<&'static str> {
        if self.setup.read_only {
            return Some("opened read only: nothing is written");
        }
        if self.looking.is_some() {
            return Some("observers are running, and what they see is written: wait for them, or stop them");
        }
        if self.pending.is_some() { Some("the last ruling is still being written") } else { None }
    }

    /// The key of a command, as a sentence names it.
    pub fn key(&self, command: impl Into<Command>) -> String {
        self.setup.keymap.named(command.into())
    }

    /// Leads to Triage, to other pairs of the queue; what was filtered before is not in force any more.
    pub(super) fn show_pairs(&mut self, filter: Filter, anchor: Anchor<Entry>) -> Vec<Effect> {
        let queue = &mut self.triage.queue;
        (queue.filter, queue.range) = (filter, None);
        let mut effects = queue.jump(anchor);
        effects.extend(self.go(Screen::Triage));
        if let Some(from) = self.trail.last() {
            let told = format!("{} goes back to {}", self.key(Common::Back), from.name());
            self.say(Tone::Hint, told);
        }
        effects
    }

    /// The innermost menu has done its part.
    pub(super) fn close_menu(&mut self) {
        if matches!(self.dialogs.last(), Some(Dialog::Menu(_))) {
            self.dialogs.pop();
        }
    }

    pub(super) fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.said = Some(Said { text: text.into(), tone });
    }

    pub(super) fn hint(&mut self, text: impl Into<String>) -> Vec<Effect> {
        self.say(Tone::Hint, text);
        Vec::new()
    }

    /// What is left at the pace of this session: open pairs times seconds, in minutes.
    pub fn minutes_left(&self) -> Option<u64> {
        let pace = u64::try_from(self.session.pace()?).ok()?;
        Some(self.triage.queue.counts.open.saturating_mul(pace).div_ceil(60))
    }
}

impl Pending {
    pub(super) const fn new(what: What, entry: Option<Box<Entry>>, form: Option<Form>, orders: usize) -> Self {
        Self { what, entry, form, orders }
    }
}

/// `ruling 17`, `rulings 17 to 33`.
pub(super) fn rulings(numbers: &[RulingId]) -> String {
    match numbers {
        [] => "no ruling".to_owned(),
        [one] => format!("ruling {one}"),
        [first, .., last] => format!("{} rulings, {first} to {last}", numbers.len()),
    }
}
