//! What was believed, against an oracle that replays: a store in which only so much of the story has happened yet.

use gainsay::core::pair::{Entry, Known, Pair, PairState, Revision};
use gainsay::core::recall::AsOf;
use gainsay::core::record::{Attribute, Subject};
use gainsay::core::ruling::PairId;
use gainsay::store::{Account, EntryThen, QueueFilter, QueueOrder, Recalled, Store, Window};
use proptest::prelude::*;

use crate::lives::{ATTRIBUTES, SUBJECTS, any_life, live, live_as_it_comes, moment};
use crate::script::properties;

fn slots() -> impl Iterator<Item = (Subject, Attribute)> {
    SUBJECTS.iter().flat_map(|subject| ATTRIBUTES.iter().map(|it| (Subject::from(*subject), Attribute::from(*it))))
}

fn accounts(store: &Store, at: Option<gainsay::core::time::Instant>) -> Vec<Account> {
    slots().map(|(subject, attribute)| store.account(&subject, &attribute, at).unwrap()).collect()
}

fn answers(
    store: &Store,
    at: Option<gainsay::core::time::Instant>,
    now: gainsay::core::time::Instant,
) -> Vec<Recalled> {
    let as_of = AsOf { believed_at: at, about: None };
    slots().map(|(subject, attribute)| store.recall(&subject, &attribute, as_of, now).unwrap()).collect()
}

/// A pair of the queue in words, the same of a queue that is and of one that was.
fn waiting(store: &Store, now: gainsay::core::time::Instant) -> Vec<String> {
    let states = vec![PairState::Open, PairState::Awaiting, PairState::Deferred];
    let filter = QueueFilter { states, ..QueueFilter::default() };
    let entries = store.queue(&filter, QueueOrder::Oldest, &Window::Start, 1_000, now).unwrap();
    let line = |it: Entry| {
        let (pair, opened) = (Some(it.pair), Some(it.opened_at));
        format!("{:?}", (pair, it.state, it.subject, it.attribute, it.grounds, it.records, it.values, opened))
    };
    entries.into_iter().map(line).collect()
}

fn waited(store: &Store, at: gainsay::core::time::Instant) -> Vec<String> {
    let line = |it: EntryThen| {
        let (pair, opened) = (it.pair, it.opened_at);
        format!("{:?}", (pair, it.state, it.subject, it.attribute, it.grounds, it.records, it.values, opened))
    };
    store.queue_then(at, None, None).unwrap().into_iter().map(line).collect()
}

/// What a pair shows, without what only the present has: what may be done, and what an order is checked against.
fn shown(pair: Option<Pair>) -> Option<Pair> {
    pair.map(|pair| Pair {
        entry: Entry { deferred_until: None, ..pair.entry },
        permitted: Vec::new(),
        fell_short: Vec::new(),
        known: Known::default(),
        shared: Vec::new(),
        revision: Revision(0),
        ..pair
    })
}

proptest! {
    #![proptest_config(properties(96))]

    #[test]
    fn what_was_believed_is_what_the_story_had_come_to(life in any_life(), cut in 1_usize..14) {
        let cut = cut.min(life.len());
        let (whole, then) = (live_as_it_comes(&life), live_as_it_comes(&life[..cut]));
        let at = moment(cut - 1);
        prop_assert_eq!(accounts(&whole.store, Some(at)), accounts(&then.store, None));
        prop_assert_eq!(answers(&whole.store, Some(at), at), answers(&then.store, None, at));
    }

    #[test]
    fn what_waited_is_what_the_story_had_left_open(life in any_life(), cut in 1_usize..14) {
        let cut = cut.min(life.len());
        let (whole, then) = (live_as_it_comes(&life), live_as_it_comes(&life[..cut]));
        let at = moment(cut - 1);
        prop_assert_eq!(waited(&whole.store, at), waiting(&then.store, at));
        for number in 1..12 {
            let (was, is) = (whole.store.pair_then(PairId(number), at), then.store.pair(PairId(number), at));
            // A question about names that was answered is of no slot any more: either name may stand over it.
            let answered = |pair: &Pair| {
                pair.entry.state == PairState::Settled && pair.left.record.subject != pair.right.record.subject
            };
            let is = shown(is.unwrap()).filter(|pair| !answered(pair));
            prop_assert_eq!(shown(was.unwrap()).filter(|pair| !answered(pair)), is, "pair {}", number);
        }
    }

    #[test]
    fn settled_anew_a_slot_has_the_history_that_is_stored(life in any_life()) {
        let desk = live(&life);
        for (subject, attribute) in slots() {
            let anew = desk.store.account(&subject, &attribute, None).unwrap().history;
            let stored = desk.store.history(&subject, &attribute, desk.now).unwrap();
            prop_assert_eq!(&anew.records, &stored.records);
            if stored.records.is_empty() {
                // What was said of its epochs is no story of a slot in which nothing is.
                continue;
            }
            prop_assert_eq!(&anew.rulings, &stored.rulings);
            prop_assert_eq!(&anew.epochs, &stored.epochs);
            let sorted = |edges: &[gainsay::store::HistoryEdge]| {
                let mut lines: Vec<String> = edges.iter().map(|edge| format!("{edge:?}")).collect();
                lines.sort();
                lines
            };
            prop_assert_eq!(sorted(&anew.edges), sorted(&stored.edges));
        }
    }
}
