//! The words of the checklist: seven conditions, how each stands, and the sentence that says why.

use std::cmp::Ordering;
use std::fmt;

use super::epoch::Opening;
use super::policy::{Cardinality, Rank};
use super::record::{Epoch, Kind, Lack, RecordId, SourceClass};
use super::time::When;

/// A line of the checklist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Condition {
    Subject,
    Provenance,
    Epoch,
    Cardinality,
    Authority,
    Order,
    Confidence,
}

/// How a condition stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    Met,
    Failed,
    NotApplicable,
}

/// One condition, how it stands, and the data it was judged by (which displays as a sentence).
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    pub condition: Condition,
    pub state: State,
    pub detail: Detail,
}

/// What a condition was judged by.
#[derive(Clone, Debug, PartialEq)]
pub enum Detail {
    SameName(String),
    Alias(String, String),
    Unconfirmed(String, String),
    Anchored,
    Lacking(Vec<(RecordId, Vec<Lack>)>),
    SameEpoch(Epoch),
    Epochs(Epoch, Epoch),
    EpochMissing,
    Declared(Cardinality),
    Undeclared,
    Ranks { left: Standing, right: Standing },
    RankUnknown(Vec<Unranked>),
    NoPolicy,
    Later { later: RecordId, at: When, earlier: When },
    Overlap(When, When),
    TimeMissing,
    AuthorityDecides,
    NoFloor,
    NoWinner,
    Confident { winner: RecordId, confidence: f64, floor: f64 },
    NotConfident { winner: RecordId, confidence: Option<f64>, floor: f64 },
}

/// A record that has no place in the order of authority, and what there is to place it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unranked {
    pub record: RecordId,
    pub kind: Option<Kind>,
    pub class: Option<SourceClass>,
}

/// A record's place in the order of authority, with what gave it.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    pub class: Option<SourceClass>,
    pub rank: Rank,
}

impl Condition {
    pub const ALL: [Self; 7] = [
        Self::Subject,
        Self::Provenance,
        Self::Epoch,
        Self::Cardinality,
        Self::Authority,
        Self::Order,
        Self::Confidence,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Subject => "subject",
            Self::Provenance => "provenance",
            Self::Epoch => "epoch",
            Self::Cardinality => "cardinality",
            Self::Authority => "authority",
            Self::Order => "order",
            Self::Confidence => "confidence",
        }
    }
}

impl State {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Failed => "failed",
            Self::NotApplicable => "n/a",
        }
    }
}

impl fmt::Display for Detail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SameName(name) => write!(f, "both are about {name}"),
            Self::Alias(a, b) => write!(f, "{a} and {b} are confirmed to be one subject"),
            Self::Unconfirmed(a, b) => write!(f, "nobody has confirmed that {a} and {b} are one subject"),
            Self::Anchored => f.write_str("both carry source, observed_at and epoch"),
            Self::Lacking(lacking) => {
                let said: Vec<String> = lacking.iter().map(|(id, lacks)| lacking_sentence(id, lacks)).collect();
                f.write_str(&said.join("; "))
            }
            Self::SameEpoch(epoch) => write!(f, "both were observed in epoch {epoch}"),
            Self::Epochs(a, b) => write!(f, "epoch {a} against epoch {b}: the world changed in between"),
            Self::EpochMissing => f.write_str("an epoch is missing, so there is nothing to compare"),
            Self::Declared(Cardinality::One) => f.write_str("declared: one value at a time"),
            Self::Declared(Cardinality::Many) => f.write_str("declared: many values at a time"),
            Self::Undeclared => f.write_str("nobody has declared whether it holds one value or many"),
            Self::Ranks { left, right } => {
                let word = match left.rank.cmp(&right.rank) {
                    Ordering::Less => "stands above",
                    Ordering::Greater => "stands below",
                    Ordering::Equal => "is equal to",
                };
                write!(f, "{left} {word} {right}")
            }
            Self::RankUnknown(unknown) => {
                let said: Vec<String> = unknown
                    .iter()
                    .map(|Unranked { record, class, .. }| match class {
                        Some(class) => format!("{record}: no order of authority places {class} for this attribute"),
                        None => format!("{record}: its source kind has no class"),
                    })
                    .collect();
                f.write_str(&said.join("; "))
            }
            Self::NoPolicy => f.write_str("no policy for this attribute yet"),
            Self::Later { later, at, earlier } => write!(f, "{later} is later: {at} after {earlier}"),
            Self::Overlap(a, b) if a == b => write!(f, "both were observed at {a}: a tie is no order"),
            Self::Overlap(a, b) => write!(f, "{a} and {b} overlap: neither is certainly later"),
            Self::TimeMissing => f.write_str("a time is missing, so there is no order"),
            Self::AuthorityDecides => f.write_str("not needed: authority differs"),
            Self::NoFloor => f.write_str("no floor is set"),
            Self::NoWinner => f.write_str("neither would win, so there is none to hold against the floor"),
            Self::Confident { winner, confidence, floor } => {
                write!(f, "{winner} has {confidence}, the floor is {floor}")
            }
            Self::NotConfident { winner, confidence: Some(confidence), floor } => {
                write!(f, "{winner} would win with {confidence}, below the floor of {floor}")
            }
            Self::NotConfident { winner, confidence: None, floor } => {
                write!(f, "{winner} would win but states no confidence; the floor is {floor}")
            }
        }
    }
}

fn lacking_sentence(id: &RecordId, lacks: &[Lack]) -> String {
    let missing = lacks.iter().filter(|lack| matches!(lack, Lack::Source | Lack::ObservedAt | Lack::Epoch));
    let missing: Vec<&str> = missing.map(|lack| lack.name()).collect();
    let over = Lack::over(lacks).map(|Opening { since, epoch, ruling }| {
        format!(
            "names an epoch that was over when it was observed: epoch {epoch} holds since {since} (ruling {ruling})"
        )
    });
    let impossible = lacks.contains(&Lack::Possible).then_some("was observed later than it was written");
    let missing = (!missing.is_empty()).then(|| format!("lacks {}", missing.join(" and ")));
    let said: Vec<String> = missing.into_iter().chain(impossible.map(str::to_owned)).chain(over).collect();
    format!("{id} {}", said.join(" and "))
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.rank, self.class) {
            (Rank(0), _) => f.write_str("the system of record"),
            (rank, Some(class)) => write!(f, "{class} (rank {rank})"),
            (rank, None) => write!(f, "rank {rank}"),
        }
    }
}
