//! What one transaction knows: who acts, the policy in force, and who is who.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use rusqlite::{Connection, OptionalExtension, params};

use super::By;
use super::accounted::Lacking;
use super::chain::{self, Entry};
use super::error::StoreError;
use super::{identity, policy};
use crate::core::identity::Identity;
use crate::core::policy::{Policy, Rules};
use crate::core::record::{Attribute, Subject};
use crate::core::ruling::RulingId;
use crate::core::time::Instant;

/// Is told how many of how many are done; says whether to go on.
pub(super) type Watch<'c> = &'c dyn Fn(u64, u64) -> bool;

/// The context of one write.
pub(super) struct Session<'c> {
    pub(super) connection: &'c Connection,
    pub(super) by: By<'c>,
    pub(super) policy: Policy,
    pub(super) identity: Identity,
    /// The first ruling of those made in this stroke, where there are several.
    pub(super) bulk: Option<RulingId>,
    watch: Option<Watch<'c>>,
    /// While projections are rebuilt: what would be told is held against what the log tells already.
    pub(super) lacking: Option<&'c Lacking>,
    rules: RefCell<HashMap<Attribute, Rc<Rules>>>,
}

/// The policy and the names as they were last read, and by which numbers: versions and rulings are never changed, so
/// what was read under the same numbers need not be read again. Only what is committed may be kept here.
#[derive(Default)]
pub(super) struct Known(RefCell<Option<Remembered>>);

struct Remembered {
    version: i64,
    ruling: i64,
    policy: Policy,
    identity: Identity,
}

impl Known {
    fn read(&self, connection: &Connection) -> Result<(Policy, Identity), StoreError> {
        let (version, ruling): (i64, i64) = connection
            .prepare_cached(
                "SELECT (SELECT max(version) FROM policies), (SELECT coalesce(max(ruling), 0) FROM rulings)",
            )?
            .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let before = self.0.take();
        let policy = match &before {
            Some(known) if known.version == version => known.policy.clone(),
            Some(_) | None => policy::current(connection, None)?,
        };
        let identity = match before {
            Some(known) if known.ruling == ruling => known.identity,
            Some(_) | None => identity::identity(connection, None)?,
        };
        self.0.replace(Some(Remembered { version, ruling, policy: policy.clone(), identity: identity.clone() }));
        Ok((policy, identity))
    }
}

/// A slot by its names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SlotName {
    pub(super) subject: Subject,
    pub(super) attribute: Attribute,
}

impl<'c> Session<'c> {
    /// Begins a session in a transaction. Its time is never before the last event's.
    pub(super) fn begin(connection: &'c Connection, by: &By<'c>) -> Result<Self, StoreError> {
        let by = By { actor: by.actor, now: chain::never_before_the_last(connection, by.now)? };
        Ok(Self {
            connection,
            by,
            policy: policy::current(connection, None)?,
            identity: identity::identity(connection, None)?,
            bulk: None,
            watch: None,
            lacking: None,
            rules: RefCell::default(),
        })
    }

    /// As [`begin`](Self::begin), for somebody who waits.
    pub(super) fn begin_watched(
        connection: &'c Connection,
        by: &By<'c>,
        watch: Watch<'c>,
    ) -> Result<Self, StoreError> {
        Ok(Self { watch: Some(watch), ..Self::begin(connection, by)? })
    }

    /// Tells whoever waits how many slots are settled, of how many; says whether the work is still wanted.
    pub(super) fn goes_on(&self, done: usize, of: usize) -> bool {
        let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        self.watch.is_none_or(|watch| watch(count(done), count(of)))
    }

    /// Begins to look, outside of any transaction: the policy and the names are read anew only where they have changed.
    pub(super) fn looking(connection: &'c Connection, known: &Known, now: Instant) -> Result<Self, StoreError> {
        let by = By { actor: "", now: chain::never_before_the_last(connection, now)? };
        let (policy, identity) = known.read(connection)?;
        Ok(Self {
            connection,
            by,
            policy,
            identity,
            bulk: None,
            watch: None,
            lacking: None,
            rules: RefCell::default(),
        })
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

    /// Takes over a changed policy or changed aliases.
    pub(super) fn refresh(&mut self) -> Result<(), StoreError> {
        self.policy = policy::current(self.connection, None)?;
        self.identity = identity::identity(self.connection, None)?;
        self.rules.borrow_mut().clear();
        Ok(())
    }

    /// The rules of a slot; shared between the slots of an attribute where none has its own.
    pub(super) fn rules(&self, name: &SlotName) -> Rc<Rules> {
        if self.policy.slots.keys().any(|(_, attribute)| *attribute == name.attribute) {
            return Rc::new(self.policy.rules_of(&self.identity.names_of(&name.subject), &name.attribute));
        }
        if let Some(known) = self.rules.borrow().get(&name.attribute) {
            return Rc::clone(known);
        }
        let rules = Rc::new(self.policy.rules_of(&[], &name.attribute));
        self.rules.borrow_mut().insert(name.attribute.clone(), Rc::clone(&rules));
        rules
    }

    /// Where the records of that subject and attribute are settled, making the slot where it is not there: its own
    /// number, and that of its home.
    pub(super) fn slot(&self, name: &SlotName) -> Result<(i64, i64), StoreError> {
        if let Some(found) = find(self.connection, name)? {
            return Ok(found);
        }
        let canonical = self.identity.canonical(&name.subject);
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

pub(super) fn set_home(connection: &Connection, slot: i64, home: i64) -> Result<(), StoreError> {
    connection.prepare_cached("UPDATE slots SET home = ?2 WHERE slot = ?1")?.execute([slot, home])?;
    Ok(())
}

fn insert(connection: &Connection, name: &SlotName) -> Result<i64, StoreError> {
    connection
        .prepare_cached("INSERT INTO slots (subject, attribute, home) VALUES (?1, ?2, 0)")?
        .execute(params![name.subject.as_str(), name.attribute.as_str()])?;
    let slot = connection.last_insert_rowid();
    set_home(connection, slot, slot)?;
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
