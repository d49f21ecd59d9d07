//! Several processes on one store: no ruling is lost, none counts twice, and whoever comes late is told by whom.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Output;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex};
use std::thread;

use gainsay::core::order::{Order, Refusal};
use gainsay::core::record::{Batch, RecordId};
use gainsay::core::ruling::PairId;
use gainsay::store::{By, Import, OrderError, Store, StoreError};
use serde_json::Value;

use crate::called::{Folder, failed, made, ties};
use crate::desk::{Desk, incoming};
use crate::dice::{Dice, rounds, tell};
use crate::script::{Told, WRITTEN, instant, record};

const REVIEWERS: usize = 4;

/// Every accept of the log, by the pair that it is on.
fn accepts(folder: &Folder) -> BTreeMap<u64, Vec<Value>> {
    let mut by_pair: BTreeMap<u64, Vec<Value>> = BTreeMap::new();
    for event in folder.lines(&["log", "--kind", "accept"]) {
        by_pair.entry(event["pair"].as_u64().unwrap()).or_default().push(event);
    }
    by_pair
}

fn accept(folder: &Folder, actor: &str, pair: usize, side: &str) -> Output {
    let (number, record) = (pair.to_string(), format!("{side}{pair}"));
    folder.output(actor, &["accept", &number, "--record", &record, "--reason", "it was checked"])
}

/// One who is at work until they are done, or fail.
struct AtWork<'a>(&'a AtomicUsize);

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[test]
fn four_reviewers_rule_beside_an_import_and_nothing_is_lost() {
    let each = rounds(12, 1_000);
    let folder = Folder::new();
    folder.write("ties.jsonl", ties(REVIEWERS * each));
    folder.says(&["import", "ties.jsonl"]);
    let (reviewing, imported, waited) = (AtomicUsize::new(REVIEWERS), AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for reviewer in 0..REVIEWERS {
            let (folder, reviewing, waited) = (&folder, &reviewing, &waited);
            scope.spawn(move || {
                let _at_work = AtWork(reviewing);
                for nth in 0..each {
                    let pair = nth * REVIEWERS + reviewer + 1;
                    loop {
                        let output = accept(folder, &format!("r{reviewer}"), pair, "b");
                        let told = String::from_utf8_lossy(&output.stderr);
                        // Nobody else rules on this pair: it is done, or they are told that others were writing all the time.
                        match output.status.code() {
                            Some(0) => break,
                            Some(4) if told.contains("busy") => waited.fetch_add(1, Ordering::SeqCst),
                            status => panic!("pair {pair}: {status:?}: {told}"),
                        };
                    }
                }
            });
        }
        scope.spawn(|| {
            while reviewing.load(Ordering::SeqCst) > 0 {
                let nth = imported.fetch_add(1, Ordering::SeqCst);
                // Its slots are its own: the numbers of the ties stay those that they were given.
                let text = made(200, nth as u64);
                let text: String = text.lines().enumerate().map(|(at, line)| renamed(line, nth, at)).collect();
                folder.write("made.jsonl", text);
                folder.says(&["import", "made.jsonl", "--batch", &format!("made {nth}")]);
            }
        });
    });
    let rulings = accepts(&folder);
    assert_eq!(rulings.len(), REVIEWERS * each, "some were lost");
    for (pair, events) in &rulings {
        let actor = format!("r{}", (*pair as usize - 1) % REVIEWERS);
        assert!(events.len() == 1 && events[0]["actor"] == actor.as_str(), "pair {pair}: {events:?}");
    }
    let imports = imported.into_inner();
    let records = folder.is_whole();
    assert_eq!(records, (2 * REVIEWERS * each + 200 * imports) as u64);
    tell(&format!(
        "{} rulings of {REVIEWERS} reviewers beside {imports} imports: none lost, none twice, {} asked for again",
        rulings.len(),
        waited.into_inner()
    ));
}

/// The line with an id and a subject that no other import has.
fn renamed(line: &str, import: usize, at: usize) -> String {
    let mut record: Value = serde_json::from_str(line).unwrap();
    record["id"] = format!("i{import}-{at}").into();
    let subject = record["subject_id"].as_str().or(record["subject"].as_str()).unwrap_or("nobody").to_owned();
    record["subject_id"] = format!("{subject}-{import}").into();
    format!("{record}\n")
}

#[test]
fn two_processes_on_one_pair_are_one_ruling_and_one_refusal() {
    let times = rounds(10, 100);
    let folder = Folder::new();
    folder.write("ties.jsonl", ties(times));
    folder.says(&["import", "ties.jsonl"]);
    for pair in 1..=times {
        let outputs: Vec<(&str, Output)> = thread::scope(|scope| {
            let both = [("dana", "a"), ("lee", "b")].map(|(actor, side)| {
                let folder = &folder;
                scope.spawn(move || (actor, accept(folder, actor, pair, side)))
            });
            both.into_iter().map(|it| it.join().unwrap()).collect()
        });
        let (done, late): (Vec<_>, Vec<_>) = outputs.iter().partition(|(_, output)| output.status.success());
        assert_eq!((done.len(), late.len()), (1, 1), "pair {pair}: {outputs:?}");
        let (status, said) = failed(&late[0].1, &["accept"]);
        assert_eq!(status, 1, "{said}");
        assert!(said.contains(done[0].0), "{} is told by whom: {said}", late[0].0);
    }
    let rulings = accepts(&folder);
    assert!(rulings.len() == times && rulings.values().all(|events| events.len() == 1), "{rulings:?}");
    folder.is_whole();
}

#[test]
fn two_screens_on_one_pair_are_one_ruling_and_one_that_is_told() {
    let times = rounds(30, 100);
    let folder = Folder::new();
    folder.write("ties.jsonl", ties(times));
    folder.says(&["import", "ties.jsonl"]);
    let (start, told) = (Barrier::new(2), Mutex::new(BTreeMap::<usize, Vec<bool>>::new()));
    thread::scope(|scope| {
        for (actor, side) in [("dana", "a"), ("lee", "b")] {
            let (folder, start, told) = (&folder, &start, &told);
            scope.spawn(move || {
                let now = instant(WRITTEN);
                let mut store = Store::open(&folder.path("store.db"), now).unwrap();
                for pair in 1..=times {
                    // Both have it on the screen before either rules.
                    let seen = store.pair(PairId(pair as i64), now).unwrap().unwrap().revision;
                    start.wait();
                    let order = Order::Accept {
                        pair: PairId(pair as i64),
                        winner: RecordId::from(format!("{side}{pair}").as_str()),
                        recency_override: false,
                        reason: "it was checked".to_owned(),
                    };
                    let answer = store.order(&order, &By { actor, now }, Some(seen));
                    let late = match &answer {
                        Ok(_) => false,
                        Err(OrderError::Refused(Refusal::Stale { .. })) => true,
                        Err(error) => panic!("{actor} on pair {pair}: {error}"),
                    };
                    if let Err(error) = answer {
                        let other = if actor == "dana" { "lee" } else { "dana" };
                        assert!(error.to_string().contains(&format!("{other} ruled accept")), "{error}");
                    }
                    told.lock().unwrap().entry(pair).or_default().push(late);
                    start.wait();
                }
            });
        }
    });
    for (pair, late) in told.into_inner().unwrap() {
        assert_eq!(late.iter().filter(|late| **late).count(), 1, "pair {pair}");
    }
    assert!(accepts(&folder).values().all(|events| events.len() == 1));
    folder.is_whole();
}

#[test]
fn eight_processes_at_once_wait_for_each_other() {
    const PROCESSES: usize = 8;
    let each = rounds(4, 250);
    let folder = Folder::new();
    folder.write("ties.jsonl", ties(PROCESSES * each));
    folder.says(&["import", "ties.jsonl"]);
    thread::scope(|scope| {
        for process in 0..PROCESSES {
            let folder = &folder;
            scope.spawn(move || {
                for nth in 0..each {
                    let output = accept(folder, "lee", nth * PROCESSES + process + 1, "a");
                    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
                }
            });
        }
    });
    assert_eq!(accepts(&folder).len(), PROCESSES * each);
    folder.is_whole();
}

#[test]
fn backups_beside_a_writer_are_whole_and_of_one_moment() {
    let copies = rounds(6, 50);
    let folder = Folder::new();
    folder.write("ties.jsonl", ties(3_000));
    folder.says(&["import", "ties.jsonl"]);
    let (done, written) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            let now = instant(WRITTEN);
            let mut store = Store::open(&folder.path("store.db"), now).unwrap();
            for pair in 1..=3_000 {
                if done.load(Ordering::SeqCst) {
                    break;
                }
                let winner = RecordId::from(format!("a{pair}").as_str());
                let order =
                    Order::Accept { pair: PairId(pair), winner, recency_override: false, reason: "so".to_owned() };
                store.order(&order, &By { actor: "lee", now }, None).unwrap();
                written.fetch_add(1, Ordering::SeqCst);
            }
        });
        let mut dice = Dice::of(50);
        for copy in 0..copies {
            let name = format!("copy{copy}.db");
            let before = written.load(Ordering::SeqCst);
            folder.says(&["backup", &name]);
            let after = written.load(Ordering::SeqCst) + 1;
            let mut copied = Store::open(&folder.path(&name), instant(WRITTEN)).unwrap();
            // All of each copy is looked at now and then: the rest of it is what SQLite and the chain say.
            if dice.below(5) == 0 || copy == 0 {
                assert!(copied.verify(instant(WRITTEN), |_, _| {}).unwrap().is_ok(), "{name}");
            }
            drop(copied);
            let rulings = rulings_in(&folder.path(&name));
            assert!((before..=after).contains(&rulings), "{rulings} in {name}, of {before} to {after}");
            fs::remove_file(folder.path(&name)).unwrap();
        }
        done.store(true, Ordering::SeqCst);
    });
    assert!(written.into_inner() > copies, "hardly anybody wrote meanwhile");
    let left: Vec<String> = names(folder.at()).into_iter().filter(|name| name.contains("partial")).collect();
    assert_eq!(left, Vec::<String>::new());
}

fn rulings_in(path: &Path) -> usize {
    let copy = rusqlite::Connection::open(path).unwrap();
    let whole: String = copy.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(whole, "ok");
    let many: i64 = copy.query_row("SELECT count(*) FROM rulings", [], |row| row.get(0)).unwrap();
    many.try_into().unwrap()
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|it| it.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn no_write_begins_as_a_reading() {
    // A transaction that reads first and then writes fails where another wrote in between, however long it waits: so
    // where one is begun that only reads, nothing is ever committed.
    let files = crate::source::files(Path::new(env!("CARGO_MANIFEST_DIR")), "src/store");
    let begins = ["TransactionBehavior::Deferred", ".still()", "\"BEGIN"];
    let reading: Vec<_> =
        files.iter().filter(|file| begins.iter().any(|begin| file.text.contains(begin))).collect();
    assert!(reading.len() > 3, "{:?}", reading.iter().map(|file| &file.path).collect::<Vec<_>>());
    for file in reading {
        assert!(!file.code().contains(".commit("), "{} begins as a reading, and commits", file.path);
    }
    let says = |word: &str| files.iter().filter(|file| file.text.contains(word)).count();
    assert_eq!(says("\"COMMIT") + says("; COMMIT") + says("DropBehavior::Commit"), 0);
    // One begins so and is committed: an import lays aside what it reads. Between the two it speaks of its stage alone, and
    // all that the stage writes are tables of its own connection.
    let aside: Vec<_> = files.iter().filter(|file| file.code().contains(".aside()")).collect();
    let [ingest] = aside[..] else { panic!("{:?}", aside.iter().map(|file| &file.path).collect::<Vec<_>>()) };
    let code = ingest.code();
    let (_, begun) = code.split_once("let aside = self.aside()?;").unwrap();
    let (laid, _) = begun.split_once("aside.commit()").unwrap();
    assert!(laid.contains("Stage::begin(&aside)") && laid.matches("aside").count() == 1, "{laid}");
    let stage = files.iter().find(|file| file.path.ends_with("stage.rs")).unwrap();
    let writes =
        ["INSERT INTO ", "INSERT OR IGNORE INTO ", "DELETE FROM ", "DROP TABLE IF EXISTS ", "UPDATE ", "CREATE "];
    let mut written = 0;
    for what in writes
        .iter()
        .flat_map(|write| stage.text.split(write).skip(1))
        .chain(stage.text.split("DROP TABLE ").skip(1))
    {
        let own = ["temp.", "TEMP TABLE ", "IF EXISTS temp."].iter().any(|own| what.starts_with(own));
        assert!(own, "{}", what.lines().next().unwrap_or_default());
        written += 1;
    }
    assert!(written > 8, "{written}");
}

#[test]
fn others_rule_while_an_import_reads_and_nothing_is_lost() {
    const MANY: usize = 40;
    let mut desk = Desk::new();
    for at in 0..MANY {
        let city = |city: &str| {
            let it = record(&format!("user_{at}"), "home_city", city).id(&format!("{city}{at}"));
            it.by("user_utterance").observed("2025-03-01").epoch(1)
        };
        desk.import([city("Berlin"), city("Lisbon")]);
    }
    let (open, now) = (desk.open(), desk.now);
    let mut other = Store::open(&desk.path(), now).unwrap();
    let mut open = open.iter();
    let coming = (0..MANY).map(|at| {
        // Each time that one more is read, somebody else commits: neither waits for the other.
        let entry = open.next().unwrap();
        let (winner, reason) = (entry.records[0].clone(), "it was checked".to_owned());
        let order = Order::Accept { pair: entry.pair, winner, recency_override: true, reason };
        other.order(&order, &By { actor: "dana", now }, None).unwrap();
        Ok::<_, StoreError>(incoming(record(&format!("late_{at}"), "home_city", "Lisbon").id(&format!("late{at}"))))
    });
    let import = Import { batch: Batch::from("slow"), dry_run: false, each: false };
    let by = By { actor: "core", now };
    let done = desk.store.import(&by, &import, coming, |clash| panic!("{}", clash.id), |_| {}).unwrap();
    assert_eq!(done.added, MANY as u64);
    assert_eq!(desk.open().len(), 0);
    desk.is_whole();
}
