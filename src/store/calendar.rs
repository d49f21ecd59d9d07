//! The calendar of epochs as the rulings tell it.

use std::collections::BTreeSet;

use rusqlite::Connection;

use super::error::StoreError;
use super::rows::{self, StoredRuling};
use crate::core::calendar::Calendar;
use crate::core::record::Subject;
use crate::core::ruling::{Decision, Ruling, RulingId, effective};
use crate::core::time::Instant;

/// What the notices that count say; as of a time: those given by then.
pub(super) fn calendar(connection: &Connection, believed_at: Option<Instant>) -> Result<Calendar, StoreError> {
    let any: bool = connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM rulings WHERE kind = 'epoch')")?
        .query_row([], |row| row.get(0))?;
    if !any {
        return Ok(Calendar::default());
    }
    let rulings: Vec<Ruling> = rows::rulings_of_kind(connection, &["epoch"])?
        .into_iter()
        .map(|stored| stored.ruling)
        .filter(|ruling| believed_at.is_none_or(|at| ruling.at <= at))
        .collect();
    Ok(Calendar::new(effective(&rulings)))
}

/// The notices on a subject, by all of its names, with whatever undoes one of them; the oldest first.
pub(super) fn rulings_on(connection: &Connection, names: &[Subject]) -> Result<Vec<StoredRuling>, StoreError> {
    let mut kept: BTreeSet<RulingId> = BTreeSet::new();
    let mut on: Vec<StoredRuling> = rows::rulings_of_kind(connection, &["epoch"])?;
    on.retain(|stored| {
        let speaks = if let Decision::Epoch(notice) = &stored.ruling.decision {
            names.iter().any(|name| notice.covers(name))
        } else if let Decision::Undo(target) = &stored.ruling.decision {
            // What it undoes came before it.
            kept.contains(target)
        } else {
            false
        };
        if speaks {
            kept.insert(stored.ruling.id);
        }
        speaks
    });
    Ok(on)
}
