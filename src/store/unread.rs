//! What stands in a row that cannot be read: its bytes are shown, and the rows beside it are not kept back.

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use serde_json::Value;

use super::error::StoreError;

/// So many bytes of it are shown.
const SHOWN: usize = 120;

/// The value of a cell; one that cannot be read is a text that says so, with its bytes.
pub(super) fn value(cell: ValueRef<'_>) -> Value {
    let text = if let ValueRef::Text(bytes) = cell { std::str::from_utf8(bytes).ok() } else { None };
    let read = text.and_then(|text| serde_json::from_str(text).ok());
    read.unwrap_or_else(|| Value::String(format!("unreadable: {}", bytes(cell))))
}

/// Why a record cannot be read, with what stands there in the place of what should; other errors are left as they are.
pub(super) fn why(connection: &Connection, row: i64, error: StoreError) -> StoreError {
    if error.is_passing() {
        return error;
    }
    named(connection, row).ok().flatten().map_or(error, StoreError::Damaged)
}

fn named(connection: &Connection, row: i64) -> Result<Option<String>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT * FROM records WHERE record = ?1")?;
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut found = statement.query([row])?;
    let Some(it) = found.next()? else { return Ok(None) };
    for (place, column) in columns.iter().enumerate() {
        let cell = it.get_ref(place)?;
        let ValueRef::Text(text) = cell else { continue };
        let json = ["value", "source"].contains(&column.as_str());
        let reads =
            std::str::from_utf8(text).is_ok_and(|text| !json || serde_json::from_str::<Value>(text).is_ok());
        if !reads {
            let id = bytes(it.get_ref("id")?);
            return Ok(Some(format!("record {id} cannot be read: its {column} is {}", bytes(cell))));
        }
    }
    Ok(None)
}

/// The bytes of a cell, those that are no plain letters as their numbers; of many, the first.
fn bytes(cell: ValueRef<'_>) -> String {
    match cell {
        ValueRef::Null => "nothing".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            let more = if bytes.len() > SHOWN { "…" } else { "" };
            let shown = bytes.iter().take(SHOWN).map(|byte| match byte {
                b' '..=b'~' => char::from(*byte).to_string(),
                _ => format!("\\x{byte:02x}"),
            });
            shown.collect::<String>() + more
        }
    }
}
