//! Windows of the queue for filters that the kept counts can answer: by state, ground and attribute. Only the rows of
//! the window are read, whatever the length of the list.

use rusqlite::Connection;
use rusqlite::types::ToSql;

use super::condition::{Condition, texts};
use super::error::StoreError;
use super::filter::{QueueFilter, QueueOrder, Window};
use super::lanes::{Lane, Lanes, quoted};
use crate::core::pair::{Entry, PairState};
use crate::core::record::Attribute;
use crate::core::time::Instant;

/// More lanes than this are not merged in one statement.
const MERGED: usize = 64;
/// Fewer pairs than this are gathered and sorted.
const GATHERED: i64 = 20_000;
/// Where at least one pair in so many is chosen, the list is walked, and what is not chosen passed over.
const WALKED: i64 = 20;

/// The numbers of the pairs of a window, in the order of the list.
pub(super) fn ids(
    connection: &Connection,
    filter: &QueueFilter,
    order: QueueOrder,
    from: &Window,
    limit: usize,
    now: Instant,
) -> Result<Vec<i64>, StoreError> {
    let lanes = Lanes::of(connection, filter, now)?;
    let read = Read { connection, lanes: &lanes, filter, now, limit: i64::try_from(limit).unwrap_or(i64::MAX) };
    let backwards = matches!(from, Window::End | Window::Before(_));
    let mut ids = match order {
        QueueOrder::Oldest => read.by_number(from, backwards)?,
        QueueOrder::Newest => read.by_number(from, !backwards)?,
        QueueOrder::Slot | QueueOrder::Impact => read.by_slot(order, from, backwards)?,
    };
    if backwards {
        ids.reverse();
    }
    Ok(ids)
}

struct Read<'a> {
    connection: &'a Connection,
    lanes: &'a Lanes<'a>,
    filter: &'a QueueFilter,
    now: Instant,
    limit: i64,
}

impl Read<'_> {
    /// By number, greatest first where `descending`; from the window's edge outwards.
    fn by_number(&self, from: &Window, descending: bool) -> Result<Vec<i64>, StoreError> {
        let bound = |entry: &Entry, with: bool| (if descending { "<" } else { ">" }, with, entry.pair.0);
        let bound = match from {
            Window::Start | Window::End => None,
            Window::After(entry) | Window::Before(entry) => Some(bound(entry, false)),
            Window::From(entry) => Some(bound(entry, true)),
        };
        if self.lanes.only_deferred() {
            return Ok(self.deferred_by_number(bound, descending));
        }
        let direction = if descending { "DESC" } else { "ASC" };
        let bounded =
            bound.map(|(sign, with, pair)| format!("p.pair {sign}{} {pair}", if with { "=" } else { "" }));
        let parts = self.parts(bounded.as_deref());
        let mut ids = Vec::new();
        for (sql, values) in parts.batches {
            let sql = format!("{sql} ORDER BY pair {direction} LIMIT {}", self.limit);
            let mut statement = self.connection.prepare_cached(&sql)?;
            let values: Vec<&dyn ToSql> = values.iter().map(AsRef::as_ref).collect();
            let found = statement.query_map(values.as_slice(), |row| row.get::<_, i64>(0))?;
            ids.extend(found.collect::<Result<Vec<_>, _>>()?);
        }
        ids.sort_unstable();
        if descending {
            ids.reverse();
        }
        ids.truncate(usize::try_from(self.limit).unwrap_or(usize::MAX));
        Ok(ids)
    }

    fn deferred_by_number(&self, bound: Option<(&str, bool, i64)>, descending: bool) -> Vec<i64> {
        let within = |pair: &i64| match bound {
            None => true,
            Some((_, true, edge)) if *pair == edge => true,
            Some((_, _, edge)) => {
                if descending {
                    *pair < edge
                } else {
                    *pair > edge
                }
            }
        };
        let mut ids: Vec<i64> = self.lanes.put_off.iter().map(|it| it.pair).filter(within).collect();
        if descending {
            ids.reverse();
        }
        ids.truncate(usize::try_from(self.limit).unwrap_or(usize::MAX));
        ids
    }

    /// The statements that together read what is chosen, each to be ordered and limited.
    fn parts(&self, bounded: Option<&str>) -> Parts {
        let chosen = &self.lanes.chosen;
        let many: i64 = chosen.iter().map(|lane| lane.count).sum();
        let walk = many.saturating_mul(WALKED) >= self.lanes.of_states() || self.shows_deferred();
        let mut parts = Parts::default();
        if walk || (chosen.len() > MERGED && many > GATHERED) {
            parts.add(self.lanes.walked().iter().map(|state| self.walk(state.name(), bounded)).collect());
            return parts;
        }
        for some in chosen.chunks(MERGED) {
            parts.add(some.iter().map(|lane| self.lane(lane, bounded)).collect());
        }
        parts
    }

    fn shows_deferred(&self) -> bool {
        self.filter.states.is_empty() || self.filter.states.contains(&PairState::Deferred)
    }

    /// Every pair of a stored state, what is not chosen passed over.
    fn walk(&self, state: &str, bounded: Option<&str>) -> (String, Vec<Box<dyn ToSql>>) {
        let facets = QueueFilter {
            states: self.clocked(),
            grounds: self.filter.grounds.clone(),
            attributes: self.filter.attributes.clone(),
            ..QueueFilter::default()
        };
        let rest = Condition::of(&facets, self.now);
        let mut sql = format!("SELECT p.pair AS pair FROM pairs p WHERE p.state = '{state}'");
        for part in bounded.into_iter().map(str::to_owned).chain([rest.sql()]) {
            sql = format!("{sql} AND {part}");
        }
        (sql, rest.into_values())
    }

    fn lane(&self, lane: &Lane, bounded: Option<&str>) -> (String, Vec<Box<dyn ToSql>>) {
        let mut clock = Condition::default();
        clock.states(&self.clocked(), self.now);
        let mut sql = format!(
            "SELECT p.pair AS pair FROM pairs p INDEXED BY pairs_by_lane
             WHERE p.state = '{}' AND p.grounds = {} AND p.attribute = ?",
            lane.state.name(),
            quoted(&lane.grounds)
        );
        let rest = (!clock.is_empty()).then(|| clock.sql());
        for part in bounded.map(str::to_owned).into_iter().chain(rest) {
            sql = format!("{sql} AND {part}");
        }
        (sql, texts(lane.attribute.as_str(), 1).into_iter().chain(clock.into_values()).collect())
    }

    /// The states to be told apart row by row: where the clock has nothing to say, the stored ones are enough.
    fn clocked(&self) -> Vec<PairState> {
        if self.lanes.minds_the_clock() || self.shows_deferred() { self.filter.states.clone() } else { Vec::new() }
    }

    /// By attribute, then subject, then number: attribute after attribute, until the window is full.
    fn by_slot(&self, order: QueueOrder, from: &Window, backwards: bool) -> Result<Vec<i64>, StoreError> {
        let edge = match from {
            Window::Start | Window::End => None,
            Window::After(entry) | Window::Before(entry) => Some((entry, false)),
            Window::From(entry) => Some((entry, true)),
        };
        let many: i64 = self.lanes.chosen.iter().map(|lane| lane.count).sum();
        if !self.filter.grounds.is_empty() && many <= GATHERED && !self.shows_deferred() {
            return self.gathered(order, edge, backwards);
        }
        let mut attributes: Vec<&Attribute> = self
            .lanes
            .chosen
            .iter()
            .map(|lane| &lane.attribute)
            .chain(self.lanes.put_off.iter().map(|it| &it.lane.attribute))
            .collect();
        attributes.sort_by_key(|attribute| self.lanes.rank(order, attribute));
        attributes.dedup();
        if let Some((entry, _)) = edge {
            let place = self.lanes.rank(order, &entry.attribute);
            attributes.retain(|attribute| {
                let rank = self.lanes.rank(order, attribute);
                if backwards { rank <= place } else { rank >= place }
            });
        }
        if backwards {
            attributes.reverse();
        }
        let mut ids = Vec::new();
        for attribute in attributes {
            let wanted = self.limit - i64::try_from(ids.len()).unwrap_or(i64::MAX);
            if wanted <= 0 {
                break;
            }
            let edge = edge.filter(|(entry, _)| entry.attribute == *attribute);
            ids.extend(self.of_attribute(attribute, edge, backwards, wanted)?);
        }
        Ok(ids)
    }

    /// What is chosen is so little that all of it is read and put into order.
    fn gathered(
        &self,
        order: QueueOrder,
        edge: Option<(&Entry, bool)>,
        backwards: bool,
    ) -> Result<Vec<i64>, StoreError> {
        let mut all: Vec<(&Attribute, String, i64)> = Vec::new();
        for lane in &self.lanes.chosen {
            let (sql, values) = self.lane(lane, None);
            let sql = sql.replacen("SELECT p.pair AS pair", "SELECT p.pair AS pair, p.subject", 1);
            let mut statement = self.connection.prepare_cached(&sql)?;
            let values: Vec<&dyn ToSql> = values.iter().map(AsRef::as_ref).collect();
            let found = statement.query_map(values.as_slice(), |row| Ok((row.get(1)?, row.get(0)?)))?;
            for row in found {
                let (subject, pair): (String, i64) = row?;
                all.push((&lane.attribute, subject, pair));
            }
        }
        all.sort_unstable_by(|a, b| {
            (self.lanes.rank(order, a.0), &a.1, a.2).cmp(&(self.lanes.rank(order, b.0), &b.1, b.2))
        });
        if backwards {
            all.reverse();
        }
        if let Some((entry, with)) = edge {
            let at = (self.lanes.rank(order, &entry.attribute), entry.subject.as_str(), entry.pair.0);
            all.retain(|row| {
                let here = (self.lanes.rank(order, row.0), row.1.as_str(), row.2);
                if here == at { with } else { (here < at) == backwards }
            });
        }
        all.truncate(usize::try_from(self.limit).unwrap_or(usize::MAX));
        Ok(all.into_iter().map(|(_, _, pair)| pair).collect())
    }

    fn of_attribute(
        &self,
        attribute: &Attribute,
        edge: Option<(&Entry, bool)>,
        backwards: bool,
        wanted: i64,
    ) -> Result<Vec<i64>, StoreError> {
        let sign = if backwards { "<" } else { ">" };
        let mut parts = Parts::default();
        let one = |state: &PairState| {
            let mut rest = Condition::default();
            rest.and("p.attribute = ?", texts(attribute.as_str(), 1));
            if let Some((entry, with)) = edge {
                let sign = format!("{sign}{}", if with { "=" } else { "" });
                let values: Vec<Box<dyn ToSql>> =
                    vec![Box::new(entry.subject.as_str().to_owned()), Box::new(entry.pair.0)];
                rest.and(format!("(p.subject, p.pair) {sign} (?, ?)"), values);
            }
            let facets = QueueFilter {
                states: self.clocked(),
                grounds: self.filter.grounds.clone(),
                ..QueueFilter::default()
            };
            let facets = Condition::of(&facets, self.now);
            let sql = format!(
                "SELECT p.pair AS pair, p.subject AS subject FROM pairs p WHERE p.state = '{}' AND {} AND {}",
                state.name(),
                rest.sql(),
                facets.sql()
            );
            (sql, rest.into_values().into_iter().chain(facets.into_values()).collect())
        };
        parts.add(self.lanes.walked().iter().map(one).collect());
        let direction = if backwards { "DESC" } else { "ASC" };
        let mut ids = Vec::new();
        for (sql, values) in parts.batches {
            let sql = format!("{sql} ORDER BY subject {direction}, pair {direction} LIMIT {wanted}");
            let mut statement = self.connection.prepare_cached(&sql)?;
            let values: Vec<&dyn ToSql> = values.iter().map(AsRef::as_ref).collect();
            let found = statement.query_map(values.as_slice(), |row| row.get::<_, i64>(0))?;
            ids.extend(found.collect::<Result<Vec<_>, _>>()?);
        }
        Ok(ids)
    }
}

/// Statements, each put together from some that the database merges as it reads.
#[derive(Default)]
struct Parts {
    batches: Vec<(String, Vec<Box<dyn ToSql>>)>,
}

impl Parts {
    fn add(&mut self, parts: Vec<(String, Vec<Box<dyn ToSql>>)>) {
        let (sql, values): (Vec<String>, Vec<_>) = parts.into_iter().unzip();
        if !sql.is_empty() {
            self.batches.push((sql.join(" UNION ALL "), values.into_iter().flatten().collect()));
        }
    }
}
