//! Facts that have grown old: settled slots whose latest support is older than their policy lets it be.

use serde_json::Value;

use super::Store;
use super::error::StoreError;
use super::law::SlotName;
use super::session::Session;
use super::{By, rows};
use crate::core::decay;
use crate::core::record::{Attribute, Subject};
use crate::core::time::Instant;

/// A stale fact.
#[derive(Clone, Debug, PartialEq)]
pub struct Stale {
    pub subject: Subject,
    pub attribute: Attribute,
    /// The value, where the attribute holds one at a time.
    pub value: Option<Value>,
    /// When it was last seen to hold.
    pub supported_at: Instant,
    /// The age, in nanoseconds, that the policy allows.
    pub max_age: i128,
}

impl Store {
    /// The stale facts, the longest unseen first, at most `limit` of them; of one attribute, where one is named.
    pub fn stale(
        &self,
        attribute: Option<&Attribute>,
        limit: usize,
        now: Instant,
    ) -> Result<Vec<Stale>, StoreError> {
        let session = Session::begin(&self.connection, &By { actor: "", now })?;
        let named = |of: &&Attribute| attribute.is_none_or(|wanted| wanted == *of);
        let general = session.law.policy.attributes.iter().filter(|(_, fields)| fields.max_age.is_some());
        let own = session.law.policy.slots.iter().filter(|(_, fields)| fields.max_age.is_some());
        let mut asked: Vec<&Attribute> = general.map(|(attribute, _)| attribute).collect();
        asked.extend(own.map(|((_, attribute), _)| attribute));
        asked.sort_unstable();
        asked.dedup();
        let mut found = Vec::new();
        for attribute in asked.into_iter().filter(named) {
            of_attribute(&session, attribute, limit, &mut found)?;
        }
        found.sort_by(|a, b| {
            (a.supported_at, &a.attribute, &a.subject).cmp(&(b.supported_at, &b.attribute, &b.subject))
        });
        found.truncate(limit);
        Ok(found)
    }
}

/// Those of one attribute, the longest unseen first: slots are read in that order until `limit` of them are stale.
fn of_attribute(
    session: &Session<'_>,
    attribute: &Attribute,
    limit: usize,
    found: &mut Vec<Stale>,
) -> Result<(), StoreError> {
    let now = session.by.now;
    let mut statement = session.connection.prepare_cached(
        "SELECT subject, value, supported_at FROM slots
         WHERE attribute = ?1 AND supported_at < ?2 AND home = slot ORDER BY supported_at, subject",
    )?;
    let mut rows = statement.query((attribute.as_str(), now.sortable()))?;
    let before = found.len();
    while let Some(row) = rows.next()? {
        if found.len() - before == limit {
            break;
        }
        let subject = Subject::from(row.get::<_, String>("subject")?.as_str());
        let supported_at: Instant = rows::parsed(&row.get::<_, String>("supported_at")?)?;
        // A slot may have an age of its own.
        let rules = session.rules(&SlotName { subject: subject.clone(), attribute: attribute.clone() });
        let Some(max_age) = rules.max_age else { continue };
        if decay::cutoff_of(max_age, now).is_none_or(|cutoff| supported_at >= cutoff) {
            continue;
        }
        let value: Option<String> = row.get("value")?;
        let value = value.map(|value| rows::json(&value)).transpose()?;
        found.push(Stale { subject, attribute: attribute.clone(), value, supported_at, max_age });
    }
    Ok(())
}
