//! Other memories' files: what each shape becomes, held in a picture of its records and of its dry run.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use gainsay::core::record::Batch;
use gainsay::formats::ahead::Ahead;
use gainsay::formats::recognise::{Carrier, recognise};
use gainsay::formats::tally::Tally;
use gainsay::formats::{Mapping, shipped};
use gainsay::wire::{Defaults, Fault, Incoming, json as out};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::told::at;

pub(crate) const NOW: &str = "2026-12-01T00:00:00Z";

/// A folder with a store in the making, and the program.
pub(crate) struct Shop {
    folder: TempDir,
}

impl Shop {
    pub(crate) fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name).to_string_lossy().into_owned()
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_gainsay"))
            .current_dir(data(""))
            .env_clear()
            .env("HOME", self.folder.path())
            .env("GAINSAY_NOW", NOW)
            .args(["--actor", "dana", "--store"])
            .arg(self.path("store.db"))
            .args(arguments)
            .output()
            .unwrap()
    }

    /// What a command says, on both ways out, and how it ends.
    pub(crate) fn says(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let said = [output.stderr, output.stdout].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        let status = output.status.code().unwrap();
        if status == 0 { said } else { format!("{said}exit {status}\n") }
    }

    /// The document that a command answers with; it must end well.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[&["--json"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// The documents that a command answers with, one a line.
    pub(crate) fn lines(&self, arguments: &[&str]) -> Vec<Value> {
        let output = self.run(&[&["--json"], arguments].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

pub(crate) fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn defaults() -> Defaults {
    Defaults { now: at(NOW), batch: Batch::from("fixture"), epoch: None, zone: None }
}

/// The records of a file, each object's or its fault, by the format that its content tells.
fn read(bytes: &[u8]) -> Vec<Result<Vec<Incoming>, Fault>> {
    let told = recognise(bytes, true, &shipped::all().unwrap()).unwrap_or_else(|unknown| panic!("{unknown:?}"));
    let objects = || match &told.carrier {
        Carrier::Json(cut) => cut.objects(bytes, &told.format),
        Carrier::Table(layout) => layout.objects(bytes),
    };
    let mut ahead = Ahead::default();
    for object in objects().filter_map(|object| object.unwrap().value.ok()) {
        ahead.look(&told.format, &object);
    }
    let defaults = defaults();
    let mapping =
        Mapping { format: &told.format, defaults: &defaults, dates: None, ahead: &ahead, absent_retracts: false };
    let tally = RefCell::new(Tally::default());
    objects()
        .map(Result::unwrap)
        .map(|object| {
            object.value.and_then(|value| mapping.records(&object.element, &value, &mut tally.borrow_mut()))
        })
        .collect()
}

/// A record without what says nothing.
fn told(incoming: &Incoming) -> String {
    let mut fields = out::record(&incoming.record);
    let plain = |key: &str, value: &Value| value.is_null() || key == "id" || key == "batch" || value == "assert";
    let same_words = fields.get("evidence") == fields.get("value");
    fields.retain(|key, value| {
        let stamped = key == "written_at" && !incoming.written_at_stated;
        !(plain(key, value) || stamped || (key == "evidence" && same_words))
    });
    Value::Object(fields).to_string()
}

fn picture(folder: &str) -> String {
    let mut paths: Vec<PathBuf> = fs::read_dir(data(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    let mut said = String::new();
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy();
        writeln!(said, "## {name}").unwrap();
        for object in read(&fs::read(&path).unwrap()) {
            match object {
                Ok(records) => records.iter().for_each(|record| writeln!(said, "{}", told(record)).unwrap()),
                Err(fault) => writeln!(said, "{}:{} {fault}", fault.at.line, fault.at.column).unwrap(),
            }
        }
        let file = format!("{folder}/{name}");
        let shop = Shop::new();
        writeln!(said, "{}", shop.says(&["import", &file, "--dry-run", "--on-error", "skip"])).unwrap();
        assert!(!shop.path("store.db").exists(), "a dry run made a store");
    }
    said
}

#[test]
fn mcp_memories_come_in_all_their_dialects() {
    insta::assert_snapshot!("mcp", picture("mcp"));
}

#[test]
fn the_files_of_other_memories_come_in_in_their_true_shape() {
    for folder in ["mem0", "graphiti", "langgraph", "letta", "others", "wikidata"] {
        insta::assert_snapshot!(folder, picture(folder));
    }
}

#[test]
fn every_shipped_format_is_sound_and_told_by_its_name() {
    for ((name, _), format) in shipped::FILES.iter().zip(shipped::all().unwrap()) {
        assert_eq!(*name, format.name);
        assert!(!format.about.is_empty(), "{name}");
    }
}

#[test]
fn what_comes_in_is_taken_or_rejected_byte_for_byte() {
    let shop = Shop::new();
    let rejects = shop.path("rejects");
    let done = shop.run(&[
        "--json",
        "import",
        "mcp/broken.jsonl",
        "--on-error",
        "skip",
        "--rejects",
        rejects.to_str().unwrap(),
    ]);
    assert_eq!(done.status.code(), Some(3));
    let done: Value = serde_json::from_slice(&done.stdout).unwrap();
    let objects = &done["objects"];
    let count = |key: &str| objects[key].as_u64().unwrap();
    assert_eq!(count("read"), count("taken") + count("rejected"));
    assert_eq!(done["read"].as_u64(), Some(done["added"].as_u64().unwrap() + done["rejected"].as_u64().unwrap()));
    let came = fs::read_to_string(data("mcp/broken.jsonl")).unwrap();
    let kept = fs::read_to_string(rejects).unwrap();
    assert_eq!(kept.lines().count() as u64, count("rejected"));
    for line in kept.lines() {
        assert!(came.lines().any(|it| it == line), "{line:?} did not come in like that");
    }
}

#[test]
fn a_file_comes_in_once_however_often_it_is_imported_and_in_whatever_order() {
    let shop = Shop::new();
    let text = fs::read_to_string(data("mcp/versions.jsonl")).unwrap();
    let turned: Vec<&str> = text.lines().rev().collect();
    let turned = shop.write("turned.jsonl", turned.join("\n"));
    let first = shop.json(&["import", "mcp/versions.jsonl", "--absent", "retract"]);
    assert_eq!((first["added"].as_u64(), first["gone"]["count"].as_u64()), (Some(8), Some(2)));
    let again = shop.json(&["import", &turned, "--absent", "retract"]);
    assert_eq!((again["added"].as_u64(), again["duplicates"].as_u64()), (Some(0), Some(8)));
}

#[test]
fn a_file_that_fits_no_format_is_told_with_its_keys_and_the_nearest() {
    let shop = Shop::new();
    let file = shop.write(
        "odd.jsonl",
        "{\"entityName\": \"x\", \"remark\": \"y\"}\n{\"entityName\": \"z\", \"remark\": \"y\"}\n",
    );
    let said = shop.says(&["import", &file]);
    assert!(said.contains("entityName (2), remark (2)") && said.contains("nearest format is mcp"), "{said}");
    assert!(said.ends_with("exit 3\n"), "{said}");
    let taken = shop.json(&[
        "import",
        &file,
        "--map",
        "subject=.entityName",
        "--map",
        "value=.remark",
        "--map",
        "attribute=remark",
    ]);
    assert_eq!((taken["added"].as_u64(), taken["slots"].as_u64()), (Some(2), Some(2)));
}

#[test]
fn a_relation_holds_many_until_somebody_says_otherwise() {
    let shop = Shop::new();
    let line = |to: &str| {
        format!("{{\"type\":\"relation\",\"from\":\"checkout\",\"to\":\"{to}\",\"relationType\":\"feeds_into\"}}\n")
    };
    let both = shop.write("both.jsonl", line("billing") + &line("stock"));
    let tried = shop.json(&["import", &both, "--dry-run"]);
    assert_eq!((tried["pairs_opened"].as_u64(), &tried["declared_many"]), (Some(0), &json!(["feeds_into"])));
    let done = shop.json(&["import", &both]);
    assert_eq!(done["declared_many"], json!(["feeds_into"]));
    let answer = shop.json(&["recall", "checkout", "feeds_into"]);
    assert_eq!(answer["values"], json!(["billing", "stock"]));
    shop.json(&["policy", "declare", "feeds_into", "--cardinality", "one"]);
    let third = shop.write("third.jsonl", line("mail"));
    let done = shop.json(&["import", &third]);
    assert_eq!(
        (done["declared_many"].as_array().map(Vec::len), done["outcomes"]["quarantined"].as_u64()),
        (Some(0), Some(1))
    );
    assert_eq!(shop.json(&["verify"])["ok"], true);
}

/// The file of each format that the README's line reads, as it stands here; a table's is named with its columns.
const LINES: [(&str, &str); 13] = [
    ("records.jsonl", ""),
    ("memory.jsonl", "mcp/server.jsonl"),
    ("history.db", "mem0/history.jsonl"),
    ("graph.json", "graphiti/graph.json"),
    ("items.json", "langgraph/items.json"),
    ("agent.af", "letta/agent.af"),
    ("events.jsonl", "others/events.jsonl"),
    ("notes.jsonl", "others/notes.jsonl"),
    ("openmemory.jsonl", "others/openmemory.jsonl"),
    ("memos.json", "others/memos.json"),
    ("supermemory.json", "others/supermemory.json"),
    ("property_graph.jsonl", "others/property_graph.jsonl"),
    ("entity.json", "wikidata/entity.json"),
];

#[test]
fn the_readme_lists_the_formats_and_each_line_does_what_it_says() {
    let shop = Shop::new();
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let (_, section) = readme.split_once("## Other memories").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let listed: Vec<Vec<&str>> = section
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect())
        .collect();
    let told = shop.json(&["formats"]);
    let told: Vec<[&str; 2]> = told
        .as_array()
        .unwrap()
        .iter()
        .map(|format| [format["name"].as_str().unwrap(), format["about"].as_str().unwrap()])
        .collect();
    assert_eq!(listed.iter().map(|cells| [cells[0], cells[1]]).collect::<Vec<_>>(), told);
    let records = shop.write("records.jsonl", "{\"subject_id\": \"a\", \"attribute\": \"b\", \"value\": 1}\n");
    for cells in &listed {
        let words: Vec<&str> = cells[2].split(' ').skip(1).collect();
        if cells[0] == "git" {
            let said = shop.says(&words);
            assert!(said.contains("settings.toml") && said.ends_with("exit 3\n"), "{said}");
            continue;
        }
        let (_, file) = LINES.iter().find(|(name, _)| *name == words[1]).unwrap_or_else(|| panic!("{words:?}"));
        let file = if file.is_empty() { records.as_str() } else { file };
        let done = shop.says(&["import", file, "--dry-run"]);
        assert!(!done.contains("exit"), "{words:?}: {done}");
        assert!(cells[0] == "jsonl" || done.contains(&format!("format {} ", cells[0])), "{done}");
    }
    let (_, table) = section.split_once("gainsay import crm.csv ").unwrap();
    let (mapped, _) = table.split_once('`').unwrap();
    let words: Vec<&str> = mapped.split_whitespace().collect();
    assert_eq!(shop.json(&[&["import", "tables/crm.csv"], &words[..]].concat())["added"], 1);
}
