//! The formats that ship: small files, each one's shape read from the system's own source.

use super::reading;
use super::spec::Format;
use crate::wire::Fault;

/// Every format that ships: its name, and its file. The first that fits is not better than the last.
pub const FILES: &[(&str, &str)] = &[
    ("jsonl", include_str!("../../assets/formats/jsonl.json")),
    ("mcp", include_str!("../../assets/formats/mcp.json")),
];

/// All of them, read.
pub fn all() -> Result<Vec<Format>, Fault> {
    FILES.iter().map(|(_, text)| reading::read(text.as_bytes())).collect()
}

/// The file of the format of that name.
pub fn file(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(named, _)| *named == name).map(|(_, text)| *text)
}
