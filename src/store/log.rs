//! The event log, read: filtered, oldest or newest first.

use rusqlite::types::ToSql;
use serde_json::Value;

use super::Store;
use super::chain::{self, hex};
use super::error::StoreError;
use super::rows;
use crate::core::record::Subject;
use crate::core::time::Instant;

/// Which events are read; an absent part filters nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LogFilter {
    pub actor: Option<String>,
    pub kind: Option<String>,
    pub since: Option<Instant>,
    pub subject: Option<Subject>,
    /// Only events after this one.
    pub after: Option<i64>,
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

impl Store {
    /// Hands on each event that the filter shows, oldest first, until `each` fails.
    pub fn log<E: From<StoreError>>(
        &self,
        filter: &LogFilter,
        mut each: impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut conditions = vec!["1 = 1"];
        let mut values: Vec<Box<dyn ToSql>> = Vec::new();
        if let Some(actor) = &filter.actor {
            conditions.push("actor = ?");
            values.push(Box::new(actor.clone()));
        }
        if let Some(kind) = &filter.kind {
            conditions.push("kind = ?");
            values.push(Box::new(kind.clone()));
        }
        if let Some(since) = filter.since {
            conditions.push("at >= ?");
            values.push(Box::new(since.sortable()));
        }
        if let Some(subject) = &filter.subject {
            conditions.push("subject = ?");
            values.push(Box::new(subject.as_str().to_owned()));
        }
        if let Some(after) = filter.after {
            conditions.push("seq > ?");
            values.push(Box::new(after));
        }
        let sql = format!("SELECT * FROM events WHERE {} ORDER BY seq", conditions.join(" AND "));
        let values: Vec<&dyn ToSql> = values.iter().map(AsRef::as_ref).collect();
        let mut statement = self.connection.prepare_cached(&sql).map_err(StoreError::from)?;
        let mut found = statement.query(values.as_slice()).map_err(StoreError::from)?;
        while let Some(row) = found.next().map_err(StoreError::from)? {
            each(event(row).map_err(StoreError::from)?)?;
        }
        Ok(())
    }

    /// The number and hash of the last event, in hexadecimal digits.
    pub fn head(&self) -> Result<Option<(i64, String)>, StoreError> {
        Ok(chain::head(&self.connection)?.map(|(seq, hash)| (seq, hex(&hash))))
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
