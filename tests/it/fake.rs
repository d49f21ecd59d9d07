//! A store in memory, judged by the real core: enough of one to sit in front of.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gainsay::app::Failure;
use gainsay::app::asks::looks::{Answer, Came, Look, Looks, Question, Served, StaleFact};
use gainsay::app::asks::{batches, history, log, policy as policy_asks, slotting};
use gainsay::app::port::{Commonest, Counts, Filter, Page, PageRequest, Port, Sorting, Wanted, Watch};
use gainsay::core::consequence::Consequence;
use gainsay::core::examine::{Finding, Ground, Side, examine};
use gainsay::core::identity::SameSubject;
use gainsay::core::order::{Order, Outcome, Refusal, Seen, Target, Undid};
use gainsay::core::pair::{Entry, JudgedRecord, Known, Pair, PairState, RecordState, Revision, Ruled, Tally};
use gainsay::core::permit::{Action, Permission, Quarantined, permitted};
use gainsay::core::policy::{AttributePolicy, Cardinality, OnChange, Policy};
use gainsay::core::record::{Attribute, Epoch, Kind, Record, SourceClass, Subject};
use gainsay::core::ruling::{PairId, RulingId};
use gainsay::core::settle::Status;
use gainsay::core::time::Instant;
use gainsay::core::tried::{Answered, Tried};

use crate::told::at;

/// The store, shared with the test that plays another process.
#[derive(Clone, Default)]
pub(crate) struct Fake(Arc<Mutex<Store>>);

#[derive(Default)]
pub(crate) struct Store {
    pub(crate) pairs: Vec<Held>,
    pub(crate) made: Vec<Made>,
    /// Reads of pairs and pages, to see what a key costs.
    pub(crate) reads: usize,
    /// Declarations tried out.
    pub(crate) tried: usize,
    changed: bool,
    /// What is told of facts that have grown old.
    pub(crate) stale: Vec<StaleFact>,
    /// Every order fails with this, as when the store is busy.
    pub(crate) broken: Option<String>,
}

pub(crate) struct Held {
    pub(crate) id: i64,
    pub(crate) left: Record,
    pub(crate) right: Record,
    pub(crate) state: PairState,
    pub(crate) revision: i64,
    pub(crate) ruled: Option<Ruled>,
}

pub(crate) struct Made {
    pub(crate) id: i64,
    pub(crate) order: Order,
    pub(crate) undone: bool,
    before: Option<(i64, PairState)>,
    after: Option<PairState>,
}

fn policy() -> Policy {
    let kinds = [
        ("user_utterance", SourceClass::User),
        ("tool_output", SourceClass::Observation),
        ("config_probe", SourceClass::Observation),
        ("agent_inference", SourceClass::Inference),
        ("crm_import", SourceClass::ThirdParty),
    ];
    let personal =
        vec![SourceClass::User, SourceClass::Observation, SourceClass::Inference, SourceClass::ThirdParty];
    let world = vec![SourceClass::Observation, SourceClass::User, SourceClass::Inference, SourceClass::ThirdParty];
    let one = |authority: &[SourceClass]| AttributePolicy {
        cardinality: Some(Cardinality::One),
        on_change: Some(OnChange::Succession),
        authority: Some(authority.to_vec()),
        ..AttributePolicy::default()
    };
    Policy {
        version: 12,
        sources: kinds.into_iter().map(|(kind, class)| (Kind::from(kind), class)).collect(),
        attributes: [
            (Attribute::from("home_city"), one(&personal)),
            (Attribute::from("employer"), one(&personal)),
            (Attribute::from("retry_timeout"), one(&world)),
        ]
        .into(),
        slots: [].into(),
    }
}

impl Fake {
    pub(crate) fn new(pairs: Vec<(Record, Record)>) -> Self {
        let fake = Self::default();
        for (left, right) in pairs {
            fake.add(left, right);
        }
        fake.store().changed = false;
        fake
    }

    pub(crate) fn store(&self) -> MutexGuard<'_, Store> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Another process adds a pair; its number follows the last.
    pub(crate) fn add(&self, left: Record, right: Record) {
        let mut store = self.store();
        let id = store.pairs.iter().map(|held| held.id).max().map_or(400, |last| last + 1);
        store.pairs.push(Held { id, left, right, state: PairState::Open, revision: 1, ruled: None });
        store.changed = true;
    }

    /// Another process settles a pair.
    pub(crate) fn settled_by(&self, id: i64, who: &str) {
        let mut store = self.store();
        let ruling = RulingId(9000 + id);
        let ruled = Ruled { ruling, by: who.to_owned(), at: at("2025-12-01T09:14:00Z"), what: "accept".to_owned() };
        let held = store.pairs.iter_mut().find(|held| held.id == id).expect("the pair");
        (held.state, held.ruled) = (PairState::Settled, Some(ruled));
        held.revision += 1;
        store.changed = true;
    }

    /// What was written, in short, undone or not.
    pub(crate) fn log(&self) -> Vec<String> {
        self.store().made.iter().map(|made| kind(&made.order).to_owned()).collect()
    }

    pub(crate) fn state(&self, id: i64) -> PairState {
        self.store().pairs.iter().find(|held| held.id == id).expect("the pair").state
    }
}

fn seen() -> Seen {
    Seen {
        value: "5s".into(),
        epoch: Epoch(9),
        source: Kind::from("config_probe"),
        class: None,
        evidence: "it reads 5s".to_owned(),
        observed_at: None,
        observer: Some("jq".to_owned()),
    }
}

fn kind(order: &Order) -> &'static str {
    match order {
        Order::Accept { recency_override: true, .. } => "override",
        Order::Accept { .. } => "accept",
        Order::LinkSame { .. } => "same",
        Order::LinkBothTrue { .. } => "both_true",
        Order::LinkAcrossEpochs { .. } => "across_epochs",
        Order::LinkSubjects { .. } => "subjects",
        Order::Request { .. } => "request",
        Order::Reobserve { .. } | Order::Refresh { .. } => "reobserve",
        Order::Rederive { .. } | Order::RederiveAll { .. } => "rederive",
        Order::Withdraw { .. } => "withdraw",
        Order::Dispute { .. } => "dispute",
        Order::Declare { .. } => "declare",
        Order::Alias { .. } => "alias",
        Order::Epoch { .. } => "epoch",
        Order::Defer { .. } => "defer",
        Order::Note { .. } => "note",
        Order::Undo { .. } => "undo",
        Order::Erase { .. } => "erase",
        Order::Redo => "redo",
    }
}

fn same(held: &Held) -> SameSubject {
    if held.left.subject == held.right.subject { SameSubject::SameName } else { SameSubject::Unconfirmed }
}

fn grounds(held: &Held) -> Vec<Ground> {
    match examine(&held.left, &held.right, &rules(held), &same(held)).finding {
        Finding::Quarantine(grounds) => grounds,
        Finding::Agree | Finding::Coexist | Finding::Resolve { .. } => vec![Ground::Disputed],
    }
}

fn rules(held: &Held) -> gainsay::core::policy::Rules {
    policy().rules(&held.left.subject, held.left.attribute.as_ref().expect("a slot"))
}

fn entry(held: &Held) -> Entry {
    Entry {
        pair: PairId(held.id),
        state: held.state,
        subject: held.left.subject.clone(),
        attribute: held.left.attribute.clone().expect("a slot"),
        grounds: grounds(held),
        records: [held.left.id.clone(), held.right.id.clone()],
        values: [held.left.value.clone(), held.right.value.clone()],
        opened_at: at("2025-11-28T09:00:00Z").plus(chrono::Duration::minutes(held.id)),
        deferred_until: None,
    }
}

fn known(records: &[&Record]) -> Known {
    let mut epochs: Vec<(Epoch, u64)> = records.iter().filter_map(|it| Some((it.epoch?, 1))).collect();
    epochs.sort_by_key(|(epoch, _)| std::cmp::Reverse(*epoch));
    epochs.dedup_by_key(|(epoch, _)| *epoch);
    let mut kinds: Vec<(Kind, u64)> = records.iter().filter_map(|it| Some((it.kind()?.clone(), 1))).collect();
    kinds.dedup();
    Known { epochs, kinds, causes: Vec::new() }
}

fn whole(held: &Held) -> Pair {
    let rules = rules(held);
    let examination = examine(&held.left, &held.right, &rules, &same(held));
    let grounds = grounds(held);
    let settled = held.state == PairState::Settled;
    let quarantined = Quarantined {
        left: &held.left,
        right: &held.right,
        rules: &rules,
        examination: &examination,
        grounds: &grounds,
        settled,
    };
    let judged = |record: &Record| JudgedRecord {
        record: record.clone(),
        class: rules.class_of(record),
        lacks: rules.lacks(record),
        state: Some(if settled { RecordState::Live } else { RecordState::Contested }),
        superseded_by: None,
    };
    Pair {
        permitted: permitted(quarantined),
        known: known(&[&held.left, &held.right]),
        left: judged(&held.left),
        right: judged(&held.right),
        entry: entry(held),
        contenders: 2,
        shared: Vec::new(),
        request: None,
        fell_short: Vec::new(),
        ruled: held.ruled.clone(),
        tallies: [Tally { won: 3, lost: 14 }, Tally { won: 22, lost: 4 }],
        revision: Revision(held.revision),
        examination,
        rules,
    }
}

fn shows(filter: &Filter, held: &Held) -> bool {
    let entry = entry(held);
    let text = format!("{} {} {:?}", entry.subject, entry.attribute, entry.values).to_lowercase();
    let batch = |batch: &String| [&held.left, &held.right].iter().any(|record| record.batch.as_str() == batch);
    (filter.states.is_empty() || filter.states.contains(&held.state))
        && filter.grounds.chooses(|ground| entry.grounds.contains(ground))
        && filter.attributes.chooses(|attribute| attribute == entry.attribute.as_str())
        && filter.subjects.chooses(|subject| subject == entry.subject.as_str())
        && filter.batches.chooses(batch)
        && filter.text.as_ref().is_none_or(|wanted| text.contains(&wanted.to_lowercase()))
}

fn action(order: &Order, held: &Held) -> Option<Action> {
    match order {
        Order::Accept { winner, .. } if *winner == held.left.id => Some(Action::Accept(Side::Left)),
        Order::Accept { .. } => Some(Action::Accept(Side::Right)),
        Order::LinkSame { .. } => Some(Action::LinkSame),
        Order::LinkBothTrue { .. } => Some(Action::LinkBothTrue),
        Order::LinkAcrossEpochs { .. } => Some(Action::LinkAcrossEpochs),
        Order::LinkSubjects { one: true, .. } => Some(Action::LinkOneSubject),
        Order::LinkSubjects { one: false, .. } => Some(Action::LinkTwoSubjects),
        Order::Request { .. } | Order::Reobserve { .. } => Some(Action::Reobserve),
        Order::Defer { .. } => Some(Action::Defer),
        Order::Refresh { .. }
        | Order::Rederive { .. }
        | Order::Withdraw { .. }
        | Order::Dispute { .. }
        | Order::Declare { .. }
        | Order::Alias { .. }
        | Order::Epoch { .. }
        | Order::RederiveAll { .. }
        | Order::Note { .. }
        | Order::Undo { .. }
        | Order::Erase { .. }
        | Order::Redo => None,
    }
}

fn becomes(order: &Order, state: PairState) -> PairState {
    match order {
        Order::LinkAcrossEpochs { .. } | Order::Request { .. } => PairState::Awaiting,
        Order::Defer { .. } => PairState::Deferred,
        Order::Accept { .. }
        | Order::LinkSame { .. }
        | Order::LinkBothTrue { .. }
        | Order::LinkSubjects { .. }
        | Order::Reobserve { .. } => PairState::Settled,
        Order::Note { .. }
        | Order::Refresh { .. }
        | Order::Rederive { .. }
        | Order::Withdraw { .. }
        | Order::Dispute { .. }
        | Order::Declare { .. }
        | Order::Alias { .. }
        | Order::Epoch { .. }
        | Order::RederiveAll { .. }
        | Order::Undo { .. }
        | Order::Erase { .. }
        | Order::Redo => state,
    }
}

impl Store {
    fn listed(&self, filter: &Filter, sorting: Sorting) -> Vec<&Held> {
        let mut listed: Vec<&Held> = self.pairs.iter().filter(|held| shows(filter, held)).collect();
        listed.sort_by_key(|held| place(&entry(held), sorting));
        if sorting == Sorting::Newest {
            listed.reverse();
        }
        listed
    }

    fn counts(&self) -> Counts {
        let many = |state| self.pairs.iter().filter(|held| held.state == state).count() as u64;
        let open = self.pairs.iter().filter(|held| held.state == PairState::Open);
        let all: Vec<Ground> = open.flat_map(grounds).collect();
        let mut by_attribute: Vec<(String, u64)> = Vec::new();
        for held in self.pairs.iter().filter(|held| held.state == PairState::Open) {
            let name = entry(held).attribute.to_string();
            match by_attribute.iter_mut().find(|(known, _)| *known == name) {
                Some((_, many)) => *many += 1,
                None => by_attribute.push((name, 1)),
            }
        }
        by_attribute.sort_by_key(|(_, many)| std::cmp::Reverse(*many));
        let kinds: BTreeSet<Ground> = all.iter().copied().collect();
        let mut by_ground: Vec<(Ground, u64)> = kinds
            .into_iter()
            .map(|kind| (kind, all.iter().filter(|ground| **ground == kind).count() as u64))
            .collect();
        by_ground.sort_by_key(|(_, many)| std::cmp::Reverse(*many));
        Counts {
            open: many(PairState::Open),
            awaiting: many(PairState::Awaiting),
            deferred: many(PairState::Deferred),
            settled: many(PairState::Settled),
            by_ground,
            by_attribute,
        }
    }

    /// An observer serves every attribute but `employer`.
    fn served(&self, targets: &[Target]) -> Served {
        let mut served = Served::default();
        for target in targets {
            let held = self.pairs.iter().find(|held| target.pair() == Some(PairId(held.id)));
            match held.map(|held| (held.state, entry(held).attribute)) {
                _ if target.pair().is_none() => served.by.push((target.clone(), "jq".to_owned())),
                None | Some((PairState::Settled, _)) => served.gone.push(target.clone()),
                Some((_, attribute)) if attribute.as_str() == "employer" => served.nobody.push(target.clone()),
                Some(_) => served.by.push((target.clone(), "jq".to_owned())),
            }
        }
        served
    }

    /// Every third look fails; the watch may stop it.
    fn look(&mut self, targets: &[Target], watch: &dyn Watch) -> Looks {
        let mut looks = Looks::new();
        for (done, target) in targets.iter().enumerate() {
            let pair = target.pair().expect("a pair");
            let held = self.pairs.iter().find(|held| PairId(held.id) == pair).expect("the pair");
            let Entry { subject, attribute, .. } = entry(held);
            let came = match done % 3 {
                _ if !watch.goes_on(done as u64, targets.len() as u64) => Came::NotLooked,
                2 => Came::Failed("jq saw nothing: it failed (exit status: 1)".to_owned()),
                _ => Came::Settled(self.write(&Order::Reobserve { pair, seen: seen() }).expect("it is open")),
            };
            looks.push(Look { target: target.clone(), subject, attribute, came });
        }
        looks
    }

    fn write(&mut self, order: &Order) -> Result<Outcome, Refusal> {
        let id = 17 + self.made.len() as i64;
        let before = order.pair().map(|pair| (pair.0, self.state_of(pair.0)));
        let after = before.map(|(_, state)| becomes(order, state));
        let mut undid = None;
        if let Order::Undo { ruling } = order {
            let ruling = self.undo(*ruling)?;
            undid = Some(Undid { ruling, at_last: ruling, action: "accept".to_owned() });
        } else if *order == Order::Redo {
            self.redo()?;
        } else if let Some(((pair, _), state)) = before.zip(after) {
            self.put(pair, state);
        }
        self.made.push(Made { id, order: order.clone(), undone: false, before, after });
        Ok(Outcome {
            ruling: RulingId(id),
            action: kind(order).to_owned(),
            pair: order.pair(),
            pair_state: after,
            slot: None,
            opened: Vec::new(),
            closed: order.pair().into_iter().collect(),
            records: 1,
            slots: 1,
            values_changed: 0,
            values_gone: 0,
            resting: 0,
            undid,
            rulings: 1,
            consequence: Consequence::default(),
        })
    }

    fn undo(&mut self, ruling: Option<RulingId>) -> Result<RulingId, Refusal> {
        let mut counting = self.made.iter_mut().rev().filter(|made| !made.undone && is_ruling(&made.order));
        let made = counting.find(|made| ruling.is_none_or(|wanted| wanted.0 == made.id));
        let made = made.ok_or_else(|| Refusal::Because("there is nothing to undo".to_owned()))?;
        made.undone = true;
        let (id, back) = (RulingId(made.id), made.before);
        if let Some((pair, state)) = back {
            self.put(pair, state);
        }
        Ok(id)
    }

    /// The last undone is the earliest made, for undo goes backwards.
    fn redo(&mut self) -> Result<(), Refusal> {
        let made = self.made.iter_mut().find(|made| made.undone);
        let made = made.ok_or_else(|| Refusal::Because("there is no undo to take back".to_owned()))?;
        made.undone = false;
        let again = made.before.map(|(pair, _)| pair).zip(made.after);
        if let Some((pair, state)) = again {
            self.put(pair, state);
        }
        Ok(())
    }

    fn state_of(&self, pair: i64) -> PairState {
        self.pairs.iter().find(|held| held.id == pair).expect("the pair").state
    }

    fn put(&mut self, pair: i64, state: PairState) {
        let held = self.pairs.iter_mut().find(|held| held.id == pair).expect("the pair");
        held.state = state;
        held.revision += 1;
    }
}

fn is_ruling(order: &Order) -> bool {
    !matches!(order, Order::Undo { .. } | Order::Redo)
}

fn place(entry: &Entry, sorting: Sorting) -> (String, String, i64) {
    match sorting {
        Sorting::Oldest | Sorting::Newest => (String::new(), entry.opened_at.sortable(), entry.pair.0),
        Sorting::Slot | Sorting::Impact => (entry.attribute.to_string(), entry.subject.to_string(), entry.pair.0),
    }
}

impl Port for Fake {
    fn page(&mut self, request: &PageRequest, _now: Instant, _: &dyn Watch) -> Result<Page, Failure> {
        let mut store = self.store();
        store.reads += 1;
        let listed = store.listed(&request.filter, request.sorting);
        let sorting = request.sorting;
        let entries: Vec<Entry> = listed.into_iter().map(entry).collect();
        let wanted = |wanted: &Entry| {
            let holds = |here: &Entry| {
                let (here, wanted) = (place(here, sorting), place(wanted, sorting));
                if sorting == Sorting::Newest { here <= wanted } else { here >= wanted }
            };
            entries.iter().position(holds).unwrap_or(entries.len())
        };
        Ok(Page { window: request.around.of(&entries, wanted), counts: store.counts() })
    }

    fn ids(&mut self, wanted: &Wanted, _: Instant, _: &dyn Watch) -> Result<Vec<PairId>, Failure> {
        let store = self.store();
        let all: Vec<PairId> =
            store.listed(&wanted.filter, wanted.sorting).iter().map(|held| PairId(held.id)).collect();
        let place = |entry: &Entry| all.iter().position(|pair| *pair == entry.pair).unwrap_or(0);
        let (first, last) = match wanted.between.as_deref() {
            Some([one, other]) => (place(one).min(place(other)), place(one).max(place(other)) + 1),
            None => (0, all.len()),
        };
        Ok(all.into_iter().take(last).skip(first).take(wanted.most).collect())
    }

    fn settled(&mut self, pairs: &[PairId]) -> Result<Vec<PairId>, Failure> {
        Ok(pairs.iter().copied().filter(|pair| self.state(pair.0) == PairState::Settled).collect())
    }

    fn commonest(&mut self, _: Instant, _: &dyn Watch) -> Result<Commonest, Failure> {
        let store = self.store();
        let count = |names: Vec<String>| {
            let distinct: BTreeSet<&String> = names.iter().collect();
            let many = |name: &String| names.iter().filter(|other| *other == name).count() as u64;
            let mut counted: Vec<(String, u64)> =
                distinct.into_iter().map(|name| (name.clone(), many(name))).collect();
            counted.sort_by_key(|(_, many)| std::cmp::Reverse(*many));
            counted
        };
        let open = || store.pairs.iter().filter(|held| held.state == PairState::Open);
        let batches = open().flat_map(|held| [held.left.batch.to_string(), held.right.batch.to_string()]).collect();
        Ok(Commonest {
            subjects: count(open().map(|held| held.left.subject.to_string()).collect()),
            batches: count(batches),
            stale: store.stale.len() as u64,
        })
    }

    fn tend(&mut self) -> Result<Option<(u64, u64)>, Failure> {
        Ok(None)
    }

    fn pair(&mut self, pair: PairId, _now: Instant) -> Result<Option<Pair>, Failure> {
        let mut store = self.store();
        store.reads += 1;
        Ok(store.pairs.iter().find(|held| held.id == pair.0).map(whole))
    }

    fn order_all(
        &mut self,
        orders: &[(Order, Option<Revision>)],
        now: Instant,
        watch: &dyn Watch,
    ) -> Result<Vec<Result<Outcome, Refusal>>, Failure> {
        let answer = |(order, revision): &(Order, Option<Revision>)| match self.order(order, *revision, now, watch)
        {
            Ok(outcome) => Ok(Ok(outcome)),
            Err(Failure::Refused(refusal)) => Ok(Err(refusal)),
            Err(failure @ (Failure::Store(_) | Failure::Cancelled)) => Err(failure),
        };
        orders.iter().map(answer).collect()
    }

    fn order(
        &mut self,
        order: &Order,
        revision: Option<Revision>,
        _now: Instant,
        _watch: &dyn Watch,
    ) -> Result<Outcome, Failure> {
        let mut store = self.store();
        if let Some(broken) = &store.broken {
            return Err(Failure::Store(broken.clone()));
        }
        if let Some(held) = order.pair().and_then(|pair| store.pairs.iter().find(|held| held.id == pair.0)) {
            if revision.is_some_and(|seen| seen.0 != held.revision) {
                let what = held
                    .ruled
                    .as_ref()
                    .map_or("a record arrived".to_owned(), |ruled| format!("{} ruled", ruled.by));
                return Err(Refusal::Stale { pair: PairId(held.id), what }.into());
            }
            let permission = action(order, held).and_then(|action| whole(held).permission(action).cloned());
            if let Some(Permission::Refused(because)) = permission {
                let because = because.to_string();
                return Err(Refusal::NotPermitted { action: "accept", because, permitted: Vec::new() }.into());
            }
        }
        store.write(order).map_err(Failure::from)
    }

    fn preview_all(
        &mut self,
        orders: &[(Order, Option<Revision>)],
        _now: Instant,
        _watch: &dyn Watch,
    ) -> Result<Vec<Result<Outcome, Refusal>>, Failure> {
        let would = |(order, _): &(Order, Option<Revision>)| Outcome {
            ruling: RulingId(0),
            action: kind(order).to_owned(),
            pair: order.pair(),
            pair_state: None,
            slot: None,
            opened: Vec::new(),
            closed: order.pair().into_iter().collect(),
            records: 1,
            slots: 1,
            values_changed: 0,
            values_gone: 0,
            resting: 0,
            undid: None,
            rulings: 1,
            consequence: Consequence::default(),
        };
        Ok(orders.iter().map(|order| Ok(would(order))).collect())
    }

    fn preview(&mut self, order: &Order, _now: Instant, _watch: &dyn Watch) -> Result<Outcome, Failure> {
        Ok(Outcome {
            ruling: RulingId(0),
            action: kind(order).to_owned(),
            pair: order.pair(),
            pair_state: None,
            slot: None,
            opened: (0..14).map(PairId).collect(),
            closed: (0..1190).map(PairId).collect(),
            records: 4812,
            slots: 1204,
            values_changed: 301,
            values_gone: 96,
            resting: 3,
            undid: None,
            rulings: 1,
            consequence: Consequence::default(),
        })
    }

    fn observe(&mut self, pair: PairId, _: Instant, _: &dyn Watch) -> Result<Outcome, Failure> {
        Err(Failure::Store(format!("no observer is configured for the attribute of pair {pair}")))
    }

    fn looks(&mut self, question: &Question, _: Instant, watch: &dyn Watch) -> Result<Answer, Failure> {
        let mut store = self.store();
        Ok(match question {
            Question::Served(targets) => Answer::Served(store.served(targets)),
            Question::All(targets) => Answer::Looked(store.look(targets, watch)),
            Question::Stale(_) => Answer::Stale(store.stale.clone()),
        })
    }

    fn slotting(&mut self, _: &slotting::Question, _: Instant, _: &dyn Watch) -> Result<slotting::Answer, Failure> {
        Err(only_pairs())
    }

    fn json(&mut self, pair: PairId, _now: Instant) -> Result<String, Failure> {
        Ok(format!("{{\"pair\": {pair}}}"))
    }

    fn history(&mut self, _: &history::Question, _: Instant, _: &dyn Watch) -> Result<history::Answer, Failure> {
        Err(only_pairs())
    }

    fn batches(&mut self, _: &batches::Question, _: Instant, _: &dyn Watch) -> Result<batches::Answer, Failure> {
        Err(only_pairs())
    }

    fn log(&mut self, _: &log::Question, _: Instant, _: &dyn Watch) -> Result<log::Answer, Failure> {
        Err(only_pairs())
    }

    fn policy(
        &mut self,
        question: &policy_asks::Question,
        _: Instant,
        _: &dyn Watch,
    ) -> Result<policy_asks::Answer, Failure> {
        self.store().tried += 1;
        match question {
            policy_asks::Question::Try(_) => Ok(policy_asks::Answer::Tried(Box::new(tried()))),
            policy_asks::Question::Attributes { .. }
            | policy_asks::Question::Kinds { .. }
            | policy_asks::Question::Attribute(_)
            | policy_asks::Question::Kind(_) => Err(only_pairs()),
        }
    }

    fn changed(&mut self) -> Result<bool, Failure> {
        Ok(std::mem::take(&mut self.store().changed))
    }
}

/// What every declaration would do.
fn tried() -> Tried {
    let answered =
        |status, values: &[i64]| Answered { status, values: values.iter().map(|value| (*value).into()).collect() };
    let mut tried = Tried { slots: 1204, closed: 1190, opened: 14, ..Tried::default() };
    for number in 0..1180 {
        let subject = Subject::from(format!("user_{}", 32200 + number).as_str());
        let (before, after) = (answered(Status::Contested, &[]), answered(Status::Settled, &[43]));
        if number % 90 == 0 {
            tried.compare(&subject, after, before)
        } else {
            tried.compare(&subject, before, after)
        }
    }
    tried.ordered()
}

fn only_pairs() -> Failure {
    Failure::Store("the fake holds pairs only".to_owned())
}
