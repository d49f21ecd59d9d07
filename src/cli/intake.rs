//! What an import keeps an eye on besides its records: rejects, and keys that mean nothing.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::core::record::{Lack, Record};
use crate::core::text::reveal;
use crate::error::{Error, Kind, Result};
use crate::wire::Fault;
use crate::wire::record::Incoming;

use super::output::note;

/// Bad records, kept byte for byte in a file of their own where one is named.
pub(super) struct Rejects {
    path: Option<PathBuf>,
    file: Option<BufWriter<File>>,
    pub(super) count: u64,
    /// What stands above them: the headings of a table.
    pub(super) headings: Option<Vec<u8>>,
    /// Those that never reached the store: what it counts as read lacks them.
    pub(super) unread: u64,
    /// The first few, for the warning.
    told: Vec<String>,
}

/// So many faults are told; the rejects file has all of them.
const TOLD: usize = 10;

impl Rejects {
    /// A file that is there already is not overwritten.
    pub(super) fn new(path: Option<&Path>, dry_run: bool) -> Result<Self> {
        if let Some(path) = path.filter(|path| path.exists()) {
            return Err(Error::new(Kind::Usage, format!("{} is there already", path.display()))
                .with_hint("name another file for the rejects: nothing is overwritten"));
        }
        // A dry run writes nothing at all.
        let path = path.filter(|_| !dry_run);
        Ok(Self {
            path: path.map(Path::to_owned),
            file: None,
            count: 0,
            headings: None,
            unread: 0,
            told: Vec::new(),
        })
    }

    /// Whether there is a file that takes them.
    pub(super) const fn keeps(&self) -> bool {
        self.path.is_some()
    }

    /// Keeps a record that could not be read.
    pub(super) fn keep(&mut self, raw: &[u8], name: &str, fault: &Fault) -> Result {
        self.unread += 1;
        self.keep_read(raw, name, fault)
    }

    /// Keeps a record that was read, and clashed.
    pub(super) fn keep_read(&mut self, raw: &[u8], name: &str, fault: &Fault) -> Result {
        self.count += 1;
        if self.told.len() < TOLD {
            self.told.push(Error::in_file(name, fault).to_string());
        }
        let Some(path) = &self.path else { return Ok(()) };
        let unwritten = |error| Error::unwritten(&path.display().to_string(), &error);
        if self.file.is_none() {
            let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map_err(unwritten)?;
            let mut file = BufWriter::new(file);
            file.write_all(self.headings.as_deref().unwrap_or_default()).map_err(unwritten)?;
            self.file = Some(file);
        }
        if let Some(file) = &mut self.file {
            file.write_all(raw)
                .and_then(|()| file.write_all(b"\n"))
                .and_then(|()| file.flush())
                .map_err(unwritten)?;
        }
        Ok(())
    }

    /// Says what was left out, and where it is.
    pub(super) fn warn(&self) {
        for told in &self.told {
            note(&format!("rejected: {told}\n"));
        }
        if let Some(more) = self.count.checked_sub(TOLD as u64).filter(|more| *more > 0) {
            note(&format!("rejected: {more} more\n"));
        }
        if let (Some(path), true) = (&self.path, self.count > 0) {
            note(&format!("the rejected records are in {}\n", reveal(&path.display().to_string())));
        }
    }
}

/// What the records of an import lack, and how many objects they came from.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) objects: u64,
    pub(super) rejected: u64,
    lacks: BTreeMap<Lack, u64>,
}

impl Seen {
    pub(super) fn note(&mut self, record: &Record) {
        for lack in record.lacks() {
            *self.lacks.entry(lack).or_default() += 1;
        }
    }

    /// By what is missing: how many records lack it.
    pub(super) fn missing(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.lacks.iter().map(|(lack, count)| (lack.name(), *count))
    }
}

/// Keys that mean nothing: how often each was left out, and where first.
#[derive(Default)]
pub(super) struct LeftOut {
    keys: BTreeMap<String, (u64, u64)>,
}

impl LeftOut {
    pub(super) fn note(&mut self, record: &Incoming) {
        for key in &record.left_out {
            self.keys.entry(key.clone()).or_insert((0, record.line)).0 += 1;
        }
    }

    /// Takes over what a mapping left out.
    pub(super) fn extend(&mut self, keys: &BTreeMap<String, (u64, u64)>) {
        self.keys.extend(keys.iter().map(|(key, counts)| (key.clone(), *counts)));
    }

    pub(super) fn warn(&self) {
        for (key, (count, line)) in &self.keys {
            let times = if *count == 1 { String::new() } else { format!(" ({count} times)") };
            note(&format!(
                "warning: line {line}: the key {:?} means nothing here and was left out{times}\n",
                reveal(key)
            ));
        }
    }
}
