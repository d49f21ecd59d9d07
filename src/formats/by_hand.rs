//! A rule that a reviewer makes of one reading: the sentence with the value taken out.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use serde_json::{Value, json};

use super::slotting::{self, Rule};
use crate::wire::Fault;

/// Why a reading makes no rule.
#[derive(Debug, thiserror::Error)]
pub enum Unruly {
    #[error("{0:?} does not stand in the sentence")]
    NotThere(String),
    #[error("{0}")]
    Unsound(Fault),
}

/// Why a rule is not kept.
#[derive(Debug, thiserror::Error)]
pub enum NotKept {
    #[error("{0}")]
    File(#[from] io::Error),
    #[error("the file that is there is broken: {0}")]
    Broken(Fault),
}

/// The rule that reads this value in this sentence and, where it is not `exact`, whatever stands in its place in others.
/// Who is spoken of may go by any name that rules know.
pub fn rule(
    name: &str,
    (subject, sentence): (&str, &str),
    (attribute, value): (&str, &str),
    exact: bool,
) -> Result<(Value, Rule), Unruly> {
    let said = sentence.strip_prefix(subject).and_then(|rest| rest.strip_prefix(' ')).unwrap_or(sentence);
    let said = said.trim().trim_end_matches(['.', '!']);
    let (before, after) = said.split_once(value).ok_or_else(|| Unruly::NotThere(value.to_owned()))?;
    let place = if exact { format!("(?<value>{})", regex::escape(value)) } else { "{value}".to_owned() };
    let pattern = format!("{{who}}{}{place}{}", regex::escape(before), regex::escape(after));
    let rule = json!({"rule": name, "attribute": attribute, "match": pattern, "examples": {said: value}});
    let read = slotting::read(json!({"rules": [rule]}).to_string().as_bytes()).map_err(Unruly::Unsound)?;
    let made = read.into_iter().next().ok_or_else(|| Unruly::NotThere(value.to_owned()))?;
    Ok((rule, made))
}

/// A name for a rule that no rule of the file has.
pub fn free_name(path: &Path, attribute: &str) -> Result<String, NotKept> {
    let kept = kept(path)?;
    let taken = |name: &String| kept.iter().any(|rule| rule.name == *name);
    let mut names = (1..).map(|number| format!("{attribute}-{number}"));
    Ok(names.find(|name| !taken(name)).unwrap_or_default())
}

/// The rules of a file; none where there is no file.
pub fn kept(path: &Path) -> Result<Vec<Rule>, NotKept> {
    match fs::read(path) {
        Ok(bytes) => slotting::read(&bytes).map_err(NotKept::Broken),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(NotKept::File(error)),
    }
}

/// Writes the rule behind those of the file. Who reads the file meanwhile reads it as it was or as it is, never half.
pub fn keep(path: &Path, rule: &Value) -> Result<(), NotKept> {
    let _sound = kept(path)?;
    let mut whole: Value = match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes))
            .map_err(io::Error::other)?,
        Err(_) => json!({"rules": []}),
    };
    if let Some(rules) = whole["rules"].as_array_mut() {
        rules.push(rule.clone());
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    serde_json::to_writer_pretty(&mut file, &whole).map_err(io::Error::other)?;
    file.write_all(b"\n")?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
