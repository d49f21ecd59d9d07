//! What a queue of a million pairs costs. Ignored: it builds a store of half a gigabyte. In release:
//! `cargo test --release --test it million -- --ignored --nocapture`; `GAINSAY_PAIRS` sets another number.

use std::time::{Duration, Instant as Clock};

use gainsay::core::examine::Ground;
use gainsay::core::facet::Facet;
use gainsay::core::pair::{Entry, PairState};
use gainsay::core::record::{Attribute, Batch};
use gainsay::core::ruling::PairId;
use gainsay::core::time::Instant;
use gainsay::store::{QueueFilter, QueueOrder, Store, Window};
use tempfile::TempDir;

use crate::script::instant;

#[path = "../../benches/measures/filled.rs"]
mod filled;

const NOW: &str = "2025-12-01T09:14:02Z";

/// The store that is measured.
fn build(pairs: i64) -> (TempDir, Store) {
    let folder = TempDir::new().unwrap();
    // A store that was built before is measured again: `GAINSAY_BUILT` names it, or where it is to be kept.
    let kept = std::env::var("GAINSAY_BUILT").map(std::path::PathBuf::from);
    let path = kept.unwrap_or_else(|_| folder.path().join("store.db"));
    if path.exists() {
        let store = Store::open(&path, instant(NOW)).unwrap();
        return (folder, store);
    }
    filled::fill(&path, pairs, instant(NOW));
    let store = Store::open(&path, instant(NOW)).unwrap();
    (folder, store)
}

/// What was measured is for whoever runs it by hand.
#[expect(clippy::print_stdout, reason = "an ignored test that measures tells what it measured")]
fn tell(text: &str) {
    println!("{text}");
}

/// How long something takes, of many times.
fn timed(what: &str, times: usize, mut act: impl FnMut(usize)) -> Duration {
    let mut took: Vec<Duration> = (0..times)
        .map(|time| {
            let began = Clock::now();
            act(time);
            began.elapsed()
        })
        .collect();
    took.sort_unstable();
    let at = |part: usize| took[(took.len() * part / 100).min(took.len() - 1)];
    tell(&format!("{what:<52} p50 {:>10.1?}   p99 {:>10.1?}", at(50), at(99)));
    at(99)
}

#[test]
#[ignore = "builds a store of half a gigabyte; it measures"]
fn a_million_pairs_are_read_as_quickly_as_a_few() {
    let pairs = std::env::var("GAINSAY_PAIRS").ok().and_then(|text| text.parse().ok()).unwrap_or(1_000_000);
    let began = Clock::now();
    let (_folder, mut store) = build(pairs);
    tell(&format!("{pairs} pairs built in {:.1?}", began.elapsed()));
    let now: Instant = instant(NOW);
    let ground = |ground| QueueFilter { grounds: Facet::only(Some(ground)), ..open() };
    let of = |name: &str| QueueFilter { attributes: Facet::only(Some(Attribute::from(name))), ..open() };
    let counted = [
        ("open", open()),
        ("a ground", ground(Ground::CrossEpoch)),
        ("a rare ground", ground(Ground::LowConfidence)),
        ("an attribute", of("attribute_4")),
        ("a rare attribute", of("rare_one")),
        (
            "all but an attribute",
            QueueFilter {
                attributes: Facet { any_of: vec![], none_of: vec![Attribute::from("attribute_4")] },
                ..open()
            },
        ),
    ];
    for (name, filter) in &counted {
        lists(&store, name, filter, pairs);
    }
    timed("counts", 200, |_| drop(store.counts(now).unwrap()));
    timed("one pair whole", 500, |time| {
        let _pair = store.pair(anchor(&store, time, pairs).pair, now).unwrap();
    });
    finds(&mut store, pairs);
}

fn open() -> QueueFilter {
    QueueFilter { states: vec![PairState::Open], ..QueueFilter::default() }
}

/// Another pair each time.
fn anchor(store: &Store, time: usize, pairs: i64) -> Entry {
    let pair = 1 + (i64::try_from(time).unwrap() * 7_919_011) % pairs;
    store.entry(PairId(pair), instant(NOW)).unwrap().unwrap()
}

fn lists(store: &Store, name: &str, filter: &QueueFilter, pairs: i64) {
    let now = instant(NOW);
    for order in [QueueOrder::Oldest, QueueOrder::Newest, QueueOrder::Slot, QueueOrder::Impact] {
        timed(&format!("{name}, {order:?}: first page"), 50, |_| {
            let _page = store.queue(filter, order, &Window::Start, 60, now).unwrap();
        });
        timed(&format!("{name}, {order:?}: last page"), 50, |_| {
            let _page = store.queue(filter, order, &Window::End, 60, now).unwrap();
        });
        timed(&format!("{name}, {order:?}: page at an anchor"), 100, |time| {
            let from = anchor(store, time, pairs);
            let _before = store.queue(filter, order, &Window::Before(from.clone()), 30, now).unwrap();
            let _after = store.queue(filter, order, &Window::From(from), 30, now).unwrap();
        });
        timed(&format!("{name}, {order:?}: place and total"), 100, |time| {
            let _place = store.position(filter, order, Some(&anchor(store, time, pairs)), now).unwrap();
        });
    }
}

fn finds(store: &mut Store, pairs: i64) {
    let now = instant(NOW);
    let find = |store: &Store, text: &str| {
        let filter = QueueFilter { text: Some(text.to_owned()), ..open() };
        let found = store.find(&filter, QueueOrder::Oldest, now, &mut |_, _| true).unwrap().unwrap();
        found.total()
    };
    for text in ["Quixeramobim", "no such word", "city 4"] {
        timed(&format!("find {text:?}, read through: {}", find(store, text)), 2, |_| {
            assert!(find(store, text) < 9_000_000)
        });
    }
    let batch = QueueFilter { batches: Facet::only(Some(Batch::from("batch_7"))), ..open() };
    timed("find a batch", 5, |_| drop(store.find(&batch, QueueOrder::Oldest, now, &mut |_, _| true).unwrap()));
    let mut slowest = Duration::ZERO;
    let began = Clock::now();
    loop {
        let step = Clock::now();
        if store.index_letters(2_000).unwrap().left == 0 {
            break;
        }
        slowest = slowest.max(step.elapsed());
    }
    tell(&format!("the index of letters took {:.1?}, its longest transaction {slowest:.1?}", began.elapsed()));
    for text in ["Quixeramobim", "no such word", "user_77777", "city 4"] {
        timed(&format!("find {text:?}, indexed: {}", find(store, text)), 5, |_| {
            assert!(find(store, text) < 9_000_000)
        });
    }
    let filter = QueueFilter { text: Some("city 4".to_owned()), ..open() };
    let found = store.find(&filter, QueueOrder::Oldest, now, &mut |_, _| true).unwrap().unwrap();
    timed("a page of what was found", 50, |time| {
        let _page = store.window(&found, &Window::From(anchor(store, time, pairs)), 60, now).unwrap();
    });
}
