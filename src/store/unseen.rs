//! A look at the world that showed nothing: the pair stays as it was, and the log says why.

use serde_json::json;

use super::chain::{self, Entry};
use super::error::StoreError;
use super::{By, Store, entry};
use crate::core::ruling::PairId;

impl Store {
    /// Notes that an observer was run for a pair and why that settled nothing. Nothing else is written; a pair that is
    /// not there is noted nowhere.
    pub fn note_unseen(&mut self, pair: PairId, observer: &str, why: &str, by: &By<'_>) -> Result<(), StoreError> {
        let tx = self.write()?;
        let by = By { actor: by.actor, now: chain::never_before_the_last(&tx, by.now)? };
        let Some(entry) = entry::entry(&tx, pair, by.now)? else { return Ok(()) };
        let body = json!({"observer": observer, "because": why});
        let event = Entry::new("unseen", body).on(&entry.subject, &entry.attribute);
        chain::append(&tx, &by, &Entry { pair: Some(pair), ..event })?;
        tx.commit()?;
        Ok(())
    }
}
