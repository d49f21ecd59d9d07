//! One bit of the file flipped: whatever changes what the store says is found by `verify`, or keeps the file from being
//! opened. Bits that nothing is read from change nothing, and are counted apart.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use gainsay::core::order::Order;
use gainsay::core::record::Batch;
use gainsay::core::ruling::{PairId, WithdrawReason};
use gainsay::store::{By, Import, StoreError};
use gainsay::wire::Defaults;
use gainsay::wire::generate::Generator;
use gainsay::wire::record::records;
use tempfile::TempDir;

use crate::altered::verified;
use crate::content::content;
use crate::desk::Desk;
use crate::dice::{Dice, rounds, tell};

/// Half of what is generated opens a pair.
const MIX: &str = "lone=20,agreeing=5,superseding=8,retracted=3,missing_provenance=8,cross_epoch=6,\
                   cardinality_undeclared=6,authority_unknown=4,order_undecidable=20,unicode=100";

/// Records made up, so many of them, in one batch.
pub(crate) fn import_made(desk: &mut Desk, many: u64, seed: u64, batch: &str) {
    let made = Generator::new(many, None, seed, MIX.parse().unwrap()).unwrap();
    let text: String = made.lines().map(|line| line + "\n").collect();
    let batch = Batch::from(batch);
    let defaults = Defaults { now: desk.now, batch: batch.clone(), epoch: None, zone: None };
    let read = records(text.as_bytes(), defaults).map(|read| Ok::<_, StoreError>(read.unwrap().1.unwrap()));
    let by = By { actor: "agent", now: desk.now };
    let import = Import { batch, dry_run: false, each: false };
    desk.store.import(&by, &import, read, |clash| panic!("{}", clash.id), |_| {}).unwrap();
}

/// A store in which much was ruled, closed, in one file.
pub(crate) fn worked_on(many: u64) -> (TempDir, PathBuf) {
    let mut desk = Desk::new();
    import_made(&mut desk, many, 11, "made");
    for (nth, entry) in desk.open().into_iter().enumerate() {
        let (pair, reason) = (entry.pair, "it was checked".to_owned());
        let [winner, other] = entry.records;
        let order = match nth % 7 {
            0 | 1 => Order::Accept { pair, winner, recency_override: true, reason },
            2 => Order::LinkSame { pair, reason },
            3 => Order::LinkAcrossEpochs { pair, cause: Some("a deploy".to_owned()), reason },
            4 => Order::Request { pair },
            5 => Order::Withdraw {
                what: gainsay::core::order::Withdrawn::Record(other),
                why: WithdrawReason::Misspoke,
                note: Some(reason),
            },
            _ => Order::Defer { pair, until: desk.now.plus(chrono::Duration::days(3)) },
        };
        let _refused = desk.order("dana", &order);
    }
    desk.order("dana", &Order::Undo { ruling: None }).unwrap();
    let _refused = desk.order("lee", &Order::LinkSame { pair: PairId(1), reason: "one".to_owned() });
    desk.is_whole();
    let path = desk.path();
    drop(desk.store);
    (desk.folder, path)
}

/// The status with which the program itself answers `verify`.
pub(crate) fn status(path: &std::path::Path) -> Option<i32> {
    let output = Command::new(env!("CARGO_BIN_EXE_gainsay"))
        .env_clear()
        .args(["--store", &path.display().to_string(), "--actor", "dana", "--json", "verify"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!said.contains("panicked"), "{said}");
    output.status.code()
}

#[test]
fn a_flipped_bit_that_changes_what_is_said_is_found() {
    let (folder, path) = worked_on(150);
    let (whole, before) = (fs::read(&path).unwrap(), content(&path).unwrap());
    let copy = folder.path().join("flipped.db");
    let (flips, mut dice) = (rounds(100, 1_000), Dice::of(1_000));
    let (mut found, mut refused, mut idle, mut beside, mut unseen) = (0, 0, 0, 0, Vec::new());
    for nth in 0..flips {
        let (at, bit) = (dice.below(whole.len()), dice.below(8));
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << bit;
        fs::write(&copy, &flipped).unwrap();
        let after = content(&copy);
        let changed = after.as_ref().ok() != Some(&before);
        let wanted = match verified(&copy) {
            Ok(damage) if damage.is_ok() => 0,
            Ok(damage) => {
                assert!(damage.damage.iter().all(|damage| !damage.what.is_empty()));
                5
            }
            Err(error) => {
                assert!(!error.contains("gave up"), "byte {at} bit {bit}: {error}");
                4
            }
        };
        match (wanted, changed) {
            (5, true) => found += 1,
            (4, _) => refused += 1,
            (5, false) => beside += 1,
            (_, false) => idle += 1,
            (_, true) => {
                let after = after.map(|after| {
                    let changed = before.iter().find(|(table, rows)| after.get(*table) != Some(rows));
                    changed.map(|(table, rows)| {
                        let now = after.get(table).cloned().unwrap_or_default();
                        let differs = rows.iter().zip(&now).find(|(a, b)| a != b);
                        format!("{table}: {differs:?}")
                    })
                });
                unseen.push(format!("byte {at} (page {}) bit {bit}: {after:?}", at / 4096 + 1));
            }
        }
        // The program itself answers so.
        if nth % 25 == 0 {
            fs::write(&copy, &flipped).unwrap();
            assert_eq!(status(&copy), Some(wanted), "byte {at} bit {bit}");
        }
        for name in ["flipped.db-wal", "flipped.db-shm"] {
            drop(fs::remove_file(folder.path().join(name)));
        }
    }
    tell(&format!(
        "{flips} bits flipped: {found} changed what is said and were found, {refused} kept the file from being opened, \
         {beside} changed only what leads to it and were found, {idle} changed nothing, {} were not found",
        unseen.len()
    ));
    assert!(unseen.is_empty(), "{} of {flips} flips were not found:\n{}", unseen.len(), unseen.join("\n"));
    assert!(found + refused + beside > flips / 10, "hardly any bit was one of what is said");
}
