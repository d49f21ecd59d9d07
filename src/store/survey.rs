//! What writes the store, and how well: records by attribute and source kind, what provenance they lack, how their
//! confidence is spread, and how they fared in rulings.
//!
//! Records are never changed, so a survey that was made once is brought up to date by what came since.

use std::collections::{BTreeMap, HashMap};

use rusqlite::Row;

use super::error::StoreError;
use super::{Store, policy};
use crate::core::pair::Tally;
use crate::core::policy::Policy;
use crate::core::record::{Attribute, Kind, SourceClass};

/// Of more values of confidence than this a kind's spread is not counted further.
const MOST_VALUES: usize = 4_096;
/// How often the one who waits is told how far it is, in records.
const EACH: u64 = 1_024;

/// The survey, as far as it has come.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// The policy in force.
    pub policy: Option<Policy>,
    /// Every attribute that records name.
    pub attributes: HashMap<Attribute, AttributeSeen>,
    /// Every source kind; without one: what came without a source.
    pub kinds: BTreeMap<Option<Kind>, KindSeen>,
    /// The last record, event and ruling that it has seen.
    last: (i64, i64, i64),
}

/// What was seen of an attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttributeSeen {
    pub records: u64,
    /// Open pairs in its slots.
    pub held: u64,
    /// Its records by the kind of their source.
    pub kinds: BTreeMap<Option<Kind>, u64>,
}

/// What was seen of a source kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KindSeen {
    pub records: u64,
    pub without_observed_at: u64,
    pub without_epoch: u64,
    pub without_confidence: u64,
    pub without_batch: u64,
    /// Records by the class that they state themselves.
    pub stated: BTreeMap<SourceClass, u64>,
    /// Records by the confidence that they state, by its bits: 0 to 1, so their order is that of the numbers.
    pub confidences: BTreeMap<u64, u64>,
    /// There are more values of confidence than are counted.
    pub more_confidences: bool,
    /// Rulings that its records won and lost, by attribute.
    pub tallies: BTreeMap<Attribute, Tally>,
}

impl Store {
    /// Brings a survey up to date; says whether anything has changed since. `goes_on` is told how many records are seen,
    /// and of how many; where it says no the answer is none, and what was seen is kept for the next time.
    pub fn survey(
        &self,
        survey: &mut Survey,
        goes_on: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<Option<bool>, StoreError> {
        let last = |table: &str, key: &str| -> Result<i64, StoreError> {
            let sql = format!("SELECT coalesce(max({key}), 0) FROM {table}");
            Ok(self.connection.prepare_cached(&sql)?.query_row([], |row| row.get(0))?)
        };
        let event = last("events", "seq")?;
        if survey.policy.is_some() && survey.last.1 == event {
            return Ok(Some(false));
        }
        let record = last("records", "record")?;
        if !self.records_since(survey, record, goes_on)? {
            return Ok(None);
        }
        let ruling = last("rulings", "ruling")?;
        if survey.last.2 != ruling {
            self.tallies(survey)?;
        }
        self.held(survey)?;
        survey.policy = Some(policy::current(&self.connection, None)?);
        (survey.last.1, survey.last.2) = (event, ruling);
        Ok(Some(true))
    }

    /// Counts the records that came since; false where it was told to stop.
    fn records_since(
        &self,
        survey: &mut Survey,
        last: i64,
        goes_on: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<bool, StoreError> {
        let whole = |number: i64| u64::try_from(number).unwrap_or_default();
        let begun = survey.last.0;
        let of = whole(last - begun);
        let mut statement = self.connection.prepare_cached(
            "SELECT record, attribute, kind, class, observed_at IS NULL AS no_time, epoch IS NULL AS no_epoch, confidence,
                 source IS NULL OR json_type(source, '$.batch') IS NOT 'text' AS no_batch
             FROM records WHERE record > ?1 AND record <= ?2 ORDER BY record",
        )?;
        let mut rows = statement.query([begun, last])?;
        let mut done = 0;
        while let Some(row) = rows.next()? {
            if done % EACH == 0 && !goes_on(done, of) {
                return Ok(false);
            }
            survey.see(row)?;
            done += 1;
        }
        survey.last.0 = last;
        Ok(true)
    }

    /// The open pairs of each attribute.
    fn held(&self, survey: &mut Survey) -> Result<(), StoreError> {
        survey.attributes.values_mut().for_each(|seen| seen.held = 0);
        let mut statement = self.connection.prepare_cached(
            "SELECT s.attribute, count(*) AS held FROM pairs p JOIN slots s ON s.slot = p.home
             WHERE p.state IN ('open', 'awaiting') GROUP BY s.attribute",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let attribute = Attribute::from(row.get::<_, String>("attribute")?.as_str());
            let held: i64 = row.get("held")?;
            survey.attributes.entry(attribute).or_default().held = u64::try_from(held).unwrap_or_default();
        }
        Ok(())
    }

    /// What each kind won and lost on each attribute, in rulings that count.
    fn tallies(&self, survey: &mut Survey) -> Result<(), StoreError> {
        survey.kinds.values_mut().for_each(|seen| seen.tallies.clear());
        let mut statement = self.connection.prepare_cached(
            "SELECT r.kind, r.attribute, sum(json_extract(g.body, '$.decision.winner') = r.id) AS won,
                 sum(json_extract(g.body, '$.decision.loser') = r.id) AS lost
             FROM rulings g JOIN ruling_records n ON n.ruling = g.ruling JOIN records r ON r.record = n.record
             WHERE g.kind IN ('accept', 'override') AND r.attribute IS NOT NULL
               AND NOT EXISTS (SELECT 1 FROM rulings u WHERE u.undoes = g.ruling
                   AND NOT EXISTS (SELECT 1 FROM rulings v WHERE v.undoes = u.ruling))
             GROUP BY r.kind, r.attribute",
        )?;
        let mut rows = statement.query([])?;
        let whole = |count: Option<i64>| u64::try_from(count.unwrap_or_default()).unwrap_or_default();
        while let Some(row) = rows.next()? {
            let kind = row.get::<_, Option<String>>("kind")?.map(|kind| Kind::from(kind.as_str()));
            let attribute = Attribute::from(row.get::<_, String>("attribute")?.as_str());
            let tally = Tally { won: whole(row.get("won")?), lost: whole(row.get("lost")?) };
            survey.kinds.entry(kind).or_default().tallies.insert(attribute, tally);
        }
        Ok(())
    }
}

impl Survey {
    /// Counts one record.
    fn see(&mut self, row: &Row<'_>) -> Result<(), StoreError> {
        let kind = row.get::<_, Option<String>>("kind")?.map(|kind| Kind::from(kind.as_str()));
        if let Some(attribute) = row.get::<_, Option<String>>("attribute")? {
            let seen = self.attributes.entry(Attribute::from(attribute.as_str())).or_default();
            seen.records += 1;
            *seen.kinds.entry(kind.clone()).or_default() += 1;
        }
        let class = row.get::<_, Option<String>>("class")?.as_deref().and_then(SourceClass::named);
        let confidence: Option<f64> = row.get("confidence")?;
        let seen = self.kinds.entry(kind).or_default();
        seen.records += 1;
        seen.without_observed_at += u64::from(row.get::<_, bool>("no_time")?);
        seen.without_epoch += u64::from(row.get::<_, bool>("no_epoch")?);
        seen.without_batch += u64::from(row.get::<_, bool>("no_batch")?);
        if let Some(class) = class {
            *seen.stated.entry(class).or_default() += 1;
        }
        match confidence {
            Some(confidence) => seen.states(confidence),
            None => seen.without_confidence += 1,
        }
        // A survey that is stopped goes on after the last record that it has seen.
        self.last.0 = row.get("record")?;
        Ok(())
    }
}

impl KindSeen {
    fn states(&mut self, confidence: f64) {
        // Minus nought is nought.
        let bits = (confidence + 0.0).to_bits();
        let room = self.confidences.len() < MOST_VALUES;
        match self.confidences.get_mut(&bits) {
            Some(many) => *many += 1,
            None if room => {
                self.confidences.insert(bits, 1);
            }
            None => self.more_confidences = true,
        }
    }

    /// What it won and lost on all attributes together.
    pub fn tally(&self) -> Tally {
        let mut all = Tally::default();
        for tally in self.tallies.values() {
            (all.won, all.lost) = (all.won + tally.won, all.lost + tally.lost);
        }
        all
    }

    /// The values of confidence with how many records state each, the commonest first.
    pub fn by_frequency(&self) -> Vec<(f64, u64)> {
        let mut values: Vec<(u64, u64)> = self.confidences.iter().map(|(bits, many)| (*bits, *many)).collect();
        values.sort_by_key(|(bits, many)| (std::cmp::Reverse(*many), *bits));
        values.into_iter().map(|(bits, many)| (f64::from_bits(bits), many)).collect()
    }
}
