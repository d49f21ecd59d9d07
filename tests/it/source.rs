//! Reads Rust source as far as `floors` needs it: the code without its comments and texts, and the paths it names.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// One file: its path from the root of the repository, and its text.
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A path that a file names, in full: `crate::core::record::Record` is `["core", "record", "Record"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) path: Vec<String>,
    /// Whether it is only handed on (`pub use`).
    pub(crate) handed_on: bool,
    /// The number of its `use` statement in the file; none for a path written where it is used.
    pub(crate) statement: Option<usize>,
}

/// Every Rust file below a folder, in the order of their paths.
pub(crate) fn files(root: &Path, folder: &str) -> Vec<File> {
    let mut found = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder can be listed") {
            let path = entry.expect("the entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let text = fs::read_to_string(&path).expect("source is UTF-8");
                let path =
                    path.strip_prefix(root).expect("it lies below the root").to_string_lossy().replace('\\', "/");
                found.push(File { path, text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

impl File {
    /// The module of the file: `src/core/time.rs` and `src/core/time/mod.rs` are `["core", "time"]`.
    pub(crate) fn module(&self) -> Vec<String> {
        let inner = self.path.trim_start_matches("src/").trim_end_matches(".rs");
        let mut module: Vec<String> = inner.split('/').map(str::to_owned).collect();
        if matches!(module.last().map(String::as_str), Some("mod" | "lib" | "main")) {
            module.pop();
        }
        module
    }

    /// The floor on which it stands: the first part of its path. `main.rs` and `lib.rs` are floors of their own.
    pub(crate) fn floor(&self) -> String {
        let inner = self.path.trim_start_matches("src/");
        inner.split('/').next().unwrap_or(inner).trim_end_matches(".rs").to_owned()
    }

    /// The code: comments are gone, and texts are empty.
    pub(crate) fn code(&self) -> String {
        code(&self.text)
    }

    /// Every path into this crate that the file names.
    pub(crate) fn names(&self, modules: &BTreeMap<Vec<String>, String>) -> Vec<Named> {
        let (mut names, mut rest) = (Vec::new(), String::new());
        for (number, statement) in statements(&self.code()).into_iter().enumerate() {
            match tree_of(&statement) {
                Some((tree, handed_on)) => {
                    let paths = leaves("", tree).into_iter().filter_map(|path| self.absolute(&path, modules));
                    names.extend(paths.map(|path| Named { path, handed_on, statement: Some(number) }));
                }
                None => rest.push_str(&statement),
            }
        }
        let written = inline(&rest).into_iter().filter_map(|path| self.absolute(&path, modules));
        names.extend(written.map(|path| Named { path, handed_on: false, statement: None }));
        names
    }

    /// The path from the root of the crate, where it leads into the crate.
    fn absolute(&self, path: &str, modules: &BTreeMap<Vec<String>, String>) -> Option<Vec<String>> {
        let mut parts = path.split("::").map(str::to_owned).peekable();
        let mut at = self.module();
        match parts.peek().map(String::as_str) {
            Some("crate" | "gainsay") => {
                parts.next();
                at.clear();
            }
            Some("self") => {
                parts.next();
            }
            Some("super") => {
                while parts.next_if(|part| part == "super").is_some() {
                    at.pop();
                }
            }
            Some(child) => {
                at.push(child.to_owned());
                let is_module = modules.contains_key(&at);
                at.pop();
                if !is_module {
                    return None;
                }
            }
            None => return None,
        }
        at.extend(parts);
        Some(at)
    }
}

/// The code in pieces, of which each `use` statement is one: its braces are no blocks.
fn statements(code: &str) -> Vec<String> {
    let (mut whole, mut begun) = (Vec::new(), String::new());
    for piece in code.split_inclusive([';', '{', '}']) {
        begun.push_str(piece);
        if tree_of(&begun).is_none() || begun.ends_with(';') {
            whole.push(std::mem::take(&mut begun));
        }
    }
    whole.push(begun);
    whole
}

/// The tree of a `use` statement, and whether it hands on what it names.
fn tree_of(statement: &str) -> Option<(&str, bool)> {
    let mut statement = statement.trim_start();
    while let Some((_, after)) = statement.starts_with('#').then(|| statement.split_once(']')).flatten() {
        statement = after.trim_start();
    }
    let visible = statement.starts_with("pub");
    let after = match statement.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(')')?.1,
        Some(rest) => rest,
        None => statement,
    };
    let tree = after.trim_start().strip_prefix("use ")?;
    Some((tree.trim().trim_end_matches(';'), visible))
}

/// The paths of a `use` tree: `a::{b, c::{d, e as f}}` is `a::b`, `a::c::d`, `a::c::e`.
fn leaves(prefix: &str, tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((before, inside)) = tree.split_once('{') else {
        let path: String = tree.split(" as ").next().unwrap_or(tree).split_whitespace().collect();
        return if path.is_empty() { Vec::new() } else { vec![format!("{prefix}{path}")] };
    };
    let inside = inside.rsplit_once('}').map_or(inside, |(inside, _)| inside);
    let prefix = format!("{prefix}{}", before.split_whitespace().collect::<String>());
    let (mut depth, mut branch, mut found) = (0, String::new(), Vec::new());
    for letter in inside.chars().chain([',']) {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if letter == ',' && depth == 0 {
            found.extend(leaves(&prefix, &std::mem::take(&mut branch)));
        } else {
            branch.push(letter);
        }
    }
    found
}

/// Paths that are written where they are used: `super::time::Instant`.
fn inline(code: &str) -> Vec<String> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    code.split(|letter: char| !is_part(letter))
        .filter(|word| ["crate::", "super::", "gainsay::"].iter().any(|head| word.starts_with(head)))
        .map(|word| word.trim_end_matches(':').to_owned())
        .collect()
}

fn code(text: &str) -> String {
    let (mut kept, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(letter) = rest.chars().next() {
        let skipped = skippable(rest, kept.chars().last());
        if skipped == 0 {
            kept.push(letter);
            rest = &rest[letter.len_utf8()..];
            continue;
        }
        kept.push_str(if rest.starts_with('/') { " " } else { "\"\"" });
        kept.extend(rest[..skipped].matches('\n'));
        rest = &rest[skipped..];
    }
    kept
}

/// How much of the text, from its beginning, is a comment or a literal; 0 where it is code.
fn skippable(text: &str, before: Option<char>) -> usize {
    let up_to = |end: &str, from: usize| text[from..].find(end).map_or(text.len(), |at| from + at + end.len());
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return up_to("*/", 2);
    }
    if text.starts_with('"') {
        return quoted(text, '"');
    }
    let in_a_name = before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    if text.starts_with('r') && !in_a_name {
        let marks = text[1..].chars().take_while(|letter| *letter == '#').count();
        if text[1 + marks..].starts_with('"') {
            return up_to(&format!("\"{}", "#".repeat(marks)), 2 + marks);
        }
    }
    // A quote begins a character where it ends after one; otherwise it begins the name of a lifetime.
    let mut after = text.chars().skip(1);
    let is_character = match (after.next(), after.next()) {
        (Some('\\'), _) => true,
        (Some(_), end) => end == Some('\''),
        (None, _) => false,
    };
    if text.starts_with('\'') && is_character { quoted(text, '\'') } else { 0 }
}

/// The length of a literal between two such quotes.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        if letter == quote && !escaped {
            return at + letter.len_utf8();
        }
        escaped = letter == '\\' && !escaped;
    }
    text.len()
}
