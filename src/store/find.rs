//! Finding: what a filter shows that the kept counts cannot answer (a subject, a batch, a text), as a list of numbers.
//! It may be read through for a second, so it says how far it is and can be stopped; once found, windows and places
//! come out of it at once, and what changes later is looked at alone.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension, ToSql};

use super::Store;
use super::condition::{Condition, FROM};
use super::error::StoreError;
use super::filter::{QueueFilter, QueueOrder, Window};
use super::lanes::Lanes;
use super::letters;
use crate::core::pair::Entry;
use crate::core::record::Attribute;
use crate::core::time::Instant;

/// Numbers read between two looks at whether it is still wanted.
const STEP: i64 = 4_096;
/// After more changes than this everything is looked at again.
const CHANGES: usize = 2_000;

/// What was found: the pairs of a filter in an order, as of a state of the store.
#[derive(Clone, Debug)]
pub struct Found {
    filter: QueueFilter,
    order: QueueOrder,
    /// In the order of the list; the newest first for that order.
    pairs: Vec<i64>,
    touched: i64,
    /// When the clock alone changes what is shown.
    until: Option<Instant>,
    since: Instant,
}

/// Somebody who waits: told how far it is, says whether it is still wanted.
pub type GoesOn<'a> = &'a mut dyn FnMut(u64, u64) -> bool;

impl Found {
    /// How many there are.
    pub fn total(&self) -> u64 {
        self.pairs.len() as u64
    }

    /// Whether it is an answer to this question.
    pub fn answers(&self, filter: &QueueFilter, order: QueueOrder) -> bool {
        self.filter == *filter && self.order == order
    }
}

impl Store {
    /// Every pair that a filter shows, in order; none where `goes_on` said no.
    pub fn find(
        &self,
        filter: &QueueFilter,
        order: QueueOrder,
        now: Instant,
        goes_on: GoesOn<'_>,
    ) -> Result<Option<Found>, StoreError> {
        let touched = last_touch(&self.connection)?;
        let until = next_return(&self.connection, now)?;
        let condition = Condition::of(filter, now);
        let Some(mut pairs) = matching(&self.connection, filter, &condition, goes_on)? else { return Ok(None) };
        arrange(&self.connection, filter, order, now, &mut pairs)?;
        Ok(Some(Found { filter: filter.clone(), order, pairs, touched, until, since: now }))
    }

    /// The same, brought up to what has changed since; none where `goes_on` said no.
    pub fn find_again(
        &self,
        mut found: Found,
        now: Instant,
        goes_on: GoesOn<'_>,
    ) -> Result<Option<Found>, StoreError> {
        let in_time = found.since <= now && found.until.is_none_or(|until| now < until);
        let touched = last_touch(&self.connection)?;
        if in_time && touched == found.touched {
            return Ok(Some(found));
        }
        let mut statement = self.connection.prepare_cached("SELECT pair FROM pairs WHERE touched > ?1 LIMIT ?2")?;
        let limit = i64::try_from(CHANGES).unwrap_or(i64::MAX);
        let changed: Vec<i64> =
            statement.query_map([found.touched, limit], |row| row.get(0))?.collect::<Result<_, _>>()?;
        let by_number = matches!(found.order, QueueOrder::Oldest | QueueOrder::Newest);
        if !in_time || !by_number || changed.len() >= CHANGES {
            return self.find(&found.filter, found.order, now, goes_on);
        }
        let condition = Condition::of(&found.filter, now);
        let shown: BTreeSet<i64> = each(&self.connection, &condition, changed.clone(), &mut |_, _| true)?
            .unwrap_or_default()
            .into_iter()
            .collect();
        let changed: BTreeSet<i64> = changed.into_iter().collect();
        found.pairs.retain(|pair| !changed.contains(pair));
        found.pairs.extend(shown);
        found.pairs.sort_unstable();
        if found.order == QueueOrder::Newest {
            found.pairs.reverse();
        }
        (found.touched, found.until, found.since) = (touched, next_return(&self.connection, now)?, now);
        Ok(Some(found))
    }

    /// A window of what was found.
    pub fn window(
        &self,
        found: &Found,
        from: &Window,
        limit: usize,
        now: Instant,
    ) -> Result<Vec<Entry>, StoreError> {
        let place = |entry: &Entry| self.place(found, entry, now);
        let (first, last) = match from {
            Window::Start => (0, limit),
            Window::End => (found.pairs.len().saturating_sub(limit), found.pairs.len()),
            Window::From(entry) => {
                let at = place(entry)?;
                (at, at.saturating_add(limit))
            }
            Window::After(entry) => {
                let at = place(entry)?;
                let at = at + usize::from(found.pairs.get(at) == Some(&entry.pair.0));
                (at, at.saturating_add(limit))
            }
            Window::Before(entry) => {
                let at = place(entry)?;
                (at.saturating_sub(limit), at)
            }
        };
        let last = last.min(found.pairs.len());
        super::entry::entries(&self.connection, found.pairs.get(first.min(last)..last).unwrap_or_default(), now)
    }

    /// How many of what was found stand before an entry.
    pub fn place(&self, found: &Found, entry: &Entry, now: Instant) -> Result<usize, StoreError> {
        let pairs = &found.pairs;
        Ok(match found.order {
            QueueOrder::Oldest => pairs.partition_point(|pair| *pair < entry.pair.0),
            QueueOrder::Newest => pairs.partition_point(|pair| *pair > entry.pair.0),
            QueueOrder::Slot | QueueOrder::Impact => {
                let lanes = Lanes::of(&self.connection, &QueueFilter::default(), now)?;
                let mut names =
                    self.connection.prepare_cached("SELECT attribute, subject FROM pairs WHERE pair = ?1")?;
                let wanted = (lanes.rank(found.order, &entry.attribute), entry.subject.as_str(), entry.pair.0);
                let (mut low, mut high) = (0, pairs.len());
                while low < high {
                    let middle = (low + high) / 2;
                    let pair = pairs.get(middle).copied().unwrap_or_default();
                    let (attribute, subject): (String, String) =
                        names.query_row([pair], |row| Ok((row.get(0)?, row.get(1)?)))?;
                    let attribute = Attribute::from(attribute.as_str());
                    if (lanes.rank(found.order, &attribute), subject.as_str(), pair) < wanted {
                        low = middle + 1;
                    } else {
                        high = middle;
                    }
                }
                low
            }
        })
    }
}

fn last_touch(connection: &Connection) -> Result<i64, StoreError> {
    let mut statement = connection.prepare_cached("SELECT coalesce(max(touched), 0) FROM pairs")?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

/// When the first of the deferred pairs comes back.
fn next_return(connection: &Connection, now: Instant) -> Result<Option<Instant>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT deferred_until FROM pairs INDEXED BY pairs_deferred WHERE deferred_until > ?1 AND deferred_until IS NOT NULL AND state <> 'settled'
         ORDER BY deferred_until LIMIT 1",
    )?;
    let found: Option<String> = statement.query_row([now.sortable()], |row| row.get(0)).optional()?;
    Ok(found.map(|until| super::rows::parsed(&until)).transpose()?)
}

/// The pairs for which the condition holds, in order of their numbers.
fn matching(
    connection: &Connection,
    filter: &QueueFilter,
    condition: &Condition,
    goes_on: GoesOn<'_>,
) -> Result<Option<Vec<i64>>, StoreError> {
    let last: i64 =
        connection.prepare_cached("SELECT coalesce(max(pair), 0) FROM pairs")?.query_row([], |row| row.get(0))?;
    match candidates(connection, filter, usize::try_from(last / 4).unwrap_or(usize::MAX))? {
        Some(some) => each(connection, condition, some, goes_on),
        None => every(connection, condition, last, goes_on),
    }
}

/// The pairs among which all that the filter shows are, where there is a short way to them.
fn candidates(connection: &Connection, filter: &QueueFilter, most: usize) -> Result<Option<Vec<i64>>, StoreError> {
    let read = |sql: &str, values: &[&dyn ToSql]| -> Result<Vec<i64>, StoreError> {
        let mut statement = connection.prepare_cached(sql)?;
        let found = statement.query_map(values, |row| row.get(0))?;
        Ok(found.collect::<Result<_, _>>()?)
    };
    let mut some = BTreeSet::new();
    if !filter.subjects.any_of.is_empty() {
        for subject in &filter.subjects.any_of {
            let sql = "SELECT q.pair FROM slots s JOIN pairs q ON q.home = s.home WHERE s.subject = ?1";
            some.extend(read(sql, &[&subject.as_str()])?);
        }
        // A pair that asks about two names stands in the slot of one of them.
        some.extend(read("SELECT pair FROM pairs WHERE alias IS NOT NULL", &[])?);
        return Ok(Some(some.into_iter().collect()));
    }
    if !filter.batches.any_of.is_empty() {
        for batch in &filter.batches.any_of {
            for side in ["left_record", "right_record"] {
                let sql =
                    format!("SELECT q.pair FROM records x JOIN pairs q ON q.{side} = x.record WHERE x.batch = ?1");
                some.extend(read(&sql, &[&batch.as_str()])?);
            }
        }
        return Ok(Some(some.into_iter().collect()));
    }
    let Some(text) = &filter.text else { return Ok(None) };
    let named = letters::named(connection, text, most)?;
    Ok(named.map(|named| {
        some.extend(named.pairs);
        some.extend(named.unknown);
        some.into_iter().collect()
    }))
}

/// Those of some pairs for which the condition holds.
fn each(
    connection: &Connection,
    condition: &Condition,
    some: Vec<i64>,
    goes_on: GoesOn<'_>,
) -> Result<Option<Vec<i64>>, StoreError> {
    let of = some.len() as u64;
    let sql = format!("SELECT p.pair {FROM} WHERE {} AND p.pair = ?", condition.sql());
    let mut statement = connection.prepare_cached(&sql)?;
    let mut shown = Vec::new();
    for (done, pair) in (0..).zip(some) {
        if done % 512 == 0 && !goes_on(done, of) {
            return Ok(None);
        }
        let mut values = condition.values();
        values.push(&pair);
        if statement.exists(values.as_slice())? {
            shown.push(pair);
        }
    }
    Ok(Some(shown))
}

/// Every pair for which the condition holds, read through from the first to the last.
fn every(
    connection: &Connection,
    condition: &Condition,
    last: i64,
    goes_on: GoesOn<'_>,
) -> Result<Option<Vec<i64>>, StoreError> {
    let sql =
        format!("SELECT p.pair {FROM} WHERE {} AND p.pair > ? AND p.pair <= ? ORDER BY p.pair", condition.sql());
    let mut statement = connection.prepare_cached(&sql)?;
    let mut shown = Vec::new();
    let mut from = 0;
    while from < last {
        if !goes_on(u64::try_from(from).unwrap_or_default(), u64::try_from(last).unwrap_or_default()) {
            return Ok(None);
        }
        let to = from + STEP;
        let mut values = condition.values();
        values.extend::<[&dyn ToSql; 2]>([&from, &to]);
        let found = statement.query_map(values.as_slice(), |row| row.get::<_, i64>(0))?;
        shown.extend(found.collect::<Result<Vec<_>, _>>()?);
        from = to;
    }
    Ok(Some(shown))
}

/// Puts what was found into the order of the list.
fn arrange(
    connection: &Connection,
    filter: &QueueFilter,
    order: QueueOrder,
    now: Instant,
    pairs: &mut Vec<i64>,
) -> Result<(), StoreError> {
    match order {
        QueueOrder::Oldest => {}
        QueueOrder::Newest => pairs.reverse(),
        QueueOrder::Slot | QueueOrder::Impact => {
            let lanes = Lanes::of(
                connection,
                &QueueFilter { states: filter.states.clone(), ..QueueFilter::default() },
                now,
            )?;
            let mut names = connection.prepare_cached("SELECT attribute, subject FROM pairs WHERE pair = ?1")?;
            let mut placed: Vec<(Attribute, String, i64)> = Vec::with_capacity(pairs.len());
            for pair in pairs.iter() {
                let (attribute, subject): (String, String) =
                    names.query_row([pair], |row| Ok((row.get(0)?, row.get(1)?)))?;
                placed.push((Attribute::from(attribute.as_str()), subject, *pair));
            }
            placed.sort_unstable_by(|a, b| {
                (lanes.rank(order, &a.0), &a.1, a.2).cmp(&(lanes.rank(order, &b.0), &b.1, b.2))
            });
            *pairs = placed.into_iter().map(|(_, _, pair)| pair).collect();
        }
    }
    Ok(())
}
