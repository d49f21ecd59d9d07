//! Edits behind the program's back: `verify` must name each of them.

use gainsay::core::order::Order;
use gainsay::core::record::{Record, Subject};
use gainsay::core::ruling::AliasVerdict;
use gainsay::store::Store;
use rusqlite::Connection;
use tempfile::TempDir;

use crate::desk::Desk;
use crate::script::{Told, WRITTEN, berlin, instant, lisbon, record};
use crate::stray::attack;

/// A store with a bit of everything, closed; and the folder that keeps it.
fn busy_store() -> (TempDir, std::path::PathBuf) {
    let (desk, path) = busy_desk();
    drop(desk.store);
    (desk.folder, path)
}

/// A desk with a bit of everything, and where its store is.
pub(crate) fn busy_desk() -> (Desk, std::path::PathBuf) {
    let mut desk = Desk::new();
    desk.import([
        lisbon().by("user_utterance").observed("2025-10-14T09:31:00Z").confidence(0.9),
        berlin().by("crm_import").observed("2023-03-02"),
        record("svc/mail", "region", "eu-west-1").id("a1").by("tool_output").epoch(2).observed("2025-09-01"),
        record("svc/mail", "region", "eu-central-1").id("a2").by("tool_output").epoch(2).observed("2025-09-01"),
        Record { attribute: None, ..record("user_1", "", "just a note").id("loose") },
    ]);
    desk.look_again(2, "Lisbon", 1).unwrap();
    desk.accept(1, "a2").unwrap();
    desk.undo().unwrap();
    let names = (Subject::from("user_31882"), Subject::from("user-31882"));
    desk.order("reviewer", &Order::Alias { names, verdict: AliasVerdict::Denied }).unwrap();
    desk.is_whole();
    let path = desk.path();
    (desk, path)
}

fn tampered(sql: &str) -> Vec<String> {
    let (_folder, path) = busy_store();
    attack(&path, sql);
    let found =
        Store::open(&path, instant(WRITTEN)).and_then(|mut store| store.verify(instant(WRITTEN), |_, _| {}));
    match found {
        Ok(found) => found.damage.into_iter().map(|damage| format!("{}: {}", damage.what, damage.wrong)).collect(),
        Err(error) => vec![error.to_string()],
    }
}

#[test]
fn every_changed_field_of_what_is_true_is_found() {
    let columns = |table: &str| -> Vec<String> {
        let (_folder, path) = busy_store();
        let store = Connection::open(path).unwrap();
        let mut statement =
            store.prepare(&format!("SELECT name FROM pragma_table_info('{table}') WHERE pk = 0")).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let mut changes = 0;
    for (table, key) in [("records", "record"), ("rulings", "ruling"), ("events", "seq"), ("policies", "version")] {
        for column in columns(table) {
            let number = ["slot", "epoch", "answers", "event", "pair", "ruling", "undoes", "bulk", "erased"]
                .contains(&column.as_str());
            let value = match column.as_str() {
                "hash" | "content" => "x'00'",
                "written_at" | "recorded_at" | "at" => "'2001-01-01T00:00:00.000000000Z'",
                "observed_at" => "'2001-01-01'",
                "confidence" => "0.123",
                _ if number => "3",
                _ => "'{\"tampered\":1}'",
            };
            let found = tampered(&format!("UPDATE {table} SET {column} = {value} WHERE {key} = 1"));
            assert!(!found.is_empty(), "{table}.{column} was changed and nobody noticed");
            changes += 1;
        }
    }
    assert!(changes > 35, "{changes}");
}

#[test]
fn missing_inserted_and_reordered_events_are_found() {
    for (sql, wrong) in [
        ("DELETE FROM events WHERE seq = 3", "event 3: it is missing"),
        ("DELETE FROM events WHERE seq = 1", "event 1: it is missing"),
        (
            "UPDATE events SET seq = 1000 WHERE seq = 2; UPDATE events SET seq = 2 WHERE seq = 3; UPDATE events SET seq = 3 WHERE seq = 1000",
            "event 2: its hash",
        ),
        (
            "INSERT INTO events (seq, at, actor, kind, body, hash) SELECT 1000, at, actor, kind, body, hash FROM events WHERE seq = 2",
            "event 1000",
        ),
        ("DELETE FROM rulings WHERE ruling = 2; DELETE FROM ruling_records WHERE ruling = 2", "are missing"),
        ("DELETE FROM ruling_records WHERE ruling = 1", "ruling 1: it is not what its event tells"),
        ("DELETE FROM records WHERE id = 'a1'", "event 2: the records that it brought"),
        ("DELETE FROM pairs WHERE pair = 1", "slot svc/mail region"),
        ("UPDATE pairs SET state = 'settled' WHERE pair = 1", "slot svc/mail region"),
        ("UPDATE slots SET value = '\"Berlin\"' WHERE attribute = 'home_city'", "slot user_31882 home_city"),
        ("UPDATE record_states SET state = 'live' WHERE state = 'history'", "slot user_31882 home_city"),
        ("DELETE FROM edges", "its edges are not those"),
        ("UPDATE pair_counts SET count = count + 1", "the counts of the queue"),
    ] {
        let found = tampered(sql).join("\n");
        assert!(found.contains(wrong), "{sql}\n{found}");
    }
}

#[test]
fn a_cut_tail_is_found_where_anything_rests_on_it() {
    // What the last events told is still in the rulings and the projections.
    let found = tampered("DELETE FROM events WHERE seq > 4").join("\n");
    assert!(found.contains("no event tells of it"), "{found}");
}

#[test]
fn a_changed_schema_is_found() {
    let (_folder, path) = busy_store();
    Connection::open(&path)
        .unwrap()
        .execute_batch("DROP TRIGGER records_are_kept; CREATE VIEW extra AS SELECT 1")
        .unwrap();
    let refused = Store::open(&path, instant(WRITTEN)).err().unwrap().to_string();
    assert!(refused.contains("extra does not belong to it"), "{refused}");
    let mut store = Store::open_as_it_is(&path, instant(WRITTEN)).unwrap();
    let found: Vec<String> =
        store.verify(instant(WRITTEN), |_, _| {}).unwrap().damage.into_iter().map(|it| it.what).collect();
    assert_eq!(found, ["records_are_kept", "extra"]);
}
