//! Opening a store file: one recipe, each line of it pinned by a test.

use std::ffi::OsString;
use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::Backup;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};

use super::error::{StoreError, cause_of};

/// "GAIN" as a number: what marks a file as a store.
pub(super) const APPLICATION_ID: i64 = 0x4741_494E;

/// How long a writer waits for another before it says that the store is busy.
const BUSY: Duration = Duration::from_secs(5);

/// The longest text or blob that a store may hold.
const LONGEST_VALUE: i32 = 16 * 1024 * 1024;

/// An opened store file.
pub(super) struct Opened {
    pub(super) connection: Connection,
    /// Why nothing can be written to it, where that is so.
    pub(super) read_only: Option<String>,
}

/// Looks at what was opened, before anything of it is relied on and before anything is written.
pub(super) type Checked<'a> = &'a mut dyn FnMut(&mut Connection) -> Result<(), StoreError>;

/// Opens a store that is there, for reading and writing; for reading only, where the system allows no more.
pub(super) fn for_writing(path: &Path, check: Checked<'_>) -> Result<Opened, StoreError> {
    let opened = writable(path, &mut |connection| {
        check(connection)?;
        as_it_is_kept(connection)
    });
    or_to_read(opened, check)
}

/// As [`for_writing`], and nothing of how the file is kept is changed.
pub(super) fn as_it_is(path: &Path, check: Checked<'_>) -> Result<Opened, StoreError> {
    let opened = writable(path, check);
    or_to_read(opened, check)
}

/// A store on a medium that nobody can write to can be read all the same; where it cannot, the first reason stands.
fn or_to_read(opened: Result<Connection, StoreError>, check: Checked<'_>) -> Result<Opened, StoreError> {
    match opened {
        Err(StoreError::CannotOpen { path, cause }) => match for_reading(&path, &cause, check) {
            Err(StoreError::CannotOpen { .. }) => Err(StoreError::CannotOpen { path, cause }),
            opened => opened,
        },
        opened => Ok(Opened { connection: opened?, read_only: None }),
    }
}

fn writable(path: &Path, check: Checked<'_>) -> Result<Connection, StoreError> {
    let resolved = regular(path)?;
    let mut connection = connect(&resolved)?;
    // Of a file that may not be written, SQLite gives one to read without a word.
    if connection.is_readonly("main")? {
        let cause = fs::File::options().write(true).open(&resolved).err();
        let cause = cause.map_or_else(|| "it may not be written".to_owned(), |error| cause_of(&error));
        return Err(StoreError::CannotOpen { path: path.to_owned(), cause });
    }
    check_header(&connection, &resolved, path)?;
    defend(&connection).map_err(|error| kept_from(error, path))?;
    check(&mut connection).map_err(|error| kept_from(error, path))?;
    Ok(connection)
}

/// Opens a store that is there for reading only, and makes no file beside it: for an audit, and for a medium that nobody
/// can write to. `because` is why, as the reader will be told.
pub(super) fn for_reading(path: &Path, because: &str, check: Checked<'_>) -> Result<Opened, StoreError> {
    let resolved = regular(path)?;
    let mut connection = to_read(&resolved, path)?;
    check_header(&connection, &resolved, path)?;
    defend(&connection).map_err(|error| kept_from(error, path))?;
    connection.pragma_update(None, "query_only", true)?;
    check(&mut connection).map_err(|error| kept_from(error, path))?;
    Ok(Opened { connection, read_only: Some(because.to_owned()) })
}

fn to_read(resolved: &Path, path: &Path) -> Result<Connection, StoreError> {
    at_rest(resolved).map_err(|error| kept_from(error.into(), path))
}

/// What was written last may lie in the side file, which SQLite then must read with it. Where there is none, nobody has
/// the store open to write: it is read as it lies there.
fn at_rest(resolved: &Path) -> rusqlite::Result<Connection> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NOFOLLOW | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    if fs::metadata(beside(resolved, "-wal")).is_ok_and(|side| side.len() > 0) {
        Connection::open_with_flags(resolved, flags)
    } else {
        Connection::open_with_flags(as_uri(resolved), flags | OpenFlags::SQLITE_OPEN_URI)
    }
}

/// Opens a file that begins as a store does for reading only, whatever became of the rest: SQLite is told not to mind
/// pages that are gone, nor a schema that does not read.
pub(super) fn for_saving(path: &Path) -> Result<Opened, StoreError> {
    let resolved = regular(path)?;
    check_mark(&resolved, path)?;
    let connection = to_read(&resolved, path)?;
    let set = |what, on| connection.set_db_config(what, on).map(drop);
    set(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    set(DbConfig::SQLITE_DBCONFIG_WRITABLE_SCHEMA, true)?;
    without_triggers(&connection, true)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_VALUE)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(Opened { connection, read_only: Some("it was opened to be saved".to_owned()) })
}

/// The file that a path leads to, which must be one that a store could be.
fn regular(path: &Path) -> Result<PathBuf, StoreError> {
    let cannot = |cause: String| StoreError::CannotOpen { path: path.to_owned(), cause };
    // A link to the store is followed once, here; SQLite then refuses any.
    let resolved = path.canonicalize().map_err(|error| cannot(cause_of(&error)))?;
    let found = fs::metadata(&resolved).map_err(|error| cannot(cause_of(&error)))?;
    if !found.is_file() {
        let what = if found.is_dir() { "it is a folder" } else { "it is no regular file" };
        return Err(cannot(what.to_owned()));
    }
    // An empty file would pass for a new database; a store never is one.
    if found.len() == 0 {
        return Err(StoreError::NotAStore { path: path.to_owned(), why: "it is empty" });
    }
    Ok(resolved)
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// A file that does not change while it is open, as SQLite is told so: what a name of one would mean is escaped.
fn as_uri(path: &Path) -> OsString {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let mut uri = b"file:".to_vec();
    for byte in path.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(byte) {
            uri.push(*byte);
        } else {
            uri.extend(format!("%{byte:02X}").into_bytes());
        }
    }
    uri.extend(b"?immutable=1");
    OsString::from_vec(uri)
}

/// The failure to open a file that may not be read or written, or beside which nothing may be made, in such words.
fn kept_from(error: StoreError, path: &Path) -> StoreError {
    use rusqlite::ErrorCode::{CannotOpen, PermissionDenied, ReadOnly};
    let StoreError::Sqlite(rusqlite::Error::SqliteFailure(failure, _)) = &error else { return error };
    if !matches!(failure.code, CannotOpen | PermissionDenied | ReadOnly) {
        return error;
    }
    // Only here, where no connection holds a lock that closing the file would let go.
    let own = fs::File::options().read(true).write(true).open(path).err();
    let cause = own.map_or_else(
        || "no file can be made beside it, and a store keeps two there while it is open".to_owned(),
        |error| cause_of(&error),
    );
    StoreError::CannotOpen { path: path.to_owned(), cause }
}

/// Makes an empty database file of mode 0600 and opens it by the recipe.
pub(super) fn fresh(path: &Path) -> Result<Connection, StoreError> {
    fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    let connection = connect(path)?;
    defend(&connection)?;
    as_it_is_kept(&connection)?;
    Ok(connection)
}

/// As [`fresh`], for a file that nobody sees before it is whole: it needs no side file and waits for no disk. What goes
/// wrong is still rolled back, from memory; what a crash leaves is under no name that anybody opens.
pub(super) fn unseen(path: &Path) -> Result<Connection, StoreError> {
    let connection = fresh(path)?;
    connection.pragma_update_and_check(None, "journal_mode", "memory", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "off")?;
    Ok(connection)
}

/// Makes it a store like any other, before it is seen.
pub(super) fn as_others(connection: &Connection) -> Result<(), StoreError> {
    connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
    Ok(())
}

/// Another connection to a store that is open already, to look at it: nothing that its schema brings along is run, and
/// where it is open for reading only, no more is asked of the system. What keeps it from opening is not looked into:
/// opening the file to see would let go of the locks of those that are open.
pub(super) fn another(path: &Path, read_only: bool) -> Result<Connection, StoreError> {
    let resolved = path.canonicalize()?;
    let connection = if read_only { at_rest(&resolved)? } else { Connection::open_with_flags(resolved, flags())? };
    defend(&connection)?;
    without_triggers(&connection, true)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

fn flags() -> OpenFlags {
    OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NOFOLLOW | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

fn connect(resolved: &Path) -> Result<Connection, StoreError> {
    Connection::open_with_flags(resolved, flags()).map_err(|error| kept_from(error.into(), resolved))
}

/// A file with something in it must say that it is a store; a file that is not a database says so here.
fn check_header(connection: &Connection, resolved: &Path, path: &Path) -> Result<(), StoreError> {
    let read = |query: &str| connection.query_row(query, [], |row| row.get::<_, i64>(0));
    let counted = read("SELECT count(*) FROM sqlite_schema");
    let marked = counted.and_then(|tables| Ok((read("PRAGMA application_id")?, tables)));
    match marked {
        Ok((APPLICATION_ID, 1..)) => Ok(()),
        Ok(_) => Err(StoreError::NotAStore { path: path.to_owned(), why: "it is a database of another program" }),
        Err(error) => Err(unread(error, resolved, path)),
    }
}

/// What a file is that SQLite cannot read: a store that is damaged still begins as one.
fn unread(error: rusqlite::Error, resolved: &Path, path: &Path) -> StoreError {
    let error = StoreError::from(error);
    let StoreError::Damaged(said) = error else { return kept_from(error, path) };
    match check_mark(resolved, path) {
        Ok(header) => StoreError::Damaged(cut_short(&header, resolved).unwrap_or(said)),
        Err(error) => error,
    }
}

/// The first hundred bytes of a file, which must begin as a store does.
fn check_mark(resolved: &Path, path: &Path) -> Result<Vec<u8>, StoreError> {
    const MAGIC: &[u8] = b"SQLite format 3\0";
    let not_a_store = |why| Err(StoreError::NotAStore { path: path.to_owned(), why });
    let mut header = Vec::new();
    if let Err(error) = fs::File::open(resolved).and_then(|file| file.take(100).read_to_end(&mut header)) {
        return Err(StoreError::CannotOpen { path: path.to_owned(), cause: cause_of(&error) });
    }
    if !header.starts_with(MAGIC) {
        return not_a_store("it is no SQLite database");
    }
    let marked = header.get(68..72).is_some_and(|mark| i64::from(be_u32(mark)) == APPLICATION_ID);
    if marked { Ok(header) } else { not_a_store("it is a database of another program") }
}

/// How much of a database is gone, where its header tells of more than there is.
fn cut_short(header: &[u8], file: &Path) -> Option<String> {
    // A page of 65,536 bytes does not fit in its two, and is written as 1.
    let page = match u16::from_be_bytes([*header.get(16)?, *header.get(17)?]) {
        1 => 65_536,
        size => u64::from(size),
    };
    let told = page * u64::from(be_u32(header.get(28..32)?));
    let there = fs::metadata(file).ok()?.len();
    (there < told).then(|| format!("it is cut short: {there} bytes are there of {told}"))
}

fn be_u32(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

fn defend(connection: &Connection) -> Result<(), StoreError> {
    connection.busy_timeout(BUSY)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
    // A plan does not follow the values that are bound: else a cached statement is compiled anew for each of them.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_VALUE)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "cache_size", -32_768)?;
    // What an import sorts, and an index that is made late, is sorted beside the reading of it.
    connection.pragma_update(None, "threads", 2)?;
    connection.set_prepared_statement_cache_capacity(128);
    Ok(())
}

/// What is written is first written beside the store, and is on the disk before anybody is told that it is done.
fn as_it_is_kept(connection: &Connection) -> Result<(), StoreError> {
    connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "full")?;
    // What is in the side file is brought over once in some hundreds of rulings: whoever rules waits for it seldom.
    connection.pragma_update_and_check(None, "wal_autocheckpoint", 8_000, |_| Ok(()))?;
    Ok(())
}

/// Nothing that a schema brings along is run: for a store whose schema is not to be trusted.
pub(super) fn without_triggers(connection: &Connection, without: bool) -> Result<(), StoreError> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, !without)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, !without)?;
    Ok(())
}

/// Copies the store through SQLite's backup interface to `FILE.partial`, checks the copy, then gives it its name.
pub(super) fn backup(connection: &Connection, to: &Path) -> Result<(), StoreError> {
    if to.exists() {
        return Err(StoreError::InTheWay { path: to.to_owned() });
    }
    let cannot = |error: std::io::Error| StoreError::CannotWrite { path: to.to_owned(), cause: cause_of(&error) };
    let partial = PathBuf::from(format!("{}.partial", to.display()));
    if let Err(error) = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&partial) {
        let taken = error.kind() == std::io::ErrorKind::AlreadyExists;
        return Err(if taken { StoreError::InTheWay { path: partial } } else { cannot(error) });
    }
    // One still picture for all of it: the copy would begin anew with every write of another process, and never end.
    connection.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema")?;
    let copied = copy(connection, &partial);
    connection.execute_batch("ROLLBACK")?;
    if copied.is_err() {
        fs::remove_file(&partial)?;
    }
    copied.map_err(|error| if error.is_full() { cannot(std::io::ErrorKind::StorageFull.into()) } else { error })?;
    let publish = || {
        fs::set_permissions(&partial, fs::Permissions::from_mode(0o600))?;
        fs::File::open(&partial)?.sync_all()?;
        // A link rather than a rename: it fails where another file took the name in the meantime.
        fs::hard_link(&partial, to)?;
        fs::remove_file(&partial)
    };
    publish().map_err(cannot)
}

fn copy(connection: &Connection, partial: &Path) -> Result<(), StoreError> {
    let mut target = Connection::open(partial)?;
    Backup::new(connection, &mut target)?.run_to_completion(1_000, Duration::from_millis(1), None)?;
    target.pragma_update_and_check(None, "journal_mode", "delete", |_| Ok(()))?;
    let said: String = target.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if said == "ok" { Ok(()) } else { Err(StoreError::Damaged(said)) }
}
