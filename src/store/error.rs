//! What goes wrong with a store, and what to do about it.

use std::path::PathBuf;

/// A failure of the store; nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("there is no store at {0}")]
    Missing(PathBuf),
    #[error("{0} is not a Gainsay store")]
    NotAStore(PathBuf),
    #[error("{path} was written by a newer Gainsay (schema {found}, this one knows {known})")]
    Newer { path: PathBuf, found: i64, known: i64 },
    #[error("the store is damaged: {0}")]
    Damaged(String),
    #[error("{path} cannot be opened: {cause}")]
    CannotOpen { path: PathBuf, cause: String },
    #[error("{path} is there already; a backup overwrites nothing")]
    InTheWay { path: PathBuf },
    #[error(transparent)]
    Sqlite(rusqlite::Error),
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl StoreError {
    /// Whether another process held the store longer than the busy time-out.
    pub fn is_busy(&self) -> bool {
        let Self::Sqlite(rusqlite::Error::SqliteFailure(failure, _)) = self else { return false };
        matches!(failure.code, rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked)
    }

    /// What to do now.
    pub fn hint(&self) -> String {
        match self {
            Self::Missing(_) => {
                "make one with `gainsay import FILE`, name another with --store, or try `gainsay demo`".to_owned()
            }
            Self::NotAStore(_) => "name the right file with --store; this one was left untouched".to_owned(),
            Self::Newer { .. } => "update gainsay; the store was left untouched".to_owned(),
            Self::Damaged(_) => {
                "stop writing to it, keep the file, and restore a backup (`gainsay backup` makes them)".to_owned()
            }
            Self::CannotOpen { .. } => "check the path and its permissions".to_owned(),
            Self::InTheWay { .. } => "choose another name for the backup".to_owned(),
            Self::Sqlite(_) if self.is_busy() => {
                "another process is writing; try again in a moment (nothing was changed)".to_owned()
            }
            Self::Sqlite(rusqlite::Error::SqliteFailure(failure, _))
                if failure.code == rusqlite::ErrorCode::DiskFull =>
            {
                "the disk is full; nothing was changed. Make room and try again".to_owned()
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
