//! The table of keys.

use std::collections::{BTreeMap, BTreeSet};

use gainsay::app::keymap::{BINDINGS, Place, Screen};
use gainsay::app::{Code, Key};

#[test]
fn no_key_is_bound_twice_where_both_would_work() {
    let menus: BTreeSet<Place> =
        BINDINGS.iter().map(|row| row.place).filter(|place| matches!(place, Place::In(_))).collect();
    let alone = menus.into_iter().map(|menu| vec![menu]);
    let screens = Screen::ALL.map(|screen| vec![Place::On(screen), Place::Anywhere]);
    for places in alone.chain(screens) {
        let mut seen: BTreeMap<Key, &str> = BTreeMap::new();
        for row in BINDINGS.iter().filter(|row| places.contains(&row.place)) {
            for key in row.keys {
                let before = seen.insert(*key, row.name);
                assert_eq!(before, None, "{key} does both {before:?} and {}", row.name);
            }
        }
    }
}

#[test]
fn keys_that_terminals_own_are_not_bound() {
    let owned = "hijm[sqab".chars().map(Key::ctrl);
    let owned: Vec<Key> = owned.collect();
    let bound = BINDINGS.iter().flat_map(|row| row.keys).filter(|key| owned.contains(key) || key.alt);
    assert_eq!(bound.count(), 0);
}

#[test]
fn no_key_needs_altgr() {
    let hard = ['[', ']', '{', '}', '\\', '|', '@', '~'];
    let bound = BINDINGS.iter().flat_map(|row| row.keys);
    assert!(bound.clone().all(|key| !matches!(key.code, Code::Char(char) if hard.contains(&char))));
}

#[test]
fn every_row_says_what_it_does() {
    assert!(BINDINGS.iter().all(|row| !row.name.is_empty() && !row.help.is_empty() && !row.keys.is_empty()));
}

#[test]
fn the_help_lists_what_does_something_and_no_more() {
    use gainsay::app::Look;
    use gainsay::app::keymap::{Command, Common};
    for (at, screen) in Screen::ALL.into_iter().enumerate() {
        let (mut seat, _folder) = crate::real::demo(120, 40, Look::Plain);
        seat.press(&(at + 1).to_string());
        let opened = seat.model.clone();
        let rows = BINDINGS.iter().filter(|row| row.place == Place::Anywhere);
        for row in rows.filter(|row| row.command != Command::Common(Common::Quit)) {
            seat.model = opened.clone();
            seat.key(row.keys[0]);
            let told = seat.model.said.as_ref().map_or("", |said| said.text.as_str());
            let works = !told.contains("not on this screen");
            assert_eq!(works, row.works_on(screen), "{} on {}: {told:?}", row.name, screen.name());
        }
    }
}
