//! What one transaction knows: who acts, the policy in force, and who is who.

use std::collections::BTreeSet;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, params};

use super::By;
use super::accounted::Lacking;
use super::chain::{self, Entry};
use super::error::StoreError;
use super::frame::{Frame, Frames};
use super::law::{Law, SlotName};
use crate::core::policy::{Policy, Rules};
use crate::core::record::{Attribute, Lack, Record, Subject};
use crate::core::ruling::RulingId;
use crate::core::time::Instant;

/// Is told how many of how many are done; says whether to go on.
pub(super) type Watch<'c> = &'c dyn Fn(u64, u64) -> bool;

/// The context of one write.
pub(super) struct Session<'c> {
    pub(super) connection: &'c Connection,
    pub(super) by: By<'c>,
    pub(super) law: Law,
    /// The first ruling of those made in this stroke, where there are several.
    pub(super) bulk: Option<RulingId>,
    watch: Option<Watch<'c>>,
    /// While projections are rebuilt: what would be told is held against what the log tells already.
    pub(super) lacking: Option<&'c Lacking>,
}

impl<'c> Session<'c> {
    /// Begins a session in a transaction. Its time is never before the last event's.
    pub(super) fn begin(connection: &'c Connection, by: &By<'c>) -> Result<Self, StoreError> {
        let by = By { actor: by.actor, now: chain::never_before_the_last(connection, by.now)? };
        Ok(Self::of(connection, by, Law::of(&Frame::at(connection, None)?)))
    }

    /// As [`begin`](Self::begin), in a transaction in which nothing is written yet: what is known already is not read anew.
    pub(super) fn begin_known(
        connection: &'c Connection,
        frames: &Frames,
        by: &By<'c>,
    ) -> Result<Self, StoreError> {
        let by = By { actor: by.actor, now: chain::never_before_the_last(connection, by.now)? };
        Ok(Self::of(connection, by, Law::of(&*frames.now(connection)?)))
    }

    const fn of(connection: &'c Connection, by: By<'c>, law: Law) -> Self {
        Self { connection, by, law, bulk: None, watch: None, lacking: None }
    }

    /// The same session, as if this policy were in force.
    pub(super) fn under(&self, policy: Policy) -> Self {
        Self { bulk: self.bulk, ..Self::of(self.connection, self.by.clone(), self.law.under(policy)) }
    }

    /// The same session, for somebody who waits.
    pub(super) fn watched(self, watch: Watch<'c>) -> Self {
        Self { watch: Some(watch), ..self }
    }

    /// Tells whoever waits how many slots are settled, of how many; says whether the work is still wanted.
    pub(super) fn goes_on(&self, done: usize, of: usize) -> bool {
        let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        self.watch.is_none_or(|watch| watch(count(done), count(of)))
    }

    /// Begins to look, outside of any transaction: the policy and the names are read anew only where they have changed.
    pub(super) fn looking(connection: &'c Connection, frames: &Frames, now: Instant) -> Result<Self, StoreError> {
        let by = By { actor: "", now: chain::never_before_the_last(connection, now)? };
        Ok(Self::of(connection, by, Law::of(&*frames.now(connection)?)))
    }

    /// Tells what the core found or decided: who acted stands in the event that caused it.
    pub(super) fn tell(&self, entry: &Entry) -> Result<(), StoreError> {
        if let Some(lacking) = self.lacking {
            lacking.note(entry);
            return Ok(());
        }
        chain::append(self.connection, &By { actor: "core", now: self.by.now }, entry)?;
        Ok(())
    }

    /// Takes over a changed policy, changed aliases or a changed calendar.
    pub(super) fn refresh(&mut self) -> Result<(), StoreError> {
        self.law = Law::of(&Frame::at(self.connection, None)?);
        Ok(())
    }

    /// The rules of a slot: [`Law::rules`].
    pub(super) fn rules(&self, name: &SlotName) -> Arc<Rules> {
        self.law.rules(name)
    }

    /// Everything that keeps a record from being anchored in its slot.
    pub(super) fn lacks(&self, record: &Record) -> Vec<Lack> {
        self.law.lacks(record)
    }

    /// Where the records of that subject and attribute are settled, making the slot where it is not there: its own
    /// number, and that of its home.
    pub(super) fn slot(&self, name: &SlotName) -> Result<(i64, i64), StoreError> {
        if let Some(found) = find(self.connection, name)? {
            return Ok(found);
        }
        let canonical = self.law.identity.canonical(&name.subject);
        if canonical == name.subject {
            let slot = insert(self.connection, name)?;
            return Ok((slot, slot));
        }
        let (home, _) = self.slot(&SlotName { subject: canonical, attribute: name.attribute.clone() })?;
        let slot = insert(self.connection, name)?;
        set_home(self.connection, slot, home)?;
        Ok((slot, home))
    }
}

/// The number and the home of a slot that is there.
pub(super) fn find(connection: &Connection, name: &SlotName) -> Result<Option<(i64, i64)>, StoreError> {
    Ok(connection
        .prepare_cached("SELECT slot, home FROM slots WHERE subject = ?1 AND attribute = ?2")?
        .query_row(params![name.subject.as_str(), name.attribute.as_str()], |row| {
            Ok((row.get("slot")?, row.get("home")?))
        })
        .optional()?)
}

/// The names of a slot.
pub(super) fn name_of(connection: &Connection, slot: i64) -> Result<SlotName, StoreError> {
    Ok(connection.prepare_cached("SELECT subject, attribute FROM slots WHERE slot = ?1")?.query_row(
        [slot],
        |row| {
            Ok(SlotName {
                subject: Subject::from(row.get::<_, String>("subject")?.as_str()),
                attribute: Attribute::from(row.get::<_, String>("attribute")?.as_str()),
            })
        },
    )?)
}

/// The slot in which the records of a slot are settled.
pub(super) fn home_of(connection: &Connection, slot: i64) -> Result<i64, StoreError> {
    let mut statement = connection.prepare_cached("SELECT home FROM slots WHERE slot = ?1")?;
    Ok(statement.query_row([slot], |row| row.get(0))?)
}

pub(super) fn set_home(connection: &Connection, slot: i64, home: i64) -> Result<(), StoreError> {
    connection.prepare_cached("UPDATE slots SET home = ?2 WHERE slot = ?1")?.execute([slot, home])?;
    Ok(())
}

fn insert(connection: &Connection, name: &SlotName) -> Result<i64, StoreError> {
    // In one statement SQLite would keep a journal of it, as of any that reads the table that it writes.
    let mut next = connection.prepare_cached("SELECT coalesce(max(slot), 0) + 1 FROM slots")?;
    let slot: i64 = next.query_row([], |row| row.get(0))?;
    connection
        .prepare_cached("INSERT INTO slots (slot, subject, attribute, home) VALUES (?1, ?2, ?3, ?1)")?
        .execute(params![slot, name.subject.as_str(), name.attribute.as_str()])?;
    Ok(slot)
}

/// The slots in which these records are settled.
pub(super) fn homes_of_records(session: &Session<'_>, records: &[i64]) -> Result<BTreeSet<i64>, StoreError> {
    let mut statement = session
        .connection
        .prepare_cached("SELECT s.home FROM records r JOIN slots s ON s.slot = r.slot WHERE r.record = ?1")?;
    let mut homes = BTreeSet::new();
    for record in records {
        let found: Result<Vec<i64>, _> = statement.query_map([record], |row| row.get(0))?.collect();
        homes.extend(found?);
    }
    Ok(homes)
}

/// The slots in which an attribute is settled: every subject's, or one subject's by its canonical name.
pub(super) fn homes_of_attribute(
    session: &Session<'_>,
    attribute: &Attribute,
    subject: Option<&Subject>,
) -> Result<BTreeSet<i64>, StoreError> {
    let mut statement = session.connection.prepare_cached(
        "SELECT slot FROM slots WHERE attribute = ?1 AND home = slot AND (?2 IS NULL OR subject = ?2)",
    )?;
    let found = statement.query_map(params![attribute.as_str(), subject.map(Subject::as_str)], |row| row.get(0))?;
    Ok(found.collect::<Result<_, _>>()?)
}
