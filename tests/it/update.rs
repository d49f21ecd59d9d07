//! The rules of the keyboard, without a terminal.

use gainsay::app::dialog::Dialog;
use gainsay::app::form::Stage;
use gainsay::app::{Code, Effect, Key, Msg, update};
use gainsay::core::pair::PairState;
use proptest::prelude::*;

use crate::fake::Fake;
use crate::seat::{Seat, berlin_lisbon, mixed, named, override_needed, tie};

fn ties(many: usize) -> Fake {
    Fake::new((0..many).map(|number| tie(&format!("user_{number}"))).collect())
}

fn form(desk: &Seat) -> &gainsay::app::form::Form {
    match desk.model.dialogs.last() {
        Some(Dialog::Form(form)) => form,
        other => panic!("no form is open, but {other:?}"),
    }
}

/// Keys that must never write, whatever is open.
fn harmless() -> Vec<Key> {
    let named_keys =
        "Up Down Left Right Home End PgUp PgDn Enter Space Tab BackTab Backspace Delete h l A R S Z X C I P D E"
            .split_whitespace()
            .map(named);
    let digits = ('0'..='9').map(Key::char);
    let alts = (' '..='~').map(Key::alt);
    named_keys.chain(digits).chain(alts).collect()
}

#[test]
fn harmless_keys_write_nothing() {
    let mut desk = Seat::new(ties(4));
    for key in harmless().into_iter().chain(harmless().into_iter().rev()) {
        desk.key(key);
        desk.seen();
    }
    assert!(desk.store.log().is_empty(), "{:?}", desk.store.log());
}

#[test]
fn harmless_keys_write_nothing_in_any_menu() {
    for menu in ["+", "i", "r", "w", "z", "y", "a", "b", "p", "c", "f", "/", ":", "?"] {
        let mut desk = Seat::new(Fake::new(vec![berlin_lisbon("user_1"), tie("user_2")]));
        desk.press(menu);
        for key in harmless() {
            desk.key(key);
            desk.seen();
        }
        // Accepting is what a and b do on a tie; nothing else may have been written.
        assert!(desk.store.log().is_empty(), "in {menu}: {:?}", desk.store.log());
    }
}

#[test]
fn control_with_a_decision_key_never_decides() {
    let mut desk = Seat::new(ties(3));
    for char in "abrswzxciep+=".chars() {
        desk.key(Key::ctrl(char));
        desk.press("Esc");
    }
    assert!(desk.store.log().is_empty());
}

#[test]
fn one_key_accepts_where_the_core_permits_it_and_the_next_pair_is_shown() {
    let mut desk = Seat::new(ties(3));
    desk.press("a");
    assert_eq!(desk.store.log(), ["accept"]);
    assert_eq!(desk.store.state(400), PairState::Settled);
    assert_eq!(desk.selected(), 401);
    assert_eq!(desk.model.triage.queue.counts.open, 2);
}

#[test]
fn a_refused_key_opens_the_reason_and_the_nearest_step() {
    let mut desk = Seat::new(Fake::new(vec![berlin_lisbon("user_1")]));
    desk.press("b");
    let Some(Dialog::Refused(refused)) = desk.model.dialogs.last() else { panic!("no refusal") };
    assert!(refused.because.contains("epoch 4 against epoch 7"));
    desk.press("Enter");
    assert!(matches!(desk.model.dialogs.last(), Some(Dialog::Menu(_))), "the nearest step is open");
    assert!(desk.store.log().is_empty());
}

#[test]
fn an_override_wants_a_reason_and_then_y() {
    let mut desk = Seat::new(Fake::new(vec![override_needed("svc")]));
    desk.press("b Enter");
    assert!(form(&desk).stage == Stage::Filling, "without a reason it does not go on");
    desk.press("b b");
    assert!(desk.store.log().is_empty(), "the start key is text now");
    assert_eq!(form(&desk).value("reason"), "bb");
    desk.press("Backspace Backspace").write("newer").press("Enter b Enter");
    assert!(desk.store.log().is_empty(), "neither the start key nor Enter confirms");
    desk.press("y");
    assert_eq!(desk.store.log(), ["override"]);
}

#[test]
fn after_a_ruling_decision_keys_rest() {
    let mut desk = Seat::new(ties(5));
    for _ in 0..20 {
        desk.key(Key::char('a'));
        desk.send(Msg::Drawn(desk.now));
        desk.now = desk.now.plus(chrono::Duration::milliseconds(33));
    }
    assert_eq!(desk.store.log(), ["accept"], "a held key rules once");
    desk.now = desk.now.plus(chrono::Duration::milliseconds(200));
    desk.press("a");
    assert_eq!(desk.store.log().len(), 2, "released, it rules again");
}

#[test]
fn a_key_that_the_terminal_calls_held_never_rules() {
    let mut desk = Seat::new(ties(2));
    desk.key(Key { held: true, ..Key::char('a') });
    assert!(desk.store.log().is_empty());
    desk.key(Key { held: true, ..Key::char('j') });
    assert_eq!(desk.selected(), 401, "it moves");
}

#[test]
fn three_quick_presses_are_one_order() {
    let mut desk = Seat::new(ties(5));
    let orders: usize = (0..3)
        .map(|_| update(&mut desk.model, Msg::Key(Key::char('a'), desk.now)))
        .map(|effects| effects.iter().filter(|effect| matches!(effect, Effect::CarryOut { .. })).count())
        .sum();
    assert_eq!(orders, 1);
}

#[test]
fn no_key_rules_on_a_pair_that_has_not_been_drawn() {
    let mut desk = Seat::new(ties(3));
    desk.key(named("j"));
    desk.key(named("a"));
    assert!(desk.store.log().is_empty());
    assert!(desk.said().contains("not on the screen yet"), "{}", desk.said());
    desk.seen();
    desk.press("a");
    assert_eq!(desk.store.state(401), PairState::Settled);
}

#[test]
fn a_key_in_the_same_tick_as_a_change_is_refused() {
    let mut desk = Seat::new(ties(3));
    desk.store.settled_by(400, "lee");
    desk.send(Msg::Changed(desk.now));
    desk.key(named("a"));
    assert!(desk.store.log().is_empty(), "what is on the screen is not what the model holds");
}

#[test]
fn a_ruling_that_came_too_late_says_who_ruled_what() {
    let mut desk = Seat::new(ties(3));
    desk.store.settled_by(400, "lee");
    desk.press("a");
    assert!(desk.store.log().is_empty());
    let screen = desk.screen();
    assert!(screen.contains("lee ruled: accept, ruling 9400, at 2025-12-01T09:14:00Z."), "{screen}");
    assert!(screen.contains("The pair is now settled."), "{screen}");
    desk.press("Esc");
    assert_eq!(desk.selected(), 401);
}

#[test]
fn whoever_rules_on_the_pair_in_view_is_named_before_the_next_one_can_be_ruled_on() {
    let mut desk = Seat::new(ties(3));
    desk.store.settled_by(400, "lee");
    desk.send(Msg::Changed(desk.now));
    desk.seen();
    desk.press("a b a");
    assert!(desk.store.log().is_empty(), "a late key is for no pair");
    assert!(desk.screen().contains("lee ruled: accept, ruling 9400"), "{}", desk.screen());
    desk.press("Esc a");
    assert_eq!(desk.store.state(401), PairState::Settled);
}

#[test]
fn in_a_text_field_no_command_fires() {
    let mut desk = Seat::new(ties(2));
    desk.press("c");
    let all: String = ('!'..='~').collect();
    desk.write(&all).press("Backspace");
    assert_eq!(form(&desk).value("note"), &all[..all.len() - 1]);
    assert!(desk.store.log().is_empty());
    assert!(!desk.has_quit());
}

#[test]
fn a_paste_goes_to_text_fields_only() {
    let mut desk = Seat::new(ties(2));
    desk.send(Msg::Paste("aq\nrl".to_owned()));
    assert!(desk.store.log().is_empty() && !desk.has_quit());
    assert!(desk.said().contains("text fields only"));
    desk.press("c");
    desk.send(Msg::Paste("two\nlines\n".to_owned()));
    assert_eq!(form(&desk).value("note"), "two\nlines");
    desk.press("Enter y");
    assert_eq!(desk.store.log(), ["note"]);
}

#[test]
fn a_paste_without_brackets_does_at_most_one_thing_that_u_undoes() {
    let mut desk = Seat::new(ties(9));
    for char in "a bright and breezy day, abab".chars() {
        desk.key(Key::char(char));
    }
    desk.press("Esc Esc Esc Esc");
    assert!(desk.store.log().len() <= 1, "{:?}", desk.store.log());
    desk.press("u");
    assert_eq!(desk.store.state(400), PairState::Open);
}

#[test]
fn esc_goes_back_one_level_and_never_quits() {
    let mut desk = Seat::new(mixed());
    desk.press("+ b Esc");
    assert!(desk.model.dialogs.is_empty(), "{:?}", desk.model.dialogs);
    desk.press("Enter Esc Space Esc Esc Esc Esc");
    assert!(!desk.has_quit());
    assert!(desk.model.triage.queue.marks.is_empty());
}

#[test]
fn q_goes_back_then_quits() {
    let mut desk = Seat::new(mixed());
    desk.press("? q");
    assert!(!desk.has_quit());
    desk.press("Enter q");
    assert!(!desk.has_quit());
    desk.press("q");
    assert!(desk.has_quit());
}

#[test]
fn a_dialog_does_not_lose_what_was_typed() {
    let mut desk = Seat::new(ties(2));
    desk.press("c").write("call Acme").press("Esc j k c");
    assert_eq!(form(&desk).value("note"), "call Acme");
    desk.store.store().broken = Some("the store is busy".to_owned());
    desk.press("Enter y");
    assert_eq!(form(&desk).value("note"), "call Acme", "it comes back when the store is busy");
    assert!(form(&desk).error.as_ref().is_some_and(|error| error.contains("busy")));
    desk.store.store().broken = None;
    desk.press("Enter y c");
    assert_eq!(form(&desk).value("note"), "", "what was written is no draft any more");
}

#[test]
fn undo_and_redo_say_what_they_do_and_each_restores_one_state() {
    let mut desk = Seat::new(ties(4));
    desk.press("a b a");
    let open = |desk: &Seat| (400..404).map(|id| desk.store.state(id) == PairState::Open).collect::<Vec<_>>();
    assert_eq!(open(&desk), [false, false, false, true]);
    desk.press("u");
    assert_eq!(open(&desk), [false, false, true, true]);
    assert_eq!(desk.said(), "undone: ruling 19, accept A of pair 402 (ruling 20)");
    assert_eq!(desk.selected(), 402, "what is restored is on the screen");
    desk.press("u u");
    assert_eq!(open(&desk), [true; 4]);
    desk.press("U U U");
    assert_eq!(open(&desk), [false, false, false, true]);
    assert!(desk.said().starts_with("done again: ruling 19, accept A of pair 402"), "{}", desk.said());
}

#[test]
fn undo_works_when_the_ruling_was_made_before() {
    let store = ties(2);
    Seat::new(store.clone()).press("a");
    let mut desk = Seat::new(store);
    desk.press("u");
    assert_eq!(desk.said(), "undone: ruling 17, accept, made earlier (ruling 18)");
    assert_eq!(desk.store.state(400), PairState::Open);
}

#[test]
fn n_past_the_end_says_so() {
    let mut desk = Seat::new(ties(2));
    desk.press("n");
    assert_eq!(desk.selected(), 401);
    desk.press("n");
    assert_eq!(desk.said(), "this is the last undecided pair of 2: there is none after it");
    desk.press("N N");
    assert!(desk.said().contains("there is none before it"));
}

#[test]
fn what_is_selected_stays_selected_when_others_write() {
    let mut desk = Seat::new(ties(9));
    desk.press("j j j j");
    assert_eq!(desk.selected(), 404);
    desk.store.settled_by(400, "lee");
    desk.store.settled_by(402, "lee");
    desk.send(Msg::Changed(desk.now));
    assert_eq!((desk.selected(), desk.model.triage.queue.list.position()), (404, 2));
}

#[test]
fn a_move_during_a_slow_refresh_wins() {
    let mut desk = Seat::new(ties(9));
    let slow = update(&mut desk.model, Msg::Changed(desk.now));
    desk.press("j j");
    desk.perform(slow);
    assert_eq!(desk.selected(), 402);
}

#[test]
fn a_long_queue_is_held_in_a_window_with_true_positions() {
    let mut desk = Seat::new(ties(1500));
    assert!(desk.model.triage.queue.list.held() < 200);
    desk.press("G");
    assert_eq!((desk.selected(), desk.model.triage.queue.list.position()), (1899, 1499));
    for _ in 0..30 {
        desk.press("PgUp");
    }
    let queue = &desk.model.triage.queue;
    assert_eq!(desk.selected() - 400, i64::try_from(queue.list.position()).expect("a place"));
    assert!(queue.list.held() < 400);
    assert_eq!(queue.list.total(), 1500);
    desk.press("g");
    assert_eq!(desk.selected(), 400);
}

#[test]
fn a_bulk_is_previewed_confirmed_by_a_word_and_undone_by_one_key() {
    let mut pairs: Vec<_> = (0..4).map(|number| tie(&format!("user_{number}"))).collect();
    pairs.push(berlin_lisbon("user_9"));
    pairs.push(override_needed("svc"));
    let mut desk = Seat::new(Fake::new(pairs));
    desk.press("* b b b Enter y Enter");
    assert!(desk.store.log().is_empty(), "the start key does not confirm");
    let Some(Dialog::Bulk(bulk)) = desk.model.dialogs.last() else { panic!("no preview") };
    let sorted = bulk.sorted.as_ref().expect("sorted");
    assert_eq!((sorted.allowed.len(), sorted.overrides.len(), sorted.refused.len()), (4, 1, 1));
    desk.press("Esc b").write("yes").press("Enter");
    assert_eq!(desk.store.log(), ["accept"; 4]);
    assert!(desk.model.triage.queue.marks.is_empty());
    desk.press("u");
    assert!((400..406).all(|id| desk.store.state(id) == PairState::Open));
}

#[test]
fn a_form_on_a_pair_that_another_rules_on_goes_with_it_and_keeps_its_words() {
    let mut desk = Seat::new(Fake::new(vec![override_needed("svc"), tie("user_1")]));
    desk.press("b").write("the probe was old");
    assert!(matches!(desk.model.dialogs.last(), Some(Dialog::Form(_))));
    desk.store.settled_by(400, "lee");
    desk.send(Msg::Changed(desk.now));
    desk.seen();
    let screen = desk.screen();
    assert!(screen.contains("lee ruled: accept") && screen.contains("kept for this pair"), "{screen}");
    desk.press("Esc");
    assert!(desk.model.dialogs.is_empty(), "no form lies over the next pair");
    assert_eq!(desk.selected(), 401);
}

#[test]
fn an_override_says_which_source_has_no_rank() {
    let mut desk = Seat::new(Fake::new(vec![override_needed("svc")]));
    desk.press("b");
    assert!(desk.screen().contains("less authoritative"), "{}", desk.screen());

    let (probe, guess) = override_needed("svc");
    let guess = crate::told::Told::by(guess, "a_kind_without_a_class");
    let mut desk = Seat::new(Fake::new(vec![(probe, guess)]));
    desk.press("b");
    let screen = desk.screen();
    assert!(screen.contains("no class is declared for source kind"), "{screen}");
    assert!(!screen.contains("less authoritative"), "{screen}");
}

#[test]
fn a_pair_is_put_off_for_a_length_of_time_too() {
    let mut desk = Seat::new(ties(2));
    desk.press("z u").write("3d").press("Enter").press("y");
    assert_eq!(desk.store.log(), ["defer"]);
    let made = desk.store.store().made.iter().map(|made| made.order.clone()).next_back();
    let Some(gainsay::core::order::Order::Defer { until, .. }) = made else { panic!("{made:?}") };
    let days = until.since(desk.now).num_hours();
    assert!((70..=72).contains(&days), "{days} hours");
}

#[test]
fn every_pair_of_a_bulk_is_listed_with_what_the_core_says_of_it() {
    let pairs = vec![tie("user_1"), berlin_lisbon("user_9"), override_needed("svc"), tie("user_2")];
    let mut desk = Seat::new(Fake::new(pairs));
    desk.press("* b PgDn");
    let screen = desk.screen();
    let at = |text: &str| screen.find(text).unwrap_or_else(|| panic!("no {text:?} in\n{screen}"));
    let told = [
        "2 allowed: written",
        "400      employer of user_1",
        "403      employer of user_2",
        "1 needs override: a reason is needed",
        "402      retry_timeout of svc",
        "1 refused: not met: epoch",
        "401      home_city of user_9",
    ];
    assert!(told.map(at).is_sorted(), "{screen}");
    // Nothing is confirmed from here.
    desk.write("yes").press("Enter");
    assert!(desk.store.log().is_empty() && desk.screen().contains("Type  yes"), "{}", desk.screen());
    desk.press("PgDn PgUp").write("yes").press("Enter");
    assert_eq!(desk.store.log(), ["accept"; 2]);
}

#[test]
fn a_bulk_overrides_too_once_a_reason_is_given_for_all_or_for_each() {
    let pairs = || vec![override_needed("svc/a"), override_needed("svc/b"), tie("user_1")];
    let mut desk = Seat::new(Fake::new(pairs()));
    desk.press("* b Down Tab").write("yes").press("Enter");
    assert!(desk.store.log().is_empty(), "a reason is wanted first");
    desk.write("newer").press("Tab Enter");
    assert_eq!(desk.store.log(), ["override", "override", "accept"], "the word was typed before");
    desk.press("u");
    assert!((400..403).all(|id| desk.store.state(id) == PairState::Open));

    let mut desk = Seat::new(Fake::new(pairs()));
    desk.press("* b Down Down").write("one").press("Enter").write("two").press("Enter").write("yes").press("Enter");
    assert_eq!(desk.store.log(), ["override", "override", "accept"]);
    let reasons: Vec<String> = desk.store.store().made.iter().map(|made| reason(&made.order)).collect();
    assert_eq!(reasons, ["one", "two", ""]);
}

fn reason(order: &gainsay::core::order::Order) -> String {
    let gainsay::core::order::Order::Accept { reason, .. } = order else { panic!("{order:?}") };
    reason.clone()
}

#[test]
fn words_for_many_are_asked_once_and_stay_when_the_preview_is_left() {
    let mut desk = Seat::new(Fake::new(vec![berlin_lisbon("user_1"), berlin_lisbon("user_2"), tie("user_3")]));
    desk.press("* + e").write("deploy 12").press("Enter Enter");
    let Some(Dialog::Bulk(bulk)) = desk.model.dialogs.last() else { panic!("no preview") };
    let sorted = bulk.sorted.as_ref().expect("sorted");
    assert_eq!((sorted.allowed.len(), sorted.refused.len()), (2, 1));
    desk.press("Esc");
    assert_eq!(form(&desk).value("cause"), "deploy 12");
    desk.press("Enter").write("yes").press("Enter");
    assert_eq!(desk.store.log(), ["across_epochs"; 2]);
    assert!(desk.model.dialogs.is_empty());
}

#[test]
fn a_range_marks_rows_that_are_not_held() {
    let mut desk = Seat::new(ties(1500));
    desk.press("j v G v");
    assert_eq!(desk.model.triage.queue.marks.len(), 1499);
    desk.press("Esc k v g v");
    assert_eq!(desk.model.triage.queue.marks.len(), 1499);
}

#[test]
fn marks_stay_when_others_write_and_those_that_left_are_told() {
    let mut desk = Seat::new(ties(6));
    desk.press("*");
    desk.store.settled_by(402, "lee");
    desk.store.settled_by(405, "lee");
    desk.send(Msg::Changed(desk.now));
    assert_eq!(desk.model.triage.queue.marks.len(), 4);
    assert_eq!(desk.said(), "2 marked pairs were settled meanwhile (402, 405): 4 stay marked");
}

#[test]
fn facets_take_several_values_and_leave_some_out() {
    let mut desk = Seat::new(mixed());
    desk.press("f Tab").write("epoch, !low").press("Tab").write("home_city, \"a,b\"").press("Enter Enter Enter");
    let filter = &desk.model.triage.queue.filter;
    assert_eq!(
        filter.words(),
        ["open", "ground cross_epoch", "not ground low_confidence", "attribute home_city or a,b"]
    );
    assert_eq!(desk.model.triage.queue.list.total(), 7);
    desk.press("f Tab Tab Tab").write("!user_31882").press("Enter Enter");
    assert_eq!(desk.model.triage.queue.list.total(), 6);
    desk.press("f Tab").write("x").press("Enter Enter Enter Enter");
    assert!(
        form(&desk).error.as_ref().is_some_and(|error| error.contains("is none of")),
        "{:?}",
        form(&desk).error
    );
    desk.press("Esc F");
    assert_eq!(desk.model.triage.queue.list.total(), 37);
}

#[test]
fn the_commonest_values_are_offered_and_taken_by_an_arrow() {
    let mut desk = Seat::new(mixed());
    desk.press("f Tab Tab").write("shoe");
    assert!(desk.screen().contains("→ shoe_size 6"), "{}", desk.screen());
    desk.press("Right");
    assert_eq!(form(&desk).value("attribute"), "shoe_size");
    desk.write(", !").press("Right");
    assert!(form(&desk).value("attribute").starts_with("shoe_size, !"), "{}", form(&desk).value("attribute"));
    desk.press("Enter");
    assert!(desk.screen().contains("acct_7 6"), "{}", desk.screen());
}

#[test]
fn what_is_looked_for_shows_how_far_it_is_and_esc_puts_the_list_back() {
    let mut desk = Seat::new(ties(12));
    let effects = {
        desk.press("/");
        update(&mut desk.model, Msg::Key(Key::char('x'), desk.now))
    };
    let Some(Effect::Page { number, generation, .. }) = effects.first() else { panic!("{effects:?}") };
    let (number, generation) = (*number, *generation);
    desk.send(Msg::Progress { number, done: 4096, of: 1_000_000 });
    assert!(desk.screen().contains("looking …"), "{}", desk.screen());
    desk.press("Enter");
    assert!(desk.screen().contains("4,096 of 1,000,000   Esc cancels"), "{}", desk.screen());
    desk.press("Esc");
    assert_eq!(desk.asked.last(), Some(&Effect::Cancel { number }));
    desk.send(Msg::Page { number, generation, answer: Err(gainsay::app::Failure::Cancelled) });
    assert_eq!(desk.said(), "stopped looking: the list is as it was");
    assert_eq!(desk.model.triage.queue.filter.text, None);
    assert_eq!(desk.model.triage.queue.list.total(), 12);
}

#[test]
fn a_batch_is_withdrawn_only_by_its_name_and_after_the_preview() {
    let mut desk = Seat::new(Fake::new(vec![berlin_lisbon("user_1")]));
    desk.press("w b Enter Enter Enter");
    assert!(desk.screen().contains("4,812 rows · 1,190 pairs close · 14 open · 3 rulings rest on it"));
    desk.press("y Enter b Enter Backspace Backspace Enter");
    assert!(desk.store.log().is_empty());
    desk.write("sf_backfill_2025_11").press("Enter");
    assert_eq!(desk.store.log(), ["withdraw"]);
}

#[test]
fn a_held_opener_chooses_nothing_in_its_menu() {
    let mut desk = Seat::new(Fake::new(vec![berlin_lisbon("user_1")]));
    for _ in 0..9 {
        desk.key(named("r"));
        desk.send(Msg::Drawn(desk.now));
        desk.now = desk.now.plus(chrono::Duration::milliseconds(33));
    }
    assert!(desk.model.pending.is_none(), "no observer was run");
    assert!(desk.said().starts_with("r once more"), "{}", desk.said());
}

#[test]
fn read_only_every_key_that_writes_says_so() {
    let mut desk = Seat::new(ties(3));
    desk.model.setup.read_only = true;
    for keys in ["a", "b", "+ s Esc", "z d Esc", "c", "p", "r q Esc", "u", "U"] {
        desk.press(keys);
    }
    assert!(desk.store.log().is_empty());
    desk.press("a");
    assert_eq!(desk.said(), "opened read only: nothing is written");
    assert!(desk.screen().contains("READ ONLY"));
}

#[test]
fn a_key_of_another_layout_says_so() {
    let mut desk = Seat::new(ties(1));
    desk.key(Key::char('ф'));
    assert!(desk.said().contains("another layout"));
}

#[test]
fn find_filters_as_it_is_typed_and_esc_puts_the_list_back() {
    let mut desk = Seat::new(ties(12));
    desk.press("/").write("user_11");
    assert_eq!(desk.model.triage.queue.list.total(), 1);
    desk.press("Esc");
    assert_eq!(desk.model.triage.queue.list.total(), 12);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A pen on the keyboard: whatever keys come, no override and no bulk is written, and nothing panics.
    #[test]
    fn keys_at_random_never_override_and_never_write_many(keys in prop::collection::vec(0_u8..110, 300)) {
        let mut desk = Seat::new(mixed());
        for number in keys {
            let key = match number {
                0..=94 => Key::char(char::from(b' ' + number)),
                95..=100 => Key::ctrl(char::from(b'a' + number - 95)),
                101 => Key::new(Code::Enter),
                102 => Key::new(Code::Esc),
                103 => Key::new(Code::Tab),
                104 => Key::new(Code::Backspace),
                105 => Key::new(Code::Down),
                106 => Key::new(Code::Up),
                107 => Key::new(Code::Left),
                108 => Key::new(Code::Right),
                _ => Key::new(Code::Delete),
            };
            let before = desk.store.log().len();
            desk.key(key);
            prop_assert!(desk.store.log().len() <= before + 1, "one key wrote many: {key}");
            desk.now = desk.now.plus(chrono::Duration::milliseconds(20));
            desk.send(Msg::Drawn(desk.now));
        }
        let _screen = desk.screen();
    }
}
