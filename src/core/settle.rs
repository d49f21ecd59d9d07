/// What a slot answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    Settled,
    Contested,
    /// Contested, and each open pair has its re-observation requested.
    Awaiting,
    /// One claim, not proven: nothing anchored says it.
    Unanchored,
    Empty,
}

impl Status {
    pub const ALL: [Self; 5] = [Self::Settled, Self::Contested, Self::Awaiting, Self::Unanchored, Self::Empty];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Settled => "settled",
            Self::Contested => "contested",
            Self::Awaiting => "awaiting",
            Self::Unanchored => "unanchored",
            Self::Empty => "empty",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}
