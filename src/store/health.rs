//! What the store can and cannot answer for, counted.

use std::collections::HashMap;

use super::Store;
use super::error::StoreError;
use super::{identity, rows};
use crate::core::health::{self, Health, OfKind, Spread, Times, Undeclared};
use crate::core::record::{CLOCK_SKEW, Kind, Subject};
use crate::core::time::Instant;

impl Store {
    /// Counts it, over every record.
    pub fn health(&self, now: Instant) -> Result<Health, StoreError> {
        let policy = self.policy(None)?;
        let undeclared = self
            .attribute_use()?
            .into_iter()
            .filter(|used| policy.rules_of(&[], &used.attribute).cardinality.is_none())
            .map(|used| Undeclared { attribute: used.attribute, slots: used.slots, pairs: used.pairs });
        let mut health = Health { undeclared: undeclared.collect(), ..Health::default() };
        health.kinds = self.kinds()?;
        for kind in &mut health.kinds {
            kind.class = kind.kind.as_ref().and_then(|kind| policy.sources.get(kind)).copied();
        }
        health.records = health.kinds.iter().map(|kind| kind.records).sum();
        health.confidence = self.confidence()?;
        health.times = self.times(now)?;
        health.alike = self.alike()?;
        health.stale = self.stale(None, usize::MAX, now)?.len() as u64;
        Ok(health)
    }

    fn kinds(&self) -> Result<Vec<OfKind>, StoreError> {
        let mut fared: HashMap<String, (u64, u64)> = HashMap::new();
        let mut statement =
            self.connection.prepare_cached("SELECT kind, sum(won), sum(lost) FROM tallies GROUP BY kind")?;
        let mut found = statement.query([])?;
        while let Some(row) = found.next()? {
            fared.insert(row.get(0)?, (rows::whole(row.get(1)?), rows::whole(row.get(2)?)));
        }
        // What a person entered was written here: its time of writing is stated.
        let mut statement = self.connection.prepare_cached(
            "SELECT r.kind, count(*) AS many, sum(r.kind IS NULL) AS source,
                 sum(r.source IS NULL OR json_extract(r.source, '$.batch') IS NULL) AS batch,
                 sum(r.observed_at IS NULL) AS observed, sum(r.written_at = r.recorded_at AND e.kind = 'import') AS written,
                 sum(r.epoch IS NULL) AS epoch, sum(r.confidence IS NULL) AS confidence
             FROM records r JOIN events e ON e.seq = r.event GROUP BY r.kind ORDER BY many DESC, r.kind",
        )?;
        let found = statement.query_map([], |row| {
            let count = |column: &str| Ok::<_, rusqlite::Error>(rows::whole(row.get(column)?));
            let kind: Option<String> = row.get("kind")?;
            let (won, lost) = kind.as_ref().and_then(|kind| fared.get(kind)).copied().unwrap_or_default();
            Ok(OfKind {
                kind: kind.map(|kind| Kind::from(kind.as_str())),
                class: None,
                records: count("many")?,
                missing: [
                    count("source")?,
                    count("batch")?,
                    count("observed")?,
                    count("written")?,
                    count("epoch")?,
                    count("confidence")?,
                ],
                won,
                lost,
            })
        })?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    fn confidence(&self) -> Result<Spread, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT confidence, count(*) FROM records WHERE confidence IS NOT NULL GROUP BY confidence",
        )?;
        let found = statement.query_map([], |row| Ok((row.get(0)?, rows::whole(row.get(1)?))))?;
        let counts: Vec<(f64, u64)> = found.collect::<Result<_, _>>()?;
        Ok(health::spread(&counts))
    }

    fn times(&self, now: Instant) -> Result<Times, StoreError> {
        let skew = CLOCK_SKEW.num_seconds();
        let row = self
            .connection
            .prepare_cached(
                "SELECT coalesce(sum(lag < -?1), 0), coalesce(sum(unixepoch(written_at) > unixepoch(recorded_at) + ?1), 0),
                     coalesce(sum(unixepoch(written_at) - lag > unixepoch(?2)), 0) FROM records",
            )?
            .query_row(rusqlite::params![skew, now.sortable()], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?]))?;
        let [impossible, written_ahead, observed_ahead] = row.map(rows::whole);
        Ok(Times { impossible, written_ahead, observed_ahead })
    }

    fn alike(&self) -> Result<Vec<Vec<Subject>>, StoreError> {
        let identity = identity::identity(&self.connection, None)?;
        let mut statement = self.connection.prepare_cached("SELECT DISTINCT subject FROM records")?;
        let found = statement.query_map([], |row| row.get::<_, String>(0))?;
        let names: Vec<Subject> =
            found.map(|name| Ok(Subject::from(name?.as_str()))).collect::<Result<_, rusqlite::Error>>()?;
        Ok(health::alike(names.into_iter(), &identity))
    }
}
