//! A store that holds much is checked by several at a time: what is wrong is named as it is in a small one.

use std::fs;

use gainsay::store::Store;
use rusqlite::Connection;
use tempfile::TempDir;

use crate::desk::Desk;
use crate::dice::{Dice, rounds, tell};
use crate::script::{Told, WRITTEN, instant, record};
use crate::stray::attack;
use crate::together::names;

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
    attack(&path, edit);
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

/// A folder with a great store in it, closed.
fn closed() -> TempDir {
    let Desk { store, folder, .. } = towns(2_600);
    drop(store);
    assert_eq!(names(folder.path()), ["store.db"]);
    folder
}

#[test]
fn a_great_store_that_may_only_be_read_is_checked_by_several_and_nothing_is_made_beside_it() {
    let (folder, now) = (closed(), instant(WRITTEN));
    let path = folder.path().join("store.db");
    let before = fs::read(&path).unwrap();
    for open in [Store::open_to_read, Store::open_as_it_is_to_read] {
        let mut store = open(&path, now).unwrap();
        assert!(store.verify(now, |_, _| {}).unwrap().is_ok());
        assert_eq!(names(folder.path()), ["store.db"]);
    }
    assert!(fs::read(&path).unwrap() == before, "it was written to");
    // Nothing that it brings along is run by those who look at it.
    let stray = Connection::open(&path).unwrap();
    stray.execute_batch("CREATE TRIGGER planted AFTER INSERT ON checks BEGIN DELETE FROM checks; END").unwrap();
    drop(stray);
    let mut store = Store::open_as_it_is(&path, now).unwrap();
    let found = store.verify(now, |_, _| {}).unwrap();
    assert_eq!(found.damage.iter().map(|damage| damage.what.as_str()).collect::<Vec<_>>(), ["planted"]);
}

#[test]
fn a_great_store_with_pages_that_cannot_be_read_is_looked_at_as_far_as_it_can_be() {
    const PAGE: usize = 4_096;
    let (folder, now, many, mut dice) = (closed(), instant(WRITTEN), rounds(12, 400), Dice::of(77));
    let whole = fs::read(folder.path().join("store.db")).unwrap();
    let path = folder.path().join("broken.db");
    let (mut found, mut refused, mut idle) = (0, 0, 0);
    for nth in 0..many {
        let mut bytes = whole.clone();
        let page = (1 + dice.below(whole.len() / PAGE - 1)) * PAGE;
        bytes[page..page + PAGE].fill(if nth % 2 == 0 { 0 } else { 0xa5 });
        fs::write(&path, &bytes).unwrap();
        match Store::open_as_it_is(&path, now) {
            Ok(mut store) => {
                let seen = store.verify(now, |_, _| {}).unwrap();
                let mut damage = seen.damage.clone();
                damage.dedup();
                assert_eq!(damage, seen.damage, "page {page}: it is told twice");
                assert!(seen.is_ok() || seen.records > 0 || seen.events > 0, "page {page}: {:?}", seen.damage);
                *if seen.is_ok() { &mut idle } else { &mut found } += 1;
            }
            Err(_) => refused += 1,
        }
        for ending in ["-wal", "-shm"] {
            drop(fs::remove_file(format!("{}{ending}", path.display())));
        }
    }
    tell(&format!(
        "{many} pages of a great store lost: {found} found, {refused} kept it from being opened, {idle} were free"
    ));
    assert!(found > many / 2, "{found} of {many}");
}
