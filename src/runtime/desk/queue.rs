//! The queue: a window of it, with true positions and counts; what must be looked for is found once and kept.

use crate::app::asks::looks::StaleFact;
use crate::app::failure::Failure;

use crate::app::list::{Anchor, Window as ListWindow};
use crate::app::port::{Commonest, Counts, Filter, Page, PageRequest, Sorting, Wanted, Watch};
use crate::app::stale::MOST as MOST_STALE;
use crate::core::pair::Entry;
use crate::core::record::{Attribute, Batch, Subject};
use crate::core::ruling::PairId;
use crate::core::time::Instant;
use crate::store::{self, Found, QueueFilter, QueueOrder, Store, StoreError, Window};
use crate::wire::policy::length_of_time;

/// Fewer pairs than this are read through sooner than an index helps.
const WORTH: u64 = 5_000;
/// Pairs taken into the index in one short transaction: nobody who rules waits longer for it than for a frame.
const TAKEN: usize = 400;
/// How many values of a facet are offered.
const OFFERED: usize = 40;

/// What was found last, and whether there is a need for the index of letters.
#[derive(Default)]
pub(super) struct Finds {
    found: Option<Found>,
    wants_letters: bool,
}

impl Finds {
    /// Takes a few pairs into the index of letters, once somebody has looked for a text in a long queue.
    pub(super) fn tend(&mut self, store: &mut Store) -> Result<Option<(u64, u64)>, Failure> {
        if !self.wants_letters || store.is_read_only() {
            return Ok(None);
        }
        // Should it fail, it is not tried again until the next text is looked for.
        self.wants_letters = false;
        let indexed = store.index_letters(TAKEN)?;
        self.wants_letters = indexed.left > 0;
        Ok(self.wants_letters.then_some((indexed.of.saturating_sub(indexed.left), indexed.of)))
    }

    /// The pairs of a filter that must be looked for, as they are now; the last ones are kept and brought up to date.
    fn find(
        &mut self,
        store: &Store,
        filter: &QueueFilter,
        order: QueueOrder,
        now: Instant,
        watch: &dyn Watch,
    ) -> Result<&Found, Failure> {
        let mut goes_on = |done, of| watch.goes_on(done, of);
        if filter.text.is_some() && !self.wants_letters {
            self.wants_letters = store.indexed()?.left >= WORTH;
        }
        let before = self.found.take().filter(|found| found.answers(filter, order));
        let found = match before {
            Some(before) => store.find_again(before, now, &mut goes_on)?,
            None => store.find(filter, order, now, &mut goes_on)?,
        };
        Ok(self.found.insert(found.ok_or(Failure::Cancelled)?))
    }
}

pub(super) fn page(
    store: &Store,
    finds: &mut Finds,
    request: &PageRequest,
    now: Instant,
    watch: &dyn Watch,
) -> Result<Page, Failure> {
    let list = List::of(store, finds, &request.filter, request.sorting, now, watch)?;
    let around = &request.around;
    let window = match &around.anchor {
        Anchor::First => list.first(around.after + 1)?,
        Anchor::Last => list.last(around.before + 1)?,
        Anchor::At(entry) => list.around(entry, around.before, around.after + 1)?,
    };
    Ok(Page { window, counts: counts(store.counts(now)?) })
}

pub(super) fn ids(
    store: &Store,
    finds: &mut Finds,
    wanted: &Wanted,
    now: Instant,
    watch: &dyn Watch,
) -> Result<Vec<PairId>, Failure> {
    let list = List::of(store, finds, &wanted.filter, wanted.sorting, now, watch)?;
    let rows = match wanted.between.as_deref() {
        None => list.rows(&Window::Start, wanted.most)?,
        Some([one, other]) => {
            let (here, there) = (list.place(one)?, list.place(other)?);
            let first = if here <= there { one } else { other };
            let many = usize::try_from(here.abs_diff(there)).unwrap_or(usize::MAX).saturating_add(1);
            list.rows(&Window::From(first.clone()), many.min(wanted.most))?
        }
    };
    Ok(rows.into_iter().map(|entry| entry.pair).collect())
}

pub(super) fn commonest(store: &Store, now: Instant, watch: &dyn Watch) -> Result<Commonest, Failure> {
    let stale = store.stale(None, MOST_STALE, now)?.len() as u64;
    let found = store.commonest(OFFERED, &mut |done, of| watch.goes_on(done, of))?;
    let store::Commonest { subjects, batches } = found.ok_or(Failure::Cancelled)?;
    Ok(Commonest { subjects, batches, stale })
}

pub(super) fn stale(store: &Store, most: usize, now: Instant) -> Result<Vec<StaleFact>, Failure> {
    let fact = |stale: store::Stale| StaleFact {
        subject: stale.subject,
        attribute: stale.attribute,
        value: stale.value,
        supported_at: stale.supported_at,
        may_stand: length_of_time(stale.max_age),
    };
    Ok(store.stale(None, most, now)?.into_iter().map(fact).collect())
}

/// The filtered, ordered list of pairs, of which a window is read.
struct List<'a> {
    store: &'a Store,
    filter: QueueFilter,
    order: QueueOrder,
    /// The list itself, where it had to be looked for.
    found: Option<&'a Found>,
    now: Instant,
}

impl<'a> List<'a> {
    fn of(
        store: &'a Store,
        finds: &'a mut Finds,
        shown: &Filter,
        sorting: Sorting,
        now: Instant,
        watch: &dyn Watch,
    ) -> Result<Self, Failure> {
        let (filter, order) = (filter(shown), order(sorting));
        let found = if filter.is_counted() { None } else { Some(finds.find(store, &filter, order, now, watch)?) };
        Ok(Self { store, filter, order, found, now })
    }

    fn rows(&self, window: &Window, limit: usize) -> Result<Vec<Entry>, StoreError> {
        match self.found {
            Some(found) => self.store.window(found, window, limit, self.now),
            None => self.store.queue(&self.filter, self.order, window, limit, self.now),
        }
    }

    fn total(&self) -> Result<u64, StoreError> {
        match self.found {
            Some(found) => Ok(found.total()),
            None => Ok(self.store.position(&self.filter, self.order, None, self.now)?.1),
        }
    }

    /// How many stand before an entry.
    fn place(&self, entry: &Entry) -> Result<u64, StoreError> {
        match self.found {
            Some(found) => Ok(self.store.place(found, entry, self.now)? as u64),
            None => Ok(self.store.position(&self.filter, self.order, Some(entry), self.now)?.0),
        }
    }

    fn first(&self, limit: usize) -> Result<ListWindow<Entry>, StoreError> {
        let rows = self.rows(&Window::Start, limit)?;
        Ok(ListWindow { rows, total: self.total()?, start: 0, anchor: 0 })
    }

    fn last(&self, limit: usize) -> Result<ListWindow<Entry>, StoreError> {
        let (rows, total) = (self.rows(&Window::End, limit)?, self.total()?);
        let anchor = rows.len().saturating_sub(1);
        Ok(ListWindow { start: total.saturating_sub(rows.len() as u64), rows, total, anchor })
    }

    /// Rows before the entry, and from it on; where it has left the list, what stands in its place.
    fn around(&self, entry: &Entry, before: usize, from: usize) -> Result<ListWindow<Entry>, StoreError> {
        let mut rows = self.rows(&Window::Before(entry.clone()), before)?;
        let following = self.rows(&Window::From(entry.clone()), from)?;
        if following.is_empty() {
            return self.last(before + 1);
        }
        let (place, total) = (self.place(entry)?, self.total()?);
        let (start, anchor) = (place.saturating_sub(rows.len() as u64), rows.len());
        rows.extend(following);
        Ok(ListWindow { rows, start, total, anchor })
    }
}

fn filter(shown: &Filter) -> QueueFilter {
    QueueFilter {
        states: shown.states.clone(),
        grounds: shown.grounds.clone(),
        attributes: shown.attributes.map(|name| Attribute::from(name.as_str())),
        subjects: shown.subjects.map(|name| Subject::from(name.as_str())),
        batches: shown.batches.map(|name| Batch::from(name.as_str())),
        text: shown.text.clone(),
    }
}

const fn order(sorting: Sorting) -> QueueOrder {
    match sorting {
        Sorting::Oldest => QueueOrder::Oldest,
        Sorting::Newest => QueueOrder::Newest,
        Sorting::Slot => QueueOrder::Slot,
        Sorting::Impact => QueueOrder::Impact,
    }
}

fn counts(counted: store::Counts) -> Counts {
    let store::Counts { open, awaiting, deferred, settled, mut by_ground, by_attribute } = counted;
    by_ground.sort_by_key(|(ground, count)| (std::cmp::Reverse(*count), *ground));
    let mut by_attribute: Vec<(String, u64)> =
        by_attribute.into_iter().map(|(name, count)| (name.to_string(), count)).collect();
    by_attribute.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    Counts { open, awaiting, deferred, settled, by_ground, by_attribute }
}
