//! The queue: a window of it, with true positions and counts.

use crate::app::failure::Failure;
use crate::app::list::{Anchor, Window as ListWindow};
use crate::app::port::{Counts, Filter, Page, PageRequest, Sorting};
use crate::core::facet::Facet;
use crate::core::pair::Entry;
use crate::core::record::{Attribute, Batch, Subject};
use crate::core::ruling::PairId;
use crate::core::time::Instant;
use crate::store::{self, QueueFilter, QueueOrder, Store, StoreError, Window};

pub(super) fn page(store: &Store, request: &PageRequest, now: Instant) -> Result<Page, Failure> {
    let list = List { store, filter: filter(&request.filter), order: order(request.sorting), now };
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
    shown: &Filter,
    sorting: Sorting,
    limit: usize,
    now: Instant,
) -> Result<Vec<PairId>, Failure> {
    let found = store.queue(&filter(shown), order(sorting), &Window::Start, limit, now)?;
    Ok(found.into_iter().map(|entry| entry.pair).collect())
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
        let (place, total) = self.store.position(&self.filter, self.order, Some(entry), self.now)?;
        let (start, anchor) = (place.saturating_sub(rows.len() as u64), rows.len());
        rows.extend(following);
        Ok(ListWindow { rows, start, total, anchor })
    }
}

fn filter(shown: &Filter) -> QueueFilter {
    QueueFilter {
        states: shown.state.into_iter().collect(),
        grounds: Facet::only(shown.ground),
        attributes: Facet::only(shown.attribute.as_deref().map(Attribute::from)),
        subjects: Facet::only(shown.subject.as_deref().map(Subject::from)),
        batches: Facet::only(shown.batch.as_deref().map(Batch::from)),
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
    let store::Counts { open, awaiting, deferred, settled, mut by_ground, by_attribute: _ } = counted;
    by_ground.sort_by_key(|(ground, count)| (std::cmp::Reverse(*count), *ground));
    Counts { open, awaiting, deferred, settled, by_ground }
}
