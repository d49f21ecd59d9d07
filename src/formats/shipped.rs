//! The formats that ship: small files, each one's shape read from the system's own source.

use super::reading;
use super::spec::Format;
use crate::wire::Fault;

/// Every format that ships: its name, and its file. The first that fits is not better than the last.
pub const FILES: &[(&str, &str)] = &[
    ("jsonl", include_str!("../../assets/formats/jsonl.json")),
    ("mcp", include_str!("../../assets/formats/mcp.json")),
    ("mem0", include_str!("../../assets/formats/mem0.json")),
    ("graphiti", include_str!("../../assets/formats/graphiti.json")),
    ("langgraph", include_str!("../../assets/formats/langgraph.json")),
    ("letta", include_str!("../../assets/formats/letta.json")),
    ("events", include_str!("../../assets/formats/events.json")),
    ("notes", include_str!("../../assets/formats/notes.json")),
    ("openmemory", include_str!("../../assets/formats/openmemory.json")),
    ("memos", include_str!("../../assets/formats/memos.json")),
    ("supermemory", include_str!("../../assets/formats/supermemory.json")),
    ("property-graph", include_str!("../../assets/formats/property-graph.json")),
    ("wikidata", include_str!("../../assets/formats/wikidata.json")),
    ("git", include_str!("../../assets/formats/git.json")),
];

/// All of them, read.
pub fn all() -> Result<Vec<Format>, Fault> {
    FILES.iter().map(|(_, text)| reading::read(text.as_bytes())).collect()
}

/// The file of the format of that name.
pub fn file(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(named, _)| *named == name).map(|(_, text)| *text)
}
