//! A configuration file in JSON, TOML or YAML, and the keys in it.

use serde_json::{Map, Value, json};

use super::path::{Path, Scope};

/// In what a configuration file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Json,
    Toml,
    Yaml,
}

impl Language {
    /// By the ending of the file's name.
    pub fn of(name: &str) -> Option<Self> {
        match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
            "json" => Some(Self::Json),
            "toml" => Some(Self::Toml),
            "yaml" | "yml" => Some(Self::Yaml),
            _ => None,
        }
    }

    /// What the file says; an error is a sentence with its place.
    pub fn read(self, text: &str) -> Result<Value, String> {
        match self {
            Self::Json => serde_json::from_str(text).map_err(|error| error.to_string()),
            Self::Toml => text
                .parse::<toml::Table>()
                .map(|table| of_toml(toml::Value::Table(table)))
                .map_err(|error| error.to_string()),
            Self::Yaml => serde_saphyr::from_str(text).map_err(|error| error.to_string()),
        }
    }
}

fn of_toml(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => json!(text),
        toml::Value::Integer(number) => json!(number),
        toml::Value::Float(number) => json!(number),
        toml::Value::Boolean(truth) => json!(truth),
        toml::Value::Datetime(at) => json!(at.to_string()),
        toml::Value::Array(items) => items.into_iter().map(of_toml).collect(),
        toml::Value::Table(table) => {
            Value::Object(table.into_iter().map(|(key, value)| (key, of_toml(value))).collect::<Map<_, _>>())
        }
    }
}

/// The values of the keys that are asked for, by their dotted names; of all scalars, where none is asked for.
pub fn keys(settings: &Value, asked: &[Path]) -> Vec<(String, Value)> {
    if asked.is_empty() {
        let mut all = Vec::new();
        flat(String::new(), settings, &mut all);
        return all;
    }
    let found = |path: &Path| {
        let value = path.find(Scope { object: settings, item: None })?;
        Some((path.as_str().trim_start_matches('.').to_owned(), value.clone()))
    };
    asked.iter().filter_map(found).filter(|(_, value)| !value.is_null()).collect()
}

/// Every scalar and list, under the keys that lead to it.
fn flat(name: String, value: &Value, all: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                flat(name, value, all);
            }
        }
        Value::Null => {}
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => all.push((name, value.clone())),
    }
}
