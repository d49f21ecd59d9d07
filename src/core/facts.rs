//! What a slot's records and rulings say, before anything is ranked: what is withdrawn, what a re-observation made
//! history, which requests and disputes are open.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::answer::{Requests, Shortfall};
use super::claims::Classes;
use super::examine::{Ground, examine};
use super::identity::SameSubject;
use super::policy::Rules;
use super::record::{Record, RecordId};
use super::ruling::{Between, Decision, RequestId, Ruling, effective};
use super::slot::OpenPair;
use super::time::Instant;

/// The records of a lane, by their places in the slot's writing order.
pub(super) struct Lane {
    pub(super) records: Vec<usize>,
}

/// What the input says, before anything is ranked.
pub(super) struct Facts<'a, 'r> {
    pub(super) records: Vec<&'a Record>,
    pub(super) rules: &'r Rules,
    pub(super) rulings: Vec<&'r Ruling>,
    pub(super) classes: Classes,
    pub(super) place: HashMap<&'a RecordId, usize>,
    pub(super) withdrawn: BTreeSet<usize>,
    /// Of each record that is history: the re-observation that made it so.
    pub(super) history: BTreeMap<usize, usize>,
    pub(super) answered: Vec<(RequestId, usize)>,
    /// Records that say they answer a request and are no re-observation.
    pub(super) fell_short: Vec<(RequestId, usize, Shortfall)>,
}

impl<'a, 'r> Facts<'a, 'r> {
    pub(super) fn new(
        records: impl IntoIterator<Item = &'a Record>,
        rules: &'r Rules,
        rulings: &'r [Ruling],
    ) -> Self {
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
            fell_short: Vec::new(),
        };
        facts.sort_answers(rulings);
        facts.history = facts.made_history();
        facts
    }

    /// The records that are not withdrawn, in writing order.
    fn active(&self) -> impl Iterator<Item = usize> {
        (0..self.records.len()).filter(|at| !self.withdrawn.contains(at))
    }

    pub(super) fn contending(&self) -> Lane {
        Lane { records: self.active().collect() }
    }

    /// The records of each value, finer and coarser forms of it together.
    pub(super) fn by_value(&self) -> Vec<Lane> {
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

    /// Sorts the records that say they answer a request: into re-observations, and those that fall short.
    fn sort_answers(&mut self, all: &[Ruling]) {
        let says = |at: usize| Some((self.records[at].answers?, at));
        let said: Vec<(RequestId, usize)> = (0..self.records.len()).filter_map(says).collect();
        if said.is_empty() {
            return;
        }
        let active = self.active().map(|at| self.records[at]);
        let requests = Requests::new(all, &self.rulings, self.rules, active);
        for (request, at) in said {
            let judged = if self.withdrawn.contains(&at) {
                Err(Shortfall::Withdrawn)
            } else {
                requests.judge(request, self.records[at])
            };
            match judged {
                Ok(()) => self.answered.push((request, at)),
                Err(why) => self.fell_short.push((request, at, why)),
            }
        }
    }

    /// What a re-observation leaves behind: everything observed before it in an earlier epoch, or unanchored.
    fn made_history(&self) -> BTreeMap<usize, usize> {
        let mut looks: Vec<(Instant, usize)> = self
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
                let anchored = self.rules.is_anchored(record);
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
    pub(super) fn open_requests(&self, claim: &[Option<usize>]) -> HashMap<(usize, usize), RequestId> {
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
    pub(super) fn speaks_of(&self, between: &Between, pair: &OpenPair, claim: &[Option<usize>]) -> bool {
        let (Some(a), Some(b)) = (self.place.get(&between.0), self.place.get(&between.1)) else { return false };
        let same = |one: usize, other: usize| one == other || (claim[one].is_some() && claim[one] == claim[other]);
        (same(*a, pair.left) && same(*b, pair.right)) || (same(*a, pair.right) && same(*b, pair.left))
    }

    /// Disputes that nobody has answered: by ruling on the two, by looking again, or by withdrawing one.
    pub(super) fn open_disputes(&self, claim: &[Option<usize>]) -> Vec<(usize, usize)> {
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

/// Records that are as if they were not there: withdrawn, or brought in by a ruling that was undone.
fn withdrawn(all: &[Ruling], counting: &[&Ruling], place: &HashMap<&RecordId, usize>) -> BTreeSet<usize> {
    let mut gone: BTreeSet<usize> = BTreeSet::new();
    for ruling in counting {
        if let Decision::Withdraw { records, .. } | Decision::Erase { records, .. } = &ruling.decision {
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
