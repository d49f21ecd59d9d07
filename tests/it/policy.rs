//! The policy screen on the real store of the demo: its lists, what they lead to, and the form with its what-if.

use gainsay::app::asks::policy::{Answer, Question};
use gainsay::app::dialog::Dialog;
use gainsay::app::trial::Trial;
use gainsay::app::{Effect, Look, Msg, update};
use gainsay::runtime::Desk;

use crate::fake::Fake;
use crate::real::demo;
use crate::seat::{Seat, named, undeclared};

const SIZES: [(u16, u16, &str); 3] = [(120, 40, "120x40"), (80, 24, "80x24"), (50, 30, "50x30")];

/// Presses keys; `~` before a word types it.
fn press(seat: &mut Seat<Desk>, keys: &str) {
    for key in keys.split_whitespace() {
        match key.strip_prefix('~') {
            Some(text) => seat.write(text),
            None => seat.press(key),
        };
    }
}

/// What stands on the screen, by the keys that lead there.
const SCREENS: &[(&str, &str)] = &[
    ("lists", "5"),
    ("kinds", "5 Tab j"),
    ("attribute", "5 Enter"),
    ("kind", "5 Tab j j Enter"),
    ("found", "5 / ~time Enter"),
    ("nothing_found", "5 / ~nothing_like_it Enter"),
    ("declare", "5 p"),
    ("declare_tried", "5 p Right"),
    ("declare_wrong", "5 p Tab Tab ~people"),
    ("declare_confirm", "5 p Right Right Enter"),
];

#[test]
fn every_screen_at_every_shape() {
    for (width, height, size) in SIZES {
        for (name, keys) in SCREENS {
            let (mut seat, _folder) = demo(width, height, Look::Colour);
            press(&mut seat, keys);
            insta::assert_snapshot!(format!("policy_{name}_{size}"), seat.screen());
        }
    }
    let (mut seat, _folder) = demo(120, 40, Look::Plain);
    press(&mut seat, "5");
    insta::assert_snapshot!("policy_lists_plain_120x40", seat.screen());
}

fn trial<P>(seat: &Seat<P>) -> &Trial {
    match seat.model.dialogs.last() {
        Some(Dialog::Form(form)) => form.trial.as_ref().expect("a what-if"),
        other => panic!("no form is open, but {other:?}"),
    }
}

/// The declarations that these effects ask about, and the work that they cancel.
fn asked(effects: &[Effect]) -> (Vec<u64>, Vec<u64>) {
    let tried = effects.iter().filter(|effect| matches!(effect, Effect::Policy { question: Question::Try(_), .. }));
    let cancelled = effects.iter().filter(|effect| matches!(effect, Effect::Cancel { .. }));
    let number = |effect: &Effect| {
        if let Effect::Cancel { number } = effect { *number } else { effect.number().unwrap_or_default() }
    };
    (tried.map(number).collect(), cancelled.map(number).collect())
}

#[test]
fn each_change_of_the_form_asks_anew_and_cancels_what_was_asked_before() {
    let mut seat = Seat::new(Fake::new(vec![undeclared("user_1")]));
    seat.press("p");
    assert!(matches!(trial(&seat), Trial::Incomplete(_)), "nothing is declared yet");
    let key = |seat: &mut Seat, key: &str| asked(&update(&mut seat.model, Msg::Key(named(key), seat.now)));
    let (first, none) = key(&mut seat, "Right");
    assert_eq!((first.len(), none), (1, vec![]));
    assert_eq!(key(&mut seat, "Tab"), (vec![], vec![]), "moving asks nothing");
    assert_eq!(key(&mut seat, "BackTab"), (vec![], vec![]));
    let (second, cancelled) = key(&mut seat, "Right");
    assert_eq!((second.len(), cancelled), (1, first.clone()));
    let answer = |number| Msg::Policy { number, answer: Ok(Answer::Tried(Box::default())) };
    seat.send(answer(first[0]));
    assert_eq!(trial(&seat).number(), Some(second[0]), "an outdated answer is dropped");
    seat.send(Msg::Progress { number: second[0], done: 40, of: 200 });
    assert!(seat.screen().contains("40 of 200 slots tried"), "{}", seat.screen());
    seat.send(answer(second[0]));
    assert!(seat.screen().contains("0 pairs close, 0 open"), "{}", seat.screen());
    let (third, _) = asked(&update(&mut seat.model, Msg::Changed(seat.now)));
    assert_eq!(third.len(), 1, "the store has changed under it");
    assert_eq!(key(&mut seat, "Esc"), (vec![], third), "what is left is not computed");
}

#[test]
fn nothing_is_confirmed_before_its_outcome_is_known_and_enter_never_writes() {
    let mut seat = Seat::new(Fake::new(vec![undeclared("user_1")]));
    seat.press("p");
    let _asked = update(&mut seat.model, Msg::Key(named("Right"), seat.now));
    for key in ["Enter", "y"] {
        let _none = update(&mut seat.model, Msg::Key(named(key), seat.now));
    }
    assert_eq!(seat.said(), "what it would do is still being computed");
    assert!(seat.store.log().is_empty());
    seat.press("Esc Right");
    seat.press("Enter Enter Enter p");
    assert!(seat.store.log().is_empty(), "{:?}", seat.store.log());
    seat.press("y");
    assert_eq!(seat.store.log(), ["declare"]);
}

#[test]
fn a_declaration_is_written_as_it_was_shown_and_one_key_takes_it_back() {
    let (mut seat, _folder) = demo(120, 40, Look::Colour);
    press(&mut seat, "5 p Right Right Enter");
    assert!(seat.screen().contains("2 pairs close, 0 open"), "{}", seat.screen());
    press(&mut seat, "y");
    assert!(seat.said().starts_with("Declare pet_name: ruling "), "{}", seat.said());
    assert!(seat.said().contains("2 closed"), "{}", seat.said());
    let head = seat.model.policy.head.unwrap();
    assert_eq!((head.version, head.undeclared, head.held), (2, 5, 6));
    assert_eq!(seat.model.policy.attributes.current().unwrap().attribute.as_str(), "pet_name", "it stays selected");
    press(&mut seat, "Enter");
    let screen = seat.screen();
    assert!(screen.contains("cardinality many") && screen.contains("v2 ") && screen.contains("dana"), "{screen}");
    press(&mut seat, "u");
    let screen = seat.screen();
    assert!(screen.contains("UNDONE") && screen.contains("2 held open"), "{screen}");
    assert_eq!(seat.model.policy.head.unwrap().undeclared, 6);
}

#[test]
fn for_one_subject_only_that_slot_settles_again() {
    let (mut seat, _folder) = demo(120, 40, Look::Colour);
    press(&mut seat, "5 p Right Right BackTab BackTab Right");
    assert!(matches!(trial(&seat), Trial::Incomplete(why) if why.contains("name of that subject")));
    press(&mut seat, "Tab ~user_7781");
    assert!(seat.screen().contains("1 pair closes, 0 open"), "{}", seat.screen());
    press(&mut seat, "Enter y Enter");
    assert!(seat.screen().contains("declared for one subject 1"), "{}", seat.screen());
}

#[test]
fn lists_are_found_ordered_and_focused_and_lead_to_the_pairs() {
    let (mut seat, _folder) = demo(120, 40, Look::Colour);
    press(&mut seat, "5 o");
    assert_eq!(seat.model.policy.attributes.current().unwrap().attribute.as_str(), "account_status");
    press(&mut seat, "o");
    assert_eq!(seat.model.policy.attributes.current().unwrap().attribute.as_str(), "home_city");
    press(&mut seat, "/ ~SHOE Enter");
    assert_eq!(seat.model.policy.attributes.total(), 1);
    press(&mut seat, "Tab p");
    assert!(seat.said().contains("only attributes are declared here"), "{}", seat.said());
    press(&mut seat, "Tab s");
    let screen = seat.screen();
    assert!(screen.contains("[Triage]") && screen.contains("attribute shoe_size (2 of 51 open)"), "{screen}");
    press(&mut seat, "Esc");
    assert!(seat.screen().contains("[Policy]"));
    press(&mut seat, "F");
    assert_eq!(seat.model.policy.attributes.total(), 76);
}

#[test]
fn no_size_makes_it_fail() {
    for keys in ["5", "5 Tab", "5 Enter", "5 Tab Enter", "5 p Right", "5 p Right Enter"] {
        let (mut seat, _folder) = demo(120, 40, Look::Colour);
        press(&mut seat, keys);
        for width in [1, 2, 5, 20, 39, 40, 47, 59, 60, 80, 109, 110, 130, 220] {
            for height in [1, 2, 5, 11, 12, 13, 16, 19, 20, 24, 30, 45, 70] {
                seat.send(Msg::Resized { width, height });
                let _screen = seat.backend();
            }
        }
    }
}
