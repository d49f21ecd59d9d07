//! What a store can and cannot answer for: what its records lack, and the incident that each lack invites.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization;
use unicode_security::confusable_detection::skeleton;

use super::identity::Identity;
use super::record::{Attribute, Kind, SourceClass, Subject};

/// Something that a record may leave unsaid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Missing {
    Source,
    Batch,
    ObservedAt,
    WrittenAt,
    Epoch,
    Confidence,
}

/// The whole of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Health {
    pub records: u64,
    /// By source kind, the most records first; the records without one are a kind of their own.
    pub kinds: Vec<OfKind>,
    pub confidence: Spread,
    pub times: Times,
    /// Attributes that nobody declared, those that hold the most pairs open first.
    pub undeclared: Vec<Undeclared>,
    /// Names that may be of one subject: only a person can say so.
    pub alike: Vec<Vec<Subject>>,
    /// Settled facts that were last seen longer ago than the policy allows.
    pub stale: u64,
}

/// The records of one source kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OfKind {
    pub kind: Option<Kind>,
    pub class: Option<SourceClass>,
    pub records: u64,
    /// How many lack what, in the order of [`Missing::ALL`].
    pub missing: [u64; 6],
    /// Rulings that count.
    pub won: u64,
    pub lost: u64,
}

/// How the numbers of one field are spread.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spread {
    /// Records that state one.
    pub stated: u64,
    pub distinct: u64,
    /// The commonest, each with how many records state it.
    pub commonest: Vec<(f64, u64)>,
    /// Of the distribution, in bits: nought where all state the same.
    pub entropy: f64,
}

/// Times that cannot be, or are not yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Observed after they were written, by more than clocks differ.
    pub impossible: u64,
    /// Said to be written after they came into this store.
    pub written_ahead: u64,
    /// Said to be true at a time that has not come.
    pub observed_ahead: u64,
}

/// An attribute that nobody declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undeclared {
    pub attribute: Attribute,
    pub slots: u64,
    pub pairs: u64,
}

impl Missing {
    pub const ALL: [Self; 6] =
        [Self::Source, Self::Batch, Self::ObservedAt, Self::WrittenAt, Self::Epoch, Self::Confidence];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Batch => "batch",
            Self::ObservedAt => "observed_at",
            Self::WrittenAt => "written_at",
            Self::Epoch => "epoch",
            Self::Confidence => "confidence",
        }
    }

    /// The incident that it invites.
    pub const fn invites(self) -> &'static str {
        match self {
            Self::Source => "a guess passes for what the user said: nobody can tell whose word it was",
            Self::Batch => "a bad import cannot be told from what stood beside it, nor be taken back as one",
            Self::ObservedAt => "an old copy passes for news: nobody can tell which was true later",
            Self::WrittenAt => "what was believed on a day cannot be said: the import's own time stands in for it",
            Self::Epoch => {
                "a value from before a deploy is compared with one from after it, as if nothing had changed"
            }
            Self::Confidence => "where the policy asks for a least confidence, it never wins, however right it is",
        }
    }
}

/// How the numbers are spread, from how many records state each.
pub fn spread(counts: &[(f64, u64)]) -> Spread {
    const SHOWN: usize = 3;
    let stated: u64 = counts.iter().map(|(_, many)| many).sum();
    let mut commonest = counts.to_vec();
    commonest.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.total_cmp(&b.0)));
    commonest.truncate(SHOWN);
    let part = |many: u64| share(many, stated);
    let entropy: f64 =
        counts.iter().map(|(_, many)| part(*many)).filter(|part| *part > 0.0).map(|it| -it * it.log2()).sum();
    Spread { stated, distinct: counts.len() as u64, commonest, entropy: entropy.max(0.0) }
}

impl Spread {
    /// The share of the two commonest numbers.
    pub fn of_two(&self) -> f64 {
        share(self.commonest.iter().take(2).map(|(_, many)| many).sum(), self.stated)
    }

    /// Whether the field tells next to nothing: nearly all records state one of two numbers.
    pub fn says_nothing(&self) -> bool {
        self.stated > 0 && self.of_two() >= 0.9
    }
}

/// A share, nought of nothing.
#[expect(clippy::cast_precision_loss, reason = "shares are shown to a tenth of a percent")]
pub fn share(many: u64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { many as f64 / of as f64 }
}

impl Health {
    /// How many records lack it.
    pub fn missing(&self, what: Missing) -> u64 {
        self.kinds.iter().map(|kind| kind.missing[what as usize]).sum()
    }
}

/// Names that come to the same letters, of which nobody has said whether they are one subject: by their look, without
/// regard to case, spaces and marks.
pub fn alike(names: impl Iterator<Item = Subject>, identity: &Identity) -> Vec<Vec<Subject>> {
    let mut groups: BTreeMap<String, Vec<Subject>> = BTreeMap::new();
    for name in names {
        let letters = letters(name.as_str());
        if letters.chars().count() >= 3 {
            groups.entry(letters).or_default().push(name);
        }
    }
    let open = |group: &Vec<Subject>| {
        group.iter().enumerate().any(|(at, one)| {
            group[at + 1..].iter().any(|other| {
                identity.canonical(one) != identity.canonical(other) && identity.alias(one, other).is_none()
            })
        })
    };
    let mut alike: Vec<Vec<Subject>> =
        groups.into_values().filter(|group| group.len() > 1 && open(group)).collect();
    alike.iter_mut().for_each(|group| group.sort());
    alike.sort();
    alike
}

fn letters(name: &str) -> String {
    let plain: String = name.nfkc().flat_map(char::to_lowercase).collect();
    skeleton(&plain).filter(|letter| letter.is_alphanumeric()).collect()
}
