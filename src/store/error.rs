//! What goes wrong with a store, and what to do about it.

use std::io;
use std::path::PathBuf;

/// A failure of the store; nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("there is no store at {0}")]
    Missing(PathBuf),
    #[error("{path} is not a Gainsay store: {why}")]
    NotAStore { path: PathBuf, why: &'static str },
    #[error("{path} was written by a newer Gainsay (schema {found}, this one knows {known})")]
    Newer { path: PathBuf, found: i64, known: i64 },
    #[error("the store is damaged: {0}")]
    Damaged(String),
    #[error("{path} cannot be opened: {cause}")]
    CannotOpen { path: PathBuf, cause: String },
    #[error("{path} was removed, or another file put in its place")]
    Gone { path: PathBuf },
    #[error("nothing can be written to {path}: {cause}")]
    ReadOnly { path: PathBuf, cause: String },
    #[error("the schema of {path} is not the one that this program made: {wrong}")]
    Altered { path: PathBuf, wrong: String },
    #[error("{path} is there already; a backup overwrites nothing")]
    InTheWay { path: PathBuf },
    #[error("cannot write {path}: {cause}")]
    CannotWrite { path: PathBuf, cause: String },
    #[error("{}", said(.0))]
    Sqlite(#[source] rusqlite::Error),
    #[error("{}", cause_of(.0))]
    Io(#[from] std::io::Error),
}

/// What SQLite says, in words where its own are none.
fn said(error: &rusqlite::Error) -> String {
    match space(error) {
        Some(Space::None) => "no space is left".to_owned(),
        Some(Space::NoneOrNoDisk) => {
            "it cannot be written: no space is left (a full disk, a quota, a limit), or the disk fails".to_owned()
        }
        None => error.to_string(),
    }
}

/// How a write came to nothing.
enum Space {
    None,
    /// The system says no more than that it failed.
    NoneOrNoDisk,
}

fn space(error: &rusqlite::Error) -> Option<Space> {
    use rusqlite::ffi::{SQLITE_IOERR_FSYNC, SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_TRUNCATE, SQLITE_IOERR_WRITE};
    let rusqlite::Error::SqliteFailure(failure, _) = error else { return None };
    let writes = [SQLITE_IOERR_WRITE, SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_TRUNCATE, SQLITE_IOERR_FSYNC];
    if failure.code == rusqlite::ErrorCode::DiskFull {
        return Some(Space::None);
    }
    writes.contains(&failure.extended_code).then_some(Space::NoneOrNoDisk)
}

/// What the system says of a file, in words.
pub fn cause_of(error: &io::Error) -> String {
    use io::ErrorKind::{
        FileTooLarge, IsADirectory, NotFound, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull,
    };
    const KNOWN: [(io::ErrorKind, &str); 7] = [
        (StorageFull, "no space is left"),
        (QuotaExceeded, "no space is left of what you may use"),
        (FileTooLarge, "no space is left: the file may not grow further"),
        (PermissionDenied, "permission denied"),
        (NotFound, "no such file or folder"),
        (IsADirectory, "it is a folder"),
        (ReadOnlyFilesystem, "it lies where nothing can be written"),
    ];
    let known = KNOWN.into_iter().find(|(kind, _)| *kind == error.kind());
    known.map_or_else(|| error.to_string(), |(_, said)| said.to_owned())
}

impl StoreError {
    /// Whether another process held the store longer than the busy time-out.
    pub fn is_busy(&self) -> bool {
        let Self::Sqlite(rusqlite::Error::SqliteFailure(failure, _)) = self else { return false };
        matches!(failure.code, rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked)
    }

    /// Whether it lies in the moment or the machine, and says nothing of what the store holds.
    pub(super) fn is_passing(&self) -> bool {
        use rusqlite::ErrorCode::{
            CannotOpen, DatabaseBusy, DatabaseLocked, DiskFull, OperationInterrupted, OutOfMemory,
            PermissionDenied, ReadOnly, SystemIoFailure,
        };
        match self {
            Self::Sqlite(rusqlite::Error::SqliteFailure(failure, _)) => matches!(
                failure.code,
                CannotOpen
                    | DatabaseBusy
                    | DatabaseLocked
                    | DiskFull
                    | OperationInterrupted
                    | OutOfMemory
                    | PermissionDenied
                    | ReadOnly
                    | SystemIoFailure
            ),
            Self::Sqlite(_) | Self::Damaged(_) => false,
            Self::Missing(_)
            | Self::NotAStore { .. }
            | Self::Newer { .. }
            | Self::CannotOpen { .. }
            | Self::Gone { .. }
            | Self::ReadOnly { .. }
            | Self::Altered { .. }
            | Self::InTheWay { .. }
            | Self::CannotWrite { .. }
            | Self::Io(_) => true,
        }
    }

    /// Whether there was no space left.
    pub(super) fn is_full(&self) -> bool {
        match self {
            Self::Sqlite(error) => space(error).is_some(),
            Self::Io(error) => {
                use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
                [FileTooLarge, QuotaExceeded, StorageFull].contains(&error.kind())
            }
            Self::Missing(_)
            | Self::NotAStore { .. }
            | Self::Newer { .. }
            | Self::Damaged(_)
            | Self::CannotOpen { .. }
            | Self::Gone { .. }
            | Self::ReadOnly { .. }
            | Self::Altered { .. }
            | Self::InTheWay { .. }
            | Self::CannotWrite { .. } => false,
        }
    }

    /// What to do now.
    pub fn hint(&self) -> String {
        match self {
            Self::Missing(_) => {
                "make one with `gainsay import FILE`, name another with --store, or try `gainsay demo`".to_owned()
            }
            Self::NotAStore { .. } => "name the right file with --store; this one was left untouched".to_owned(),
            Self::Newer { .. } => "update gainsay; the store was left untouched".to_owned(),
            Self::Damaged(_) => {
                "stop writing to it, keep the file, and restore a backup (`gainsay backup` makes them)".to_owned()
            }
            Self::CannotOpen { .. } => "check the path and its permissions".to_owned(),
            Self::Gone { .. } => "open it again, where it is now".to_owned(),
            Self::ReadOnly { .. } => "it is open for reading only, and nothing was changed".to_owned(),
            Self::Altered { .. } => {
                "nothing was read and nothing changed: `gainsay verify` names all of it, `gainsay repair` mends what can \
                 be, `gainsay export --readable` saves what can be read"
                    .to_owned()
            }
            Self::InTheWay { .. } => "choose another name for the backup".to_owned(),
            Self::CannotWrite { .. } => "free some space or check its permissions, and run it again".to_owned(),
            Self::Sqlite(_) if self.is_busy() => {
                "another process is writing; try again in a moment (nothing was changed)".to_owned()
            }
            Self::Sqlite(_) | Self::Io(_) if self.is_full() => {
                // SQLite does not say which of the two it was.
                "nothing was changed: free some space, there and where temporary files go (TMPDIR, or else /var/tmp), and \
                 run it again"
                    .to_owned()
            }
            Self::Sqlite(_) => "run `gainsay verify` to see whether the store is whole".to_owned(),
            Self::Io(_) => "check the path, its permissions and the free space".to_owned(),
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
        if let rusqlite::Error::SqliteFailure(failure, said) = &error
            && matches!(failure.code, DatabaseCorrupt | NotADatabase)
        {
            return Self::Damaged(said.clone().unwrap_or_else(|| failure.to_string()));
        }
        Self::Sqlite(error)
    }
}
