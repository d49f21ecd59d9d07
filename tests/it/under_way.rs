//! What happens to a store while it is open: it is held by another, it is removed, another file takes its place.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Instant;

use rusqlite::Connection;

use crate::called::{Folder, GAINSAY, failed, ties};
use crate::pty::Pty;

fn ready() -> Folder {
    let folder = Folder::new();
    folder.write("ties.jsonl", ties(3));
    folder.says(&["import", "ties.jsonl"]);
    folder
}

const RULE: [&str; 6] = ["accept", "1", "--record", "a1", "--reason", "it was checked"];

#[test]
fn a_store_that_another_holds_is_waited_for_and_then_told_to_be_busy() {
    let folder = ready();
    let holder = Connection::open(folder.path("store.db")).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let begun = Instant::now();
    thread::scope(|scope| {
        for arguments in [&RULE[..], &["import", "ties.jsonl"], &["undo"]] {
            let folder = &folder;
            scope.spawn(move || {
                let (status, said) = failed(&folder.output("dana", arguments), arguments);
                assert_eq!(status, 4, "{said}");
                assert!(
                    said.contains("the store is busy: another process is writing") && said.contains("try again"),
                    "{said}"
                );
            });
        }
        // Readers wait for nobody.
        assert_eq!(folder.lines(&["queue"]).len(), 3);
    });
    assert!(begun.elapsed().as_secs() >= 4, "nobody waited");
    holder.execute_batch("ROLLBACK").unwrap();
    folder.says(&RULE);
    folder.is_whole();
}

fn screen(folder: &Folder) -> Pty {
    let (home, store) = (folder.at().display().to_string(), folder.path("store.db").display().to_string());
    Pty::start(
        Path::new(GAINSAY),
        &[],
        &[("HOME", &home), ("GAINSAY_STORE", &store), ("GAINSAY_ACTOR", "dana")],
        (120, 40),
    )
}

#[test]
fn a_store_that_was_removed_under_a_screen_takes_no_ruling() {
    let folder = ready();
    let mut pty = screen(&folder);
    pty.see("region of svc/00001");
    for name in ["store.db", "store.db-wal", "store.db-shm"] {
        drop(fs::remove_file(folder.path(name)));
    }
    pty.press("a").see("was removed, or another file put in");
    pty.press("\u{1b}").see_no("was removed").press("q").ended();
    assert!(!folder.path("store.db").exists(), "it was made again, with nothing in it");
}

#[test]
fn a_store_in_whose_place_another_was_put_takes_no_ruling_by_mistake() {
    let folder = ready();
    folder.says(&["backup", "other.db"]);
    let mut pty = screen(&folder);
    pty.see("region of svc/00001");
    fs::rename(folder.path("other.db"), folder.path("store.db")).unwrap();
    pty.press("a").see("was removed, or another file put in");
    pty.press("\u{1b}").see_no("was removed").press("q").ended();
    for name in ["store.db-wal", "store.db-shm"] {
        drop(fs::remove_file(folder.path(name)));
    }
    assert_eq!(folder.lines(&["queue"]).len(), 3, "it was ruled on");
    folder.is_whole();
}
