//! Who is who, as the alias rulings that count say.

use rusqlite::Connection;

use super::Store;
use super::error::StoreError;
use super::rows;
use crate::core::identity::{Alias, Identity};
use crate::core::ruling::{Ruling, effective};
use crate::core::time::Instant;

/// Who is who, from the alias rulings that count; as of a time: from those made by then.
pub(super) fn identity(connection: &Connection, believed_at: Option<Instant>) -> Result<Identity, StoreError> {
    let any: bool =
        connection.prepare_cached("SELECT EXISTS (SELECT 1 FROM aliases)")?.query_row([], |row| row.get(0))?;
    if !any {
        return Ok(Identity::default());
    }
    let rulings: Vec<Ruling> = rows::rulings_of_kind(connection, &["alias", "link"])?
        .into_iter()
        .map(|stored| stored.ruling)
        .filter(|ruling| believed_at.is_none_or(|at| ruling.at <= at))
        .collect();
    Ok(Identity::new(effective(&rulings)))
}

impl Store {
    /// Every two names on which something was said, with the last word on them.
    pub fn aliases(&self) -> Result<Vec<Alias>, StoreError> {
        Ok(identity(&self.connection, None)?.aliases().cloned().collect())
    }
}
