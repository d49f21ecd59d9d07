//! The batches screen: its pictures at every shape, and what its keys do on the real store.

use gainsay::app::asks::history::Named;
use gainsay::app::batches::Open;
use gainsay::app::keymap::Screen;
use gainsay::app::port::{Port, Watch};
use gainsay::app::{Code, Effect, Key, Look, Msg, update};
use gainsay::core::lag::Band;
use gainsay::core::record::Batch;
use gainsay::runtime::{Desk, perform};
use gainsay::store::Store;

use crate::real::demo;
use crate::seat::Seat;

const SHAPES: [(u16, u16); 3] = [(120, 40), (80, 24), (50, 30)];

/// Keys, and the name of what they show.
const SHOWN: [(&str, &str); 7] = [
    ("list", "3"),
    ("sorted", "3 o o"),
    ("incident", "3 Enter"),
    ("detail", "3 G k k Enter"),
    ("whole", "3 G k k Enter Enter"),
    ("withdraw", "3 G k k w"),
    ("withdraw_confirm", "3 G k k w Enter Enter"),
];

fn open(seat: &Seat<Desk>) -> &Open {
    seat.model.batches.open.as_ref().expect("a batch is looked into")
}

/// Goes to a batch by its name.
fn look_into(seat: &mut Seat<Desk>, name: &str) {
    seat.press("3 /").write(name).press("Enter Enter");
    assert_eq!(open(seat).summary.batch.as_str(), name, "{}", seat.screen());
}

#[test]
fn it_is_drawn_at_every_shape_with_colour_and_without() {
    for (name, keys) in SHOWN {
        for (width, height) in SHAPES {
            let (mut seat, _folder) = demo(width, height, Look::Colour);
            seat.press(keys);
            let screen = seat.screen();
            insta::assert_snapshot!(format!("batches_{name}_{width}x{height}"), screen);
            seat.model.setup.look = Look::Plain;
            assert_eq!(seat.screen(), screen, "colour is never the only sign");
        }
    }
}

#[test]
fn no_size_makes_it_fail() {
    let (mut seat, _folder) = demo(120, 40, Look::Colour);
    for keys in ["3", "Enter", "Enter", "Esc w"] {
        seat.press(keys);
        for (width, height) in (1..60).map(|it| (it * 3, it)).chain((1..60).map(|it| (it, 60 - it))) {
            seat.send(Msg::Resized { width, height });
            let _drawn = seat.screen();
        }
    }
}

#[test]
fn a_batch_is_looked_into_from_triage_and_esc_leads_back_by_the_list() {
    let (mut seat, _folder) = demo(120, 40, Look::Colour);
    seat.press("Tab x");
    let name = open(&seat).summary.batch.clone();
    assert_eq!(seat.model.screen, Screen::Batches);
    seat.press("Esc");
    assert!(seat.model.batches.open.is_none());
    assert_eq!(seat.model.batches.list.current().map(|of| of.batch.clone()), Some(name));
    seat.press("Esc");
    assert_eq!(seat.model.screen, Screen::Triage);
}

#[test]
fn its_pairs_and_the_pair_of_a_record_are_opened_in_triage() {
    let (mut seat, _folder) = demo(120, 40, Look::Colour);
    look_into(&mut seat, "legacy_notes");
    let pairs = open(&seat).summary.pairs;
    seat.press("P");
    assert_eq!((seat.model.screen, seat.model.triage.queue.list.total()), (Screen::Triage, pairs));
    seat.press("Esc");
    assert_eq!(seat.model.screen, Screen::Batches);
    while open(&seat).records.current().is_some_and(|member| member.pair.is_none()) {
        seat.press("j");
    }
    let wanted = open(&seat).records.current().and_then(|member| member.pair.clone()).expect("a pair").pair;
    seat.press("p");
    assert_eq!((seat.model.screen, seat.selected()), (Screen::Triage, wanted.0));
}

#[test]
fn t_opens_the_history_of_the_selected_records_slot() {
    let (mut seat, _folder) = demo(120, 40, Look::Colour);
    look_into(&mut seat, "support_chats");
    let member = open(&seat).records.current().cloned().expect("a record");
    seat.press("t");
    assert_eq!(seat.model.screen, Screen::History);
    assert_eq!(
        seat.model.history.of,
        member.attribute.map(|attribute| Named { subject: member.subject, attribute })
    );
}

#[test]
fn a_batch_is_withdrawn_by_its_name_and_one_undo_brings_it_back() {
    let (mut seat, _folder) = demo(120, 40, Look::Colour);
    look_into(&mut seat, "sf_backfill_2025_11");
    let before = open(&seat).summary.clone();
    seat.press("w Enter Enter");
    let screen = seat.screen();
    assert!(screen.contains(&format!("{} rows · ", before.records)), "{screen}");
    assert!(screen.contains("rest on it"), "{screen}");
    seat.press("y Enter");
    assert_eq!(open(&seat).summary, before, "neither y nor Enter withdraws it");
    seat.press("Backspace").write("sf_backfill_2025_11").press("Enter");
    assert_eq!(open(&seat).summary.withdrawn, before.records, "{}", seat.said());
    assert_eq!(open(&seat).summary.contested, 0);
    assert_eq!(open(&seat).picture.as_ref().map(|picture| picture.newest), Some(0), "counted anew");
    seat.press("w");
    assert!(seat.said().contains("withdrawn already"), "{}", seat.said());
    seat.press("u");
    assert_eq!(open(&seat).summary, before, "{}", seat.said());
}

#[test]
fn nothing_is_withdrawn_where_nothing_may_be_written() {
    let (mut seat, _folder) = demo(120, 40, Look::Colour);
    seat.model.setup.read_only = true;
    seat.press("3 w");
    assert!(seat.model.dialogs.is_empty());
    assert!(seat.said().contains("read only"), "{}", seat.said());
}

#[test]
fn batches_are_found_by_name_and_the_head_says_so() {
    let (mut seat, _folder) = demo(120, 40, Look::Colour);
    seat.press("3 /").write("CHECK");
    assert_eq!(seat.model.batches.list.total(), 1);
    seat.press("Enter");
    assert!(seat.screen().contains("showing /CHECK"), "{}", seat.screen());
    seat.press("F");
    assert_eq!(seat.model.batches.list.total(), 9);
    seat.press("/").write("nothing like it").press("Enter");
    assert!(seat.screen().contains("F lists them all."), "{}", seat.screen());
}

#[test]
fn the_orders_go_round() {
    let (mut seat, _folder) = demo(120, 40, Look::Colour);
    seat.press("3 o");
    let counts = |seat: &Seat<Desk>, of: fn(&gainsay::core::batch::Summary) -> i64| -> Vec<i64> {
        (0..9).filter_map(|at| seat.model.batches.list.at(at)).map(of).collect()
    };
    let falls = |numbers: Vec<i64>| assert!(numbers.is_sorted_by(|a, b| a >= b), "{numbers:?}");
    falls(counts(&seat, |of| of.contested as i64));
    seat.press("o");
    falls(counts(&seat, |of| of.lag.map_or(i64::MIN, |lag| lag.median)));
    seat.press("o");
    falls(counts(&seat, |of| of.rulings.lost as i64));
    seat.press("o");
    falls(counts(&seat, |of| of.newest));
}

#[test]
fn names_and_commands_are_copied() {
    let (mut seat, _folder) = demo(120, 40, Look::Colour);
    seat.press("3 /").write("legacy").press("Enter y i y c");
    let copied: Vec<&str> = seat
        .asked
        .iter()
        .filter_map(|effect| if let Effect::Copy { text, .. } = effect { Some(text.as_str()) } else { None })
        .collect();
    assert_eq!(copied, ["legacy_notes", "gainsay batches legacy_notes"]);
}

/// Somebody who loses patience after so many steps.
struct Impatient(std::cell::Cell<u64>);

impl Watch for Impatient {
    fn goes_on(&self, _done: u64, _of: u64) -> bool {
        self.0.set(self.0.get().saturating_sub(1));
        self.0.get() > 0
    }
}

#[test]
fn a_withdrawal_that_is_cancelled_writes_nothing_and_loses_nothing() {
    let (mut seat, _folder) = demo(120, 40, Look::Colour);
    look_into(&mut seat, "support_chats");
    let before = open(&seat).summary.clone();
    seat.press("w Enter Enter").write("support_chats");
    let effects = update(&mut seat.model, Msg::Key(Key::new(Code::Enter), seat.now));
    let [effect] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(effect.lane(), gainsay::app::Lane::Long, "no key waits for it");
    let impatient = Impatient(std::cell::Cell::new(4));
    let msg = perform(&mut seat.store, effect.clone(), seat.now, &impatient).expect("an answer");
    seat.send(msg);
    assert!(seat.screen().contains("cancelled: nothing was written"), "{}", seat.screen());
    let question = gainsay::app::asks::batches::Question::Summary(Batch::from("support_chats"));
    let answer = seat.store.batches(&question, seat.now, &impatient).unwrap();
    let same =
        gainsay::app::asks::batches::Answer::Summary { batch: before.batch.clone(), found: Some(Box::new(before)) };
    assert_eq!(answer, same);
}

#[test]
fn back_at_the_fields_nobody_waits_for_a_preview() {
    let (mut seat, _folder) = demo(120, 40, Look::Colour);
    seat.press("3 w Enter");
    let effects = update(&mut seat.model, Msg::Key(Key::new(Code::Enter), seat.now));
    let [Effect::Preview { number, .. }] = effects.as_slice() else { panic!("{effects:?}") };
    let after = update(&mut seat.model, Msg::Key(Key::new(Code::Esc), seat.now));
    assert_eq!(after, [Effect::Cancel { number: *number }]);
    assert!(seat.model.working.is_none());
}

/// What the store says of each batch, against the same counted plainly from its records.
#[test]
fn the_numbers_are_those_of_the_records() {
    let (seat, folder) = demo(120, 40, Look::Colour);
    let mut store = Store::open(&folder.path().join("demo.db"), seat.now).unwrap();
    for of in store.batches().unwrap() {
        let detail = store.batch(&of.batch).unwrap().expect("the batch");
        let records: Vec<_> =
            detail.records.iter().map(|id| store.record(id, seat.now).unwrap().expect("the record")).collect();
        let mut lags: Vec<i64> = records
            .iter()
            .filter_map(|it| Some(it.record.written_at.since(it.record.observed_at?.first()).num_seconds()))
            .collect();
        lags.sort_unstable();
        assert_eq!(of.records, records.len() as u64);
        assert_eq!(of.lag.map(|lag| lag.median), lags.get(lags.len() / 2).copied(), "{}", of.batch);
        for band in Band::ALL {
            let counted = lags.iter().filter(|lag| Band::of(**lag) == band).count();
            assert_eq!(of.lags.of(band), counted as u64, "{} {}", of.batch, band.name());
        }
        let picture = store.picture(&of, &mut |_, _| true).unwrap().expect("not cancelled");
        let states = |state| records.iter().filter(|it| it.state == state).count() as u64;
        assert!(picture.states.iter().all(|(state, many)| *many == states(*state)), "{:?}", picture.states);
        let drawn: u64 = picture.plane.fields.iter().map(|field| field.batch).sum();
        assert_eq!(drawn, lags.len() as u64, "every record of {} that says a time is within", of.batch);
        let members = store.members(&of.batch, &gainsay::store::Span::First, usize::MAX).unwrap();
        assert!(members.is_sorted_by_key(|member| std::cmp::Reverse(Store::member_place(member))));
        let newest = members.iter().filter(|member| member.newest).count();
        assert_eq!(picture.newest, newest as u64);
        let contested = members.iter().filter(|member| member.pair.is_some()).count() as u64;
        assert!(contested >= of.contested, "each contested record of {} leads to its pair", of.batch);
    }
    assert!(store.verify(seat.now, |_, _| {}).unwrap().is_ok());
}
