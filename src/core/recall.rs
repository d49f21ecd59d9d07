//! What a slot answers, in both times (DESIGN 3.4): *believed at* a moment of the store, *about* a moment of the world.

use std::collections::{BTreeSet, HashMap};

use super::policy::{Cardinality, OnChange, Rules};
use super::record::{Record, RecordId};
use super::ruling::{Between, Decision, Ruling};
use super::settle::{OpenPair, Slot, Status, settle};
use super::time::{Instant, When};
use super::value::Key;

/// The two times of a question; absent means now.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AsOf {
    pub believed_at: Option<Instant>,
    pub about: Option<When>,
}

/// What was known by a moment: records by when they were written, rulings by when they were made. What was erased is
/// known at no time: of what it said then nothing is left to settle.
pub fn believed<'a>(records: &'a [Record], rulings: &[Ruling], at: Instant) -> (Vec<&'a Record>, Vec<Ruling>) {
    let records = records.iter().filter(|record| record.written_at <= at).collect();
    let known = |ruling: &&Ruling| ruling.at <= at || matches!(ruling.decision, Decision::Erase { .. });
    (records, rulings.iter().filter(known).cloned().collect())
}

/// The slot as it is, from what is known.
pub fn now<'a>(records: &[&'a Record], rules: &Rules, rulings: &[Ruling]) -> Slot<'a> {
    settle(records.iter().copied(), rules, rulings)
}

/// The slot as it was at `about`: `settle` of what was observed by then. What is closed today stays closed there, and
/// under *correction* the value of today holds for all time.
pub fn about<'a>(records: &[&'a Record], rules: &Rules, rulings: &[Ruling], about: When) -> Slot<'a> {
    let today = now(records, rules, rulings);
    if rules.on_change == OnChange::Correction {
        return today;
    }
    let by_then: Vec<&Record> =
        records.iter().copied().filter(|record| observed_by(record, about.last())).collect();
    let rulings = linking(rulings, records, &by_then, rules);
    close_as_today(settle(by_then, rules, &rulings), &today, rules)
}

/// The rulings, where each link of two values names records that were there by then, if any said the same: two
/// spellings that are one value are one before either record of the ruling was observed.
fn linking(rulings: &[Ruling], all: &[&Record], by_then: &[&Record], rules: &Rules) -> Vec<Ruling> {
    let links = |ruling: &Ruling| matches!(ruling.decision, Decision::Same(_));
    if !rulings.iter().any(links) {
        return rulings.to_vec();
    }
    let key: HashMap<&RecordId, Key> = all.iter().map(|record| (&record.id, record.key(rules))).collect();
    let present: BTreeSet<&RecordId> = by_then.iter().map(|record| &record.id).collect();
    let mut saying: HashMap<&Key, &RecordId> = HashMap::new();
    for id in &present {
        saying.entry(&key[id]).or_insert(id);
    }
    let there = |id: &RecordId| -> RecordId {
        let another = key.get(id).filter(|_| !present.contains(id)).and_then(|key| saying.get(key));
        another.map_or(id, |another| another).clone()
    };
    let restated = |ruling: &Ruling| {
        let mut ruling = ruling.clone();
        if let Decision::Same(Between(a, b)) = &ruling.decision {
            ruling.decision = Decision::Same(Between(there(a), there(b)));
        }
        ruling
    };
    rulings.iter().map(restated).collect()
}

/// Whether it was certainly observed by then. What was written by then was.
fn observed_by(record: &Record, moment: Instant) -> bool {
    record.observed_at.map_or(record.written_at, When::last) <= moment
}

fn close_as_today<'a>(mut then: Slot<'a>, today: &Slot<'_>, rules: &Rules) -> Slot<'a> {
    let queue = Queue::of(today);
    let (open, closed): (Vec<OpenPair>, Vec<OpenPair>) =
        std::mem::take(&mut then.pairs).into_iter().partition(|pair| queue.holds(pair, &then.records));
    then.pairs = open;
    if closed.is_empty() || !then.pairs.is_empty() {
        return then;
    }
    if rules.cardinality != Some(Cardinality::Many) {
        let speaks =
            then.foremost.iter().all(|live| closed.iter().all(|pair| yields(&then, pair, live.speaker, rules)));
        if speaks {
            then.live = then.foremost.clone();
        }
        then.status = match then.live.first() {
            Some(live) if rules.is_anchored(then.records[live.speaker]) => Status::Settled,
            Some(_) => Status::Unanchored,
            // Two stood there, and nobody ever said which of them held.
            None => Status::Contested,
        };
        return then;
    }
    let anchored = then.live.iter().any(|live| rules.is_anchored(then.records[live.speaker]));
    then.status = match (then.live.is_empty(), anchored) {
        (true, _) => Status::Empty,
        (false, true) => Status::Settled,
        (false, false) => Status::Unanchored,
    };
    then
}

/// What today's queue holds: of the contradictions of then, those are open.
struct Queue<'s> {
    place: HashMap<&'s RecordId, usize>,
    claim: &'s [Option<usize>],
    open: BTreeSet<(usize, usize)>,
}

impl<'s> Queue<'s> {
    fn of(today: &'s Slot<'_>) -> Self {
        let place = today.records.iter().enumerate().map(|(at, record)| (&record.id, at)).collect();
        let mut queue = Self { place, claim: &today.claim, open: BTreeSet::new() };
        queue.open = today.pairs.iter().filter_map(|pair| queue.claims(pair.left, pair.right)).collect();
        queue
    }

    /// The two claims, the smaller first.
    fn claims(&self, left: usize, right: usize) -> Option<(usize, usize)> {
        let (left, right) = (self.claim[left]?, self.claim[right]?);
        Some((left.min(right), left.max(right)))
    }

    /// Whether the contradiction is still open.
    fn holds(&self, pair: &OpenPair, records: &[&Record]) -> bool {
        let place = |at: usize| self.place.get(&records[at].id).copied();
        let claims = place(pair.left).zip(place(pair.right)).and_then(|(left, right)| self.claims(left, right));
        claims.is_some_and(|claims| self.open.contains(&claims))
    }
}

/// Whether a closed pair leaves the word to the speaker: it is the later world, or the one with provenance.
fn yields(slot: &Slot<'_>, pair: &OpenPair, speaker: usize, rules: &Rules) -> bool {
    let claim = |at: usize| slot.claim[at];
    let party: BTreeSet<Option<usize>> = BTreeSet::from([claim(pair.left), claim(pair.right)]);
    if !party.contains(&claim(speaker)) {
        return true;
    }
    let other = if claim(pair.left) == claim(speaker) { pair.right } else { pair.left };
    let (other, speaker) = (slot.records[other], slot.records[speaker]);
    rules.is_anchored(speaker) && (!rules.is_anchored(other) || other.epoch < speaker.epoch)
}
