//! The timeline of a slot: what stands along its axis, and the store's own against the history that the command gives.

use chrono::Duration;
use gainsay::app::history::axis::ticks;
use gainsay::core::plane::Span;
use gainsay::core::record::{Attribute, Record, Subject};
use gainsay::core::time::When;
use gainsay::store::Item;
use proptest::prelude::*;

use crate::desk::Desk;
use crate::plane::hour;
use crate::script::{Told, properties, record};

proptest! {
    #![proptest_config(properties(200))]

    #[test]
    fn ticks_lie_apart_and_say_what_stands_there(
        from in -200_000..200_000_i64, long in 1..2_000_000_i64, cells in 1..80_u16, apart in 1..12_u16
    ) {
        let from = hour(from);
        let span = Span { from, to: from.plus(Duration::minutes(long)) };
        let ticks = ticks(span, cells, apart);
        for pair in ticks.windows(2) {
            prop_assert!(pair[1].cell - pair[0].cell >= apart, "{ticks:?}");
        }
        for tick in &ticks {
            prop_assert!(tick.cell < cells && tick.label.len() <= 10, "{ticks:?}");
            if let Ok(when) = tick.label.parse::<When>() {
                prop_assert_eq!(span.place(when.first(), cells), Some(tick.cell));
            }
        }
    }
}

/// A slot with many records, of which every tenth says no time, in epochs that change every hundred.
fn many(count: i64) -> Vec<Record> {
    let one = |number: i64| {
        let city = ["Lisbon", "Berlin", "Porto", "Cork", "Oslo"][usize::try_from(number % 5).unwrap()];
        let told = record("user_1", "home_city", city)
            .id(&format!("m{number:06}"))
            .by("user_utterance")
            .epoch(number / 100)
            .written(&hour(number * 2 + 1).to_string());
        // They arrive in an order that is not that of their times.
        if number % 10 == 3 { told } else { told.observed(&hour((number * 7919) % (count * 2)).to_string()) }
    };
    (0..count).map(one).collect()
}

#[test]
fn the_timeline_is_the_history_of_the_command() {
    let mut desk = Desk::new();
    desk.at("2027-01-01T00:00:00Z").import(many(700));
    let (subject, attribute) = (Subject::from("user_1"), Attribute::from("home_city"));
    let history = desk.store.history(&subject, &attribute, desk.now).unwrap();
    let timeline = desk.store.timeline(&subject, &attribute, desk.now).unwrap();
    let order: Vec<_> = history.records.iter().map(|judged| judged.record.id.clone()).collect();
    assert_eq!(timeline.ids, order);
    let places: Vec<usize> = timeline
        .items
        .iter()
        .filter_map(|item| if let Item::Record(at) = item { Some(*at) } else { None })
        .collect();
    assert_eq!(places, (0..700).collect::<Vec<_>>(), "each record once, in order");
    assert_eq!(timeline.items.iter().filter(|item| **item == Item::Undated).count(), 1);
    assert_eq!(timeline.items.iter().filter(|item| matches!(item, Item::Epoch(_))).count(), history.epochs.len());
    let shown = desk.store.records_of(&timeline, 100..140, desk.now).unwrap();
    assert_eq!(shown, history.records[100..140]);
    let linked: usize = (0..700).map(|at| timeline.links(at).filter(|link| link.from_here).count()).sum();
    assert_eq!(linked, history.edges.len());
    for edge in &history.edges {
        let at = timeline.place(&edge.from).unwrap();
        let told =
            |link: gainsay::store::Link| timeline.ids[link.other] == edge.to && link.kind.name() == edge.kind;
        assert!(timeline.links(at).any(told), "{edge:?}");
    }
    let spoken: u64 = timeline.values.iter().map(|(_, records)| records).sum();
    assert_eq!((timeline.values.len(), spoken), (5, 700));
}

#[test]
fn a_timeline_is_outdated_when_a_record_or_a_ruling_comes() {
    let mut desk = Desk::new();
    desk.at("2027-01-01T00:00:00Z").import(many(30));
    let (subject, attribute) = (Subject::from("user_1"), Attribute::from("home_city"));
    let timeline = desk.store.timeline(&subject, &attribute, desk.now).unwrap();
    assert!(desk.store.is_current(&timeline, desk.now).unwrap());
    desk.import([record("user_2", "home_city", "Cork").id("other")]);
    assert!(desk.store.is_current(&timeline, desk.now).unwrap(), "another slot does not concern it");
    desk.import([record("user_1", "home_city", "Cork").id("late")]);
    assert!(!desk.store.is_current(&timeline, desk.now).unwrap());
}
