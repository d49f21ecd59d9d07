//! `health`: what records lack, how numbers are spread, which names are alike.

use gainsay::core::health::{Missing, alike, spread};
use gainsay::core::identity::Identity;
use gainsay::core::order::Order;
use gainsay::core::record::{Record, Subject};
use gainsay::core::ruling::AliasVerdict;

use crate::desk::Desk;
use crate::script::{Told, berlin, lisbon, record};

#[test]
fn a_field_in_which_nearly_all_say_the_same_says_nothing() {
    for (counts, distinct, entropy, says_nothing) in [
        (vec![], 0, 0.0, false),
        (vec![(0.9, 10)], 1, 0.0, true),
        (vec![(0.9, 5), (1.0, 5)], 2, 1.0, true),
        (vec![(0.9, 60), (1.0, 34), (0.5, 6)], 3, 1.214, true),
        (vec![(0.1, 1), (0.2, 1), (0.3, 1), (0.4, 1)], 4, 2.0, false),
    ] {
        let found = spread(&counts);
        assert_eq!((found.distinct, found.says_nothing()), (distinct, says_nothing), "{counts:?}");
        assert!((found.entropy - entropy).abs() < 0.001, "{counts:?}: {}", found.entropy);
    }
}

#[test]
fn names_of_the_same_letters_are_told_until_somebody_says_what_they_are() {
    let names = || ["user_31882", "User-31882", "user 31882", "user_31883", "аlice", "alice", "al", "a-l"];
    let found = alike(names().map(Subject::from).into_iter(), &Identity::default());
    let found: Vec<Vec<&str>> = found.iter().map(|group| group.iter().map(Subject::as_str).collect()).collect();
    assert_eq!(found, [vec!["User-31882", "user 31882", "user_31882"], vec!["alice", "аlice"]]);
    let mut desk = Desk::new();
    desk.import([record("user_1", "home_city", "Lisbon").id("a"), record("user-1", "home_city", "Porto").id("b")]);
    assert_eq!(desk.store.health(desk.now).unwrap().alike.len(), 1);
    for verdict in [AliasVerdict::Confirmed, AliasVerdict::Denied] {
        let names = (Subject::from("user_1"), Subject::from("user-1"));
        desk.order("dana", &Order::Alias { names, verdict }).unwrap();
        assert_eq!(desk.store.health(desk.now).unwrap().alike, Vec::<Vec<Subject>>::new());
    }
}

#[test]
fn what_records_lack_is_counted_by_source_kind() {
    let mut desk = Desk::new();
    desk.import([
        lisbon().by("user_utterance").observed("2025-10-14").epoch(1).confidence(0.9),
        berlin().by("user_utterance").epoch(1),
        record("user_2", "pet_name", "Rex").id("r1"),
        record("user_2", "pet_name", "Max").id("r2").by("ouija").observed("2099").confidence(1.0),
        Record { attribute: None, ..record("user_3", "", "a note").id("r3") },
    ]);
    let health = desk.store.health(desk.now).unwrap();
    assert_eq!(health.records, 5);
    let missing: Vec<u64> = Missing::ALL.iter().map(|what| health.missing(*what)).collect();
    // Source, batch, observed_at, written_at, epoch, confidence.
    assert_eq!(missing[..1], [2]);
    assert_eq!(missing[2], 3);
    assert_eq!(missing[4..], [3, 3]);
    let kinds: Vec<(Option<&str>, u64)> =
        health.kinds.iter().map(|kind| (kind.kind.as_ref().map(|kind| kind.as_str()), kind.records)).collect();
    assert_eq!(kinds, [(None, 2), (Some("user_utterance"), 2), (Some("ouija"), 1)]);
    assert_eq!((health.times.impossible, health.times.observed_ahead), (1, 1));
    let undeclared: Vec<(&str, u64)> =
        health.undeclared.iter().map(|it| (it.attribute.as_str(), it.pairs)).collect();
    assert_eq!(undeclared, [("pet_name", 1)]);
    assert_eq!((health.confidence.stated, health.confidence.distinct), (2, 2));
}
