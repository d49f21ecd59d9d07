//! What comes in and what goes out: the closed list of messages that `update` takes and of effects that it asks for.

use super::asks::{batches, history, log, looks, policy, slotting};
use super::bulk::{Choice, Ordered, Sorted};
use super::failure::Failure;
use super::key::Key;
use super::port::{Commonest, Page, PageRequest, Wanted};
use crate::core::order::{Order, Outcome};
use crate::core::pair::Pair;
use crate::core::ruling::PairId;
use crate::core::time::Instant;

/// What happened. Times come with it: `update` reads no clock.
#[derive(Clone, Debug, PartialEq)]
pub enum Msg {
    Key(Key, Instant),
    Paste(String),
    /// The mouse was pressed or turned where something stands.
    Pointed(Pointed, Instant),
    /// The editor was left: the text as it now is, or why there is none.
    Edited {
        errand: Errand,
        answer: Result<String, String>,
    },
    Resized {
        width: u16,
        height: u16,
    },
    /// The model as it is was drawn on the screen.
    Drawn(Instant),
    /// Another process wrote to the store.
    Changed(Instant),
    Page {
        /// Of the work that it was, where it had to be looked for; else 0.
        number: u64,
        generation: u64,
        answer: Result<Page, Failure>,
    },
    Pair {
        pair: PairId,
        answer: Box<Result<Option<Pair>, Failure>>,
    },
    Marked {
        number: u64,
        answer: Result<Vec<PairId>, Failure>,
    },
    /// Which of the marked pairs have left the queue.
    Settled(Result<Vec<PairId>, Failure>),
    Commonest {
        number: u64,
        answer: Result<Commonest, Failure>,
    },
    /// How far the work is that is done while nobody asks anything; done, there is none.
    Tended(Option<(u64, u64)>),
    /// One answer for each order, in their order.
    CarriedOut {
        number: u64,
        answers: Vec<Result<Outcome, Failure>>,
        at: Instant,
    },
    Previewed {
        number: u64,
        answer: Result<Outcome, Failure>,
    },
    Looks {
        number: u64,
        answer: Result<looks::Answer, Failure>,
        at: Instant,
    },
    Slotting {
        number: u64,
        answer: Result<slotting::Answer, Failure>,
    },
    Sorted {
        number: u64,
        sorted: Result<Sorted, Failure>,
    },
    History {
        number: u64,
        answer: Result<history::Answer, Failure>,
    },
    Batches {
        number: u64,
        answer: Result<batches::Answer, Failure>,
    },
    Log {
        number: u64,
        answer: Result<log::Answer, Failure>,
    },
    Policy {
        number: u64,
        answer: Result<policy::Answer, Failure>,
    },
    /// How far long work is.
    Progress {
        number: u64,
        done: u64,
        of: u64,
    },
    /// A text that the store made, for the clipboard.
    ToCopy {
        what: String,
        text: String,
    },
    Copied {
        what: String,
    },
    /// The clipboard, the shell, anything that has no form of its own to show it in.
    Failed(String),
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    Page {
        number: u64,
        generation: u64,
        request: PageRequest,
    },
    Pair(PairId),
    /// The numbers of pairs of the list, to mark them.
    Ids {
        number: u64,
        wanted: Wanted,
    },
    /// Which of the marked pairs have left the queue.
    Settled(Vec<PairId>),
    /// What the queue may be narrowed to.
    Commonest {
        number: u64,
    },
    CarryOut {
        number: u64,
        orders: Vec<Ordered>,
    },
    Observe {
        number: u64,
        pair: PairId,
    },
    Looks {
        number: u64,
        question: looks::Question,
    },
    Slotting {
        number: u64,
        question: slotting::Question,
    },
    Preview {
        number: u64,
        order: Order,
    },
    /// Sorts the marked pairs by whether the core permits the choice.
    Sort {
        number: u64,
        pairs: Vec<PairId>,
        choice: Choice,
    },
    /// What a screen asks. A number of 0 is nobody's: the answer says itself what it is.
    History {
        number: u64,
        question: history::Question,
    },
    Batches {
        number: u64,
        question: batches::Question,
    },
    Log {
        number: u64,
        question: log::Question,
    },
    Policy {
        number: u64,
        question: policy::Question,
    },
    /// Long work is not wanted any more.
    Cancel {
        number: u64,
    },
    Copy {
        what: String,
        text: String,
    },
    CopyJson(PairId),
    /// Gives a text to the user's editor, with the terminal.
    Edit {
        text: String,
        errand: Errand,
    },
    /// Takes the mouse, or leaves it to the terminal.
    Mouse(bool),
    Redraw,
    Suspend,
    Quit,
}

/// What the editor is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errand {
    /// To read: nothing comes back.
    Read,
    /// To write the field of the form that has the cursor.
    Field,
}

/// What stands where the mouse is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointed {
    /// A key, by its name on the screen: it is pressed, unless that would write.
    Key(Key),
    /// A row of the list below the one that is selected, or above it.
    Row { below: bool },
    /// The wheel, over the list or over what is beside it.
    Wheel { down: bool, list: bool },
}

/// Who carries an effect out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// The main thread: what concerns the terminal.
    Screen,
    /// The store, at once: what a key waits for.
    Quick,
    /// The store, beside the quick ones: what may take long, shows how far it is, and can be cancelled.
    Long,
    /// The store, beside both: what waits for the world.
    Looking,
}

impl Effect {
    /// Who carries it out.
    pub const fn lane(&self) -> Lane {
        match self {
            Self::Page { request, .. } if request.filter.is_searched() => Lane::Long,
            Self::Page { .. } | Self::Pair(_) | Self::Settled(_) | Self::CopyJson(_) => Lane::Quick,
            // What has no number shows no progress and cannot be cancelled: a key waits for it.
            Self::CarryOut { number: 0, .. } => Lane::Quick,
            Self::CarryOut { .. }
            | Self::Ids { .. }
            | Self::Commonest { .. }
            | Self::Preview { .. }
            | Self::Sort { .. } => Lane::Long,
            Self::Observe { .. } => Lane::Looking,
            Self::Looks { question: looks::Question::All(_), .. } => Lane::Looking,
            Self::Looks { .. } | Self::Slotting { .. } => Lane::Long,
            Self::History { question, .. } => lane(question.is_long()),
            Self::Batches { question, .. } => lane(question.is_long()),
            Self::Log { question, .. } => lane(question.is_long()),
            Self::Policy { question, .. } => lane(question.is_long()),
            Self::Cancel { .. }
            | Self::Copy { .. }
            | Self::Edit { .. }
            | Self::Mouse(_)
            | Self::Redraw
            | Self::Suspend
            | Self::Quit => Lane::Screen,
        }
    }

    /// The number of the work, where it has one.
    pub const fn number(&self) -> Option<u64> {
        match self {
            Self::CarryOut { number, .. }
            | Self::Page { number, .. }
            | Self::Commonest { number }
            | Self::Ids { number, .. }
            | Self::Observe { number, .. }
            | Self::Looks { number, .. }
            | Self::Slotting { number, .. }
            | Self::Preview { number, .. }
            | Self::Sort { number, .. }
            | Self::History { number, .. }
            | Self::Batches { number, .. }
            | Self::Log { number, .. }
            | Self::Policy { number, .. } => Some(*number),
            Self::Pair(_)
            | Self::Settled(_)
            | Self::CopyJson(_)
            | Self::Cancel { .. }
            | Self::Copy { .. }
            | Self::Edit { .. }
            | Self::Mouse(_)
            | Self::Redraw
            | Self::Suspend
            | Self::Quit => None,
        }
    }
}

const fn lane(long: bool) -> Lane {
    if long { Lane::Long } else { Lane::Quick }
}
