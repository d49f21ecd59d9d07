//! What a loss of power may leave: a side file cut short anywhere, or with a bit of it flipped. Whatever is left of it is
//! a store as it was after one of its writes, whole, and never a part of one.

use std::collections::BTreeMap;
use std::fs;

use gainsay::store::Store;
use rusqlite::Connection;

use crate::called::{Folder, ties};
use crate::content::content;
use crate::dice::{Dice, rounds, skipped, tell};
use crate::script::{WRITTEN, instant};

const RULINGS: usize = 12;

/// What a store says, table by table.
type Said = BTreeMap<String, Vec<String>>;

/// A store whose last rulings lie in its side file: the store, the side file, and what the store said after each write.
fn unmerged() -> (Folder, Vec<u8>, Vec<u8>, Vec<Said>) {
    let folder = Folder::new();
    folder.write("ties.jsonl", ties(RULINGS));
    folder.says(&["import", "ties.jsonl"]);
    let mut said = vec![content(&folder.path("store.db")).unwrap()];
    // While somebody reads, nothing is brought into the store.
    let reader = Connection::open(folder.path("store.db")).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM records").unwrap();
    for pair in 1..=RULINGS {
        let (number, record) = (pair.to_string(), format!("b{pair}"));
        folder.says(&["accept", &number, "--record", &record, "--reason", "it was checked"]);
        said.push(merged(&folder, &read(&folder, "store.db"), &read(&folder, "store.db-wal")));
    }
    let (store, side) = (read(&folder, "store.db"), read(&folder, "store.db-wal"));
    drop(reader);
    (folder, store, side, said)
}

fn read(folder: &Folder, name: &str) -> Vec<u8> {
    fs::read(folder.path(name)).unwrap()
}

/// What a store says with this side file, once it is brought in.
fn merged(folder: &Folder, store: &[u8], side: &[u8]) -> Said {
    let path = folder.path("torn.db");
    for name in ["torn.db-wal", "torn.db-shm"] {
        drop(fs::remove_file(folder.path(name)));
    }
    fs::write(&path, store).unwrap();
    folder.write("torn.db-wal", side);
    let whole = Connection::open(&path).unwrap();
    whole.execute_batch("PRAGMA synchronous = off; PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    drop(whole);
    content(&path).unwrap()
}

#[test]
fn a_side_file_that_was_cut_or_flipped_leaves_a_store_as_it_was_once() {
    let (folder, store, side, said) = unmerged();
    let (cuts, flips, mut dice) = (rounds(60, 1_200), rounds(60, 600), Dice::of(2));
    let mut seen: BTreeMap<usize, usize> = BTreeMap::new();
    let states = (0..cuts)
        .map(|cut| side[..side.len() * cut / cuts + cut % 7].to_vec())
        .chain((0..flips).map(|_| {
            let mut flipped = side.clone();
            let at = dice.below(flipped.len());
            flipped[at] ^= 1 << dice.below(8);
            flipped
        }))
        .collect::<Vec<_>>();
    for (nth, state) in states.iter().enumerate() {
        let now = merged(&folder, &store, state);
        let Some(writes) = said.iter().position(|said| *said == now) else {
            panic!("state {nth}: the store is as it never was");
        };
        // That a state is one that was left by a write, verify need not be asked of each twice.
        if seen.insert(writes, 1 + seen.get(&writes).unwrap_or(&0)).is_none() {
            let mut store = Store::open(&folder.path("torn.db"), instant(WRITTEN)).unwrap();
            let found = store.verify(instant(WRITTEN), |_, _| {}).unwrap();
            assert!(found.is_ok(), "{:?}", found.damage);
        }
    }
    tell(&format!(
        "{} side files, cut or flipped: {} states of {} that ever were, none other",
        states.len(),
        seen.len(),
        said.len()
    ));
    assert!(seen.len() > RULINGS / 2, "{seen:?}");
}

#[test]
fn a_ruling_is_on_the_disk_before_it_is_told() {
    let folder = Folder::new();
    folder.write("ties.jsonl", ties(1));
    folder.says(&["import", "ties.jsonl"]);
    // Of the system's calls that reach the disk, as the system saw them, where it lets itself be asked.
    let traced = folder.command("dana", &["accept", "1", "--record", "a1", "--reason", "it was checked"]);
    let mut trace = std::process::Command::new("strace");
    trace.current_dir(folder.at()).args(["-f", "-e", "trace=fsync,fdatasync,write,pwrite64", "-o", "trace"]);
    trace.arg(traced.get_program()).args(traced.get_args()).env_clear().env("GAINSAY_ACTOR", "dana");
    match trace.output() {
        Ok(output) if output.status.success() => {}
        _ => return skipped("strace is not there, or may not look"),
    }
    let calls = fs::read_to_string(folder.path("trace")).unwrap();
    let told = calls.lines().position(|call| call.contains("write(1, ") && call.contains("ruling")).unwrap();
    let before: Vec<&str> = calls.lines().take(told).collect();
    let written = before.iter().rposition(|call| call.contains("pwrite64(")).unwrap();
    let synced = before.iter().rposition(|call| call.contains("sync(") && call.contains("= 0")).unwrap();
    assert!(synced > written, "something was written and not brought to the disk before it was told:\n{calls}");
}
