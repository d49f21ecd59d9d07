//! What people would use instead: DuckDB's reading and join of the same file, and all pairs in Python. Both run in
//! `python3`, or in what `GAINSAY_PYTHON` names; without it, or without its module `duckdb`, there is no figure.

use std::io::BufReader;
use std::path::Path;
use std::process::Command;

use gainsay::core::policy::{AttributePolicy, Cardinality, OnChange, Policy};
use gainsay::core::record::{Batch, Kind, Record, SourceClass};
use gainsay::core::settle::settle;
use gainsay::wire::generate::Mix;
use gainsay::wire::{Defaults, records};
use tempfile::TempDir;

use crate::clock::{generate, median, now, records as many, rounds, timed};
use crate::import::{one_slot, run};
use crate::table::{Bar, Better, Table};

/// Reads the file, and finds the records of each slot that say different things.
const DUCKDB: &str = r#"
import sys, time, duckdb
began = time.perf_counter()
store = duckdb.connect()
store.execute(f"CREATE TABLE r AS SELECT * FROM read_json('{sys.argv[1]}', format = 'newline_delimited')")
store.execute("""SELECT count(*) FROM r a JOIN r b USING (subject_id, attribute)
                 WHERE a.id < b.id AND a.value <> b.value""").fetchone()
print(time.perf_counter() - began)
"#;

/// Holds each record against each other, as one would who writes it down in an afternoon.
const ALL_PAIRS: &str = r#"
import sys, time, json
from datetime import datetime
records = [json.loads(line) for line in open(sys.argv[1])]
began = time.perf_counter()
won = quarantined = 0
for at, a in enumerate(records):
    for b in records[at + 1:]:
        if (a["subject_id"], a["attribute"]) != (b["subject_id"], b["attribute"]) or a["value"] == b["value"]:
            continue
        whole = all(it.get("source") and it.get("observed_at") and it.get("epoch") is not None for it in (a, b))
        if not whole or a["epoch"] != b["epoch"]:
            quarantined += 1
        elif datetime.fromisoformat(a["observed_at"]) == datetime.fromisoformat(b["observed_at"]):
            quarantined += 1
        else:
            won += 1
print(time.perf_counter() - began)
"#;

/// The seconds that a script says it took; none where it cannot run here.
fn python(script: &str, file: &Path) -> Option<f64> {
    let python = std::env::var_os("GAINSAY_PYTHON").unwrap_or_else(|| "python3".into());
    let output = Command::new(python).args(["-c", script]).arg(file).output().ok()?;
    if !output.status.success() {
        eprintln!("not measured: {}", String::from_utf8_lossy(&output.stderr));
        return None;
    }
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

pub(crate) fn measure(table: &mut Table) {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (file, hot) = (at("records.jsonl"), at("hot.jsonl"));
    generate(&Mix::default(), many(), &file, None);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..rounds() {
        let Some(joined) = python(DUCKDB, &file) else { break };
        theirs.push(joined);
        ours.push(run("dry-run", &file, &at("store")).0);
    }
    if !theirs.is_empty() {
        let (ours, theirs) = (median(ours), median(theirs));
        let what = format!("7. import --dry-run of {} records, against DuckDB's read and join", many());
        let measured = format!("{ours:.1} s; DuckDB {theirs:.1} s");
        table.row(what, measured, ours / theirs, &Bar::at_most(1.0));
    }
    one_slot(3_000, &hot);
    let Some(theirs) = python(ALL_PAIRS, &hot) else { return };
    let slot: Vec<Record> = read(&hot);
    let attribute = slot[0].attribute.clone().unwrap();
    let fields = AttributePolicy {
        cardinality: Some(Cardinality::One),
        on_change: Some(OnChange::Succession),
        ..AttributePolicy::default()
    };
    let policy = Policy {
        version: 1,
        sources: [(Kind::from("user_utterance"), SourceClass::User)].into(),
        attributes: [(attribute.clone(), fields)].into(),
        slots: [].into(),
    };
    let rules = policy.rules_of(&[], &attribute);
    let times = (0..99).map(|_| timed(|| assert_eq!(settle(&slot, &rules, &[]).records.len(), slot.len())));
    let ours = median(times.map(|time| time.as_secs_f64()).collect());
    let bar = Bar { unit: "×", goal: 1_000.0, least: 1_000.0, better: Better::More };
    let measured = format!("{:.2} ms; Python {theirs:.1} s", ours * 1e3);
    table.row("7. 3000 records of one slot settled, against all pairs in Python", measured, theirs / ours, &bar);
}

fn read(file: &Path) -> Vec<Record> {
    let defaults = Defaults { now: now(), batch: Batch::from("measured"), epoch: None, zone: None };
    let reader = BufReader::new(std::fs::File::open(file).unwrap());
    records(reader, defaults).map(|item| item.unwrap().1.unwrap().record).collect()
}
