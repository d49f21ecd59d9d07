//! An event as it stood: the records that it names, under the policy of its time, and what came of it later.

use rusqlite::{Connection, params};
use serde_json::Value;

use super::error::StoreError;
use super::log::Event;
use super::rows;
use super::session::Session;
use super::{By, Store, entry, policy, side_by_side, undo};
use crate::core::audit::Audit;
use crate::core::event::{RecordThen, Undone};
use crate::core::pair::{Entry, JudgedRecord};
use crate::core::policy::Policy;
use crate::core::record::{Attribute, RecordId};
use crate::core::ruling::{PairId, RulingId};
use crate::core::time::Instant;

/// An event whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Then {
    pub event: Event,
    /// The hash that it follows, in hexadecimal digits; none before the first event.
    pub follows: Option<String>,
    /// The records that it names, the winner first where there is one; of many the first few.
    pub records: Vec<RecordThen>,
    /// How many it names in all.
    pub named: u64,
    /// The policy version under which it was written.
    pub policy: i64,
    /// The ruling that undid it, where one counts.
    pub undone: Option<Undone>,
    /// What auditors said of it, or of the ruling that it is about.
    pub audits: Vec<Audit>,
    /// Its pair as it is now.
    pub pair: Option<Entry>,
    /// The event of the ruling that it is about: of an undo, or of an audit.
    pub about: Option<Event>,
}

/// Of many records so many are looked up.
const LISTED: usize = 20;

impl Store {
    /// One event whole, as it stood.
    pub fn then(&self, seq: i64, now: Instant) -> Result<Option<Then>, StoreError> {
        let Some(event) = self.event(seq)? else { return Ok(None) };
        let about = match about(&event) {
            Some(ruling) => self.ruling_event(ruling)?,
            None => None,
        };
        let session = Session::begin(&self.connection, &By { actor: "", now })?;
        let told = about.as_ref().unwrap_or(&event);
        let (ids, named) = ids(&self.connection, told)?;
        let version = told.body["policy"].as_i64();
        let policy = match version {
            Some(version) => policy::numbered(&self.connection, version)?,
            None => None,
        };
        let policy = policy.map_or_else(|| policy::current(&self.connection, Some(event.at)), Ok)?;
        let mut records = Vec::with_capacity(ids.len());
        for id in ids {
            if let Some(stored) = rows::record_named(&self.connection, &id)? {
                records.push(as_then(&session, &policy, side_by_side::judged(&session, stored.row)?));
            }
        }
        let ruling = event.ruling.map(RulingId);
        let audited = ruling.or_else(|| self::about(&event).filter(|_| event.kind == "audit"));
        Ok(Some(Then {
            follows: self.event(seq - 1)?.map(|before| before.hash),
            records,
            named,
            policy: policy.version,
            undone: ruling.map(|ruling| self.undone(ruling)).transpose()?.flatten(),
            audits: audited.map(|ruling| self.audits(Some(ruling))).transpose()?.unwrap_or_default(),
            pair: pair_now(&self.connection, told, now)?,
            about,
            event,
        }))
    }

    /// The ruling that undid a ruling, where one counts.
    pub fn undone(&self, ruling: RulingId) -> Result<Option<Undone>, StoreError> {
        Ok(undo::undone_by(&self.connection, ruling)?.map(|stored| Undone {
            ruling: stored.ruling.id,
            by: stored.ruling.actor,
            at: stored.ruling.at,
        }))
    }

    /// The values of the first two records that an event names, the winner's first where there is one.
    pub fn values_named(&self, event: &Event) -> Result<Vec<(RecordId, Value)>, StoreError> {
        let (ids, _) = ids(&self.connection, event)?;
        let mut found = Vec::with_capacity(2);
        for id in ids.into_iter().take(2) {
            if let Some(stored) = rows::record_named(&self.connection, &id)? {
                found.push((id, stored.record.value));
            }
        }
        Ok(found)
    }
}

fn as_then(session: &Session<'_>, policy: &Policy, judged: JudgedRecord) -> RecordThen {
    let record = &judged.record;
    let rules = |attribute: &Attribute| policy.rules_of(&session.law.identity.names_of(&record.subject), attribute);
    let rank = record.attribute.as_ref().and_then(|attribute| rules(attribute).rank(record));
    RecordThen { class: policy.class_of(record), rank, judged }
}

/// The ruling that an undo or an audit is about.
fn about(event: &Event) -> Option<RulingId> {
    let number = match event.kind.as_str() {
        "audit" => &event.body["ruling"],
        "undo" => &event.body["decision"]["ruling"],
        _ => return None,
    };
    number.as_i64().map(RulingId)
}

/// The ids of the first records that an event names, and how many it names in all. An event that only names its pair
/// names the records of that.
fn ids(connection: &Connection, event: &Event) -> Result<(Vec<RecordId>, u64), StoreError> {
    let (body, decision) = (&event.body, &event.body["decision"]);
    let singles = [
        &body["winner"],
        &body["loser"],
        &decision["winner"],
        &decision["loser"],
        &body["record"],
        &decision["record"],
    ];
    let lists = [&decision["between"], &body["records"]];
    let listed = lists.into_iter().filter_map(Value::as_array).flatten();
    let mut ids: Vec<RecordId> = Vec::new();
    for text in singles.into_iter().chain(listed).filter_map(Value::as_str) {
        let id = RecordId::from(text);
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    if ids.is_empty()
        && let Some(pair) = event.pair
        && let Some(entry) = entry::entry(connection, PairId(pair), event.at)?
    {
        ids.extend(entry.records);
    }
    let named = body["records"]["count"].as_u64().unwrap_or(ids.len() as u64);
    if ids.is_empty() && named > 0 {
        ids = withdrawn(connection, event)?;
    }
    ids.truncate(LISTED);
    Ok((ids, named))
}

/// The first records that a ruling names, where they are too many to stand in its event.
fn withdrawn(connection: &Connection, event: &Event) -> Result<Vec<RecordId>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT r.id FROM ruling_records n JOIN records r ON r.record = n.record WHERE n.ruling = ?1
         ORDER BY n.record LIMIT ?2",
    )?;
    let found = statement.query_map(params![event.ruling, LISTED as i64], |row| row.get::<_, String>(0))?;
    Ok(found.map(|id| Ok(RecordId::from(id?.as_str()))).collect::<Result<_, rusqlite::Error>>()?)
}

fn pair_now(connection: &Connection, event: &Event, now: Instant) -> Result<Option<Entry>, StoreError> {
    match event.pair {
        Some(pair) => entry::entry(connection, PairId(pair), now),
        None => Ok(None),
    }
}
