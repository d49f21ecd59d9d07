//! A check of the whole store, in parts that need nothing of each other: one after the other in a transaction, or several
//! at a time where as many connections see one picture. What is found is told in one order either way.

use rusqlite::Connection;

use super::damage::{Seen, Tell, Verification};
use super::error::StoreError;
use super::holdings::Holdings;
use super::recount::Batches;
use super::session::Session;
use super::sweep::{self, Following};
use super::{By, projected, truth};

/// What can be looked at by itself.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// What SQLite says of the file.
    File,
    Schema,
    /// Records by their numbers, after one and up to another.
    Records(i64, i64),
    Events,
    Rulings,
    Policies,
    /// Slots that hold more than one record, by their numbers.
    Slots(i64, i64),
    Told,
    Names,
}

/// All that is to be looked at, in the order in which what is found is told.
pub(super) struct Plan {
    pub(super) parts: Vec<Part>,
    /// Whether what follows from what is true is checked as well.
    follows: bool,
    holdings: Holdings,
    batches: Batches,
}

impl Plan {
    /// Everything, the long parts cut into so many pieces. Where tables are missing or not as shipped, no more than that
    /// is found: what follows from what is true cannot be read at all.
    pub(super) fn whole(connection: &Connection, pieces: i64) -> Result<Self, StoreError> {
        let (mut parts, readable) = (vec![Part::File, Part::Schema], is_readable(connection)?);
        if readable {
            parts.extend(pieces_of(
                connection,
                "SELECT coalesce(max(record), 0) FROM records",
                pieces,
                Part::Records,
            )?);
            parts.extend([Part::Events, Part::Rulings, Part::Policies]);
            parts.extend(pieces_of(connection, "SELECT coalesce(max(slot), 0) FROM slots", pieces, Part::Slots)?);
            parts.extend([Part::Told, Part::Names]);
        }
        let (holdings, batches) = if readable {
            (Holdings::read(connection)?, Batches::begin(connection)?)
        } else {
            (Holdings::unknown(), Batches::default())
        };
        Ok(Self { parts, follows: readable, holdings, batches })
    }

    /// What is true, and nothing that follows from it.
    pub(super) fn of_what_is_true(connection: &Connection) -> Result<Self, StoreError> {
        let mut parts = vec![Part::File, Part::Schema];
        if is_readable(connection)? {
            parts.extend([Part::Records(i64::MIN, i64::MAX), Part::Events, Part::Rulings, Part::Policies]);
        }
        Ok(Self { parts, follows: false, holdings: Holdings::unknown(), batches: Batches::default() })
    }

    /// Looks at one part after the other; none where it was given up.
    pub(super) fn look(
        &self,
        connection: &Connection,
        by: &By<'_>,
        tell: Tell<'_>,
    ) -> Result<Option<Verification>, StoreError> {
        let mut all = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            match self.look_at(*part, connection, by, tell)? {
                Some(seen) => all.push(seen),
                None => return Ok(None),
            }
        }
        Ok(Some(self.sum(connection, all)?))
    }

    /// Looks at one part; none where it was given up.
    pub(super) fn look_at(
        &self,
        part: Part,
        connection: &Connection,
        by: &By<'_>,
        tell: Tell<'_>,
    ) -> Result<Option<Seen>, StoreError> {
        let mut found = Verification::default();
        match part {
            Part::File => truth::integrity(connection, &mut found)?,
            Part::Schema => drop(truth::schema_as_shipped(connection, &mut found)?),
            Part::Records(after, upto) => {
                let session = self.follows.then(|| Session::begin(connection, by)).transpose()?;
                let following = session.as_ref().map(|session| Following { session, holdings: &self.holdings });
                return sweep::records(connection, (after, upto), following, self.batches.clone(), tell);
            }
            Part::Events => match truth::events(connection, tell)? {
                Some(events) => found = events,
                None => return Ok(None),
            },
            Part::Rulings => truth::rulings(connection, &mut found)?,
            Part::Policies => truth::policies(connection, &mut found)?,
            Part::Slots(after, upto) => {
                return projected::slots(&Session::begin(connection, by)?, &self.holdings, (after, upto), tell);
            }
            Part::Told => projected::told(connection, &mut found)?,
            Part::Names => projected::names(connection, &mut found)?,
        }
        Ok(Some(Seen { found, ..Seen::default() }))
    }

    /// What all parts have seen, which come in their order, and what can only be said of all of it.
    pub(super) fn sum(&self, connection: &Connection, all: Vec<Seen>) -> Result<Verification, StoreError> {
        let (mut found, mut slots, mut batches) = (Verification::default(), Vec::new(), Batches::default());
        for (part, seen) in self.parts.iter().zip(all) {
            if matches!(part, Part::Told) {
                slots.sort_by_key(|(slot, _)| *slot);
                found.damage.extend(slots.drain(..).map(|(_, damage)| damage));
            }
            found.join(seen.found);
            slots.extend(seen.slots);
            batches.join(seen.batches);
        }
        if self.follows {
            projected::counts(connection, &batches, &mut found)?;
        }
        Ok(found)
    }
}

fn is_readable(connection: &Connection) -> Result<bool, StoreError> {
    truth::schema_as_shipped(connection, &mut Verification::default())
}

/// Numbers up to the last, in so many pieces. The first takes what lies below all that this program gives, the last what
/// lies above.
fn pieces_of(
    connection: &Connection,
    last: &str,
    pieces: i64,
    part: impl Fn(i64, i64) -> Part,
) -> Result<Vec<Part>, StoreError> {
    let last: i64 = connection.query_row(last, [], |row| row.get(0))?;
    let step = last / pieces + 1;
    let end = |piece: i64| match piece {
        0 => i64::MIN,
        piece if piece == pieces => i64::MAX,
        piece => step.saturating_mul(piece),
    };
    Ok((0..pieces).map(|piece| part(end(piece), end(piece + 1))).collect())
}
