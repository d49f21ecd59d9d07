//! Indexes made late: while an empty store is filled for the first time, what is looked up by nobody is sorted once, when
//! its rows are there, and not with every row. All of it lies in the one transaction: whoever looks sees the schema as
//! shipped.

use rusqlite::Connection;

use super::error::StoreError;

/// Nothing that an import does before it judges looks anything up by these.
const TO_JUDGE: [&str; 5] =
    ["records_by_id", "records_by_slot", "records_by_batch", "records_by_event", "slots_by_home"];

/// Nor while it judges, by these.
const TO_READ: [&str; 6] =
    ["slots_by_attribute", "pairs_by_state", "pairs_by_lane", "pairs_by_slot", "pairs_by_left", "pairs_by_right"];

/// Indexes that are put off, as the statements that make them.
#[derive(Default)]
pub(super) struct Late {
    to_judge: Vec<String>,
    to_read: Vec<String>,
}

/// Puts the indexes off, where the store has no record yet.
pub(super) fn begin(connection: &Connection) -> Result<Late, StoreError> {
    let empty: bool = connection.query_row(
        "SELECT NOT EXISTS (SELECT 1 FROM records) AND NOT EXISTS (SELECT 1 FROM slots)
             AND NOT EXISTS (SELECT 1 FROM pairs)",
        [],
        |row| row.get(0),
    )?;
    if !empty {
        return Ok(Late::default());
    }
    Ok(Late { to_judge: put_off(connection, &TO_JUDGE)?, to_read: put_off(connection, &TO_READ)? })
}

fn put_off(connection: &Connection, names: &[&str]) -> Result<Vec<String>, StoreError> {
    let mut made = Vec::new();
    for name in names {
        let sql = "SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = ?1";
        made.push(connection.query_row(sql, [name], |row| row.get(0))?);
        connection.execute_batch(&format!("DROP INDEX {name}"))?;
    }
    Ok(made)
}

impl Late {
    /// Makes those that judging needs: every record is there.
    pub(super) fn before_judging(&mut self, connection: &Connection) -> Result<(), StoreError> {
        make(connection, std::mem::take(&mut self.to_judge))
    }

    /// Makes the others: everything is there.
    pub(super) fn after_judging(&mut self, connection: &Connection) -> Result<(), StoreError> {
        make(connection, std::mem::take(&mut self.to_read))
    }
}

fn make(connection: &Connection, late: Vec<String>) -> Result<(), StoreError> {
    late.iter().try_for_each(|sql| Ok(connection.execute_batch(sql)?))
}
