//! Batches: what came together, how it fared, and how late it was written.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, params};

use super::Store;
use super::error::StoreError;
use super::rows::{self, Stored};
use crate::core::pair::Tally;
use crate::core::record::{Batch, RecordId};
use crate::core::ruling::RulingId;
use crate::core::time::{Instant, When};

/// A batch in a line.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchSummary {
    pub batch: Batch,
    pub records: u64,
    pub unslotted: u64,
    /// Records of it that are party to an open pair.
    pub contested: u64,
    pub withdrawn: u64,
    /// Open pairs with a record of it.
    pub pairs: u64,
    pub lag: Option<Lag>,
    /// Rulings that its records won and lost.
    pub rulings: Tally,
    pub first_written_at: Option<Instant>,
    pub last_written_at: Option<Instant>,
    pub recorded_at: Option<Instant>,
}

/// How much later records were written than observed, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lag {
    pub median: i64,
    pub least: i64,
    pub greatest: i64,
}

/// A batch with its records.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchDetail {
    pub summary: BatchSummary,
    pub records: Vec<RecordId>,
}

impl Store {
    /// Every batch, the one last recorded first.
    pub fn batches(&self) -> Result<Vec<BatchSummary>, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT batch FROM records GROUP BY batch ORDER BY max(record) DESC")?;
        let names: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        names.into_iter().map(|name| self.summary(&Batch::from(name.as_str()))).collect()
    }

    /// How many imports had this made-up name, or this with a number after it.
    pub fn batches_like(&self, name: &str) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM (SELECT DISTINCT json_extract(body, '$.batch') AS batch FROM events
             WHERE kind = 'import') WHERE batch = ?1 OR (substr(batch, 1, length(?1) + 2) = ?1 || ' #')";
        let count: i64 = self.connection.prepare_cached(sql)?.query_row([name], |row| row.get(0))?;
        Ok(u64::try_from(count).unwrap_or_default())
    }

    /// One batch with its records; none where no record names it.
    pub fn batch(&self, batch: &Batch) -> Result<Option<BatchDetail>, StoreError> {
        let records = records_of(&self.connection, batch)?;
        if records.is_empty() {
            return Ok(None);
        }
        let records = records.into_iter().map(|stored| stored.record.id).collect();
        Ok(Some(BatchDetail { summary: self.summary(batch)?, records }))
    }

    fn summary(&self, batch: &Batch) -> Result<BatchSummary, StoreError> {
        let mut summary = self.connection.prepare_cached(
            "SELECT count(*) AS records, sum(r.slot IS NULL) AS unslotted, sum(t.state IS 'contested') AS contested,
                 sum(t.state IS 'withdrawn') AS withdrawn, min(r.written_at) AS first, max(r.written_at) AS last,
                 max(r.recorded_at) AS recorded
             FROM records r LEFT JOIN record_states t ON t.record = r.record WHERE r.batch = ?1",
        )?;
        let whole = |row: &rusqlite::Row<'_>, column: &str| {
            row.get::<_, Option<i64>>(column)
                .map(|count| u64::try_from(count.unwrap_or_default()).unwrap_or_default())
        };
        let time = |row: &rusqlite::Row<'_>, column: &str| {
            row.get::<_, Option<String>>(column)?.map(|at| rows::parsed::<Instant>(&at)).transpose()
        };
        let mut found = summary.query_row([batch.as_str()], |row| {
            Ok(BatchSummary {
                batch: batch.clone(),
                records: whole(row, "records")?,
                unslotted: whole(row, "unslotted")?,
                contested: whole(row, "contested")?,
                withdrawn: whole(row, "withdrawn")?,
                pairs: 0,
                lag: None,
                rulings: Tally::default(),
                first_written_at: time(row, "first")?,
                last_written_at: time(row, "last")?,
                recorded_at: time(row, "recorded")?,
            })
        })?;
        found.lag = lag(&self.connection, batch)?;
        found.rulings = tally(&self.connection, batch)?;
        let pairs: i64 = self
            .connection
            .prepare_cached(
                "SELECT count(DISTINCT p.pair) FROM pairs p JOIN records l ON l.record = p.left_record
                     JOIN records r ON r.record = p.right_record
                 WHERE p.state <> 'settled' AND (l.batch = ?1 OR r.batch = ?1)",
            )?
            .query_row([batch.as_str()], |row| row.get(0))?;
        found.pairs = u64::try_from(pairs).unwrap_or_default();
        Ok(found)
    }
}

fn lag(connection: &Connection, batch: &Batch) -> Result<Option<Lag>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT observed_at, written_at FROM records WHERE batch = ?1 AND observed_at IS NOT NULL",
    )?;
    let times = statement.query_map([batch.as_str()], |row| {
        let observed: When = rows::parsed(&row.get::<_, String>(0)?)?;
        let written: Instant = rows::parsed(&row.get::<_, String>(1)?)?;
        Ok(written.since(observed.first()).num_seconds())
    })?;
    let mut lags: Vec<i64> = times.collect::<Result<_, _>>()?;
    lags.sort_unstable();
    let (Some(least), Some(greatest)) = (lags.first().copied(), lags.last().copied()) else { return Ok(None) };
    Ok(lags.get(lags.len() / 2).map(|median| Lag { median: *median, least, greatest }))
}

fn tally(connection: &Connection, batch: &Batch) -> Result<Tally, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT g.ruling, json_extract(g.body, '$.decision.winner') = r.id FROM records r
             JOIN ruling_records n ON n.record = r.record JOIN rulings g ON g.ruling = n.ruling
         WHERE r.batch = ?1 AND g.kind IN ('accept', 'override')",
    )?;
    let found: Vec<(i64, bool)> =
        statement.query_map([batch.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    let mut tally = Tally::default();
    for (ruling, won) in found {
        if rows::counts(connection, RulingId(ruling))? {
            if won { tally.won += 1 } else { tally.lost += 1 }
        }
    }
    Ok(tally)
}

/// Every record of a batch, in the order in which they came.
pub(super) fn records_of(connection: &Connection, batch: &Batch) -> Result<Vec<Stored>, StoreError> {
    let sql = format!("SELECT {} FROM records r WHERE r.batch = ?1 ORDER BY r.record", rows::RECORD);
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_map([batch.as_str()], rows::record)?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// Which of these records are withdrawn by a ruling that counts.
pub(super) fn withdrawn_rows(connection: &Connection, records: &[Stored]) -> Result<BTreeSet<i64>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT g.ruling FROM ruling_records n JOIN rulings g ON g.ruling = n.ruling
         WHERE n.record = ?1 AND g.kind = 'withdraw'",
    )?;
    let mut known: BTreeMap<i64, bool> = BTreeMap::new();
    let mut gone = BTreeSet::new();
    for stored in records {
        let rulings: Vec<i64> =
            statement.query_map(params![stored.row], |row| row.get(0))?.collect::<Result<_, _>>()?;
        for ruling in rulings {
            let counts = match known.get(&ruling) {
                Some(counts) => *counts,
                None => rows::counts(connection, RulingId(ruling))?,
            };
            known.insert(ruling, counts);
            if counts {
                gone.insert(stored.row);
            }
        }
    }
    Ok(gone)
}
