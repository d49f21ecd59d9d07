//! One field changed by plain SQL, hundreds of times, in stores that lived by chance: `verify` finds and names each.

use std::fs;
use std::path::{Path, PathBuf};

use gainsay::core::time::Instant;
use gainsay::store::{Store, Verification};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rusqlite::Connection;
use rusqlite::types::Value as Cell;
use tempfile::TempDir;

use crate::content::{counts_something, is_said, tables};
use crate::dice::{Dice, rounds};
use crate::lives::{any_life, live, moment};
use crate::stray::behind;

/// A store that lived by chance and is closed; the folder that keeps it.
pub(crate) fn lived(seed: u64) -> (TempDir, PathBuf) {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let life = any_life().new_tree(&mut runner).unwrap().current();
    let mut desk = live(&life);
    desk.is_whole();
    let path = desk.path();
    drop(desk.store);
    (desk.folder, path)
}

/// After everything that happened in any of them.
pub(crate) fn later() -> Instant {
    moment(100)
}

/// What `verify` says of a file: what it found, or why it could not be opened.
pub(crate) fn verified(path: &Path) -> Result<Verification, String> {
    // As the command of that name opens it.
    let mut store = Store::open_as_it_is(path, later()).map_err(|error| error.to_string())?;
    store.verify(later(), |_, _| {}).map_err(|error| format!("verify gave up: {error}"))
}

/// One change of one field.
struct Change {
    table: String,
    column: String,
    row: i64,
    from: Cell,
    to: Cell,
}

/// Something else that the same column might say: a little more or less, another row's word, nothing where something was.
fn other(dice: &mut Dice, stray: &Connection, table: &str, column: &str, from: &Cell) -> Cell {
    if dice.below(3) == 0 {
        let sql = format!("SELECT {column} FROM {table} WHERE {column} IS NOT NULL ORDER BY 1");
        let others: Vec<Cell> =
            stray.prepare(&sql).unwrap().query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        if !others.is_empty() {
            return dice.one_of(&others).clone();
        }
    }
    match from {
        Cell::Null => match dice.below(2) {
            0 => Cell::Integer(1),
            _ => Cell::Text(String::new()),
        },
        Cell::Integer(number) => match dice.below(3) {
            0 => Cell::Integer(number + 1),
            1 => Cell::Integer(number - 1),
            _ => Cell::Null,
        },
        Cell::Real(number) => Cell::Real(number / 2.0),
        Cell::Text(text) if text.is_empty() || dice.below(8) == 0 => Cell::Null,
        Cell::Text(text) => {
            let mut letters: Vec<char> = text.chars().collect();
            let at = dice.below(letters.len());
            letters[at] = *dice.one_of(&['0', '7', 'x', 'Z', ' ']);
            Cell::Text(letters.into_iter().collect())
        }
        Cell::Blob(bytes) => {
            let mut bytes = bytes.clone();
            let at = dice.below(bytes.len().max(1));
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << dice.below(8);
            }
            Cell::Blob(bytes)
        }
    }
}

/// Changes one field in which something is said; none where what was tried cannot stand there.
fn change(dice: &mut Dice, stray: &Connection) -> Option<Change> {
    let tables = tables(stray).unwrap();
    // What is true is as often meant as what follows from it, of which there are more tables.
    let truth = ["records", "rulings", "ruling_records", "policies", "events"];
    let table = if dice.below(2) == 0 { (*dice.one_of(&truth)).to_owned() } else { dice.one_of(&tables).clone() };
    let columns: Vec<String> = stray
        .prepare(&format!("SELECT name FROM pragma_table_info('{table}')"))
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .filter(|column: &String| is_said(&table, column))
        .collect();
    let which = counts_something(&table);
    let many: i64 =
        stray.query_row(&format!("SELECT count(*) FROM {table} WHERE {which}"), [], |row| row.get(0)).unwrap();
    if many == 0 || columns.is_empty() {
        return None;
    }
    let (column, row) = (dice.one_of(&columns).clone(), dice.below(many.try_into().unwrap()));
    // Some tables have no row numbers: a row is meant by its place, and changed by all that it says.
    let whole: Vec<(String, Cell)> = stray
        .prepare(&format!("SELECT * FROM {table} WHERE {which} LIMIT 1 OFFSET {row}"))
        .unwrap()
        .query_row([], |it| {
            let names: Vec<String> = it.as_ref().column_names().map(str::to_owned).collect();
            names.into_iter().enumerate().map(|(at, name)| Ok((name, it.get(at)?))).collect()
        })
        .unwrap();
    let from = whole.iter().find(|(name, _)| *name == column).unwrap().1.clone();
    let to = other(dice, stray, &table, &column, &from);
    let same: Vec<String> = (0..whole.len()).map(|at| format!("\"{}\" IS ?{}", whole[at].0, at + 2)).collect();
    let sql = format!("UPDATE {table} SET {column} = ?1 WHERE {}", same.join(" AND "));
    let values = std::iter::once(to.clone()).chain(whole.into_iter().map(|(_, cell)| cell));
    // A column that must not be empty, a name that is taken: the file itself refuses what cannot stand there.
    let changed = stray.execute(&sql, rusqlite::params_from_iter(values)).unwrap_or(0);
    (changed == 1 && to != from).then_some(Change { table, column, row: row as i64, from, to })
}

/// Takes away what refuses a change, makes one, and puts it back.
fn tamper(dice: &mut Dice, path: &Path) -> Option<Change> {
    behind(path, |stray| change(dice, stray))
}

#[test]
fn every_changed_field_is_found_and_named() {
    let (changes, mut dice) = (rounds(60, 400), Dice::of(400));
    let (mut made, mut unseen, mut seed) = (0, Vec::new(), 0);
    while made < changes {
        seed += 1;
        let (folder, path) = lived(seed);
        for nth in 0..20 {
            let copy = folder.path().join(format!("copy{nth}.db"));
            fs::copy(&path, &copy).unwrap();
            let Some(change) = tamper(&mut dice, &copy) else { continue };
            made += 1;
            let Change { table, column, row, from, to } = &change;
            let what = format!("life {seed}: {table}.{column} of row {row}: {from:?} became {to:?}");
            match verified(&copy) {
                Ok(found) if found.is_ok() => unseen.push(what),
                Ok(found) => assert!(found.damage.iter().all(|damage| !damage.what.is_empty()), "{what}"),
                Err(error) => unseen.push(format!("{what}: {error}")),
            }
            fs::remove_file(&copy).unwrap();
        }
    }
    assert!(unseen.is_empty(), "{} of {made} changes were not found:\n{}", unseen.len(), unseen.join("\n"));
}
