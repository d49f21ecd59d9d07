//! The history of one slot, in both times: the plane with its crosshairs, what is answered there, and the list.

pub mod axis;
pub(super) mod keys;
pub mod layout;
pub mod view;
pub mod whole;
pub mod words;

use super::asks::history::{Believed, Crosshairs, Line, Moved, Named, Question, RecordLine, Slot, Steps};
use super::geometry::Size;
use super::list::{Anchor, Asked, List};
use super::msg::Effect;
use crate::core::plane::{Frame, Plane};
use crate::core::record::{Attribute, Subject};
use layout::Layout;
use view::View;
use whole::Shown;

/// A slot with more records than this is recalled beside the quick work: it takes longer than a key may wait.
const HEAVY: u64 = 20_000;

/// The sub-model of the history screen.
#[derive(Clone, Debug)]
pub struct History {
    /// The slot that is looked at, by the names under which it was asked for.
    pub of: Option<Named>,
    /// What the store says of it; none until it has answered.
    pub slot: Option<Box<Slot>>,
    pub list: List<Line>,
    pub focus: Focus,
    pub pace: Pace,
    pub view: View,
    /// Where the crosshairs stand.
    pub at: Crosshairs,
    /// The plane as it was last counted, with the frame that it was counted in.
    pub plane: Option<(Frame, Plane)>,
    /// What the orders say where the crosshairs stand; what the core says may be older than that.
    pub moved: Option<Box<Moved>>,
    pub believed: Option<Box<Believed>>,
    /// A line on the whole screen.
    pub whole: Option<Box<Shown>>,
    size: Size,
    /// Steps that were pressed and not answered yet.
    under_way: Steps,
    /// The last question for the crosshairs: answers to earlier ones are dropped.
    number: u64,
}

/// What the arrows up and down move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    #[default]
    List,
    Plane,
}

/// How far a crosshair goes with a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// To the next moment at which the answer may change.
    #[default]
    Change,
    /// One cell of the plane.
    Cell,
}

impl History {
    /// No slot yet, on a screen of this size.
    pub fn new(size: Size) -> Self {
        let mut history = Self {
            of: None,
            slot: None,
            list: List::default(),
            focus: Focus::List,
            pace: Pace::Change,
            view: View::default(),
            at: Crosshairs::default(),
            plane: None,
            moved: None,
            believed: None,
            whole: None,
            size,
            under_way: Steps::default(),
            number: 0,
        };
        history.list.resize(Layout::of(size).list);
        history
    }

    /// Looks at another slot: as it is today, from its first record on.
    pub fn show(&mut self, subject: Subject, attribute: Attribute) {
        let of = Named { subject, attribute };
        if self.of.as_ref() != Some(&of) {
            let number = self.number + 1;
            *self = Self { of: Some(of), number, ..Self::new(self.size) };
        }
    }

    /// How the screen is divided.
    pub const fn layout(&self) -> Layout {
        Layout::of(self.size)
    }

    /// The terminal has another size: says what must be asked for it.
    pub(super) fn resize(&mut self, size: Size) -> Vec<Effect> {
        self.size = size;
        self.list.resize(self.layout().list);
        if self.layout().plane.is_none() {
            self.focus = Focus::List;
        }
        if let Some(whole) = &mut self.whole {
            whole.lay_out(size.width);
        }
        let asked = self.list.refill();
        let mut effects = self.count();
        effects.extend(self.lines(asked));
        effects
    }

    /// The record that is selected in the list.
    pub fn record(&self) -> Option<&RecordLine> {
        self.list.current().and_then(Line::record)
    }

    /// Whether the answer at hand is the one where the crosshairs stand.
    pub fn is_answered(&self) -> bool {
        self.believed.as_ref().is_some_and(|believed| believed.at == self.at)
    }

    /// Asks again for what is shown.
    pub fn refresh(&mut self) -> Vec<Effect> {
        let Some(of) = self.of.clone() else { return Vec::new() };
        vec![ask(Question::Slot(of))]
    }

    /// The slot has come: asks for everything that is drawn of it.
    fn take(&mut self, slot: Box<Slot>) -> Vec<Effect> {
        self.slot = Some(slot);
        let asked = if self.list.is_loaded() { self.list.reload() } else { Some(self.list.jump(Anchor::First)) };
        let mut effects = self.count();
        effects.extend(self.lines(asked));
        effects.extend(self.look(Steps::default()));
        effects
    }

    /// Asks for the plane, where one is drawn.
    fn count(&self) -> Vec<Effect> {
        let (Some(of), Some(slot), Some(pane)) = (&self.of, &self.slot, self.layout().plane) else {
            return Vec::new();
        };
        vec![ask(Question::Plane { of: of.clone(), frame: self.view.frame(slot, pane) })]
    }

    /// The plane has been counted; in another frame than the one that is wanted now, it is dropped.
    fn counted(&mut self, frame: Frame, plane: Plane) {
        let wanted = self.slot.as_deref().zip(self.layout().plane).map(|(slot, pane)| self.view.frame(slot, pane));
        if wanted == Some(frame) {
            self.plane = Some((frame, plane));
        }
    }

    /// A question was not answered: the next key asks anew.
    fn failed(&mut self) {
        self.under_way = Steps::default();
        self.list.give_up();
    }

    fn lines(&self, asked: Option<Asked<Line>>) -> Vec<Effect> {
        let Some((of, Asked { generation, around })) = self.of.clone().zip(asked) else { return Vec::new() };
        vec![ask(Question::Lines { of, generation, around })]
    }

    /// Moves the crosshairs by so many changes, from where they will be when those pressed before are answered.
    fn look(&mut self, by: Steps) -> Vec<Effect> {
        let Some(of) = self.of.clone() else { return Vec::new() };
        self.number += 1;
        self.under_way.believed_at += by.believed_at;
        self.under_way.about += by.about;
        vec![ask(Question::Move { of, number: self.number, from: self.at, by: self.under_way })]
    }

    /// The crosshairs have come to a place: asks what the core answers there.
    fn landed(&mut self, number: u64, moved: Box<Moved>) -> Vec<Effect> {
        let (Some(of), Some(slot)) = (self.of.clone(), &self.slot) else { return Vec::new() };
        if number != self.number {
            return Vec::new();
        }
        self.under_way = Steps::default();
        self.at = moved.at;
        let before = self.view;
        if let Some(pane) = Layout::of(self.size).plane {
            self.view.follow(slot, self.at, pane);
        }
        let long = slot.records > HEAVY;
        let recall = Question::Recall { of, number, at: self.at, long };
        self.moved = Some(moved);
        let mut effects = if self.view == before { Vec::new() } else { self.count() };
        effects.push(ask(recall));
        effects
    }
}

impl Pace {
    /// In words, for the title of the plane.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Change => "from change to change",
            Self::Cell => "cell by cell",
        }
    }
}

/// A question that nobody cancels: its answer says itself what it is.
fn ask(question: Question) -> Effect {
    Effect::History { number: 0, question }
}
