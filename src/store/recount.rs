//! The numbers of batches counted anew, for `verify`: from the records, states, pairs and rulings themselves.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;

use super::batch_counts::immutable_columns;
use super::error::StoreError;
use super::rows;
use crate::core::ruling::RulingId;

/// The batches whose numbers are not those that counting anew yields.
pub(super) fn differing(connection: &Connection) -> Result<BTreeSet<String>, StoreError> {
    let (names, values) = immutable_columns();
    let kept = [
        (format!("batch, {names}"), format!("SELECT batch, {values} FROM records GROUP BY batch")),
        ("batch, contested, withdrawn".to_owned(), STATES.to_owned()),
        ("batch, pairs".to_owned(), PAIRS.to_owned()),
        ("batch, median_lag, below_median, at_median".to_owned(), MEDIANS.to_owned()),
    ];
    let mut differing = fares(connection)?;
    for (columns, counted) in kept {
        let kept = format!("SELECT {columns} FROM batches");
        for (one, other) in [(&kept, &counted), (&counted, &kept)] {
            let sql = format!("SELECT batch FROM (SELECT * FROM ({one}) EXCEPT SELECT * FROM ({other}))");
            let found =
                connection.prepare(&sql)?.query_map([], |row| row.get(0))?.collect::<Result<Vec<_>, _>>()?;
            differing.extend(found);
        }
    }
    Ok(differing)
}

const STATES: &str = "SELECT r.batch AS batch, coalesce(sum(t.state = 'contested'), 0),
         coalesce(sum(t.state = 'withdrawn'), 0)
     FROM records r LEFT JOIN record_states t ON t.record = r.record GROUP BY r.batch";

/// A pair between two records of one batch counts once there.
const PAIRS: &str = "SELECT b.batch AS batch, count(x.pair) FROM batches b LEFT JOIN (
         SELECT p.pair, r.batch FROM pairs p JOIN records r ON r.record = p.left_record WHERE p.state <> 'settled'
         UNION
         SELECT p.pair, r.batch FROM pairs p JOIN records r ON r.record = p.right_record WHERE p.state <> 'settled'
     ) x ON x.batch = b.batch GROUP BY b.batch";

/// The median is the lag in the middle of those that are known; of two, the later.
const MEDIANS: &str = "SELECT m.batch AS batch, m.median,
         (SELECT count(*) FROM records r WHERE r.batch = m.batch AND r.lag < m.median),
         (SELECT count(*) FROM records r WHERE r.batch = m.batch AND r.lag = m.median)
     FROM (SELECT b.batch, x.lag AS median FROM batches b LEFT JOIN (
         SELECT batch, lag, count(*) OVER (PARTITION BY batch) / 2 AS middle,
             row_number() OVER (PARTITION BY batch ORDER BY lag) - 1 AS place
         FROM records WHERE lag IS NOT NULL
     ) x ON x.batch = b.batch AND x.place = x.middle) m";

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
