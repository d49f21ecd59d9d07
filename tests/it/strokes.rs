//! Many rulings as one stroke on a real store: what it would do, what it does, and that one undo takes it back.

use gainsay::core::order::{Order, Refusal};
use gainsay::core::pair::{Pair, PairState, Revision};
use gainsay::core::record::Record;
use gainsay::core::ruling::{PairId, RulingId};
use gainsay::store::By;

use crate::desk::Desk;
use crate::script::{Told, record};

fn says(id: &str, subject: &str, value: &str) -> Record {
    record(subject, "home_city", value).id(id).by("user_utterance").observed("2025-10").epoch(1)
}

/// Three values of one slot that nobody can rank, and two of another.
fn desk() -> Desk {
    let mut desk = Desk::new();
    desk.import([says("a1", "user_1", "Lisbon"), says("a2", "user_1", "Berlin"), says("a3", "user_1", "Porto")]);
    desk.import([says("b1", "user_2", "Lisbon"), says("b2", "user_2", "Berlin")]);
    assert_eq!(desk.open().len(), 3);
    desk
}

fn pair(desk: &Desk, id: i64) -> Pair {
    desk.store.pair(PairId(id), desk.now).unwrap().unwrap()
}

/// Accept the right record of each open pair, as they are now.
fn accept_all(desk: &Desk) -> Vec<(Order, Option<Revision>)> {
    let order = |id: PairId| {
        let pair = pair(desk, id.0);
        let winner = pair.right.record.id.clone();
        (Order::Accept { pair: id, winner, recency_override: false, reason: String::new() }, Some(pair.revision))
    };
    desk.open().into_iter().map(|entry| order(entry.pair)).collect()
}

#[test]
fn a_pair_that_another_ruling_of_the_stroke_closes_is_told_as_that() {
    let mut desk = desk();
    let orders = accept_all(&desk);
    let by = By { actor: "dana", now: desk.now };
    let told = desk.store.preview_all(&orders, &by, &mut |_, _| true).unwrap().unwrap();
    assert!(told[0].is_ok() && told[2].is_ok(), "{told:?}");
    assert!(matches!(&told[1], Err(Refusal::Along { pair: PairId(2), .. })), "{told:?}");
    assert_eq!(desk.open().len(), 3, "a preview writes nothing");
    let done = desk.store.order_all(&orders, &by, &mut |_, _| true).unwrap().unwrap();
    assert_eq!(done, told, "what was previewed is what is done");
    let left: Vec<i64> = desk.open().iter().map(|entry| entry.pair.0).collect();
    assert_eq!(left, [4], "the winner now stands against the third");
    desk.is_whole();
    desk.order("dana", &Order::Undo { ruling: None }).unwrap();
    let open: Vec<i64> = desk.open().iter().map(|entry| entry.pair.0).collect();
    assert_eq!(open, [1, 2, 3], "one undo takes all of it back");
    desk.is_whole();
}

#[test]
fn what_changed_before_the_stroke_is_refused_and_the_rest_is_written() {
    let mut desk = desk();
    let orders = accept_all(&desk);
    desk.import([says("b3", "user_2", "Bonn")]);
    let by = By { actor: "dana", now: desk.now };
    let done = desk.store.order_all(&orders, &by, &mut |_, _| true).unwrap().unwrap();
    assert!(done[0].is_ok(), "{done:?}");
    assert!(matches!(&done[2], Err(Refusal::Stale { pair: PairId(3), .. })), "{done:?}");
    assert_eq!(pair(&desk, 3).entry.state, PairState::Open);
    desk.is_whole();
}

#[test]
fn a_stroke_that_is_stopped_writes_nothing() {
    let mut desk = desk();
    let orders = accept_all(&desk);
    let by = By { actor: "dana", now: desk.now };
    let stopped = desk.store.order_all(&orders, &by, &mut |done, _| done < 1).unwrap();
    assert!(stopped.is_none());
    assert_eq!(desk.open().len(), 3);
    desk.is_whole();
}

#[test]
fn how_a_kind_fared_is_counted_through_undo_and_redo() {
    let mut desk = desk();
    let tally = |desk: &Desk| pair(desk, 2).tallies.map(|tally| (tally.won, tally.lost));
    assert_eq!(tally(&desk), [(0, 0), (0, 0)]);
    desk.accept(3, "b2").unwrap();
    assert_eq!(tally(&desk), [(1, 1), (1, 1)], "both are words of a user");
    desk.undo().unwrap();
    assert_eq!(tally(&desk), [(0, 0), (0, 0)]);
    desk.order("reviewer", &Order::Redo).unwrap();
    assert_eq!(tally(&desk), [(1, 1), (1, 1)]);
    desk.undo().unwrap();
    desk.order("reviewer", &Order::Redo).unwrap();
    desk.undo().unwrap();
    assert_eq!(tally(&desk), [(0, 0), (0, 0)], "however often it is undone");
    desk.is_whole();
}

#[test]
fn what_was_undone_before_a_newer_ruling_does_not_come_back() {
    let mut desk = desk();
    desk.accept(3, "b2").unwrap();
    let undone = desk.undo().unwrap();
    assert_eq!(undone.undid.map(|undid| (undid.at_last, undid.action)), Some((RulingId(1), "accept".to_owned())));
    desk.accept(2, "a3").unwrap();
    let refused = desk.order("reviewer", &Order::Redo).unwrap_err().to_string();
    assert!(refused.contains("ruling 3 was made after that undo"), "{refused}");
    assert_eq!(pair(&desk, 3).entry.state, PairState::Open);
    // Undone as well, that newer ruling is what there is to do again.
    desk.undo().unwrap();
    let again = desk.order("reviewer", &Order::Redo).unwrap();
    assert_eq!(again.undid.map(|undid| undid.at_last), Some(RulingId(3)));
    desk.is_whole();
}

#[test]
fn two_names_in_doubt_tell_on_what_else_they_agree() {
    use gainsay::core::record::Subject;
    use gainsay::core::ruling::AliasVerdict;
    let mut desk = Desk::new();
    let of = |id: &str, subject: &str, attribute: &str, value: &str| {
        record(subject, attribute, value).id(id).by("user_utterance").observed("2025-10").epoch(1)
    };
    desk.import([
        of("1", "dana", "home_city", "Lisbon"),
        of("2", "Dana K.", "home_city", "Berlin"),
        of("3", "dana", "employer", "Acme"),
        of("4", "Dana K.", "employer", "acme"),
        of("5", "dana", "phone", "1"),
        of("6", "Dana K.", "phone", "2"),
        of("7", "dana", "diet", "vegan"),
    ]);
    let names = (Subject::from("dana"), Subject::from("Dana K."));
    desk.order("dana", &Order::Alias { names, verdict: AliasVerdict::Proposed }).unwrap();
    let open = desk.open();
    let asked = pair(&desk, open.last().unwrap().pair.0);
    let attribute = asked.entry.attribute.as_str();
    let mut shared: Vec<(&str, bool)> = asked.shared.iter().map(|it| (it.attribute.as_str(), it.agrees)).collect();
    shared.push((attribute, false));
    shared.sort_unstable();
    assert_eq!(shared, [("employer", true), ("home_city", false), ("phone", false)]);
}
