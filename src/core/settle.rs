//! One slot: what its records, the policy and the rulings on them make of it (DESIGN 3.2).
//!
//! `settle` reads no clock and no database, and does not see the order in which records arrived: it sorts them by what
//! they say of themselves. Every feature of the program is this function with other inputs.

use std::collections::BTreeSet;

use super::examine::Ground;
use super::facts::Facts;
use super::lane::{self, Outlook};
use super::pair::RecordState;
use super::policy::{Cardinality, Rules};
use super::record::Record;
use super::ruling::{Between, Decision, Ruling};
pub use super::slot::{Edge, EdgeKind, Live, OpenPair, Slot, Status};

/// Settles one slot: its records, the rules that hold for it, and every ruling on them (undone ones included).
pub fn settle<'a>(records: impl IntoIterator<Item = &'a Record>, rules: &Rules, rulings: &[Ruling]) -> Slot<'a> {
    let records: Vec<&Record> = records.into_iter().collect();
    if let ([record], []) = (records.as_slice(), rulings)
        && record.answers.is_none()
        && record.derived_from.is_none()
    {
        return lone(record, rules);
    }
    let facts = Facts::new(records, rules, rulings);
    let lanes = match rules.cardinality {
        // Each value of a many-valued attribute is a lane of its own: it holds, or it was taken back.
        Some(Cardinality::Many) => facts.by_value(),
        Some(Cardinality::One) | None => vec![facts.contending()],
    };
    let outlooks: Vec<Outlook> = lanes.into_iter().map(|lane| lane::settle(&facts, lane)).collect();
    Projection::new(&facts).join(outlooks)
}

/// What comes of a record that has a slot to itself, as most have: there is nothing to rank, and nobody has ruled.
fn lone<'a>(record: &'a Record, rules: &Rules) -> Slot<'a> {
    let live = if record.is_retraction() { Vec::new() } else { vec![Live { speaker: 0, supporters: Vec::new() }] };
    let status = match (live.is_empty(), rules.is_anchored(record)) {
        (true, _) => Status::Empty,
        (false, true) => Status::Settled,
        (false, false) => Status::Unanchored,
    };
    Slot {
        records: vec![record],
        status,
        foremost: live.clone(),
        live,
        states: vec![RecordState::Live],
        superseded_by: vec![None],
        claim: vec![Some(0)],
        pairs: Vec::new(),
        edges: Vec::new(),
        contenders: 1,
        answered: Vec::new(),
        fell_short: Vec::new(),
    }
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
            fell_short: facts.fell_short.clone(),
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
