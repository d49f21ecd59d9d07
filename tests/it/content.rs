//! What a store says, read by plain SQL: every row of every table, as text, so that two files can be held against each
//! other without the program under test.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::types::Value as Cell;
use rusqlite::{Connection, OpenFlags};

/// What only says that something changed, and answers no question: columns by table. `checks` says when somebody
/// verified the store, and proves nothing.
const COUNTS_CHANGES: [(&str, &str); 2] = [("pairs", "touched"), ("slots", "revision")];

/// Whether a column says something that an answer rests on.
pub(crate) fn is_said(table: &str, column: &str) -> bool {
    table != "checks" && !COUNTS_CHANGES.contains(&(table, column))
}

/// Rows of which a count says that there are none, by table: whatever else they say is of nothing.
pub(crate) fn counts_something(table: &str) -> &'static str {
    match table {
        "pair_counts" | "pair_spans" => "count <> 0",
        "tallies" => "won <> 0 OR lost <> 0",
        _ => "1",
    }
}

/// The tables that hold something, by name: not those of an index over the letters of pairs, which is only ever asked
/// where to look.
pub(crate) fn tables(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    connection
        .prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
                 AND name NOT LIKE 'pair_letters%' ORDER BY name",
        )?
        .query_map([], |row| row.get(0))?
        .collect()
}

/// Every table with its rows; and the schema itself, as a table.
pub(crate) fn content(path: &Path) -> rusqlite::Result<BTreeMap<String, Vec<String>>> {
    // As it lies there: nothing is recovered, nothing is written.
    let name = format!("file:{}?immutable=1", path.display());
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(name, flags)?;
    let mut said = BTreeMap::new();
    said.insert("the schema".to_owned(), rows(&connection, "sqlite_schema", "type, name, tbl_name, sql")?);
    let marks = ["application_id", "user_version", "encoding"]
        .map(|pragma| connection.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get::<_, Cell>(0)));
    let marks: Vec<Cell> = marks.into_iter().collect::<Result<_, _>>()?;
    said.insert("the file".to_owned(), vec![format!("{marks:?}")]);
    for table in tables(&connection)? {
        let columns: Vec<String> = connection
            .prepare(&format!("SELECT name FROM pragma_table_info('{table}')"))?
            .query_map([], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        let columns: Vec<&str> =
            columns.iter().map(String::as_str).filter(|column| is_said(&table, column)).collect();
        if !columns.is_empty() {
            said.insert(table.clone(), rows(&connection, &table, &columns.join(", "))?);
        }
    }
    Ok(said)
}

fn rows(connection: &Connection, table: &str, columns: &str) -> rusqlite::Result<Vec<String>> {
    let which = counts_something(table);
    let mut statement = connection.prepare(&format!("SELECT {columns} FROM {table} NOT INDEXED WHERE {which}"))?;
    let many = statement.column_count();
    let mut found = statement.query([])?;
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        // Bytes that are no text must stay apart from any that are.
        let cells: Vec<String> =
            (0..many).map(|at| Ok(format!("{:?}", row.get_ref(at)?))).collect::<rusqlite::Result<_>>()?;
        rows.push(cells.join(" | "));
    }
    rows.sort();
    Ok(rows)
}
