//! A look at the world that settled nothing: all stays as it was, and the log says why.

use serde_json::json;

use super::chain::{self, Entry};
use super::error::StoreError;
use super::{By, Store, entry};
use crate::core::order::Target;

impl Store {
    /// Notes that an observer was run and why that settled nothing. Nothing else is written; a pair that is not there is
    /// noted nowhere.
    pub fn note_unseen(
        &mut self,
        target: &Target,
        observer: &str,
        why: &str,
        by: &By<'_>,
    ) -> Result<(), StoreError> {
        let tx = self.write()?;
        let by = By { actor: by.actor, now: chain::never_before_the_last(&tx, by.now)? };
        let event = Entry::new("unseen", json!({"observer": observer, "because": why}));
        let event = match target {
            Target::Pair(pair) => {
                let Some(entry) = entry::entry(&tx, *pair, by.now)? else { return Ok(()) };
                Entry { pair: Some(*pair), ..event.on(&entry.subject, &entry.attribute) }
            }
            Target::Slot(subject, attribute) => event.on(subject, attribute),
        };
        chain::append(&tx, &by, &event)?;
        tx.commit()?;
        Ok(())
    }
}
