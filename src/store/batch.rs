//! Batches: what came together, how it fared, and how late it was written; read from the numbers that are kept of them.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::types::ToSql;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::Store;
use super::condition::holding;
use super::error::StoreError;
use super::rows::{self, Stored};
use crate::core::batch::{Lag, Listing, Sorting, Summary};
use crate::core::lag::Lags;
use crate::core::pair::Tally;
use crate::core::record::{Batch, RecordId};
use crate::core::ruling::RulingId;
use crate::core::time::Instant;

/// A batch with its records.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchDetail {
    pub summary: Summary,
    pub records: Vec<RecordId>,
}

/// Where a window of a list begins: with these rows, or before them (nearest first).
#[derive(Clone, Debug, PartialEq)]
pub enum Span<K> {
    First,
    Last,
    /// With the row of that place, or what now stands there.
    From(K),
    Before(K),
}

/// The place of a batch in a list.
pub type BatchPlace = (i64, i64);

impl Store {
    /// Every batch, the one last recorded first.
    pub fn batches(&self) -> Result<Vec<Summary>, StoreError> {
        self.batch_list(&Listing::default(), &Span::First, usize::MAX)
    }

    /// A window of a list of batches, in its order, of at most `limit` rows.
    pub fn batch_list(
        &self,
        list: &Listing,
        from: &Span<BatchPlace>,
        limit: usize,
    ) -> Result<Vec<Summary>, StoreError> {
        let (condition, direction) = match from {
            Span::First => ("1 = 1".to_owned(), "DESC"),
            Span::Last => ("1 = 1".to_owned(), "ASC"),
            Span::From(_) => (format!("({}, b.newest) <= (?2, ?3)", list.sorting.key()), "DESC"),
            Span::Before(_) => (format!("({}, b.newest) > (?2, ?3)", list.sorting.key()), "ASC"),
        };
        let sql = format!(
            "SELECT * FROM batches b WHERE (?1 IS NULL OR b.batch LIKE ?1 ESCAPE '\\') AND {condition}
             ORDER BY {} {direction}, b.newest {direction} LIMIT {}",
            list.sorting.key(),
            i64::try_from(limit).unwrap_or(i64::MAX)
        );
        let text = list.pattern();
        let mut values: Vec<&dyn ToSql> = vec![&text];
        if let Span::From(place) | Span::Before(place) = from {
            values.extend([&place.0 as &dyn ToSql, &place.1]);
        }
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut found: Vec<Summary> = statement.query_map(values.as_slice(), summary)?.collect::<Result<_, _>>()?;
        if direction == "ASC" {
            found.reverse();
        }
        Ok(found)
    }

    /// How many batches a list shows, and how many of them stand before a place.
    pub fn batch_position(&self, list: &Listing, place: BatchPlace) -> Result<(u64, u64), StoreError> {
        let sql = format!(
            "SELECT coalesce(sum(({}, b.newest) > (?2, ?3)), 0), count(*) FROM batches b
             WHERE ?1 IS NULL OR b.batch LIKE ?1 ESCAPE '\\'",
            list.sorting.key()
        );
        let mut counted = self.connection.prepare_cached(&sql)?;
        Ok(counted.query_row(params![list.pattern(), place.0, place.1], |row| {
            Ok((rows::whole(row.get(0)?), rows::whole(row.get(1)?)))
        })?)
    }

    /// How many imports had this made-up name, or this with a number after it.
    pub fn batches_like(&self, name: &str) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM (SELECT DISTINCT json_extract(body, '$.batch') AS batch FROM events
             WHERE kind = 'import') WHERE batch = ?1 OR (substr(batch, 1, length(?1) + 2) = ?1 || ' #')";
        let count: i64 = self.connection.prepare_cached(sql)?.query_row([name], |row| row.get(0))?;
        Ok(u64::try_from(count).unwrap_or_default())
    }

    /// One batch in a line; none where no record names it.
    pub fn batch_summary(&self, batch: &Batch) -> Result<Option<Summary>, StoreError> {
        let mut one = self.connection.prepare_cached("SELECT * FROM batches WHERE batch = ?1")?;
        Ok(one.query_row([batch.as_str()], summary).optional()?)
    }

    /// One batch with its records, in the order in which they came; none where no record names it.
    pub fn batch(&self, batch: &Batch) -> Result<Option<BatchDetail>, StoreError> {
        let Some(summary) = self.batch_summary(batch)? else { return Ok(None) };
        let sql = "SELECT id FROM records WHERE batch = ?1 ORDER BY record";
        let mut ids = self.connection.prepare_cached(sql)?;
        let found = ids.query_map([batch.as_str()], |row| row.get::<_, String>(0))?;
        let records = found.map(|id| id.map(|id| RecordId::from(id.as_str()))).collect::<Result<_, _>>()?;
        Ok(Some(BatchDetail { summary, records }))
    }
}

impl Sorting {
    /// The column that the list is ordered by, the greatest first.
    const fn key(self) -> &'static str {
        match self {
            Self::Newest => "b.newest",
            Self::Contested => "b.contested",
            Self::Lag => "ifnull(b.median_lag, -9999999999999)",
            Self::Lost => "b.lost",
        }
    }

    /// The place of a batch in a list of this order.
    pub fn place(self, of: &Summary) -> BatchPlace {
        let count = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let key = match self {
            Self::Newest => of.newest,
            Self::Contested => count(of.contested),
            Self::Lag => of.lag.map_or(super::batch_counts::NO_LAG, |lag| lag.median),
            Self::Lost => count(of.rulings.lost),
        };
        (key, of.newest)
    }
}

impl Listing {
    fn pattern(&self) -> Option<String> {
        self.text.as_deref().map(holding)
    }
}

fn summary(row: &Row<'_>) -> rusqlite::Result<Summary> {
    let count = |column: &str| row.get(column).map(rows::whole);
    let time = |column: &str| rows::parsed::<Instant>(&row.get::<_, String>(column)?);
    let second = |column: &str| {
        let seconds: Option<i64> = row.get(column)?;
        Ok::<_, rusqlite::Error>(seconds.map(rows::instant_of_second))
    };
    let number = |column: &str| row.get::<_, Option<i64>>(column);
    let mut lags = Lags::default();
    for (at, band) in lags.bands.iter_mut().enumerate() {
        *band = count(format!("lag_{at}").as_str())?;
    }
    let records = count("records")?;
    lags.unknown = records.saturating_sub(lags.known());
    let (median, least, greatest) = (number("median_lag")?, number("least_lag")?, number("greatest_lag")?);
    let lag = median.zip(least).zip(greatest).map(|((median, least), greatest)| Lag { median, least, greatest });
    Ok(Summary {
        batch: Batch::from(row.get::<_, String>("batch")?.as_str()),
        newest: row.get("newest")?,
        records,
        unslotted: count("unslotted")?,
        contested: count("contested")?,
        withdrawn: count("withdrawn")?,
        pairs: count("pairs")?,
        lag,
        lags,
        rulings: Tally { won: count("won")?, lost: count("lost")? },
        observed: second("first_observed")?.zip(second("last_observed")?),
        first_written_at: time("first_written")?,
        last_written_at: time("last_written")?,
        recorded_at: time("recorded_at")?,
    })
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
         WHERE n.record = ?1 AND g.kind IN ('withdraw', 'erase')",
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
