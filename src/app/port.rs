//! What the screens ask of the store: the trait that the runtime fills in with the real one, and its questions and
//! answers. Nothing here knows SQL.

use crate::core::examine::Ground;
use crate::core::order::{Order, Outcome, Refusal};
use crate::core::pair::{Entry, Pair, PairState, Revision};
use crate::core::ruling::PairId;
use crate::core::time::Instant;

/// The store as the screens see it. It lives on a thread of its own: every call may block.
pub trait Port: Send {
    /// A window of the queue around an anchor, with true positions and counts.
    fn page(&mut self, request: &PageRequest, now: Instant) -> Result<Page, Failure>;

    /// The numbers of the pairs under a filter, at most `limit` of them, in the order of the queue.
    fn ids(
        &mut self,
        filter: &Filter,
        sorting: Sorting,
        limit: usize,
        now: Instant,
    ) -> Result<Vec<PairId>, Failure>;

    /// One pair whole, whatever its state.
    fn pair(&mut self, pair: PairId, now: Instant) -> Result<Option<Pair>, Failure>;

    /// Carries an order out as this reviewer, or says why not. With a revision: only against the pair as it was then.
    fn order(&mut self, order: &Order, revision: Option<Revision>, now: Instant) -> Result<Outcome, Failure>;

    /// Carries many orders out as one stroke, in one transaction where the store has them: each is permitted or refused by
    /// itself, and one undo takes back what was written.
    fn order_all(
        &mut self,
        orders: &[(Order, Option<Revision>)],
        now: Instant,
    ) -> Result<Vec<Result<Outcome, Refusal>>, Failure>;

    /// What an order would do: computed, and rolled back.
    fn preview(&mut self, order: &Order, now: Instant) -> Result<Outcome, Failure>;

    /// Runs the observer of the pair's attribute, and enters what it saw.
    fn observe(&mut self, pair: PairId, now: Instant) -> Result<Outcome, Failure>;

    /// The pair as `show --json` gives it.
    fn json(&mut self, pair: PairId, now: Instant) -> Result<String, Failure>;

    /// Whether another connection has written since the last call; asked four times a second.
    fn changed(&mut self) -> Result<bool, Failure>;
}

/// Why the store did not do as asked. Nothing was written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store itself: busy, gone, damaged. One sentence for people.
    #[error("{0}")]
    Store(String),
}

/// Which pairs of the queue are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// None: whatever their state.
    pub state: Option<PairState>,
    pub ground: Option<Ground>,
    pub attribute: Option<String>,
    pub subject: Option<String>,
    pub batch: Option<String>,
    /// Found anywhere in subject, attribute or values, without regard to case.
    pub text: Option<String>,
}

/// The order of the queue; the pair's number decides ties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sorting {
    #[default]
    Oldest,
    Newest,
    /// By attribute, then subject.
    Slot,
}

/// Where a window of the queue is to stand.
#[derive(Clone, Debug, PartialEq)]
pub enum Anchor {
    First,
    Last,
    /// At this pair; where it has left the list, at what stands in its place (the last one, past the end).
    At(Box<Entry>),
}

/// A window of the queue: up to `before` rows before the anchor, the anchor, and up to `after` rows after it.
#[derive(Clone, Debug, PartialEq)]
pub struct PageRequest {
    pub filter: Filter,
    pub sorting: Sorting,
    pub anchor: Anchor,
    pub before: usize,
    pub after: usize,
}

/// The window asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    pub rows: Vec<Entry>,
    /// How many pairs under the filter stand before the first row.
    pub start: u64,
    /// How many pairs the filter shows in all.
    pub total: u64,
    /// The place of the anchor within the rows; 0 where there are none.
    pub anchor: usize,
    pub counts: Counts,
}

/// The queue in numbers, whatever the filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub open: u64,
    pub awaiting: u64,
    pub deferred: u64,
    pub settled: u64,
    /// The open pairs by ground, the most frequent first.
    pub by_ground: Vec<(Ground, u64)>,
}

impl Filter {
    /// What a reviewer starts with: what is open.
    pub fn open() -> Self {
        Self { state: Some(PairState::Open), ..Self::default() }
    }

    /// Whether it shows anything but all that is open.
    pub fn narrows(&self) -> bool {
        *self != Self::open()
    }

    /// Each part of it in words, for the header.
    pub fn words(&self) -> Vec<String> {
        let named = |name: &str, value: Option<&str>| value.map(|value| format!("{name} {value}"));
        let state = self.state.map_or("any state", PairState::name);
        [
            Some(state.to_owned()),
            named("ground", self.ground.map(Ground::name)),
            named("attribute", self.attribute.as_deref()),
            named("subject", self.subject.as_deref()),
            named("batch", self.batch.as_deref()),
            self.text.as_ref().map(|text| format!("/{text}")),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

impl Sorting {
    pub const ALL: [Self; 3] = [Self::Oldest, Self::Newest, Self::Slot];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Oldest => "oldest first",
            Self::Newest => "newest first",
            Self::Slot => "by attribute, then subject",
        }
    }

    /// The one after it, round and round.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Oldest => Self::Newest,
            Self::Newest => Self::Slot,
            Self::Slot => Self::Oldest,
        }
    }
}

impl Counts {
    /// All that has not been settled.
    pub const fn unsettled(&self) -> u64 {
        self.open + self.awaiting + self.deferred
    }
}
