//! The user's own editor on a text: the terminal is its for as long as it runs.

use std::env;
use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// No note is longer than this; what is, was not meant for a field.
const MOST: u64 = 1024 * 1024;

/// Runs the editor on a text and gives what it left, or why there is nothing. The file is readable by its owner only,
/// and gone afterwards. One that is only to be read cannot be written.
pub(super) fn edit(text: &str, to_read: bool) -> Result<String, String> {
    let unmade = |error: std::io::Error| format!("no file for the editor could be made: {error}");
    let mut file = tempfile::Builder::new().prefix("gainsay-").suffix(".txt").tempfile().map_err(unmade)?;
    file.write_all(text.as_bytes()).and_then(|()| file.write_all(b"\n")).map_err(unmade)?;
    if to_read {
        fs::set_permissions(file.path(), Permissions::from_mode(0o400)).map_err(unmade)?;
    }
    let editor = chosen();
    // As git does it: the variable is a piece of a shell command, for it may hold options (`code --wait`).
    let ran = Command::new("sh").arg("-c").arg(format!("{editor} \"$@\"")).arg(&editor).arg(file.path()).status();
    match ran {
        Err(error) => Err(format!("the editor {editor} cannot be run: {error}")),
        Ok(status) if status.code() == Some(127) => {
            Err(format!("there is no editor {editor}: VISUAL or EDITOR names the one to use"))
        }
        Ok(status) if !status.success() => Err(format!("the editor {editor} failed ({status}): nothing was taken")),
        Ok(_) => left(file.path()),
    }
}

fn left(path: &std::path::Path) -> Result<String, String> {
    let lost = |error: std::io::Error| format!("what the editor left cannot be read: {error}");
    if fs::metadata(path).map_err(lost)?.len() > MOST {
        return Err("what the editor left is longer than a megabyte: nothing was taken".to_owned());
    }
    let text = String::from_utf8(fs::read(path).map_err(lost)?)
        .map_err(|_| "what the editor left is not UTF-8: nothing was taken".to_owned())?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}

/// `VISUAL`, else `EDITOR`, else the one that POSIX puts everywhere.
fn chosen() -> String {
    let named = |name| env::var(name).ok().filter(|editor: &String| !editor.trim().is_empty());
    named("VISUAL").or_else(|| named("EDITOR")).unwrap_or_else(|| "vi".to_owned())
}
