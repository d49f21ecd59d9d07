//! The what-if beside a form: what the declaration in it would do, as far as that is known.

use super::failure::Failure;
use crate::core::policy::Declaration;
use crate::core::tried::Tried;

/// What is known of what the form would do.
#[derive(Clone, Debug, PartialEq)]
pub enum Trial {
    /// There is nothing to compute yet: why.
    Incomplete(String),
    /// The core settles every slot of it; how far it is, once it has said so.
    Running {
        number: u64,
        declaration: Declaration,
        progress: Option<(u64, u64)>,
    },
    Done {
        declaration: Declaration,
        tried: Box<Tried>,
    },
    Failed {
        declaration: Declaration,
        failure: Failure,
    },
}

impl Trial {
    /// The work that is under way.
    pub const fn number(&self) -> Option<u64> {
        match self {
            Self::Running { number, .. } => Some(*number),
            Self::Incomplete(_) | Self::Done { .. } | Self::Failed { .. } => None,
        }
    }

    /// The declaration that it is about.
    pub const fn declaration(&self) -> Option<&Declaration> {
        match self {
            Self::Running { declaration, .. }
            | Self::Done { declaration, .. }
            | Self::Failed { declaration, .. } => Some(declaration),
            Self::Incomplete(_) => None,
        }
    }

    /// The outcome of this very declaration.
    pub fn outcome_of(&self, wanted: &Declaration) -> Option<&Tried> {
        match self {
            Self::Done { declaration, tried } if declaration == wanted => Some(tried),
            Self::Incomplete(_) | Self::Running { .. } | Self::Done { .. } | Self::Failed { .. } => None,
        }
    }

    /// Its outcome has come; what was asked before is dropped.
    pub(super) fn finish(&mut self, number: u64, answer: Result<Box<Tried>, Failure>) -> bool {
        let Self::Running { number: running, declaration, .. } = self else { return false };
        if *running != number {
            return false;
        }
        let declaration = declaration.clone();
        *self = match answer {
            Ok(tried) => Self::Done { declaration, tried },
            Err(failure) => Self::Failed { declaration, failure },
        };
        true
    }

    /// It is so far.
    pub(super) const fn advance(&mut self, at: u64, done: u64, of: u64) {
        if let Self::Running { number, progress, .. } = self
            && *number == at
        {
            *progress = Some((done, of));
        }
    }
}
