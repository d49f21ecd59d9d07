//! Two records held against each other: the checklist and the finding (DESIGN 3.1).
//!
//! `examine(a, b)` and `examine(b, a)` give the same finding, with the sides exchanged.

use std::cmp::Ordering;
use std::collections::BTreeSet;

pub use super::checklist::{Check, Condition, Detail, Standing, State, Unranked};
use super::identity::SameSubject;
use super::policy::{Cardinality, Rank, Rules};
use super::record::{Lack, Op, Record, RecordId};
use super::value::Key;

/// One of two: the record given first, or the one given second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    Left,
    Right,
}

/// Why a pair is quarantined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ground {
    SubjectUnconfirmed,
    MissingProvenance,
    ImpossibleProvenance,
    /// One claims an epoch that was over when it was observed.
    OutdatedProvenance,
    CrossEpoch,
    CardinalityUndeclared,
    AuthorityUnknown,
    OrderUndecidable,
    LowConfidence,
    /// Given only by a person's dispute.
    Disputed,
}

/// What decided for the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Basis {
    Authority,
    Recency,
    /// A reviewer's ruling.
    Accept,
}

/// What the core finds of two records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// One value, or one refines the other: no contradiction.
    Agree,
    /// Both values hold.
    Coexist,
    Resolve {
        winner: Side,
        basis: Basis,
    },
    /// No winner may be picked: every ground that failed.
    Quarantine(Vec<Ground>),
}

/// The checklist with its finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Examination {
    pub checklist: Vec<Check>,
    pub finding: Finding,
}

/// Holds two records against each other under the rules of their slot.
pub fn examine(left: &Record, right: &Record, rules: &Rules, subject: &SameSubject) -> Examination {
    let checks = Checks {
        subject: check_subject(left, right, subject),
        provenance: check_provenance(left, right, rules),
        epoch: check_epoch(left, right),
        cardinality: check_cardinality(rules),
        authority: check_authority(left, right, rules),
        order: check_order(left, right, rules),
    };
    let favoured = favoured(left, right, rules);
    let confidence = check_confidence(left, right, rules, favoured);
    let finding = find(left, right, rules, &checks, &confidence, favoured);
    let Checks { subject, provenance, epoch, cardinality, authority, order } = checks;
    Examination { checklist: vec![subject, provenance, epoch, cardinality, authority, order, confidence], finding }
}

struct Checks {
    subject: Check,
    provenance: Check,
    epoch: Check,
    cardinality: Check,
    authority: Check,
    order: Check,
}

fn find(
    left: &Record,
    right: &Record,
    rules: &Rules,
    checks: &Checks,
    confidence: &Check,
    favoured: Option<(Side, Basis)>,
) -> Finding {
    let one_value = left.key(rules).agrees(&right.key(rules));
    match (left.op, right.op) {
        (Op::Assert, Op::Assert) | (Op::Retract, Op::Retract) if one_value => return Finding::Agree,
        (Op::Assert, Op::Assert) if rules.cardinality == Some(Cardinality::Many) => return Finding::Coexist,
        // A retraction contradicts the value that it names, and no other.
        (Op::Retract, Op::Retract) => return Finding::Coexist,
        (Op::Assert, Op::Retract) | (Op::Retract, Op::Assert) if !one_value => return Finding::Coexist,
        (Op::Assert, Op::Assert | Op::Retract) | (Op::Retract, Op::Assert) => {}
    }
    let first = [&checks.subject, &checks.provenance, &checks.epoch, &checks.cardinality];
    let mut grounds: Vec<Ground> =
        first.iter().filter(|check| check.state == State::Failed).flat_map(|check| grounds_of(check)).collect();
    if grounds.is_empty() {
        let failed = |check: &&&Check| check.state == State::Failed;
        let last = [&checks.authority, &checks.order, confidence];
        grounds = last.iter().filter(failed).flat_map(|check| grounds_of(check)).collect();
    }
    match favoured {
        Some((winner, basis)) if grounds.is_empty() => Finding::Resolve { winner, basis },
        _ => Finding::Quarantine(grounds),
    }
}

fn grounds_of(check: &Check) -> Vec<Ground> {
    match check.condition {
        Condition::Subject => vec![Ground::SubjectUnconfirmed],
        Condition::Provenance => lacking_grounds(&check.detail),
        Condition::Epoch => vec![Ground::CrossEpoch],
        Condition::Cardinality => vec![Ground::CardinalityUndeclared],
        Condition::Authority => vec![Ground::AuthorityUnknown],
        Condition::Order => vec![Ground::OrderUndecidable],
        Condition::Confidence => vec![Ground::LowConfidence],
    }
}

fn lacking_grounds(detail: &Detail) -> Vec<Ground> {
    let Detail::Lacking(lacking) = detail else { return Vec::new() };
    let lacks: Vec<Lack> = lacking.iter().flat_map(|(_, lacks)| lacks.iter().copied()).collect();
    let ground = |lack: &Lack| match lack {
        Lack::Source | Lack::ObservedAt | Lack::Epoch => Ground::MissingProvenance,
        Lack::Possible => Ground::ImpossibleProvenance,
        Lack::OpenEpoch(_) => Ground::OutdatedProvenance,
    };
    lacks.iter().map(ground).collect::<BTreeSet<Ground>>().into_iter().collect()
}

/// Whom authority, or between equals recency, would favour.
fn favoured(left: &Record, right: &Record, rules: &Rules) -> Option<(Side, Basis)> {
    let (left_rank, right_rank) = (rules.rank(left)?, rules.rank(right)?);
    match (left.op, right.op) {
        (Op::Retract, Op::Assert) => against_retraction(Side::Left, left_rank, right_rank, later(left, right)),
        (Op::Assert, Op::Retract) => against_retraction(Side::Right, right_rank, left_rank, later(left, right)),
        (Op::Assert, Op::Assert) | (Op::Retract, Op::Retract) => match left_rank.cmp(&right_rank) {
            Ordering::Less => Some((Side::Left, Basis::Authority)),
            Ordering::Greater => Some((Side::Right, Basis::Authority)),
            Ordering::Equal => later(left, right).map(|side| (side, Basis::Recency)),
        },
    }
}

/// A retraction takes a value back when it is at least as authoritative and certainly later; a less authoritative or
/// an earlier one loses.
fn against_retraction(side: Side, retracts: Rank, asserts: Rank, later: Option<Side>) -> Option<(Side, Basis)> {
    if retracts > asserts {
        return Some((side.other(), Basis::Authority));
    }
    later.map(|later| (later, Basis::Recency))
}

/// The side that is certainly the later, where one is.
pub fn later(left: &Record, right: &Record) -> Option<Side> {
    let (a, b) = (left.observed_at?, right.observed_at?);
    if a.certainly_before(b) {
        Some(Side::Right)
    } else if b.certainly_before(a) {
        Some(Side::Left)
    } else {
        None
    }
}

fn check(condition: Condition, state: State, detail: Detail) -> Check {
    Check { condition, state, detail }
}

fn check_subject(left: &Record, right: &Record, subject: &SameSubject) -> Check {
    let names = || (left.subject.to_string(), right.subject.to_string());
    match subject {
        SameSubject::SameName => check(Condition::Subject, State::Met, Detail::SameName(left.subject.to_string())),
        SameSubject::Alias => {
            let (a, b) = names();
            check(Condition::Subject, State::Met, Detail::Alias(a, b))
        }
        SameSubject::Unconfirmed => {
            let (a, b) = names();
            check(Condition::Subject, State::Failed, Detail::Unconfirmed(a, b))
        }
    }
}

fn check_provenance(left: &Record, right: &Record, rules: &Rules) -> Check {
    let lacking: Vec<(RecordId, Vec<Lack>)> = [left, right]
        .into_iter()
        .map(|record| (record.id.clone(), rules.lacks(record)))
        .filter(|(_, lacks)| !lacks.is_empty())
        .collect();
    if lacking.is_empty() {
        check(Condition::Provenance, State::Met, Detail::Anchored)
    } else {
        check(Condition::Provenance, State::Failed, Detail::Lacking(lacking))
    }
}

fn check_epoch(left: &Record, right: &Record) -> Check {
    match (left.epoch, right.epoch) {
        (Some(a), Some(b)) if a == b => check(Condition::Epoch, State::Met, Detail::SameEpoch(a)),
        (Some(a), Some(b)) => check(Condition::Epoch, State::Failed, Detail::Epochs(a, b)),
        // The missing epoch fails the provenance; there is nothing to compare.
        (Some(_) | None, None) | (None, Some(_)) => {
            check(Condition::Epoch, State::NotApplicable, Detail::EpochMissing)
        }
    }
}

fn check_cardinality(rules: &Rules) -> Check {
    match rules.cardinality {
        Some(cardinality) => check(Condition::Cardinality, State::Met, Detail::Declared(cardinality)),
        None => check(Condition::Cardinality, State::Failed, Detail::Undeclared),
    }
}

fn check_authority(left: &Record, right: &Record, rules: &Rules) -> Check {
    let place = |record| rules.rank(record).map(|rank| Standing { class: rules.class_of(record), rank });
    match (place(left), place(right)) {
        (Some(left), Some(right)) => check(Condition::Authority, State::Met, Detail::Ranks { left, right }),
        (Some(_) | None, None) | (None, Some(_)) if rules.cardinality.is_none() => {
            check(Condition::Authority, State::NotApplicable, Detail::NoPolicy)
        }
        (Some(_) | None, None) | (None, Some(_)) => {
            let unknown = [left, right]
                .into_iter()
                .filter(|record| rules.rank(record).is_none())
                .map(|record| Unranked {
                    record: record.id.clone(),
                    kind: record.kind().cloned(),
                    class: rules.class_of(record),
                })
                .collect();
            check(Condition::Authority, State::Failed, Detail::RankUnknown(unknown))
        }
    }
}

fn check_order(left: &Record, right: &Record, rules: &Rules) -> Check {
    let (Some(a), Some(b)) = (left.observed_at, right.observed_at) else {
        return check(Condition::Order, State::NotApplicable, Detail::TimeMissing);
    };
    let later = later(left, right);
    match (later, rules.rank(left), rules.rank(right)) {
        (Some(Side::Left), _, _) => {
            let detail = Detail::Later { later: left.id.clone(), at: a, earlier: b };
            check(Condition::Order, State::Met, detail)
        }
        (Some(Side::Right), _, _) => {
            let detail = Detail::Later { later: right.id.clone(), at: b, earlier: a };
            check(Condition::Order, State::Met, detail)
        }
        (None, Some(a), Some(b)) if favoured(left, right, rules).is_some() && a != b => {
            check(Condition::Order, State::NotApplicable, Detail::AuthorityDecides)
        }
        (None, _, _) => check(Condition::Order, State::Failed, Detail::Overlap(a, b)),
    }
}

fn check_confidence(left: &Record, right: &Record, rules: &Rules, favoured: Option<(Side, Basis)>) -> Check {
    let Some(floor) = rules.min_confidence else {
        return check(Condition::Confidence, State::NotApplicable, Detail::NoFloor);
    };
    let winner = match favoured {
        Some((Side::Left, _)) => left,
        Some((Side::Right, _)) => right,
        None => return check(Condition::Confidence, State::NotApplicable, Detail::NoWinner),
    };
    let id = winner.id.clone();
    match winner.confidence {
        Some(confidence) if confidence >= floor => {
            check(Condition::Confidence, State::Met, Detail::Confident { winner: id, confidence, floor })
        }
        confidence => {
            check(Condition::Confidence, State::Failed, Detail::NotConfident { winner: id, confidence, floor })
        }
    }
}

impl Examination {
    /// The finding as the word that INTERFACE and the screens use.
    pub const fn word(&self) -> &'static str {
        self.finding.word()
    }

    /// Whether the condition is met.
    pub fn meets(&self, condition: Condition) -> bool {
        self.checklist.iter().any(|check| check.condition == condition && check.state == State::Met)
    }

    /// Why the core settles nothing between the two: every ground of a quarantine. Of two that do not contradict each
    /// other directly, what would keep them from being ranked.
    pub fn grounds(&self) -> Vec<Ground> {
        match &self.finding {
            Finding::Quarantine(grounds) => grounds.clone(),
            Finding::Agree | Finding::Coexist | Finding::Resolve { .. } => {
                self.barriers().into_iter().flat_map(grounds_of).collect()
            }
        }
    }

    /// The conditions among 1 to 4 that are not met: what no reviewer can overrule.
    pub fn barriers(&self) -> Vec<&Check> {
        let firm = [Condition::Subject, Condition::Provenance, Condition::Epoch, Condition::Cardinality];
        self.checklist
            .iter()
            .filter(|check| firm.contains(&check.condition) && check.state == State::Failed)
            .collect()
    }
}

impl Finding {
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Agree => "agree",
            Self::Coexist => "coexist",
            Self::Resolve { .. } => "resolve",
            Self::Quarantine(_) => "quarantine",
        }
    }
}

impl Side {
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// That side of two things.
    pub fn of<T>(self, left: T, right: T) -> T {
        match self {
            Self::Left => left,
            Self::Right => right,
        }
    }
}

impl Ground {
    pub const ALL: [Self; 10] = [
        Self::SubjectUnconfirmed,
        Self::MissingProvenance,
        Self::ImpossibleProvenance,
        Self::OutdatedProvenance,
        Self::CrossEpoch,
        Self::CardinalityUndeclared,
        Self::AuthorityUnknown,
        Self::OrderUndecidable,
        Self::LowConfidence,
        Self::Disputed,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::SubjectUnconfirmed => "subject_unconfirmed",
            Self::MissingProvenance => "missing_provenance",
            Self::ImpossibleProvenance => "impossible_provenance",
            Self::OutdatedProvenance => "outdated_provenance",
            Self::CrossEpoch => "cross_epoch",
            Self::CardinalityUndeclared => "cardinality_undeclared",
            Self::AuthorityUnknown => "authority_unknown",
            Self::OrderUndecidable => "order_undecidable",
            Self::LowConfidence => "low_confidence",
            Self::Disputed => "disputed",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ground| ground.name() == name)
    }
}

impl Basis {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Authority => "authority",
            Self::Recency => "recency",
            Self::Accept => "accept",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        [Self::Authority, Self::Recency, Self::Accept].into_iter().find(|basis| basis.name() == name)
    }
}

impl Record {
    /// Whether it takes a value away rather than stating one.
    pub fn is_retraction(&self) -> bool {
        self.op == Op::Retract
    }

    /// Its value as the rules compare it.
    pub fn key(&self, rules: &Rules) -> Key {
        rules.compare.key(&self.value)
    }
}
