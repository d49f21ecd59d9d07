//! Files that were cut off or hold something else: told with their place, taken not at all, or kept byte for byte.

use std::fs;

use crate::formats::{Shop, data};

const FILES: [(&str, &str); 16] = [
    ("mcp", "mcp/server.jsonl"),
    ("mcp", "mcp/document.json"),
    ("mcp", "mcp/array.jsonl"),
    ("mem0", "mem0/get_all.json"),
    ("mem0", "mem0/history.jsonl"),
    ("graphiti", "graphiti/graph.json"),
    ("langgraph", "langgraph/items.json"),
    ("letta", "letta/agent.af"),
    ("letta", "letta/block_history.jsonl"),
    ("events", "others/events.jsonl"),
    ("notes", "others/notes.jsonl"),
    ("openmemory", "others/openmemory.jsonl"),
    ("memos", "others/memos.json"),
    ("supermemory", "others/supermemory.json"),
    ("property-graph", "others/property_graph.jsonl"),
    ("wikidata", "wikidata/statements.jsonl"),
];

/// Imports bytes that are broken, strictly and not, and holds what must be true of either.
fn holds(format: &str, name: &str, bytes: &[u8]) {
    let shop = Shop::new();
    let file = shop.write("damaged", bytes);
    let said = shop.says(&["import", &file, "--format", format]);
    assert!(said.ends_with("exit 3\n"), "{name}: {said}");
    let (_, place) = said.split_once("damaged:").unwrap_or_else(|| panic!("{name}: no place: {said}"));
    let numbers: Vec<&str> = place.splitn(3, ':').take(2).collect();
    assert!(numbers.iter().all(|number| number.parse::<u64>().is_ok_and(|it| it > 0)), "{name}: {said}");
    assert!(!shop.path("store.db").exists(), "{name}: something was taken");

    let kept = shop.path("kept");
    let kept_in = kept.to_string_lossy().into_owned();
    let skip = ["--json", "import", &file, "--format", format, "--on-error", "skip", "--rejects", &kept_in];
    let done = shop.run(&skip);
    assert_eq!(done.status.code(), Some(3), "{name}");
    let done: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    let count = |key: &str| done["objects"][key].as_u64().unwrap();
    assert_eq!(count("read"), count("taken") + count("rejected"), "{name}: {done}");
    assert!(count("rejected") > 0, "{name}: {done}");
    let kept = fs::read(kept).unwrap();
    assert!(!kept.is_empty(), "{name}");
    for line in kept.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let came = bytes.windows(line.len()).any(|window| window == line);
        assert!(came, "{name}: {} did not come in like that", String::from_utf8_lossy(line));
    }
}

#[test]
fn a_file_that_was_cut_off_is_told_with_its_place() {
    for (format, name) in FILES {
        let whole = fs::read(data(name)).unwrap();
        // Within the last object: its closing brackets go.
        let last = whole.iter().rposition(|byte| *byte == b'"').unwrap();
        holds(format, name, &whole[..last]);
    }
}

#[test]
fn a_line_that_is_none_is_told_and_the_others_are_taken() {
    for (format, name) in
        FILES.into_iter().filter(|(_, name)| name.ends_with(".jsonl") && *name != "mcp/array.jsonl")
    {
        let whole = fs::read_to_string(data(name)).unwrap();
        for odd in ["{\"riddle\": \"what is it\"}", "no JSON at all", "{\"name\": \"cut o", "[1, 2]", "\u{1}"] {
            let (first, rest) = whole.split_once('\n').unwrap();
            holds(format, &format!("{name} with {odd:?}"), format!("{first}\n{odd}\n{rest}").as_bytes());
        }
    }
}
