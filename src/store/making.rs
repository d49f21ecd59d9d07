//! Where a store is made before anybody sees it; and what is left there by a process that was killed meanwhile.

use std::fs;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

use super::error::{StoreError, cause_of};

/// How the name of such a folder begins.
const BEGINS: &str = ".gainsay-making-";

/// What may lie in it.
const HOLDS: [&str; 4] = ["store.db", "store.db-journal", "store.db-wal", "store.db-shm"];

/// A private folder beside where a store is to be; it goes away with what is left in it.
pub(super) struct Place {
    folder: tempfile::TempDir,
    file: PathBuf,
    /// Held as long as the folder is in use: the system lets go of it with the process, however that ends.
    _held: Option<fs::File>,
}

impl Place {
    pub(super) fn beside(path: &Path) -> Result<Self, StoreError> {
        let cannot =
            |error: std::io::Error| StoreError::CannotOpen { path: path.to_owned(), cause: cause_of(&error) };
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !parent.exists() {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(parent).map_err(cannot)?;
        }
        // One at a time: nobody takes a folder for one that was left before its maker holds it.
        let _turn = locked(parent, FlockOperation::LockExclusive);
        clear(parent);
        let folder = tempfile::Builder::new().prefix(BEGINS).tempdir_in(parent).map_err(cannot)?;
        let held = locked(folder.path(), FlockOperation::NonBlockingLockExclusive);
        let file = folder.path().join("store.db");
        Ok(Self { folder, file, _held: held })
    }

    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// Links the file to its name, which fails where the name is taken; says whether it was free.
    pub(super) fn publish(self, path: &Path) -> Result<bool, StoreError> {
        fs::File::open(&self.file)?.sync_all()?;
        let linked = fs::hard_link(&self.file, path);
        self.folder.close()?;
        match linked {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(StoreError::CannotOpen { path: path.to_owned(), cause: cause_of(&error) }),
        }
    }
}

fn locked(folder: &Path, how: FlockOperation) -> Option<fs::File> {
    let file = fs::File::open(folder).ok()?;
    flock(&file, how).ok().map(|()| file)
}

/// Takes away what processes that were killed have left: records that nobody asked to keep. What is in use is held, and
/// what belongs to somebody else is left alone; so is everything, where the system does not say.
fn clear(parent: &Path) {
    let me = rustix::process::geteuid().as_raw();
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let ours = entry.file_name().as_encoded_bytes().starts_with(BEGINS.as_bytes())
            && entry.metadata().is_ok_and(|found| found.is_dir() && found.uid() == me);
        if ours && locked(&entry.path(), FlockOperation::NonBlockingLockExclusive).is_some() {
            for name in HOLDS {
                let _left = fs::remove_file(entry.path().join(name));
            }
            // Where anything else lies in it, it stays.
            let _left = fs::remove_dir(entry.path());
        }
    }
}
