//! Export and import again: the same answers to every question, the same log, the same queue; and what is not as it was
//! written is refused whole.

use gainsay::core::recall::AsOf;
use gainsay::core::record::{Attribute, Subject};
use gainsay::core::time::When;
use gainsay::store::{By, LogFilter, RestoreError, Restored, Store, StoreError};
use gainsay::wire::archive::Line;
use proptest::prelude::*;
use rusqlite::Connection;
use rusqlite::types::Value as Cell;
use tempfile::TempDir;

use crate::desk::Desk;
use crate::lives::{ATTRIBUTES, SUBJECTS, any_life, live, moment};
use crate::script::{instant, properties, when};

pub(crate) fn exported(store: &mut Store) -> Vec<String> {
    let mut lines = Vec::new();
    let _header = store
        .export(|line| -> Result<(), StoreError> {
            lines.push(line.write().unwrap().to_string());
            Ok(())
        })
        .unwrap();
    lines
}

/// Brings lines back into a store of its own.
fn restored(lines: &[String]) -> Result<(Store, TempDir, Restored), RestoreError> {
    let folder = TempDir::new().unwrap();
    let now = instant("2027-01-01T00:00:00Z");
    let mut store = Store::open_or_create(&folder.path().join("copy.db"), now).unwrap();
    let read = lines.iter().enumerate().map(|(at, line)| {
        let number = at as u64 + 1;
        Ok((number, Line::read(line.as_bytes(), number)?))
    });
    let done = store.restore(&By { actor: "restorer", now }, read, false)?;
    Ok((store, folder, done))
}

/// Every row of what follows from what is true, as text; what only counts changes is left out.
pub(crate) fn projections(path: &std::path::Path) -> Vec<String> {
    let connection = Connection::open(path).unwrap();
    let tables = [
        ("slots", "slot, subject, attribute, home, status, value, contenders, supported_at"),
        ("record_states", "*"),
        ("edges", "*"),
        (
            "pairs",
            "pair, home, subject, attribute, left_record, right_record, grounds, state, opened_at, closed_at,
             CASE WHEN state <> 'settled' THEN deferred_until END, request, alias",
        ),
        ("pair_counts", "*"),
        ("pair_spans", "*"),
        ("tallies", "*"),
        ("batches", "*"),
        ("aliases", "*"),
    ];
    let mut rows = Vec::new();
    for (table, columns) in tables {
        let only = match table {
            "pair_counts" | "pair_spans" => "WHERE count <> 0",
            "tallies" => "WHERE won <> 0 OR lost <> 0",
            _ => "",
        };
        let mut statement = connection.prepare(&format!("SELECT {columns} FROM {table} {only}")).unwrap();
        let many = statement.column_count();
        let mut found = statement.query([]).unwrap();
        let mut of_table = Vec::new();
        while let Some(row) = found.next().unwrap() {
            let cells: Vec<Cell> = (0..many).map(|at| row.get(at).unwrap()).collect();
            of_table.push(format!("{table} {cells:?}"));
        }
        of_table.sort();
        rows.extend(of_table);
    }
    rows
}

fn log(store: &Store) -> Vec<String> {
    let mut events = Vec::new();
    store
        .log(&LogFilter::default(), |event| -> Result<(), StoreError> {
            events.push(event.to_json().to_string());
            Ok(())
        })
        .unwrap();
    events
}

/// The answer to every question that tells two stores apart.
fn answers(store: &Store, now: gainsay::core::time::Instant) -> Vec<String> {
    let about: [Option<When>; 3] = [None, Some(when("2025-10-15")), Some(when("2025-11-05T10:00:00Z"))];
    let believed = [None, Some(instant("2025-11-11T10:00:00Z")), Some(moment(3)), Some(moment(6))];
    let mut answers = Vec::new();
    for (subject, attribute) in
        SUBJECTS.iter().flat_map(|it| ATTRIBUTES.iter().map(move |attribute| (it, attribute)))
    {
        let (subject, attribute) = (Subject::from(*subject), Attribute::from(*attribute));
        for (about, believed_at) in about.iter().flat_map(|about| believed.iter().map(move |at| (*about, *at))) {
            let as_of = AsOf { believed_at, about };
            answers.push(format!("{:?}", store.recall(&subject, &attribute, as_of, now).unwrap()));
        }
        answers.push(format!("{:?}", store.history(&subject, &attribute, now).unwrap()));
    }
    answers
}

proptest! {
    #![proptest_config(properties(64))]

    #[test]
    fn an_export_brought_back_answers_the_same_from_the_same_log(life in any_life()) {
        let mut desk = live(&life);
        let lines = exported(&mut desk.store);
        let (mut copy, folder, done) = restored(&lines).unwrap();
        prop_assert_eq!(log(&copy), log(&desk.store));
        let now = moment(life.len());
        prop_assert_eq!(answers(&copy, now), answers(&desk.store, now));
        prop_assert_eq!(projections(&folder.path().join("copy.db")), projections(&desk.path()));
        prop_assert_eq!(exported(&mut copy), lines);
        prop_assert_eq!(done.header.events, log(&copy).len() as u64);
        let found = copy.verify(now, |_, _| {}).unwrap();
        prop_assert!(found.is_ok(), "{:?}", found.damage);
        desk.is_whole();
    }
}

/// A store with a bit of everything, and its lines.
fn told() -> (Desk, Vec<String>) {
    let (mut desk, _seen) = crate::tampering::busy_desk();
    let lines = exported(&mut desk.store);
    (desk, lines)
}

#[test]
fn what_is_not_as_it_was_written_is_refused_whole() {
    let (_desk, lines) = told();
    assert!(restored(&lines).is_ok());
    let last = lines.len() - 1;
    let changed = |from: &str, to: &str| -> Vec<String> {
        let changed: Vec<String> = lines.iter().map(|line| line.replacen(from, to, 1)).collect();
        assert_ne!(changed, lines, "{from} is not in it");
        changed
    };
    let without = |at: usize| -> Vec<String> {
        let mut fewer = lines.clone();
        let _gone = fewer.remove(at);
        fewer
    };
    let cases: Vec<(Vec<String>, &str)> = vec![
        (changed("\"value\":\"Berlin\"", "\"value\":\"Bremen\""), "the records that it brought are not those"),
        (
            changed(
                "\"actor\":\"reviewer\",\"kind\":\"accept\",\"pair\":1,\"slot\"",
                "\"actor\":\"lee\",\"kind\":\"accept\",\"pair\":1,\"slot\"",
            ),
            "ruling 2: it is not what its event tells",
        ),
        (changed("\"kind\":\"import\"", "\"kind\":\"undo\""), "the hash of event 2 does not follow"),
        (without(last), "events, and holds"),
        (without(0), "the first line is missing"),
        (without(3), "FOREIGN KEY constraint failed"),
        (lines[..4].to_vec(), "and holds"),
        ([lines.clone(), lines.clone()].concat(), "a second export begins here"),
        (changed("{\"event\":", "{\"happening\":"), "unknown variant `happening`"),
        (changed("\"format\":1", "\"format\":2"), "form 1, which this version knows"),
    ];
    for (lines, wrong) in cases {
        let error = restored(&lines).err().map(|error| format!("{error} {error:?}")).unwrap_or_default();
        assert!(error.contains(wrong), "{wrong}: {error}");
    }
}

#[test]
fn a_store_with_anything_in_it_takes_no_export() {
    let (mut desk, lines) = told();
    let read = lines.iter().zip(1..).map(|(line, at)| Ok((at, Line::read(line.as_bytes(), at)?)));
    let by = By { actor: "restorer", now: desk.now };
    assert!(matches!(desk.store.restore(&by, read, false), Err(RestoreError::NotEmpty)));
    desk.is_whole();
}
