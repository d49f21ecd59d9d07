//! A configuration file's history as an input: each commit that changed it is an object with its keys.

use std::path::Path;
use std::rc::Rc;

use chrono::{DateTime, SecondsFormat};
use serde_json::{Map, Value, json};

use crate::error::{Error, Result};
use crate::formats::cut::{Object, Objects};
use crate::formats::git::{Cursor, GitError, History, State};
use crate::formats::path;
use crate::formats::settings::{Language, keys};
use crate::wire::{Element, Fault, Position};

/// A file in a repository, and the keys of it that are wanted (none: all).
#[derive(Clone)]
pub(super) struct Repository {
    history: Rc<History>,
    language: Language,
    keys: Vec<path::Path>,
}

impl Repository {
    pub(super) fn open(file: &Path, keys: &[path::Path]) -> Result<Self> {
        let (history, language) = History::open(file).map_err(|error| refused(file, &error))?;
        let repository = Self { history: Rc::new(history), language, keys: keys.to_vec() };
        match repository.history.next(&mut Cursor::default()) {
            Some(_) => Ok(repository),
            None => Err(Error::unreadable_as(file, "it was never in the history of this branch")
                .with_hint("name the file as it is named in the repository; renames are not followed")),
        }
    }

    pub(super) fn objects(&self) -> Objects<'static> {
        let (repository, mut cursor) = (self.clone(), Cursor::default());
        Box::new(std::iter::from_fn(move || {
            let state = repository.history.next(&mut cursor)?;
            Some(state.map(|state| repository.object(state)).map_err(std::io::Error::other))
        }))
    }

    fn object(&self, state: State) -> Object {
        let at = Position { line: u64::try_from(state.number).unwrap_or_default(), column: 1 };
        let bytes = state.text.clone().unwrap_or_default();
        let value = self.value(&state).map_err(|said| {
            let short = state.commit.get(..12).unwrap_or(&state.commit);
            let said = said.lines().next().unwrap_or_default().to_owned();
            Fault::new(at, format!("in commit {short} it cannot be read: {said}"), format!("{:?}", self.language))
        });
        Object { element: Element { at, bytes, fault: None }, value }
    }

    fn value(&self, state: &State) -> std::result::Result<Value, String> {
        let found = match &state.text {
            Some(bytes) => {
                let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
                keys(&self.language.read(text)?, &self.keys)
            }
            None => Vec::new(),
        };
        let time = DateTime::from_timestamp(state.seconds, 0).ok_or("its time lies outside of the calendar")?;
        Ok(json!({
            "file": self.history.name(), "number": state.number, "commit": state.commit,
            "time": time.to_rfc3339_opts(SecondsFormat::Secs, true), "author": state.author, "summary": state.summary,
            "keys": found.into_iter().collect::<Map<_, _>>(),
        }))
    }
}

fn refused(file: &Path, error: &GitError) -> Error {
    Error::unreadable_as(file, error.to_string()).with_hint("name a .json, .toml or .yaml file in a git repository")
}
