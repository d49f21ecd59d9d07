//! What is known by name, and which known name is the nearest to one that is not.

use rusqlite::Connection;

use super::Store;
use super::error::StoreError;
use super::identity;
use crate::core::nearest::nearest;
use crate::core::record::{Attribute, Subject};

impl Store {
    /// Whether any record is about a subject, under this name or another that was confirmed to be its own.
    pub fn knows_subject(&self, subject: &Subject) -> Result<bool, StoreError> {
        let identity = identity::identity(&self.connection, None)?;
        for name in identity.names_of(subject) {
            // Records without an attribute are of no slot.
            let known: bool = self
                .connection
                .prepare_cached(
                    "SELECT EXISTS (SELECT 1 FROM slots s JOIN records r ON r.slot = s.slot WHERE s.subject = ?1)
                     OR EXISTS (SELECT 1 FROM records WHERE slot IS NULL AND subject = ?1)",
                )?
                .query_row([name.as_str()], |row| row.get(0))?;
            if known {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The subject whose name is the nearest to one of which there is no record.
    pub fn nearest_subject(&self, wrong: &Subject) -> Result<Option<Subject>, StoreError> {
        let names = texts(&self.connection, &of_slots("subject"))?;
        let nearest = nearest(wrong.as_str(), names.iter().map(String::as_str));
        Ok(nearest.map(|name| Subject::from(name.as_str())))
    }

    /// Of the attributes that any record is about, the one whose name is the nearest.
    pub fn nearest_attribute(&self, wrong: &Attribute) -> Result<Option<Attribute>, StoreError> {
        let names = texts(&self.connection, &of_slots("attribute"))?;
        let nearest = nearest(wrong.as_str(), names.iter().map(String::as_str));
        Ok(nearest.map(|name| Attribute::from(name.as_str())))
    }
}

/// One column of the slots that a record is in: a word on a name makes slots without any.
fn of_slots(column: &str) -> String {
    format!(
        "SELECT DISTINCT {column} FROM slots WHERE EXISTS (SELECT 1 FROM records WHERE records.slot = slots.slot)"
    )
}

fn texts(connection: &Connection, query: &str) -> Result<Vec<String>, StoreError> {
    let mut statement = connection.prepare(query)?;
    let found = statement.query_map([], |row| row.get(0))?;
    Ok(found.collect::<Result<_, _>>()?)
}
