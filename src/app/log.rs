//! The event log, newest first, and audits of a reviewer's rulings.

mod audits;
pub mod detail;
mod drafts;
mod forms;
pub(super) mod keys;
mod narrow;
pub mod piece;
mod record;
pub mod sample;
mod scrolled;
pub mod shape;
pub mod words;

use std::collections::BTreeMap;

use super::asks::log::{Chain, Event, Filter, Question, Whole};
use super::form::Logged;
use super::geometry::Size;
use super::list::{Anchor, Asked, List};
use super::msg::Effect;
use crate::core::time::Instant;
use detail::View;
use piece::Line;
use sample::Auditing;
use shape::Shape;

/// The sub-model of the screen.
#[derive(Clone, Debug, Default)]
pub struct Log {
    pub list: List<Event>,
    pub filter: Filter,
    pub chain: Chain,
    /// The selected event on the whole screen.
    pub full: bool,
    /// Lines by which the selected event is scrolled.
    pub down: usize,
    /// The audit that is under way: its sample stands in the place of the list.
    pub auditing: Option<Auditing>,
    whole: Option<Box<Whole>>,
    lines: Vec<Line>,
    /// The filter that was in force when finding began: Esc puts it back.
    before_find: Option<Filter>,
    /// What was typed in forms that were left without writing, by what they were about.
    drafts: BTreeMap<(Logged, String), Vec<(&'static str, String)>>,
    /// Whether the sample that is being drawn is to be gone through blind.
    wants_blind: bool,
    /// The event that stood at the top, selected, when the list was asked for again: newer ones move the selection up.
    at_top: Option<i64>,
}

/// A log of more events than this is searched for a text beside the quick questions.
const MANY: u64 = 100_000;

impl Log {
    /// Asks again for what is shown. What is selected stays selected; at the top, the top does.
    pub fn refresh(&mut self) -> Vec<Effect> {
        if self.list.position() == 0 {
            self.at_top = self.list.current().map(|event| event.seq);
        }
        let asked = self.list.reload();
        let mut effects = self.ask(asked);
        effects.extend(self.ask_whole());
        effects
    }

    fn refill(&mut self) -> Vec<Effect> {
        let asked = self.list.refill();
        self.ask(asked)
    }

    fn jump(&mut self, anchor: Anchor<Event>) -> Vec<Effect> {
        self.at_top = None;
        let asked = self.list.jump(anchor);
        self.ask(Some(asked))
    }

    fn ask(&self, asked: Option<Asked<Event>>) -> Vec<Effect> {
        let long = self.searches_long();
        let question =
            |Asked { generation, around }| Question::Page { generation, around, filter: self.filter.clone(), long };
        asked.map(|asked| Effect::Log { number: 0, question: question(asked) }).into_iter().collect()
    }

    /// Whether finding what the filter shows may take long.
    const fn searches_long(&self) -> bool {
        self.filter.text.is_some() && self.chain.events > MANY
    }

    /// The event that is selected: of the log, or of the sample that is audited.
    pub fn current(&self) -> Option<&Event> {
        match &self.auditing {
            Some(auditing) => auditing.current().map(|item| &item.event),
            None => self.list.current(),
        }
    }

    /// The selected event whole, once it has come.
    pub fn whole(&self) -> Option<&Whole> {
        let selected = self.current()?.seq;
        self.whole.as_deref().filter(|whole| whole.event.seq == selected)
    }

    /// The lines of the selected event.
    pub fn lines(&self) -> &[Line] {
        if self.whole().is_some() { &self.lines } else { &[] }
    }

    /// The title of the part that shows the selected event, the longest way of saying it first.
    pub fn titles(&self, now: Instant) -> Vec<String> {
        match (self.current(), self.is_hidden()) {
            (Some(event), false) => detail::titles(event, now).to_vec(),
            (Some(event), true) => vec![format!("Ruling {}, blind", event.ruling.map_or(0, |ruling| ruling.0))],
            (None, _) => vec!["No event".to_owned()],
        }
    }

    /// Asks for the selected event whole.
    fn ask_whole(&self) -> Vec<Effect> {
        let ask = |event: &Event| Effect::Log { number: 0, question: Question::Whole(event.seq) };
        self.current().map(ask).into_iter().collect()
    }

    /// Another event is selected: it is asked for, and shown from its beginning.
    fn selected(&mut self) -> Vec<Effect> {
        self.down = 0;
        self.ask_whole()
    }

    /// The event has come; one that is no longer selected is dropped.
    fn show(&mut self, whole: Option<Box<Whole>>, size: Size, now: Instant) {
        self.whole = whole;
        self.lay_out(size, now);
    }

    /// Whether what was decided is hidden: in an audit that is blind, until the auditor has spoken.
    pub fn is_hidden(&self) -> bool {
        self.auditing.as_ref().is_some_and(Auditing::hides)
    }

    /// Builds the lines of the selected event: when it comes, when the width changes, when more or less is shown of it.
    fn lay_out(&mut self, size: Size, now: Instant) {
        let shape = Shape::new(size, self.full);
        let (width, height) = (usize::from(shape.inner), usize::from(shape.whole));
        let view = View { width, height, now, full: self.full, blind: self.is_hidden() };
        self.lines = match &self.whole {
            Some(whole) => detail::lines(whole, view),
            None => Vec::new(),
        };
        self.scroll(0, shape);
    }

    /// Scrolls the selected event, as far as there is more of it.
    fn scroll(&mut self, by: i64, shape: Shape) {
        let last = self.lines.len().saturating_sub(usize::from(shape.whole));
        let by = isize::try_from(by).unwrap_or(0);
        self.down = self.down.saturating_add_signed(by).min(last);
    }

    /// Shows other events; the one that is selected stays so where the filter shows it.
    fn filtered(&mut self, filter: Filter) -> Vec<Effect> {
        self.filter = filter;
        self.at_top = None;
        let asked = self.list.reload();
        self.ask(asked)
    }
}
