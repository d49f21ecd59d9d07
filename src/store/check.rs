//! What `verify` said last, kept so that the next reader knows when that was. It stands beside the chain and proves
//! nothing: only running it again does.

use rusqlite::{OptionalExtension, params};
use serde_json::json;

use super::damage::{Damage, Verification};
use super::error::StoreError;
use super::rows;
use super::schema;
use super::{By, Store};
use crate::core::time::Instant;

/// What `verify` said, when, and to whom.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    pub at: Instant,
    pub actor: String,
    /// How many events there were.
    pub events: u64,
    /// The hash of the last of them, in hexadecimal digits.
    pub head: String,
    /// What was found; empty where the store was whole.
    pub damage: Vec<Damage>,
}

/// Of great damage the first things are kept: the screen shows no more, and `gainsay verify` lists them all.
const KEPT: usize = 50;

impl Store {
    /// Keeps what `verify` found; returns it as it will be read. A file that SQLite itself finds broken is not
    /// written to, nor one whose schema is not as it was made.
    pub fn keep_check(&mut self, found: &Verification, by: &By<'_>) -> Result<Check, StoreError> {
        let check = Check {
            at: by.now,
            actor: by.actor.to_owned(),
            events: found.events,
            head: found.head.clone(),
            damage: found.damage.iter().take(KEPT).cloned().collect(),
        };
        if found.integrity == "ok" && schema::must_be_as_made(&self.connection, &self.path).is_ok() {
            let damage: Vec<_> =
                check.damage.iter().map(|damage| json!({"what": damage.what, "wrong": damage.wrong})).collect();
            let tx = self.write()?;
            tx.prepare_cached(
                "INSERT OR REPLACE INTO checks (only, at, actor, events, head, damage) VALUES (1, ?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![
                check.at.sortable(),
                check.actor,
                i64::try_from(check.events).unwrap_or(i64::MAX),
                check.head,
                json!(damage).to_string()
            ])?;
            tx.commit()?;
        }
        Ok(check)
    }

    /// What `verify` said last; none where it never ran on this store.
    pub fn last_check(&self) -> Result<Option<Check>, StoreError> {
        let row = |row: &rusqlite::Row<'_>| {
            let damage = rows::json(&row.get::<_, String>("damage")?)?;
            let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
            let damage = damage.as_array().into_iter().flatten();
            Ok(Check {
                at: rows::parsed(&row.get::<_, String>("at")?)?,
                actor: row.get("actor")?,
                events: row.get::<_, i64>("events")?.unsigned_abs(),
                head: row.get("head")?,
                damage: damage.map(|it| Damage { what: text(&it["what"]), wrong: text(&it["wrong"]) }).collect(),
            })
        };
        Ok(self.connection.prepare_cached("SELECT * FROM checks")?.query_row([], row).optional()?)
    }
}
