//! Reading one slot: what it answers in both times, and its history.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::error::StoreError;
use super::law::SlotName;
use super::rows::{self, StoredRuling};
use super::session::{self, Session};
use super::side_by_side;
use super::view::View;
use super::{By, Store, calendar, identity};
use crate::core::calendar::Calendar;
use crate::core::decay::{is_stale, supported_at};
use crate::core::pair::JudgedRecord;
use crate::core::policy::Cardinality;
use crate::core::recall::{self, AsOf};
use crate::core::record::{Attribute, Epoch, Record, RecordId, Subject};
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
        let _glance = self.glance()?;
        let view = View::load(self, subject, attribute, as_of.believed_at)?;
        let (records, rulings) = match as_of.believed_at {
            Some(at) => {
                let (records, rulings) = recall::believed(&view.records, &view.rulings, at);
                (records, Cow::Owned(rulings))
            }
            None => (view.records.iter().collect(), Cow::Borrowed(view.rulings.as_slice())),
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
        let name = SlotName { subject: session.law.identity.canonical(subject), attribute: attribute.clone() };
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
    if !session.law.calendar.is_empty() {
        let names = session.law.identity.names_of(&name.subject);
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
