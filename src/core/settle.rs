//! One slot: what its records, the policy and the rulings on them make of it (DESIGN 3.2).
//!
//! `settle` reads no clock and no database, and does not see the order in which records arrived: it sorts them by what
//! they say of themselves. Every feature of the program is this function with other inputs.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::claims::Classes;
use super::examine::{Basis, Ground, examine};
use super::identity::SameSubject;
use super::lane::{self, Lane, Outlook};
use super::pair::RecordState;
use super::policy::{Cardinality, Rules};
use super::record::{Epoch, Record, RecordId};
use super::ruling::{Between, Decision, RequestId, Ruling, effective};

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

/// One slot, settled. Records are named by their place in `records`, which is in writing order.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot<'a> {
    pub records: Vec<&'a Record>,
    pub status: Status,
    /// What it answers: the values that live, each with the records that say it.
    pub live: Vec<Live>,
    /// What stands foremost, whether or not an open pair keeps it from answering.
    pub foremost: Vec<Live>,
    pub states: Vec<RecordState>,
    /// Of each superseded or retracted record: whose claim beat it.
    pub superseded_by: Vec<Option<usize>>,
    /// The claim of each record that has one; records of one claim share the number.
    pub claim: Vec<Option<usize>>,
    pub pairs: Vec<OpenPair>,
    pub edges: Vec<Edge>,
    /// How many claims contend: stand, with nothing above them.
    pub contenders: usize,
    /// The re-observations that qualified, with the request each answers.
    pub answered: Vec<(RequestId, usize)>,
}

/// A value that lives: who speaks it, and who supports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Live {
    pub speaker: usize,
    pub supporters: Vec<usize>,
}

/// A contradiction that the core may not settle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenPair {
    /// The two records that speak for their claims, the earlier written first.
    pub left: usize,
    pub right: usize,
    pub grounds: Vec<Ground>,
    /// The open request for a re-observation, where one is made.
    pub requested: Option<RequestId>,
}

/// A link between two records; `from` is the newer or winning side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub kind: EdgeKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    Supersedes(Basis),
    EpochChange { from: Epoch, to: Epoch },
    Reobserved,
    DerivedFrom,
    Same,
}

/// Settles one slot: its records, the rules that hold for it, and every ruling on them (undone ones included).
pub fn settle<'a>(records: impl IntoIterator<Item = &'a Record>, rules: &Rules, rulings: &[Ruling]) -> Slot<'a> {
    let facts = Facts::new(records, rules, rulings);
    let lanes = match rules.cardinality {
        // Each value of a many-valued attribute is a lane of its own: it holds, or it was taken back.
        Some(Cardinality::Many) => facts.by_value(),
        Some(Cardinality::One) | None => vec![facts.contending()],
    };
    let outlooks: Vec<Outlook> = lanes.into_iter().map(|lane| lane::settle(&facts, lane)).collect();
    Projection::new(&facts).join(outlooks)
}

/// What the input says, before anything is ranked.
pub(super) struct Facts<'a, 'r> {
    pub(super) records: Vec<&'a Record>,
    pub(super) rules: &'r Rules,
    pub(super) rulings: Vec<&'r Ruling>,
    pub(super) classes: Classes,
    pub(super) place: HashMap<&'a RecordId, usize>,
    withdrawn: BTreeSet<usize>,
    /// Of each record that is history: the re-observation that made it so.
    history: BTreeMap<usize, usize>,
    answered: Vec<(RequestId, usize)>,
}

impl<'a, 'r> Facts<'a, 'r> {
    fn new(records: impl IntoIterator<Item = &'a Record>, rules: &'r Rules, rulings: &'r [Ruling]) -> Self {
        let mut records: Vec<&Record> = records.into_iter().collect();
        records.sort_by(|a, b| a.writing_order().cmp(&b.writing_order()));
        let place: HashMap<&RecordId, usize> =
            records.iter().enumerate().map(|(at, record)| (&record.id, at)).collect();
        let counting = effective(rulings);
        let classes = Classes::new(&records, rules, &counting);
        let withdrawn = withdrawn(rulings, &counting, &place);
        let mut facts = Self {
            records,
            rules,
            rulings: counting,
            classes,
            place,
            withdrawn,
            history: BTreeMap::new(),
            answered: Vec::new(),
        };
        facts.answered = facts.reobservations();
        facts.history = facts.made_history();
        facts
    }

    /// The records that are not withdrawn, in writing order.
    fn active(&self) -> impl Iterator<Item = usize> {
        (0..self.records.len()).filter(|at| !self.withdrawn.contains(at))
    }

    fn contending(&self) -> Lane {
        Lane { records: self.active().collect() }
    }

    /// The records of each value, finer and coarser forms of it together.
    fn by_value(&self) -> Vec<Lane> {
        let refined = self.classes.refinements(&self.active().map(|at| self.classes.of(at)).collect());
        let home =
            |class: usize| refined.get(&class).and_then(|finer| finer.iter().min().copied()).unwrap_or(class);
        let mut lanes: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for at in self.active() {
            lanes.entry(home(self.classes.of(at))).or_default().push(at);
        }
        lanes.into_values().map(|records| Lane { records }).collect()
    }

    /// Whether it is out of contention since a re-observation.
    pub(super) fn is_history(&self, at: usize) -> bool {
        self.history.contains_key(&at)
    }

    /// Answers that qualify: to a request of this slot, observed no earlier than it was made, anchored, and in an epoch
    /// no earlier than that of anything that was not certainly observed later.
    fn reobservations(&self) -> Vec<(RequestId, usize)> {
        let requests: HashMap<RequestId, &Ruling> = self
            .rulings
            .iter()
            .filter(|ruling| ruling.requests().is_some())
            .map(|ruling| (RequestId(ruling.id.0), *ruling))
            .collect();
        if requests.is_empty() {
            return Vec::new();
        }
        let first_after = self.first_of_later_epochs();
        self.active()
            .filter_map(|at| {
                let record = self.records[at];
                let request = record.answers?;
                let anchored = record.anchored().ok()?;
                let asked = requests.get(&request)?;
                let in_time = anchored.observed_at.first() >= asked.at;
                let later_world = first_after.range(next(anchored.epoch)..).next().map(|(_, first)| *first);
                let newest = later_world.is_none_or(|first| anchored.observed_at.last() < first);
                (in_time && newest).then_some((request, at))
            })
            .collect()
    }

    /// For each epoch: the first moment observed in it or in any later one.
    fn first_of_later_epochs(&self) -> BTreeMap<Epoch, super::time::Instant> {
        let mut firsts: BTreeMap<Epoch, super::time::Instant> = BTreeMap::new();
        for at in self.active() {
            if let Ok(anchored) = self.records[at].anchored() {
                let first = anchored.observed_at.first();
                firsts.entry(anchored.epoch).and_modify(|known| *known = first.min(*known)).or_insert(first);
            }
        }
        let mut earliest = None;
        for first in firsts.values_mut().rev() {
            let known = *earliest.get_or_insert(*first);
            *first = known.min(*first);
            earliest = Some(*first);
        }
        firsts
    }

    /// What a re-observation leaves behind: everything observed before it in an earlier epoch, or unanchored.
    fn made_history(&self) -> BTreeMap<usize, usize> {
        let mut looks: Vec<(super::time::Instant, usize)> = self
            .answered
            .iter()
            .filter_map(|(_, at)| self.records[*at].observed_at.map(|when| (when.first(), *at)))
            .collect();
        looks.sort_by_key(|(first, at)| (*first, *at));
        looks.dedup();
        if looks.is_empty() {
            return BTreeMap::new();
        }
        self.active()
            .filter_map(|at| {
                let record = self.records[at];
                let bound = record.observed_no_later_than();
                let anchored = record.is_anchored();
                let from = looks.partition_point(|(first, _)| *first < bound);
                let look = looks[from..]
                    .iter()
                    .find(|(_, look)| *look != at && (!anchored || record.epoch < self.records[*look].epoch))?;
                Some((at, look.1))
            })
            .collect()
    }

    /// Why the two may not be settled by the core.
    pub(super) fn grounds(&self, a: usize, b: usize) -> Vec<Ground> {
        // The records of one slot are about one subject: it is what made the slot.
        examine(self.records[a], self.records[b], self.rules, &SameSubject::SameName).grounds()
    }

    /// The open requests, by the two claims they are about: made, and not yet answered.
    fn open_requests(&self, claim: &[Option<usize>]) -> HashMap<(usize, usize), RequestId> {
        let answered: BTreeSet<RequestId> = self.answered.iter().map(|(request, _)| *request).collect();
        let mut open = HashMap::new();
        for ruling in &self.rulings {
            let request = RequestId(ruling.id.0);
            if let Some(Between(a, b)) = ruling.leaves_request()
                && !answered.contains(&request)
                && let (Some(a), Some(b)) = (self.place.get(a), self.place.get(b))
                && let (Some(a), Some(b)) = (claim[*a], claim[*b])
            {
                open.entry((a.min(b), a.max(b))).or_insert(request);
            }
        }
        open
    }

    /// Whether the two records of a ruling belong to the two claims of a pair.
    fn speaks_of(&self, between: &Between, pair: &OpenPair, claim: &[Option<usize>]) -> bool {
        let (Some(a), Some(b)) = (self.place.get(&between.0), self.place.get(&between.1)) else { return false };
        let same = |one: usize, other: usize| one == other || (claim[one].is_some() && claim[one] == claim[other]);
        (same(*a, pair.left) && same(*b, pair.right)) || (same(*a, pair.right) && same(*b, pair.left))
    }

    /// Disputes that nobody has answered: by ruling on the two, by looking again, or by withdrawing one.
    fn open_disputes(&self, claim: &[Option<usize>]) -> Vec<(usize, usize)> {
        let mut open = Vec::new();
        for dispute in &self.rulings {
            let Decision::Dispute(between) = &dispute.decision else { continue };
            let (Some(a), Some(b)) = (self.place.get(&between.0), self.place.get(&between.1)) else { continue };
            // Withdrawn, history, or of one mind: there is nothing between them to dispute.
            let contends = |at: &usize| !self.withdrawn.contains(at) && !self.is_history(*at);
            if !contends(a) || !contends(b) || claim[*a] == claim[*b] {
                continue;
            }
            let as_pair = OpenPair { left: *a, right: *b, grounds: Vec::new(), requested: None };
            let later = self.rulings.iter().filter(|ruling| ruling.id > dispute.id);
            let answered = later
                .filter_map(|ruling| ruling.decides_between())
                .any(|between| self.speaks_of(&between, &as_pair, claim));
            let looked = self.answered.iter().any(|(request, _)| request.0 > dispute.id.0);
            if !answered && !looked {
                open.push((*a.min(b), *a.max(b)));
            }
        }
        open.sort_unstable();
        open.dedup();
        open
    }
}

fn next(epoch: Epoch) -> Epoch {
    Epoch(epoch.0.saturating_add(1))
}

/// Records that are as if they were not there: withdrawn, or brought in by a ruling that was undone.
fn withdrawn(all: &[Ruling], counting: &[&Ruling], place: &HashMap<&RecordId, usize>) -> BTreeSet<usize> {
    let mut gone: BTreeSet<usize> = BTreeSet::new();
    for ruling in counting {
        if let Decision::Withdraw { records, .. } = &ruling.decision {
            gone.extend(records.iter().filter_map(|id| place.get(id)).copied());
        }
    }
    let counts: BTreeSet<_> = counting.iter().map(|ruling| ruling.id).collect();
    for ruling in all.iter().filter(|ruling| !counts.contains(&ruling.id)) {
        if let Decision::Reobserve { record, .. } | Decision::Rederive { record, .. } = &ruling.decision {
            gone.extend(place.get(record).copied());
        }
    }
    gone
}

/// The slot as it is put together from its lanes.
struct Projection<'f, 'a, 'r> {
    facts: &'f Facts<'a, 'r>,
    slot: Slot<'a>,
}

impl<'f, 'a, 'r> Projection<'f, 'a, 'r> {
    fn new(facts: &'f Facts<'a, 'r>) -> Self {
        let count = facts.records.len();
        let slot = Slot {
            records: facts.records.clone(),
            status: Status::Empty,
            live: Vec::new(),
            foremost: Vec::new(),
            states: vec![RecordState::Live; count],
            superseded_by: vec![None; count],
            claim: vec![None; count],
            pairs: Vec::new(),
            edges: Vec::new(),
            contenders: 0,
            answered: facts.answered.clone(),
        };
        Self { facts, slot }
    }

    fn join(mut self, outlooks: Vec<Outlook>) -> Slot<'a> {
        let mut anchored = false;
        let mut claims = 0;
        for outlook in outlooks {
            let offset = claims;
            for (at, claim) in outlook.claim {
                self.slot.claim[at] = Some(claim + offset);
                claims = claims.max(claim + offset + 1);
            }
            for (at, by, basis) in outlook.beaten {
                self.slot.states[at] = RecordState::Superseded;
                self.slot.superseded_by[at] = Some(by);
                self.slot.edges.push(Edge { from: by, to: at, kind: EdgeKind::Supersedes(basis) });
            }
            for (at, by, basis) in outlook.taken_back {
                self.slot.states[at] = RecordState::Retracted;
                self.slot.superseded_by[at] = Some(by);
                self.slot.edges.push(Edge { from: by, to: at, kind: EdgeKind::Supersedes(basis) });
            }
            self.slot.edges.extend(outlook.epoch_changes);
            self.slot.pairs.extend(outlook.pairs);
            anchored |= outlook.anchored;
            self.slot.live.extend(outlook.live);
        }
        self.open_pairs();
        self.mark_states();
        self.count_contenders();
        self.link();
        self.decide(anchored);
        self.slot
    }

    fn open_pairs(&mut self) {
        for (a, b) in self.facts.open_disputes(&self.slot.claim) {
            let claim = &self.slot.claim;
            let between = Between(self.facts.records[a].id.clone(), self.facts.records[b].id.clone());
            let known = self.slot.pairs.iter().position(|pair| self.facts.speaks_of(&between, pair, claim));
            let pair = match known {
                Some(at) => &mut self.slot.pairs[at],
                None => {
                    let grounds = self.facts.grounds(a, b);
                    self.slot.pairs.push(OpenPair { left: a, right: b, grounds, requested: None });
                    let last = self.slot.pairs.len() - 1;
                    &mut self.slot.pairs[last]
                }
            };
            pair.grounds.push(Ground::Disputed);
        }
        self.slot.pairs.sort_by_key(|pair| (pair.left, pair.right));
        let requests = self.facts.open_requests(&self.slot.claim);
        for pair in &mut self.slot.pairs {
            let claims = self.slot.claim[pair.left].zip(self.slot.claim[pair.right]);
            pair.requested = claims.and_then(|(a, b)| requests.get(&(a.min(b), a.max(b)))).copied();
        }
    }

    fn mark_states(&mut self) {
        let parties: BTreeSet<usize> = self.slot.pairs.iter().flat_map(|pair| [pair.left, pair.right]).collect();
        let claims: BTreeSet<usize> = parties.iter().filter_map(|at| self.slot.claim[*at]).collect();
        for at in 0..self.slot.records.len() {
            let contested =
                parties.contains(&at) || self.slot.claim[at].is_some_and(|claim| claims.contains(&claim));
            if contested {
                self.slot.states[at] = RecordState::Contested;
            }
            if self.facts.is_history(at) {
                self.slot.states[at] = RecordState::History;
            }
            if self.facts.withdrawn.contains(&at) {
                self.slot.states[at] = RecordState::Withdrawn;
            }
            if !matches!(self.slot.states[at], RecordState::Superseded | RecordState::Retracted) {
                self.slot.superseded_by[at] = None;
            }
        }
    }

    fn count_contenders(&mut self) {
        let contends = |at: &usize| matches!(self.slot.states[*at], RecordState::Live | RecordState::Contested);
        let claims: BTreeSet<usize> =
            (0..self.slot.records.len()).filter(contends).filter_map(|at| self.slot.claim[at]).collect();
        self.slot.contenders = claims.len();
    }

    /// Links that rest on rulings and derivations rather than on ranks.
    fn link(&mut self) {
        let facts = self.facts;
        let history = facts.history.iter();
        self.slot.edges.extend(history.map(|(at, by)| Edge { from: *by, to: *at, kind: EdgeKind::Reobserved }));
        for (at, record) in facts.records.iter().enumerate() {
            if let Some(origin) = record.derived_from.as_ref().and_then(|id| facts.place.get(id)) {
                self.slot.edges.push(Edge { from: at, to: *origin, kind: EdgeKind::DerivedFrom });
            }
        }
        for ruling in &facts.rulings {
            if let Decision::Same(Between(a, b)) = &ruling.decision
                && let (Some(a), Some(b)) = (facts.place.get(a), facts.place.get(b))
            {
                self.slot.edges.push(Edge { from: *a.max(b), to: *a.min(b), kind: EdgeKind::Same });
            }
        }
        self.slot.edges.sort_unstable();
        self.slot.edges.dedup();
    }

    fn decide(&mut self, anchored: bool) {
        let slot = &mut self.slot;
        let many = self.facts.rules.cardinality == Some(Cardinality::Many);
        slot.status = if slot.pairs.is_empty() {
            match (slot.live.is_empty(), anchored) {
                (true, _) => Status::Empty,
                (false, true) => Status::Settled,
                (false, false) => Status::Unanchored,
            }
        } else if slot.pairs.iter().all(|pair| pair.requested.is_some()) {
            Status::Awaiting
        } else {
            Status::Contested
        };
        slot.foremost = slot.live.clone();
        if !many && !slot.pairs.is_empty() {
            slot.live.clear();
        }
    }
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

impl EdgeKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Supersedes(_) => "supersedes",
            Self::EpochChange { .. } => "epoch_change",
            Self::Reobserved => "reobserved",
            Self::DerivedFrom => "derived_from",
            Self::Same => "same",
        }
    }
}
