//! The event log, read: filtered, whole or a window of it, counted without being read.
//!
//! Events are numbered without a gap and never change, and their times never go back: so a stretch of time is a stretch
//! of numbers, found by halving, and what was counted once stays counted.

use rusqlite::OptionalExtension;
use rusqlite::types::ToSql;
use serde_json::{Value, json};

use super::Store;
use super::chain::{self, hex};
use super::condition;
use super::error::StoreError;
use super::rows;
use crate::core::record::Subject;
use crate::core::ruling::{PairId, RulingId};
use crate::core::time::Instant;

/// Which events are read; an absent part filters nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LogFilter {
    pub actor: Option<String>,
    pub kind: Option<String>,
    /// From this time on.
    pub since: Option<Instant>,
    /// Up to this time, which still belongs to it.
    pub until: Option<Instant>,
    pub subject: Option<Subject>,
    pub pair: Option<PairId>,
    /// The ruling, what undid it, and the audits of it.
    pub ruling: Option<RulingId>,
    /// Found in subject, attribute, actor, kind, or in what the event says: reason, note, batch, records. Without
    /// regard to (ASCII) case.
    pub text: Option<String>,
    /// Only events after this one.
    pub after: Option<i64>,
    /// This one alone.
    pub event: Option<i64>,
}

/// An event of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub seq: i64,
    pub at: Instant,
    pub actor: String,
    pub kind: String,
    pub subject: Option<String>,
    pub attribute: Option<String>,
    pub pair: Option<i64>,
    pub ruling: Option<i64>,
    pub body: Value,
    /// In hexadecimal digits.
    pub hash: String,
}

/// A stretch of the log: the events after the first number, up to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub after: i64,
    pub to: i64,
}

impl Stretch {
    /// How many events it holds.
    pub const fn len(self) -> u64 {
        if self.to > self.after { self.to.abs_diff(self.after) } else { 0 }
    }

    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }
}

impl Event {
    /// The event as `log --json` gives it (INTERFACE 3).
    pub fn to_json(&self) -> Value {
        json!({
            "seq": self.seq, "at": self.at.to_string(), "actor": self.actor, "kind": self.kind,
            "subject": self.subject, "attribute": self.attribute, "pair": self.pair, "ruling": self.ruling,
            "body": self.body, "hash": self.hash,
        })
    }
}

impl LogFilter {
    /// Whether it narrows by nothing but time: such a filter is counted without looking at an event.
    pub const fn is_only_time(&self) -> bool {
        self.actor.is_none()
            && self.kind.is_none()
            && self.subject.is_none()
            && self.pair.is_none()
            && self.ruling.is_none()
            && self.text.is_none()
    }
}

impl Store {
    /// Hands on each event that the filter shows, oldest first, until `each` fails.
    pub fn log<E: From<StoreError>>(
        &self,
        filter: &LogFilter,
        mut each: impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let query = Query::new(filter, self.stretch(filter)?);
        let sql = format!("SELECT * FROM events WHERE {} ORDER BY seq", query.condition());
        let mut statement = self.connection.prepare_cached(&sql).map_err(StoreError::from)?;
        let mut found = statement.query(query.values().as_slice()).map_err(StoreError::from)?;
        while let Some(row) = found.next().map_err(StoreError::from)? {
            each(event(row).map_err(StoreError::from)?)?;
        }
        Ok(())
    }

    /// At most `limit` events of a stretch that the filter shows, the newest first: those nearest to its end, or with
    /// `oldest` those nearest to its beginning.
    pub fn log_window(
        &self,
        filter: &LogFilter,
        within: Stretch,
        oldest: bool,
        limit: usize,
    ) -> Result<Vec<Event>, StoreError> {
        let query = Query::new(filter, within);
        let (limit, direction) = (i64::try_from(limit).unwrap_or(i64::MAX), if oldest { "ASC" } else { "DESC" });
        let sql =
            format!("SELECT * FROM events WHERE {} ORDER BY seq {direction} LIMIT {limit}", query.condition());
        let mut statement = self.connection.prepare_cached(&sql)?;
        let found = statement.query_map(query.values().as_slice(), event)?;
        let mut events: Vec<Event> = found.collect::<Result<_, _>>()?;
        if oldest {
            events.reverse();
        }
        Ok(events)
    }

    /// How many events of a stretch the filter shows.
    pub fn log_count(&self, filter: &LogFilter, within: Stretch) -> Result<u64, StoreError> {
        if filter.is_only_time() {
            return Ok(within.len());
        }
        let query = Query::new(filter, within);
        let sql = format!("SELECT count(*) FROM events WHERE {}", query.condition());
        let counted: i64 =
            self.connection.prepare_cached(&sql)?.query_row(query.values().as_slice(), |row| row.get(0))?;
        Ok(counted.unsigned_abs())
    }

    /// The stretch of the log that a filter's times and numbers leave.
    pub fn stretch(&self, filter: &LogFilter) -> Result<Stretch, StoreError> {
        let last = chain::head(&self.connection)?.map_or(0, |(seq, _)| seq);
        let mut after = filter.since.map_or(Ok(0), |since| self.before(&since.sortable(), last, false))?;
        let mut to = filter.until.map_or(Ok(last), |until| self.before(&until.sortable(), last, true))?;
        after = after.max(filter.after.unwrap_or(0));
        if let Some(event) = filter.event {
            (after, to) = (after.max(event - 1), to.min(event));
        }
        Ok(Stretch { after, to: to.max(after) })
    }

    /// The number of the last event before a time, or up to it: found by halving, for times never go back.
    fn before(&self, time: &str, last: i64, with_it: bool) -> Result<i64, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT at FROM events WHERE seq = ?1")?;
        let (mut low, mut high) = (0, last);
        while low < high {
            let middle = low + (high - low + 1) / 2;
            let at: Option<String> = statement.query_row([middle], |row| row.get(0)).optional()?;
            let earlier = at.is_some_and(|at| if with_it { at.as_str() <= time } else { at.as_str() < time });
            if earlier {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        Ok(low)
    }

    /// One event.
    pub fn event(&self, seq: i64) -> Result<Option<Event>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT * FROM events WHERE seq = ?1")?;
        Ok(statement.query_row([seq], event).optional()?)
    }

    /// The event that tells of a ruling.
    pub fn ruling_event(&self, ruling: RulingId) -> Result<Option<Event>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT * FROM events WHERE ruling = ?1")?;
        Ok(statement.query_row([ruling.0], event).optional()?)
    }

    /// The number of the event with this hash (in hexadecimal digits), where there is one.
    pub fn event_with_hash(&self, hash: &str) -> Result<Option<i64>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT seq FROM events WHERE hex(hash) = upper(?1)")?;
        Ok(statement.query_row([hash], |row| row.get(0)).optional()?)
    }

    /// The number and hash of the last event, in hexadecimal digits.
    pub fn head(&self) -> Result<Option<(i64, String)>, StoreError> {
        Ok(chain::head(&self.connection)?.map(|(seq, hash)| (seq, hex(&hash))))
    }
}

/// What an event says in words, for finding: not the names of its fields.
const SAID: &str = "json_extract(body, '$.reason', '$.note', '$.decision.text', '$.decision.cause', '$.batch',
     '$.winner', '$.loser', '$.record', '$.records', '$.decision.winner', '$.decision.loser', '$.decision.names',
     '$.decision.why', '$.grounds', '$.verdict')";

/// A condition with its values. Nothing from outside becomes part of the SQL.
struct Query {
    conditions: Vec<String>,
    values: Vec<Box<dyn ToSql>>,
}

impl Query {
    fn new(filter: &LogFilter, within: Stretch) -> Self {
        let mut query = Self { conditions: vec!["seq > ?1 AND seq <= ?2".to_owned()], values: Vec::new() };
        query.values.push(Box::new(within.after));
        query.values.push(Box::new(within.to));
        for (column, text) in [("actor", &filter.actor), ("kind", &filter.kind)] {
            if let Some(text) = text {
                query.with(&format!("{column} = ?"), text.clone());
            }
        }
        if let Some(subject) = &filter.subject {
            query.with("subject = ?", subject.as_str().to_owned());
        }
        if let Some(pair) = filter.pair {
            query.with("pair = ?", pair.0);
        }
        if let Some(ruling) = filter.ruling {
            query.with(
                "(ruling = ? OR kind = 'audit' AND json_extract(body, '$.ruling') = ?
                  OR kind = 'undo' AND json_extract(body, '$.decision.ruling') = ?)",
                ruling.0,
            );
        }
        if let Some(text) = &filter.text {
            let columns = ["subject", "attribute", "actor", "kind"].map(|it| format!("{it} LIKE ? ESCAPE '\\'"));
            query.with(
                &format!("({} OR body LIKE ? ESCAPE '\\' AND {SAID} LIKE ? ESCAPE '\\')", columns.join(" OR ")),
                condition::holding(text),
            );
        }
        query
    }

    /// Adds a condition in which each `?` stands for the one value.
    fn with(&mut self, condition: &str, value: impl ToSql + 'static) {
        self.values.push(Box::new(value));
        self.conditions.push(condition.replace('?', &format!("?{}", self.values.len())));
    }

    fn condition(&self) -> String {
        self.conditions.join(" AND ")
    }

    fn values(&self) -> Vec<&dyn ToSql> {
        self.values.iter().map(AsRef::as_ref).collect()
    }
}

pub(super) fn event(row: &rusqlite::Row<'_>) -> rusqlite::Result<Event> {
    Ok(Event {
        seq: row.get("seq")?,
        at: rows::parsed(&row.get::<_, String>("at")?)?,
        actor: row.get("actor")?,
        kind: row.get("kind")?,
        subject: row.get("subject")?,
        attribute: row.get("attribute")?,
        pair: row.get("pair")?,
        ruling: row.get("ruling")?,
        body: rows::json(&row.get::<_, String>("body")?)?,
        hash: hex(&row.get::<_, Vec<u8>>("hash")?),
    })
}
