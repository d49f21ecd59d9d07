//! One configuration file through the history of its repository: each commit that changed it is an observation of its
//! keys, in a world-state of its own.
//!
//! The line that is walked is that of first parents: what the file was on this branch, not on those merged into it. The
//! repository is only read; nothing of it is run.

use std::path::{Path as FilePath, PathBuf};

use git2::{Commit, Oid, Repository, Sort};

use super::settings::Language;

/// One state of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// How many commits of the line had changed the file by then: the epoch.
    pub number: i64,
    pub commit: String,
    /// Seconds since 1970.
    pub seconds: i64,
    pub author: String,
    /// The first line of the message.
    pub summary: String,
    /// What the file held; none where the commit removed it.
    pub text: Option<Vec<u8>>,
}

/// A file in a repository.
pub struct History {
    repository: Repository,
    /// Within the repository.
    path: PathBuf,
    line: Vec<Oid>,
}

/// How far a history has been walked.
#[derive(Clone, Debug, Default)]
pub struct Cursor {
    at: usize,
    last: Option<Oid>,
    number: i64,
}

/// Why a history cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    #[error("{0} lies in no git repository")]
    NoRepository(String),
    #[error("{0}: its ending tells no language; JSON, TOML and YAML are read")]
    NoLanguage(String),
    #[error("the repository cannot be read: {0}")]
    Git(#[from] git2::Error),
}

impl History {
    /// Finds the repository of a file, and the commits of its current branch, the oldest first.
    pub fn open(file: &FilePath) -> Result<(Self, Language), GitError> {
        let shown = file.display().to_string();
        let language = Language::of(&shown).ok_or_else(|| GitError::NoLanguage(shown.clone()))?;
        // The file itself may be gone today: its folder, or the nearest above it that is there, leads to the repository.
        let absolute = std::path::absolute(file).map_err(|_| GitError::NoRepository(shown.clone()))?;
        let folder = absolute.ancestors().skip(1).find(|folder| folder.is_dir());
        let folder = folder.and_then(|folder| folder.canonicalize().ok());
        let folder = folder.ok_or_else(|| GitError::NoRepository(shown.clone()))?;
        let repository = Repository::discover(&folder).map_err(|_| GitError::NoRepository(shown.clone()))?;
        let root = repository.workdir().and_then(|root| root.canonicalize().ok());
        let root = root.ok_or_else(|| GitError::NoRepository(shown.clone()))?;
        let within = absolute.ancestors().skip(1).find(|folder| folder.is_dir());
        let rest = within.and_then(|within| absolute.strip_prefix(within).ok()).unwrap_or(&absolute);
        let path = folder.join(rest);
        let path = path.strip_prefix(&root).map_err(|_| GitError::NoRepository(shown))?.to_owned();
        let line = line(&repository)?;
        Ok((Self { repository, path, line }, language))
    }

    /// Where the file stands, from the folder of its repository on.
    pub fn name(&self) -> String {
        let root = self.repository.workdir().and_then(FilePath::file_name).map(FilePath::new);
        root.unwrap_or(FilePath::new("")).join(&self.path).display().to_string()
    }

    /// The next state of the file after what the cursor has seen, the oldest first.
    pub fn next(&self, cursor: &mut Cursor) -> Option<Result<State, GitError>> {
        while let Some(id) = self.line.get(cursor.at) {
            cursor.at += 1;
            let commit = match self.repository.find_commit(*id) {
                Ok(commit) => commit,
                Err(error) => return Some(Err(error.into())),
            };
            let blob = self.blob(&commit);
            if blob != cursor.last {
                cursor.last = blob;
                cursor.number += 1;
                return Some(self.state(&commit, blob, cursor.number));
            }
        }
        None
    }

    fn blob(&self, commit: &Commit<'_>) -> Option<Oid> {
        Some(commit.tree().ok()?.get_path(&self.path).ok()?.id())
    }

    fn state(&self, commit: &Commit<'_>, blob: Option<Oid>, number: i64) -> Result<State, GitError> {
        let text = match blob {
            Some(id) => Some(self.repository.find_blob(id)?.content().to_vec()),
            None => None,
        };
        Ok(State {
            number,
            commit: commit.id().to_string(),
            seconds: commit.time().seconds(),
            author: String::from_utf8_lossy(commit.author().name_bytes()).into_owned(),
            summary: String::from_utf8_lossy(commit.summary_bytes().unwrap_or_default()).into_owned(),
            text,
        })
    }
}

/// The commits of the current branch by first parents, the oldest first.
fn line(repository: &Repository) -> Result<Vec<Oid>, git2::Error> {
    let mut walk = repository.revwalk()?;
    walk.set_sorting(Sort::TOPOLOGICAL | Sort::REVERSE)?;
    walk.simplify_first_parent()?;
    walk.push_head()?;
    walk.collect()
}
