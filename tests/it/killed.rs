//! Killed at any moment: what was acknowledged is there, nothing is there by half, and the store is whole.
//!
//! `kill -9` takes a process and leaves what it gave to the system; so this is held for processes, as the README says,
//! and `torn` holds it for files of which only a part was written.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use gainsay::core::order::{Order, Withdrawn};
use gainsay::core::record::{Batch, RecordId};
use gainsay::core::ruling::{PairId, WithdrawReason};
use gainsay::store::{By, Store};

use crate::called::{Folder, made, ties};
use crate::dice::{Dice, rounds, tell};
use crate::script::{WRITTEN, instant};
use crate::together::names;

/// Kills processes at random moments of the time that they take, until so many were killed while they ran.
struct Killer {
    dice: Dice,
    wanted: usize,
    killed: usize,
    tries: usize,
    /// How long such a process takes, as far as is known: a machine is slower at one time than at another.
    whole: Duration,
}

impl Killer {
    /// Learns how long it takes where nobody disturbs it.
    fn new(seed: u64, wanted: usize, folder: &Folder, arguments: &[&str]) -> Self {
        let begun = Instant::now();
        folder.says(arguments);
        Self { dice: Dice::of(seed), wanted, killed: 0, tries: 0, whole: begun.elapsed() }
    }

    fn goes_on(&self) -> bool {
        assert!(self.tries < self.wanted * 8, "only {} of {} were killed while they ran", self.killed, self.tries);
        self.killed < self.wanted
    }

    /// Lets a process run for a while, and kills it; says how it ended.
    fn kill(&mut self, child: &mut Child) -> ExitStatus {
        sleep(self.whole * u32::try_from(self.dice.below(1_000)).unwrap() / 500);
        let running = child.try_wait().unwrap().is_none();
        child.kill().unwrap();
        self.tries += 1;
        self.killed += usize::from(running);
        self.whole = if running { self.whole * 21 / 20 } else { self.whole * 9 / 10 };
        child.wait().unwrap()
    }
}

#[test]
fn a_store_in_the_making_is_there_whole_or_not_at_all() {
    let folder = Folder::new();
    folder.write("made.jsonl", made(400, 5));
    let mut killer = Killer::new(1, rounds(5, 75), &folder, &["import", "made.jsonl"]);
    let mut there = 0;
    while killer.goes_on() {
        for name in ["store.db", "store.db-wal", "store.db-shm"] {
            drop(fs::remove_file(folder.path(name)));
        }
        let mut child = folder.start("agent", &["import", "made.jsonl"]);
        killer.kill(&mut child);
        if folder.path("store.db").exists() {
            assert_eq!(folder.is_whole(), 400, "a part of an import was published");
            there += 1;
        }
        // What was killed is in nobody's way, and the next takes away what it left.
        drop(fs::remove_file(folder.path("store.db")));
        folder.says(&["import", "made.jsonl"]);
        assert_eq!(folder.is_whole(), 400);
        let left: Vec<String> =
            names(folder.at()).into_iter().filter(|name| name.starts_with(".gainsay")).collect();
        assert_eq!(left, Vec::<String>::new());
    }
    let Killer { tries, killed, .. } = killer;
    tell(&format!("{tries} imports into no store: {killed} were killed while they ran, {there} were there, whole"));
}

#[test]
fn an_import_into_a_store_is_taken_whole_or_not_at_all() {
    let folder = Folder::new();
    folder.write("ties.jsonl", ties(20));
    folder.says(&["import", "ties.jsonl"]);
    folder.says(&["backup", "before.db"]);
    folder.write("made.jsonl", made(400, 6));
    let mut killer = Killer::new(2, rounds(5, 75), &folder, &["import", "made.jsonl"]);
    let mut taken = 0;
    while killer.goes_on() {
        for name in ["store.db-wal", "store.db-shm"] {
            drop(fs::remove_file(folder.path(name)));
        }
        fs::copy(folder.path("before.db"), folder.path("store.db")).unwrap();
        let mut child = folder.start("agent", &["import", "made.jsonl"]);
        killer.kill(&mut child);
        let records = folder.is_whole();
        assert!([40, 440].contains(&records), "{records} records: a part of an import is there");
        taken += usize::from(records == 440);
        folder.says(&["import", "made.jsonl"]);
        assert_eq!(folder.is_whole(), 440);
    }
    let Killer { tries, killed, .. } = killer;
    tell(&format!("{tries} imports into a store: {killed} were killed while they ran, {taken} were taken, whole"));
}

#[test]
fn a_ruling_that_a_caller_saw_done_is_there() {
    let kills = rounds(6, 80);
    let folder = Folder::new();
    folder.write("ties.jsonl", ties(8 * kills + 1));
    folder.says(&["import", "ties.jsonl"]);
    let arguments = ["accept", "1", "--record", "a1", "--reason", "how long it takes"];
    let mut killer = Killer::new(3, kills, &folder, &arguments);
    let (mut acknowledged, mut pair) = (BTreeSet::from([1]), 1_usize);
    while killer.goes_on() {
        pair += 1;
        let (number, record) = (pair.to_string(), format!("b{pair}"));
        let mut child =
            folder.start("lee", &["accept", &number, "--record", &record, "--reason", "it was checked"]);
        if killer.kill(&mut child).success() {
            acknowledged.insert(pair as u64);
        }
        let log = folder.lines(&["log", "--kind", "accept"]);
        let told: BTreeSet<u64> = log.iter().map(|event| event["pair"].as_u64().unwrap()).collect();
        assert_eq!(told.len(), log.len(), "a ruling is told twice");
        assert!(told.is_superset(&acknowledged), "lost: {:?}", acknowledged.difference(&told));
        assert!(told.iter().all(|it| *it <= pair as u64));
        folder.is_whole();
    }
    let (Killer { tries, killed, .. }, acknowledged) = (killer, acknowledged.len() - 1);
    tell(&format!("{tries} rulings: {killed} were killed while they ran, {acknowledged} were acknowledged"));
}

/// The variable that makes a worker of this program.
const WORKER: &str = "GAINSAY_TEST_WORKS_ON";

/// So many pairs are ruled on in one stroke.
const STROKE: usize = 5;

/// What the worker does over and over, each time with a line when it is done: a bulk of rulings, its undo and its redo,
/// one ruling, a withdrawn batch and its undo.
#[test]
#[ignore = "it is a process that another test starts and kills"]
fn works_until_it_is_killed() {
    let path = std::env::var(WORKER).unwrap();
    let mut store = Store::open(path.as_ref(), instant(WRITTEN)).unwrap();
    let by = By { actor: "lee", now: instant(WRITTEN) };
    let mut out = std::io::stdout();
    let mut done = |what: &str, ruling: gainsay::core::ruling::RulingId| {
        writeln!(out, "done {} {what}", ruling.0).unwrap();
        out.flush().unwrap();
    };
    let accept = |pair: usize, side: &str| Order::Accept {
        pair: PairId(pair as i64),
        winner: RecordId::from(format!("{side}{pair}").as_str()),
        recency_override: false,
        reason: "it was checked".to_owned(),
    };
    for turn in 0.. {
        let side = if turn % 2 == 0 { "a" } else { "b" };
        let bulk: Vec<_> = (1..=STROKE).map(|pair| (accept(pair, side), None)).collect();
        let answers = store.order_all(&bulk, &by, &mut |_, _| true).unwrap().unwrap();
        done("bulk", answers[0].as_ref().unwrap().ruling);
        done("undo", store.order(&Order::Undo { ruling: None }, &by, None).unwrap().ruling);
        done("one", store.order(&accept(STROKE + 1, side), &by, None).unwrap().ruling);
        done("undo", store.order(&Order::Undo { ruling: None }, &by, None).unwrap().ruling);
        let what = Withdrawn::Batch(Batch::from("made"));
        let withdraw = Order::Withdraw { what, why: WithdrawReason::BadBatch, note: None };
        done("withdraw", store.order(&withdraw, &by, None).unwrap().ruling);
        done("undo", store.order(&Order::Undo { ruling: None }, &by, None).unwrap().ruling);
    }
}

#[test]
fn bulks_withdrawals_and_undos_are_there_whole_once_they_are_acknowledged() {
    let (kills, mut dice) = (rounds(10, 80), Dice::of(4));
    let folder = Folder::new();
    folder.write("ties.jsonl", ties(STROKE + 1));
    folder.write("made.jsonl", made(60, 7));
    folder.says(&["import", "ties.jsonl", "--batch", "ties"]);
    folder.says(&["import", "made.jsonl", "--batch", "made"]);
    let mut acknowledged = 0;
    for _ in 0..kills {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "killed::works_until_it_is_killed", "--nocapture"])
            .env(WORKER, folder.path("store.db"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // From its first word on, so that it is killed at work.
        let mut said = BufReader::new(child.stdout.take().unwrap());
        let mut all = String::new();
        while !all.contains("done ") {
            assert_ne!(said.read_line(&mut all).unwrap(), 0, "the worker ended: {all}");
        }
        sleep(Duration::from_millis(dice.below(250) as u64));
        child.kill().unwrap();
        let _status = child.wait().unwrap();
        std::io::Read::read_to_string(&mut said, &mut all).unwrap();
        let done: Vec<u64> =
            all.lines().filter_map(|line| line.split("done ").nth(1)?.split(' ').next()?.parse().ok()).collect();
        acknowledged += done.len();
        folder.is_whole();
        let log = folder.lines(&["log", "--actor", "lee"]);
        let rulings: Vec<u64> = log.iter().filter_map(|event| event["ruling"].as_u64()).collect();
        let told: BTreeSet<u64> = rulings.iter().copied().collect();
        assert_eq!(told.len(), rulings.len(), "a ruling is told twice");
        assert!(done.iter().all(|ruling| told.contains(ruling)), "acknowledged and lost: {done:?}");
        // A stroke is there with all of its rulings: they follow each other, and the last of a part would be alone.
        let bulks =
            log.iter().filter(|event| event["kind"] == "accept" && !event["body"]["bulk"].is_null()).count();
        assert_eq!(bulks % STROKE, 0, "a part of a stroke is there");
        // The next worker begins where everything is open again.
        while folder.output("lee", &["undo"]).status.success() {}
    }
    tell(&format!(
        "{kills} workers were killed, {acknowledged} rulings and strokes were acknowledged, none was lost"
    ));
    assert!(acknowledged > kills);
}
