//! The program called by its name on a store in a folder, as scripts and agents call it: its answers, its statuses, and
//! processes that run until they are killed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use gainsay::wire::generate::Generator;
use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) const GAINSAY: &str = env!("CARGO_BIN_EXE_gainsay");

/// A folder with a store in it, or with none yet.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(crate) fn at(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).unwrap();
    }

    /// The program on `store.db`, with nothing of this process's surroundings.
    pub(crate) fn command(&self, actor: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(GAINSAY);
        command
            .current_dir(self.at())
            .env_clear()
            .envs([("HOME", self.at().as_os_str()), ("GAINSAY_ACTOR", actor.as_ref())])
            .args(["--store", "store.db", "--json"])
            .args(arguments)
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn start(&self, actor: &str, arguments: &[&str]) -> Child {
        self.command(actor, arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    pub(crate) fn output(&self, actor: &str, arguments: &[&str]) -> Output {
        self.command(actor, arguments).output().unwrap()
    }

    /// What a command answers: it must succeed.
    pub(crate) fn says(&self, arguments: &[&str]) -> Value {
        let output = self.output("dana", arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {told}");
        serde_json::from_slice(&output.stdout).unwrap_or_default()
    }

    /// The lines of what a command answers.
    pub(crate) fn lines(&self, arguments: &[&str]) -> Vec<Value> {
        let output = self.output("dana", arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {told}");
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// A command that fails: its status, and what it says; one clear error, and no panic.
    pub(crate) fn fails(&self, arguments: &[&str]) -> (i32, String) {
        failed(&self.output("dana", arguments), arguments)
    }

    /// The store is whole; how many records it holds.
    pub(crate) fn is_whole(&self) -> u64 {
        let output = self.output("dana", &["verify"]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(0), "{said} {}", String::from_utf8_lossy(&output.stderr));
        let found: Value = serde_json::from_str(&said).unwrap();
        assert_eq!(found["ok"], true, "{found}");
        found["records"].as_u64().unwrap()
    }
}

/// What a command that failed says, which must be one error of the program's own making.
pub(crate) fn failed(output: &Output, what: &[&str]) -> (i32, String) {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!said.contains("panicked"), "{what:?}: {said}");
    let Some(status) = output.status.code() else { panic!("{what:?} was killed: {:?} {said}", output.status) };
    assert_ne!(status, 0, "{what:?}: {said}");
    assert_eq!(said.lines().filter(|line| line.starts_with("error:")).count(), 1, "{what:?}: {said}");
    (status, said)
}

/// Two records of each of so many services, which a reviewer may settle either way; `aN` and `bN` in pair N.
pub(crate) fn ties(many: usize) -> String {
    (1..=many)
        .flat_map(|service| {
            [("a", "eu", "00"), ("b", "us", "01")].map(|(side, value, hour)| {
                json!({
                    "id": format!("{side}{service}"), "subject": format!("svc/{service:05}"), "attribute": "region",
                    "value": value, "epoch": 2, "source": "tool_output", "observed_at": "2025-09-01",
                    "written_at": format!("2025-09-02T{hour}:00:00Z"),
                })
                .to_string()
                    + "\n"
            })
        })
        .collect()
}

/// So many records of every kind, made up.
pub(crate) fn made(many: u64, seed: u64) -> String {
    let mix = "lone=20,agreeing=5,superseding=8,retracted=3,missing_provenance=8,cross_epoch=6,\
               cardinality_undeclared=6,authority_unknown=4,order_undecidable=20,unicode=100";
    let made = Generator::new(many, None, seed, mix.parse().unwrap()).unwrap();
    made.lines().map(|line| line + "\n").collect()
}
