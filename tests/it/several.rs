//! A store that holds much is checked by several at a time: what is wrong is named as it is in a small one.

use gainsay::store::Store;
use rusqlite::Connection;

use crate::desk::Desk;
use crate::script::{Told, WRITTEN, instant, record};

/// So many subjects with a city each; every tenth moved, and of every tenth nobody knows which city it is.
fn towns(many: usize) -> Desk {
    let mut desk = Desk::new();
    desk.import((0..many).flat_map(|at| {
        let city = |city: &str, when: &str| {
            let it = record(&format!("user_{at:04}"), "home_city", city).id(&format!("m{at}{city}"));
            it.by("user_utterance").observed(when).epoch(1)
        };
        let first = city("Lisbon", "2025-03-01");
        match at % 10 {
            3 => vec![first, city("Berlin", "2025-04-01")],
            7 => vec![first, city("Berlin", "2025-03-01")],
            _ => vec![first],
        }
    }));
    desk.is_whole();
    desk
}

/// What `verify` finds after an edit behind the program's back.
fn found(desk: Desk, edit: &str) -> Vec<String> {
    let path = desk.path();
    let Desk { store, folder: _folder, .. } = desk;
    drop(store);
    let stray = Connection::open(&path).unwrap();
    let triggers: Vec<(String, String)> = stray
        .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    stray.execute_batch("PRAGMA foreign_keys = off").unwrap();
    for (name, _) in &triggers {
        stray.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    stray.execute_batch(edit).unwrap();
    for (_, sql) in &triggers {
        stray.execute_batch(sql).unwrap();
    }
    drop(stray);
    let mut store = Store::open(&path, instant(WRITTEN)).unwrap();
    let found = store.verify(instant(WRITTEN), |_, _| {}).unwrap();
    found.damage.into_iter().map(|damage| format!("{}: {}", damage.what, damage.wrong)).collect()
}

#[test]
fn what_is_wrong_in_a_great_store_is_named_as_in_a_small_one() {
    let alone = "slot = (SELECT slot FROM slots WHERE subject = 'user_0012')";
    let moved = "slot = (SELECT slot FROM slots WHERE subject = 'user_0013')";
    let torn = "slot = (SELECT slot FROM slots WHERE subject = 'user_0017')";
    let edits = format!(
        "UPDATE slots SET status = 'contested' WHERE {alone};
         UPDATE slots SET value = '\"Porto\"' WHERE {moved};
         UPDATE slots SET contenders = 1 WHERE {torn};
         UPDATE record_states SET state = 'history' WHERE record = (SELECT record FROM records WHERE id = 'm14Lisbon');
         DELETE FROM record_states WHERE record = (SELECT record FROM records WHERE id = 'm15Lisbon');
         UPDATE slots SET supported_at = NULL WHERE subject = 'user_0016';
         UPDATE records SET value = '\"Porto\"' WHERE id = 'm18Lisbon';
         UPDATE records SET content = x'00' WHERE id = 'm19Lisbon';
         UPDATE records SET observed_at = 'noon' WHERE id = 'm20Lisbon';
         UPDATE batches SET median_lag = median_lag + 1, lag_6 = lag_6 + 1;
         DELETE FROM edges WHERE to_record = (SELECT record FROM records WHERE id = 'm23Lisbon');
         UPDATE events SET actor = 'nobody' WHERE seq = 2;"
    );
    let small = found(towns(40), &edits);
    let great = found(towns(2_600), &edits);
    assert_eq!(small, great);
    let wrong: Vec<&str> = small.iter().map(|it| it.split(": ").next().unwrap_or_default()).collect();
    let slots = [12, 13, 14, 15, 16, 17, 18, 20, 23].map(|at| format!("slot user_00{at} home_city"));
    let expected = ["record m18Lisbon", "record m19Lisbon", "record number"].map(str::to_owned);
    for named in slots.iter().chain(&expected) {
        assert!(wrong.iter().any(|it| it.starts_with(named)), "{named} in {small:#?}");
    }
    for named in ["event 2", "batch story"] {
        assert!(wrong.contains(&named), "{named} in {small:#?}");
    }
}

#[test]
fn each_number_of_a_batch_is_counted_anew() {
    let columns: Vec<String> = Connection::open(towns(1).path())
        .unwrap()
        .prepare("SELECT name FROM pragma_table_info('batches') WHERE name <> 'batch'")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert!(columns.len() > 20, "{columns:?}");
    for column in columns {
        let other = if column.ends_with("written") || column == "recorded_at" {
            format!("'0' || {column}")
        } else {
            format!("{column} + 1")
        };
        let found = found(towns(20), &format!("UPDATE batches SET {column} = {other}"));
        assert_eq!(found, ["batch story: its numbers are not those of its records, pairs and rulings"], "{column}");
    }
}

#[test]
fn a_check_by_several_is_given_up_where_nobody_waits_for_it() {
    let mut desk = towns(2_600);
    assert_eq!(desk.store.verify_while(desk.now, |_, _| false).unwrap(), None);
    let mut told = Vec::new();
    let whole = desk.store.verify_while(desk.now, |done, of| {
        told.push((done, of));
        true
    });
    assert!(whole.unwrap().unwrap().is_ok());
    assert!(told.iter().all(|(done, of)| done <= of), "{told:?}");
}
