//! Durable rulings, against a bare transaction of three inserts; alone, and beside an import.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant as Clock};

use gainsay::core::order::Order;
use gainsay::core::pair::{Entry, PairState};
use gainsay::core::record::Batch;
use gainsay::store::{Clash, Import, OrderError, QueueFilter, QueueOrder, Store, StoreError, Window};
use gainsay::wire::{Defaults, records};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::clock::{Times, by, generate, now, records as many, timed};
use crate::table::{Bar, Table};

/// Imports a file; no record of it is there yet.
fn import(store: &mut Store, file: &Path) {
    let defaults = Defaults { now: now(), batch: Batch::from("measured"), epoch: None, zone: None };
    let read = records(BufReader::new(File::open(file).unwrap()), defaults)
        .map(|item| item?.1.map_err(|fault| StoreError::Damaged(format!("{fault:?}"))));
    let import = Import { batch: Batch::from("measured"), dry_run: false, each: false };
    let clash = |clash: &Clash| Err(StoreError::Damaged(clash.id.to_string()));
    store.import(&by(), &import, read, clash, |_| ()).unwrap();
}

pub(crate) fn measure(table: &mut Table) {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (first, more, path) = (at("first.jsonl"), at("more.jsonl"), at("store.db"));
    // Every second slot holds two records that no time puts in order: a person may accept either.
    let mix = "order_undecidable=1,lone=2".parse().unwrap();
    generate(&mix, many() / 10, &first, Some((many(), &more)));
    let mut store = Store::open_or_create(&path, now()).unwrap();
    import(&mut store, &first);
    let filter = QueueFilter { states: vec![PairState::Open], ..QueueFilter::default() };
    let mut pairs = store.queue(&filter, QueueOrder::Oldest, &Window::Start, 20_000, now()).unwrap().into_iter();
    let bare = Connection::open(at("bare.db")).unwrap();
    bare.execute_batch(
        "PRAGMA journal_mode = wal; PRAGMA synchronous = full; CREATE TABLE a (x TEXT); CREATE TABLE b (x TEXT); CREATE TABLE c (x TEXT)",
    )
    .unwrap();
    let (mut ours, mut yardstick) = (Vec::new(), Vec::new());
    for pair in pairs.by_ref().take(1_500) {
        ours.push(timed(|| accept(&mut store, &pair).unwrap()));
        yardstick.push(timed(|| three_inserts(&bare)));
    }
    let (ours, yardstick) = (Times::from(ours), Times::from(yardstick));
    let measured = format!(
        "p50 {:.2}, p99 {:.2} ms; three inserts p50 {:.2}, p99 {:.2} ms",
        ours.ms(50),
        ours.ms(99),
        yardstick.ms(50),
        yardstick.ms(99)
    );
    table.row("5. a durable ruling, p99", measured, ours.ms(99) / yardstick.ms(99), &Bar::at_most(5.0));
    beside_an_import(table, &mut store, pairs, &more);
}

fn accept(store: &mut Store, pair: &Entry) -> Result<(), OrderError> {
    let whole = store.pair(pair.pair, now())?.unwrap();
    let order = Order::Accept {
        pair: pair.pair,
        winner: whole.left.record.id.clone(),
        recency_override: false,
        reason: "it was looked at".to_owned(),
    };
    store.order(&order, &by(), None).map(drop)
}

fn three_inserts(bare: &Connection) {
    bare.execute_batch("BEGIN IMMEDIATE").unwrap();
    for table in ["a", "b", "c"] {
        let sql = format!("INSERT INTO {table} VALUES (?1)");
        bare.prepare_cached(&sql).unwrap().execute(["x".repeat(200)]).unwrap();
    }
    bare.execute_batch("COMMIT").unwrap();
}

fn beside_an_import(table: &mut Table, store: &mut Store, mut pairs: impl Iterator<Item = Entry>, more: &Path) {
    let (path, done) = (store.path().to_owned(), AtomicBool::new(false));
    let mut waits = Vec::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            import(&mut Store::open(&path, now()).unwrap(), more);
            done.store(true, Ordering::SeqCst);
        });
        while !done.load(Ordering::SeqCst) {
            let Some(pair) = pairs.next() else { break };
            let began = Clock::now();
            // A reviewer who is told that the store is busy presses the key again.
            while let Err(error) = accept(store, &pair) {
                assert!(matches!(&error, OrderError::Store(error) if error.is_busy()), "{error}");
            }
            waits.push(began.elapsed());
            thread::sleep(Duration::from_millis(5));
        }
    });
    let waits = Times::from(waits);
    let measured =
        format!("p50 {:.2} ms, the longest {:.0} ms, an import of {} records", waits.ms(50), waits.ms(100), many());
    table.row("5. a ruling beside a running import, p99", measured, waits.ms(99), &Bar::under(100.0, "ms"));
}
