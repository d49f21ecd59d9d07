//! The only floor that speaks SQL. It loads slots, calls the core, and writes what it yields in one transaction.
//!
//! Every write is one short `IMMEDIATE` transaction that decides inside (there is one private function that begins one).
//! Reads come from what `settle` yielded the last time a slot changed; [`verify`](Store::verify) settles it anew.

mod accounted;
mod alias;
mod archive;
mod as_of;
mod audit;
mod batch;
mod batch_counts;
mod calendar;
mod cells;
mod chain;
mod check;
mod condition;
mod consequence;
mod damage;
mod entering;
mod entry;
mod epochs;
mod erasing;
mod error;
mod filter;
mod find;
pub mod foreign;
mod frame;
mod health;
mod holdings;
mod identity;
mod incident;
mod ingest;
mod inspect;
mod known;
mod landing;
mod lanes;
mod late;
mod law;
mod letters;
mod log;
mod making;
mod memory;
mod numbered;
mod on_pair;
mod open;
mod orders;
mod overdue;
mod pair_then;
mod pairs;
mod parts;
mod place;
mod plan;
mod policy;
mod project;
mod projected;
mod queue;
mod queue_then;
mod rebuild;
mod recall;
mod recount;
mod rederive;
mod refusals;
mod repair;
mod resettle;
mod restore;
mod rows;
mod ruling;
mod saving;
mod schema;
mod served;
mod session;
mod short;
mod side_by_side;
mod slot;
mod stage;
mod stale;
mod survey;
mod sweep;
mod tallies;
mod then;
mod timeline;
mod tried;
mod truth;
mod undo;
mod unread;
mod unseen;
mod unslotted;
mod verify;
mod view;
mod window;
mod writing;

use std::path::{Path, PathBuf};

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::core::time::Instant;

pub use as_of::{Account, OpenSeen};
pub use audit::{Said, Sample, Saying};
pub use batch::{BatchDetail, BatchPlace, Span};
pub use check::Check;
pub use damage::{Damage, Verification};
pub use epochs::{EpochOf, Said as EpochSaid};
pub use error::{StoreError, cause_of};
pub use filter::{QueueFilter, QueueOrder, Window};
pub use find::{Found, GoesOn};
pub use incident::MemberPlace;
pub use ingest::{Clash, Import, Imported, Landed};
pub use landing::Landing;
pub use letters::Indexed;
pub use log::{Event, LogFilter, Stretch};
pub use place::shared;
pub use plan::OrderError;
pub use policy::{AttributeUse, DeclaredVersion};
pub use queue::{Commonest, Counts, OpenRequest};
pub use queue_then::EntryThen;
pub use recall::{EpochSeen, History, HistoryEdge, Recalled, RulingSeen};
pub use repair::Repaired;
pub use restore::{RestoreError, Restored};
pub use saving::Saved;
pub use served::Served;
pub use stale::Stale;
pub use survey::{AttributeSeen, KindSeen, Survey};
pub use then::Then;
pub use timeline::{Item, Link, Timeline};

/// An open store.
pub struct Store {
    connection: Connection,
    path: PathBuf,
    frames: frame::Frames,
    /// Why nothing can be written, where that is so.
    read_only: Option<String>,
    /// Which file it is, whatever its name leads to by now.
    file: Option<(u64, u64)>,
}

/// The number of the file that a path leads to.
fn file_at(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
}

/// A store in the making, under a name of its own: it gets its real name when it is whole, or never was.
pub struct Draft {
    store: Store,
    path: PathBuf,
    place: making::Place,
}

impl Draft {
    /// Begins a store that is to be at `path`.
    pub fn begin(path: &Path, now: Instant) -> Result<Self, StoreError> {
        let place = making::Place::beside(path)?;
        let mut store = Store {
            connection: open::unseen(place.file())?,
            path: place.file().to_owned(),
            frames: frame::Frames::default(),
            read_only: None,
            file: file_at(place.file()),
        };
        schema::migrate(&mut store.connection, path, now)?;
        Ok(Self { store, path: path.to_owned(), place })
    }

    /// The store, to be filled before anybody else sees it.
    pub fn store(&mut self) -> &mut Store {
        &mut self.store
    }

    /// Gives it its name. Where another process was faster, that one's store stands and this one is gone; says which.
    pub fn publish(self) -> Result<bool, StoreError> {
        let Self { store, path, place } = self;
        open::as_others(&store.connection)?;
        // Closing the last connection brings what is in the side file into the store.
        drop(store);
        place.publish(&path)
    }
}

/// Who acts, and when: what every write records.
#[derive(Clone, Debug)]
pub struct By<'a> {
    pub actor: &'a str,
    pub now: Instant,
}

/// Whether there is a file; a folder on the way that may not be looked into is an error, and not an absence.
fn is_there(path: &Path) -> Result<bool, StoreError> {
    path.try_exists()
        .map_err(|error| StoreError::CannotOpen { path: path.to_owned(), cause: error::cause_of(&error) })
}

/// Why nothing is written where nobody wanted to.
const TO_READ: &str = "it was opened for reading only";

/// The schema as this program makes it, brought to this version before.
fn as_made(connection: &mut Connection, path: &Path, now: Instant) -> Result<(), StoreError> {
    schema::migrate(connection, path, now)?;
    schema::must_be_as_made(connection, path)
}

/// Any schema, of which nothing is run.
fn untrusted(connection: &mut Connection, path: &Path, now: Instant) -> Result<(), StoreError> {
    open::without_triggers(connection, true)?;
    schema::migrate(connection, path, now)
}

impl Store {
    /// Opens a store that is there, or makes one; migrates it to this version.
    pub fn open_or_create(path: &Path, now: Instant) -> Result<Self, StoreError> {
        if !is_there(path)? {
            Draft::begin(path, now)?.publish()?;
        }
        Self::open(path, now)
    }

    /// Opens a store that is there. [`StoreError::Missing`] where there is none, [`StoreError::Altered`] where its schema
    /// is not the one that this program made. Where the system does not let it be written, it is open for reading only.
    pub fn open(path: &Path, now: Instant) -> Result<Self, StoreError> {
        Self::opened(path, |path| open::for_writing(path, &mut |connection| as_made(connection, path, now)))
    }

    /// As [`open`](Self::open), for reading only: no file is made beside it, and nothing can be written.
    pub fn open_to_read(path: &Path, now: Instant) -> Result<Self, StoreError> {
        let mut check = |connection: &mut Connection| as_made(connection, path, now);
        Self::opened(path, |path| open::for_reading(path, TO_READ, &mut check))
    }

    /// Opens a store as it is, whatever became of its schema: to be verified, repaired, or saved. No trigger and no view
    /// of it is run.
    pub fn open_as_it_is(path: &Path, now: Instant) -> Result<Self, StoreError> {
        let mut check = |connection: &mut Connection| untrusted(connection, path, now);
        Self::opened(path, |path| open::as_it_is(path, &mut check))
    }

    /// As [`open_as_it_is`](Self::open_as_it_is), for reading only.
    pub fn open_as_it_is_to_read(path: &Path, now: Instant) -> Result<Self, StoreError> {
        let mut check = |connection: &mut Connection| untrusted(connection, path, now);
        Self::opened(path, |path| open::for_reading(path, TO_READ, &mut check))
    }

    /// Opens what may be damaged in any way, for [`save`](Self::save) alone: for reading only, cut short or not.
    pub fn open_to_save(path: &Path) -> Result<Self, StoreError> {
        Self::opened(path, open::for_saving)
    }

    fn opened(
        path: &Path,
        how: impl FnOnce(&Path) -> Result<open::Opened, StoreError>,
    ) -> Result<Self, StoreError> {
        if !is_there(path)? {
            return Err(StoreError::Missing(path.to_owned()));
        }
        let open::Opened { connection, read_only } = how(path)?;
        Ok(Self {
            connection,
            path: path.to_owned(),
            frames: frame::Frames::default(),
            read_only,
            file: file_at(path),
        })
    }

    /// The same store once more, as it is open here: to read, or to write too.
    pub fn again(&self, now: Instant) -> Result<Self, StoreError> {
        if self.is_read_only() { Self::open_to_read(&self.path, now) } else { Self::open(&self.path, now) }
    }

    /// The network file system on which it lies, where it does: several machines must not use it there at once.
    pub fn on_network(&self) -> Option<&'static str> {
        place::network_of(&self.path)
    }

    /// Whether nothing can be written.
    pub const fn is_read_only(&self) -> bool {
        self.read_only.is_some()
    }

    /// The file it lives in.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Changes whenever another connection commits.
    pub fn data_version(&self) -> Result<i64, StoreError> {
        Ok(self.connection.query_row("PRAGMA data_version", [], |row| row.get(0))?)
    }

    /// A transaction on tables of this connection alone: it takes no lock, and nobody waits for it. What is laid aside is
    /// to be written later: where it could not be, that is said before anything is read.
    fn aside(&mut self) -> Result<Transaction<'_>, StoreError> {
        self.can_be_written()?;
        Ok(self.connection.transaction_with_behavior(TransactionBehavior::Deferred)?)
    }

    /// Refuses what would be written to a store that is gone, or open for reading only.
    fn can_be_written(&self) -> Result<(), StoreError> {
        // What is written to a file that has no name any more is gone when it is closed.
        if self.file.is_none() || file_at(&self.path) != self.file {
            return Err(StoreError::Gone { path: self.path.clone() });
        }
        if let Some(cause) = &self.read_only {
            return Err(StoreError::ReadOnly { path: self.path.clone(), cause: cause.clone() });
        }
        Ok(())
    }

    /// Whatever a ruling or an import writes, it writes through one of these.
    fn write(&mut self) -> Result<Transaction<'_>, StoreError> {
        self.can_be_written()?;
        Ok(self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?)
    }

    /// As [`write`](Self::write), with what is known of the store already.
    fn write_known(&mut self) -> Result<(Transaction<'_>, &frame::Frames), StoreError> {
        self.can_be_written()?;
        let Self { connection, frames, .. } = self;
        Ok((connection.transaction_with_behavior(TransactionBehavior::Immediate)?, frames))
    }

    /// A still picture of the store for what reads for long: others go on writing meanwhile.
    fn still(&mut self) -> Result<Transaction<'_>, StoreError> {
        Ok(self.connection.transaction_with_behavior(TransactionBehavior::Deferred)?)
    }

    /// A still picture for a few looks that belong together: it costs one lock, and not one for each statement. None where
    /// the looks are within a picture already.
    fn glance(&self) -> Result<Option<Transaction<'_>>, StoreError> {
        let begin = || Transaction::new_unchecked(&self.connection, TransactionBehavior::Deferred);
        Ok(self.connection.is_autocommit().then(begin).transpose()?)
    }

    /// Writes the file anew and empties the side file, so that nothing that was erased is left in free space. Another
    /// process may keep it from being done; says whether it was.
    pub fn scrub(&self) -> Result<bool, StoreError> {
        erasing::scrub(&self.connection)
    }

    /// A consistent copy of the store, taken while others write: made beside the target, checked, then renamed.
    pub fn backup(&self, to: &Path) -> Result<(), StoreError> {
        open::backup(&self.connection, to)
    }
}
