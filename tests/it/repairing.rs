//! Repair: whatever follows from records and rulings can be lost, and comes back as it was; what is true cannot.

use gainsay::store::{By, Store};
use proptest::prelude::*;
use rusqlite::Connection;

use crate::desk::Desk;
use crate::lives::{any_life, live};
use crate::restoring::projections;
use crate::script::properties;
use crate::tampering::busy_desk;

/// The store after a stray hand was in it.
fn after(desk: &mut Desk, sql: &str) -> Store {
    let path = desk.path();
    let stray = Connection::open(&path).unwrap();
    stray.execute_batch("PRAGMA foreign_keys = off").unwrap();
    stray.execute_batch(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    drop(stray);
    Store::open_as_it_is(&path, desk.now).unwrap()
}

fn repaired(store: &mut Store, desk: &Desk) -> u64 {
    let found = store.verify(desk.now, |_, _| {}).unwrap();
    assert!(!found.is_ok(), "nobody noticed");
    assert_eq!(found.beyond_repair, 0, "{:?}", found.damage);
    let done = store.repair(&found, "kept.db", &By { actor: "dana", now: desk.now }).unwrap();
    assert!(done.found.is_ok(), "{:?}", done.found.damage);
    done.told
}

const LOSE_ALL: &str = "DELETE FROM pairs; DELETE FROM edges; DELETE FROM record_states; DELETE FROM aliases;
     DELETE FROM answers; DELETE FROM tallies; DELETE FROM batches; DELETE FROM pair_counts; DELETE FROM pair_spans;
     UPDATE slots SET home = slot, status = 'settled', value = '1', contenders = 9, supported_at = NULL";

proptest! {
    #![proptest_config(properties(48))]

    #[test]
    fn everything_that_follows_comes_back_as_it_was(life in any_life()) {
        let mut desk = live(&life);
        let before = projections(&desk.path());
        let mut store = after(&mut desk, LOSE_ALL);
        // Where nothing follows, nothing was lost.
        prop_assume!(!before.is_empty());
        let told = repaired(&mut store, &desk);
        prop_assert_eq!(told, 0, "the log told all of it before");
        prop_assert_eq!(projections(&desk.path()), before);
    }
}

#[test]
fn each_thing_that_follows_is_named_and_mended() {
    for (sql, wrong) in [
        ("DROP TRIGGER records_are_kept", "records_are_kept: it is missing from the schema"),
        ("DROP INDEX records_by_slot", "records_by_slot: it is missing from the schema"),
        ("CREATE TRIGGER stray AFTER INSERT ON events BEGIN SELECT 1; END", "stray: it does not belong"),
        ("DROP TABLE tallies", "tallies: it is missing from the schema"),
        ("DELETE FROM aliases", "the names: what was said of them is not what the rulings say"),
        ("DELETE FROM pairs WHERE pair = 1", "pair 1: the log tells of it, and it is not there"),
        ("UPDATE pairs SET left_record = right_record WHERE pair = 2", "pair 2: the log has it between"),
        (
            "UPDATE pairs SET opened_at = '2001-01-01T00:00:00.000000000Z' WHERE pair = 1",
            "pair 1: the log has it opened at",
        ),
        ("UPDATE slots SET attribute = 'elsewhere' WHERE attribute = 'region'", "a1: it is not kept in the slot"),
        ("UPDATE slots SET value = '\"Berlin\"' WHERE attribute = 'home_city'", "slot user_31882 home_city"),
    ] {
        let (mut desk, _) = busy_desk();
        let before = projections(&desk.path());
        let mut store = after(&mut desk, sql);
        let found = store.verify(desk.now, |_, _| {}).unwrap();
        let told: Vec<String> = found.damage.iter().map(|it| format!("{}: {}", it.what, it.wrong)).collect();
        assert!(told.join("\n").contains(wrong), "{sql}: {told:?}");
        repaired(&mut store, &desk);
        assert_eq!(projections(&desk.path()), before, "{sql}");
    }
}

#[test]
fn what_is_true_is_beyond_repair() {
    for sql in [
        "DROP TRIGGER records_are_immutable; UPDATE records SET value = '\"Bremen\"' WHERE id = 'a1'",
        "DROP TRIGGER rulings_are_immutable; UPDATE rulings SET actor = 'somebody'",
        "DROP TRIGGER events_are_kept; DELETE FROM events WHERE seq = 3",
        "DROP TRIGGER policies_are_kept; DELETE FROM policies",
        "DROP TABLE ruling_records",
    ] {
        let (mut desk, _) = busy_desk();
        let mut store = after(&mut desk, sql);
        // Without any policy nothing can be read at all: that is told as an error.
        if let Ok(found) = store.verify(desk.now, |_, _| {}) {
            assert!(found.beyond_repair > 0, "{sql}: {:?}", found.damage);
        } else {
            assert!(sql.contains("policies"), "{sql}");
        }
    }
}
