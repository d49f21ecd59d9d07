//! What the screens ask of the store: the trait that the runtime fills in with the real one, and its questions and
//! answers. Nothing here knows SQL.

use super::asks::{batches, history, log, looks, policy, slotting};
use super::failure::Failure;
use super::list::{Around, Window};
use crate::core::examine::Ground;
use crate::core::facet::Facet;
use crate::core::order::{Order, Outcome, Refusal};
use crate::core::pair::{Entry, Pair, PairState, Revision};
use crate::core::ruling::PairId;
use crate::core::time::Instant;

/// The store as the screens see it. It lives on a thread of its own: every call may block.
pub trait Port: Send {
    /// A window of the queue around an anchor, with true positions and counts.
    fn page(&mut self, request: &PageRequest, now: Instant, watch: &dyn Watch) -> Result<Page, Failure>;

    /// The numbers of the pairs that are asked for, in the order of the queue.
    fn ids(&mut self, wanted: &Wanted, now: Instant, watch: &dyn Watch) -> Result<Vec<PairId>, Failure>;

    /// Which of these pairs are settled by now, or not there.
    fn settled(&mut self, pairs: &[PairId]) -> Result<Vec<PairId>, Failure>;

    /// What the open pairs most often have, for narrowing down to it.
    fn commonest(&mut self, now: Instant, watch: &dyn Watch) -> Result<Commonest, Failure>;

    /// A bit of the work that can wait until nobody asks anything; says how far it is while there is more of it.
    fn tend(&mut self) -> Result<Option<(u64, u64)>, Failure>;

    /// One pair whole, whatever its state.
    fn pair(&mut self, pair: PairId, now: Instant) -> Result<Option<Pair>, Failure>;

    /// Carries an order out as this reviewer, or says why not. With a revision: only against the pair as it was then.
    fn order(
        &mut self,
        order: &Order,
        revision: Option<Revision>,
        now: Instant,
        watch: &dyn Watch,
    ) -> Result<Outcome, Failure>;

    /// Carries many orders out as one stroke, in one transaction where the store has them: each is permitted or refused by
    /// itself, and one undo takes back what was written.
    fn order_all(
        &mut self,
        orders: &[(Order, Option<Revision>)],
        now: Instant,
        watch: &dyn Watch,
    ) -> Result<Vec<Result<Outcome, Refusal>>, Failure>;

    /// What many orders would do as one stroke: computed, and rolled back.
    fn preview_all(
        &mut self,
        orders: &[(Order, Option<Revision>)],
        now: Instant,
        watch: &dyn Watch,
    ) -> Result<Vec<Result<Outcome, Refusal>>, Failure>;

    /// What an order would do: computed, and rolled back.
    fn preview(&mut self, order: &Order, now: Instant, watch: &dyn Watch) -> Result<Outcome, Failure>;

    /// Runs the observer of the pair's attribute, and enters what it saw.
    fn observe(&mut self, pair: PairId, now: Instant, watch: &dyn Watch) -> Result<Outcome, Failure>;

    /// Looking again at many.
    fn looks(
        &mut self,
        question: &looks::Question,
        now: Instant,
        watch: &dyn Watch,
    ) -> Result<looks::Answer, Failure>;

    /// Sentences into slots by hand.
    fn slotting(
        &mut self,
        question: &slotting::Question,
        now: Instant,
        watch: &dyn Watch,
    ) -> Result<slotting::Answer, Failure>;

    /// The pair as `show --json` gives it.
    fn json(&mut self, pair: PairId, now: Instant) -> Result<String, Failure>;

    /// What the history screen asks.
    fn history(
        &mut self,
        question: &history::Question,
        now: Instant,
        watch: &dyn Watch,
    ) -> Result<history::Answer, Failure>;

    /// What the batches screen asks.
    fn batches(
        &mut self,
        question: &batches::Question,
        now: Instant,
        watch: &dyn Watch,
    ) -> Result<batches::Answer, Failure>;

    /// What the log screen asks.
    fn log(&mut self, question: &log::Question, now: Instant, watch: &dyn Watch) -> Result<log::Answer, Failure>;

    /// What the policy screen asks.
    fn policy(
        &mut self,
        question: &policy::Question,
        now: Instant,
        watch: &dyn Watch,
    ) -> Result<policy::Answer, Failure>;

    /// Whether another connection has written since the last call; asked four times a second.
    fn changed(&mut self) -> Result<bool, Failure>;
}

/// Somebody who waits for long work: told how far it is, it says whether the work is still wanted.
pub trait Watch {
    fn goes_on(&self, done: u64, of: u64) -> bool;
}

/// Nobody waits: the work is always wanted.
pub struct Unwatched;

impl Watch for Unwatched {
    fn goes_on(&self, _done: u64, _of: u64) -> bool {
        true
    }
}

/// Which pairs of the queue are shown. An empty part does not narrow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// In any of these states; of none named, in whatever state.
    pub states: Vec<PairState>,
    pub grounds: Facet<Ground>,
    pub attributes: Facet<String>,
    pub subjects: Facet<String>,
    pub batches: Facet<String>,
    /// Found anywhere in subject, attribute, values or evidence, without regard to the case of ASCII letters.
    pub text: Option<String>,
}

/// Pairs to be named by their numbers, and no more of them than this.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    pub filter: Filter,
    pub sorting: Sorting,
    /// Only from one of these to the other, whichever comes first.
    pub between: Option<Box<[Entry; 2]>>,
    pub most: usize,
}

/// What the open pairs most often have, the most frequent first, each with how many have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commonest {
    pub subjects: Vec<(String, u64)>,
    pub batches: Vec<(String, u64)>,
    /// Settled facts that have grown old; of very many, a part.
    pub stale: u64,
}

/// The order of the queue; the pair's number decides ties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sorting {
    #[default]
    Oldest,
    Newest,
    /// By attribute, then subject.
    Slot,
    /// The undeclared attributes first, by how many pairs wait for their declaration; then as `Slot`.
    Impact,
}

/// A window of the queue, asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct PageRequest {
    pub filter: Filter,
    pub sorting: Sorting,
    pub around: Around<Entry>,
}

/// The window asked for, and the queue in numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    pub window: Window<Entry>,
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
    /// The open pairs by attribute, the most frequent first.
    pub by_attribute: Vec<(String, u64)>,
}

impl Filter {
    /// What a reviewer starts with: what is open.
    pub fn open() -> Self {
        Self { states: vec![PairState::Open], ..Self::default() }
    }

    /// Whether it shows anything but all that is open.
    pub fn narrows(&self) -> bool {
        *self != Self::open()
    }

    /// Whether it must be looked for, which may take long: the counts that are kept do not tell it.
    pub const fn is_searched(&self) -> bool {
        !self.subjects.is_empty() || !self.batches.is_empty() || self.text.is_some()
    }

    /// Each part of it in words, for the header: `open`, `ground cross_epoch`, `not attribute email`.
    pub fn words(&self) -> Vec<String> {
        let states: Vec<&str> = self.states.iter().map(|state| state.name()).collect();
        let mut words = vec![if states.is_empty() { "any state".to_owned() } else { states.join(" or ") }];
        let mut facet = |name: &str, facet: &Facet<String>| {
            if !facet.any_of.is_empty() {
                words.push(format!("{name} {}", facet.any_of.join(" or ")));
            }
            words.extend(facet.none_of.iter().map(|value| format!("not {name} {value}")));
        };
        facet("ground", &self.grounds.map(|ground| ground.name().to_owned()));
        facet("attribute", &self.attributes);
        facet("subject", &self.subjects);
        facet("batch", &self.batches);
        words.extend(self.text.as_ref().map(|text| format!("/{text}")));
        words
    }
}

impl Sorting {
    pub const ALL: [Self; 4] = [Self::Oldest, Self::Newest, Self::Slot, Self::Impact];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Oldest => "oldest first",
            Self::Newest => "newest first",
            Self::Slot => "by attribute",
            Self::Impact => "most closed by one declaration",
        }
    }

    /// The one after it, round and round.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Oldest => Self::Newest,
            Self::Newest => Self::Slot,
            Self::Slot => Self::Impact,
            Self::Impact => Self::Oldest,
        }
    }
}

impl Counts {
    /// All that has not been settled.
    pub const fn unsettled(&self) -> u64 {
        self.open + self.awaiting + self.deferred
    }
}
