//! Reading one slot: what it answers in both times, and its history.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::accounted::{Accounted, PairTold};
use super::error::StoreError;
use super::numbered::Numbered;
use super::pairs;
use super::rows::{self, StoredRuling};
use super::session::{self, Session, SlotName};
use super::side_by_side;
use super::{By, Store, calendar, identity, policy};
use crate::core::calendar::Calendar;
use crate::core::decay::{is_stale, supported_at};
use crate::core::identity::Identity;
use crate::core::pair::JudgedRecord;
use crate::core::policy::{Cardinality, Policy, Rules};
use crate::core::recall::{self, AsOf};
use crate::core::record::{Attribute, Epoch, Lack, Record, RecordId, Subject};
use crate::core::ruling::{Decision, PairId, Ruling, RulingId, effective};
use crate::core::settle::{Slot, Status};
use crate::core::time::{Instant, When};
use crate::core::value::canonical;

/// What a slot answers, and on what the answer rests.
#[derive(Clone, Debug, PartialEq)]
pub struct Recalled {
    pub subject: Subject,
    pub attribute: Attribute,
    pub cardinality: Option<Cardinality>,
    pub status: Status,
    /// The values that live: of cardinality one at most one, of many sorted.
    pub values: Vec<Value>,
    /// The record that speaks first, then those that support it.
    pub records: Vec<RecordId>,
    pub rulings: Vec<RulingId>,
    /// The version of the policy that it rests on.
    pub policy: i64,
    pub pairs: Vec<PairId>,
    /// When what is answered was last seen to hold; none where nothing is settled.
    pub supported_at: Option<Instant>,
    /// Whether that is longer ago than the policy lets a fact stand unseen.
    pub stale: bool,
    pub believed_at: Instant,
    pub about: When,
}

/// Everything of one slot.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    pub subject: Subject,
    pub attribute: Attribute,
    /// By when they were observed; those that do not say come last.
    pub records: Vec<JudgedRecord>,
    pub edges: Vec<HistoryEdge>,
    pub epochs: Vec<EpochSeen>,
    pub rulings: Vec<RulingSeen>,
}

/// A link between two records; `from` is the newer or winning side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryEdge {
    pub from: RecordId,
    pub to: RecordId,
    pub kind: String,
    pub basis: Option<String>,
    pub epochs: Option<(i64, i64)>,
}

/// An epoch as the slot's records saw it.
#[derive(Clone, Debug, PartialEq)]
pub struct EpochSeen {
    pub epoch: Epoch,
    pub first_observed_at: When,
    /// What a reviewer named as the cause of the change to it.
    pub cause: Option<String>,
    /// Since when it holds, and who said so, where somebody did.
    pub opened: Option<(Instant, String)>,
}

/// A ruling on the slot.
#[derive(Clone, Debug, PartialEq)]
pub struct RulingSeen {
    pub ruling: Ruling,
    pub kind: String,
    pub undone: bool,
    /// What was decided, and the checklist as it then was (JSON).
    pub body: Value,
}

impl Store {
    /// What the slot answers. Nothing unknown is an error: the answer is then empty.
    pub fn recall(
        &self,
        subject: &Subject,
        attribute: &Attribute,
        as_of: AsOf,
        now: Instant,
    ) -> Result<Recalled, StoreError> {
        let view = View::load(self, subject, attribute, as_of.believed_at)?;
        let (records, rulings) = match as_of.believed_at {
            Some(at) => recall::believed(&view.records, &view.rulings, at),
            None => (view.records.iter().collect(), view.rulings.clone()),
        };
        let slot = match as_of.about {
            Some(about) => recall::about(&records, &view.rules, &rulings, about),
            None => recall::now(&records, &view.rules, &rulings),
        };
        let believed_at = as_of.believed_at.unwrap_or(now);
        let about = as_of.about.unwrap_or(When::At(believed_at));
        Ok(Recalled {
            supported_at: supported_at(&slot),
            stale: is_stale(&slot, &view.rules, about.last()),
            cardinality: view.rules.cardinality,
            status: slot.status,
            values: values(&slot, view.rules.cardinality),
            records: speaking(&slot),
            rulings: view.rests_on(&records, &rulings),
            policy: view.rules.version,
            pairs: view.pairs(self, &slot, as_of.believed_at)?,
            believed_at,
            about,
            subject: view.name.subject,
            attribute: view.name.attribute,
        })
    }

    /// The attributes of which the subject has records, under all of its names.
    pub fn attributes(&self, subject: &Subject) -> Result<Vec<Attribute>, StoreError> {
        let identity = identity::identity(&self.connection, None)?;
        let mut found: BTreeSet<Attribute> = BTreeSet::new();
        for name in identity.names_of(subject) {
            let mut statement = self.connection.prepare_cached("SELECT attribute FROM slots WHERE subject = ?1")?;
            let attributes = statement.query_map([name.as_str()], |row| row.get::<_, String>(0))?;
            for attribute in attributes {
                found.insert(Attribute::from(attribute?.as_str()));
            }
        }
        Ok(found.into_iter().collect())
    }

    /// The whole story of a slot, as it stands today.
    pub fn history(&self, subject: &Subject, attribute: &Attribute, now: Instant) -> Result<History, StoreError> {
        let session = Session::begin(&self.connection, &By { actor: "", now })?;
        let name = SlotName { subject: session.identity.canonical(subject), attribute: attribute.clone() };
        let mut history = History {
            subject: name.subject.clone(),
            attribute: name.attribute.clone(),
            records: Vec::new(),
            edges: Vec::new(),
            epochs: Vec::new(),
            rulings: Vec::new(),
        };
        let Some((_, home)) = session::find(&self.connection, &name)? else { return Ok(history) };
        let stored = rows::records_at_home(&self.connection, home)?;
        for record in &stored {
            history.records.push(side_by_side::judged(&session, record.row)?);
        }
        history.records.sort_by_key(|judged| {
            let record = &judged.record;
            (
                record.observed_at.is_none(),
                record.observed_at.map(|at| (at.first(), at.last())),
                record.written_at,
                record.id.clone(),
            )
        });
        let ids: BTreeMap<i64, &RecordId> = stored.iter().map(|stored| (stored.row, &stored.record.id)).collect();
        let id = |row: &i64| ids.get(row).map(|id| (*id).clone());
        for edge in super::project::stored_edges(&session, home)? {
            if let (Some(from), Some(to)) = (id(&edge.from), id(&edge.to)) {
                history.edges.push(HistoryEdge {
                    from,
                    to,
                    kind: edge.kind,
                    basis: edge.basis,
                    epochs: edge.epochs,
                });
            }
        }
        let rulings = rulings_on(&session, home, &name)?;
        history.epochs =
            epochs(stored.iter().map(|stored| (stored.record.epoch, stored.record.observed_at)), &rulings);
        history.rulings = seen(rulings);
        Ok(history)
    }
}

/// Every ruling on a slot, and every notice on its subject; the oldest first.
pub(super) fn rulings_on(
    session: &Session<'_>,
    home: i64,
    name: &SlotName,
) -> Result<Vec<StoredRuling>, StoreError> {
    let mut rulings = rows::rulings_at_home(session.connection, home)?;
    if !session.calendar.is_empty() {
        let names = session.identity.names_of(&name.subject);
        rulings.extend(calendar::rulings_on(session.connection, &names)?);
        rulings.sort_by_key(|stored| stored.ruling.id);
    }
    Ok(rulings)
}

fn values(slot: &Slot<'_>, cardinality: Option<Cardinality>) -> Vec<Value> {
    speakers(slot, cardinality).into_iter().map(|record| record.value.clone()).collect()
}

/// Who speaks for each value that lives: of cardinality many in the order of the values.
pub(super) fn speakers<'a>(slot: &Slot<'a>, cardinality: Option<Cardinality>) -> Vec<&'a Record> {
    let mut speakers: Vec<&Record> = slot.live.iter().map(|live| slot.records[live.speaker]).collect();
    if cardinality == Some(Cardinality::Many) {
        speakers.sort_by(|a, b| {
            let (a, b) = (&a.value, &b.value);
            let number = |value: &Value| value.as_f64();
            let numbers = number(a).partial_cmp(&number(b)).unwrap_or(Ordering::Equal);
            numbers.then_with(|| a.as_str().cmp(&b.as_str())).then_with(|| canonical(a).cmp(&canonical(b)))
        });
    }
    speakers
}

/// The records on which the answer rests, the speakers first.
fn speaking(slot: &Slot<'_>) -> Vec<RecordId> {
    let speakers = slot.live.iter().map(|live| live.speaker);
    let supporters = slot.live.iter().flat_map(|live| live.supporters.iter().copied());
    speakers.chain(supporters).map(|at| slot.records[at].id.clone()).collect()
}

pub(super) fn epochs(
    observed: impl Iterator<Item = (Option<Epoch>, Option<When>)>,
    rulings: &[StoredRuling],
) -> Vec<EpochSeen> {
    let mut first: BTreeMap<Epoch, When> = BTreeMap::new();
    for observed in observed {
        if let (Some(epoch), Some(when)) = observed {
            let known = first.entry(epoch).or_insert(when);
            if (when.first(), when.last()) < (known.first(), known.last()) {
                *known = when;
            }
        }
    }
    let rulings: Vec<Ruling> = rulings.iter().map(|stored| stored.ruling.clone()).collect();
    let cause = |epoch: Epoch| {
        effective(&rulings).into_iter().rev().find_map(|ruling| {
            if let Decision::AcrossEpochs { to, cause: Some(cause), .. } = &ruling.decision
                && *to == epoch
            {
                return Some(cause.clone());
            }
            if let Decision::Epoch(notice) = &ruling.decision
                && notice.epoch == epoch
            {
                return notice.cause.clone();
            }
            None
        })
    };
    let told = Calendar::new(effective(&rulings));
    let opened = |epoch: Epoch| {
        Calendar::opened(told.all(), epoch).and_then(|told| Some((told.notice.since?, told.by.clone())))
    };
    first
        .into_iter()
        .map(|(epoch, first_observed_at)| EpochSeen {
            epoch,
            first_observed_at,
            cause: cause(epoch),
            opened: opened(epoch),
        })
        .collect()
}

/// The rulings, each with whether it still counts.
pub(super) fn seen(stored: Vec<StoredRuling>) -> Vec<RulingSeen> {
    let all: Vec<Ruling> = stored.iter().map(|stored| stored.ruling.clone()).collect();
    let counting: BTreeSet<RulingId> = effective(&all).into_iter().map(|ruling| ruling.id).collect();
    stored
        .into_iter()
        .map(|stored| RulingSeen {
            undone: !counting.contains(&stored.ruling.id),
            kind: stored.kind,
            body: stored.body,
            ruling: stored.ruling,
        })
        .collect()
}

/// What holds for every slot as of a time of belief: the policy, who is who, and which epochs were opened.
pub(super) struct Frame {
    pub(super) policy: Policy,
    pub(super) identity: Identity,
    calendar: Calendar,
}

impl Frame {
    pub(super) fn at(store: &Store, believed_at: Option<Instant>) -> Result<Self, StoreError> {
        Ok(Self {
            policy: policy::current(&store.connection, believed_at)?,
            identity: identity::identity(&store.connection, believed_at)?,
            calendar: calendar::calendar(&store.connection, believed_at)?,
        })
    }
}

/// A slot's input as of a time of belief: its names, its policy, its records and rulings (not yet cut to the time).
pub(super) struct View {
    pub(super) name: SlotName,
    /// Every name of the subject.
    pub(super) names: Vec<Subject>,
    pub(super) rules: Rules,
    pub(super) policy: Policy,
    pub(super) records: Vec<Record>,
    pub(super) rulings: Vec<Ruling>,
    pub(super) homes: BTreeSet<i64>,
    rows: BTreeMap<RecordId, i64>,
    /// The aliases that make its names one subject.
    joined_by: Vec<RulingId>,
}

impl View {
    pub(super) fn load(
        store: &Store,
        subject: &Subject,
        attribute: &Attribute,
        believed_at: Option<Instant>,
    ) -> Result<Self, StoreError> {
        Self::of(store, subject, attribute, &Frame::at(store, believed_at)?)
    }

    /// As [`load`](Self::load), within what was read already.
    pub(super) fn of(
        store: &Store,
        subject: &Subject,
        attribute: &Attribute,
        frame: &Frame,
    ) -> Result<Self, StoreError> {
        let (connection, Frame { policy, identity, calendar }) = (&store.connection, frame);
        let name = SlotName { subject: identity.canonical(subject), attribute: attribute.clone() };
        let names = identity.names_of(&name.subject);
        let openings = calendar.openings(&names);
        let mut view = Self {
            rules: policy.rules_of(&names, &name.attribute).with_openings(openings),
            records: Vec::new(),
            rulings: Vec::new(),
            homes: BTreeSet::new(),
            rows: BTreeMap::new(),
            joined_by: identity.joins(&name.subject),
            policy: policy.clone(),
            name,
            names,
        };
        for name in &view.names {
            let name = SlotName { subject: name.clone(), attribute: attribute.clone() };
            view.homes.extend(session::find(connection, &name)?.map(|(_, home)| home));
        }
        for home in &view.homes {
            for stored in rows::records_at_home(connection, *home)? {
                if view.names.contains(&stored.record.subject) {
                    view.rows.insert(stored.record.id.clone(), stored.row);
                    view.records.push(stored.record);
                }
            }
            view.rulings.extend(rows::rulings_at_home(connection, *home)?.into_iter().map(|stored| stored.ruling));
        }
        Ok(view)
    }

    /// The rulings on the slot that count, those that joined its names, and those that opened an epoch after which one of
    /// its records claims an older one.
    fn rests_on(&self, records: &[&Record], rulings: &[Ruling]) -> Vec<RulingId> {
        let deciding = effective(rulings).into_iter().filter(|ruling| ruling.decides()).map(|ruling| ruling.id);
        let opened = records.iter().filter_map(|record| Some(Lack::over(&self.rules.lacks(record))?.ruling));
        let all: BTreeSet<RulingId> = deciding.chain(opened).chain(self.joined_by.iter().copied()).collect();
        all.into_iter().collect()
    }

    /// The pairs that are open in the answer, each with its number, where it ever had one. As of a time: the number that
    /// the log gave it by then, for a pair may have changed its records since.
    pub(super) fn numbered(
        &self,
        store: &Store,
        slot: &Slot<'_>,
        believed_at: Option<Instant>,
    ) -> Result<Vec<Option<PairId>>, StoreError> {
        if slot.pairs.is_empty() {
            return Ok(Vec::new());
        }
        let rows: Vec<i64> = slot.records.iter().map(|record| self.rows[&record.id]).collect();
        let mut stored = Vec::new();
        for home in &self.homes {
            match believed_at {
                Some(by) => {
                    let told = Accounted::pairs_by(&store.connection, *home, by)?;
                    stored.extend(told.iter().filter_map(|(pair, told)| self.told_row(*pair, told)));
                }
                None => stored.extend(pairs::of_home(&store.connection, *home)?),
            }
        }
        let mut known = Numbered::new(slot, &rows, stored);
        let number = |row: pairs::PairRow| PairId(row.pair);
        Ok(slot.pairs.iter().map(|pair| known.take(rows[pair.left], rows[pair.right]).map(number)).collect())
    }

    /// A pair as the log had it; none where it asked about names, or its records are not of this slot.
    fn told_row(&self, pair: i64, told: &PairTold) -> Option<pairs::PairRow> {
        let row = |id: &String| self.rows.get(&RecordId::from(id.as_str())).copied();
        let state = if told.closed_at.is_some() { "settled" } else { "open" };
        Some(pairs::PairRow {
            pair,
            home: 0,
            left: row(&told.records[0])?,
            right: row(&told.records[1]).filter(|_| told.names.is_none())?,
            grounds: told.grounds.clone(),
            state: state.to_owned(),
            request: None,
            alias: None,
        })
    }

    /// The numbers of the pairs that are open in the answer.
    pub(super) fn pairs(
        &self,
        store: &Store,
        slot: &Slot<'_>,
        believed_at: Option<Instant>,
    ) -> Result<Vec<PairId>, StoreError> {
        let numbers: BTreeSet<PairId> = self.numbered(store, slot, believed_at)?.into_iter().flatten().collect();
        Ok(numbers.into_iter().collect())
    }
}
