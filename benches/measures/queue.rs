//! Reading a queue of a million pairs.

use std::iter;

use gainsay::core::examine::Ground;
use gainsay::core::facet::Facet;
use gainsay::core::pair::{Entry, PairState};
use gainsay::core::record::Attribute;
use gainsay::core::ruling::PairId;
use gainsay::store::{QueueFilter, QueueOrder, Store, Window};
use tempfile::TempDir;

use crate::clock::{Times, median_ms, now, records, rounds};
use crate::filled::fill;
use crate::table::{Bar, Table};

const QUICK: Bar = Bar::under(2.0, "ms");

fn open() -> QueueFilter {
    QueueFilter { states: vec![PairState::Open], ..QueueFilter::default() }
}

/// Another pair each time.
fn anchor(store: &Store, time: usize, pairs: i64) -> Entry {
    let pair = 1 + (i64::try_from(time).unwrap() * 7_919_011) % pairs;
    store.entry(PairId(pair), now()).unwrap().unwrap()
}

pub(crate) fn measure(table: &mut Table) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("store.db");
    let pairs = i64::try_from(records()).unwrap();
    fill(&path, pairs, now());
    let mut store = Store::open(&path, now()).unwrap();
    let ground = QueueFilter { grounds: Facet::only(Some(Ground::CrossEpoch)), ..open() };
    let attribute = QueueFilter { attributes: Facet::only(Some(Attribute::from("attribute_4"))), ..open() };
    for (name, filter) in [("open", open()), ("of one ground", ground), ("of one attribute", attribute)] {
        pages(table, &store, name, &filter, pairs);
    }
    quick(table, "the counts", || Times::of(400, |_| drop(store.counts(now()).unwrap())));
    quick(table, "one pair, whole", || {
        Times::of(1_000, |time| {
            let pair = 1 + (i64::try_from(time).unwrap() * 7_919_011) % pairs;
            assert!(store.pair(PairId(pair), now()).unwrap().is_some());
        })
    });
    while store.index_letters(2_000).unwrap().left > 0 {}
    let rare = QueueFilter { text: Some("Quixeramobim".to_owned()), ..open() };
    let find =
        |store: &Store| store.find(&rare, QueueOrder::Oldest, now(), &mut |_, _| true).unwrap().unwrap().total();
    let found = find(&store);
    assert!(found > 0, "the rare word is there");
    let times = Times::of(50, |_| assert_eq!(find(&store), found));
    let measured = format!("p50 {:.2} ms, by the index of letters", times.ms(50));
    table.row("3. finding a rare word", measured, times.ms(99), &Bar::under(20.0, "ms"));
}

/// What must be quick: the median of several rounds, for one slice of time that another program takes is longer than a page.
fn quick(table: &mut Table, what: &str, round: impl FnMut() -> Times) {
    let rounds: Vec<Times> = iter::repeat_with(round).take(usize::try_from(rounds()).unwrap()).collect();
    let measured = format!("p50 {:.2} ms", median_ms(&rounds, 50));
    table.row(format!("3. {what}"), measured, median_ms(&rounds, 99), &QUICK);
}

/// First, last, next and previous page, in the order of the queue.
fn pages(table: &mut Table, store: &Store, name: &str, filter: &QueueFilter, pairs: i64) {
    let page = |from: &Window| drop(store.queue(filter, QueueOrder::Oldest, from, 60, now()).unwrap());
    let ends = || Times::of(400, |time| page(if time % 2 == 0 { &Window::Start } else { &Window::End }));
    let anchors: Vec<Entry> = (0..400).map(|time| anchor(store, time, pairs)).collect();
    let beside = || {
        Times::of(400, |time| {
            let from = anchors[time].clone();
            page(&if time % 2 == 0 { Window::Before(from) } else { Window::After(from) });
        })
    };
    quick(table, &format!("first and last page of the pairs {name}, of {pairs}"), ends);
    quick(table, &format!("next and previous page of the pairs {name}, of {pairs}"), beside);
}
