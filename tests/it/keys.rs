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
