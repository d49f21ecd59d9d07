//! The recipe by which a store is opened, each line of it, and what is not a store.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use gainsay::store::{Store, StoreError};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::desk::Desk;
use crate::script::{Told, WRITTEN, instant, lisbon};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn open(path: &Path) -> Result<Store, StoreError> {
    Store::open(path, instant(WRITTEN))
}

/// A file that must be refused, and must be the same afterwards.
fn refused(bytes: &[u8]) -> String {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("store.db");
    fs::write(&path, bytes).unwrap();
    let error = open(&path).err().expect("it is no store").to_string();
    assert_eq!(fs::read(&path).unwrap(), bytes, "it was touched");
    error
}

#[test]
fn the_engine_is_new_enough() {
    assert!(rusqlite::version_number() >= 3_054_000, "{}", rusqlite::version());
}

#[test]
fn a_store_and_its_side_files_are_the_owners_alone() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("new folder/store.db");
    let _store = Store::open_or_create(&path, instant(WRITTEN)).unwrap();
    assert_eq!(mode(path.parent().unwrap()), 0o700);
    for name in ["store.db", "store.db-wal", "store.db-shm"] {
        assert_eq!(mode(&path.with_file_name(name)), 0o600, "{name}");
    }
}

#[test]
fn a_backup_is_consistent_while_others_write() {
    let mut desk = Desk::new();
    let many =
        |from: usize| (from..from + 400).map(|at| lisbon().id(&format!("m{at}")).by("user_utterance").epoch(1));
    desk.import(many(0));
    let (path, done) = (desk.path(), std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false)));
    let writing = std::sync::Arc::clone(&done);
    let writer = std::thread::spawn(move || {
        let mut store = Store::open(&path, instant(WRITTEN)).unwrap();
        let mut written = 0;
        while !writing.load(std::sync::atomic::Ordering::Relaxed) {
            let order = gainsay::core::order::Order::Alias {
                names: (format!("a{written}").as_str().into(), format!("b{written}").as_str().into()),
                verdict: gainsay::core::ruling::AliasVerdict::Denied,
            };
            let by = gainsay::store::By { actor: "lee", now: instant(WRITTEN) };
            let _outcome = store.order(&order, &by, None).unwrap();
            written += 1;
        }
        written
    });
    for copy in 0..5 {
        let to = desk.folder.path().join(format!("copy{copy}.db"));
        desk.store.backup(&to).unwrap();
        let found = open(&to).unwrap().verify(desk.now, |_, _| {}).unwrap();
        assert!(found.is_ok(), "{:?}", found.damage);
    }
    done.store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(writer.join().unwrap() > 0, "nobody wrote meanwhile");
}

#[test]
fn a_backup_is_whole_private_and_overwrites_nothing() {
    let mut desk = Desk::new();
    desk.import([lisbon().by("user_utterance").epoch(1).observed("2025-10-14")]);
    let copy = desk.folder.path().join("copy.db");
    desk.store.backup(&copy).unwrap();
    assert_eq!(mode(&copy), 0o600);
    let mut copied = open(&copy).unwrap();
    assert!(copied.verify(desk.now, |_, _| {}).unwrap().is_ok());
    assert!(matches!(desk.store.backup(&copy), Err(StoreError::InTheWay { .. })));
}

#[test]
fn what_is_not_a_store_is_refused_untouched() {
    assert!(refused(b"not a database, just words that go on for a while").contains("is not a Gainsay store"));
    assert!(refused(&[0; 4096]).contains("is not a Gainsay store"));
    assert!(refused(b"").contains("is not a Gainsay store"), "an empty file is no store, and does not become one");
    let folder = TempDir::new().unwrap();
    assert!(open(folder.path()).is_err(), "a folder");
    assert!(matches!(open(&folder.path().join("nothing")), Err(StoreError::Missing(_))));
}

#[test]
fn another_programs_database_is_refused_untouched() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("other.db");
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE notes (text)").unwrap();
    let before = fs::read(&path).unwrap();
    assert!(matches!(open(&path), Err(StoreError::NotAStore { .. })));
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_newer_store_is_refused_untouched() {
    let desk = Desk::new();
    let path = desk.path();
    drop(desk.store);
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let error = open(&path).err().unwrap();
    assert!(matches!(error, StoreError::Newer { found: 99, .. }), "{error}");
    assert!(error.hint().contains("update gainsay"));
}

#[test]
fn a_store_that_was_cut_short_is_refused_or_found_damaged() {
    let mut desk = Desk::new();
    desk.import([lisbon().by("user_utterance").epoch(1).observed("2025-10-14")]);
    let copy = desk.folder.path().join("copy.db");
    desk.store.backup(&copy).unwrap();
    let whole = fs::read(&copy).unwrap();
    for tenth in 1..10 {
        let cut = desk.folder.path().join(format!("cut{tenth}.db"));
        fs::write(&cut, &whole[..whole.len() * tenth / 10]).unwrap();
        let sound =
            open(&cut).and_then(|mut store| store.verify(desk.now, |_, _| {})).is_ok_and(|found| found.is_ok());
        assert!(!sound, "{tenth} tenths of the file passed for a store");
    }
}

#[test]
fn an_import_of_nothing_leaves_the_schema_as_shipped() {
    let mut desk = Desk::new();
    desk.import([]);
    assert!(desk.store.verify(desk.now, |_, _| {}).unwrap().is_ok());
    desk.import([lisbon().by("user_utterance").observed("2025-10-14")]);
    desk.import([]);
    assert!(desk.store.verify(desk.now, |_, _| {}).unwrap().is_ok());
}

#[test]
fn a_link_to_the_store_is_followed_once() {
    let desk = Desk::new();
    let link = desk.folder.path().join("link.db");
    symlink(desk.path(), &link).unwrap();
    assert!(open(&link).is_ok());
}

#[test]
fn no_stray_sql_changes_or_deletes_what_is_true() {
    let mut desk = Desk::new();
    desk.import([lisbon().by("user_utterance").observed("2025-10-14"), crate::script::berlin().by("crm_import")]);
    desk.look_again(1, "Lisbon", 1).unwrap();
    let stray = Connection::open(desk.path()).unwrap();
    for table in ["records", "rulings", "ruling_records", "policies", "events"] {
        let column = if table == "policies" {
            "version"
        } else if table == "events" {
            "seq"
        } else if table == "records" {
            "record"
        } else {
            "ruling"
        };
        for sql in [format!("DELETE FROM {table}"), format!("UPDATE {table} SET {column} = {column} + 1000")] {
            if table == "policies"
                || stray
                    .query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0))
                    .unwrap()
                    > 0
            {
                let error = stray.execute(&sql, []).unwrap_err().to_string();
                assert!(error.contains("never"), "{sql}: {error}");
            }
        }
    }
}

#[test]
fn a_writer_that_waits_too_long_says_that_the_store_is_busy() {
    let mut desk = Desk::new();
    let other = Connection::open(desk.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let quick = Connection::open(desk.path()).unwrap();
    quick.busy_timeout(std::time::Duration::from_millis(1)).unwrap();
    let error = StoreError::from(quick.execute_batch("BEGIN IMMEDIATE").unwrap_err());
    assert!(error.is_busy() && error.hint().contains("try again"));
    other.execute_batch("ROLLBACK").unwrap();
    desk.import([lisbon()]);
}
