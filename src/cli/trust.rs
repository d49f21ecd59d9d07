//! Who may change the configuration file: it names commands that are run, so nobody but the user may.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::error::{Error, Kind, Result};

const GROUP_WRITES: u32 = 0o020;
const OTHERS_WRITE: u32 = 0o002;
const STICKY: u32 = 0o1000;

/// Refuses a file that others may write, or may put another in the place of.
pub(super) fn must_be_the_users(file: &Path) -> Result {
    let me = rustix::process::geteuid().as_raw();
    let mine = rustix::process::getegid().as_raw();
    let told = fs::metadata(file).map_err(|error| Error::unreadable(file, &error))?;
    if told.uid() != me && told.uid() != 0 {
        return Err(refused(file, "it belongs to another user", "make it your own (chown)"));
    }
    // The group that is the user's own, as many systems give one, is nobody else.
    let by_group = told.mode() & GROUP_WRITES != 0 && told.gid() != mine;
    if told.mode() & OTHERS_WRITE != 0 || by_group {
        return Err(refused(file, "others may write it", "take that from them (chmod go-w)"));
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder_told = fs::metadata(folder).map_err(|error| Error::unreadable(folder, &error))?;
    if folder_told.mode() & OTHERS_WRITE != 0 && folder_told.mode() & STICKY == 0 {
        return Err(refused(
            folder,
            "others may put another file in its place",
            "take that from them (chmod go-w)",
        ));
    }
    Ok(())
}

fn refused(path: &Path, why: &str, hint: &str) -> Error {
    let message = format!("the configuration names observers, which are commands, and {why}: {}", path.display());
    Error::new(Kind::Usage, message).with_hint(hint)
}
