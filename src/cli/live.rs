//! The demo's live world: two small files, a configuration with an observer for each, and words that say what to do
//! with them.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::core::ruling::PairId;
use crate::error::{Error, Result};

/// The service that is looked at.
pub(super) const SUBJECT: &str = "svc/checkout";

/// What the world says of it, in an epoch that nothing in the store has seen yet.
const WORLD: [(&str, &str, &str); 2] = [
    (
        "retry_timeout",
        "config_probe",
        r#"{"value": "5s", "epoch": 8, "evidence": "checkoutctl config get retry_timeout: 5s (deploy 2025.11.1)"}"#,
    ),
    (
        "replica_count",
        "api_response",
        r#"{"value": 6, "epoch": 8, "evidence": "GET /apis/apps/v1/deployments/checkout: spec.replicas 6"}"#,
    ),
];

/// The files, once they are there.
#[derive(Clone, Debug)]
pub(super) struct Live {
    pub(super) config: PathBuf,
    folder: PathBuf,
}

/// Writes the files and the configuration into the demo's folder. Only the user may read or change them.
pub(super) fn make(demo: &Path) -> Result<Live> {
    let folder = demo.join("live");
    let unwritten = |error| Error::unwritten(&folder.display().to_string(), &error);
    fs::DirBuilder::new().mode(0o700).create(&folder).map_err(unwritten)?;
    let mut observers: Vec<Value> = Vec::new();
    for (attribute, source, says) in WORLD {
        write(&folder.join(format!("{attribute}.json")), &format!("{says}\n"))?;
        observers.push(json!({
            "attribute": attribute, "subject": SUBJECT, "source": source,
            "run": ["cat", folder.join("{attribute}.json").display().to_string()],
        }));
    }
    let config = demo.join("config.json");
    let document = serde_json::to_string_pretty(&json!({"observers": observers})).unwrap_or_default();
    write(&config, &format!("{document}\n"))?;
    Ok(Live { config, folder })
}

fn write(file: &Path, text: &str) -> Result {
    let unwritten = |error| Error::unwritten(&file.display().to_string(), &error);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file).map_err(unwritten)?;
    file.write_all(text.as_bytes()).map_err(unwritten)
}

impl Live {
    /// The attributes that are looked at.
    pub(super) fn attributes() -> impl Iterator<Item = &'static str> {
        WORLD.into_iter().map(|(attribute, ..)| attribute)
    }

    /// What the first screen says.
    pub(super) fn greeting(&self, watched: &[PairId]) -> Vec<String> {
        let numbers: Vec<String> = watched.iter().map(ToString::to_string).collect();
        let first = Self::attributes().next().unwrap_or_default();
        let looked_at = Self::attributes().collect::<Vec<_>>().join(" and ");
        vec![
            "A store full of incidents. It is thrown away when you leave: rule on whatever you like.".to_owned(),
            String::new(),
            format!(
                "Two observers look at files that were made for you. On the {looked_at} of {SUBJECT} (pairs {}) press r, then r: \
                 it is looked at again, and the pair settles. With * and then r r, all are looked at.",
                numbers.join(" and ")
            ),
            String::new(),
            "Change what they see, take the look back with u, and look again:".to_owned(),
            self.file(first),
        ]
    }

    /// Where what is said of an attribute stands.
    pub(super) fn file(&self, attribute: &str) -> String {
        self.folder.join(format!("{attribute}.json")).display().to_string()
    }
}
