//! Windows, places, totals and finding in the queue, each against a plain recomputation over every pair.

use std::cmp::Reverse;

use gainsay::core::examine::Ground;
use gainsay::core::facet::Facet;
use gainsay::core::identity::Alias;
use gainsay::core::order::Order;
use gainsay::core::pair::{Entry, Pair, PairState};
use gainsay::core::record::{Attribute, Batch, Record, Subject};
use gainsay::core::ruling::{AliasVerdict, PairId};
use gainsay::core::time::Instant;
use gainsay::store::{QueueFilter, QueueOrder, Window};

use crate::desk::Desk;
use crate::script::{Told, record};

const ORDERS: [QueueOrder; 4] = [QueueOrder::Oldest, QueueOrder::Newest, QueueOrder::Slot, QueueOrder::Impact];

/// A store with pairs of every state, on several attributes and grounds, in several batches.
fn desk() -> Desk {
    let mut desk = Desk::new();
    for (number, at) in (0..6).map(|number| (number, format!("2025-12-0{}T09:00:00Z", number + 1))) {
        desk.at(&at);
        let mut records = Vec::new();
        for slot in 0..9 {
            let subject = format!("user_{}", slot * 7 % 5);
            let attribute = ["home_city", "employer", "shoe_size", "pet", "region"][(slot + number) % 5];
            let id = |side: &str| format!("{side}{number}_{slot}");
            let value = ["Lisbon", "Berlin", "Porto", "100%", "a_b", "Zürich"][(slot * 3 + number) % 6];
            let batch = Batch::from(["one", "two", "three"][(slot + number) % 3]);
            let told = record(&subject, attribute, value).id(&id("m")).by("user_utterance").observed("2025-10");
            let evidence = Some(format!("they said {value}, \"quoted\" word{number}"));
            records.push(Record {
                batch: batch.clone(),
                evidence,
                ..told.epoch(1 + (slot as i64 + number as i64) % 2)
            });
            if slot % 3 == 0 {
                let bare =
                    Record { source: None, ..record(&subject, attribute, format!("other {slot}")).id(&id("n")) };
                records.push(Record { batch, ..bare });
            }
        }
        desk.import(records);
    }
    let open = desk.open();
    assert!(open.len() > 20, "{}", open.len());
    let pair = |at: usize| open[at].pair;
    let by = "dana";
    for at in [2, 9] {
        let _asked = desk.order(by, &Order::Request { pair: pair(at) }).unwrap();
    }
    for (at, day) in [(4, "2025-12-20"), (5, "2025-12-21"), (11, "2025-12-09T10:00:00Z")] {
        let until = day.parse::<gainsay::core::time::When>().unwrap().first();
        let _deferred = desk.order(by, &Order::Defer { pair: pair(at), until }).unwrap();
    }
    let _same = desk.order(by, &Order::LinkSame { pair: pair(7), reason: String::new() }).unwrap();
    let names = (Subject::from("user_1"), Subject::from("user_3"));
    let _asked = desk.order(by, &Order::Alias { names, verdict: AliasVerdict::Proposed }).unwrap();
    desk.at("2025-12-10T09:00:00Z");
    desk.is_whole();
    desk
}

/// Every pair whole, whatever its state, in order of number.
pub(crate) fn all(desk: &Desk) -> Vec<Pair> {
    (1..).map_while(|id| desk.store.pair(PairId(id), desk.now).unwrap()).collect()
}

fn shows(filter: &QueueFilter, pair: &Pair) -> bool {
    let records = [&pair.left.record, &pair.right.record];
    let text = |wanted: &String| {
        let told = |record: &Record| {
            let value = record.value.to_string();
            let evidence = record.evidence.clone().unwrap_or_default();
            [record.subject.to_string(), value, evidence, record.id.to_string()]
        };
        let slot = [pair.entry.subject.to_string(), pair.entry.attribute.to_string()];
        let all = records.iter().flat_map(|record| told(record)).chain(slot);
        all.into_iter().any(|text| text.to_ascii_lowercase().contains(&wanted.to_ascii_lowercase()))
    };
    (filter.states.is_empty() || filter.states.contains(&pair.entry.state))
        && filter.grounds.chooses(|ground| pair.entry.grounds.contains(ground))
        && filter.attributes.chooses(|attribute| *attribute == pair.entry.attribute)
        && filter.subjects.chooses(|it| *it == pair.entry.subject || records.iter().any(|r| r.subject == *it))
        && filter.batches.chooses(|batch| records.iter().any(|record| record.batch == *batch))
        && filter.text.as_ref().is_none_or(text)
}

pub(crate) fn ordered(order: QueueOrder, all: &[Pair], filter: &QueueFilter) -> Vec<i64> {
    let undeclared = |attribute: &Attribute| {
        let waits = |pair: &&Pair| {
            pair.entry.attribute == *attribute
                && pair.entry.state != PairState::Settled
                && pair.entry.grounds.contains(&Ground::CardinalityUndeclared)
        };
        all.iter().filter(waits).count()
    };
    let mut shown: Vec<&Entry> = all.iter().filter(|pair| shows(filter, pair)).map(|pair| &pair.entry).collect();
    let slot = |entry: &Entry| (entry.attribute.clone(), entry.subject.clone(), entry.pair);
    match order {
        QueueOrder::Oldest => shown.sort_by_key(|entry| (entry.opened_at, entry.pair)),
        QueueOrder::Newest => shown.sort_by_key(|entry| Reverse((entry.opened_at, entry.pair))),
        QueueOrder::Slot => shown.sort_by_key(|entry| slot(entry)),
        QueueOrder::Impact => shown.sort_by_key(|entry| (Reverse(undeclared(&entry.attribute)), slot(entry))),
    }
    shown.into_iter().map(|entry| entry.pair.0).collect()
}

fn filters() -> Vec<QueueFilter> {
    use PairState::{Awaiting, Deferred, Open, Settled};
    let states = [
        vec![],
        vec![Open],
        vec![Awaiting],
        vec![Deferred],
        vec![Settled],
        vec![Open, Deferred],
        vec![Open, Awaiting],
    ];
    let any = |names: &[&str]| names.iter().map(|name| Attribute::from(*name)).collect::<Vec<_>>();
    let attributes = [
        Facet::default(),
        Facet { any_of: any(&["home_city", "pet"]), none_of: vec![] },
        Facet { any_of: vec![], none_of: any(&["shoe_size"]) },
        Facet { any_of: any(&["nothing"]), none_of: vec![] },
    ];
    let grounds = [
        Facet::default(),
        Facet::only(Some(Ground::MissingProvenance)),
        Facet { any_of: vec![], none_of: vec![Ground::CardinalityUndeclared] },
        Facet {
            any_of: vec![Ground::CrossEpoch, Ground::OrderUndecidable],
            none_of: vec![Ground::MissingProvenance],
        },
    ];
    let mut filters = Vec::new();
    for states in &states {
        for attributes in &attributes {
            for grounds in &grounds {
                let (states, attributes, grounds) = (states.clone(), attributes.clone(), grounds.clone());
                filters.push(QueueFilter { states, attributes, grounds, ..QueueFilter::default() });
            }
        }
    }
    filters
}

/// Filters that must be looked for.
fn searches() -> Vec<QueueFilter> {
    let open = || QueueFilter { states: vec![PairState::Open], ..QueueFilter::default() };
    let batch = Batch::from;
    let mut filters = vec![
        QueueFilter { subjects: Facet::only(Some(Subject::from("user_1"))), ..open() },
        QueueFilter {
            subjects: Facet { any_of: vec![], none_of: vec![Subject::from("user_1")] },
            ..QueueFilter::default()
        },
        QueueFilter { batches: Facet::only(Some(batch("two"))), ..open() },
        QueueFilter {
            batches: Facet { any_of: vec![batch("one")], none_of: vec![batch("two")] },
            ..QueueFilter::default()
        },
    ];
    for text in [
        "lisbon",
        "LISB",
        "100%",
        "a_b",
        "zürich",
        "ü",
        "x",
        "word3",
        "\"quoted\"",
        "user_3",
        "no such thing",
        "on word",
        "n4_6",
        "\\",
        "%",
        "_b",
    ] {
        filters.push(QueueFilter { text: Some(text.to_owned()), ..open() });
        filters.push(QueueFilter { text: Some(text.to_owned()), ..QueueFilter::default() });
    }
    filters
}

fn ids(entries: &[Entry]) -> Vec<i64> {
    entries.iter().map(|entry| entry.pair.0).collect()
}

fn agrees(desk: &Desk, all: &[Pair], filter: &QueueFilter, order: QueueOrder) {
    let expected = ordered(order, all, filter);
    let now: Instant = desk.now;
    let read = |from: &Window, limit| desk.store.queue(filter, order, from, limit, now).unwrap();
    let case = format!("{filter:?} {order:?}");
    assert_eq!(ids(&read(&Window::Start, 1000)), expected, "{case}");
    assert_eq!(ids(&read(&Window::End, 1000)), expected, "{case}");
    assert_eq!(ids(&read(&Window::End, 3)), expected[expected.len().saturating_sub(3)..], "{case}");
    let total = expected.len() as u64;
    assert_eq!(desk.store.position(filter, order, None, now).unwrap(), (0, total), "{case}");
    // An anchor may be in the list or not.
    let places = ordered(order, all, &QueueFilter::default());
    // A few anchors for each case, others for the next: together they are all of them.
    let few = case.len() % 7;
    for (at, anchor) in places.iter().enumerate().filter(|(at, _)| at % 7 == few) {
        let entry = &all[usize::try_from(*anchor).unwrap() - 1].entry;
        let before: Vec<i64> = places[..at].iter().copied().filter(|pair| expected.contains(pair)).collect();
        let rest = &expected[before.len()..];
        let after = if rest.first() == Some(anchor) { &rest[1..] } else { rest };
        assert_eq!(ids(&read(&Window::From(entry.clone()), 4)), rest[..rest.len().min(4)], "{case} from {anchor}");
        assert_eq!(
            ids(&read(&Window::After(entry.clone()), 4)),
            after[..after.len().min(4)],
            "{case} after {anchor}"
        );
        let nearest = &before[before.len().saturating_sub(4)..];
        assert_eq!(ids(&read(&Window::Before(entry.clone()), 4)), nearest, "{case} before {anchor}");
        let place = desk.store.position(filter, order, Some(entry), now).unwrap();
        assert_eq!(place, (before.len() as u64, total), "{case} place of {anchor}");
    }
    let (count, _) = desk.store.count(filter, now).unwrap();
    assert_eq!(count, total, "{case}");
}

#[test]
fn windows_places_and_totals_are_those_of_the_whole_list() {
    let desk = desk();
    let all = all(&desk);
    for (at, filter) in filters().iter().enumerate() {
        // Two orders for each filter, in turn.
        agrees(&desk, &all, filter, ORDERS[at % 4]);
        agrees(&desk, &all, filter, ORDERS[(at / 4 + at + 2) % 4]);
    }
}

#[test]
fn finding_agrees_with_reading_everything_with_and_without_the_index() {
    let mut desk = desk();
    let everything = all(&desk);
    for pass in 0..3 {
        for (at, filter) in searches().iter().enumerate() {
            agrees(&desk, &everything, filter, ORDERS[(at + pass) % 4]);
        }
        // Nothing, then a part, then all of it is in the index.
        let left = desk.store.index_letters(if pass == 0 { 7 } else { 1000 }).unwrap().left;
        assert_eq!(left == 0, pass > 0, "{left}");
    }
    desk.is_whole();
}

#[test]
fn what_was_found_is_brought_up_to_what_changed_since() {
    let mut desk = desk();
    while desk.store.index_letters(5).unwrap().left > 0 {}
    for (at, filter) in searches().into_iter().enumerate() {
        for order in [ORDERS[at % 2], ORDERS[2 + at % 2]].into_iter().skip(at % 2) {
            let found = desk.store.find(&filter, order, desk.now, &mut |_, _| true).unwrap().unwrap();
            let open = desk.open();
            let until = desk.now.plus(chrono::Duration::minutes(5));
            let _deferred = desk.order("lee", &Order::Defer { pair: open[0].pair, until }).unwrap();
            let again = desk.store.find_again(found, desk.now, &mut |_, _| true).unwrap().unwrap();
            let told = ids(&desk.store.window(&again, &Window::Start, 1000, desk.now).unwrap());
            assert_eq!(told, ordered(order, &all(&desk), &filter), "{filter:?} {order:?}");
            // The clock alone brings the pair back.
            desk.now = until.plus(chrono::Duration::seconds(1));
            let again = desk.store.find_again(again, desk.now, &mut |_, _| true).unwrap().unwrap();
            let told = ids(&desk.store.window(&again, &Window::Start, 1000, desk.now).unwrap());
            assert_eq!(told, ordered(order, &all(&desk), &filter), "{filter:?} {order:?} later");
        }
    }
}

#[test]
fn finding_stops_where_it_is_not_wanted_any_more() {
    let desk = desk();
    let filter = QueueFilter { text: Some("lisbon".to_owned()), ..QueueFilter::default() };
    assert!(desk.store.find(&filter, QueueOrder::Oldest, desk.now, &mut |_, _| false).unwrap().is_none());
}

#[test]
fn two_names_that_are_merged_keep_the_queue_whole() {
    let mut desk = desk();
    let names = (Subject::from("user_1"), Subject::from("user_3"));
    let _one = desk.order("dana", &Order::Alias { names, verdict: AliasVerdict::Confirmed }).unwrap();
    desk.is_whole();
    let aliases: Vec<Alias> = desk.store.aliases().unwrap();
    assert_eq!(aliases.len(), 1);
    let everything = all(&desk);
    for filter in searches().into_iter().take(4) {
        agrees(&desk, &everything, &filter, QueueOrder::Slot);
    }
    let _back = desk.order("dana", &Order::Undo { ruling: None }).unwrap();
    desk.is_whole();
    let everything = all(&desk);
    agrees(&desk, &everything, &QueueFilter::default(), QueueOrder::Impact);
}
