//! Somebody who writes to a store behind the program's back, and knows its schema.

use std::path::Path;

use rusqlite::Connection;

/// Lets somebody act on a store after the triggers that refuse them were taken away, and puts these back.
pub(crate) fn behind<T>(path: &Path, act: impl FnOnce(&Connection) -> T) -> T {
    let stray = Connection::open(path).unwrap();
    let triggers: Vec<(String, String)> = stray
        .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    stray.execute_batch("PRAGMA foreign_keys = off; PRAGMA synchronous = off").unwrap();
    for (name, _) in &triggers {
        stray.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    let done = act(&stray);
    for (_, sql) in &triggers {
        stray.execute_batch(sql).unwrap();
    }
    done
}

/// As [`behind`], by these statements.
pub(crate) fn attack(path: &Path, sql: &str) {
    behind(path, |stray| stray.execute_batch(sql).unwrap_or_else(|error| panic!("{sql}: {error}")));
}
