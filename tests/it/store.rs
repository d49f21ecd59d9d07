//! Stories of the store: records in, pairs quarantined, rulings made and undone, and the file whole after each.

use gainsay::core::examine::Ground;
use gainsay::core::order::{Order, Refusal};
use gainsay::core::pair::PairState;
use gainsay::core::record::{Record, RecordId, Subject};
use gainsay::core::ruling::{AliasVerdict, PairId};
use gainsay::core::settle::Status;
use gainsay::store::{By, OrderError};
use serde_json::json;

use crate::desk::Desk;
use crate::script::{Told, WRITTEN, berlin, lisbon, record};

fn timeout(id: &str, value: &str, epoch: i64, at: &str) -> Record {
    record("svc/checkout", "retry_timeout", value).id(id).by("file_read").epoch(epoch).observed(at).written(at)
}

fn deploy() -> [Record; 2] {
    [timeout("cfg_4", "30s", 4, "2025-10-01T08:00:00Z"), timeout("cfg_7", "5s", 7, "2025-10-03T10:00:00Z")]
}

fn tie() -> [Record; 2] {
    let region = |id: &str, value: &str| {
        record("svc/mail", "region", value)
            .id(id)
            .by("tool_output")
            .epoch(2)
            .observed("2025-09-01")
            .written("2025-09-02T00:00:00Z")
    };
    [region("a1", "eu-west-1"), region("a2", "eu-central-1")]
}

#[test]
fn unanchored_records_are_quarantined_until_the_world_is_looked_at_again() {
    let mut desk = Desk::new();
    let landed = desk.import([
        lisbon().by("user_utterance").observed("2025-10-14T09:31:00Z").written("2025-10-14T09:31:04Z"),
        berlin().by("crm_import").observed("2023-03-02").written("2025-11-02T04:12:55Z"),
    ]);
    assert_eq!(landed.outcomes.into_iter().collect::<Vec<_>>(), [("held", 1), ("quarantined", 1)]);
    assert_eq!(desk.grounds(), [(1, vec![Ground::MissingProvenance])]);
    assert!(matches!(desk.accept(1, "mem_c93e"), Err(OrderError::Refused(Refusal::NotPermitted { .. }))));
    let outcome = desk.look_again(1, "Lisbon", 1).unwrap();
    assert_eq!(outcome.pair_state, Some(PairState::Settled));
    assert_eq!(desk.recall("user_31882", "home_city").values, [json!("Lisbon")]);
    desk.is_whole();
    desk.undo().unwrap();
    assert_eq!(desk.recall("user_31882", "home_city").status, Status::Contested);
    assert_eq!(desk.grounds(), [(1, vec![Ground::MissingProvenance])], "the pair keeps its number");
    desk.is_whole();
}

#[test]
fn a_deploy_is_linked_across_epochs_and_settled_by_looking_again() {
    let mut desk = Desk::new();
    desk.import(deploy());
    assert_eq!(desk.grounds(), [(1, vec![Ground::CrossEpoch])]);
    let link = Order::LinkAcrossEpochs {
        pair: PairId(1),
        cause: Some("deploy 2025.10.2".into()),
        reason: "it did".into(),
    };
    assert_eq!(desk.order("dana", &link).unwrap().pair_state, Some(PairState::Awaiting));
    assert_eq!(desk.recall("svc/checkout", "retry_timeout").status, Status::Awaiting);
    assert_eq!(desk.store.requests(desk.now).unwrap().len(), 1);
    assert!(desk.look_again(1, "5s", 4).is_err(), "an older epoch settles nothing");
    desk.at("2025-11-10T12:06:00Z").look_again(1, "5s", 7).unwrap();
    assert_eq!(desk.recall("svc/checkout", "retry_timeout").values, [json!("5s")]);
    assert!(desk.store.requests(desk.now).unwrap().is_empty());
    let stands = desk.order("dana", &Order::Undo { ruling: None });
    assert!(
        matches!(stands, Err(OrderError::Refused(Refusal::StandsOn { .. }))),
        "the answer rests on the request"
    );
    desk.is_whole();
}

#[test]
fn an_accepted_pair_is_undone_and_redone_under_its_number() {
    let mut desk = Desk::new();
    desk.import(tie());
    assert_eq!(desk.accept(1, "a2").unwrap().pair_state, Some(PairState::Settled));
    assert_eq!(desk.recall("svc/mail", "region").values, [json!("eu-central-1")]);
    desk.undo().unwrap();
    assert_eq!(desk.grounds(), [(1, vec![Ground::OrderUndecidable])]);
    desk.order("reviewer", &Order::Redo).unwrap();
    assert_eq!(desk.recall("svc/mail", "region").values, [json!("eu-central-1")]);
    desk.is_whole();
}

#[test]
fn a_ruling_that_came_too_late_says_who_ruled_and_writes_nothing() {
    let mut desk = Desk::new();
    desk.import(tie());
    let seen = desk.store.pair(PairId(1), desk.now).unwrap().unwrap().revision;
    desk.accept(1, "a1").unwrap();
    let late = Order::Accept {
        pair: PairId(1),
        winner: RecordId::from("a2"),
        recency_override: false,
        reason: String::new(),
    };
    let by = By { actor: "lee", now: desk.now };
    let refused = desk.store.order(&late, &by, Some(seen)).unwrap_err().to_string();
    assert!(refused.contains("reviewer ruled accept"), "{refused}");
    assert_eq!(desk.recall("svc/mail", "region").values, [json!("eu-west-1")]);
}

#[test]
fn a_withdrawn_batch_leaves_contention_and_comes_back_with_one_undo() {
    let mut desk = Desk::new();
    desk.import(deploy().map(|record| Record { batch: "good".into(), ..record }));
    let late = timeout("bad", "9s", 8, "2025-10-05T10:00:00Z");
    desk.import([Record { batch: "bad".into(), ..late }]);
    assert_eq!(desk.open().len(), 2);
    let outcome = desk.withdraw_batch("bad").unwrap();
    assert_eq!((outcome.records, outcome.closed.len()), (1, 1));
    assert_eq!(desk.open().len(), 1);
    desk.is_whole();
    desk.undo().unwrap();
    assert_eq!(desk.open().len(), 2);
    desk.is_whole();
}

#[test]
fn two_names_are_two_subjects_until_someone_confirms_them() {
    let mut desk = Desk::new();
    let crm =
        record("crm_0031x9", "home_city", "Berlin").id("crm").by("crm_import").epoch(3).observed("2023-03-02");
    desk.import([
        lisbon().by("user_utterance").epoch(3).observed("2025-10-14T09:31:00Z").written("2025-10-14T09:31:04Z"),
        crm,
    ]);
    assert!(desk.open().is_empty());
    let names = (Subject::from("user_31882"), Subject::from("crm_0031x9"));
    desk.order("reviewer", &Order::Alias { names, verdict: AliasVerdict::Proposed }).unwrap();
    assert_eq!(desk.grounds(), [(1, vec![Ground::SubjectUnconfirmed])]);
    assert_eq!(
        desk.recall("crm_0031x9", "home_city").status,
        Status::Settled,
        "the question contests neither slot"
    );
    let confirm = Order::LinkSubjects { pair: PairId(1), one: true, reason: "same e-mail".into() };
    assert_eq!(desk.order("reviewer", &confirm).unwrap().pair_state, Some(PairState::Settled));
    assert_eq!(desk.recall("crm_0031x9", "home_city").values, [json!("Lisbon")]);
    desk.is_whole();
    desk.undo().unwrap();
    assert_eq!(desk.recall("crm_0031x9", "home_city").values, [json!("Berlin")]);
    assert_eq!(desk.open().len(), 1, "the question is open again");
    desk.is_whole();
}

#[test]
fn many_rulings_of_one_stroke_are_taken_back_by_one_undo_and_made_again_by_one_redo() {
    let mut desk = Desk::new();
    for number in 1..=3 {
        let region = |id: String, value: &str| {
            let (subject, day) = (format!("svc/{number}"), "2025-09-01");
            record(&subject, "region", value).id(&id).by("tool_output").epoch(2).observed(day).written(WRITTEN)
        };
        desk.import([region(format!("a{number}"), "eu"), region(format!("b{number}"), "us")]);
    }
    let accept = |pair: i64, winner: &str| {
        let winner = RecordId::from(winner);
        (Order::Accept { pair: PairId(pair), winner, recency_override: false, reason: String::new() }, None)
    };
    let by = By { actor: "reviewer", now: desk.now };
    let orders = [accept(1, "a1"), accept(2, "nobody"), accept(3, "b3"), accept(2, "b2")];
    let answers = desk.store.order_all(&orders, &by, &mut |_, _| true).unwrap().unwrap();
    assert_eq!(answers.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true, true]);
    assert!(desk.open().is_empty());
    desk.is_whole();
    let undone = desk.undo().unwrap();
    assert_eq!((undone.opened.len(), desk.open().len()), (3, 3));
    desk.is_whole();
    desk.order("reviewer", &Order::Redo).unwrap();
    assert!(desk.open().is_empty());
    assert_eq!(desk.recall("svc/3", "region").values, [json!("us")]);
    desk.is_whole();
}

#[test]
fn a_pair_of_dates_is_named_by_the_finer_ones() {
    let mut desk = Desk::new();
    let born = |id: &str, value: &str| {
        record("user_9", "date_of_birth", value)
            .id(id)
            .by("user_utterance")
            .epoch(1)
            .observed("2025-01-01")
            .written(WRITTEN)
    };
    desk.import([born("a", "1994"), born("b", "1994-05-02"), born("c", "1994-06-01")]);
    let pair = desk.store.pair(PairId(1), desk.now).unwrap().unwrap();
    assert_eq!(pair.entry.values, [json!("1994-05-02"), json!("1994-06-01")]);
    assert_eq!(pair.examination.word(), "quarantine");
    desk.is_whole();
}
