//! Files that were nearly right: whatever is in them, each object is taken or rejected with its place, and nothing panics,
//! hangs or gets lost.

use std::cell::RefCell;
use std::fs;
use std::sync::LazyLock;

use gainsay::core::record::{Batch, Epoch};
use gainsay::formats::ahead::Ahead;
use gainsay::formats::recognise::{Carrier, carrier, recognise};
use gainsay::formats::settings::{self, Language};
use gainsay::formats::table::{self, Layout};
use gainsay::formats::tally::Tally;
use gainsay::formats::{Format, Mapping, shipped};
use gainsay::wire::{Defaults, Fault, Incoming, archive, json, observer, records};
use serde_json::Value;

use crate::dice::rounds;
use crate::formats::data;
use crate::mangling::{Mangler, stands};
use crate::told::at;

static FORMATS: LazyLock<Vec<Format>> = LazyLock::new(|| shipped::all().unwrap());

fn defaults() -> Defaults {
    let zone = Some(chrono_tz::Europe::Lisbon);
    Defaults { now: at("2026-12-01T00:00:00Z"), batch: Batch::from("mangled"), epoch: Some(Epoch(4)), zone }
}

/// The files of these folders of `tests/data`.
fn files(folders: &[&str]) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = folders
        .iter()
        .flat_map(|folder| fs::read_dir(data(folder)).unwrap())
        .map(|it| it.unwrap().path())
        .collect();
    paths.sort();
    paths.into_iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Lines of our own, as they come and as they go out again.
fn own() -> Vec<Vec<u8>> {
    let demo = data("../../assets/demo");
    let mut all: Vec<Vec<u8>> = Vec::new();
    for name in ["warranty_incident", "legacy_notes", "service_config", "support_chats"] {
        let text = fs::read_to_string(demo.join(format!("{name}.jsonl"))).unwrap();
        let lines: Vec<&str> = text.lines().take(6).collect();
        all.extend(lines.iter().map(|line| line.as_bytes().to_vec()));
        all.push(lines.join("\n").into_bytes());
        all.push(format!("\u{feff}[{}]\n", lines.join(",\n")).into_bytes());
    }
    all.push(
        br#"{"id": "r9", "subject": "u", "attribute": "a", "value": {"x": [1, 2e3, "y"]}, "op": "retract", "source":
            {"kind": "k", "class": "user", "batch": "b", "n": null}, "source_class": "user", "observed_at": 1760434260250,
            "written_at": "2025-10-14 09:31", "epoch": 0, "confidence": 1.0, "evidence": "e", "answers": 4,
            "derived_from": "r0", "cardinality": "many", "state": "live"}"#
            .iter()
            .map(|byte| if *byte == b'\n' { b' ' } else { *byte })
            .collect(),
    );
    all
}

/// How many lines say something; none where it is an array, or no text of lines.
fn lines(bytes: &[u8]) -> Option<usize> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let array = bytes.trim_ascii_start().first() == Some(&b'[');
    (!array).then(|| bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count())
}

/// A fault has a place within its file, and something to say.
fn is_placed(fault: &Fault, bytes: &[u8]) {
    let lines = bytes.split(|byte| *byte == b'\n').count() as u64;
    assert!((1..=lines).contains(&fault.at.line), "line {} of {lines}: {fault}", fault.at.line);
    assert!((1..=bytes.len() as u64 + 1).contains(&fault.at.column), "column {}: {fault}", fault.at.column);
    assert!(!fault.to_string().is_empty());
}

/// What was taken goes out, and comes back as itself.
fn comes_back(incoming: &Incoming) {
    let record = &incoming.record;
    assert!(!record.id.as_str().trim().is_empty() && !record.subject.as_str().trim().is_empty(), "{record:?}");
    assert!(record.attribute.as_ref().is_none_or(|name| !name.as_str().trim().is_empty()), "{record:?}");
    assert!(record.confidence.is_none_or(|it| (0.0..=1.0).contains(&it)), "{record:?}");
    assert!(record.epoch.is_none_or(|epoch| epoch.0 >= 0), "{record:?}");
    assert!(!record.value.is_null(), "{record:?}");
    let out = Value::Object(json::record(record)).to_string();
    let (_, again) = records(out.as_bytes(), defaults()).next().unwrap().unwrap();
    let again = again.unwrap_or_else(|fault| panic!("{out} is refused: {fault}"));
    assert_eq!(again.record, *record);
}

/// Every line is taken or rejected, with the bytes that it came with.
fn reads_our_own(bytes: &[u8]) {
    let (mut taken, mut rejected, mut from) = (0, 0, 0);
    for read in records(bytes, defaults()) {
        let (element, read) = read.unwrap();
        let found = bytes[from..].windows(element.bytes.len().max(1)).position(|part| part == element.bytes);
        assert!(element.bytes.is_empty() || found.is_some(), "{} came in otherwise", element.bytes.escape_ascii());
        from += found.map_or(0, |at| at + element.bytes.len());
        match read {
            Ok(incoming) => {
                taken += 1;
                comes_back(&incoming);
            }
            Err(fault) => {
                rejected += 1;
                is_placed(&fault, bytes);
            }
        }
    }
    assert!(lines(bytes).is_none_or(|lines| lines == taken + rejected), "{taken} taken, {rejected} rejected");
}

/// Applies a format to a file, as `import` does: each object is taken whole or rejected.
fn take(bytes: &[u8], format: &Format, carrier: &Carrier) -> (usize, usize) {
    let objects = || match carrier {
        Carrier::Json(cut) => cut.objects(bytes, format),
        Carrier::Table(layout) => layout.objects(bytes),
    };
    let mut ahead = Ahead::default();
    for object in objects().filter_map(Result::ok).filter_map(|object| object.value.ok()) {
        ahead.look(format, &object);
    }
    let defaults = defaults();
    let mapping = Mapping { format, defaults: &defaults, dates: None, ahead: &ahead, absent_retracts: true };
    let tally = RefCell::new(Tally::default());
    let (mut taken, mut rejected) = (0, 0);
    for object in objects().map_while(Result::ok) {
        let read = object.value.and_then(|value| mapping.records(&object.element, &value, &mut tally.borrow_mut()));
        match read {
            Ok(records) => {
                taken += 1;
                records.iter().for_each(comes_back);
            }
            Err(fault) => {
                rejected += 1;
                assert!(fault.at.line >= 1 && fault.at.column >= 1, "{fault:?}");
            }
        }
    }
    (taken, rejected)
}

/// The format is told by the content, or it is told what is there; and each object is taken or rejected.
fn reads_another_memory(bytes: &[u8]) {
    use gainsay::formats::cut::Cut;
    match recognise(bytes, true, &FORMATS) {
        Ok(told) => {
            let (taken, rejected) = take(bytes, &told.format, &told.carrier);
            if told.carrier == Carrier::Json(Cut::Lines) {
                // Two objects on one line are two.
                assert!(lines(bytes).is_none_or(|lines| lines <= taken + rejected), "{taken} and {rejected}");
            }
        }
        Err(unknown) => assert!(!unknown.carrier.is_empty()),
    }
    // The beginning alone; and a format that somebody named who did not look.
    drop(recognise(&bytes[..bytes.len() / 2], false, &FORMATS));
    let format = &FORMATS[bytes.len() % FORMATS.len()];
    take(bytes, format, &carrier(bytes, true, format));
}

/// The rows of a table without quotes are its lines, but for the headings.
fn reads_a_table(bytes: &[u8]) {
    let Some(layout) = table::layout(bytes, true) else { return };
    drop((layout.headings(bytes), table::sample(bytes, &layout, 50)));
    let format = gainsay::formats::said::format(&sayings());
    let (taken, rejected) = take(bytes, &format, &Carrier::Table(layout));
    let plain = layout.encoding.is_none() && !bytes.contains(&b'"') && is_told_apart(bytes, &layout);
    if plain {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let rows = bytes.split(|byte| matches!(byte, b'\n' | b'\r')).filter(|row| !row.is_empty()).count();
        assert_eq!(rows, taken + rejected + 1);
    }
}

/// Whether its headings are texts, each once: otherwise the first fault is the last.
fn is_told_apart(bytes: &[u8], layout: &Layout) -> bool {
    layout.objects(bytes).next().and_then(Result::ok).is_none_or(|first| first.element.at.line > 1)
}

fn sayings() -> Vec<gainsay::formats::said::Saying> {
    let said =
        ["subject=.Id", "attribute.home_city=.City", "observed_at=.Updated", "attribute.*=.", "source.kind=crm"];
    said.into_iter().filter_map(|text| gainsay::formats::said::read(text).ok()).collect()
}

fn reads_what_programs_print(bytes: &[u8]) {
    if let Ok(seen) = observer::sighting(bytes) {
        assert!(seen.epoch.0 >= 0 && !seen.value.is_null());
    }
    if let Ok(line) = archive::Line::read(bytes, 3) {
        line.write().unwrap();
    }
}

fn reads_settings(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for language in [Language::Json, Language::Toml, Language::Yaml] {
        if let Ok(value) = language.read(&text) {
            assert!(settings::keys(&value, &[]).iter().all(|(_, value)| !value.is_null()));
        }
    }
}

#[test]
fn lines_of_our_own_are_taken_or_rejected_and_come_back_as_they_are() {
    stands(Mangler::new(own(), 1), rounds(12_000, 260_000), reads_our_own);
}

#[test]
fn files_of_other_memories_are_taken_or_rejected_object_by_object() {
    let seeds = files(&["mcp", "mem0", "graphiti", "langgraph", "letta", "others", "wikidata"]);
    stands(Mangler::new(seeds, 2), rounds(3_000, 120_000), reads_another_memory);
}

#[test]
fn tables_are_taken_or_rejected_row_by_row() {
    stands(Mangler::new(files(&["tables"]), 3), rounds(4_000, 120_000), reads_a_table);
}

#[test]
fn what_programs_print_is_read_or_refused() {
    let export = [
        r#"{"gainsay":{"export":1}}"#,
        r#"{"event":{"seq":1,"at":"2025-12-01T09:14:02Z","actor":"dana","kind":"import","subject":null,"attribute":null,"pair":null,"ruling":null,"body":{},"hash":"00"}}"#,
        r#"{"value": "5s", "epoch": 3, "evidence": null, "observed_at": "2025-12-01"}"#,
        r#" {"value": [1, {"a": null}], "epoch": 0, "more": 1}"#,
    ];
    stands(Mangler::new(export, 4), rounds(4_000, 60_000), reads_what_programs_print);
}

#[test]
fn settings_in_every_language_are_read_or_refused() {
    let seeds = [
        "[server]\nport = 8080\nhosts = [\"a\", \"b\"]\nsince = 2025-10-14T09:31:00Z\n[server.retry]\ntimeout = '30s'\n",
        "server: &base\n  port: 8080\n  hosts: [a, b]\nretry:\n  <<: *base\n  timeout: |\n    30s\n  on: yes\n",
        "{\"server\": {\"port\": 8080, \"hosts\": [\"a\", \"b\"]}, \"retry\": {\"timeout\": \"30s\", \"on\": true}}",
    ];
    stands(Mangler::new(seeds, 5), rounds(3_000, 60_000), reads_settings);
}
