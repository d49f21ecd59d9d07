//! The word for what became of a record.

/// What became of a record when it landed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Landing {
    /// Alone in its slot.
    Held,
    Agrees,
    Coexists,
    Supersedes,
    Superseded,
    Retracts,
    Quarantined,
    History,
    Duplicate,
    Unslotted,
}

impl Landing {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Agrees => "agrees",
            Self::Coexists => "coexists",
            Self::Supersedes => "supersedes",
            Self::Superseded => "superseded",
            Self::Retracts => "retracts",
            Self::Quarantined => "quarantined",
            Self::History => "history",
            Self::Duplicate => "duplicate",
            Self::Unslotted => "unslotted",
        }
    }
}
