//! Looking again by hand, and missing provenance supplied: the forms on a real store, and the strokes behind them.

use gainsay::app::dialog::Dialog;
use gainsay::app::form::Form;
use gainsay::core::notice::Notice;
use gainsay::core::order::{Lacking, Order, Supplied};
use gainsay::core::record::{Batch, Epoch, Record, RecordId, Subject};
use gainsay::runtime;
use gainsay::store::{By, OrderError, Store};
use serde_json::json;

use crate::desk::Desk;
use crate::script::{Told, instant, record};
use crate::seat::Seat;

/// So many users of whom a backfill without epochs says one city and they themselves another, every fifth of them since
/// the next epoch; and one row that does not even say when.
fn backfill(users: usize) -> Desk {
    let mut desk = Desk::new();
    let old = |at: usize| {
        let it = record(&format!("user_{at:03}"), "home_city", "Berlin").id(&format!("old{at}")).by("crm_import");
        Record { epoch: None, batch: Batch::from("sf_backfill"), ..it.observed("2023-03-02") }
    };
    let new = |at: usize| {
        let it =
            record(&format!("user_{at:03}"), "home_city", "Lisbon").id(&format!("new{at}")).by("user_utterance");
        it.observed("2025-10-14").epoch(if at.is_multiple_of(5) { 3 } else { 2 })
    };
    let undated = Record { observed_at: None, ..old(users) };
    desk.import((0..users).flat_map(|at| [old(at), new(at)]).chain([undated]));
    assert_eq!(desk.open().len(), users);
    desk
}

fn supplied(epoch: i64) -> Supplied {
    Supplied { source: None, observed_at: None, epoch: Some(Epoch(epoch)), evidence: "export log 0031".to_owned() }
}

fn all_of(batch: &str) -> Order {
    Order::RederiveAll { of: Lacking::Batch(Batch::from(batch)), supplied: supplied(2) }
}

fn opened(over: &str, epoch: i64, since: &str) -> Order {
    let (over, since) = (Subject::from(over), Some(instant(since)));
    Order::Epoch { notice: Notice { over, epoch: Epoch(epoch), since, cause: Some("a deploy".to_owned()) } }
}

/// A reviewer's seat at the same store.
fn seat(desk: &Desk) -> Seat<runtime::Desk> {
    let store = Store::open(&desk.path(), desk.now).unwrap();
    Seat::new(runtime::Desk::new(store, "dana".to_owned()).unwrap())
}

fn form(seat: &Seat<runtime::Desk>) -> &Form {
    match seat.model.dialogs.last() {
        Some(Dialog::Form(form)) => form,
        other => panic!("no form is open: {other:?}\n{}", seat.screen()),
    }
}

fn shows(seat: &Seat<runtime::Desk>, texts: &[&str]) {
    let screen = seat.screen();
    for text in texts {
        assert!(screen.contains(text), "{text} is not shown:\n{screen}");
    }
}

#[test]
fn a_whole_batch_is_completed_by_its_name_and_taken_back_by_one_key() {
    let mut desk = backfill(20);
    let mut seat = seat(&desk);
    seat.press("r d Right Tab").write("2").press("Tab").write("export log 0031").press("Enter");
    shows(&seat, &["20 records made whole, in 20 slots", "20 pairs close, 4 open"]);
    shows(&seat, &["1 record as before: would still lack observed_at", "type sf_backfill, then Enter"]);
    seat.press("y Enter");
    assert_eq!(desk.open().len(), 20, "neither y nor Enter writes it");
    seat.press("Backspace").write("sf_backfill").press("Enter");
    assert!(seat.said().contains("20 rulings, 1 to 20, 20 closed, 4 opened"), "{}", seat.said());
    assert_eq!(desk.open().len(), 4, "those of the other epoch are compared, and differ");
    desk.is_whole();
    seat.press("u");
    assert!(seat.said().starts_with("undone: 20 rulings"), "{}", seat.said());
    assert_eq!(desk.open().len(), 20);
    seat.press("U");
    assert_eq!((desk.open().len(), seat.said().starts_with("done again")), (4, true), "{}", seat.said());
    desk.is_whole();
}

#[test]
fn a_source_kind_that_lacks_nothing_more_says_so_and_keeps_what_was_typed() {
    let mut desk = backfill(2);
    desk.order("lee", &all_of("sf_backfill")).unwrap();
    let mut seat = seat(&desk);
    // The first pair is now across epochs: nothing is missing in it.
    seat.press("r d");
    shows(&seat, &["both records carry whole provenance"]);
    let again =
        desk.order("lee", &Order::RederiveAll { of: Lacking::Kind("crm_import".into()), supplied: supplied(2) });
    let said = again.unwrap_err().to_string();
    let expected =
        "no record of source kind crm_import would be whole: 2 re-derived already, 1 would still lack observed_at";
    assert_eq!(said, expected);
}

#[test]
fn a_stroke_that_is_stopped_completes_nothing() {
    let mut desk = backfill(8);
    for most in [0, 3, 10, 16] {
        let by = By { actor: "dana", now: desk.now };
        let stopped = desk.store.order_watched(&all_of("sf_backfill"), &by, None, &|done, _| done < most);
        assert!(matches!(stopped, Err(OrderError::Cancelled)), "stopped at {most}: {stopped:?}");
        assert_eq!(desk.open().len(), 8);
    }
    desk.is_whole();
}

#[test]
fn what_is_done_again_is_not_taken_back_by_doing_it_again_once_more() {
    let mut desk = backfill(3);
    let by = By { actor: "dana", now: desk.now };
    desk.store.order(&all_of("sf_backfill"), &by, None).unwrap();
    desk.order("dana", &Order::Undo { ruling: None }).unwrap();
    desk.order("dana", &Order::Redo).unwrap();
    assert_eq!(desk.open().len(), 1);
    let nothing = desk.order("dana", &Order::Redo).unwrap_err();
    assert_eq!(nothing.to_string(), "dana has undone nothing");
    assert_eq!(desk.open().len(), 1);
    desk.is_whole();
}

#[test]
fn a_record_is_completed_once_whichever_way_it_comes_about() {
    let mut desk = backfill(2);
    desk.order("dana", &all_of("sf_backfill")).unwrap();
    desk.order("dana", &Order::Undo { ruling: None }).unwrap();
    let one = Order::Rederive { record: RecordId::from("old1"), supplied: supplied(2) };
    desk.order("lee", &one).unwrap();
    let twice = desk.order("dana", &Order::Redo).unwrap_err().to_string();
    assert!(twice.contains("old1 was re-derived already, as der-"), "{twice}");
    assert_eq!(desk.open().len(), 1, "nothing of the stroke is written");
    desk.is_whole();
}

#[test]
fn what_a_record_has_is_never_supplied_anew() {
    let mut desk = backfill(1);
    let both = Supplied { observed_at: Some("2024-01-05".parse().unwrap()), ..supplied(2) };
    let done =
        desk.order("dana", &Order::RederiveAll { of: Lacking::Batch(Batch::from("sf_backfill")), supplied: both });
    assert_eq!(done.unwrap().records, 2);
    let of = |subject: &str| {
        let history = desk.store.history(&Subject::from(subject), &"home_city".into(), desk.now).unwrap();
        let new = history.records.into_iter().find(|it| it.record.derived_from.is_some()).unwrap().record;
        new.observed_at.unwrap().to_string()
    };
    assert_eq!([of("user_000"), of("user_001")], ["2023-03-02", "2024-01-05"]);
}

/// Two readings of a time-out that two epochs apart contradict each other.
fn timeout() -> Desk {
    let mut desk = Desk::new();
    let read = |id: &str, value: &str, day: &str, epoch| {
        record("svc/checkout", "retry_timeout", value).id(id).by("config_probe").observed(day).epoch(epoch)
    };
    desk.import([read("a", "30s", "2025-09-01", 3), read("b", "5s", "2025-10-05", 4)]);
    desk
}

#[test]
fn the_form_knows_the_slot_and_says_what_the_core_would_do() {
    let mut desk = timeout();
    desk.order("lee", &opened("svc/*", 6, "2025-11-01T00:00:00Z")).unwrap();
    let mut seat = seat(&desk);
    seat.press("r v");
    assert_eq!(form(&seat).value("epoch"), "6", "the latest that was seen or opened");
    shows(&seat, &["compared as duration: 30s, 1m 30s, PT90S"]);
    seat.write("9s").press("Tab");
    shows(&seat, &["6 is the latest here: an older one settles nothing"]);
    seat.press("Tab Ctrl-u");
    shows(&seat, &["config_probe 2"]);
    seat.press("Right Tab").write("read from the file").press("Tab Enter");
    assert_eq!(form(&seat).value("source"), "config_probe");
    shows(&seat, &["obs-2 (9s) stands", "a (30s), b (5s) become history", "pair 1 closes"]);
    shows(&seat, &["retry_timeout of svc/checkout is then settled: 9s"]);
    seat.press("y");
    assert_eq!(desk.recall("svc/checkout", "retry_timeout").values, [json!("9s")]);
    desk.is_whole();
}

#[test]
fn what_began_an_epoch_stands_beside_it() {
    let mut desk = timeout();
    let cause = |text: &str| Notice {
        over: Subject::from("svc/*"),
        epoch: Epoch(4),
        since: None,
        cause: Some(text.to_owned()),
    };
    desk.order("lee", &Order::Epoch { notice: cause("deploy 2025.10.1") }).unwrap();
    shows(&seat(&desk), &["deploy 2025.10.1"]);
    desk.order("lee", &Order::Epoch { notice: cause("rolled back \u{202e}again, after the second alarm") })
        .unwrap();
    shows(&seat(&desk), &["rolled back <U+202E>aga…"]);
    desk.order("lee", &Order::Undo { ruling: None }).unwrap();
    shows(&seat(&desk), &["deploy 2025.10.1"]);
    desk.is_whole();
}

#[test]
fn an_answer_that_settles_nothing_says_why_before_it_is_written() {
    let mut desk = timeout();
    desk.order("lee", &opened("svc/checkout", 6, "2025-11-01T00:00:00Z")).unwrap();
    let mut seat = seat(&desk);
    seat.press("r v")
        .write("soon")
        .press("Tab Ctrl-u")
        .write("5")
        .press("Tab Tab")
        .write("read")
        .press("Tab Enter");
    let why = form(&seat).error.clone().unwrap_or_default();
    assert!(why.contains("epoch 6 holds since 2025-11-01T00:00:00Z (ruling 1)"), "{why}");
    seat.press("BackTab BackTab BackTab Ctrl-u").write("6").press("Tab Tab Tab Enter");
    shows(&seat, &["this reads as no duration", "pair 1 closes"]);
    assert_eq!(desk.open().len(), 1, "nothing is written yet");
}

#[test]
fn a_completed_record_that_still_differs_says_what_stays_open() {
    let mut desk = backfill(1);
    let mut seat = seat(&desk);
    seat.press("r d Tab").write("2").press("Tab").write("log").press("Enter");
    shows(&seat, &["pair 1 closes", "opens: cross epoch", "home_city of user_000 is then contested"]);
    seat.press("y");
    assert_eq!(desk.open().len(), 1);
    desk.is_whole();
}

#[test]
fn a_record_whose_epoch_was_over_is_shown_as_that_and_gets_the_one_that_held() {
    let mut desk = timeout();
    desk.order("lee", &opened("svc/checkout", 4, "2025-09-15T00:00:00Z")).unwrap();
    let late = record("svc/checkout", "retry_timeout", "7s").id("late").by("config_probe");
    desk.import([late.observed("2025-10-20").epoch(3)]);
    let mut seat = seat(&desk);
    seat.press("j");
    shows(&seat, &["over: 4 holds", "outdated_provenance", "ENDED"]);
    seat.press("r d");
    assert_eq!(form(&seat).value("epoch"), "4");
    assert!(form(&seat).fields.iter().all(|field| field.name != "of"), "what has all three is completed by itself");
    seat.press("Tab").write("the agent's log").press("Enter");
    shows(&seat, &["der-2 (7s)", "is superseded by der-2"]);
    seat.press("Esc Esc t");
    shows(&seat, &["epoch 4 · first observed 2025-10-05", "a deploy", "opened 2025-09-15", "by lee"]);
}
