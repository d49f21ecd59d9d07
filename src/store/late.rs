//! Indexes made late: while an empty store is filled for the first time, what is looked up by nobody is sorted once, at
//! the end, and not with every row. All of it lies in the one transaction: whoever looks sees the schema as shipped.

use rusqlite::Connection;

use super::error::StoreError;

/// Nothing that an import does before it judges looks anything up by these.
const LATE: [&str; 6] = [
    "records_by_id",
    "records_by_slot",
    "records_by_batch",
    "records_by_event",
    "slots_by_home",
    "slots_by_attribute",
];

/// Indexes that are put off, each with the statement that makes it.
pub(super) struct Late(Vec<String>);

/// Puts the indexes off, where the store has no record yet.
pub(super) fn begin(connection: &Connection) -> Result<Late, StoreError> {
    let empty: bool = connection.query_row(
        "SELECT NOT EXISTS (SELECT 1 FROM records) AND NOT EXISTS (SELECT 1 FROM slots)",
        [],
        |row| row.get(0),
    )?;
    let mut late = Late(Vec::new());
    if !empty {
        return Ok(late);
    }
    let mut shipped = connection.prepare("SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = ?1")?;
    for name in LATE {
        late.0.push(shipped.query_row([name], |row| row.get(0))?);
    }
    drop(shipped);
    for name in LATE {
        connection.execute_batch(&format!("DROP INDEX {name}"))?;
    }
    Ok(late)
}

impl Late {
    /// Makes them.
    pub(super) fn make(&mut self, connection: &Connection) -> Result<(), StoreError> {
        for sql in std::mem::take(&mut self.0) {
            connection.execute_batch(&sql)?;
        }
        Ok(())
    }
}
