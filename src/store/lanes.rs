//! The counts that are kept: how many pairs there are of each state, attribute and set of grounds. From them come
//! totals, places in the list, and which way to a window is the shorter.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rusqlite::{Connection, params};

use super::error::StoreError;
use super::filter::{QueueFilter, QueueOrder};
use super::pairs;
use crate::core::examine::Ground;
use crate::core::pair::PairState;
use crate::core::record::Attribute;
use crate::core::time::Instant;

/// How many numbers a span has, as a power of two; the triggers that keep the counts have it too.
const SPAN: u32 = 13;

/// Pairs that are alike in what is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lane {
    /// As stored: open, awaiting or settled.
    pub(super) state: PairState,
    pub(super) attribute: Attribute,
    pub(super) grounds: String,
    pub(super) count: i64,
}

/// A pair that is out of the way just now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PutOff {
    pub(super) pair: i64,
    pub(super) lane: Lane,
}

/// What is counted of the queue at a time, and what of it a filter chooses.
pub(super) struct Lanes<'c> {
    connection: &'c Connection,
    /// Every lane of a stored state that the filter shows.
    of_states: Vec<Lane>,
    /// Those of them that it chooses.
    pub(super) chosen: Vec<Lane>,
    pub(super) put_off: Vec<PutOff>,
    /// The attributes by how many pairs their declaration would close.
    undeclared: BTreeMap<Attribute, i64>,
    states: Vec<PairState>,
}

/// Every lane that holds a pair.
pub(super) fn all(connection: &Connection) -> Result<Vec<Lane>, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT state, attribute, grounds, count FROM pair_counts WHERE count > 0")?;
    let found = statement.query_map([], |row| {
        Ok(Lane {
            state: stored(&row.get::<_, String>(0)?),
            attribute: Attribute::from(row.get::<_, String>(1)?.as_str()),
            grounds: row.get(2)?,
            count: row.get(3)?,
        })
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// Every pair that is deferred at a time.
pub(super) fn put_off(connection: &Connection, now: Instant) -> Result<Vec<PutOff>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT pair, state, attribute, grounds FROM pairs INDEXED BY pairs_deferred
         WHERE deferred_until > ?1 AND deferred_until IS NOT NULL AND state <> 'settled'",
    )?;
    let found = statement.query_map([now.sortable()], |row| {
        Ok(PutOff {
            pair: row.get(0)?,
            lane: Lane {
                state: stored(&row.get::<_, String>(1)?),
                attribute: Attribute::from(row.get::<_, String>(2)?.as_str()),
                grounds: row.get(3)?,
                count: 1,
            },
        })
    })?;
    let mut all: Vec<PutOff> = found.collect::<Result<_, _>>()?;
    all.sort_unstable_by_key(|it| it.pair);
    Ok(all)
}

fn stored(name: &str) -> PairState {
    PairState::named(name).unwrap_or(PairState::Open)
}

impl Lane {
    /// Whether the facets of a filter choose it, its state aside.
    fn is_chosen(&self, filter: &QueueFilter) -> bool {
        let grounds = || pairs::grounds(&self.grounds);
        filter.attributes.chooses(|attribute| *attribute == self.attribute)
            && (filter.grounds.is_empty() || filter.grounds.chooses(|ground| grounds().contains(ground)))
    }

    fn has(&self, ground: Ground) -> bool {
        self.grounds.split(',').any(|name| name == ground.name())
    }
}

impl<'c> Lanes<'c> {
    pub(super) fn of(connection: &'c Connection, filter: &QueueFilter, now: Instant) -> Result<Self, StoreError> {
        let states = if filter.states.is_empty() { PairState::ALL.to_vec() } else { filter.states.clone() };
        let every = all(connection)?;
        let mut undeclared: BTreeMap<Attribute, i64> = BTreeMap::new();
        for lane in every.iter().filter(|lane| lane.state != PairState::Settled) {
            if lane.has(Ground::CardinalityUndeclared) {
                *undeclared.entry(lane.attribute.clone()).or_default() += lane.count;
            }
        }
        let of_states: Vec<Lane> = every.into_iter().filter(|lane| states.contains(&lane.state)).collect();
        let chosen = of_states.iter().filter(|lane| lane.is_chosen(filter)).cloned().collect();
        let mut put_off = put_off(connection, now)?;
        put_off.retain(|it| it.lane.is_chosen(filter));
        Ok(Self { connection, of_states, chosen, put_off, undeclared, states })
    }

    /// How many pairs the filter shows.
    pub(super) fn total(&self) -> i64 {
        let kept: i64 = self.chosen.iter().map(|lane| lane.count).sum();
        kept + self.put_off.iter().map(|it| self.weight(it)).sum::<i64>()
    }

    /// How many pairs of the states there are, chosen or not.
    pub(super) fn of_states(&self) -> i64 {
        self.of_states.iter().map(|lane| lane.count).sum()
    }

    /// How a deferred pair changes what the kept counts say: they know nothing of the clock.
    fn weight(&self, it: &PutOff) -> i64 {
        i64::from(self.states.contains(&PairState::Deferred)) - i64::from(self.states.contains(&it.lane.state))
    }

    /// How many of the pairs shown have a smaller number.
    pub(super) fn numbered_below(&self, pair: i64) -> Result<i64, StoreError> {
        let span = pair >> SPAN;
        let spans = |state: PairState| -> Result<i64, StoreError> {
            let sql = "SELECT coalesce(sum(count), 0) FROM pair_spans WHERE state = ?1 AND span < ?2";
            let within = "SELECT count(*) FROM pairs WHERE state = ?1 AND pair >= ?2 AND pair < ?3";
            let state = state.name();
            Ok(self.one(sql, params![state, span])? + self.one(within, params![state, span << SPAN, pair])?)
        };
        let lane = |lane: &Lane| -> Result<i64, StoreError> {
            let sql = "SELECT coalesce(sum(count), 0) FROM pair_spans
                 WHERE state = ?1 AND attribute = ?2 AND grounds = ?3 AND span < ?4";
            let within = "SELECT count(*) FROM pairs
                 WHERE state = ?1 AND attribute = ?2 AND grounds = ?3 AND pair >= ?4 AND pair < ?5";
            let (state, attribute) = (lane.state.name(), lane.attribute.as_str());
            Ok(self.one(sql, params![state, attribute, lane.grounds, span])?
                + self.one(within, params![state, attribute, lane.grounds, span << SPAN, pair])?)
        };
        // By the lanes chosen, or by all without those left out: whichever are fewer.
        let left_out: Vec<&Lane> = self.of_states.iter().filter(|lane| !self.chosen.contains(lane)).collect();
        let kept: i64 = if self.chosen.len() <= left_out.len() {
            self.chosen.iter().map(lane).sum::<Result<i64, _>>()?
        } else {
            let states: Vec<PairState> =
                self.states.iter().copied().filter(|state| *state != PairState::Deferred).collect();
            let whole = states.into_iter().map(spans).sum::<Result<i64, _>>()?;
            whole - left_out.into_iter().map(lane).sum::<Result<i64, _>>()?
        };
        let moved = self.put_off.iter().filter(|it| it.pair < pair).map(|it| self.weight(it));
        Ok(kept + moved.sum::<i64>())
    }

    /// How many of the pairs shown stand before this place in an order by attribute.
    pub(super) fn placed_below(
        &self,
        order: QueueOrder,
        (attribute, subject, pair): (&Attribute, &str, i64),
    ) -> Result<i64, StoreError> {
        let place = self.rank(order, attribute);
        let before: i64 =
            self.chosen.iter().filter(|it| self.rank(order, &it.attribute) < place).map(|it| it.count).sum();
        let mut here = 0;
        for state in [PairState::Open, PairState::Awaiting, PairState::Settled] {
            let lanes: Vec<&Lane> =
                self.chosen.iter().filter(|it| it.state == state && it.attribute == *attribute).collect();
            if lanes.is_empty() {
                continue;
            }
            let many = |state| self.of_states.iter().filter(move |it| it.state == state);
            let all = many(state).filter(|it| it.attribute == *attribute).count() == lanes.len();
            let values = params![state.name(), attribute.as_str(), subject, pair];
            let sql =
                "SELECT count(*) FROM pairs WHERE state = ?1 AND attribute = ?2 AND (subject, pair) < (?3, ?4)";
            here += if all {
                self.one(sql, values)?
            } else {
                let grounds: Vec<String> = lanes.iter().map(|lane| quoted(&lane.grounds)).collect();
                self.one(&format!("{sql} AND grounds IN ({})", grounds.join(", ")), values)?
            };
        }
        let mut moved = 0;
        for it in &self.put_off {
            let rank = self.rank(order, &it.lane.attribute);
            let stands_before =
                rank < place || (rank == place && (self.subject_of(it.pair)?.as_str(), it.pair) < (subject, pair));
            moved += if stands_before { self.weight(it) } else { 0 };
        }
        Ok(before + here + moved)
    }

    fn subject_of(&self, pair: i64) -> Result<String, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT subject FROM pairs WHERE pair = ?1")?;
        Ok(statement.query_row([pair], |row| row.get(0))?)
    }

    /// Where an attribute stands in an order by attribute.
    pub(super) fn rank<'a>(&self, order: QueueOrder, attribute: &'a Attribute) -> (Reverse<i64>, &'a str) {
        let many = if order == QueueOrder::Impact { self.undeclared.get(attribute).copied() } else { None };
        (Reverse(many.unwrap_or(0)), attribute.as_str())
    }

    /// The stored states in which a pair that is shown may be.
    pub(super) fn walked(&self) -> Vec<PairState> {
        let deferred = self.states.contains(&PairState::Deferred);
        [PairState::Open, PairState::Awaiting, PairState::Settled]
            .into_iter()
            .filter(|state| self.states.contains(state) || (deferred && *state != PairState::Settled))
            .collect()
    }

    /// Whether the clock has a word in which pairs are shown.
    pub(super) fn minds_the_clock(&self) -> bool {
        self.put_off.iter().any(|it| self.weight(it) != 0)
    }

    /// Whether nothing but deferred pairs is shown.
    pub(super) fn only_deferred(&self) -> bool {
        self.states.iter().all(|state| *state == PairState::Deferred)
    }

    fn one(&self, sql: &str, values: impl rusqlite::Params) -> Result<i64, StoreError> {
        Ok(self.connection.prepare_cached(sql)?.query_row(values, |row| row.get(0))?)
    }
}

/// Grounds, as a text of SQL. They are names that this program wrote; anything else is left out.
pub(super) fn quoted(grounds: &str) -> String {
    format!(
        "'{}'",
        grounds.chars().filter(|char| char.is_ascii_lowercase() || "_,".contains(*char)).collect::<String>()
    )
}
