//! Audits of rulings: what an auditor says of a ruling, and how far two people agree beyond chance.
//!
//! An audit is no ruling: it decides nothing, and undo does not see it. Who audits a ruling again replaces what he said.

use std::collections::{BTreeMap, BTreeSet};

use super::ruling::{PairId, RulingId};
use super::time::Instant;

/// What an auditor says of a ruling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    Agree,
    Disagree,
}

/// One audit, as the log tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    /// The number of its event.
    pub event: i64,
    pub at: Instant,
    pub auditor: String,
    pub ruling: RulingId,
    /// Who made the ruling.
    pub reviewer: String,
    pub verdict: Verdict,
    pub note: Option<String>,
    /// The sample it belongs to, where it was drawn.
    pub sample: Option<Drawn>,
    /// What the auditor would have ruled, said before he saw the ruling: a blind audit.
    pub blind: Option<Blind>,
}

/// How a sample was drawn: enough to draw it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    pub seed: String,
    /// How many rulings were asked for.
    pub size: u64,
    /// The last ruling that could be drawn: later ones leave the sample as it is.
    pub up_to: RulingId,
}

/// What was said blind, and what had been ruled, in the same few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blind {
    pub said: String,
    pub ruled: String,
}

/// A ruling that decides, as far as agreement is concerned: who ruled what on which pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    pub ruling: RulingId,
    pub actor: String,
    pub pair: Option<PairId>,
    /// What was decided, in a few words ([`label`]).
    pub label: String,
}

/// The audits of one reviewer's rulings, counted: of each auditor's words on a ruling the last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many rulings that decide this reviewer has made.
    pub rulings: u64,
    pub agree: u64,
    pub disagree: u64,
    /// Audits of a reviewer's own rulings: kept and shown, and left out of the rate.
    pub own: u64,
}

/// How far two people agree on what both have judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// In alphabetical order; of a blind audit the reviewer first.
    pub between: [String; 2],
    pub on: Judged,
    pub items: u64,
    /// The part of the items on which they agree, 0 to 1.
    pub observed: f64,
    /// Cohen's kappa: 1 is agreement, 0 what chance would give. None where each says one and the same thing throughout:
    /// chance then explains everything, and kappa says nothing.
    pub kappa: Option<f64>,
}

/// What two people have both judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judged {
    /// Both ruled on the same pairs.
    Pairs,
    /// Both audited the same rulings.
    Rulings,
    /// One ruled, the other said blind what he would have ruled.
    Blind,
}

/// All that audits say so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    pub reviewers: BTreeMap<String, Tally>,
    pub agreements: Vec<Agreement>,
}

impl Audit {
    /// Whether the auditor made the ruling himself.
    pub fn is_own(&self) -> bool {
        self.auditor == self.reviewer
    }
}

impl Tally {
    /// How many audits count.
    pub const fn audited(&self) -> u64 {
        self.agree + self.disagree
    }

    /// The part of the audits that agree, 0 to 1; none before there is one.
    pub fn rate(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "counts of audits are far below 2^52")]
        (self.audited() > 0).then(|| self.agree as f64 / self.audited() as f64)
    }
}

/// What a ruling of this kind decided, in the few words that blind audits and kappa compare. `first` tells whether the
/// winner of an accept is the earlier written of the two, which is A on the screen.
pub fn label(kind: &str, first: Option<bool>) -> &'static str {
    match (kind, first) {
        ("accept" | "override", Some(true)) => "accept A",
        ("accept" | "override", Some(false)) => "accept B",
        ("link", _) => "link",
        ("reobserved" | "request", _) => "look again",
        ("rederive", _) => "re-derive",
        ("withdraw", _) => "withdraw",
        ("declare", _) => "declare",
        ("alias", _) => "identity",
        ("dispute", _) => "dispute",
        _ => "other",
    }
}

/// What an auditor can say blind.
pub const LABELS: [&str; 10] = [
    "accept A",
    "accept B",
    "link",
    "look again",
    "re-derive",
    "withdraw",
    "declare",
    "identity",
    "dispute",
    "other",
];

/// The last word of each auditor on each ruling.
pub fn last_words(audits: &[Audit]) -> BTreeMap<(RulingId, &str), &Audit> {
    let mut ordered: Vec<&Audit> = audits.iter().collect();
    ordered.sort_by_key(|audit| audit.event);
    ordered.into_iter().map(|audit| ((audit.ruling, audit.auditor.as_str()), audit)).collect()
}

/// Counts the audits by reviewer and holds people against each other; of one reviewer only, where one is named.
/// `made` says how many rulings that decide each has made; `decided` are those on pairs on which several have ruled.
pub fn report(audits: &[Audit], made: &[(String, u64)], decided: &[Decided], reviewer: Option<&str>) -> Report {
    let wanted = |actor: &str| reviewer.is_none_or(|reviewer| reviewer == actor);
    let mut reviewers: BTreeMap<String, Tally> = BTreeMap::new();
    for (actor, rulings) in made.iter().filter(|(actor, _)| wanted(actor)) {
        reviewers.insert(actor.clone(), Tally { rulings: *rulings, ..Tally::default() });
    }
    let last = last_words(audits);
    for audit in last.values().filter(|audit| wanted(&audit.reviewer)) {
        let tally = reviewers.entry(audit.reviewer.clone()).or_default();
        match audit.verdict {
            _ if audit.is_own() => tally.own += 1,
            Verdict::Agree => tally.agree += 1,
            Verdict::Disagree => tally.disagree += 1,
        }
    }
    let mut agreements = on_pairs(decided);
    agreements.extend(on_rulings(&last));
    agreements.extend(blind(&last));
    agreements.retain(|agreement| agreement.between.iter().any(|name| wanted(name)));
    Report { reviewers, agreements }
}

/// Two people's last rulings on the pairs on which both have ruled.
fn on_pairs(decided: &[Decided]) -> Vec<Agreement> {
    let mut by_person: BTreeMap<&str, BTreeMap<i64, &str>> = BTreeMap::new();
    let mut ordered: Vec<&Decided> = decided.iter().collect();
    ordered.sort_by_key(|ruling| ruling.ruling);
    for ruling in ordered {
        if let Some(pair) = ruling.pair {
            by_person.entry(&ruling.actor).or_default().insert(pair.0, &ruling.label);
        }
    }
    each_two(&by_person, Judged::Pairs)
}

/// Two auditors' last words on the rulings that both have audited, neither having made them.
fn on_rulings(last: &BTreeMap<(RulingId, &str), &Audit>) -> Vec<Agreement> {
    let mut by_person: BTreeMap<&str, BTreeMap<i64, &str>> = BTreeMap::new();
    for ((ruling, auditor), audit) in last.iter().filter(|(_, audit)| !audit.is_own()) {
        by_person.entry(auditor).or_default().insert(ruling.0, audit.verdict.name());
    }
    each_two(&by_person, Judged::Rulings)
}

/// What each auditor said blind, against what the reviewer had ruled.
fn blind(last: &BTreeMap<(RulingId, &str), &Audit>) -> Vec<Agreement> {
    let mut said: BTreeMap<[String; 2], Vec<(&str, &str)>> = BTreeMap::new();
    for audit in last.values().filter(|audit| !audit.is_own()) {
        if let Some(blind) = &audit.blind {
            let between = [audit.reviewer.clone(), audit.auditor.clone()];
            said.entry(between).or_default().push((&blind.ruled, &blind.said));
        }
    }
    said.into_iter().filter_map(|(between, items)| agreement(between, Judged::Blind, &items)).collect()
}

fn each_two(by_person: &BTreeMap<&str, BTreeMap<i64, &str>>, on: Judged) -> Vec<Agreement> {
    let people: Vec<&&str> = by_person.keys().collect();
    let mut found = Vec::new();
    for (at, one) in people.iter().enumerate() {
        for other in people.iter().skip(at + 1) {
            let (mine, theirs) = (&by_person[**one], &by_person[**other]);
            let items: Vec<(&str, &str)> =
                mine.iter().filter_map(|(item, said)| Some((*said, *theirs.get(item)?))).collect();
            found.extend(agreement([(**one).to_owned(), (**other).to_owned()], on, &items));
        }
    }
    found
}

#[expect(clippy::cast_precision_loss, reason = "counts of judgements are far below 2^52")]
fn agreement(between: [String; 2], on: Judged, items: &[(&str, &str)]) -> Option<Agreement> {
    let alike = items.iter().filter(|(one, other)| one == other).count();
    let observed = (!items.is_empty()).then(|| alike as f64 / items.len() as f64)?;
    Some(Agreement { between, on, items: items.len() as u64, observed, kappa: kappa(items) })
}

/// Cohen's kappa of two people's words on the same items: what they agree beyond what chance would give.
#[expect(clippy::cast_precision_loss, reason = "counts of judgements are far below 2^52")]
pub fn kappa(items: &[(&str, &str)]) -> Option<f64> {
    let many = items.len() as f64;
    let words: BTreeSet<&str> = items.iter().flat_map(|(one, other)| [*one, *other]).collect();
    let alike = items.iter().filter(|(one, other)| one == other).count() as f64 / many;
    let by_chance: f64 = words
        .iter()
        .map(|word| {
            let first = items.iter().filter(|(one, _)| one == word).count() as f64;
            let second = items.iter().filter(|(_, other)| other == word).count() as f64;
            first * second / (many * many)
        })
        .sum();
    // The expectation is a ratio of whole numbers: it is 1 only where both say one word throughout.
    (words.len() > 1).then(|| (alike - by_chance) / (1.0 - by_chance))
}

impl Verdict {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Agree => "agree",
            Self::Disagree => "disagree",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        [Self::Agree, Self::Disagree].into_iter().find(|verdict| verdict.name() == name)
    }
}

impl Judged {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pairs => "pairs",
            Self::Rulings => "audits",
            Self::Blind => "blind audits",
        }
    }
}
