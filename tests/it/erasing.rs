//! Erasure: nothing of what was said is left in the files, the chain still holds, and nothing brings it back.

use gainsay::core::order::Order;
use gainsay::core::recall::AsOf;
use gainsay::core::record::{Record, Subject};
use gainsay::core::ruling::AliasVerdict;
use gainsay::core::settle::Status;
use rusqlite::Connection;

use crate::desk::Desk;
use crate::restoring::exported;
use crate::script::{Told, instant, record};

const SECRETS: [&str; 4] = ["Lissabonner Viertel", "moved there last spring", "t_77120_secret", "Marseille-Nord"];

fn said() -> [Record; 4] {
    let mut told =
        record("user_1", "home_city", SECRETS[0]).id("a").by("user_utterance").observed("2025-10-14").epoch(1);
    told.evidence = Some(SECRETS[1].to_owned());
    if let Some(source) = &mut told.source {
        source.fields.insert("turn_id".to_owned(), SECRETS[2].into());
    }
    [
        told,
        record("user-1", "home_city", SECRETS[3]).id("b").by("user_utterance").observed("2025-10-15").epoch(1),
        record("user_1", "home_city", SECRETS[3]).id("c").by("tool_output"),
        record("user_2", "home_city", "Porto").id("d").by("user_utterance").observed("2025-10-15").epoch(1),
    ]
}

fn erased() -> Desk {
    let mut desk = Desk::new();
    desk.import(said());
    let names = (Subject::from("user_1"), Subject::from("user-1"));
    desk.order("dana", &Order::Alias { names, verdict: AliasVerdict::Confirmed }).unwrap();
    while desk.store.index_letters(1_000).unwrap().left > 0 {}
    let outcome = erase(&mut desk, "user-1").unwrap();
    assert_eq!((outcome.action.as_str(), outcome.records), ("erase", 3));
    assert!(desk.store.scrub().unwrap());
    desk
}

fn erase(desk: &mut Desk, subject: &str) -> Result<gainsay::core::order::Outcome, gainsay::store::OrderError> {
    desk.order("dana", &Order::Erase { subject: Subject::from(subject), reason: "request 17".to_owned() })
}

#[test]
fn nothing_of_what_was_said_is_left_in_the_files() {
    let desk = erased();
    for name in ["store.db", "store.db-wal"] {
        let bytes = std::fs::read(desk.path().with_file_name(name)).unwrap_or_default();
        for secret in SECRETS {
            let there = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!there, "{secret} is still in {name}");
        }
    }
    let mut desk = desk;
    let lines = exported(&mut desk.store).join("\n");
    assert!(SECRETS.iter().all(|secret| !lines.contains(secret)), "{lines}");
    assert!(lines.contains("Porto"), "another subject lost something");
}

#[test]
fn the_chain_still_verifies_and_the_log_says_who_and_why() {
    let mut desk = erased();
    desk.is_whole();
    let event = desk.store.ruling_event(gainsay::core::ruling::RulingId(2)).unwrap().unwrap();
    assert_eq!((event.kind.as_str(), event.actor.as_str()), ("erase", "dana"));
    assert_eq!(event.body["reason"], "request 17");
    assert_eq!(event.body["erased"]["records"], 3);
}

#[test]
fn what_was_erased_is_believed_at_no_time() {
    let desk = erased();
    for believed_at in [None, Some(instant("2025-11-20T09:00:00Z")), Some(instant("2030-01-01T00:00:00Z"))] {
        for about in [None, Some(crate::script::when("2025-10-20"))] {
            let answer = desk.recall_as_of("user_1", "home_city", AsOf { believed_at, about });
            assert_eq!((answer.status, answer.values.len()), (Status::Empty, 0), "{believed_at:?}");
        }
    }
    assert_eq!(desk.recall("user_2", "home_city").status, Status::Settled);
}

#[test]
fn it_does_not_come_back() {
    let mut desk = erased();
    let again = desk.import(said());
    assert_eq!((again.added, again.duplicates), (0, 4), "the next import would have brought it back");
    assert!(desk.undo().is_err());
    let undo = desk.order("dana", &Order::Undo { ruling: Some(gainsay::core::ruling::RulingId(2)) });
    assert!(undo.unwrap_err().to_string().contains("what was erased is gone"));
    assert!(erase(&mut desk, "user_1").unwrap_err().to_string().contains("there is no record of user_1"));
    desk.is_whole();
}

#[test]
fn what_is_left_is_covered_by_the_log() {
    for (sql, wrong) in [
        ("UPDATE records SET value = '\"Bremen\"' WHERE id = 'a'", "what is left of the records that it erased"),
        ("UPDATE records SET epoch = 7 WHERE id = 'a'", "what is left of the records that it erased"),
        ("UPDATE records SET erased = NULL WHERE id = 'a'", "record a: its content is not what its hash covers"),
        ("UPDATE records SET erased = 2 WHERE id = 'd'", "record d: it is marked as erased, and no event tells"),
        ("UPDATE records SET hash = x'00' WHERE id = 'a'", "the records that it brought are not those"),
    ] {
        let mut desk = erased();
        let stray = Connection::open(desk.path()).unwrap();
        stray.execute_batch("DROP TRIGGER records_are_immutable").unwrap();
        stray.execute_batch(sql).unwrap();
        let found = desk.store.verify(desk.now, |_, _| {}).unwrap();
        let told: Vec<String> = found.damage.iter().map(|it| format!("{}: {}", it.what, it.wrong)).collect();
        assert!(told.join("\n").contains(wrong), "{sql}: {told:?}");
        assert!(found.beyond_repair > 0);
    }
}
