//! The screens' [`Port`], filled in with the real store.

use crate::app::port::{Anchor, Counts, Failure, Filter, Page, PageRequest, Port, Sorting};
use crate::core::order::{Order, Outcome, Refusal};
use crate::core::pair::{Entry, Pair, Revision};
use crate::core::record::{Attribute, Batch, Subject};
use crate::core::ruling::PairId;
use crate::core::time::Instant;
use crate::store::{self, By, OrderError, QueueFilter, QueueOrder, Store, StoreError, Window};
use crate::wire;

/// A store, and who rules on it.
pub struct Desk {
    store: Store,
    actor: String,
    /// What `data_version` said last.
    seen: i64,
}

impl Desk {
    pub fn new(store: Store, actor: String) -> Result<Self, StoreError> {
        let seen = store.data_version()?;
        Ok(Self { store, actor, seen })
    }
}

impl Port for Desk {
    fn page(&mut self, request: &PageRequest, now: Instant) -> Result<Page, Failure> {
        let list = List { store: &self.store, filter: filter(&request.filter), order: order(request.sorting), now };
        let mut page = match &request.anchor {
            Anchor::First => list.first(request.after + 1)?,
            Anchor::Last => list.last(request.before + 1)?,
            Anchor::At(entry) => list.around(entry, request.before, request.after + 1)?,
        };
        page.counts = counts(self.store.counts(now)?);
        Ok(page)
    }

    fn ids(
        &mut self,
        shown: &Filter,
        sorting: Sorting,
        limit: usize,
        now: Instant,
    ) -> Result<Vec<PairId>, Failure> {
        let found = self.store.queue(&filter(shown), order(sorting), &Window::Start, limit, now)?;
        Ok(found.into_iter().map(|entry| entry.pair).collect())
    }

    fn pair(&mut self, pair: PairId, now: Instant) -> Result<Option<Pair>, Failure> {
        Ok(self.store.pair(pair, now)?)
    }

    fn order(&mut self, order: &Order, revision: Option<Revision>, now: Instant) -> Result<Outcome, Failure> {
        Ok(self.store.order(order, &By { actor: &self.actor, now }, revision)?)
    }

    fn order_all(
        &mut self,
        orders: &[(Order, Option<Revision>)],
        now: Instant,
    ) -> Result<Vec<Result<Outcome, Refusal>>, Failure> {
        Ok(self.store.order_all(orders, &By { actor: &self.actor, now })?)
    }

    fn preview(&mut self, order: &Order, now: Instant) -> Result<Outcome, Failure> {
        Ok(self.store.preview(order, &By { actor: &self.actor, now })?)
    }

    fn observe(&mut self, _pair: PairId, _now: Instant) -> Result<Outcome, Failure> {
        let why = "no observer serves this attribute: enter what was seen (r v), or leave a request (r q)";
        Err(Failure::Refused(Refusal::Because(why.to_owned())))
    }

    fn json(&mut self, pair: PairId, now: Instant) -> Result<String, Failure> {
        let missing = || Refusal::Missing { what: "pair", id: pair.to_string() };
        let pair = self.store.pair(pair, now)?.ok_or_else(missing)?;
        Ok(wire::json::pair(&pair).to_string())
    }

    fn changed(&mut self) -> Result<bool, Failure> {
        let now = self.store.data_version()?;
        let changed = now != self.seen;
        self.seen = now;
        Ok(changed)
    }
}

/// The filtered, ordered list of pairs, of which a window is read.
struct List<'a> {
    store: &'a Store,
    filter: QueueFilter,
    order: QueueOrder,
    now: Instant,
}

impl List<'_> {
    fn rows(&self, window: &Window, limit: usize) -> Result<Vec<Entry>, StoreError> {
        self.store.queue(&self.filter, self.order, window, limit, self.now)
    }

    fn total(&self) -> Result<u64, StoreError> {
        Ok(self.store.position(&self.filter, self.order, None, self.now)?.1)
    }

    fn first(&self, limit: usize) -> Result<Page, StoreError> {
        let rows = self.rows(&Window::Start, limit)?;
        Ok(Page { rows, total: self.total()?, ..Page::default() })
    }

    fn last(&self, limit: usize) -> Result<Page, StoreError> {
        let (rows, total) = (self.rows(&Window::End, limit)?, self.total()?);
        let anchor = rows.len().saturating_sub(1);
        Ok(Page { start: total.saturating_sub(rows.len() as u64), rows, total, anchor, ..Page::default() })
    }

    /// Rows before the entry, and from it on; where it has left the list, what stands in its place.
    fn around(&self, entry: &Entry, before: usize, from: usize) -> Result<Page, StoreError> {
        let mut rows = self.rows(&Window::Before(entry.clone()), before)?;
        let following = self.rows(&Window::From(entry.clone()), from)?;
        if following.is_empty() {
            return self.last(before + 1);
        }
        let (place, total) = self.store.position(&self.filter, self.order, Some(entry), self.now)?;
        let (start, anchor) = (place.saturating_sub(rows.len() as u64), rows.len());
        rows.extend(following);
        Ok(Page { rows, start, total, anchor, ..Page::default() })
    }
}

fn filter(shown: &Filter) -> QueueFilter {
    QueueFilter {
        states: shown.state.into_iter().collect(),
        ground: shown.ground,
        attribute: shown.attribute.as_deref().map(Attribute::from),
        subject: shown.subject.as_deref().map(Subject::from),
        batch: shown.batch.as_deref().map(Batch::from),
        text: shown.text.clone(),
    }
}

const fn order(sorting: Sorting) -> QueueOrder {
    match sorting {
        Sorting::Oldest => QueueOrder::Oldest,
        Sorting::Newest => QueueOrder::Newest,
        Sorting::Slot => QueueOrder::Slot,
    }
}

fn counts(counted: store::Counts) -> Counts {
    let store::Counts { open, awaiting, deferred, settled, mut by_ground } = counted;
    by_ground.sort_by_key(|(ground, count)| (std::cmp::Reverse(*count), *ground));
    Counts { open, awaiting, deferred, settled, by_ground }
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
        }
    }
}
