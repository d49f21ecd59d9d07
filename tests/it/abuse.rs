//! Files that would break an import: endless lines, lines that are none, tables that never close. Each is told by its
//! place, none fills the memory, and what was sound beside it is taken.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::dice::rounds;
use crate::formats::Shop;

const GOOD: &str = r#"{"subject_id": "u", "attribute": "a", "value": "sound"}"#;

/// The most memory that a process has had, in KiB.
fn most_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn a_line_of_a_gibibyte_is_passed_over_and_fills_no_memory() {
    let shop = Shop::new();
    let path = shop.path("long.jsonl");
    let mut file = File::create(&path).unwrap();
    let length = rounds(192, 1_024) as u64 * 1_024 * 1_024;
    writeln!(file, "{GOOD}").unwrap();
    // Zeros that take no room on the disk.
    file.seek(SeekFrom::Current(i64::try_from(length).unwrap())).unwrap();
    writeln!(file, "\n{}", GOOD.replace("sound", "still sound")).unwrap();
    drop(file);
    let mut import = Command::new(env!("CARGO_BIN_EXE_gainsay"))
        .current_dir(shop.path(""))
        .env_clear()
        .args(["--store", "store.db", "--actor", "dana", "--json", "import", "long.jsonl", "--on-error", "skip"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut most = 0;
    while import.try_wait().unwrap().is_none() {
        most = most.max(most_memory(import.id()).unwrap_or(0));
        thread::sleep(Duration::from_millis(2));
    }
    let done = import.wait_with_output().unwrap();
    let told = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(3), "{told}");
    assert!(told.contains(&format!("long.jsonl:2:1: the line is too long: {} bytes", length + 1)), "{told}");
    let done: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!((&done["read"], &done["added"], &done["rejected"]), (&json!(3), &json!(2), &json!(1)), "{done}");
    assert!(most > 0 && most <= 64 * 1_024, "{most} KiB");
}

/// Lines that are no records, each in its own way.
const BROKEN: [&[u8]; 21] = [
    b"{",
    b"}",
    b"[1, 2]",
    b"null",
    b"42",
    b"\"text\"",
    b"not JSON at all",
    b"{\"subject_id\": \"u\", \"attribute\": \"a\", \"value\": 1",
    b"{\"subject_id\": \"u\", \"attribute\": \"a\", \"value\": 1}}",
    b"{\"subject_id\": \"u\", \"attribute\": \"a\", \"value\": 1,}",
    b"{\"subject_id\": \"u\", \"attribute\": \"a\", \"value\": 1, \"value\": 2}",
    b"{\"subject_id\": \"u\", \"attribute\": \"a\", \"value\": NaN}",
    b"{\"subject_id\": \"u\", \"attribute\": \"a\", \"value\": 1e400e}",
    b"{\"subject_id\": \"u\", \"attribute\": \"a\", \"value\": \"\\ud800\"}",
    b"{\"subject_id\": \"u\", \"attribute\": \"a\", \"value\": \"\xff\xfe\"}",
    b"{\"subject_id\": \"u\", \"attribute\": \"a\", \"value\": null}",
    b"{\"subject_id\": \"\", \"attribute\": \"a\", \"value\": 1}",
    b"{\"subject_id\": \"u\", \"attribute\": \"a\", \"value\": 1, \"epoch\": -1}",
    b"{\"subject_id\": \"u\", \"attribute\": \"a\", \"value\": 1, \"observed_at\": \"yesterday\"}",
    b"{\"subject_id\": \"u\", \"attribute\": \"a\", \"value\": 1, \"confidence\": 7}\r",
    b"\x00\x1b[2J",
];

#[test]
fn each_broken_line_is_kept_as_it_came_and_the_sound_ones_are_taken() {
    let shop = Shop::new();
    let mut text = Vec::new();
    for (at, broken) in BROKEN.iter().enumerate() {
        text.extend(GOOD.replace("sound", &format!("sound {at}")).bytes().chain([b'\n']));
        text.extend(broken.iter().copied().chain([b'\n']));
    }
    let (file, rejects) = (shop.write("lines.jsonl", &text), shop.path("rejects"));
    let kept = rejects.to_string_lossy().into_owned();
    let done = shop.run(&["--json", "import", &file, "--on-error", "skip", "--rejects", &kept]);
    assert_eq!(done.status.code(), Some(3), "{}", String::from_utf8_lossy(&done.stderr));
    let done: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!((&done["read"], &done["added"], &done["rejected"]), (&json!(42), &json!(21), &json!(21)), "{done}");
    let expected: Vec<u8> = BROKEN.iter().flat_map(|line| line.iter().copied().chain([b'\n'])).collect();
    assert_eq!(fs::read(rejects).unwrap(), expected);
    assert_eq!(shop.json(&["verify"])["ok"], true);
}

/// Tables as tools write them: the text, and how many rows are taken and how many are rejected.
const TABLES: [(&str, u64, u64); 20] = [
    ("key,city\nk1,Lisbon\nk2,Berlin\n", 2, 0),
    ("key,city\r\nk1,Lisbon\r\nk2,Berlin\r\n", 2, 0),
    ("key,city\rk1,Lisbon\rk2,Berlin\r", 2, 0),
    ("key,city\nk1,Lisbon\nk2,Berlin", 2, 0),
    ("\u{feff}key,city\nk1,Lisbon\n", 1, 0),
    ("key;city\nk1;Lisbon\nk2;Berlin\n", 2, 0),
    ("key\tcity\nk1\tLisbon\n", 1, 0),
    ("key|city\nk1|Lisbon\n", 1, 0),
    ("\"key\",\"city\"\n\"k1\",\"Lisbon\"\n", 1, 0),
    ("key,city\nk1,\"Lisbon, Portugal\"\n", 1, 0),
    ("key,city\nk1,\"say \"\"Lisbon\"\"\"\n", 1, 0),
    ("key,city\nk1,\"two\nlines\"\nk2,Berlin\n", 2, 0),
    ("key,city\n\nk1,Lisbon\n\n\nk2,Berlin\n\n", 2, 0),
    ("key,city\nk1,\nk2,Berlin\n", 2, 0),
    ("key,city\nk1,Lisbon,more\nk2,Berlin\n", 1, 1),
    ("key,city\nk1\nk2,Berlin\n", 1, 1),
    ("key,city\nk1,Lisbon\n,Berlin\n", 1, 1),
    ("key,city,\nk1,Lisbon,\nk2,Berlin,\n", 2, 0),
    ("key , city\nk1, Lisbon\n", 1, 0),
    ("key,city\nk1,=1+1\nk2,@SUM(A1)\nk3,-2\nk4,+3\n", 4, 0),
];

#[test]
fn tables_as_tools_write_them_give_the_rows_that_they_have() {
    for (text, taken, rejected) in TABLES {
        let shop = Shop::new();
        let file = shop.write("table.csv", text);
        let map = ["--map", "subject=.key", "--map", "attribute.city=.city", "--on-error", "skip"];
        let done = shop.run(&[&["--json", "import", file.as_str()], &map[..]].concat());
        let said: Value = serde_json::from_slice(&done.stdout).unwrap();
        let objects = json!({"read": taken + rejected, "taken": taken, "rejected": rejected});
        assert_eq!(said["objects"], objects, "{text:?}: {said} {}", String::from_utf8_lossy(&done.stderr));
    }
}

#[test]
fn a_quote_that_never_closes_stops_at_its_row() {
    let swallowed = format!("key,city\nk1,Lisbon\nk2,\"Porto\n{}", "k3,Faro\n".repeat(60));
    let endless = format!("key,city\nk1,Lisbon\nk2,\"{}", "x".repeat(9 * 1_024 * 1_024));
    for text in [swallowed, endless] {
        let shop = Shop::new();
        let file = shop.write("table.csv", &text);
        let said = shop.says(&["import", &file, "--map", "subject=.key", "--map", "attribute.city=.city"]);
        let told: String = said.chars().take(400).collect();
        assert!(said.contains("table.csv:3:1:") && said.ends_with("exit 3\n"), "{told}");
        assert!(!shop.path("store.db").exists(), "{told}");
    }
}
