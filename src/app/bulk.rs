//! One decision for many marked pairs: sorted into allowed, needing an override, and refused, with what the whole
//! stroke would do, before anything is asked.

use std::collections::{BTreeMap, BTreeSet};

use crate::core::examine::Side;
use crate::core::order::{Order, Outcome, Refusal, Scope, Withdrawn};
use crate::core::pair::{Pair, Revision};
use crate::core::permit::{Action, Because, Permission};
use crate::core::record::{Attribute, RecordId, Subject};
use crate::core::ruling::{PairId, WithdrawReason};
use crate::core::time::Instant;

/// What can be decided for many at once, with the words that are the same for all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    Accept(Side),
    LinkSame,
    LinkBothTrue {
        reason: String,
    },
    LinkAcrossEpochs {
        cause: Option<String>,
        reason: String,
    },
    /// One subject, or two.
    LinkSubjects {
        one: bool,
        reason: String,
    },
    Request,
    Withdraw {
        side: Side,
        why: WithdrawReason,
        note: Option<String>,
    },
    Defer(Instant),
    Note(String),
}

/// The marked pairs by what the core says of the choice, and what the stroke would do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sorted {
    pub allowed: Vec<Ordered>,
    /// As they are ordered with an override; the reason is still to be given.
    pub overrides: Vec<Ordered>,
    pub refused: Vec<(PairId, String)>,
    /// No longer there.
    pub gone: Vec<PairId>,
    /// What writing the allowed ones would do.
    pub would: Stroke,
    /// What writing the overrides too would do, where there are any.
    pub would_override: Option<Stroke>,
    slots: BTreeMap<PairId, (Subject, Attribute)>,
    withdrawn: BTreeSet<RecordId>,
}

/// What the core says of one of the marked pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heap<'a> {
    Allowed,
    /// Another of the stroke closes it.
    Along,
    NeedsOverride,
    Refused(&'a str),
    Gone,
}

/// One of the marked pairs, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weighed<'a> {
    pub pair: PairId,
    /// None of a pair that is gone.
    pub slot: Option<&'a (Subject, Attribute)>,
    pub heap: Heap<'a>,
}

/// What came, or would come, of orders carried out as one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stroke {
    /// Rulings written.
    pub rulings: usize,
    pub closed: usize,
    pub opened: usize,
    /// Pairs that need no ruling of their own: another of the stroke closes them.
    pub along: Vec<PairId>,
    pub refused: Vec<(PairId, String)>,
}

/// An order, and what the pair was when it was looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Ordered {
    pub order: Order,
    pub revision: Option<Revision>,
    /// The pair that it was made for, where its order names none.
    pub of: Option<PairId>,
}

impl Ordered {
    /// An order that is about no pair in particular.
    pub const fn plain(order: Order) -> Self {
        Self { order, revision: None, of: None }
    }

    /// The pair that it is about.
    pub fn pair(&self) -> Option<PairId> {
        self.order.pair().or(self.of)
    }
}

impl Sorted {
    /// Adds one pair to its heap.
    pub fn sort(&mut self, id: PairId, pair: Option<&Pair>, choice: &Choice) {
        let Some(pair) = pair else {
            self.gone.push(id);
            return;
        };
        self.slots.insert(id, (pair.entry.subject.clone(), pair.entry.attribute.clone()));
        let ordered = |order| Ordered { order, revision: Some(pair.revision), of: Some(id) };
        let permission = match choice.action() {
            Some(action) => pair.permission(action),
            None => Some(&Permission::Permitted),
        };
        match permission {
            Some(Permission::Permitted) => {
                let order = choice.order(pair);
                // One record may stand in several of the pairs: it is withdrawn once.
                if let Order::Withdraw { what: Withdrawn::Record(record), .. } = &order
                    && !self.withdrawn.insert(record.clone())
                {
                    self.would.along.push(id);
                    return;
                }
                self.allowed.push(ordered(order));
            }
            Some(Permission::NeedsRecencyOverride) => self.overrides.push(ordered(choice.order(pair))),
            Some(Permission::Refused(because)) => self.refused.push((id, brief(because))),
            None => self.refused.push((id, "the core does not list it".to_owned())),
        }
    }

    /// The overrides as they are written, with a reason for each; fewer reasons than pairs: the last is for the rest.
    pub fn overriding(&self, reasons: &[String]) -> Vec<Ordered> {
        let reason = |at: usize| reasons.get(at).or_else(|| reasons.last()).cloned().unwrap_or_default();
        let with = |(at, ordered): (usize, &Ordered)| {
            let mut ordered = ordered.clone();
            if let Order::Accept { recency_override, reason: given, .. } = &mut ordered.order {
                (*recency_override, *given) = (true, reason(at));
            }
            ordered
        };
        self.overrides.iter().enumerate().map(with).collect()
    }

    /// Every marked pair, heap by heap: what is written first, then what needs a reason, what is refused, what is gone.
    pub fn each(&self) -> Vec<Weighed<'_>> {
        let weighed = |pair, heap| Weighed { pair, slot: self.slots.get(&pair), heap };
        let of = |orders: &'_ [Ordered]| orders.iter().filter_map(Ordered::pair).collect::<Vec<_>>();
        let mut each: Vec<Weighed<'_>> = Vec::new();
        each.extend(of(&self.allowed).into_iter().map(|pair| weighed(pair, Heap::Allowed)));
        each.extend(self.would.along.iter().map(|pair| weighed(*pair, Heap::Along)));
        each.extend(of(&self.overrides).into_iter().map(|pair| weighed(pair, Heap::NeedsOverride)));
        for (why, pairs) in self.reasons() {
            each.extend(pairs.into_iter().map(|pair| weighed(pair, Heap::Refused(why))));
        }
        each.extend(self.gone.iter().map(|pair| weighed(*pair, Heap::Gone)));
        // A pair that another of the stroke closes is ordered all the same: it is listed once.
        let mut listed = BTreeSet::new();
        each.retain(|it| listed.insert(it.pair));
        each
    }

    /// The refused by their reason, those with the most pairs first.
    pub fn reasons(&self) -> Vec<(&str, Vec<PairId>)> {
        by_reason(&self.refused)
    }
}

/// Why not, without what is said of one pair alone, so that many share a reason.
fn brief(because: &Because) -> String {
    match because {
        Because::Unmet(checks) => {
            let names: Vec<&str> = checks.iter().map(|check| check.condition.name()).collect();
            format!("not met: {}", names.join(", "))
        }
        Because::NotAnchored(_) => "a record lacks provenance: re-derive it, or look again".to_owned(),
        Because::OutrankedAndNotLater
        | Because::RankUnknownAndNotLater
        | Because::SubjectUnconfirmed
        | Because::AlreadyMany
        | Because::TakesBack
        | Because::SameEpoch
        | Because::SubjectConfirmed
        | Because::NothingMissing
        | Because::Settled => because.to_string(),
    }
}

/// Pairs by the reason they share, the commonest reason first.
pub fn by_reason(refused: &[(PairId, String)]) -> Vec<(&str, Vec<PairId>)> {
    let mut heaps: BTreeMap<&str, Vec<PairId>> = BTreeMap::new();
    for (pair, why) in refused {
        heaps.entry(why).or_default().push(*pair);
    }
    let mut heaps: Vec<(&str, Vec<PairId>)> = heaps.into_iter().collect();
    heaps.sort_by_key(|(_, pairs)| std::cmp::Reverse(pairs.len()));
    heaps
}

impl Stroke {
    /// What the answers to orders come to.
    pub fn of<'a>(orders: &[Ordered], answers: impl IntoIterator<Item = Result<&'a Outcome, &'a Refusal>>) -> Self {
        let mut stroke = Self::default();
        let (mut closed, mut opened) = (BTreeSet::new(), BTreeSet::new());
        for (ordered, answer) in orders.iter().zip(answers) {
            match answer {
                Ok(outcome) => {
                    stroke.rulings += 1;
                    for pair in &outcome.closed {
                        if !opened.remove(pair) {
                            closed.insert(*pair);
                        }
                    }
                    for pair in &outcome.opened {
                        if !closed.remove(pair) {
                            opened.insert(*pair);
                        }
                    }
                }
                Err(Refusal::Along { pair, .. }) => stroke.along.push(*pair),
                Err(refusal) => {
                    stroke.refused.push((ordered.pair().unwrap_or(PairId(0)), refusal.to_string()));
                }
            }
        }
        (stroke.closed, stroke.opened) = (closed.len(), opened.len());
        stroke
    }
}

impl Choice {
    /// The action that the core must permit; none for a note, which decides nothing.
    pub const fn action(&self) -> Option<Action> {
        Some(match self {
            Self::Accept(side) => Action::Accept(*side),
            Self::LinkSame => Action::LinkSame,
            Self::LinkBothTrue { .. } => Action::LinkBothTrue,
            Self::LinkAcrossEpochs { .. } => Action::LinkAcrossEpochs,
            Self::LinkSubjects { one: true, .. } => Action::LinkOneSubject,
            Self::LinkSubjects { one: false, .. } => Action::LinkTwoSubjects,
            Self::Request => Action::Reobserve,
            Self::Withdraw { .. } => Action::Withdraw,
            Self::Defer(_) => Action::Defer,
            Self::Note(_) => return None,
        })
    }

    /// What it is called in the title of the preview.
    pub fn title(&self) -> String {
        match self {
            Self::Accept(side) => format!("Accept {}", side.of("A", "B")),
            Self::LinkSame => "Link as one value".to_owned(),
            Self::LinkBothTrue { .. } => "Link as both true, each slot for itself".to_owned(),
            Self::LinkAcrossEpochs { .. } => "Link across epochs".to_owned(),
            Self::LinkSubjects { one: true, .. } => "Link as one subject".to_owned(),
            Self::LinkSubjects { one: false, .. } => "Tell apart as two subjects".to_owned(),
            Self::Request => "Request a look".to_owned(),
            Self::Withdraw { side, .. } => format!("Withdraw {}", side.of("A", "B")),
            Self::Defer(until) => format!("Defer until {until}"),
            Self::Note(_) => "Note".to_owned(),
        }
    }

    /// What the allowed ones come to, in a few words.
    pub const fn words(&self) -> &'static str {
        match self {
            Self::Accept(Side::Left) => "A supersedes B; B is kept, readable",
            Self::Accept(Side::Right) => "B supersedes A; A is kept, readable",
            Self::LinkSame => "one claim of two spellings, both kept",
            Self::LinkBothTrue { .. } => "each slot then holds many values",
            Self::LinkAcrossEpochs { .. } => "both kept, each in its epoch",
            Self::LinkSubjects { one: true, .. } => "the slots of both names merge",
            Self::LinkSubjects { one: false, .. } => "the names are never paired again",
            Self::Request => "a look is requested; both stay as they are",
            Self::Withdraw { .. } => "the record leaves contention; it is kept",
            Self::Defer(_) => "out of the way until then",
            Self::Note(_) => "words are kept; nothing is decided",
        }
    }

    /// The order for one pair.
    pub fn order(&self, of: &Pair) -> Order {
        let (pair, record) = (of.entry.pair, |side| of.record(side).record.id.clone());
        match self {
            Self::Accept(side) => {
                Order::Accept { pair, winner: record(*side), recency_override: false, reason: String::new() }
            }
            Self::LinkSame => Order::LinkSame { pair, reason: String::new() },
            Self::LinkBothTrue { reason } => {
                Order::LinkBothTrue { pair, scope: Scope::Slot, reason: reason.clone() }
            }
            Self::LinkAcrossEpochs { cause, reason } => {
                Order::LinkAcrossEpochs { pair, cause: cause.clone(), reason: reason.clone() }
            }
            Self::LinkSubjects { one, reason } => Order::LinkSubjects { pair, one: *one, reason: reason.clone() },
            Self::Request => Order::Request { pair },
            Self::Withdraw { side, why, note } => {
                Order::Withdraw { what: Withdrawn::Record(record(*side)), why: *why, note: note.clone() }
            }
            Self::Defer(until) => Order::Defer { pair, until: *until },
            Self::Note(text) => Order::Note { pair, text: text.clone() },
        }
    }
}
