//! `verify` and a what-if against SQLite's own check of the same file; recall against a bare select.

use std::path::Path;

use gainsay::core::policy::{AttributePolicy, Cardinality, Declaration};
use gainsay::core::recall::AsOf;
use gainsay::core::record::{Attribute, Subject};
use gainsay::store::Store;
use gainsay::wire::generate::Mix;
use rusqlite::Connection;
use tempfile::TempDir;

use crate::clock::{Times, by, generate, median, now, records, rounds, timed};
use crate::import::run;
use crate::table::{Bar, Table};

/// Slots, each by its names.
type Slots = Vec<(String, String)>;

pub(crate) fn measure(table: &mut Table) {
    let folder = TempDir::new().unwrap();
    let (file, path) = (folder.path().join("first.jsonl"), folder.path().join("store.db"));
    generate(&Mix::default(), records(), &file, None);
    run("import", &file, &path);
    let mut store = Store::open(&path, now()).unwrap();
    let raw = Connection::open(&path).unwrap();
    raw.execute_batch("PRAGMA cache_size = -32768").unwrap();
    let (mut check, mut verify, mut tried, mut slots) = (vec![], vec![], vec![], 0);
    for _ in 0..rounds() {
        check.push(integrity(&raw));
        verify.push(verified(&mut store));
        let (seconds, of) = what_if(&mut store);
        tried.push(seconds);
        slots = of;
    }
    let [check, verify, tried] = [check, verify, tried].map(median);
    let measured = format!("{verify:.1} s; integrity_check {check:.1} s");
    table.row(format!("6. verify of {} records", records()), measured, verify / check, &Bar::at_most(2.0));
    let measured = format!("{tried:.1} s; integrity_check {check:.1} s");
    table.row(format!("6. a policy what-if over {slots} slots"), measured, tried / check, &Bar::at_most(2.0));
    recall(table, &store, &raw);
}

/// SQLite's check of a file, in seconds.
fn integrity(raw: &Connection) -> f64 {
    timed(|| {
        let said: String = raw.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(said, "ok");
    })
    .as_secs_f64()
}

/// Our own check, in seconds.
pub(crate) fn verified(store: &mut Store) -> f64 {
    timed(|| assert!(store.verify(now(), |_, _| ()).unwrap().is_ok())).as_secs_f64()
}

/// Asks what it would do to let an attribute hold many values: the seconds, and over how many slots.
pub(crate) fn what_if(store: &mut Store) -> (f64, u64) {
    let fields = AttributePolicy { cardinality: Some(Cardinality::Many), ..AttributePolicy::default() };
    let declaration = Declaration { attribute: Attribute::from("home_city"), subject: None, fields };
    let mut slots = 0;
    let took = timed(|| {
        let mut goes_on = |_, of| {
            slots = of;
            true
        };
        assert!(store.try_declaration(&declaration, &by(), &mut goes_on).unwrap().is_some());
    });
    (took.as_secs_f64(), slots)
}

/// Some slots, far from each other.
fn some(raw: &Connection) -> Slots {
    let mut statement = raw
        .prepare("SELECT subject, attribute FROM slots WHERE slot % (SELECT max(slot) / 2000 + 1 FROM slots) = 0")
        .unwrap();
    let found = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    found.map(Result::unwrap).collect()
}

fn recall(table: &mut Table, store: &Store, raw: &Connection) {
    let slots = some(raw);
    let mut select = raw
        .prepare(
            "SELECT r.id, r.value, r.source, r.observed_at FROM records r JOIN slots s ON s.slot = r.slot
             WHERE s.subject = ?1 AND s.attribute = ?2",
        )
        .unwrap();
    let mut bare = |at: usize| {
        let (subject, attribute) = &slots[at];
        let mut rows = select.query([subject, attribute]).unwrap();
        let mut values: Vec<String> = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            values.push(row.get(1).unwrap());
        }
        assert!(!values.is_empty());
    };
    let ours = |at: usize| {
        let (subject, attribute) = &slots[at];
        let (subject, attribute) = (Subject::from(subject.as_str()), Attribute::from(attribute.as_str()));
        assert!(!store.recall(&subject, &attribute, AsOf::default(), now()).unwrap().subject.as_str().is_empty());
    };
    // Once unmeasured, so that both read the same pages from memory.
    (0..slots.len()).for_each(&mut bare);
    (0..slots.len()).for_each(ours);
    let (yardstick, times) = (Times::of(slots.len(), bare), Times::of(slots.len(), ours));
    let measured = format!(
        "p50 {:.3}, p99 {:.3} ms; bare select p50 {:.3}, p99 {:.3} ms",
        times.ms(50),
        times.ms(99),
        yardstick.ms(50),
        yardstick.ms(99)
    );
    table.row("6. recall of one slot, p50", measured, times.ms(50) / yardstick.ms(50), &Bar::at_most(5.0));
}

/// Opens a store that was imported.
pub(crate) fn opened(path: &Path) -> Store {
    Store::open(path, now()).unwrap()
}
