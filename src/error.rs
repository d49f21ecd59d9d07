//! What went wrong, whose fault it is, and what to do now.
//!
//! The floors below have small errors that say *what*. Here alone is decided *whose fault*: the exit code (INTERFACE 1),
//! the place in a file, the hint. A person gets one line, its causes and a hint; a script gets `{"error": {…}}` too.

use std::fmt;
use std::io;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::core::order::Refusal;
use crate::core::text::reveal;
use crate::store::{OrderError, StoreError, cause_of};
use crate::wire::Fault;

/// Whose fault it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The core refused it.
    Refused,
    /// The command line is not one of ours.
    Usage,
    /// No such pair, record, ruling or batch.
    Missing,
    /// The input cannot be read.
    Input,
    /// The store is missing, busy, not one, or of a newer version.
    Store,
    /// `verify` found damage.
    Damaged,
    /// Standard output, or a file asked for, cannot be written.
    Output,
    /// Whoever read our output has closed it: no error, but nothing more can be said.
    Unread,
    /// A fault of this program.
    Internal,
}

/// One thing that went wrong. Displays as the one line that a person reads first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub kind: Kind,
    pub message: String,
    /// Where, if in a file.
    pub place: Option<Box<Place>>,
    /// What lies behind it, the nearest first.
    pub causes: Vec<String>,
    /// The actions that the core permits instead.
    pub permitted: Vec<String>,
    /// What to do now.
    pub hint: Option<String>,
}

/// Where in which file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// As it was named: `-` is standard input.
    pub file: String,
    pub line: Option<u64>,
    pub column: Option<u64>,
    pub key: Option<String>,
    pub expected: Option<String>,
}

/// What every command gives: it is done, or why not.
pub type Result<T = ()> = std::result::Result<T, Error>;

impl Kind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Usage => "usage",
            Self::Missing => "missing",
            Self::Input => "input",
            Self::Store => "store",
            Self::Damaged => "damaged",
            Self::Output | Self::Unread => "output",
            Self::Internal => "internal",
        }
    }

    /// The exit status; those that INTERFACE does not name are from `sysexits.h`.
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Unread => 0,
            Self::Refused => 1,
            Self::Usage | Self::Missing => 2,
            Self::Input => 3,
            Self::Store => 4,
            Self::Damaged => 5,
            Self::Internal => 70,
            Self::Output => 74,
        }
    }
}

impl Error {
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), place: None, causes: Vec::new(), permitted: Vec::new(), hint: None }
    }

    /// A fault in a file that was read (`-` for standard input).
    pub fn in_file(file: &str, fault: &Fault) -> Self {
        let place = Place {
            file: file.to_owned(),
            line: Some(fault.at.line),
            column: Some(fault.at.column),
            key: fault.key.clone(),
            expected: fault.expected.clone(),
        };
        Self { place: Some(Box::new(place)), ..Self::new(Kind::Input, fault.to_string()) }
    }

    /// A file that cannot be read.
    pub fn unreadable(file: &Path, error: &io::Error) -> Self {
        let whole = Self::unreadable_as(file, format!("it cannot be read: {}", cause_of(error)));
        Self { hint: what_to_do(error), ..whole }
    }

    /// A file that is not what it should be as a whole.
    pub fn unreadable_as(file: &Path, message: impl Into<String>) -> Self {
        let place = Place { file: file.display().to_string(), ..Place::default() };
        Self { place: Some(Box::new(place)), ..Self::new(Kind::Input, message) }
    }

    /// Output that cannot be written; a reader that has gone is no error.
    pub fn unwritten(what: &str, error: &io::Error) -> Self {
        let kind = if error.kind() == io::ErrorKind::BrokenPipe { Kind::Unread } else { Kind::Output };
        let (cause, hint) = (cause_of(error), what_to_do(error));
        Self { hint, ..Self::new(kind, format!("cannot write {what}: {cause}")) }
    }

    /// A pair, record, ruling or batch that is not there.
    pub fn missing(what: &'static str, id: impl fmt::Display) -> Self {
        Self::new(Kind::Missing, format!("there is no {what} {id}")).with_hint(where_they_are(what))
    }

    /// A fault of this program.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(Kind::Internal, message).with_hint("this is a fault of gainsay itself: please report it")
    }

    #[must_use]
    pub fn with_hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// The same error with what lies behind it.
    #[must_use]
    pub fn caused_by(mut self, cause: &(dyn std::error::Error + 'static)) -> Self {
        let chain = std::iter::successors(Some(cause), |cause| cause.source());
        self.causes.extend(chain.map(ToString::to_string));
        self
    }

    /// The same error of a store, with the file that it lives in where the message does not name it.
    #[must_use]
    pub fn of_store(self, store: &Path) -> Self {
        let file = store.display().to_string();
        if self.kind != Kind::Store || self.place.is_some() || self.message.contains(&file) {
            return self;
        }
        Self { place: Some(Box::new(Place { file, ..Place::default() })), ..self }
    }

    pub const fn exit_code(&self) -> u8 {
        self.kind.exit_code()
    }

    /// `{"error": {"kind": …, "message": …, …}}`: keys that have nothing to say are not there.
    pub fn to_json(&self) -> Value {
        let list = |list: &[String]| (!list.is_empty()).then(|| json!(list));
        let place = self.place.as_deref();
        let fields: Map<String, Value> = [
            ("kind", Some(json!(self.kind.name()))),
            ("message", Some(json!(self.message))),
            ("file", place.map(|place| json!(place.file))),
            ("line", place.and_then(|place| Some(json!(place.line?)))),
            ("column", place.and_then(|place| Some(json!(place.column?)))),
            ("key", place.and_then(|place| Some(json!(place.key.as_ref()?)))),
            ("expected", place.and_then(|place| Some(json!(place.expected.as_ref()?)))),
            ("causes", list(&self.causes)),
            ("permitted", list(&self.permitted)),
            ("hint", self.hint.as_ref().map(|hint| json!(hint))),
        ]
        .into_iter()
        .filter_map(|(key, value)| Some((key.to_owned(), value?)))
        .collect();
        json!({ "error": fields })
    }

    /// The lines below the first, for people: causes, what is permitted instead, the hint. Everything revealed.
    pub fn more(&self) -> Vec<String> {
        let causes = self.causes.iter().map(|cause| format!("because: {cause}"));
        let permitted = (!self.permitted.is_empty()).then(|| format!("permitted: {}", self.permitted.join(", ")));
        let hint = self.hint.as_ref().map(|hint| format!("hint: {hint}"));
        causes.chain(permitted).chain(hint).map(|line| reveal(&line).into_owned()).collect()
    }
}

impl fmt::Display for Error {
    /// `file:line:column: message`, with everything that a terminal would act on revealed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{}:", reveal(&place.file))?;
            for number in [place.line, place.column].into_iter().flatten() {
                write!(f, "{number}:")?;
            }
            f.write_str(" ")?;
        }
        f.write_str(&reveal(&self.message))
    }
}

impl std::error::Error for Error {}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        let message = refusal.to_string();
        match refusal {
            Refusal::NotPermitted { permitted, .. } | Refusal::NeedsOverride { permitted, .. } => {
                Self { permitted, ..Self::new(Kind::Refused, message) }
            }
            Refusal::Stale { pair, .. } => Self::new(Kind::Refused, message)
                .with_hint(format!("nothing was written: look at it again with `gainsay show {pair}`")),
            Refusal::Because(_) | Refusal::Along { .. } => Self::new(Kind::Refused, message),
            Refusal::StandsOn { later, .. } => {
                Self::new(Kind::Refused, message).with_hint(format!("gainsay undo {later}"))
            }
            Refusal::Missing { what, id } => Self::missing(what, id),
        }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        let hint = error.hint();
        let message = if error.is_busy() {
            "the store is busy: another process is writing".to_owned()
        } else {
            error.to_string()
        };
        // What is written beside the store is a file asked for, like any output.
        let kind = match error {
            StoreError::InTheWay { .. } | StoreError::CannotWrite { .. } => Kind::Output,
            StoreError::Missing(_)
            | StoreError::NotAStore { .. }
            | StoreError::Newer { .. }
            | StoreError::Damaged(_)
            | StoreError::CannotOpen { .. }
            | StoreError::Gone { .. }
            | StoreError::ReadOnly { .. }
            | StoreError::Altered { .. }
            | StoreError::Sqlite(_)
            | StoreError::Io(_) => Kind::Store,
        };
        Self::new(kind, message).with_hint(hint)
    }
}

impl From<OrderError> for Error {
    fn from(error: OrderError) -> Self {
        match error {
            OrderError::Refused(refusal) => refusal.into(),
            OrderError::Store(error) => error.into(),
            OrderError::Cancelled => Self::internal("an order was cancelled that nobody could cancel"),
        }
    }
}

/// What to do about a file that the system does not give.
fn what_to_do(error: &io::Error) -> Option<String> {
    use io::ErrorKind::{
        FileTooLarge, IsADirectory, NotFound, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull,
    };
    const KNOWN: [(io::ErrorKind, &str); 7] = [
        (QuotaExceeded, "free some space, and run it again"),
        (FileTooLarge, "free some space, and run it again"),
        (StorageFull, "free some space, and run it again"),
        (PermissionDenied, "check the permissions of the file and its folder, or name another"),
        (NotFound, "check the path"),
        (IsADirectory, "name a file"),
        (ReadOnlyFilesystem, "name a file elsewhere"),
    ];
    KNOWN.into_iter().find(|(kind, _)| *kind == error.kind()).map(|(_, hint)| hint.to_owned())
}

/// Which command lists the things of that name.
fn where_they_are(what: &str) -> &'static str {
    match what {
        "batch" => "`gainsay batches` lists them",
        "ruling" => "`gainsay log` lists them",
        "record" => "`gainsay history SUBJECT ATTRIBUTE` lists those of a slot",
        _ => "`gainsay queue` lists the open pairs",
    }
}
