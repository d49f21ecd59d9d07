//! What was believed, against an oracle that replays: a store in which only so much of the story has happened yet.

use gainsay::core::recall::AsOf;
use gainsay::core::record::{Attribute, Subject};
use gainsay::store::{Account, Recalled, Store};
use proptest::prelude::*;

use crate::lives::{ATTRIBUTES, SUBJECTS, any_life, live, live_as_it_comes, moment};
use crate::script::properties;

fn slots() -> impl Iterator<Item = (Subject, Attribute)> {
    SUBJECTS.iter().flat_map(|subject| ATTRIBUTES.iter().map(|it| (Subject::from(*subject), Attribute::from(*it))))
}

fn accounts(store: &Store, at: Option<gainsay::core::time::Instant>) -> Vec<Account> {
    slots().map(|(subject, attribute)| store.account(&subject, &attribute, at).unwrap()).collect()
}

fn answers(
    store: &Store,
    at: Option<gainsay::core::time::Instant>,
    now: gainsay::core::time::Instant,
) -> Vec<Recalled> {
    let as_of = AsOf { believed_at: at, about: None };
    slots().map(|(subject, attribute)| store.recall(&subject, &attribute, as_of, now).unwrap()).collect()
}

proptest! {
    #![proptest_config(properties(48))]

    #[test]
    fn what_was_believed_is_what_the_story_had_come_to(life in any_life(), cut in 1_usize..14) {
        let cut = cut.min(life.len());
        let (whole, then) = (live_as_it_comes(&life), live_as_it_comes(&life[..cut]));
        let at = moment(cut - 1);
        prop_assert_eq!(accounts(&whole.store, Some(at)), accounts(&then.store, None));
        prop_assert_eq!(answers(&whole.store, Some(at), at), answers(&then.store, None, at));
    }

    #[test]
    fn settled_anew_a_slot_has_the_history_that_is_stored(life in any_life()) {
        let desk = live(&life);
        for (subject, attribute) in slots() {
            let anew = desk.store.account(&subject, &attribute, None).unwrap().history;
            let stored = desk.store.history(&subject, &attribute, desk.now).unwrap();
            prop_assert_eq!(&anew.records, &stored.records);
            prop_assert_eq!(&anew.rulings, &stored.rulings);
            prop_assert_eq!(&anew.epochs, &stored.epochs);
            let sorted = |edges: &[gainsay::store::HistoryEdge]| {
                let mut lines: Vec<String> = edges.iter().map(|edge| format!("{edge:?}")).collect();
                lines.sort();
                lines
            };
            prop_assert_eq!(sorted(&anew.edges), sorted(&stored.edges));
        }
    }
}
