//! Import against a bare prepared `INSERT` of the same records, each in a process of its own.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;
use std::process::Command;
use std::time::Instant as Clock;

use gainsay::core::record::{Attribute, Batch, Kind, RecordId};
use gainsay::store::{Clash, Draft, Import, Store, StoreError};
use gainsay::wire::generate::Mix;
use gainsay::wire::{Defaults, Incoming, records};
use rusqlite::{Connection, TransactionBehavior, params};
use serde_json::Value;
use tempfile::TempDir;

use crate::clock::{by, generate, median, now, records as many, rounds, write};
use crate::table::{Bar, Better, Table};

/// The records of a file, as the program reads them.
fn read(file: &str) -> impl Iterator<Item = Result<Incoming, StoreError>> {
    let defaults = Defaults { now: now(), batch: Batch::from("measured"), epoch: None, zone: None };
    records(BufReader::with_capacity(1 << 16, File::open(file).unwrap()), defaults)
        .map(|item| item?.1.map_err(|fault| StoreError::Damaged(format!("{fault:?}"))))
}

/// What a process of its own does, and then tells: its seconds, and the most memory that it held, in KiB.
pub(crate) fn child(what: &str, file: &str, store: &str) {
    let began = Clock::now();
    match what {
        "read" => read(file).for_each(|record| drop(record.unwrap())),
        "bare" => bare(file, Path::new(store)),
        "import" => import(file, Path::new(store)),
        "dry-run" => fill(Draft::begin(Path::new(store), now()).unwrap().store(), file, true),
        other => panic!("{other}: read, bare, import or dry-run is expected"),
    }
    println!("{} {}", began.elapsed().as_secs_f64(), peak("self"));
}

/// The most memory that a process held, in KiB.
pub(crate) fn peak(process: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).and_then(|text| text.parse().ok()).unwrap()
}

/// As `gainsay import` does: a store that is not there yet is published when it is whole.
fn import(file: &str, path: &Path) {
    if path.exists() {
        return fill(&mut Store::open(path, now()).unwrap(), file, false);
    }
    let mut draft = Draft::begin(path, now()).unwrap();
    fill(draft.store(), file, false);
    assert!(draft.publish().unwrap());
}

fn fill(store: &mut Store, file: &str, dry_run: bool) {
    let import = Import { batch: Batch::from("measured"), dry_run, each: false };
    let clash = |clash: &Clash| Err(StoreError::Damaged(clash.id.to_string()));
    let done = store.import(&by(), &import, read(file), clash, |_| ()).unwrap();
    assert_eq!(done.added, done.read);
}

/// One table with the same columns, and the same two indexes, in one transaction.
fn bare(file: &str, path: &Path) {
    let mut connection = Connection::open(path).unwrap();
    connection
        .execute_batch(
            "PRAGMA journal_mode = wal; PRAGMA synchronous = full; PRAGMA cache_size = -32768;
             CREATE TABLE IF NOT EXISTS records (record INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, slot INTEGER,
                 subject TEXT NOT NULL, attribute TEXT, value TEXT NOT NULL, op TEXT NOT NULL, kind TEXT, class TEXT,
                 source TEXT, observed_at TEXT, written_at TEXT NOT NULL, recorded_at TEXT NOT NULL, epoch INTEGER,
                 confidence REAL, evidence TEXT, answers INTEGER, derived_from TEXT, batch TEXT NOT NULL,
                 event INTEGER NOT NULL, content BLOB NOT NULL, hash BLOB NOT NULL) STRICT;
             CREATE INDEX IF NOT EXISTS records_by_slot ON records (slot);",
        )
        .unwrap();
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate).unwrap();
    let mut slots: HashMap<(String, String), i64> = HashMap::new();
    let mut insert = tx
        .prepare(
            "INSERT INTO records (id, slot, subject, attribute, value, op, kind, class, source, observed_at,
                written_at, recorded_at, epoch, confidence, evidence, answers, derived_from, batch, event, content, hash)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?20)",
        )
        .unwrap();
    for incoming in read(file) {
        let Incoming { record, content, .. } = incoming.unwrap();
        let next = i64::try_from(slots.len()).unwrap();
        let attribute = record.attribute.as_ref().map(Attribute::as_str);
        let slot = *slots
            .entry((record.subject.as_str().to_owned(), attribute.unwrap_or_default().to_owned()))
            .or_insert(next);
        insert
            .execute(params![
                record.id.as_str(),
                slot,
                record.subject.as_str(),
                attribute,
                record.value.to_string(),
                record.op.name(),
                record.kind().map(Kind::as_str),
                None::<&str>,
                record.source.as_ref().map(|source| Value::Object(source.fields.clone()).to_string()),
                record.observed_at.map(|when| when.to_string()),
                record.written_at.sortable(),
                record.recorded_at.sortable(),
                record.epoch.map(|epoch| epoch.0),
                record.confidence,
                record.evidence,
                record.answers.map(|request| request.0),
                record.derived_from.as_ref().map(RecordId::as_str),
                record.batch.as_str(),
                1,
                &content[..],
            ])
            .unwrap();
    }
    drop(insert);
    tx.commit().unwrap();
}

/// Runs a child: its seconds, and its peak in KiB.
pub(crate) fn run(what: &str, file: &Path, store: &Path) -> (f64, f64) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let output = command.args(["child", what]).arg(file).arg(store).output().unwrap();
    assert!(output.status.success(), "{what}: {}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stdout).unwrap();
    let mut figures = said.split_whitespace().map(|text| text.parse::<f64>().unwrap());
    (figures.next().unwrap(), figures.next().unwrap())
}

/// Into an empty store, and then a tenth more.
pub(crate) fn whole(table: &mut Table) {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (first, more, count) = (at("first.jsonl"), at("more.jsonl"), many());
    generate(&Mix::default(), count, &first, Some((count / 10, &more)));
    let mut taken: HashMap<(&str, &str), Vec<f64>> = HashMap::new();
    let mut peak = 0_f64;
    for _ in 0..rounds() {
        for what in ["read", "bare", "import"] {
            for (name, file) in [("first", &first), ("more", &more)] {
                let (seconds, held) = run(what, file, &at(what));
                taken.entry((what, name)).or_default().push(seconds);
                if what == "import" {
                    peak = peak.max(held);
                }
            }
            fs::remove_file(at(what)).ok();
        }
    }
    let rate = Bar { unit: "×", goal: 1.2, least: 0.7, better: Better::More };
    for (name, records, title) in
        [("first", count, "into an empty store"), ("more", count / 10, "more into that store")]
    {
        let of = |what: &'static str| &taken[&(what, name)];
        let ratios = |taken_off: f64| {
            let pairs = of("import").iter().zip(of("bare")).zip(of("read"));
            median(
                pairs.map(|((ours, bare), read)| (bare - read * taken_off) / (ours - read * taken_off)).collect(),
            )
        };
        let [ours, bare, reading] = ["import", "bare", "read"].map(|what| median(of(what).clone()));
        let measured = format!("{ours:.1} s; bare INSERT {bare:.1} s; reading alone {reading:.1} s");
        table.row(
            format!("1. import of {records} records {title}, the file read by both"),
            measured,
            ratios(0.0),
            &rate,
        );
        table.row("the same, reading taken off both", "", ratios(1.0), &rate);
    }
    table.row("1. its peak memory", "", peak / 1024.0, &Bar::under(256.0, "MiB"));
}

/// Writes so many records of one slot, every value twice.
pub(crate) fn one_slot(records: u64, path: &Path) {
    generate(&"hot=1".parse().unwrap(), records, path, None);
    let one = |line: &str| {
        let record: Value = serde_json::from_str(line).unwrap();
        line.replace(record["subject_id"].as_str().unwrap(), "svc/hot")
    };
    let lines: Vec<String> = fs::read_to_string(path).unwrap().lines().map(one).collect();
    write(path, lines.into_iter());
}

/// One slot of 100,000 records and 50,000 values, against as many records alone.
pub(crate) fn hot(table: &mut Table) {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (cold, hot) = (at("cold.jsonl"), at("hot.jsonl"));
    let count = many() / 10;
    generate(&"lone=1".parse().unwrap(), count, &cold, None);
    one_slot(count, &hot);
    let (mut ratios, mut seconds) = (Vec::new(), (0.0, 0.0));
    for _ in 0..rounds() {
        let [(hot, _), (cold, _)] = [("hot", &hot), ("cold", &cold)].map(|(name, file)| {
            let taken = run("import", file, &at(name));
            fs::remove_file(at(name)).unwrap();
            taken
        });
        ratios.push(hot / cold);
        seconds = (hot, cold);
    }
    let measured = format!("{:.1} s; {count} lone records {:.1} s", seconds.0, seconds.1);
    table.row(format!("2. a slot of {count} records"), measured, median(ratios), &Bar::at_most(2.0));
}
