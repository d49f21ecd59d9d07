//! Settling again whatever a write touches: slots, the pairs that ask about names, and slots that change their home.

use std::collections::BTreeSet;

use super::alias;
use super::error::StoreError;
use super::pairs::Changes;
use super::project;
use super::session::Session;
use crate::core::record::Subject;
use crate::core::settle::Slot;

/// Settles the slot anew, writes what changed, and the pairs of aliases that touch it.
pub(super) fn slot(session: &Session<'_>, home: i64) -> Result<Changes, StoreError> {
    slot_and(session, home, |_, _| ())
}

/// As [`slot`]; shows the settled slot, with the row of each record, before it is gone.
pub(super) fn slot_and(
    session: &Session<'_>,
    home: i64,
    look: impl FnOnce(&Slot<'_>, &[i64]),
) -> Result<Changes, StoreError> {
    let mut changes = project::project(session, home, look)?;
    changes.extend(alias::pairs_touching(session, home)?);
    Ok(changes)
}

/// Brings the table of aliases, the homes of their slots and the pairs that ask about them up to the rulings, after a
/// ruling on these two names.
pub(super) fn names(session: &mut Session<'_>, names: &(Subject, Subject)) -> Result<(Changes, u64), StoreError> {
    let before = session.law.identity.clone();
    alias::mark_ruled(session.connection, names)?;
    session.refresh()?;
    alias::store_verdict(session, names)?;
    let touched: BTreeSet<Subject> = [&names.0, &names.1]
        .into_iter()
        .flat_map(|name| before.names_of(name).into_iter().chain(session.law.identity.names_of(name)))
        .collect();
    let homes = alias::move_slots(session, &touched)?;
    let mut changes = Changes::default();
    for home in &homes {
        changes.extend(slot(session, *home)?);
    }
    if let Some((number, told)) = alias::told(session, names)? {
        changes.extend(alias::ask(session, number, &told)?);
    }
    Ok((changes, u64::try_from(homes.len()).unwrap_or(u64::MAX)))
}
