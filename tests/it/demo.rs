//! The shipped demo store: every record is read whole, and its queue is worth triaging.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use gainsay::core::examine::Ground;
use gainsay::core::record::{Attribute, Batch, Record, Subject};
use gainsay::core::settle::{EdgeKind, OpenPair, Status, settle};
use gainsay::core::text::{hides_something, look_alike};
use gainsay::wire::policy::{SHIPPED, read};
use gainsay::wire::{Defaults, Incoming, records};

use crate::script::instant;

/// Each file is one import, in this order: so the two incidents head the queue.
const FILES: [&str; 9] = [
    "warranty_incident",
    "checkout_deploy",
    "support_chats",
    "sf_backfill_2025_11",
    "service_config",
    "agent_memories",
    "meeting_notes",
    "legacy_notes",
    "scraped_tickets",
];

type Slots = BTreeMap<(Subject, Attribute), Vec<Record>>;

fn import(file: &str) -> Vec<Incoming> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo").join(format!("{file}.jsonl"));
    let text = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let defaults =
        Defaults { now: instant("2025-12-01T00:00:00Z"), batch: Batch::from(file), epoch: None, zone: None };
    records(&text[..], defaults)
        .map(|element| element.expect("it is in memory").1.unwrap_or_else(|fault| panic!("{file}: {fault:?}")))
        .collect()
}

fn everything() -> Vec<Incoming> {
    FILES.iter().flat_map(|file| import(file)).collect()
}

fn slots() -> Slots {
    let mut slots = Slots::new();
    for Incoming { record, .. } in everything() {
        if let Some(attribute) = record.attribute.clone() {
            slots.entry((record.subject.clone(), attribute)).or_default().push(record);
        }
    }
    slots
}

/// Calls with each slot as the shipped policy settles it: the values of its pairs, and the rest.
fn settled(mut each: impl FnMut(&(Subject, Attribute), &gainsay::core::settle::Slot<'_>)) {
    let policy = read(SHIPPED).expect("the shipped policy reads");
    for (name, records) in &slots() {
        each(name, &settle(records, &policy.rules(&name.0, &name.1), &[]));
    }
}

#[test]
fn every_file_of_the_demo_is_named_and_every_record_read_whole() {
    let shipped: BTreeSet<String> = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo"))
        .expect("the demo can be listed")
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_string_lossy().into_owned()))
        .collect();
    assert_eq!(shipped, FILES.iter().map(|file| (*file).to_owned()).collect());

    let all = everything();
    assert!((110..=140).contains(&all.len()), "{} records", all.len());
    let ids: BTreeSet<_> = all.iter().map(|incoming| &incoming.record.id).collect();
    assert_eq!(ids.len(), all.len(), "ids are unique");
    let end = instant("2025-12-01T00:00:00Z");
    for Incoming { record, left_out, written_at_stated, .. } in &all {
        assert!(left_out.is_empty(), "{}: {left_out:?} mean nothing", record.id);
        assert!(*written_at_stated && record.written_at < end, "{}: written at {}", record.id, record.written_at);
        assert!(record.evidence.is_some(), "{}: nothing to audit", record.id);
    }
}

#[test]
fn its_queue_is_long_enough_and_varied() {
    let mut grounds: BTreeMap<Ground, usize> = BTreeMap::new();
    let (mut open, mut events, mut statuses) = (0, 0, BTreeMap::new());
    settled(|_, slot| {
        open += slot.pairs.len();
        slot.pairs
            .iter()
            .flat_map(|pair| &pair.grounds)
            .for_each(|ground| *grounds.entry(*ground).or_default() += 1);
        events += slot.edges.iter().filter(|edge| matches!(edge.kind, EdgeKind::Supersedes(_))).count();
        *statuses.entry(slot.status.name()).or_insert(0) += 1;
    });
    assert!((45..=60).contains(&open), "{open} open pairs");
    assert!(events >= 10, "{events} contradictions that the core settled");
    for (ground, least) in [
        (Ground::CrossEpoch, 10),
        (Ground::MissingProvenance, 10),
        (Ground::CardinalityUndeclared, 6),
        (Ground::OrderUndecidable, 6),
        (Ground::AuthorityUnknown, 3),
        (Ground::ImpossibleProvenance, 2),
    ] {
        assert!(grounds.get(&ground).is_some_and(|count| *count >= least), "{}: {grounds:?}", ground.name());
    }
    for status in [Status::Settled, Status::Contested, Status::Unanchored] {
        assert!(statuses.contains_key(status.name()), "no slot is {}: {statuses:?}", status.name());
    }
}

/// Both values of a pair, and its grounds.
type Quarantined = (String, String, Vec<Ground>);

#[test]
fn it_tells_the_incidents() {
    let mut told: BTreeMap<(String, String), Vec<Quarantined>> = BTreeMap::new();
    let mut answers: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    settled(|(subject, attribute), slot| {
        let name = (subject.to_string(), attribute.to_string());
        let pair = |pair: &OpenPair| {
            let value = |at: usize| slot.records[at].value.as_str().unwrap_or_default().to_owned();
            (value(pair.left), value(pair.right), pair.grounds.clone())
        };
        told.insert(name.clone(), slot.pairs.iter().map(pair).collect());
        let spoken = slot.live.iter().map(|live| slot.records[live.speaker].value.to_string());
        answers.insert(name, spoken.collect());
    });
    let pair = |left: &str, right: &str, ground| vec![(left.to_owned(), right.to_owned(), vec![ground])];
    let incidents = [
        ("user_31882", "home_city", pair("Lisbon", "Berlin", Ground::MissingProvenance)),
        ("svc/checkout", "retry_timeout", pair("30s", "5s", Ground::CrossEpoch)),
        ("svc/mail", "region", pair("eu-central-1", "eu-west-1", Ground::OrderUndecidable)),
        ("user_11390", "time_zone", pair("Europe/London", "Europe/Warsaw", Ground::AuthorityUnknown)),
        ("user_62004", "home_city", pair("Tartu", "Tallinn", Ground::ImpossibleProvenance)),
        ("user_7781", "pet_name", pair("Momo", "Biscuit", Ground::CardinalityUndeclared)),
    ];
    for (subject, attribute, pairs) in incidents {
        assert_eq!(told[&(subject.to_owned(), attribute.to_owned())], pairs, "{subject} {attribute}");
    }
    let settled = [
        ("user_62004", "date_of_birth", vec!["\"1990-12-04\""]),
        ("svc/ledger", "request_timeout", vec!["\"800ms\""]),
        ("user_66013", "shipping_address", vec!["\"88 Quarry Lane, Springfield\""]),
        ("user_50721", "employer", vec!["\"Atelier Nord\""]),
        ("user_27716", "dietary_preference", vec![]),
    ];
    for (subject, attribute, values) in settled {
        assert_eq!(answers[&(subject.to_owned(), attribute.to_owned())], values, "{subject} {attribute}");
    }
}

#[test]
fn it_holds_what_a_terminal_must_not_be_sent() {
    let all: Vec<Record> = everything().into_iter().map(|incoming| incoming.record).collect();
    let evidence =
        |needle: char| all.iter().any(|it| it.evidence.as_ref().is_some_and(|text| text.contains(needle)));
    assert!(evidence('\u{1b}') && evidence('\u{202e}') && evidence('\u{200b}'));
    assert!(all.iter().any(|it| it.value.as_str().is_some_and(hides_something)));
    let values: Vec<&str> = all.iter().filter_map(|it| it.value.as_str()).collect();
    assert!(values.iter().any(|one| values.iter().any(|other| look_alike(one, other))));
    assert!(all.iter().any(|it| it.evidence.as_ref().is_some_and(|text| text.split_whitespace().count() > 300)));
}
