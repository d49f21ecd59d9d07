//! The table of keys.

use std::collections::BTreeMap;

use gainsay::app::keymap::{BINDINGS, Place};
use gainsay::app::{Code, Key};

#[test]
fn no_key_is_bound_twice_where_both_would_work() {
    let mut seen: BTreeMap<(Place, Key), &str> = BTreeMap::new();
    let anywhere = |place| if place == Place::Anywhere { Place::Triage } else { place };
    for row in BINDINGS {
        for key in row.keys {
            let before = seen.insert((anywhere(row.place), *key), row.name);
            assert_eq!(before, None, "{key} does both {before:?} and {}", row.name);
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
