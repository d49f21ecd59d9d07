//! What comes in and what goes out: the closed list of messages that `update` takes and of effects that it asks for.

use super::bulk::{Choice, Ordered, Sorted};
use super::key::Key;
use super::port::{Failure, Filter, Page, PageRequest, Sorting};
use crate::core::order::{Order, Outcome};
use crate::core::pair::Pair;
use crate::core::ruling::PairId;
use crate::core::time::Instant;

/// What happened. Times come with it: `update` reads no clock.
#[derive(Clone, Debug, PartialEq)]
pub enum Msg {
    Key(Key, Instant),
    Paste(String),
    Resized {
        width: u16,
        height: u16,
    },
    /// The model as it is was drawn on the screen.
    Drawn(Instant),
    /// Another process wrote to the store.
    Changed(Instant),
    Page {
        generation: u64,
        answer: Result<Page, Failure>,
    },
    Pair {
        pair: PairId,
        answer: Box<Result<Option<Pair>, Failure>>,
    },
    Marked(Result<Vec<PairId>, Failure>),
    /// One answer for each order, in their order.
    CarriedOut {
        answers: Vec<Result<Outcome, Failure>>,
        at: Instant,
    },
    Previewed {
        number: u64,
        answer: Result<Outcome, Failure>,
    },
    Sorted {
        number: u64,
        sorted: Result<Sorted, Failure>,
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
        generation: u64,
        request: PageRequest,
    },
    Pair(PairId),
    /// The numbers of all pairs of the list, up to a limit, to mark them.
    Ids {
        filter: Filter,
        sorting: Sorting,
        limit: usize,
    },
    CarryOut(Vec<Ordered>),
    Observe(PairId),
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
    Copy {
        what: String,
        text: String,
    },
    CopyJson(PairId),
    Redraw,
    Suspend,
    Quit,
}
