//! Opening a store file: one recipe, each line of it pinned by a test.

use std::fs;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::Backup;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};

use super::error::StoreError;

/// "GAIN" as a number: what marks a file as a store.
pub(super) const APPLICATION_ID: i64 = 0x4741_494E;

/// How long a writer waits for another before it says that the store is busy.
const BUSY: Duration = Duration::from_secs(5);

/// The longest text or blob that a store may hold.
const LONGEST_VALUE: i32 = 16 * 1024 * 1024;

/// Opens the file for reading and writing, making it (mode 0600, its folder 0700) where it is not there.
pub(super) fn for_writing(path: &Path) -> Result<Connection, StoreError> {
    let cannot = |cause: String| StoreError::CannotOpen { path: path.to_owned(), cause };
    make_private(path).map_err(|error| cannot(error.to_string()))?;
    // A link to the store is followed once, here; SQLite then refuses any.
    let resolved = path.canonicalize().map_err(|error| cannot(error.to_string()))?;
    if resolved.is_dir() {
        return Err(cannot("it is a folder".to_owned()));
    }
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NOFOLLOW | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(&resolved, flags).map_err(|error| cannot(error.to_string()))?;
    check_header(&connection, path)?;
    defend(&connection)?;
    Ok(connection)
}

fn make_private(path: &Path) -> std::io::Result<()> {
    if path.exists() {
        return Ok(());
    }
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists()) {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    Ok(())
}

/// A file with something in it must say that it is a store; a file that is not a database says so here.
fn check_header(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let read = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<_, i64>(0));
    let not_a_store = |_| StoreError::NotAStore(path.to_owned());
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(not_a_store)?;
    let application = read("PRAGMA application_id").map_err(not_a_store)?;
    if application == APPLICATION_ID || (application == 0 && tables == 0) {
        return Ok(());
    }
    Err(StoreError::NotAStore(path.to_owned()))
}

fn defend(connection: &Connection) -> Result<(), StoreError> {
    connection.busy_timeout(BUSY)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_VALUE)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "cache_size", -32_768)?;
    connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.set_prepared_statement_cache_capacity(128);
    Ok(())
}

/// Copies the store through SQLite's backup interface to `FILE.partial`, checks the copy, then gives it its name.
pub(super) fn backup(connection: &Connection, to: &Path) -> Result<(), StoreError> {
    if to.exists() {
        return Err(StoreError::InTheWay { path: to.to_owned() });
    }
    let partial = PathBuf::from(format!("{}.partial", to.display()));
    fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&partial)?;
    let copied = copy(connection, &partial);
    if copied.is_err() {
        fs::remove_file(&partial)?;
    }
    copied?;
    fs::set_permissions(&partial, fs::Permissions::from_mode(0o600))?;
    fs::File::open(&partial)?.sync_all()?;
    // A link rather than a rename: it fails where another file took the name in the meantime.
    fs::hard_link(&partial, to)?;
    fs::remove_file(&partial)?;
    Ok(())
}

fn copy(connection: &Connection, partial: &Path) -> Result<(), StoreError> {
    let mut target = Connection::open(partial)?;
    Backup::new(connection, &mut target)?.run_to_completion(1_000, Duration::from_millis(1), None)?;
    target.pragma_update_and_check(None, "journal_mode", "delete", |_| Ok(()))?;
    let said: String = target.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if said == "ok" { Ok(()) } else { Err(StoreError::Damaged(said)) }
}
