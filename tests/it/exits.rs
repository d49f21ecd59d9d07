//! What a script meets when something goes wrong: the exit status, the error document, and a store as it was.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const TIE: &str = r#"{"id": "a1", "subject_id": "svc/mail", "attribute": "region", "value": "eu", "source": "tool_output", "observed_at": "2025-09-01", "epoch": 2}
{"id": "a2", "subject_id": "svc/mail", "attribute": "region", "value": "us", "source": "tool_output", "observed_at": "2025-09-01", "epoch": 3}
"#;

struct Shell {
    folder: TempDir,
}

impl Shell {
    /// A folder with a store that holds one pair across epochs.
    fn new() -> Self {
        let shell = Self { folder: TempDir::new().unwrap() };
        fs::write(shell.path("tie.jsonl"), TIE).unwrap();
        assert_eq!(shell.run(&["import", "tie.jsonl"]).status.code(), Some(0));
        shell
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_gainsay"))
            .current_dir(self.folder.path())
            .env_clear()
            .args(["--store", "store.db", "--actor", "dana"])
            .args(arguments)
            .output()
            .unwrap()
    }

    /// Runs with `--json`: the exit status, the kind of error that standard output names, and standard error.
    fn fails(&self, arguments: &[&str]) -> (i32, String, String) {
        let output = self.run(&[&["--json"], arguments].concat());
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        let kind = document["error"]["kind"].as_str().unwrap_or_default().to_owned();
        assert!(!document["error"]["message"].as_str().unwrap_or_default().is_empty(), "{document}");
        (output.status.code().unwrap(), kind, String::from_utf8(output.stderr).unwrap())
    }

    fn events(&self) -> Value {
        let output = self.run(&["--json", "verify"]);
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(found["ok"], true, "{found}");
        found["events"].clone()
    }
}

#[test]
fn each_kind_of_error_has_its_status_and_loses_nothing() {
    let shell = Shell::new();
    fs::write(shell.path("cut.jsonl"), "{\"id\": \"b1\", \"subject_id\": \"x\"\n").unwrap();
    fs::write(shell.path("clash.jsonl"), TIE.replace("\"eu\"", "\"ap\"")).unwrap();
    fs::write(shell.path("words.db"), "just words, and no store").unwrap();
    let before = shell.events();
    for (arguments, status, kind, told) in [
        (&["accept", "1", "--record", "a2", "--reason", "newer"][..], 1, "refused", "permitted:"),
        (&["undo"], 1, "refused", "dana has made no ruling"),
        (&["accept", "1"], 2, "usage", "--record"),
        (&["queue", "--ground", "moonlight"], 2, "usage", "moonlight"),
        (&["show", "99"], 2, "missing", "gainsay queue"),
        (&["accept", "99", "--record", "a1", "--reason", "x"], 2, "missing", "pair 99"),
        (&["withdraw", "--record", "nobody", "--reason", "test"], 2, "missing", "nobody"),
        (&["undo", "7"], 2, "missing", "ruling 7"),
        (&["batches", "none"], 2, "missing", "gainsay batches"),
        (&["import", "cut.jsonl"], 3, "input", "cut.jsonl:1:"),
        (&["import", "clash.jsonl"], 3, "input", "nothing is overwritten"),
        (&["import", "not-there.jsonl"], 3, "input", "not-there.jsonl"),
    ] {
        let (code, said, error) = shell.fails(arguments);
        assert_eq!((code, said.as_str()), (status, kind), "{arguments:?}: {error}");
        assert!(error.contains(told), "{arguments:?}: {error}");
        assert_eq!(shell.events(), before, "{arguments:?} wrote something");
    }
}

#[test]
fn a_store_that_is_missing_or_none_is_the_stores_fault() {
    let shell = Shell::new();
    fs::write(shell.path("words.db"), "just words, and no store").unwrap();
    for (store, told) in
        [("none.db", "there is no store"), ("words.db", "is not a Gainsay store"), (".", "it is a folder")]
    {
        let output = Command::new(env!("CARGO_BIN_EXE_gainsay"))
            .current_dir(shell.folder.path())
            .env_clear()
            .args(["--store", store, "--actor", "dana", "--json", "queue"])
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(4), "{error}");
        assert!(error.contains(told) && error.contains("hint:"), "{error}");
    }
    assert!(!shell.path("none.db").exists(), "a command that reads made a store");
}

#[test]
fn damage_has_a_status_of_its_own() {
    let shell = Shell::new();
    let stray = rusqlite::Connection::open(shell.path("store.db")).unwrap();
    stray
        .execute_batch("DROP TRIGGER records_are_immutable; UPDATE records SET value = '\"ap\"' WHERE id = 'a1'")
        .unwrap();
    drop(stray);
    let output = shell.run(&["--json", "verify"]);
    assert_eq!(output.status.code(), Some(5));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["ok"], false);
    let named = found["damage"].to_string();
    assert!(named.contains("record a1") && named.contains("records_are_immutable"), "{named}");
}
