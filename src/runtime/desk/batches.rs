//! Batches and imports.

use crate::app::asks::batches::{Answer, Question};
use crate::app::failure::Failure;
use crate::app::list::{Anchor, Around, Window};
use crate::app::port::Watch;
use crate::core::batch::{Listing, Member, Summary};
use crate::core::record::Batch;
use crate::core::time::Instant;
use crate::store::{Span, Store, StoreError};

pub(super) fn answer(
    store: &mut Store,
    question: &Question,
    now: Instant,
    watch: &dyn Watch,
) -> Result<Answer, Failure> {
    Ok(match question {
        Question::Page { generation, listing, around } => {
            let list = Batches { store, listing };
            Answer::Page { generation: *generation, window: window(&list, around)? }
        }
        Question::Summary(batch) => {
            Answer::Summary { batch: batch.clone(), found: store.batch_summary(batch)?.map(Box::new) }
        }
        Question::Records { generation, batch, around } => {
            let members = Members { store, batch };
            Answer::Records { generation: *generation, batch: batch.clone(), window: window(&members, around)? }
        }
        Question::Picture(of) => {
            let picture = store.picture(of, &mut |done, all| watch.goes_on(done, all))?;
            let picture = Box::new(picture.ok_or(Failure::Cancelled)?);
            Answer::Picture { batch: of.batch.clone(), picture }
        }
        Question::Whole(id) => Answer::Whole(store.record(id, now)?.map(Box::new)),
        Question::Pair(pair) => Answer::Pair(store.entry(*pair, now)?.map(Box::new)),
    })
}

/// A list in the store of which windows are read by the place of a row.
trait Listed {
    type Row: Clone;
    type Place: Copy;

    fn place(&self, row: &Self::Row) -> Self::Place;
    fn rows(&self, span: &Span<Self::Place>, limit: usize) -> Result<Vec<Self::Row>, StoreError>;
    /// How many rows stand before a place.
    fn before(&self, place: Self::Place) -> Result<u64, StoreError>;
    fn total(&self) -> Result<u64, StoreError>;
}

/// The rows before the anchor, and from it on; where it has left the list, what stands in its place.
fn window<L: Listed>(list: &L, around: &Around<L::Row>) -> Result<Window<L::Row>, StoreError> {
    let (before, from, total) = (around.before, around.after + 1, list.total()?);
    let at = match &around.anchor {
        Anchor::First => {
            return Ok(Window { rows: list.rows(&Span::First, from)?, start: 0, total, anchor: 0 });
        }
        Anchor::Last => None,
        Anchor::At(row) => Some(list.place(row)),
    };
    let following = at.map(|at| list.rows(&Span::From(at), from)).transpose()?.unwrap_or_default();
    let Some((at, _)) = at.zip(following.first()) else {
        let rows = list.rows(&Span::Last, before + 1)?;
        let anchor = rows.len().saturating_sub(1);
        return Ok(Window { start: total.saturating_sub(rows.len() as u64), rows, total, anchor });
    };
    let mut rows = list.rows(&Span::Before(at), before)?;
    let (start, anchor) = (list.before(at)?.saturating_sub(rows.len() as u64), rows.len());
    rows.extend(following);
    Ok(Window { rows, start, total, anchor })
}

struct Batches<'a> {
    store: &'a Store,
    listing: &'a Listing,
}

impl Listed for Batches<'_> {
    type Row = Summary;
    type Place = (i64, i64);

    fn place(&self, row: &Summary) -> (i64, i64) {
        self.listing.sorting.place(row)
    }

    fn rows(&self, span: &Span<(i64, i64)>, limit: usize) -> Result<Vec<Summary>, StoreError> {
        self.store.batch_list(self.listing, span, limit)
    }

    fn before(&self, place: (i64, i64)) -> Result<u64, StoreError> {
        Ok(self.store.batch_position(self.listing, place)?.0)
    }

    fn total(&self) -> Result<u64, StoreError> {
        Ok(self.store.batch_position(self.listing, (0, 0))?.1)
    }
}

/// The records of one batch.
struct Members<'a> {
    store: &'a Store,
    batch: &'a Batch,
}

impl Listed for Members<'_> {
    type Row = Member;
    type Place = (i64, i64);

    fn place(&self, row: &Member) -> (i64, i64) {
        Store::member_place(row)
    }

    fn rows(&self, span: &Span<(i64, i64)>, limit: usize) -> Result<Vec<Member>, StoreError> {
        self.store.members(self.batch, span, limit)
    }

    fn before(&self, place: (i64, i64)) -> Result<u64, StoreError> {
        self.store.members_before(self.batch, place)
    }

    fn total(&self) -> Result<u64, StoreError> {
        Ok(self.store.batch_summary(self.batch)?.map_or(0, |of| of.records))
    }
}
