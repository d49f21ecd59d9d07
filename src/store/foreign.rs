//! Another program's `SQLite` file, read and nothing else: its tables, and their rows as objects.
//!
//! The file is foreign: it is opened read-only, its schema is not trusted, its views and triggers are off.

use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use serde_json::{Map, Value, json};

use super::error::StoreError;

/// How such a file begins.
pub const MAGIC: &[u8] = b"SQLite format 3\0";

/// So many rows are read at once.
const PAGE: i64 = 500;

/// The longest text that is read of it.
const LONGEST: i32 = 16 * 1024 * 1024;

/// An open foreign database.
#[derive(Debug)]
pub struct Foreign {
    connection: Connection,
}

/// A row: its number, and what its columns say. What cannot be read is a sentence.
pub type Row = (i64, Result<Value, String>);

impl Foreign {
    /// Opens the file for reading.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let cannot =
            |error: rusqlite::Error| StoreError::CannotOpen { path: path.to_owned(), cause: error.to_string() };
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(cannot)?;
        let foreign = Self { connection };
        foreign.defend().map_err(cannot)?;
        Ok(foreign)
    }

    fn defend(&self) -> Result<(), rusqlite::Error> {
        let set = |what, on| self.connection.set_db_config(what, on).map(drop);
        set(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        set(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        set(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
        set(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
        self.connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
        self.connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST)?;
        self.connection.pragma_update(None, "cell_size_check", true)
    }

    /// The names of its tables.
    pub fn tables(&self) -> Result<Vec<String>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
        )?;
        let names = statement.query_map([], |row| row.get(0))?;
        Ok(names.collect::<Result<_, _>>()?)
    }

    /// The rows of a table in the order of their numbers, after the one that was read last.
    pub fn rows(&self, table: &str, after: Option<i64>, most: usize) -> Result<Vec<Row>, StoreError> {
        // A name cannot be bound: it is one of `tables`, and its quotes are doubled.
        let sql = format!(
            "SELECT rowid AS \"\u{1}row\", * FROM \"{}\" WHERE rowid > ?1 ORDER BY rowid LIMIT ?2",
            table.replace('"', "\"\"")
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let most = i64::try_from(most).unwrap_or(PAGE).min(PAGE);
        let mut rows = statement.query((after.unwrap_or(i64::MIN), most))?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let mut object = Map::new();
            let mut broken = None;
            for (at, name) in names.iter().enumerate().skip(1) {
                match value(row.get_ref(at)?) {
                    Ok(value) => drop(object.insert(name.clone(), value)),
                    Err(said) => broken = Some(format!("{name}: {said}")),
                }
            }
            found.push((row.get(0)?, broken.map_or(Ok(Value::Object(object)), Err)));
        }
        Ok(found)
    }
}

fn value(value: ValueRef<'_>) -> Result<Value, String> {
    match value {
        // Bytes are no claim: embeddings, mostly.
        ValueRef::Null | ValueRef::Blob(_) => Ok(Value::Null),
        ValueRef::Integer(number) => Ok(json!(number)),
        ValueRef::Real(number) => Ok(json!(number)),
        ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Ok(json!(text)),
            Err(_) => Err("the text is not UTF-8".to_owned()),
        },
    }
}
