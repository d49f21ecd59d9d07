//! Whose the files are: the owner's alone, whatever the shell would allow; and a link that somebody planted is not
//! followed to what it leads to.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

use crate::called::{Folder, GAINSAY, made, ties};
use crate::together::names;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).permissions().mode() & 0o777
}

/// The program under a mask that takes nothing away but what it says.
fn masked(folder: &Folder, mask: &str, arguments: &[&str]) -> Output {
    Command::new("/bin/sh")
        .current_dir(folder.at())
        .env_clear()
        .envs([("PATH", "/usr/bin:/bin"), ("GAINSAY_ACTOR", "dana")])
        .env("HOME", folder.at())
        .args(["-c", "umask \"$1\"; shift; exec \"$@\"", "sh", mask, GAINSAY])
        .args(arguments)
        .output()
        .unwrap()
}

/// A record that is good, and one that lacks everything.
fn bad() -> String {
    made(1, 1) + "{\"id\": \"x\"}\n"
}

#[test]
fn whatever_is_written_is_the_owners_alone() {
    let mut looked = 0;
    for mask in ["000", "022"] {
        let folder = Folder::new();
        folder.write("ties.jsonl", ties(2));
        folder.write("bad.jsonl", bad());
        let store = "new/deep/store.db";
        let run = |arguments: &[&str]| masked(&folder, mask, &[&["--store", store], arguments].concat());
        assert!(run(&["import", "ties.jsonl"]).status.success());
        assert!(run(&["backup", "copy.db"]).status.success());
        assert_eq!(
            run(&["import", "bad.jsonl", "--on-error", "skip", "--rejects", "rejects.jsonl"]).status.code(),
            Some(3)
        );
        // Damage that a repair mends, so that it copies the store first.
        let stray = rusqlite::Connection::open(folder.path(store)).unwrap();
        stray.execute_batch("DROP INDEX records_by_slot").unwrap();
        drop(stray);
        assert!(run(&["repair", "--backup", "before.db"]).status.success());
        let holder = rusqlite::Connection::open(folder.path(store)).unwrap();
        holder.execute_batch("BEGIN; SELECT count(*) FROM records").unwrap();
        assert!(run(&["accept", "1", "--record", "a1", "--reason", "it was checked"]).status.success());
        for name in
            ["copy.db", "before.db", "rejects.jsonl", store, "new/deep/store.db-wal", "new/deep/store.db-shm"]
        {
            assert_eq!(mode(&folder.path(name)), 0o600, "{name} under a mask of {mask}");
            looked += 1;
        }
        for name in ["new", "new/deep"] {
            assert_eq!(mode(&folder.path(name)), 0o700, "{name} under a mask of {mask}");
            looked += 1;
        }
        drop(holder);
    }
    assert!(looked >= 14);
}

#[test]
fn a_planted_link_is_refused_and_what_it_leads_to_left() {
    for planted in [
        "copy.db",
        "copy.db.partial",
        "before.db",
        "rejects.jsonl",
        "store.db-wal",
        "store.db-shm",
        "store.db-journal",
    ] {
        for leads in ["to a file", "nowhere"] {
            let folder = Folder::new();
            folder.write("ties.jsonl", ties(2));
            folder.write("bad.jsonl", bad());
            assert!(folder.output("dana", &["import", "ties.jsonl"]).status.success());
            let target = folder.path("precious");
            if leads == "to a file" {
                fs::write(&target, "precious words").unwrap();
            }
            symlink(&target, folder.path(planted)).unwrap();
            let what = format!("{planted} leads {leads}");
            let _answered = folder.output("dana", &["backup", "copy.db"]);
            let _answered =
                folder.output("dana", &["import", "bad.jsonl", "--on-error", "skip", "--rejects", "rejects.jsonl"]);
            let _answered = folder.output("dana", &["accept", "1", "--record", "a1", "--reason", "it was checked"]);
            let stray = rusqlite::Connection::open(folder.path("store.db"));
            let spoilt = stray.and_then(|stray| stray.execute_batch("DROP INDEX records_by_slot"));
            let _answered = folder.output("dana", &["repair", "--backup", "before.db"]);
            let _spoilt = spoilt;
            if leads == "to a file" {
                assert_eq!(fs::read_to_string(&target).unwrap(), "precious words", "{what}");
            } else {
                assert!(!target.exists(), "{what}: a file was made where it leads");
            }
        }
    }
}

#[test]
fn a_link_in_the_place_of_a_new_store_is_followed_to_nothing() {
    let folder = Folder::new();
    folder.write("ties.jsonl", ties(1));
    symlink(folder.path("elsewhere.db"), folder.path("store.db")).unwrap();
    let output = folder.output("dana", &["import", "ties.jsonl"]);
    assert_eq!(output.status.code(), Some(4), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(names(folder.at()), ["store.db", "ties.jsonl"], "nothing was made");
}

#[test]
fn an_open_store_holds_its_file_once() {
    let folder = Folder::new();
    folder.write("ties.jsonl", ties(1));
    folder.says(&["import", "ties.jsonl"]);
    let path = folder.path("store.db").canonicalize().unwrap();
    let held = || {
        let open = fs::read_dir("/proc/self/fd").unwrap().filter_map(|it| fs::read_link(it.ok()?.path()).ok());
        open.filter(|leads| *leads == path).count()
    };
    let now = crate::script::instant(crate::script::WRITTEN);
    let mut stores = Vec::new();
    for many in 1..=3 {
        let mut store = gainsay::store::Store::open(&path, now).unwrap();
        assert!(store.verify(now, |_, _| {}).unwrap().is_ok());
        stores.push(store);
        // Closing a second one that SQLite knows nothing of would let go of its locks.
        assert_eq!(held(), many);
    }
    drop(stores);
    assert_eq!(held(), 0);
}

#[test]
fn a_file_system_that_machines_share_is_known_by_its_mark() {
    use gainsay::store::{Store, shared};
    // As linux/magic.h has them: NFS, v9fs, SMB and SMB2, CIFS; ext4, tmpfs, btrfs, xfs, overlay.
    let marks = [0x6969, 0x0102_1997, 0x517b, 0xfe53_4d42, 0xff53_4d42];
    assert_eq!(marks.map(shared), [Some("NFS"), Some("9p"), Some("SMB"), Some("SMB"), Some("SMB")]);
    assert!(
        [0xef53, 0x0102_1994, 0x9123_683e, 0x5846_5342, 0x794c_7630].iter().all(|mark| shared(*mark).is_none())
    );
    let folder = Folder::new();
    folder.write("ties.jsonl", ties(1));
    folder.says(&["import", "ties.jsonl"]);
    let store = Store::open(&folder.path("store.db"), crate::script::instant(crate::script::WRITTEN)).unwrap();
    let said = folder.output("dana", &["queue"]);
    // What is said of the place is said of this one too, wherever the tests are run.
    assert_eq!(String::from_utf8_lossy(&said.stderr).contains("network file system"), store.on_network().is_some());
}
