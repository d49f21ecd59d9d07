//! One pair whole, as it stands: both records, the checklist, what is permitted, who asked and who ruled.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension};

use super::entry;
use super::error::StoreError;
use super::law::SlotName;
use super::rows;
use super::session::Session;
use super::{Store, short, tallies, undo, unread};
use crate::core::calendar::{Calendar, Told};
use crate::core::examine::{Ground, examine};
use crate::core::pair::{JudgedRecord, Known, Pair, PairState, RecordState, Requested, Revision, Ruled, Shared};
use crate::core::permit::{Quarantined, permitted};
use crate::core::policy::Rules;
use crate::core::record::{Attribute, Epoch, Kind, RecordId, Subject};
use crate::core::ruling::{Decision, PairId, RequestId};
use crate::core::time::Instant;

impl Store {
    /// One pair whole.
    pub fn pair(&self, id: PairId, now: Instant) -> Result<Option<Pair>, StoreError> {
        let _glance = self.glance()?;
        pair(&Session::looking(&self.connection, &self.frames, now)?, id)
    }
}

impl Store {
    /// One record, with what became of it.
    pub fn record(&self, id: &RecordId, now: Instant) -> Result<Option<JudgedRecord>, StoreError> {
        let session = Session::looking(&self.connection, &self.frames, now)?;
        let found = rows::record_named(&self.connection, id)?;
        found.map(|stored| judged(&session, stored.row)).transpose()
    }
}

/// The slot of a pair's left record, and the rows of both records.
pub(super) fn place(connection: &Connection, id: PairId) -> Result<(i64, i64, i64), StoreError> {
    Ok(connection
        .prepare_cached(
            "SELECT l.slot, p.left_record, p.right_record FROM pairs p JOIN records l ON l.record = p.left_record
             WHERE p.pair = ?1",
        )?
        .query_row([id.0], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?)
}

/// The slot in which a pair is settled.
pub(super) fn home(connection: &Connection, id: PairId) -> Result<i64, StoreError> {
    Ok(connection.prepare_cached("SELECT home FROM pairs WHERE pair = ?1")?.query_row([id.0], |row| row.get(0))?)
}

/// Until when the last deferral that counts put the pair off.
pub(super) fn deferred_until(connection: &Connection, id: PairId) -> Result<Option<Instant>, StoreError> {
    let Some(last) = undo::last_deferral(connection, id.0)? else { return Ok(None) };
    let ruling = rows::ruling_numbered(connection, last)?.map(|stored| stored.ruling.decision);
    Ok(if let Some(Decision::Defer { until }) = ruling { Some(until) } else { None })
}

/// One pair whole: both records as they stand, the checklist, and what is permitted.
pub(super) fn pair(session: &Session<'_>, id: PairId) -> Result<Option<Pair>, StoreError> {
    let Some(entry) = entry::entry(session.connection, id, session.by.now)? else { return Ok(None) };
    let (_, left, right) = place(session.connection, id)?;
    let name = SlotName { subject: entry.subject.clone(), attribute: entry.attribute.clone() };
    let rules = session.rules(&name);
    let (left, right) = (judged(session, left)?, judged(session, right)?);
    let subject = session.law.identity.same_subject(&left.record.subject, &right.record.subject);
    let examination = examine(&left.record, &right.record, &rules, &subject);
    let permitted = permitted(Quarantined {
        left: &left.record,
        right: &right.record,
        rules: &rules,
        examination: &examination,
        grounds: &entry.grounds,
        settled: entry.state == PairState::Settled,
    });
    let (contenders, revision) = slot_numbers(session.connection, id)?;
    let in_doubt = entry.grounds.contains(&Ground::SubjectUnconfirmed);
    let shared = if in_doubt { shared(session, &left, &right)? } else { Vec::new() };
    let kinds = [left.record.kind(), right.record.kind()].map(|kind| kind.cloned());
    let request = request(session.connection, id)?;
    let fell_short = match &request {
        Some(open) => short::of_request(session, open.request, home(session.connection, id)?)?,
        None => Vec::new(),
    };
    Ok(Some(Pair {
        request,
        fell_short,
        ruled: ruled(session.connection, id)?,
        tallies: [
            tallies::of(session.connection, &entry.attribute, kinds[0].as_ref())?,
            tallies::of(session.connection, &entry.attribute, kinds[1].as_ref())?,
        ],
        known: known(session, home(session.connection, id)?, &name.subject, &rules)?,
        rules: (*rules).clone(),
        entry,
        left,
        right,
        examination,
        permitted,
        contenders,
        shared,
        revision,
    }))
}

/// A record with what became of it.
pub(super) fn judged(session: &Session<'_>, row: i64) -> Result<JudgedRecord, StoreError> {
    let stored =
        rows::record_at(session.connection, row).map_err(|error| unread::why(session.connection, row, error))?;
    let state: Option<(String, Option<String>)> = session
        .connection
        .prepare_cached(
            "SELECT t.state, w.id FROM record_states t LEFT JOIN records w ON w.record = t.superseded_by WHERE t.record = ?1",
        )?
        .query_row([row], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let (state, superseded_by) = state.map_or((None, None), |(state, by)| (RecordState::named(&state), by));
    Ok(JudgedRecord {
        lacks: session.lacks(&stored.record),
        class: session.law.policy.class_of(&stored.record),
        record: stored.record,
        state,
        superseded_by: superseded_by.map(|id| RecordId::from(id.as_str())),
    })
}

/// The pair's revision alone.
pub(super) fn revision(connection: &Connection, id: PairId) -> Result<Option<Revision>, StoreError> {
    let there: bool = connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM pairs WHERE pair = ?1)")?
        .query_row([id.0], |row| row.get(0))?;
    if there { Ok(Some(slot_numbers(connection, id)?.1)) } else { Ok(None) }
}

/// What the slots of both names answer, for each attribute of which both have an answer; the pair's own is left out.
fn shared(session: &Session<'_>, left: &JudgedRecord, right: &JudgedRecord) -> Result<Vec<Shared>, StoreError> {
    /// More than this nobody compares on one screen.
    const MOST: i64 = 50;
    let names = [left, right].map(|side| session.law.identity.canonical(&side.record.subject));
    let mut statement = session.connection.prepare_cached(
        "SELECT x.attribute, x.value, y.value FROM slots x JOIN slots y ON y.attribute = x.attribute AND y.subject = ?2
         WHERE x.subject = ?1 AND x.home = x.slot AND y.home = y.slot AND x.value IS NOT NULL AND y.value IS NOT NULL
         ORDER BY x.attribute LIMIT ?3",
    )?;
    let mut found = statement.query(rusqlite::params![names[0].as_str(), names[1].as_str(), MOST])?;
    let mut shared = Vec::new();
    while let Some(row) = found.next()? {
        let attribute = Attribute::from(row.get::<_, String>(0)?.as_str());
        if left.record.attribute.as_ref() == Some(&attribute) {
            continue;
        }
        let values = [rows::json(&row.get::<_, String>(1)?)?, rows::json(&row.get::<_, String>(2)?)?];
        let rules = session.rules(&SlotName { subject: names[0].clone(), attribute: attribute.clone() });
        let [one, two] = values.each_ref().map(|value| rules.compare.key(value));
        shared.push(Shared { attribute, agrees: one.agrees(&two), values });
    }
    Ok(shared)
}

/// What the records of a slot named: of a great many, the latest that came.
fn known(session: &Session<'_>, home: i64, subject: &Subject, rules: &Rules) -> Result<Known, StoreError> {
    const MOST: i64 = 2_000;
    let connection = session.connection;
    let mut epochs: BTreeMap<Reverse<Epoch>, u64> = BTreeMap::new();
    let mut kinds: BTreeMap<Kind, u64> = BTreeMap::new();
    let mut slots = connection.prepare_cached("SELECT slot FROM slots WHERE home = ?1")?;
    let mut named = connection.prepare_cached(
        "SELECT r.epoch, r.kind FROM records r LEFT JOIN record_states t ON t.record = r.record
             WHERE r.slot = ?1 AND t.state IS NOT 'withdrawn' ORDER BY r.record DESC LIMIT ?2",
    )?;
    let slots: Vec<i64> = slots.query_map([home], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for slot in slots {
        let mut found = named.query([slot, MOST])?;
        while let Some(row) = found.next()? {
            if let Some(epoch) = row.get::<_, Option<i64>>(0)? {
                *epochs.entry(Reverse(Epoch(epoch))).or_default() += 1;
            }
            if let Some(kind) = row.get::<_, Option<String>>(1)? {
                *kinds.entry(Kind::from(kind.as_str())).or_default() += 1;
            }
        }
    }
    for opening in rules.openings() {
        epochs.entry(Reverse(opening.epoch)).or_default();
    }
    let mut kinds: Vec<(Kind, u64)> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, many)| Reverse(*many));
    let told: Vec<&Told> = session.law.calendar.of(&session.law.identity.names_of(subject)).collect();
    let cause = |epoch: Epoch| {
        let told = Calendar::cause(told.iter().copied(), epoch)?;
        Some((epoch, told.notice.cause.clone()?))
    };
    Ok(Known {
        causes: epochs.keys().filter_map(|Reverse(epoch)| cause(*epoch)).collect(),
        epochs: epochs.into_iter().map(|(Reverse(epoch), many)| (epoch, many)).collect(),
        kinds,
    })
}

fn slot_numbers(connection: &Connection, id: PairId) -> Result<(usize, Revision), StoreError> {
    let (contenders, revision): (i64, i64) = connection
        .prepare_cached(
            "SELECT h.contenders, h.revision + coalesce((SELECT o.revision FROM records r JOIN slots s ON s.slot = r.slot
                 JOIN slots o ON o.slot = s.home WHERE r.record = p.right_record AND o.slot <> h.slot), 0)
             FROM pairs p JOIN slots h ON h.slot = p.home WHERE p.pair = ?1",
        )?
        .query_row([id.0], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok((usize::try_from(contenders).unwrap_or_default(), Revision(revision)))
}

fn request(connection: &Connection, id: PairId) -> Result<Option<Requested>, StoreError> {
    Ok(connection
        .prepare_cached(
            "SELECT p.request, g.actor, g.at FROM pairs p JOIN rulings g ON g.ruling = p.request WHERE p.pair = ?1",
        )?
        .query_row([id.0], |row| {
            Ok(Requested {
                request: RequestId(row.get("request")?),
                by: row.get("actor")?,
                at: rows::parsed(&row.get::<_, String>("at")?)?,
            })
        })
        .optional()?)
}

fn ruled(connection: &Connection, id: PairId) -> Result<Option<Ruled>, StoreError> {
    Ok(undo::last_ruling(connection, id.0)?.map(|stored| Ruled {
        ruling: stored.ruling.id,
        by: stored.ruling.actor,
        at: stored.ruling.at,
        what: stored.kind,
    }))
}
