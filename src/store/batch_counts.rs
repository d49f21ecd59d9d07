//! The numbers of each batch, kept in the transaction of whatever changes them: reading a list of batches costs its
//! lines, never their records.

use std::collections::BTreeMap;

use rusqlite::{Connection, params};

use super::error::StoreError;
use crate::core::lag::Band;
use crate::core::ruling::Decision;

/// A record's lag in the order of the index, in seconds; what says no time stands below every lag.
pub(super) const LAG: &str = "ifnull(r.lag, -9999999999999)";

/// Below every lag that there is.
pub(super) const NO_LAG: i64 = -9_999_999_999_999;

/// The number of the band of `lag`, as SQL.
fn band() -> String {
    let ends = Band::ALL.iter().filter_map(|band| Some((*band as usize, band.below()?)));
    let cases: String = ends.map(|(at, end)| format!(" WHEN lag < {end} THEN {at}")).collect();
    format!("CASE{cases} ELSE {} END", Band::Over as usize)
}

/// Columns that add up: with the value of each over the records of a batch.
fn sums() -> Vec<(String, String)> {
    let bands = (0..Band::ALL.len()).map(|at| {
        let counted = format!("coalesce(sum(lag IS NOT NULL AND {} = {at}), 0)", band());
        (format!("lag_{at}"), counted)
    });
    let plain = [("records", "count(*)"), ("unslotted", "sum(slot IS NULL)")];
    plain.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).chain(bands).collect()
}

/// Columns that keep the least or the greatest.
const ENDS: [(&str, &str, &str); 8] = [
    ("newest", "max", "record"),
    ("first_written", "min", "written_at"),
    ("last_written", "max", "written_at"),
    ("recorded_at", "max", "recorded_at"),
    ("first_observed", "min", "unixepoch(written_at) - lag"),
    ("last_observed", "max", "unixepoch(written_at) - lag"),
    ("least_lag", "min", "lag"),
    ("greatest_lag", "max", "lag"),
];

/// What the records of a batch alone say of it, as the columns of `SELECT … GROUP BY batch`.
pub(super) fn immutable_columns() -> (String, String) {
    let sums = sums();
    let ends = ENDS.iter().map(|(name, which, of)| ((*name).to_owned(), format!("{which}({of})")));
    let (names, values): (Vec<String>, Vec<String>) = sums.into_iter().chain(ends).unzip();
    (names.join(", "), values.join(", "))
}

/// Takes in the records from this row number on, all of which are new.
pub(super) fn arrived(connection: &Connection, first_row: i64) -> Result<(), StoreError> {
    let beside: BTreeMap<String, (i64, i64)> = connection
        .prepare_cached(
            // Of a batch that is new no lag is worked out: there is no median to hold it against.
            "SELECT r.batch, coalesce(sum(CASE WHEN b.median_lag IS NOT NULL THEN r.lag < b.median_lag END), 0),
                 coalesce(sum(CASE WHEN b.median_lag IS NOT NULL THEN r.lag = b.median_lag END), 0)
             FROM records r LEFT JOIN batches b ON b.batch = r.batch WHERE r.record >= ?1 GROUP BY r.batch",
        )?
        .query_map([first_row], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))))?
        .collect::<Result<_, _>>()?;
    let (names, values) = immutable_columns();
    let added = sums().into_iter().map(|(name, _)| format!("{name} = {name} + excluded.{name}"));
    // Of a time that one of the two lacks, the other's stands.
    let moved = ENDS.iter().map(|(name, which, _)| {
        format!("{name} = {which}(ifnull({name}, excluded.{name}), ifnull(excluded.{name}, {name}))")
    });
    let kept: Vec<String> = added.chain(moved).collect();
    // The limit keeps the inner part whole: each lag is worked out once, not once for every column.
    let sql = format!(
        "INSERT INTO batches (batch, {names}) SELECT batch, {values} FROM (
             SELECT record, batch, slot, written_at, recorded_at, lag FROM records WHERE record >= ?1 LIMIT -1
         ) GROUP BY batch
         ON CONFLICT (batch) DO UPDATE SET {}",
        kept.join(", ")
    );
    connection.prepare_cached(&sql)?.execute([first_row])?;
    for (batch, (below, level)) in &beside {
        centre(connection, batch, *below, *level)?;
    }
    Ok(())
}

/// The middle lag of a batch, with how many lie below it and at it.
#[derive(Clone, Copy)]
struct Middle {
    lag: i64,
    below: i64,
    level: i64,
}

/// Moves the median to where it now stands. It walks from where it stood: a record more costs no walk through a million.
fn centre(connection: &Connection, batch: &str, below: i64, level: i64) -> Result<(), StoreError> {
    let bands: Vec<String> = (0..Band::ALL.len()).map(|at| format!("lag_{at}")).collect();
    let sql =
        format!("SELECT {}, median_lag, below_median, at_median FROM batches WHERE batch = ?1", bands.join(" + "));
    let (known, stood): (i64, Option<Middle>) = connection.prepare_cached(&sql)?.query_row([batch], |row| {
        let stood = row.get::<_, Option<i64>>(1)?;
        let (before, at): (i64, i64) = (row.get(2)?, row.get(3)?);
        Ok((row.get(0)?, stood.map(|lag| Middle { lag, below: before + below, level: at + level })))
    })?;
    if known == 0 {
        return Ok(());
    }
    let rank = known / 2;
    let far = |it: &Middle| (rank - it.below).abs() * 16 > known;
    let middle = match stood.filter(|it| !far(it)) {
        Some(it) => walk(connection, batch, it, rank)?,
        None => jump(connection, batch, rank)?,
    };
    connection
        .prepare_cached("UPDATE batches SET median_lag = ?2, below_median = ?3, at_median = ?4 WHERE batch = ?1")?
        .execute(params![batch, middle.lag, middle.below, middle.level])?;
    Ok(())
}

fn walk(connection: &Connection, batch: &str, from: Middle, rank: i64) -> Result<Middle, StoreError> {
    let mut it = from;
    loop {
        if rank < it.below {
            let sql = format!("SELECT max({LAG}) FROM records r WHERE r.batch = ?1 AND {LAG} < ?2");
            it.lag = connection.prepare_cached(&sql)?.query_row(params![batch, it.lag], |row| row.get(0))?;
            it.level = level(connection, batch, it.lag)?;
            it.below -= it.level;
        } else if rank >= it.below + it.level {
            let sql = format!("SELECT min({LAG}) FROM records r WHERE r.batch = ?1 AND {LAG} > ?2");
            it.below += it.level;
            it.lag = connection.prepare_cached(&sql)?.query_row(params![batch, it.lag], |row| row.get(0))?;
            it.level = level(connection, batch, it.lag)?;
        } else {
            return Ok(it);
        }
    }
}

fn jump(connection: &Connection, batch: &str, rank: i64) -> Result<Middle, StoreError> {
    let sql =
        format!("SELECT {LAG} FROM records r WHERE r.batch = ?1 AND {LAG} > ?3 ORDER BY {LAG} LIMIT 1 OFFSET ?2");
    let lag: i64 = connection.prepare_cached(&sql)?.query_row(params![batch, rank, NO_LAG], |row| row.get(0))?;
    let sql = format!("SELECT count(*) FROM records r WHERE r.batch = ?1 AND {LAG} > ?3 AND {LAG} < ?2");
    let below = connection.prepare_cached(&sql)?.query_row(params![batch, lag, NO_LAG], |row| row.get(0))?;
    Ok(Middle { lag, below, level: level(connection, batch, lag)? })
}

fn level(connection: &Connection, batch: &str, lag: i64) -> Result<i64, StoreError> {
    let sql = format!("SELECT count(*) FROM records r WHERE r.batch = ?1 AND {LAG} = ?2");
    Ok(connection.prepare_cached(&sql)?.query_row(params![batch, lag], |row| row.get(0))?)
}

/// A record's state has changed.
pub(super) fn moved(connection: &Connection, row: i64, from: Option<&str>, to: &str) -> Result<(), StoreError> {
    let by = |state: &str| i64::from(to == state) - i64::from(from == Some(state));
    let (contested, withdrawn) = (by("contested"), by("withdrawn"));
    if contested == 0 && withdrawn == 0 {
        return Ok(());
    }
    connection
        .prepare_cached(
            "UPDATE batches SET contested = contested + ?2, withdrawn = withdrawn + ?3
             WHERE batch = (SELECT batch FROM records WHERE record = ?1)",
        )?
        .execute([row, contested, withdrawn])?;
    Ok(())
}

/// So many unsettled pairs more between these two records; of one batch they count once.
pub(super) fn paired(connection: &Connection, records: (i64, i64), by: i64) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "UPDATE batches SET pairs = pairs + ?3
             WHERE batch IN (SELECT batch FROM records WHERE record IN (?1, ?2))",
        )?
        .execute([records.0, records.1, by])?;
    Ok(())
}

/// A ruling begins to count, or ceases to: what it decided was won by one batch and lost by the other.
pub(super) fn fared(connection: &Connection, decision: &Decision, counts: bool) -> Result<(), StoreError> {
    let Decision::Accept { winner, loser, .. } = decision else { return Ok(()) };
    let by = if counts { 1 } else { -1 };
    for (record, column) in [(winner, "won"), (loser, "lost")] {
        let sql = format!(
            "UPDATE batches SET {column} = {column} + ?2 WHERE batch = (SELECT batch FROM records WHERE id = ?1)"
        );
        connection.prepare_cached(&sql)?.execute(params![record.as_str(), by])?;
    }
    Ok(())
}
