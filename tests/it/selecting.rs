//! Records withdrawn by a condition: `withdraw --where`.

use gainsay::core::order::{Order, Withdrawn};
use gainsay::core::ruling::WithdrawReason;

use crate::desk::Desk;
use crate::script::{Told, berlin, lisbon, record};

#[test]
fn a_selection_leaves_as_one_and_comes_back_as_one() {
    let mut desk = Desk::new();
    desk.import([
        lisbon().by("user_utterance").observed("2025-10-14").epoch(1),
        berlin().by("crm_import").observed("2023-03-02").epoch(1),
        record("user_2", "home_city", "Porto").id("p").by("crm_import").observed("2023-03-02").epoch(1),
    ]);
    let conditions = vec!["source.kind=crm_import".parse().unwrap()];
    let what = Withdrawn::Where(conditions);
    let order = Order::Withdraw { what, why: WithdrawReason::BadBatch, note: Some("stale".to_owned()) };
    let outcome = desk.order("reviewer", &order).unwrap();
    assert_eq!((outcome.records, outcome.slots), (2, 2));
    let event = desk.store.ruling_event(outcome.ruling).unwrap().unwrap();
    assert_eq!(event.body["reason"], "stale (where source.kind=crm_import)");
    assert!(desk.recall("user_2", "home_city").values.is_empty());
    assert!(desk.order("reviewer", &order).is_err(), "they are withdrawn already");
    desk.undo().unwrap();
    assert_eq!(desk.recall("user_2", "home_city").values, ["Porto"]);
    desk.is_whole();
}
