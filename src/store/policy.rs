//! Policy versions: the shipped one first, then one for each declaration and each undo of one.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension, params};

use super::Store;
use super::error::StoreError;
use super::rows;
use crate::core::policy::{Declaration, Policy};
use crate::core::record::{Attribute, Subject};
use crate::core::ruling::{Decision, Ruling, RulingId, effective};
use crate::core::time::Instant;
use crate::wire;

/// The policy that a new store begins with, as its file has it.
pub(super) fn shipped_document() -> String {
    wire::policy::SHIPPED.to_owned()
}

/// The policy in force; as of a time: the last version made by then, the first standing for all time before it.
pub(super) fn current(connection: &Connection, believed_at: Option<Instant>) -> Result<Policy, StoreError> {
    let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?));
    let last = match believed_at {
        Some(at) => connection
            .prepare_cached("SELECT version, document FROM policies WHERE at <= ?1 ORDER BY version DESC LIMIT 1")?
            .query_row([at.sortable()], row)
            .optional()?,
        None => connection
            .prepare_cached("SELECT version, document FROM policies ORDER BY version DESC LIMIT 1")?
            .query_row([], row)
            .optional()?,
    };
    let (version, document) = match last {
        Some(found) => found,
        None => connection.query_row("SELECT version, document FROM policies ORDER BY version LIMIT 1", [], row)?,
    };
    read(&document, version)
}

/// One version of the policy, where it is there.
pub(super) fn numbered(connection: &Connection, version: i64) -> Result<Option<Policy>, StoreError> {
    let found: Option<String> = connection
        .prepare_cached("SELECT document FROM policies WHERE version = ?1")?
        .query_row([version], |row| row.get(0))
        .optional()?;
    found.map(|document| read(&document, version)).transpose()
}

fn read(document: &str, version: i64) -> Result<Policy, StoreError> {
    let policy = wire::policy::read(document)
        .map_err(|fault| StoreError::Damaged(format!("policy version {version}: {fault}")))?;
    Ok(Policy { version, ..policy })
}

/// When what a slot is settled by changed: the versions whose rules for it differ from those before.
pub(super) fn changes(
    connection: &Connection,
    names: &[Subject],
    attribute: &Attribute,
) -> Result<Vec<Instant>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT version, at, document FROM policies ORDER BY version")?;
    let mut versions = statement.query([])?;
    let (mut before, mut changed) = (None, Vec::new());
    while let Some(row) = versions.next()? {
        let policy = read(&row.get::<_, String>("document")?, row.get("version")?)?;
        let mut rules = policy.rules_of(names, attribute);
        // Each version has a number of its own; what the slot is settled by is the rest.
        rules.version = 0;
        if before.as_ref().is_some_and(|before| *before != rules) {
            changed.push(rows::parsed(&row.get::<_, String>("at")?)?);
        }
        before = Some(rules);
    }
    Ok(changed)
}

/// Writes the next version.
pub(super) fn write_version(
    connection: &Connection,
    at: Instant,
    ruling: Option<RulingId>,
    document: &str,
) -> Result<(), StoreError> {
    connection
        .prepare_cached("INSERT INTO policies (at, ruling, document) VALUES (?1, ?2, ?3)")?
        .execute(params![at.sortable(), ruling.map(|ruling| ruling.0), document])?;
    Ok(())
}

/// The rulings that declare, and what undoes them, oldest first.
pub(super) fn declaring(connection: &Connection) -> Result<Vec<Ruling>, StoreError> {
    let stored = rows::rulings_of_kind(connection, &["declare", "link"])?;
    Ok(stored.into_iter().map(|stored| stored.ruling).collect())
}

/// The first policy with the declarations made that count among these rulings.
pub(super) fn declared(first: &Policy, rulings: &[Ruling], version: i64) -> Policy {
    let begun = Policy { version, ..first.clone() };
    effective(rulings).into_iter().fold(begun, |policy, ruling| {
        if let Decision::Declare(declaration) = &ruling.decision {
            policy.with(declaration, version)
        } else {
            policy
        }
    })
}

/// Works the policy out anew, from the first version and the declarations that count, and writes it as the next one.
pub(super) fn rebuild(connection: &Connection, at: Instant, because: RulingId) -> Result<Policy, StoreError> {
    let first: String =
        connection.query_row("SELECT document FROM policies ORDER BY version LIMIT 1", [], |row| row.get(0))?;
    let last: i64 = connection.query_row("SELECT max(version) FROM policies", [], |row| row.get(0))?;
    let rulings = declaring(connection)?;
    let version = last + 1;
    let policy = declared(&read(&first, version)?, &rulings, version);
    write_version(connection, at, Some(because), &wire::policy::write(&policy).to_string())?;
    Ok(policy)
}

/// An attribute that records name, as the policy screen and `policy show` list it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeUse {
    pub attribute: Attribute,
    pub slots: u64,
    /// Open pairs in its slots.
    pub pairs: u64,
}

/// A version of the policy that a declaration of an attribute made.
#[derive(Clone, Debug, PartialEq)]
pub struct DeclaredVersion {
    pub version: i64,
    pub ruling: Ruling,
    pub declaration: Declaration,
    /// It was undone, and no longer counts.
    pub undone: bool,
}

impl Store {
    /// The policy in force; as of a time: the one that was.
    pub fn policy(&self, believed_at: Option<Instant>) -> Result<Policy, StoreError> {
        current(&self.connection, believed_at)
    }

    /// The declarations that name an attribute, for every subject or for one, the last first.
    pub fn declarations_of(&self, attribute: &Attribute) -> Result<Vec<DeclaredVersion>, StoreError> {
        let rulings = declaring(&self.connection)?;
        let counting: BTreeSet<RulingId> = effective(&rulings).into_iter().map(|ruling| ruling.id).collect();
        let mut version = self
            .connection
            .prepare_cached("SELECT version FROM policies WHERE ruling = ?1 ORDER BY version LIMIT 1")?;
        let mut found = Vec::new();
        for ruling in rulings.into_iter().rev() {
            let Decision::Declare(declaration) = &ruling.decision else { continue };
            if declaration.attribute != *attribute {
                continue;
            }
            let (declaration, undone) = (declaration.clone(), !counting.contains(&ruling.id));
            let version = version.query_row([ruling.id.0], |row| row.get(0)).optional()?.unwrap_or_default();
            found.push(DeclaredVersion { version, ruling, declaration, undone });
        }
        Ok(found)
    }

    /// Every attribute that records name, those that hold the most pairs open first.
    pub fn attribute_use(&self) -> Result<Vec<AttributeUse>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT s.attribute, count(DISTINCT s.slot) AS slots, count(p.pair) AS pairs FROM slots s
             LEFT JOIN pairs p ON p.home = s.slot AND p.state <> 'settled'
             WHERE s.home = s.slot GROUP BY s.attribute ORDER BY pairs DESC, s.attribute",
        )?;
        let whole = |count: i64| u64::try_from(count).unwrap_or_default();
        let found = statement.query_map([], |row| {
            Ok(AttributeUse {
                attribute: Attribute::from(row.get::<_, String>("attribute")?.as_str()),
                slots: whole(row.get("slots")?),
                pairs: whole(row.get("pairs")?),
            })
        })?;
        Ok(found.collect::<Result<_, _>>()?)
    }
}
