//! What a declaration would do: each slot that it touches is settled as it is and under the new rules, and compared.
//! Nothing is written, and nothing is sampled.

use std::collections::{BTreeSet, HashSet};

use rusqlite::{Connection, TransactionBehavior};

use super::law::SlotName;
use super::numbered::Numbered;
use super::orders;
use super::plan::OrderError;
use super::rows;
use super::session::{self, Session};
use super::slot::Loaded;
use super::{By, Store, StoreError, alias, pairs};
use crate::core::order::Order;
use crate::core::policy::Declaration;
use crate::core::record::Attribute;
use crate::core::settle::Slot;
use crate::core::tried::{Answered, Tried};

/// From so many slots on it is asked once which of them were ruled on, and not of each.
const MANY: usize = 64;

impl Store {
    /// What a declaration would do, exactly; nothing is written. `goes_on` is told how many slots are done, and of how
    /// many; where it says no, the answer is none. Refused where the declaration itself would be.
    pub fn try_declaration(
        &mut self,
        declaration: &Declaration,
        by: &By<'_>,
        goes_on: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<Option<Tried>, OrderError> {
        // One transaction, so that all of it is read of one state; it never writes, and is rolled back.
        let tx = self.connection.transaction_with_behavior(TransactionBehavior::Deferred)?;
        let before = Session::begin(&tx, by)?;
        let _permitted = orders::plan(&before, &Order::Declare { declaration: declaration.clone() })?;
        let after = before.under(before.law.policy.with(declaration, before.law.policy.version + 1));
        let subject = declaration.subject.as_ref().map(|subject| before.law.identity.canonical(subject));
        let homes = session::homes_of_attribute(&before, &declaration.attribute, subject.as_ref())?;
        let trial = Trial { ruled: ruled(&tx, &declaration.attribute, homes.len())?, before, after };
        Ok(trial.run(&homes, &declaration.attribute, goes_on)?)
    }
}

/// A declaration on trial.
struct Trial<'c> {
    before: Session<'c>,
    after: Session<'c>,
    /// The slots on which anything was ruled; none where each is asked.
    ruled: Option<HashSet<i64>>,
}

impl Trial<'_> {
    fn run(
        &self,
        homes: &BTreeSet<i64>,
        attribute: &Attribute,
        goes_on: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<Option<Tried>, StoreError> {
        let (mut tried, of) = (Tried::default(), homes.len() as u64);
        for home in homes {
            if !goes_on(tried.slots, of) {
                return Ok(None);
            }
            self.slot(*home, &mut tried)?;
            tried.slots += 1;
        }
        let (closed, opened) = alias::would_ask(&self.after, homes, attribute)?;
        (tried.closed, tried.opened) = (tried.closed + closed, tried.opened + opened);
        Ok(Some(tried.ordered()))
    }

    fn slot(&self, home: i64, tried: &mut Tried) -> Result<(), StoreError> {
        // A record alone contradicts nothing: it answers the same under every rule (a property that the tests hold).
        if is_alone(self.before.connection, home)? {
            return Ok(());
        }
        let name = session::name_of(self.before.connection, home)?;
        let (old, new) = (self.before.rules(&name), self.after.rules(&name));
        if old.are_alike(&new) {
            let stored = pairs::of_home(self.before.connection, home)?;
            let open = stored.iter().filter(|pair| !pair.is_settled());
            open.for_each(|pair| tried.leave_open(&pairs::grounds(&pair.grounds)));
            return Ok(());
        }
        let loaded = self.load(home, name)?;
        let (was, is) = (loaded.settle(&old), loaded.settle(&new));
        self.compare_pairs(home, &loaded, &is, tried)?;
        tried.compare(&loaded.name.subject, Answered::of(&was), Answered::of(&is));
        Ok(())
    }

    fn load(&self, home: i64, name: SlotName) -> Result<Loaded, StoreError> {
        let connection = self.before.connection;
        let was_ruled_on = self.ruled.as_ref().is_none_or(|ruled| ruled.contains(&home));
        let rulings = if was_ruled_on { rows::rulings_at_home(connection, home)? } else { Vec::new() };
        Ok(Loaded {
            name,
            records: rows::records_at_home(connection, home)?,
            rulings: rulings.into_iter().map(|stored| stored.ruling).collect(),
        })
    }

    /// Counts what would open and close, by the numbers that the pairs would have.
    fn compare_pairs(
        &self,
        home: i64,
        loaded: &Loaded,
        slot: &Slot<'_>,
        tried: &mut Tried,
    ) -> Result<(), StoreError> {
        let stored = pairs::of_home(self.before.connection, home)?;
        slot.pairs.iter().for_each(|pair| tried.leave_open(&pair.grounds));
        if stored.is_empty() {
            tried.opened += slot.pairs.len() as u64;
            return Ok(());
        }
        let rows = loaded.rows(slot);
        let mut known = Numbered::new(slot, &rows, stored);
        for open in &slot.pairs {
            let before = known.take(rows[open.left], rows[open.right]);
            tried.opened += u64::from(before.is_none_or(|pair| pair.is_settled()));
        }
        tried.closed += known.left_over().filter(|pair| !pair.is_settled()).count() as u64;
        Ok(())
    }
}

/// Whether no more than one record is settled in this slot.
fn is_alone(connection: &Connection, home: i64) -> Result<bool, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT count(*) FROM (SELECT 1 FROM slots s JOIN records r ON r.slot = s.slot WHERE s.home = ?1 LIMIT 2)",
    )?;
    Ok(statement.query_row([home], |row| row.get::<_, i64>(0))? < 2)
}

/// The slots of an attribute that a ruling names, by itself or by a record of theirs.
fn ruled(connection: &Connection, attribute: &Attribute, slots: usize) -> Result<Option<HashSet<i64>>, StoreError> {
    if slots < MANY {
        return Ok(None);
    }
    let mut statement = connection.prepare_cached(
        "SELECT s.home FROM rulings g CROSS JOIN slots s ON s.slot = g.slot WHERE s.attribute = ?1
         UNION
         SELECT s.home FROM ruling_records n CROSS JOIN records r ON r.record = n.record
             CROSS JOIN slots s ON s.slot = r.slot WHERE s.attribute = ?1",
    )?;
    let found = statement.query_map([attribute.as_str()], |row| row.get(0))?;
    Ok(Some(found.collect::<Result<_, _>>()?))
}
