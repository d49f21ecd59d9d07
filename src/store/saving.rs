//! What can still be read of a damaged store, line by line as an export has it: past rows that cannot be read, and from
//! both ends of a table where something in its middle cannot.

use rusqlite::{Connection, Row};

use super::Store;
use super::archive::{self, Reads};
use super::damage::Damage;
use super::error::StoreError;
use crate::wire::archive::{Line, NamesLine};

/// What was saved of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Saved {
    pub policies: u64,
    pub records: u64,
    pub rulings: u64,
    pub events: u64,
    /// What could not be read, thing by thing.
    pub lost: Vec<Damage>,
}

/// A table that holds what is true: what one row of it is called, its key, and how its rows become lines.
struct Part {
    row: &'static str,
    key: &'static str,
    sql: String,
    read: Reads,
}

impl Store {
    /// Hands on every line that can be read, until `each` fails: those of an export but its first, which would promise
    /// that all of them follow.
    pub fn save<E: From<StoreError>>(&mut self, mut each: impl FnMut(Line) -> Result<(), E>) -> Result<Saved, E> {
        let mut saved = Saved::default();
        let parts = [
            Part {
                row: "policy version",
                key: "version",
                sql: "SELECT * FROM policies".into(),
                read: archive::policy,
            },
            Part {
                row: "slot",
                key: "slot",
                sql: "SELECT slot, subject, attribute FROM slots".into(),
                read: archive::slot,
            },
            Part { row: "record number", key: "record", sql: archive::records(), read: archive::record },
            Part { row: "ruling", key: "ruling", sql: "SELECT * FROM rulings".into(), read: archive::ruling },
            Part { row: "what is named by ruling", key: "ruling", sql: NAMES.into(), read: name },
            Part { row: "event", key: "seq", sql: "SELECT * FROM events".into(), read: archive::event },
        ];
        let tx = self.still()?;
        for part in parts {
            part.save(&tx, &mut saved, &mut each)?;
        }
        Ok(saved)
    }
}

const NAMES: &str = "SELECT ruling, record FROM ruling_records NOT INDEXED";

fn name(row: &Row<'_>) -> Result<Line, StoreError> {
    Ok(Line::Names(NamesLine { ruling: row.get(0)?, rows: vec![row.get(1)?] }))
}

impl Part {
    /// Forwards, and where that ends too early, backwards down to where it ended.
    fn save<E: From<StoreError>>(
        &self,
        connection: &Connection,
        saved: &mut Saved,
        each: &mut impl FnMut(Line) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut last = None;
        let Some(error) = self.walk(connection, "ASC", saved, each, |key| {
            // A tree of pages that leads back to itself would never end.
            let goes_on = last.is_none_or(|last| key >= last);
            last = last.max(Some(key));
            goes_on
        })?
        else {
            return Ok(());
        };
        let mut first = None;
        self.walk(connection, "DESC", saved, each, |key| {
            let goes_on = last.is_none_or(|last| key > last) && first.is_none_or(|first| key <= first);
            if goes_on {
                first = Some(key);
            }
            goes_on
        })?;
        let from = last.map_or_else(|| "the first".to_owned(), |last| format!("the one after {last}"));
        let to = first.map_or_else(|| "the last".to_owned(), |first| format!("the one before {first}"));
        let what = format!("{}s, {from} to {to}", self.row);
        saved.lost.push(Damage { what, wrong: format!("they cannot be read: {error}") });
        Ok(())
    }

    /// Row by row, as long as they are wanted; gives what ended it before the end of the table.
    fn walk<E: From<StoreError>>(
        &self,
        connection: &Connection,
        direction: &str,
        saved: &mut Saved,
        each: &mut impl FnMut(Line) -> Result<(), E>,
        mut wanted: impl FnMut(i64) -> bool,
    ) -> Result<Option<StoreError>, E> {
        let sql = format!("{} ORDER BY {} {direction}", self.sql, self.key);
        let mut statement = match connection.prepare(&sql) {
            Ok(statement) => statement,
            Err(error) => return Ok(Some(error.into())),
        };
        let mut rows = match statement.query([]) {
            Ok(rows) => rows,
            Err(error) => return Ok(Some(error.into())),
        };
        loop {
            let row = match rows.next() {
                Ok(Some(row)) => row,
                Ok(None) => return Ok(None),
                Err(error) => return Ok(Some(error.into())),
            };
            let key: i64 = row.get(self.key).unwrap_or_default();
            if !wanted(key) {
                return Ok(Some(StoreError::Damaged("its rows are not in their order".to_owned())));
            }
            match (self.read)(row) {
                Ok(line) => {
                    saved.count(&line);
                    each(line)?;
                }
                Err(error) => {
                    let what = format!("{} {key}", self.row);
                    saved.lost.push(Damage { what, wrong: format!("it cannot be read: {error}") });
                }
            }
        }
    }
}

impl Saved {
    fn count(&mut self, line: &Line) {
        match line {
            Line::Policy(_) => self.policies += 1,
            Line::Record(_) => self.records += 1,
            Line::Ruling(_) => self.rulings += 1,
            Line::Event(_) => self.events += 1,
            Line::Export(_) | Line::Slot(_) | Line::Names(_) => {}
        }
    }
}
