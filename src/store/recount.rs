//! The numbers of batches counted anew, for `verify`: from the records, states, pairs and rulings themselves.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use rusqlite::{Connection, Row};

use super::error::StoreError;
use super::rows;
use crate::core::lag::Band;
use crate::core::ruling::RulingId;

/// Batches as one pass over the records counts them.
#[derive(Clone, Default)]
pub(super) struct Batches {
    /// The median lag that is kept of each: it is right where it stands in the middle of what is counted.
    medians: Arc<HashMap<String, Option<i64>>>,
    counted: BTreeMap<String, Counted>,
}

/// What a record adds to the numbers of its batch.
pub(super) struct Member<'r> {
    pub(super) record: i64,
    pub(super) unslotted: bool,
    pub(super) written_at: &'r str,
    pub(super) recorded_at: &'r str,
    /// When it was written, in seconds since 1970.
    pub(super) written: Option<i64>,
    pub(super) lag: Option<i64>,
    pub(super) state: Option<&'r str>,
}

#[derive(Clone, Default)]
struct Counted {
    records: i64,
    unslotted: i64,
    bands: [i64; Band::ALL.len()],
    newest: i64,
    first_written: String,
    last_written: String,
    recorded_at: String,
    observed: Option<(i64, i64)>,
    lags: Option<(i64, i64)>,
    contested: i64,
    withdrawn: i64,
    below_median: i64,
    at_median: i64,
}

impl Batches {
    /// Nothing is counted yet.
    pub(super) fn begin(connection: &Connection) -> Result<Self, StoreError> {
        let mut kept = connection.prepare("SELECT batch, median_lag FROM batches")?;
        let medians = kept.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(Self { medians: Arc::new(medians.collect::<Result<_, _>>()?), counted: BTreeMap::new() })
    }

    /// Counts a record.
    pub(super) fn take(&mut self, batch: &str, member: &Member<'_>) {
        let median = self.medians.get(batch).copied().flatten();
        match self.counted.get_mut(batch) {
            Some(counted) => counted.take(member, median),
            None => {
                let mut counted = Counted {
                    first_written: member.written_at.to_owned(),
                    last_written: member.written_at.to_owned(),
                    recorded_at: member.recorded_at.to_owned(),
                    ..Counted::default()
                };
                counted.take(member, median);
                self.counted.insert(batch.to_owned(), counted);
            }
        }
    }

    /// Takes over what was counted of other records.
    pub(super) fn join(&mut self, other: Self) {
        for (batch, more) in other.counted {
            match self.counted.get_mut(&batch) {
                Some(counted) => counted.join(more),
                None => drop(self.counted.insert(batch, more)),
            }
        }
    }

    /// The batches whose numbers are not those that counting anew yields.
    pub(super) fn differing(&self, connection: &Connection) -> Result<BTreeSet<String>, StoreError> {
        let mut differing = fares(connection)?;
        let mut kept = BTreeSet::new();
        let mut rows = connection.prepare("SELECT * FROM batches")?;
        let mut found = rows.query([])?;
        while let Some(row) = found.next()? {
            let batch: String = row.get("batch")?;
            if !self.counted.get(&batch).is_some_and(|counted| counted.is_kept(row).unwrap_or(false)) {
                differing.insert(batch.clone());
            }
            kept.insert(batch);
        }
        differing.extend(self.counted.keys().filter(|batch| !kept.contains(*batch)).cloned());
        let pairs = format!("SELECT batch FROM (SELECT batch, pairs FROM batches EXCEPT SELECT * FROM ({PAIRS}))");
        let mut pairs = connection.prepare(&pairs)?;
        for batch in pairs.query_map([], |row| row.get(0))? {
            differing.insert(batch?);
        }
        Ok(differing)
    }
}

impl Counted {
    fn take(&mut self, member: &Member<'_>, median: Option<i64>) {
        self.records += 1;
        self.unslotted += i64::from(member.unslotted);
        self.newest = self.newest.max(member.record);
        least(&mut self.first_written, member.written_at);
        greatest(&mut self.last_written, member.written_at);
        greatest(&mut self.recorded_at, member.recorded_at);
        self.contested += i64::from(member.state == Some("contested"));
        self.withdrawn += i64::from(member.state == Some("withdrawn"));
        let Some(lag) = member.lag else { return };
        self.bands[Band::of(lag) as usize] += 1;
        self.lags = Some(widened(self.lags, (lag, lag)));
        let observed = member.written.map(|written| written - lag);
        self.observed = observed.map(|at| widened(self.observed, (at, at))).or(self.observed);
        self.below_median += i64::from(median.is_some_and(|median| lag < median));
        self.at_median += i64::from(median == Some(lag));
    }

    fn join(&mut self, more: Self) {
        self.records += more.records;
        self.unslotted += more.unslotted;
        for (band, more) in self.bands.iter_mut().zip(more.bands) {
            *band += more;
        }
        self.newest = self.newest.max(more.newest);
        least(&mut self.first_written, &more.first_written);
        greatest(&mut self.last_written, &more.last_written);
        greatest(&mut self.recorded_at, &more.recorded_at);
        self.observed = more.observed.map(|ends| widened(self.observed, ends)).or(self.observed);
        self.lags = more.lags.map(|ends| widened(self.lags, ends)).or(self.lags);
        self.contested += more.contested;
        self.withdrawn += more.withdrawn;
        self.below_median += more.below_median;
        self.at_median += more.at_median;
    }

    /// Whether the row says of the batch what is counted of it.
    fn is_kept(&self, row: &Row<'_>) -> rusqlite::Result<bool> {
        let is = |column: &str, number: i64| Ok::<_, rusqlite::Error>(row.get::<_, i64>(column)? == number);
        let is_text = |column: &str, text: &str| Ok::<_, rusqlite::Error>(row.get::<_, String>(column)? == text);
        let end =
            |column: &str, end: Option<i64>| Ok::<_, rusqlite::Error>(row.get::<_, Option<i64>>(column)? == end);
        for (at, band) in self.bands.iter().enumerate() {
            if !is(&format!("lag_{at}"), *band)? {
                return Ok(false);
            }
        }
        Ok(is("records", self.records)?
            && is("unslotted", self.unslotted)?
            && is("newest", self.newest)?
            && is_text("first_written", &self.first_written)?
            && is_text("last_written", &self.last_written)?
            && is_text("recorded_at", &self.recorded_at)?
            && end("first_observed", self.observed.map(|(first, _)| first))?
            && end("last_observed", self.observed.map(|(_, last)| last))?
            && end("least_lag", self.lags.map(|(least, _)| least))?
            && end("greatest_lag", self.lags.map(|(_, greatest)| greatest))?
            && is("contested", self.contested)?
            && is("withdrawn", self.withdrawn)?
            && is("below_median", self.below_median)?
            && is("at_median", self.at_median)?
            && self.is_median(row.get("median_lag")?))
    }

    /// The median is the lag in the middle of those that are known; of two, the later.
    fn is_median(&self, median: Option<i64>) -> bool {
        let known: i64 = self.bands.iter().sum();
        let middle = self.below_median..self.below_median + self.at_median;
        if known == 0 { median.is_none() } else { median.is_some() && middle.contains(&(known / 2)) }
    }
}

fn least(known: &mut String, text: &str) {
    if text < known.as_str() {
        text.clone_into(known);
    }
}

fn greatest(known: &mut String, text: &str) {
    if text > known.as_str() {
        text.clone_into(known);
    }
}

fn widened(known: Option<(i64, i64)>, (first, last): (i64, i64)) -> (i64, i64) {
    known.map_or((first, last), |(least, greatest)| (least.min(first), greatest.max(last)))
}

/// A pair between two records of one batch counts once there.
const PAIRS: &str = "SELECT b.batch AS batch, count(x.pair) FROM batches b LEFT JOIN (
         SELECT p.pair, r.batch FROM pairs p JOIN records r ON r.record = p.left_record WHERE p.state <> 'settled'
         UNION
         SELECT p.pair, r.batch FROM pairs p JOIN records r ON r.record = p.right_record WHERE p.state <> 'settled'
     ) x ON x.batch = b.batch GROUP BY b.batch";

/// Rulings won and lost, against those that count.
fn fares(connection: &Connection) -> Result<BTreeSet<String>, StoreError> {
    let mut counted: BTreeMap<String, (i64, i64)> = BTreeMap::new();
    let mut rulings = connection.prepare(
        "SELECT g.ruling, r.batch, json_extract(g.body, '$.decision.winner') = r.id FROM rulings g
             JOIN ruling_records n ON n.ruling = g.ruling JOIN records r ON r.record = n.record
         WHERE g.kind IN ('accept', 'override')",
    )?;
    let mut found = rulings.query([])?;
    while let Some(row) = found.next()? {
        if rows::counts(connection, RulingId(row.get(0)?))? {
            let fared = counted.entry(row.get(1)?).or_default();
            let won: bool = row.get(2)?;
            *(if won { &mut fared.0 } else { &mut fared.1 }) += 1;
        }
    }
    let mut kept = connection.prepare("SELECT batch, won, lost FROM batches")?;
    let kept: Vec<(String, (i64, i64))> =
        kept.query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))))?.collect::<Result<_, _>>()?;
    let differs = |(batch, fared): &(String, (i64, i64))| counted.get(batch).copied().unwrap_or_default() != *fared;
    Ok(kept.into_iter().filter(differs).map(|(batch, _)| batch).collect())
}
