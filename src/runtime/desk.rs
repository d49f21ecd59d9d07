//! The screens' [`Port`], filled in with the real store: one file for what each screen asks.

mod batches;
mod history;
mod log;
mod observe;
mod policy;
mod queue;
mod slotting;

use observe::Looker;

use std::path::PathBuf;

use super::clock::Clock;
use super::world::World;
use crate::app::asks::{self, looks};
use crate::app::failure::Failure;
use crate::app::port::{Commonest, Page, PageRequest, Port, Wanted, Watch};
use crate::core::order::{Order, Outcome, Refusal};
use crate::core::pair::{Pair, Revision};
use crate::core::ruling::PairId;
use crate::core::time::Instant;
use crate::store::{By, OrderError, Store, StoreError};
use crate::wire;

/// A store, and who rules on it.
pub struct Desk {
    store: Store,
    actor: String,
    world: World,
    /// Tells the time while long work goes on; without one, it is all done at once.
    clock: Option<Clock>,
    /// What was counted of the log.
    kept: log::Kept,
    /// What `data_version` said last.
    seen: i64,
    finds: queue::Finds,
    /// The slot whose history was read last.
    shelf: history::Shelf,
    surveyed: policy::Surveyed,
    /// Where rules that a reviewer makes are kept.
    rules: Option<PathBuf>,
}

impl Desk {
    pub fn new(store: Store, actor: String) -> Result<Self, StoreError> {
        let seen = store.data_version()?;
        Ok(Self {
            store,
            actor,
            world: World::default(),
            clock: None,
            kept: log::Kept::default(),
            seen,
            finds: queue::Finds::default(),
            shelf: history::Shelf::default(),
            surveyed: policy::Surveyed::default(),
            rules: None,
        })
    }

    /// The desk, with these observers at hand.
    #[must_use]
    pub fn with(self, world: World) -> Self {
        Self { world, ..self }
    }

    /// The desk, keeping the rules that a reviewer makes in this file.
    #[must_use]
    pub fn keeping(self, rules: PathBuf) -> Self {
        Self { rules: Some(rules), ..self }
    }

    /// The desk, with a clock for what takes long.
    #[must_use]
    pub fn by(self, clock: Clock) -> Self {
        Self { clock: Some(clock), ..self }
    }

    /// A second desk at the same store, for what would keep the first one busy.
    pub fn another(&self, now: Instant) -> Result<Self, StoreError> {
        let other = Self::new(self.store.again(now)?, self.actor.clone())?;
        Ok(Self { clock: self.clock, rules: self.rules.clone(), ..other.with(self.world.clone()) })
    }
}

impl Port for Desk {
    fn page(&mut self, request: &PageRequest, now: Instant, watch: &dyn Watch) -> Result<Page, Failure> {
        queue::page(&self.store, &mut self.finds, request, now, watch)
    }

    fn ids(&mut self, wanted: &Wanted, now: Instant, watch: &dyn Watch) -> Result<Vec<PairId>, Failure> {
        queue::ids(&self.store, &mut self.finds, wanted, now, watch)
    }

    fn settled(&mut self, pairs: &[PairId]) -> Result<Vec<PairId>, Failure> {
        Ok(self.store.settled(pairs)?)
    }

    fn commonest(&mut self, now: Instant, watch: &dyn Watch) -> Result<Commonest, Failure> {
        queue::commonest(&self.store, now, watch)
    }

    fn tend(&mut self) -> Result<Option<(u64, u64)>, Failure> {
        self.finds.tend(&mut self.store)
    }

    fn pair(&mut self, pair: PairId, now: Instant) -> Result<Option<Pair>, Failure> {
        Ok(self.store.pair(pair, now)?)
    }

    fn order(
        &mut self,
        order: &Order,
        revision: Option<Revision>,
        now: Instant,
        watch: &dyn Watch,
    ) -> Result<Outcome, Failure> {
        let by = By { actor: &self.actor, now };
        Ok(self.store.order_watched(order, &by, revision, &|done, of| watch.goes_on(done, of))?)
    }

    fn order_all(
        &mut self,
        orders: &[(Order, Option<Revision>)],
        now: Instant,
        watch: &dyn Watch,
    ) -> Result<Vec<Result<Outcome, Refusal>>, Failure> {
        let by = By { actor: &self.actor, now };
        let answers = self.store.order_all(orders, &by, &mut |done, of| watch.goes_on(done, of))?;
        answers.ok_or(Failure::Cancelled)
    }

    fn preview_all(
        &mut self,
        orders: &[(Order, Option<Revision>)],
        now: Instant,
        watch: &dyn Watch,
    ) -> Result<Vec<Result<Outcome, Refusal>>, Failure> {
        let by = By { actor: &self.actor, now };
        let answers = self.store.preview_all(orders, &by, &mut |done, of| watch.goes_on(done, of))?;
        answers.ok_or(Failure::Cancelled)
    }

    fn preview(&mut self, order: &Order, now: Instant, watch: &dyn Watch) -> Result<Outcome, Failure> {
        let by = By { actor: &self.actor, now };
        Ok(self.store.preview_watched(order, &by, &|done, of| watch.goes_on(done, of))?)
    }

    fn observe(&mut self, pair: PairId, now: Instant, watch: &dyn Watch) -> Result<Outcome, Failure> {
        let (clock, Self { store, world, actor, .. }) = (self.clock, self);
        Looker { store, world, actor, now: &|| clock.map_or(now, Clock::now) }.one(pair, watch)
    }

    fn looks(
        &mut self,
        question: &looks::Question,
        now: Instant,
        watch: &dyn Watch,
    ) -> Result<looks::Answer, Failure> {
        let (clock, Self { store, world, actor, .. }) = (self.clock, self);
        let mut looker = Looker { store, world, actor, now: &|| clock.map_or(now, Clock::now) };
        looker.answer(question, watch)
    }

    fn slotting(
        &mut self,
        question: &asks::slotting::Question,
        now: Instant,
        watch: &dyn Watch,
    ) -> Result<asks::slotting::Answer, Failure> {
        let by = By { actor: &self.actor, now };
        slotting::answer(&mut self.store, self.rules.as_deref(), question, &by, watch)
    }

    fn json(&mut self, pair: PairId, now: Instant) -> Result<String, Failure> {
        let missing = || Refusal::Missing { what: "pair", id: pair.to_string() };
        let pair = self.store.pair(pair, now)?.ok_or_else(missing)?;
        Ok(wire::json::pair(&pair).to_string())
    }

    fn history(
        &mut self,
        question: &asks::history::Question,
        now: Instant,
        watch: &dyn Watch,
    ) -> Result<asks::history::Answer, Failure> {
        history::answer(&self.store, &mut self.shelf, question, now, watch)
    }

    fn batches(
        &mut self,
        question: &asks::batches::Question,
        now: Instant,
        watch: &dyn Watch,
    ) -> Result<asks::batches::Answer, Failure> {
        batches::answer(&mut self.store, question, now, watch)
    }

    fn log(
        &mut self,
        question: &asks::log::Question,
        now: Instant,
        watch: &dyn Watch,
    ) -> Result<asks::log::Answer, Failure> {
        log::answer(&mut self.store, &self.actor, &mut self.kept, question, now, watch)
    }

    fn policy(
        &mut self,
        question: &asks::policy::Question,
        now: Instant,
        watch: &dyn Watch,
    ) -> Result<asks::policy::Answer, Failure> {
        let by = By { actor: &self.actor, now };
        policy::answer(&mut self.store, &mut self.surveyed, &by, question, watch)
    }

    fn changed(&mut self) -> Result<bool, Failure> {
        let now = self.store.data_version()?;
        let changed = now != self.seen;
        self.seen = now;
        Ok(changed)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(format!("{error}: {}", error.hint()))
    }
}

impl From<OrderError> for Failure {
    fn from(error: OrderError) -> Self {
        match error {
            OrderError::Refused(refusal) => Self::Refused(refusal),
            OrderError::Store(error) => error.into(),
            OrderError::Cancelled => Self::Cancelled,
        }
    }
}
