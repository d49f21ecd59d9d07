//! `gainsay audit` and `gainsay log`, as scripts meet them.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

const TIE: &str = r#"
{"id": "a1", "subject": "user_1", "attribute": "employer", "value": "Acme s.r.o.", "source": "user_utterance", "observed_at": "2025-10-14", "written_at": "2025-10-14T08:00:00Z", "epoch": 7}
{"id": "a2", "subject": "user_1", "attribute": "employer", "value": "Acme GmbH", "source": "user_utterance", "observed_at": "2025-10-14", "written_at": "2025-10-14T09:00:00Z", "epoch": 7}
{"id": "b1", "subject": "user_2", "attribute": "employer", "value": "Foo", "source": "user_utterance", "observed_at": "2025-10-14", "written_at": "2025-10-14T08:00:00Z", "epoch": 7}
{"id": "b2", "subject": "user_2", "attribute": "employer", "value": "Bar", "source": "user_utterance", "observed_at": "2025-10-14", "written_at": "2025-10-14T09:00:00Z", "epoch": 7}
"#;

fn command(folder: &Path, actor: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gainsay"));
    command
        .env("GAINSAY_STORE", folder.join("store.db"))
        .env("GAINSAY_ACTOR", actor)
        .env("XDG_CONFIG_HOME", folder);
    command
}

fn run(folder: &Path, actor: &str, line: &str) -> Output {
    let words = line.split_whitespace().map(|word| word.replace('~', " "));
    command(folder, actor).args(words).output().unwrap()
}

fn json(folder: &Path, actor: &str, line: &str) -> Value {
    let out = run(folder, actor, line);
    assert!(out.status.success(), "{line}: {}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).unwrap()
}

/// Two pairs, each ruled on by lee.
fn ruled() -> TempDir {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("tie.jsonl");
    std::fs::write(&file, TIE).unwrap();
    let file = file.display().to_string();
    assert!(run(folder.path(), "agent", &format!("import {file}")).status.success());
    for (pair, record) in [(1, "a2"), (2, "b1")] {
        json(folder.path(), "lee", &format!("accept {pair} --record {record} --reason seen --json"));
    }
    folder
}

#[test]
fn a_sample_is_drawn_audited_and_reported() {
    let folder = ruled();
    let folder = folder.path();
    let sample = json(folder, "dana", "audit sample --actor lee --n 5 --seed s1 --json");
    assert_eq!(
        (&sample["of"], &sample["up_to"], &sample["n"]),
        (&Value::from(2), &Value::from(2), &Value::from(5))
    );
    assert_eq!(json(folder, "zoe", "audit sample --actor lee --n 5 --seed s1 --json"), sample);
    let agreed = json(folder, "dana", "audit agree 1 --seed s1 --n 5 --up-to 2 --json");
    assert_eq!((&agreed["verdict"], &agreed["sample"]["seed"]), (&Value::from("agree"), &Value::from("s1")));
    json(folder, "dana", "audit disagree 2 --note it~is~Bar --json");
    let blind = json(folder, "zoe", "audit blind 1 --would accept~B --note later --json");
    assert_eq!((&blind["verdict"], &blind["blind"]["ruled"]), (&Value::from("agree"), &Value::from("accept B")));
    json(folder, "zoe", "audit agree 2 --json");
    let report = json(folder, "dana", "audit report --json");
    let lee = &report["reviewers"][0];
    assert_eq!((&lee["actor"], &lee["audited"], &lee["rate"]), (&"lee".into(), &4.into(), &0.75.into()));
    let auditors = &report["agreements"][0];
    assert_eq!(auditors["between"], serde_json::json!(["dana", "zoe"]));
    assert_eq!(
        (&auditors["on"], &auditors["items"], &auditors["kappa"]),
        (&"audits".into(), &2.into(), &0.0.into())
    );
    assert!(run(folder, "dana", "verify").status.success());
    let text = String::from_utf8(run(folder, "dana", "audit report").stdout).unwrap();
    assert!(text.contains("75 %") && text.contains("kappa"), "{text}");
    let log = String::from_utf8(run(folder, "dana", "log --kind audit").stdout).unwrap();
    assert!(log.contains("disagree with ruling 2: it is Bar"), "{log}");
}

#[test]
fn what_cannot_be_audited_says_why() {
    let folder = ruled();
    let folder = folder.path();
    let told = |line: &str| {
        let out = run(folder, "lee", line);
        (out.status.code(), String::from_utf8(out.stderr).unwrap())
    };
    let (status, said) = told("audit disagree 1");
    assert!(status == Some(2) && said.contains("--note"), "{said}");
    let (status, said) = told("audit agree 99");
    assert!(status == Some(2) && said.contains("there is no ruling 99"), "{said}");
    let (status, said) = told("audit sample");
    assert!(status == Some(2) && said.contains("lee"), "{said}");
    let (status, said) = told("audit agree 1 --seed s1");
    assert!(status == Some(2), "{said}");
    // One's own ruling: told, kept, and left out of the rate.
    let (status, said) = told("audit agree 1");
    assert!(status == Some(0) && said.contains("your own"), "{said}");
    let lee = json(folder, "dana", "audit report --actor lee --json")["reviewers"][0].clone();
    assert_eq!((&lee["own"], &lee["audited"], &lee["rate"]), (&1.into(), &0.into(), &Value::Null));
    json(folder, "lee", "undo --json");
    assert!(run(folder, "lee", "verify").status.success());
}

#[test]
fn the_log_is_narrowed_to_a_pair_a_ruling_an_event_or_a_text() {
    let folder = ruled();
    let folder = folder.path();
    json(folder, "dana", "audit agree 1 --json");
    json(folder, "lee", "undo 1 --json");
    let kinds = |line: &str| -> Vec<String> {
        let out = run(folder, "dana", &format!("log {line} --json"));
        let lines = String::from_utf8(out.stdout).unwrap();
        let kind = |line: &str| serde_json::from_str::<Value>(line).unwrap()["kind"].as_str().unwrap().to_owned();
        lines.lines().map(kind).collect()
    };
    assert_eq!(kinds("--ruling 1"), ["accept", "audit", "undo"]);
    assert!(kinds("--pair 2").iter().all(|kind| ["pair_opened", "accept", "pair_closed"].contains(&kind.as_str())));
    assert_eq!(kinds("--event 1"), ["created"]);
    assert_eq!(kinds("--event 99"), [""; 0]);
    assert_eq!(kinds("--find SEEN"), ["accept", "accept"]);
    assert_eq!(kinds("--until 2001"), [""; 0]);
}

#[test]
fn a_follower_sees_what_others_write_and_ends_when_nobody_reads() {
    let folder = ruled();
    let mut follower = command(folder.path(), "dana");
    let mut follower =
        follower.args(["log", "--follow", "--json", "--kind", "audit"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(follower.stdout.take().unwrap()).lines();
    json(folder.path(), "dana", "audit agree 1 --json");
    let line = lines.next().unwrap().unwrap();
    assert!(line.contains("\"kind\":\"audit\""), "{line}");
    drop(lines);
    json(folder.path(), "dana", "audit agree 2 --json");
    assert_eq!(follower.wait().unwrap().code(), Some(0));
}
