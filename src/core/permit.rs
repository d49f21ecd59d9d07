//! What a reviewer may do with a pair, and why not (DESIGN 3.3). Screens and commands show exactly this list, and the
//! transaction that writes a ruling asks it again on fresh rows.

use std::collections::BTreeSet;
use std::fmt;

use super::examine::{Check, Condition, Detail, Examination, Ground, Side, Unranked, later};
use super::plural::{listed, verb};
use super::policy::{Cardinality, Rules};
use super::record::{Attribute, Record, RecordId};

/// An action of the list, in the order in which it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    Accept(Side),
    LinkSame,
    LinkBothTrue,
    LinkAcrossEpochs,
    LinkOneSubject,
    LinkTwoSubjects,
    Reobserve,
    Rederive,
    Withdraw,
    Declare,
    Defer,
}

/// Whether the core permits an action.
#[derive(Clone, Debug, PartialEq)]
pub enum Permission {
    Permitted,
    /// Permitted to a reviewer who overrides the order of authority in favour of the later record, and says why.
    NeedsRecencyOverride,
    Refused(Because),
}

/// Why an action is refused.
#[derive(Clone, Debug, PartialEq)]
pub enum Because {
    /// Conditions 1 to 4 that are not met, as the checklist has them.
    Unmet(Vec<Check>),
    /// Less authoritative, and not certainly the later one either.
    OutrankedAndNotLater,
    /// No rank is known, and it is not certainly the later one either.
    RankUnknownAndNotLater,
    SubjectUnconfirmed,
    AlreadyMany,
    TakesBack,
    SameEpoch,
    NotAnchored(Vec<RecordId>),
    SubjectConfirmed,
    NothingMissing,
    Settled,
}

/// An action with the record it would favour (for accept) and whether it is permitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Permitted {
    pub action: Action,
    /// The record accepted; none for the other actions.
    pub record: Option<RecordId>,
    pub permission: Permission,
}

/// What is known of the pair that a reviewer looks at.
#[derive(Clone, Copy, Debug)]
pub struct Quarantined<'a> {
    pub left: &'a Record,
    pub right: &'a Record,
    pub rules: &'a Rules,
    pub examination: &'a Examination,
    pub grounds: &'a [Ground],
    /// Whether it has left the queue.
    pub settled: bool,
}

/// Every action, each permitted or refused, always in the same order.
pub fn permitted(pair: Quarantined<'_>) -> Vec<Permitted> {
    Action::ALL
        .into_iter()
        .map(|action| Permitted { action, record: record_of(action, pair), permission: permission(action, pair) })
        .collect()
}

/// Whether one action is permitted.
pub fn permission(action: Action, pair: Quarantined<'_>) -> Permission {
    let refusal = match action {
        Action::Reobserve | Action::Withdraw | Action::Declare => None,
        _ if pair.settled => Some(Because::Settled),
        Action::Defer => None,
        Action::Accept(side) => return accept(side, pair),
        Action::LinkSame => takes_back(pair).or_else(|| subject_unconfirmed(pair)),
        Action::LinkBothTrue => both_true(pair),
        Action::LinkAcrossEpochs => across_epochs(pair),
        Action::LinkOneSubject | Action::LinkTwoSubjects => {
            (!pair.grounds.contains(&Ground::SubjectUnconfirmed)).then_some(Because::SubjectConfirmed)
        }
        Action::Rederive => [pair.left, pair.right]
            .into_iter()
            .all(|record| pair.rules.is_anchored(record))
            .then_some(Because::NothingMissing),
    };
    refusal.map_or(Permission::Permitted, Permission::Refused)
}

fn record_of(action: Action, pair: Quarantined<'_>) -> Option<RecordId> {
    match action {
        Action::Accept(side) => Some(side.of(pair.left, pair.right).id.clone()),
        Action::LinkSame
        | Action::LinkBothTrue
        | Action::LinkAcrossEpochs
        | Action::LinkOneSubject
        | Action::LinkTwoSubjects
        | Action::Reobserve
        | Action::Rederive
        | Action::Withdraw
        | Action::Declare
        | Action::Defer => None,
    }
}

fn accept(side: Side, pair: Quarantined<'_>) -> Permission {
    let barriers: Vec<Check> = pair.examination.barriers().into_iter().cloned().collect();
    if !barriers.is_empty() {
        return Permission::Refused(Because::Unmet(barriers));
    }
    let is_later = later(pair.left, pair.right) == Some(side);
    let ranks =
        pair.rules.rank(side.of(pair.left, pair.right)).zip(pair.rules.rank(side.of(pair.right, pair.left)));
    match ranks {
        Some((chosen, other)) if chosen <= other => Permission::Permitted,
        _ if is_later => Permission::NeedsRecencyOverride,
        Some(_) => Permission::Refused(Because::OutrankedAndNotLater),
        None => Permission::Refused(Because::RankUnknownAndNotLater),
    }
}

fn subject_unconfirmed(pair: Quarantined<'_>) -> Option<Because> {
    (!pair.examination.meets(Condition::Subject)).then_some(Because::SubjectUnconfirmed)
}

fn takes_back(pair: Quarantined<'_>) -> Option<Because> {
    (pair.left.is_retraction() || pair.right.is_retraction()).then_some(Because::TakesBack)
}

fn both_true(pair: Quarantined<'_>) -> Option<Because> {
    let many = (pair.rules.cardinality == Some(Cardinality::Many)).then_some(Because::AlreadyMany);
    takes_back(pair).or(many).or_else(|| subject_unconfirmed(pair))
}

fn across_epochs(pair: Quarantined<'_>) -> Option<Because> {
    let unanchored: Vec<RecordId> = [pair.left, pair.right]
        .into_iter()
        .filter(|record| !pair.rules.is_anchored(record))
        .map(|record| record.id.clone())
        .collect();
    if !unanchored.is_empty() {
        return Some(Because::NotAnchored(unanchored));
    }
    let same = (pair.left.epoch == pair.right.epoch).then_some(Because::SameEpoch);
    subject_unconfirmed(pair).or(same)
}

/// Why accepting the later record of a pair takes an override, as a sentence that says what would make it needless.
pub fn why_override(examination: &Examination, attribute: &Attribute) -> String {
    let unranked = examination
        .checklist
        .iter()
        .find_map(|check| if let Detail::RankUnknown(unranked) = &check.detail { Some(unranked) } else { None });
    match unranked {
        Some(unranked) => format!("it is the later record, and {}", unknown_ranks(unranked, attribute)),
        None => "it is the later record, but less authoritative".to_owned(),
    }
}

/// `no class is declared for source kind "ouija" on attribute pet_name: …`.
fn unknown_ranks(unranked: &[Unranked], attribute: &Attribute) -> String {
    let kinds = distinct(unranked.iter().filter(|it| it.class.is_none()).map(|it| match &it.kind {
        Some(kind) => kind.to_string(),
        None => "(none)".to_owned(),
    }));
    if !kinds.is_empty() {
        return format!(
            "no class is declared for source {} {} on attribute {attribute}: let its records state a source.class (user, observation, inference, third_party), or look again",
            verb(kinds.len() as u64, "kind", "kinds"),
            listed(&kinds)
        );
    }
    let classes = distinct(unranked.iter().filter_map(|it| it.class).map(|class| class.to_string()));
    format!(
        "no order of authority for {attribute} places {}: declare one (gainsay policy declare {attribute} --authority A,B,..)",
        listed(&classes)
    )
}

/// Each once, in the order of its letters.
fn distinct(texts: impl Iterator<Item = String>) -> Vec<String> {
    texts.collect::<BTreeSet<String>>().into_iter().collect()
}

impl Action {
    pub const ALL: [Self; 12] = [
        Self::Accept(Side::Left),
        Self::Accept(Side::Right),
        Self::LinkSame,
        Self::LinkBothTrue,
        Self::LinkAcrossEpochs,
        Self::LinkOneSubject,
        Self::LinkTwoSubjects,
        Self::Reobserve,
        Self::Rederive,
        Self::Withdraw,
        Self::Declare,
        Self::Defer,
    ];

    /// Its name in JSON and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accept(_) => "accept",
            Self::LinkSame => "link:same",
            Self::LinkBothTrue => "link:both-true",
            Self::LinkAcrossEpochs => "link:across-epochs",
            Self::LinkOneSubject => "link:one-subject",
            Self::LinkTwoSubjects => "link:two-subjects",
            Self::Reobserve => "reobserve",
            Self::Rederive => "rederive",
            Self::Withdraw => "withdraw",
            Self::Declare => "declare",
            Self::Defer => "defer",
        }
    }
}

impl Permission {
    /// Whether a reviewer may do it at all, override or not.
    pub const fn allows(&self) -> bool {
        match self {
            Self::Permitted | Self::NeedsRecencyOverride => true,
            Self::Refused(_) => false,
        }
    }
}

impl fmt::Display for Because {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unmet(checks) => {
                let said: Vec<String> =
                    checks.iter().map(|check| format!("{}: {}", check.condition.name(), check.detail)).collect();
                f.write_str(&said.join("; "))
            }
            Self::OutrankedAndNotLater => {
                f.write_str("it is less authoritative, and not certainly the later one, so there is nothing to override")
            }
            Self::RankUnknownAndNotLater => f.write_str(
                "nothing says how authoritative both sources are, and it is not certainly the later one: declare the authority, or look again",
            ),
            Self::SubjectUnconfirmed => {
                f.write_str("first say whether the two names are one subject (link: one subject, two subjects)")
            }
            Self::AlreadyMany => f.write_str("the attribute already holds many values; one side takes the value back"),
            Self::TakesBack => f.write_str("one side takes the value back: the two cannot both stand"),
            Self::SameEpoch => f.write_str("both were observed in the same epoch: there is no epoch change between them"),
            Self::NotAnchored(ids) => {
                let lack = if ids.len() == 1 { "lacks" } else { "lack" };
                let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
                write!(f, "{} {lack} provenance: re-derive it, or look again", ids.join(" and "))
            }
            Self::SubjectConfirmed => f.write_str("nobody doubts that both are about one subject"),
            Self::NothingMissing => f.write_str("both records carry whole provenance: there is nothing to supply"),
            Self::Settled => f.write_str("this pair is settled: undo the ruling, or dispute what was settled"),
        }
    }
}
