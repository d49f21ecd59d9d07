//! Stores that nobody can write to: an audit opens them, makes no file beside them, and changes nothing.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::called::{Folder, GAINSAY, failed, ties};
use crate::dice::skipped;
use crate::together::names;

/// A folder with a store, and the program as it may be called by somebody who cannot write there.
struct Shelf {
    folder: Folder,
    program: PathBuf,
}

impl Shelf {
    /// None where nobody else can be asked: this machine's owner may write everywhere, and there is no way to be another.
    fn new() -> Option<Self> {
        let folder = Folder::new();
        fs::create_dir(folder.path("shelf")).unwrap();
        for path in [folder.at().to_owned(), folder.path("shelf")] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let program = folder.path("gainsay");
        // By a process of its own: while this one held the copy open, another that it starts might hold it too.
        assert!(Command::new("cp").arg(GAINSAY).arg(&program).status().unwrap().success());
        let shelf = Self { folder, program };
        let asked = shelf.as_another(&["--version"]);
        if !asked.status.success() {
            skipped(&format!("nobody else can be asked: {}", String::from_utf8_lossy(&asked.stderr)));
            return None;
        }
        Some(shelf)
    }

    fn store(&self) -> PathBuf {
        self.folder.path("shelf/store.db")
    }

    /// A store with two pairs, one of them ruled on; closed.
    fn fill(&self) {
        self.folder.write("ties.jsonl", ties(2));
        self.folder.says(&["import", "ties.jsonl"]);
        self.folder.says(&["accept", "1", "--record", "a1", "--reason", "it was checked"]);
        fs::copy(self.folder.path("store.db"), self.store()).unwrap();
    }

    /// What lies on the shelf, readable for all; the folder of that mode, the files of this one.
    fn set(&self, folder: u32, file: u32) {
        for name in names(&self.folder.path("shelf")) {
            let path = self.folder.path("shelf").join(name);
            fs::set_permissions(path, fs::Permissions::from_mode(file)).unwrap();
        }
        fs::set_permissions(self.folder.path("shelf"), fs::Permissions::from_mode(folder)).unwrap();
    }

    /// The program as somebody to whom the modes apply.
    fn as_another(&self, arguments: &[&str]) -> Output {
        let mut command = if rustix::process::geteuid().is_root() {
            let mut command = Command::new("setpriv");
            command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]).arg(&self.program);
            command
        } else {
            Command::new(&self.program)
        };
        command
            .env_clear()
            .envs([("PATH", "/usr/bin:/bin"), ("GAINSAY_ACTOR", "auditor"), ("HOME", "/nowhere")])
            .args(["--store", &self.store().display().to_string()])
            .args(arguments)
            .output()
            .unwrap_or_else(|error| failure(&error))
    }

    /// Everything that lies on the shelf, to the byte.
    fn lies(&self) -> Vec<(String, Vec<u8>)> {
        let shelf = self.folder.path("shelf");
        names(&shelf).into_iter().map(|name| (name.clone(), fs::read(shelf.join(name)).unwrap())).collect()
    }

    /// The audit is answered, a ruling refused with one line, and nothing on the shelf is another.
    fn is_read_and_left(&self, what: &str, how: &[&str]) {
        let before = self.lies();
        for (command, said) in
            [("queue", "svc/00002"), ("log", "accept"), ("verify", "whole"), ("export", "\"a2\"")]
        {
            let output = self.as_another(&[how, &[command]].concat());
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{what}: {command}: {told}");
            assert!(String::from_utf8_lossy(&output.stdout).contains(said), "{what}: {command}");
        }
        let rule = ["accept", "2", "--record", "a2", "--reason", "it was checked"];
        let (status, said) = failed(&self.as_another(&[how, &rule].concat()), &rule);
        assert_eq!(status, 4, "{what}: {said}");
        assert!(said.contains("nothing can be written to") && said.contains("store.db"), "{what}: {said}");
        let after = self.lies();
        let names = |lies: &[(String, Vec<u8>)]| lies.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&after), names(&before), "{what}");
        // The side file for sharing is no content: whoever reads notes there where he is.
        let said = |lies: Vec<(String, Vec<u8>)>| -> Vec<_> {
            lies.into_iter().filter(|(name, _)| !name.ends_with("-shm")).collect()
        };
        assert_eq!(said(after), said(before), "{what}");
    }
}

fn failure(error: &std::io::Error) -> Output {
    let status = std::os::unix::process::ExitStatusExt::from_raw(256);
    Output { status, stdout: Vec::new(), stderr: error.to_string().into_bytes() }
}

#[test]
fn an_audit_opens_what_it_may_not_write() {
    let Some(shelf) = Shelf::new() else { return };
    shelf.fill();
    for (folder, file) in [(0o555, 0o444), (0o755, 0o444), (0o555, 0o644)] {
        shelf.set(folder, file);
        let what = format!("a folder of mode {folder:o}, a file of mode {file:o}");
        shelf.is_read_and_left(&what, &[]);
        shelf.is_read_and_left(&what, &["--read-only"]);
    }
    // Where it might write, it does not if it is told so.
    shelf.set(0o777, 0o666);
    shelf.is_read_and_left("everything may be written", &["--read-only"]);
}

#[test]
fn what_was_written_last_is_read_from_beside_the_store() {
    let Some(shelf) = Shelf::new() else { return };
    shelf.fill();
    // A writer has it open: its last ruling lies in the side file.
    let writer = rusqlite::Connection::open(shelf.store()).unwrap();
    writer.execute_batch("PRAGMA wal_autocheckpoint = 0; UPDATE slots SET revision = revision + 1").unwrap();
    assert!(fs::metadata(shelf.folder.path("shelf/store.db-wal")).unwrap().len() > 0);
    for (folder, file) in [(0o555, 0o444), (0o755, 0o644)] {
        shelf.set(folder, file);
        let what = format!("a live side file, a folder of mode {folder:o}");
        shelf.is_read_and_left(&what, &[]);
        shelf.is_read_and_left(&what, &["--read-only"]);
    }
    drop(writer);
}

#[test]
fn a_file_that_may_not_even_be_read_is_told_so() {
    let Some(shelf) = Shelf::new() else { return };
    shelf.fill();
    shelf.set(0o755, 0o600);
    if !rustix::process::geteuid().is_root() {
        fs::set_permissions(shelf.store(), fs::Permissions::from_mode(0o000)).unwrap();
    }
    let (status, said) = failed(&shelf.as_another(&["queue"]), &["queue"]);
    assert_eq!(status, 4, "{said}");
    assert!(said.contains("cannot be opened: permission denied"), "{said}");
}

#[test]
fn nothing_is_made_where_it_is_only_read() {
    let folder = Folder::new();
    folder.write("ties.jsonl", ties(1));
    for command in
        [&["import", "ties.jsonl"][..], &["policy", "declare", "pet", "--cardinality", "one"], &["queue"]]
    {
        let (status, said) = folder.fails(&[&["--read-only"], command].concat());
        assert_eq!(status, 4, "{said}");
        assert!(said.contains("there is no store at"), "{said}");
    }
    assert_eq!(names(folder.at()), ["ties.jsonl"]);
}
