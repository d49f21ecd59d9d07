//! Files that pass for a store and are not, or are no more: one clear error, nothing of them is run, nothing is written to
//! them, and what can be read of them can be saved.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::called::{Folder, ties};
use crate::content::content;
use crate::dice::{Dice, rounds, tell};

/// A file that is hostile, broken or none of ours is answered within this time, on a machine that has other work too.
const SOON: Duration = Duration::from_secs(20);

/// A folder with a store of eight pairs, five of them ruled on; in one file, and copied.
fn ruled() -> Folder {
    let folder = Folder::new();
    folder.write("ties.jsonl", ties(8));
    folder.says(&["import", "ties.jsonl"]);
    for pair in 1..=5 {
        let (number, record) = (pair.to_string(), format!("a{pair}"));
        folder.says(&["accept", &number, "--record", &record, "--reason", "it was checked"]);
    }
    // Whoever closes it last leaves all of it in one file.
    fs::copy(folder.path("store.db"), folder.path("whole.db")).unwrap();
    folder
}

impl Folder {
    /// Puts a file in the place of the store.
    fn becomes(&self, bytes: &[u8]) {
        for name in ["store.db-wal", "store.db-shm"] {
            drop(fs::remove_file(self.path(name)));
        }
        self.write("store.db", bytes);
    }

    /// The status and the words of a command, which must come soon and without a panic.
    fn answers(&self, arguments: &[&str]) -> (i32, String, String) {
        let begun = Instant::now();
        let mut child = self.start("dana", arguments);
        let (mut out, mut err) = (String::new(), String::new());
        let (mut stdout, mut stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut bytes = Vec::new();
                stdout.read_to_end(&mut bytes).unwrap();
                out = String::from_utf8_lossy(&bytes).into_owned();
            });
            scope.spawn(|| {
                let mut bytes = Vec::new();
                stderr.read_to_end(&mut bytes).unwrap();
                err = String::from_utf8_lossy(&bytes).into_owned();
            });
            while child.try_wait().unwrap().is_none() && begun.elapsed() < SOON {
                std::thread::sleep(Duration::from_millis(2));
            }
            let late = child.try_wait().unwrap().is_none();
            child.kill().unwrap();
            assert!(!late, "{arguments:?} did not answer in {SOON:?}");
        });
        let status = child.wait().unwrap();
        assert!(!err.contains("panicked"), "{arguments:?}: {err}");
        (status.code().unwrap_or_else(|| panic!("{arguments:?}: {status:?}")), out, err)
    }
}

const RULE: [&str; 6] = ["accept", "6", "--record", "a6", "--reason", "it was checked"];

/// Each of these must fail with 4 and one error, and leave the file as it is.
fn is_refused(folder: &Folder, what: &str) -> String {
    let before = fs::read(folder.path("store.db")).unwrap();
    let mut said = String::new();
    for arguments in [
        &["queue"][..],
        &["show", "6"],
        &["recall", "svc/00001"],
        &["log"],
        &["health"],
        &["export"],
        &["backup", "copy.db"],
        &RULE,
        &["import", "ties.jsonl"],
        &["undo"],
    ] {
        let (status, _, told) = folder.answers(arguments);
        assert_eq!(status, 4, "{what}: {arguments:?}: {told}");
        assert_eq!(told.lines().filter(|line| line.starts_with("error:")).count(), 1, "{what}: {told}");
        assert!(fs::read(folder.path("store.db")).unwrap() == before, "{what}: {arguments:?} changed the file");
        said = told;
    }
    said
}

#[test]
fn what_is_no_store_of_this_version_is_told_in_a_line_and_left() {
    let folder = ruled();
    let whole = fs::read(folder.path("whole.db")).unwrap();
    let changed = |sql: &str| -> Vec<u8> {
        let path = folder.path("changed.db");
        fs::write(&path, &whole).unwrap();
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        fs::read(path).unwrap()
    };
    let mut cases = vec![
        ("junk".to_owned(), b"just words, and no store at all".repeat(300), "is not a Gainsay store"),
        ("nothing".to_owned(), Vec::new(), "is not a Gainsay store: it is empty"),
        ("another program's".to_owned(), changed("PRAGMA application_id = 7"), "a database of another program"),
        ("a newer version's".to_owned(), changed("PRAGMA user_version = 99"), "was written by a newer Gainsay"),
    ];
    for tenth in 0..10 {
        let cut = whole.len() * tenth / 10 + 333;
        let told = if cut < 512 { "is not a Gainsay store" } else { "cut short" };
        cases.push((format!("cut after {cut} bytes of {}", whole.len()), whole[..cut].to_vec(), told));
    }
    assert_eq!(cases.len(), 14);
    for (what, bytes, told) in cases {
        folder.becomes(&bytes);
        let said = is_refused(&folder, &what);
        assert!(said.contains(told) || said.contains("damaged"), "{what}: {said}");
        assert_eq!(folder.answers(&["verify"]).0, 4, "{what}");
    }
}

/// What a hostile hand may do to a schema: a name, and how.
const SCHEMAS: [(&str, &str); 14] = [
    ("a trigger that acts along", "CREATE TRIGGER evil AFTER INSERT ON events BEGIN UPDATE slots SET value = '\"x\"'; END"),
    ("a trigger that never ends", "CREATE TRIGGER evil AFTER UPDATE ON pairs BEGIN
         DELETE FROM answers WHERE request IN (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n); END"),
    ("a view", "CREATE VIEW evil AS SELECT * FROM records"),
    ("a view in the place of records", "PRAGMA foreign_keys = off; ALTER TABLE records RENAME TO kept;
         CREATE VIEW records AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT k.*, i FROM kept k, n"),
    ("a view in the place of the queue", "ALTER TABLE pairs RENAME TO kept; CREATE VIEW pairs AS SELECT * FROM kept, kept b, kept c"),
    ("a column that computes", "DROP TABLE pair_counts; CREATE TABLE pair_counts (state TEXT, attribute TEXT, grounds TEXT, count INTEGER,
         evil TEXT AS (hex(zeroblob(16000000))) VIRTUAL)"),
    ("a check that computes", "DROP TABLE tallies; CREATE TABLE tallies (attribute TEXT, kind TEXT, won INTEGER, lost INTEGER,
         CHECK (hex(zeroblob(8000000)) GLOB '*a*b*c*d*e*f*'))"),
    ("an index that computes", "CREATE INDEX evil ON records (hex(zeroblob(length(value) * 100000)))"),
    ("a table of somebody else's", "CREATE TABLE evil (x); INSERT INTO evil VALUES (1)"),
    ("a virtual table", "CREATE VIRTUAL TABLE evil USING fts5 (x)"),
    ("a table that reads into another's pages", "PRAGMA writable_schema = on;
         UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'events') WHERE name = 'records'"),
    ("a statement that does not parse", "PRAGMA writable_schema = on; UPDATE sqlite_schema SET sql = 'CREATE TABLE records (' WHERE name = 'records'"),
    ("an older version with something of its own", "PRAGMA user_version = 0; CREATE TABLE evil (x);
         CREATE TRIGGER act AFTER INSERT ON evil BEGIN SELECT 1; END"),
    ("refusals taken away", "DROP TRIGGER records_are_kept; DROP TRIGGER events_are_kept"),
];

#[test]
fn nothing_that_a_hostile_schema_brings_along_is_run() {
    let folder = ruled();
    let whole = fs::read(folder.path("whole.db")).unwrap();
    for (what, sql) in SCHEMAS {
        folder.becomes(&whole);
        Connection::open(folder.path("store.db"))
            .unwrap()
            .execute_batch(sql)
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        let hostile = fs::read(folder.path("store.db")).unwrap();
        if what == "a table that reads into another's pages" {
            // The schema reads as it was made; what lies in the pages does not.
            let (status, said, told) = folder.answers(&["verify"]);
            assert!([4, 5].contains(&status), "{what}: {said} {told}");
        } else {
            let said = is_refused(&folder, what);
            assert!(said.contains("schema") || said.contains("already exists"), "{what}: {said}");
            let (status, said, told) = folder.answers(&["verify"]);
            assert!([4, 5].contains(&status), "{what}: {said} {told}");
            assert!(fs::read(folder.path("store.db")).unwrap() == hostile, "{what}: verify changed the file");
        }
        let (status, saved, told) = folder.answers(&["export", "--readable"]);
        assert!([0, 5].contains(&status), "{what}: {told}");
        assert!(saved.contains("\"kind\":\"accept\""), "{what}: the log can be read: {told}");
        assert!(fs::read(folder.path("store.db")).unwrap() == hostile, "{what}: saving changed the file");
    }
}

/// The lines of an export, but for its first.
fn lines(text: &str) -> BTreeSet<String> {
    text.lines().filter(|line| !line.starts_with("{\"export\"")).map(str::to_owned).collect()
}

/// How many records, rulings and events are among them.
fn true_ones(lines: &BTreeSet<String>) -> usize {
    let kinds = ["{\"record\":", "{\"ruling\":", "{\"event\":"];
    lines.iter().filter(|line| kinds.iter().any(|kind| line.starts_with(kind))).count()
}

#[test]
fn what_is_readable_of_a_cut_store_is_saved() {
    let folder = Folder::new();
    folder.write("ties.jsonl", ties(300));
    folder.says(&["import", "ties.jsonl"]);
    folder.says(&["backup", "whole.db"]);
    let whole = fs::read(folder.path("whole.db")).unwrap();
    let (_, exported, _) = folder.answers(&["export"]);
    let exported = lines(&exported);
    let mut before = 0;
    let mut some = 0;
    for tenth in 1..=10 {
        folder.becomes(&whole[..whole.len() * tenth / 10]);
        let (status, saved, told) = folder.answers(&["export", "--readable"]);
        assert!([0, 5].contains(&status), "{told}");
        assert!(told.contains("saved:"), "{told}");
        assert!(status == 0 || told.contains("cannot be read"), "{told}");
        let saved: BTreeSet<String> =
            lines(&saved).into_iter().filter(|line| !line.starts_with("{\"names\"")).collect();
        assert!(saved.is_subset(&exported), "something was made up: {:?}", saved.difference(&exported).next());
        let many = true_ones(&saved);
        // Where only indexes are cut off, all that was said is there.
        assert_eq!(status == 0, many == true_ones(&exported), "{told}");
        assert!(many >= before, "{tenth} tenths gave {many}, one less gave {before}");
        (before, some) = (many, some + usize::from(many > 0));
    }
    assert_eq!(before, true_ones(&exported), "a whole store is saved whole");
    assert!(some >= 5, "of half of the file something must be read");
}

/// The file with some of it changed.
fn mutated(whole: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for _ in 0..=dice.below(4) {
        let at = dice.below(bytes.len());
        match dice.below(6) {
            // A byte, a few bytes, a number in a page's header, a page in the place of another, a page of nothing, a cut.
            0 => bytes[at] = dice.number().to_le_bytes()[0],
            1 => {
                let end = (at + 1 + dice.below(64)).min(bytes.len());
                bytes[at..end].iter_mut().for_each(|byte| *byte ^= dice.number().to_le_bytes()[0]);
            }
            2 => {
                let page = at / 4096 * 4096;
                bytes[page + dice.below(12)] = dice.number().to_le_bytes()[0];
            }
            3 => {
                let (from, to) = (dice.below(bytes.len() / 4096) * 4096, dice.below(bytes.len() / 4096) * 4096);
                let page = bytes[from..from + 4096].to_vec();
                bytes[to..to + 4096].copy_from_slice(&page);
            }
            4 => bytes[at / 4096 * 4096..][..4096].fill(0),
            _ if dice.below(4) == 0 => bytes.truncate((at / 4096).max(1) * 4096),
            _ => bytes[at] ^= 0x80,
        }
    }
    bytes
}

#[test]
fn a_mutated_file_crashes_nothing_and_is_not_written_to() {
    let folder = ruled();
    let whole = fs::read(folder.path("whole.db")).unwrap();
    let (many, mut dice) = (rounds(25, 2_000), Dice::of(2_000));
    let (mut refused, mut answered, mut found) = (0, 0, 0);
    for nth in 0..many {
        let bytes = mutated(&whole, &mut dice);
        folder.becomes(&bytes);
        let before = content(&folder.path("store.db"));
        for arguments in [&["queue"][..], &["export", "--readable"]] {
            let (status, _, told) = folder.answers(arguments);
            assert!([0, 4, 5].contains(&status), "file {nth}: {arguments:?}: {status} {told}");
            let same = fs::read(folder.path("store.db")).unwrap() == bytes
                || before.is_ok() && content(&folder.path("store.db")) == before;
            assert!(same, "file {nth}: {arguments:?} changed it");
        }
        match folder.answers(&["verify"]).0 {
            0 => answered += 1,
            4 => refused += 1,
            5 => found += 1,
            status => panic!("file {nth}: verify: {status}"),
        }
    }
    tell(&format!(
        "{many} mutated files: {refused} refused, {found} found damaged, {answered} with nothing changed that is read"
    ));
    assert!(refused > 0 && found > 0);
}
