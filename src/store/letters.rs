//! The index of letters: every run of three in what `find` looks through. It is filled a little at a time, beside the
//! work; what it does not hold yet is read through. It only narrows down: whatever it names is read and compared.

use rusqlite::{Connection, OptionalExtension, params};

use super::Store;
use super::condition::{FROM, TEXTS};
use super::error::StoreError;

/// How much of the queue the index of letters knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indexed {
    /// Pairs that have changed since, or are not in it yet.
    pub left: u64,
    pub of: u64,
}

/// What the index says of where a text may be.
pub(super) struct Named {
    /// Pairs of which it knows, where the text may be.
    pub(super) pairs: Vec<i64>,
    /// Pairs of which it does not know.
    pub(super) unknown: Vec<i64>,
}

impl Store {
    /// Takes up to so many pairs into the index, in one short transaction; says how many are left.
    pub fn index_letters(&mut self, limit: usize) -> Result<Indexed, StoreError> {
        let tx = self.write()?;
        let upto = upto(&tx)?;
        let texts = TEXTS.map(|column| format!("coalesce({column}, '')")).join(" || char(10) || ");
        let sql =
            format!("SELECT p.pair, p.touched, {texts} {FROM} WHERE p.touched > ?1 ORDER BY p.touched LIMIT ?2");
        let mut last = upto;
        {
            let mut statement = tx.prepare_cached(&sql)?;
            let mut forget = tx.prepare_cached("DELETE FROM pair_letters WHERE rowid = ?1")?;
            let mut learn = tx.prepare_cached("INSERT INTO pair_letters (rowid, text) VALUES (?1, ?2)")?;
            let mut found = statement.query(params![upto, i64::try_from(limit).unwrap_or(i64::MAX)])?;
            while let Some(row) = found.next()? {
                let (pair, touched, text): (i64, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
                if upto > 0 {
                    forget.execute([pair])?;
                }
                learn.execute(params![pair, text])?;
                last = touched;
            }
        }
        // Several changed in one stroke may bear one number: what is left of them is taken in again.
        let last = if last > upto && more_of(&tx, last, upto, limit)? { last - 1 } else { last };
        tx.prepare_cached("UPDATE pair_letters_upto SET touched = ?1")?.execute([last])?;
        let indexed = indexed(&tx)?;
        tx.commit()?;
        Ok(indexed)
    }

    /// How much of the queue the index of letters knows.
    pub fn indexed(&self) -> Result<Indexed, StoreError> {
        indexed(&self.connection)
    }
}

fn upto(connection: &Connection) -> Result<i64, StoreError> {
    let mut statement = connection.prepare_cached("SELECT touched FROM pair_letters_upto")?;
    Ok(statement.query_row([], |row| row.get(0)).optional()?.unwrap_or(0))
}

/// Whether the window cut through the pairs that were touched together, and began before them.
fn more_of(connection: &Connection, last: i64, upto: i64, limit: usize) -> Result<bool, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT count(*) FROM pairs WHERE touched > ?1 AND touched <= ?2")?;
    let many: i64 = statement.query_row([upto, last], |row| row.get(0))?;
    let together: i64 = connection
        .prepare_cached("SELECT count(*) FROM pairs WHERE touched = ?1")?
        .query_row([last], |row| row.get(0))?;
    Ok(many > i64::try_from(limit).unwrap_or(i64::MAX) && together < many)
}

fn indexed(connection: &Connection) -> Result<Indexed, StoreError> {
    let count = |sql: &str| -> Result<u64, StoreError> {
        let count: i64 = connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
        Ok(u64::try_from(count).unwrap_or_default())
    };
    let of = count("SELECT coalesce(sum(count), 0) FROM pair_counts")?;
    let left = count("SELECT count(*) FROM pairs WHERE touched > (SELECT touched FROM pair_letters_upto)")?;
    Ok(Indexed { left, of })
}

/// Where the text may be; none where the index is of no help: the text is too short, or it is nearly everywhere.
pub(super) fn named(connection: &Connection, text: &str, most: usize) -> Result<Option<Named>, StoreError> {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() < 3 || text.contains('\0') {
        return Ok(None);
    }
    let upto = upto(connection)?;
    if upto == 0 {
        return Ok(None);
    }
    // Each run of three by itself: the index holds no places, so it cannot tell which stands beside which.
    let runs: Vec<String> = letters
        .windows(3)
        .map(|run| format!("\"{}\"", run.iter().collect::<String>().replace('"', "\"\"")))
        .collect();
    let limit = i64::try_from(most).unwrap_or(i64::MAX);
    let read = |sql: &str, values: &[&dyn rusqlite::ToSql]| -> Result<Vec<i64>, StoreError> {
        let mut statement = connection.prepare_cached(sql)?;
        let found = statement.query_map(values, |row| row.get(0))?;
        Ok(found.collect::<Result<_, _>>()?)
    };
    let sql = "SELECT rowid FROM pair_letters WHERE pair_letters MATCH ?1 LIMIT ?2";
    let pairs = read(sql, &[&runs.join(" AND "), &limit])?;
    let unknown =
        read("SELECT pair FROM pairs INDEXED BY pairs_by_touch WHERE touched > ?1 LIMIT ?2", &[&upto, &limit])?;
    let helps = pairs.len() < most && unknown.len() < most;
    Ok(helps.then_some(Named { pairs, unknown }))
}
