//! Records without an attribute: kept, listed, compared with nothing, until somebody slots them.

use super::Store;
use super::batch::withdrawn_rows;
use super::error::StoreError;
use super::rows::{self, RECORD, Stored};
use crate::core::record::Record;

impl Store {
    /// Some of the unslotted records that are not withdrawn, in the order of their arrival, after the row that was
    /// reached last; with each the row that is then reached. Fewer than `most` may come although there are more: it is
    /// the end where none comes and the row does not move.
    pub fn unslotted(&self, after: i64, most: u32) -> Result<(Vec<Record>, Option<i64>), StoreError> {
        let sql = format!(
            "SELECT {RECORD} FROM records r WHERE r.slot IS NULL AND r.record > ?1 ORDER BY r.record LIMIT ?2"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let stored: Vec<Stored> = statement.query_map((after, most), rows::record)?.collect::<Result<_, _>>()?;
        let reached = stored.last().map(|stored| stored.row);
        let withdrawn = withdrawn_rows(&self.connection, &stored)?;
        let left = stored.into_iter().filter(|stored| !withdrawn.contains(&stored.row));
        Ok((left.map(|stored| stored.record).collect(), reached))
    }
}
