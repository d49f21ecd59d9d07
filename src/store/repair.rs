//! Repair: the schema put back as shipped, records put back into their slots, and every projection rebuilt.
//!
//! What is true is never touched, and a store in which that is damaged is refused: only a backup brings it back.

use rusqlite::{Connection, params};
use serde_json::json;

use super::chain::{self, Entry};
use super::damage::Verification;
use super::error::StoreError;
use super::inspect::Plan;
use super::law::SlotName;
use super::session::Session;
use super::{By, Store, open, rebuild, refusals, schema};
use crate::core::record::{Attribute, Subject};

/// What a repair did.
#[derive(Clone, Debug, PartialEq)]
pub struct Repaired {
    /// What the log was told now, because it was found and never told: pairs, losses, epoch changes.
    pub told: u64,
    /// What is still wrong; nothing was written where this is not whole.
    pub found: Verification,
}

/// So much of the damage stands in the event.
const LISTED: usize = 100;

impl Store {
    /// Repairs what was found to be wrong, in one transaction, and checks the whole store again before it is kept.
    /// `backup` is where the store as it was has been copied to, for the log.
    pub fn repair(&mut self, found: &Verification, backup: &str, by: &By<'_>) -> Result<Repaired, StoreError> {
        let tx = self.write()?;
        schema::mend(&tx)?;
        open::without_triggers(&tx, false)?;
        refusals::without(&tx, || places(&tx, by))?;
        let told = retold(&tx, found, backup, by)?;
        let after = Plan::whole(&tx, by, 1)?.look(&tx, by, &mut || true)?;
        let after = after.ok_or_else(|| StoreError::Damaged("the check was not finished".to_owned()))?;
        if after.is_ok() {
            tx.commit()?;
        } else {
            tx.rollback()?;
        }
        Ok(Repaired { told, found: after })
    }
}

/// Rebuilds, and tells the log what it lacked.
fn retold(connection: &Connection, found: &Verification, backup: &str, by: &By<'_>) -> Result<u64, StoreError> {
    let by = By { actor: by.actor, now: chain::never_before_the_last(connection, by.now)? };
    let damage: Vec<String> =
        found.damage.iter().take(LISTED).map(|it| format!("{}: {}", it.what, it.wrong)).collect();
    let body = json!({"backup": backup, "damage": damage, "count": found.damage.len()});
    chain::append(connection, &by, &Entry::new("repair", body))?;
    let lacking = rebuild::rebuild(connection, &by)?;
    let core = By { actor: "core", now: by.now };
    for entry in &lacking {
        chain::append(connection, &core, entry)?;
    }
    Ok(lacking.len() as u64)
}

/// Every record and ruling in the slot of its own subject and attribute. A slot whose name does not fit its records gets
/// their name, where that is free.
fn places(connection: &Connection, by: &By<'_>) -> Result<(), StoreError> {
    connection.execute_batch(
        "UPDATE OR IGNORE slots SET (subject, attribute) =
             (SELECT r.subject, r.attribute FROM records r WHERE r.slot = slots.slot ORDER BY r.record LIMIT 1)
         WHERE EXISTS (SELECT 1 FROM records r WHERE r.slot = slots.slot AND r.attribute IS NOT NULL)
             AND NOT EXISTS (SELECT 1 FROM records r WHERE r.slot = slots.slot
                 AND r.subject = slots.subject AND r.attribute = slots.attribute)",
    )?;
    let session = Session::begin(connection, by)?;
    let misplaced = named(
        connection,
        "SELECT r.record, r.subject, r.attribute FROM records r LEFT JOIN slots s ON s.slot = r.slot
         WHERE r.attribute IS NOT NULL AND (s.slot IS NULL OR s.subject <> r.subject OR s.attribute <> r.attribute)",
    )?;
    for (record, name) in misplaced {
        let (slot, _) = session.slot(&name)?;
        connection
            .prepare_cached("UPDATE records SET slot = ?2 WHERE record = ?1")?
            .execute(params![record, slot])?;
    }
    let misruled = named(
        connection,
        "SELECT g.ruling, e.subject, e.attribute FROM rulings g JOIN events e ON e.ruling = g.ruling
             LEFT JOIN slots s ON s.slot = g.slot
         WHERE e.subject IS NOT NULL AND e.attribute IS NOT NULL
             AND json_extract(g.body, '$.decision.decision') <> 'declare'
             AND (s.slot IS NULL OR s.subject <> e.subject OR s.attribute <> e.attribute)",
    )?;
    for (ruling, name) in misruled {
        let (slot, _) = session.slot(&name)?;
        connection
            .prepare_cached("UPDATE rulings SET slot = ?2 WHERE ruling = ?1")?
            .execute(params![ruling, slot])?;
    }
    connection.execute_batch("UPDATE records SET slot = NULL WHERE attribute IS NULL AND slot IS NOT NULL")?;
    Ok(())
}

fn named(connection: &Connection, sql: &str) -> Result<Vec<(i64, SlotName)>, StoreError> {
    let mut statement = connection.prepare(sql)?;
    let found = statement.query_map([], |row| {
        let name = SlotName {
            subject: Subject::from(row.get::<_, String>("subject")?.as_str()),
            attribute: Attribute::from(row.get::<_, String>("attribute")?.as_str()),
        };
        Ok((row.get(0)?, name))
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}
