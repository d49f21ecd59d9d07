//! No space left, at many points of the work: nothing is there by half, what is told names the file, and the screen stays.

use std::fs;
use std::path::Path;
use std::process::Command;

use gainsay::store::Store;

use crate::called::{Folder, GAINSAY, failed, made, ties};
use crate::content::content;
use crate::dice::{skipped, tell};
use crate::pty::Pty;
use crate::script::{WRITTEN, instant};
use crate::together::names;

/// So many points of an import at which the space ends.
const POINTS: u64 = 20;

/// The program where no file may grow beyond so many blocks of 512 bytes: as on a full disk, a write fails, and no signal
/// ends the process.
fn limited(folder: &Folder, blocks: u64, arguments: &[&str]) -> std::process::Output {
    let mut command = Command::new("/bin/sh");
    command
        .current_dir(folder.at())
        .env_clear()
        .envs([("PATH", "/usr/bin:/bin"), ("GAINSAY_ACTOR", "agent")])
        .args(["-c", "trap '' XFSZ; ulimit -f \"$1\"; shift; exec \"$@\"", "sh", &blocks.to_string(), GAINSAY])
        .args(["--store", "store.db"])
        .args(arguments);
    command.output().unwrap()
}

fn back_to(folder: &Folder, whole: &[u8]) {
    for name in ["store.db-wal", "store.db-shm"] {
        drop(fs::remove_file(folder.path(name)));
    }
    folder.write("store.db", whole);
}

/// A folder with a store of twenty pairs, and a file of many more records; the store's bytes.
fn ready() -> (Folder, Vec<u8>) {
    let folder = Folder::new();
    folder.write("ties.jsonl", ties(20));
    folder.write("made.jsonl", made(300, 3));
    folder.says(&["import", "ties.jsonl"]);
    let whole = fs::read(folder.path("store.db")).unwrap();
    (folder, whole)
}

#[test]
fn an_import_that_finds_no_space_leaves_the_store_as_it_was() {
    let (folder, whole) = ready();
    let before = content(&folder.path("store.db")).unwrap();
    let (mut failures, mut done) = (0, 0);
    for point in 1..=POINTS {
        back_to(&folder, &whole);
        // From less than the side file for sharing takes, to more than the whole import needs.
        let output = limited(&folder, point * 48, &["import", "made.jsonl"]);
        if output.status.success() {
            done += 1;
            assert_eq!(folder.is_whole(), 340);
            continue;
        }
        failures += 1;
        let (status, said) = failed(&output, &["import"]);
        assert_eq!(status, 4, "{said}");
        assert!(said.contains("store.db") && said.contains("no space is left"), "{said}");
        assert!(
            said.contains("where temporary files go (TMPDIR"),
            "an import waits there until all is read: {said}"
        );
        assert!(!said.contains("store is whole"), "there is no doubt in the store: {said}");
        assert_eq!(content(&folder.path("store.db")).unwrap(), before, "point {point}");
        assert_eq!(folder.is_whole(), 40);
    }
    assert!(failures >= 8 && done >= 1, "{failures} failed, {done} were done");
}

#[test]
fn a_store_that_finds_no_space_to_be_made_in_is_not_made() {
    let folder = Folder::new();
    folder.write("made.jsonl", made(300, 3));
    for blocks in [0, 1, 8, 64, 256, 512] {
        let (status, said) = failed(&limited(&folder, blocks, &["import", "made.jsonl"]), &["import"]);
        assert_eq!(status, 4, "{said}");
        assert!(said.contains("store.db") && said.contains("no space is left"), "{said}");
        assert_eq!(names(folder.at()), ["made.jsonl"], "{blocks} blocks: something was left");
    }
}

#[test]
fn a_backup_and_an_export_without_space_fail_and_leave_no_half() {
    let (folder, _) = ready();
    let before = names(folder.at());
    for blocks in [1, 64, 256] {
        let (status, said) = failed(&limited(&folder, blocks, &["backup", "copy.db"]), &["backup"]);
        assert!([4, 74].contains(&status), "{said}");
        assert!(said.contains("no space is left"), "{said}");
        // Closing needs space too: the empty files beside an open store may stay.
        let left: Vec<String> = names(folder.at())
            .into_iter()
            .filter(|name| !["store.db-shm", "store.db-wal"].contains(&name.as_str()))
            .collect();
        assert_eq!(left, before, "{blocks} blocks: something was left");
    }
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = folder.command("dana", &["export"]).stdout(full).output().unwrap();
    let (status, said) = failed(&output, &["export"]);
    assert_eq!(status, 74, "{said}");
    assert!(said.contains("no space is left"), "{said}");
}

#[test]
fn the_screen_stays_where_a_ruling_finds_no_space() {
    let (folder, _) = ready();
    // Enough to open it, too little for a ruling's pages in the side file.
    let script = "trap '' XFSZ; ulimit -f 72; exec \"$0\" --store store.db --actor dana";
    let (home, here) = (folder.at().display().to_string(), format!("cd '{}'; {script}", folder.at().display()));
    let mut pty = Pty::start(Path::new("/bin/sh"), &["-c", &here, GAINSAY], &[("HOME", &home)], (120, 40));
    pty.see("region of svc/00001");
    // The first ruling may still fit; one of the next does not.
    for _ in 0..6 {
        pty.press("a").until("an answer", |window| {
            let text = window.text();
            text.contains("no space is left") || text.contains("accept A of pair")
        });
        if pty.window().text().contains("no space is left") {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(400));
    }
    pty.see("no space is left");
    pty.press("\u{1b}").see_no("no space is left").press("q").ended();
    folder.is_whole();
}

/// The same on a file system that is really full, where this machine lets a test make one.
#[test]
fn a_file_system_that_is_full_is_told_and_nothing_is_lost() {
    let (folder, whole) = ready();
    let before = content(&folder.path("store.db")).unwrap();
    folder.write("before.db", &whole);
    fs::create_dir(folder.path("full")).unwrap();
    let script = "mount -t tmpfs -o size=\"$1\"k tmpfs full || exit 99
        cp before.db full/store.db || exit 98
        \"$2\" --store full/store.db --actor agent import made.jsonl >out 2>err; echo $? >status
        mkdir -p after; rm -f after/*; cp full/* after/; ls -A full >left";
    let (mut failures, mut done) = (0, 0);
    let size = whole.len() as u64 / 1024;
    for point in 1..=POINTS {
        let output = Command::new("unshare")
            .current_dir(folder.at())
            .args(["-rm", "sh", "-c", script, "sh", &(size + 8 + point * 32).to_string(), GAINSAY])
            .output();
        let Ok(output) = output else { return skipped("there is no unshare") };
        if matches!(output.status.code(), Some(1 | 99)) {
            return skipped(&format!("nothing can be mounted: {}", String::from_utf8_lossy(&output.stderr)));
        }
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let said = fs::read_to_string(folder.path("err")).unwrap();
        match fs::read_to_string(folder.path("status")).unwrap().trim() {
            "0" => done += 1,
            "4" => {
                failures += 1;
                assert!(said.contains("store.db") && said.contains("no space is left"), "{said}");
                let left = fs::read_to_string(folder.path("left")).unwrap();
                assert!(left.lines().all(|name| name.starts_with("store.db")), "point {point}: {left}");
                let now = instant(WRITTEN);
                let mut after = Store::open(&folder.path("after/store.db"), now).unwrap();
                assert!(after.verify(now, |_, _| {}).unwrap().is_ok());
                drop(after);
                assert_eq!(content(&folder.path("after/store.db")).unwrap(), before, "point {point}");
            }
            status => panic!("{status}: {said}"),
        }
    }
    tell(&format!("a full file system at {POINTS} points: {failures} imports failed whole, {done} were done"));
    assert!(failures > 5);
}
