//! Is the store sound? What is true first, then all that follows from it.

use super::damage::Verification;
use super::error::StoreError;
use super::session::Session;
use super::truth::{self, Reached};
use super::{By, Store, projected};
use crate::core::time::Instant;

impl Store {
    /// Checks everything, in one consistent view of the store. `progress` is told how many records, events and slots
    /// were looked at, and of how many.
    pub fn verify(&mut self, now: Instant, mut progress: impl FnMut(u64, u64)) -> Result<Verification, StoreError> {
        let found = self.verify_while(now, |done, of| {
            progress(done, of);
            true
        })?;
        found.ok_or_else(|| StoreError::Damaged("the check was not finished".to_owned()))
    }

    /// As [`verify`](Self::verify), as long as `goes_on` says so; none where it was given up.
    pub fn verify_while(
        &mut self,
        now: Instant,
        mut goes_on: impl FnMut(u64, u64) -> bool,
    ) -> Result<Option<Verification>, StoreError> {
        let tx = self.still()?;
        let mut found = Verification::default();
        // Only for whoever watches: a table that is missing is told below.
        let of = tx.query_row(
            "SELECT (SELECT count(*) FROM records) + (SELECT count(*) FROM events)
                 + (SELECT count(*) FROM slots WHERE home = slot)",
            [],
            |row| row.get::<_, i64>(0),
        );
        let of = of.unwrap_or_default().unsigned_abs();
        let mut tell = |found: &Verification| goes_on(found.records + found.events + found.slots, of);
        match truth::check(&tx, &mut found, &mut tell)? {
            Reached::End => {}
            Reached::Schema => return Ok(Some(found)),
            Reached::GivenUp => return Ok(None),
        }
        let session = Session::begin(&tx, &By { actor: "verify", now });
        match session.and_then(|session| projected::check(&session, &mut found, &mut tell)) {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(error) if error.is_passing() => return Err(error),
            // Without a policy that can be read, say: that it is not, was found above.
            Err(error) => found.find("what follows", format!("it cannot be worked out anew: {error}")),
        }
        tx.rollback()?;
        Ok(Some(found))
    }
}
