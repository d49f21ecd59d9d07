//! The queue as it was believed to be at a time: every slot settled from what was known then.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::Store;
use super::accounted::{Accounted, PairTold};
use super::error::StoreError;
use super::frame::Frame;
use super::law::SlotName;
use super::view::View;
use super::{pairs, rows};
use crate::core::examine::Ground;
use crate::core::identity::Identity;
use crate::core::pair::PairState;
use crate::core::recall;
use crate::core::record::{Attribute, Batch, RecordId, Subject};
use crate::core::ruling::{Decision, PairId, Ruling, effective};
use crate::core::time::Instant;

/// A pair of the queue as it was.
#[derive(Clone, Debug, PartialEq)]
pub struct EntryThen {
    /// None where this store never had it open: its records came later, and say that they were written before.
    pub pair: Option<PairId>,
    pub state: PairState,
    pub subject: Subject,
    pub attribute: Attribute,
    pub grounds: Vec<Ground>,
    /// The earlier written first, each with its value and its batch.
    pub records: [RecordId; 2],
    pub values: [Value; 2],
    pub batches: [Batch; 2],
    pub opened_at: Option<Instant>,
}

impl Store {
    /// What was open at a time, the longest open first; of one subject or attribute, where one is given.
    pub fn queue_then(
        &self,
        at: Instant,
        subject: Option<&Subject>,
        attribute: Option<&Attribute>,
    ) -> Result<Vec<EntryThen>, StoreError> {
        let frame = Arc::new(Frame::at(&self.connection, Some(at))?);
        let identity = &frame.identity;
        let mut entries = Vec::new();
        for name in self.names_then(identity, subject, attribute)? {
            let view = View::of(self, &name.subject, &name.attribute, &frame)?;
            entries.extend(self.open_in(&view, at)?);
        }
        entries.extend(self.asked_then(identity, at, subject, attribute)?);
        entries
            .sort_by_key(|entry| (entry.opened_at.is_none(), entry.opened_at, entry.pair, entry.records.clone()));
        Ok(entries)
    }

    /// The slots that there are, by the names that were canonical then.
    fn names_then(
        &self,
        identity: &Identity,
        subject: Option<&Subject>,
        attribute: Option<&Attribute>,
    ) -> Result<BTreeSet<SlotName>, StoreError> {
        let only = subject.map(|subject| identity.canonical(subject));
        let mut statement = self
            .connection
            .prepare_cached("SELECT subject, attribute FROM slots WHERE ?1 IS NULL OR attribute = ?1")?;
        let found = statement.query_map([attribute.map(Attribute::as_str)], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
        })?;
        let mut names = BTreeSet::new();
        for name in found {
            let (subject, attribute) = name?;
            let subject = identity.canonical(&Subject::from(subject.as_str()));
            if only.as_ref().is_none_or(|only| *only == subject) {
                names.insert(SlotName { subject, attribute: Attribute::from(attribute.as_str()) });
            }
        }
        Ok(names)
    }

    fn open_in(&self, view: &View, at: Instant) -> Result<Vec<EntryThen>, StoreError> {
        let (records, rulings) = recall::believed(&view.records, &view.rulings, at);
        // One alone contradicts nothing.
        if records.len() < 2 {
            return Ok(Vec::new());
        }
        let slot = recall::now(&records, &view.rules, &rulings);
        let numbers = view.numbered(self, &slot, Some(at))?;
        let mut entries = Vec::with_capacity(slot.pairs.len());
        for (open, pair) in slot.pairs.iter().zip(numbers) {
            let sides = [open.left, open.right].map(|at| slot.records[at]);
            let told = match pair {
                Some(pair) => self.told_by(view, pair, at)?,
                None => None,
            };
            let put_off = pair.zip(told.as_ref()).is_some_and(|(pair, told)| is_put_off(&rulings, pair, told, at));
            let state = match open.requested {
                _ if put_off => PairState::Deferred,
                Some(_) => PairState::Awaiting,
                None => PairState::Open,
            };
            entries.push(EntryThen {
                pair,
                state,
                subject: view.name.subject.clone(),
                attribute: view.name.attribute.clone(),
                grounds: open.grounds.clone(),
                records: sides.map(|record| record.id.clone()),
                values: sides.map(|record| record.value.clone()),
                batches: sides.map(|record| record.batch.clone()),
                opened_at: told.and_then(|told| told.opened_at.parse().ok()),
            });
        }
        Ok(entries)
    }

    fn told_by(&self, view: &View, pair: PairId, at: Instant) -> Result<Option<PairTold>, StoreError> {
        for home in &view.homes {
            if let Some(told) = Accounted::pairs_by(&self.connection, *home, at)?.remove(&pair.0) {
                return Ok(Some(told));
            }
        }
        Ok(None)
    }

    /// The pairs that asked about two names then: the log alone says which two records stood for them.
    fn asked_then(
        &self,
        identity: &Identity,
        at: Instant,
        subject: Option<&Subject>,
        attribute: Option<&Attribute>,
    ) -> Result<Vec<EntryThen>, StoreError> {
        let homes: Vec<i64> = self
            .connection
            .prepare_cached("SELECT DISTINCT home FROM pairs WHERE alias IS NOT NULL")?
            .query_map([], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        let only = subject.map(|subject| identity.canonical(subject));
        let mut entries = Vec::new();
        for home in homes {
            for (pair, told) in Accounted::pairs_by(&self.connection, home, at)? {
                let Some(names) = told.names.as_ref().filter(|_| told.closed_at.is_none()) else { continue };
                let about =
                    |only: &Subject| names.iter().any(|it| identity.canonical(&it.as_str().into()) == *only);
                if only.as_ref().is_some_and(|only| !about(only))
                    || attribute.is_some_and(|attribute| attribute.as_str() != told.attribute)
                {
                    continue;
                }
                entries.extend(self.asked(PairId(pair), &told, at)?);
            }
        }
        Ok(entries)
    }

    fn asked(&self, pair: PairId, told: &PairTold, at: Instant) -> Result<Option<EntryThen>, StoreError> {
        let named = |id: &String| rows::record_named(&self.connection, &RecordId::from(id.as_str()));
        let (Some(left), Some(right)) = (named(&told.records[0])?, named(&told.records[1])?) else {
            return Ok(None);
        };
        let sides = [&left.record, &right.record];
        let deferrals =
            rows::rulings_of_kind(&self.connection, &["defer"])?.into_iter().map(|stored| stored.ruling);
        let rulings: Vec<Ruling> = deferrals.filter(|ruling| ruling.at <= at).collect();
        Ok(Some(EntryThen {
            pair: Some(pair),
            state: if is_put_off(&rulings, pair, told, at) { PairState::Deferred } else { PairState::Open },
            subject: Subject::from(told.subject.as_str()),
            attribute: Attribute::from(told.attribute.as_str()),
            grounds: pairs::grounds(&told.grounds),
            records: sides.map(|record| record.id.clone()),
            values: sides.map(|record| record.value.clone()),
            batches: sides.map(|record| record.batch.clone()),
            opened_at: told.opened_at.parse().ok(),
        }))
    }
}

/// Whether the last deferral that counts then, made since the pair was closed last, put it off until later.
fn is_put_off(rulings: &[Ruling], pair: PairId, told: &PairTold, at: Instant) -> bool {
    let closed: Option<Instant> = told.last_closed.as_ref().and_then(|at| at.parse().ok());
    let deferral = |ruling: &&Ruling| {
        matches!(ruling.decision, Decision::Defer { .. })
            && ruling.pair == Some(pair)
            && closed.is_none_or(|closed| ruling.at > closed)
    };
    let last = effective(rulings).into_iter().rev().find(deferral);
    last.is_some_and(|ruling| if let Decision::Defer { until } = ruling.decision { until > at } else { false })
}
