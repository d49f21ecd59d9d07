//! One slot as of a time of belief: all that an answer is settled from.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use rusqlite::Connection;

use super::Store;
use super::accounted::{Accounted, PairTold};
use super::error::StoreError;
use super::frame::Frame;
use super::law::SlotName;
use super::numbered::Numbered;
use super::pairs;
use super::rows::{self, Stored};
use super::session;
use crate::core::policy::Rules;
use crate::core::record::{Attribute, Lack, Record, RecordId, Subject};
use crate::core::ruling::{PairId, Ruling, RulingId, effective};
use crate::core::settle::Slot;
use crate::core::time::Instant;

/// A slot's input as of a time of belief: its names, its policy, its records and rulings (not yet cut to the time).
pub(super) struct View {
    pub(super) name: SlotName,
    /// Every name of the subject.
    pub(super) names: Vec<Subject>,
    pub(super) rules: Rules,
    pub(super) frame: Arc<Frame>,
    pub(super) records: Vec<Record>,
    pub(super) rulings: Vec<Ruling>,
    pub(super) homes: BTreeSet<i64>,
    /// The row of each record, by its place.
    rows: Vec<i64>,
}

impl View {
    pub(super) fn load(
        store: &Store,
        subject: &Subject,
        attribute: &Attribute,
        believed_at: Option<Instant>,
    ) -> Result<Self, StoreError> {
        let frame = match believed_at {
            Some(_) => Arc::new(Frame::at(&store.connection, believed_at)?),
            None => store.frames.now(&store.connection)?,
        };
        Self::of(store, subject, attribute, &frame)
    }

    /// As [`load`](Self::load), within what was read already.
    pub(super) fn of(
        store: &Store,
        subject: &Subject,
        attribute: &Attribute,
        frame: &Arc<Frame>,
    ) -> Result<Self, StoreError> {
        let (connection, Frame { policy, identity, calendar }) = (&store.connection, frame.as_ref());
        let name = SlotName { subject: identity.canonical(subject), attribute: attribute.clone() };
        let names = identity.names_of(&name.subject);
        let openings = calendar.openings(&names);
        let mut view = Self {
            rules: policy.rules_of(&names, &name.attribute).with_openings(openings),
            records: Vec::new(),
            rulings: Vec::new(),
            homes: BTreeSet::new(),
            rows: Vec::new(),
            frame: Arc::clone(frame),
            name,
            names,
        };
        for name in &view.names {
            let name = SlotName { subject: name.clone(), attribute: attribute.clone() };
            let Some((slot, home)) = session::find(connection, &name)? else { continue };
            view.homes.insert(home);
            for stored in records_of(connection, slot)? {
                view.rows.push(stored.row);
                view.records.push(stored.record);
            }
        }
        for home in &view.homes {
            view.rulings.extend(rulings_on(connection, *home)?);
        }
        Ok(view)
    }

    /// The rulings on the slot that count, those that joined its names, and those that opened an epoch after which one of
    /// its records claims an older one.
    pub(super) fn rests_on(&self, records: &[&Record], rulings: &[Ruling]) -> Vec<RulingId> {
        let deciding = effective(rulings).into_iter().filter(|ruling| ruling.decides()).map(|ruling| ruling.id);
        let any_opened = !self.rules.openings().is_empty();
        let opened = records.iter().filter(|_| any_opened);
        let opened = opened.filter_map(|record| Some(Lack::over(&self.rules.lacks(record))?.ruling));
        let joined = self.frame.identity.joins(&self.name.subject);
        let all: BTreeSet<RulingId> = deciding.chain(opened).chain(joined).collect();
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
        let by_id: HashMap<&RecordId, i64> =
            self.records.iter().map(|record| &record.id).zip(self.rows.iter().copied()).collect();
        let rows: Vec<i64> = slot.records.iter().map(|record| by_id[&record.id]).collect();
        let mut stored = Vec::new();
        for home in &self.homes {
            match believed_at {
                Some(by) => {
                    let told = Accounted::pairs_by(&store.connection, *home, by)?;
                    stored.extend(told.iter().filter_map(|(pair, told)| told_row(&by_id, *pair, told)));
                }
                None => stored.extend(pairs::of_home(&store.connection, *home)?),
            }
        }
        let mut known = Numbered::new(slot, &rows, stored);
        let number = |row: pairs::PairRow| PairId(row.pair);
        Ok(slot.pairs.iter().map(|pair| known.take(rows[pair.left], rows[pair.right]).map(number)).collect())
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

/// A pair as the log had it; none where it asked about names, or its records are not of this slot.
fn told_row(rows: &HashMap<&RecordId, i64>, pair: i64, told: &PairTold) -> Option<pairs::PairRow> {
    let row = |id: &String| rows.get(&RecordId::from(id.as_str())).copied();
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

/// The records that were said of one name.
fn records_of(connection: &Connection, slot: i64) -> Result<Vec<Stored>, StoreError> {
    let sql = format!("SELECT {} FROM records r WHERE r.slot = ?1", rows::RECORD);
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_map([slot], rows::record)?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// The rulings on what is settled there. On most slots nobody ever ruled: that is seen before they are gathered.
fn rulings_on(connection: &Connection, home: i64) -> Result<Vec<Ruling>, StoreError> {
    let any: bool = connection
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM slots s CROSS JOIN rulings g WHERE s.home = ?1 AND g.slot = s.slot)
                 OR EXISTS (SELECT 1 FROM slots s CROSS JOIN records r CROSS JOIN ruling_records n
                     WHERE s.home = ?1 AND r.slot = s.slot AND n.record = r.record)",
        )?
        .query_row([home], |row| row.get(0))?;
    if !any {
        return Ok(Vec::new());
    }
    Ok(rows::rulings_at_home(connection, home)?.into_iter().map(|stored| stored.ruling).collect())
}
