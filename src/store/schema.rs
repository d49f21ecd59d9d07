//! Migrations: numbered files that are never edited, each applied in one transaction.

use std::path::Path;
use std::sync::OnceLock;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::chain::{self, Entry};
use super::error::StoreError;
use super::open::APPLICATION_ID;
use super::{By, policy};
use crate::core::time::Instant;

const STEPS: &[&str] = &[include_str!("../../assets/migrations/0001_store.sql")];

/// Brings the store to this version's schema; a newer one is refused untouched.
pub(super) fn migrate(connection: &mut Connection, path: &Path, now: Instant) -> Result<(), StoreError> {
    let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    let found: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if found > known {
        return Err(StoreError::Newer { path: path.to_owned(), found, known });
    }
    if found == known {
        return Ok(());
    }
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have migrated while this one waited for the lock.
    let found: i64 = tx.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    for (step, sql) in STEPS.iter().enumerate().skip(usize::try_from(found).unwrap_or_default()) {
        tx.execute_batch(sql)?;
        if step == 0 {
            begin(&tx, now)?;
        }
    }
    tx.pragma_update(None, "application_id", APPLICATION_ID)?;
    tx.pragma_update(None, "user_version", known)?;
    // What lay in the file besides would be taken along.
    must_be_as_made(&tx, path)?;
    tx.commit()?;
    Ok(())
}

/// The first event of a store, with the policy that it begins with.
fn begin(tx: &Transaction<'_>, now: Instant) -> Result<(), StoreError> {
    let document = policy::shipped_document();
    policy::write_version(tx, now, None, &document)?;
    let body = serde_json::json!({"policy": chain::digest(&[document.as_bytes()]), "schema": STEPS.len()});
    chain::append(tx, &By { actor: "core", now }, &Entry::new("created", body))?;
    Ok(())
}

/// What a schema consists of: each thing by its name.
#[derive(PartialEq)]
pub(super) struct Made {
    /// Every table, index and trigger, with the statement that makes it.
    pub(super) objects: Things,
    /// Of what sort each of them is, and of which table, as the file says beside its statement.
    labels: Things,
}

impl Made {
    pub(super) fn of(connection: &Connection) -> Result<Self, StoreError> {
        Ok(Self { objects: objects(connection)?, labels: things(connection, "concat(type, ' of ', tbl_name)")? })
    }

    pub(super) fn label(&self, name: &str) -> Option<&str> {
        self.labels.iter().find(|(it, _)| it == name).map(|(_, label)| label.as_str())
    }
}

/// The schema of a store of this version: what `verify` holds a file's against. It is always the same, and takes longer to
/// make than to compare with.
pub(super) fn expected() -> Result<&'static Made, StoreError> {
    static MADE: OnceLock<Made> = OnceLock::new();
    if let Some(made) = MADE.get() {
        return Ok(made);
    }
    let fresh = Connection::open_in_memory()?;
    for sql in STEPS {
        fresh.execute_batch(sql)?;
    }
    let made = Made::of(&fresh)?;
    Ok(MADE.get_or_init(|| made))
}

/// Refuses a schema that is not the one that this program makes: what it brings along would be run with what is written.
pub(super) fn must_be_as_made(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let (made, here) = (expected()?, Made::of(connection)?);
    if here == *made {
        return Ok(());
    }
    let named = |of: &[(String, String)], not: &[(String, String)]| {
        of.iter().find(|thing| !not.contains(thing)).map(|(name, _)| name.clone())
    };
    if here.objects == made.objects {
        let name = named(&here.labels, &made.labels).or_else(|| named(&made.labels, &here.labels));
        let wrong = format!("{} is not as it was made", name.unwrap_or_default());
        return Err(StoreError::Altered { path: path.to_owned(), wrong });
    }
    let wrong = match (named(&here.objects, &made.objects), named(&made.objects, &here.objects)) {
        (Some(name), _) if made.objects.iter().any(|(known, _)| *known == name) => {
            format!("{name} is not as it was made")
        }
        (Some(name), _) => format!("{name} does not belong to it"),
        (None, name) => format!("{} is missing", name.unwrap_or_default()),
    };
    Err(StoreError::Altered { path: path.to_owned(), wrong })
}

/// Whether a thing of the schema holds nothing that is true, so that it can be made anew.
pub(super) fn can_be_made_anew(name: &str, sql: &str) -> bool {
    const TRUE: [&str; 5] = ["records", "rulings", "ruling_records", "policies", "events"];
    !sql.starts_with("CREATE TABLE") || !TRUE.contains(&name)
}

/// Puts triggers and indexes back as they were shipped, makes the tables that are missing, and drops triggers, indexes
/// and views that do not belong to the schema. A table that was changed, or does not belong here, is left as it is.
pub(super) fn mend(connection: &Connection) -> Result<(), StoreError> {
    let shipped = &expected()?.objects;
    for (name, sql) in objects(connection)? {
        let Some(word) = ["TRIGGER", "INDEX", "VIEW"].into_iter().find(|word| made_as(&sql, word)) else {
            continue;
        };
        if !shipped.contains(&(name.clone(), sql)) {
            connection.execute_batch(&format!("DROP {word} \"{}\"", name.replace('"', "\"\"")))?;
        }
    }
    let here: Vec<String> = objects(connection)?.into_iter().map(|(name, _)| name).collect();
    let missing = |(name, sql): &&(String, String)| !here.contains(name) && can_be_made_anew(name, sql);
    let of_letters = |name: &str| name.starts_with("pair_letters_") && name != "pair_letters_upto";
    let (tables, others): (Vec<_>, Vec<_>) = shipped
        .iter()
        .filter(missing)
        .partition(|(_, sql)| sql.starts_with("CREATE TABLE") || made_as(sql, "VIRTUAL"));
    // The index of letters makes its own tables.
    for (_, sql) in tables.into_iter().filter(|(name, _)| !of_letters(name)).chain(others) {
        connection.execute_batch(sql)?;
    }
    Ok(())
}

/// Whether a statement makes a thing of that sort.
pub(super) fn made_as(sql: &str, word: &str) -> bool {
    sql.split_ascii_whitespace().skip(1).take(2).any(|it| it == word)
}

/// Things of a schema by their names, each with a text.
type Things = Vec<(String, String)>;

fn objects(connection: &Connection) -> Result<Things, StoreError> {
    things(connection, "sql")
}

fn things(connection: &Connection, text: &str) -> Result<Things, StoreError> {
    let mut statement = connection.prepare(&format!(
        "SELECT name, {text} FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY name"
    ))?;
    let found = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(found.collect::<Result<_, _>>()?)
}
