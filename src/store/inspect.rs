//! A check of the whole store, in parts that need nothing of each other: one after the other in a transaction, or several
//! at a time where as many connections see one picture. What is found is told in one order either way.
//!
//! A part that cannot be read to its end is damage too, and the others are looked at all the same.

use rusqlite::Connection;

use super::damage::{Damage, Seen, Tell, Verification};
use super::error::StoreError;
use super::holdings::Holdings;
use super::recount::Batches;
use super::session::Session;
use super::sweep::{self, Following};
use super::truth::{self, Schema};
use super::{By, projected};

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
    Questions,
    Waiting,
}

impl Part {
    /// What cannot be read to its end where a part cannot: what is true by its name, and all that follows by one.
    const fn name(self) -> Option<&'static str> {
        match self {
            Self::File => Some("the file"),
            Self::Schema => Some("the schema"),
            Self::Records(..) => Some("the records"),
            Self::Events => Some("the log"),
            Self::Rulings => Some("the rulings"),
            Self::Policies => Some("the policies"),
            Self::Slots(..) | Self::Told | Self::Names | Self::Questions | Self::Waiting => None,
        }
    }
}

/// All that is to be looked at, in the order in which what is found is told.
pub(super) struct Plan {
    pub(super) parts: Vec<Part>,
    schema: Schema,
    /// What is wrong with the schema.
    altered: Verification,
    follows: Follows,
    holdings: Holdings,
    batches: Batches,
}

/// Whether what follows from what is true is checked as well.
enum Follows {
    Yes,
    /// Nobody asked, or its tables are not there.
    No,
    /// It cannot be worked out, and why: without a policy that can be read, say.
    Unknown(Damage),
}

impl Plan {
    /// Everything, the long parts cut into so many pieces. Where tables are missing or not as shipped, no more than that
    /// is found: what follows from what is true cannot be read at all.
    pub(super) fn whole(connection: &Connection, by: &By<'_>, pieces: i64) -> Result<Self, StoreError> {
        let mut plan = Self::of_the_schema(connection)?;
        if !plan.schema.readable {
            return Ok(plan);
        }
        plan.parts.extend(pieces_of(
            connection,
            "SELECT coalesce(max(record), 0) FROM records",
            pieces,
            Part::Records,
        )?);
        plan.parts.extend([Part::Events, Part::Rulings, Part::Policies]);
        if let Err(error) = Session::begin(connection, by) {
            plan.follows = Follows::Unknown(not_worked_out(&passed_on(error)?));
            return Ok(plan);
        }
        plan.follows = Follows::Yes;
        plan.parts.extend(pieces_of(connection, "SELECT coalesce(max(slot), 0) FROM slots", pieces, Part::Slots)?);
        plan.parts.extend([Part::Told, Part::Names, Part::Questions, Part::Waiting]);
        // Where these cannot be read, that shows in the parts: each slot is looked at by itself, and no batch is as kept.
        plan.holdings = or_else(Holdings::read(connection), Holdings::unknown)?;
        plan.batches = or_else(Batches::begin(connection), Batches::default)?;
        Ok(plan)
    }

    /// What is true, and nothing that follows from it.
    pub(super) fn of_what_is_true(connection: &Connection) -> Result<Self, StoreError> {
        let mut plan = Self::of_the_schema(connection)?;
        if plan.schema.readable {
            let all = Part::Records(i64::MIN, i64::MAX);
            plan.parts.extend([all, Part::Events, Part::Rulings, Part::Policies]);
        }
        Ok(plan)
    }

    fn of_the_schema(connection: &Connection) -> Result<Self, StoreError> {
        let mut altered = Verification::default();
        let schema = truth::schema_as_shipped(connection, &mut altered)?;
        let parts = vec![Part::File, Part::Schema];
        let (holdings, batches) = (Holdings::unknown(), Batches::default());
        Ok(Self { parts, schema, altered, follows: Follows::No, holdings, batches })
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
        let mut seen = Seen { batches: self.batches.clone(), ..Seen::default() };
        let ended = match part {
            Part::Records(after, upto) => self.records(connection, by, (after, upto), &mut seen, tell),
            Part::Slots(after, upto) => Session::begin(connection, by)
                .and_then(|session| projected::slots(&session, &self.holdings, (after, upto), &mut seen, tell)),
            Part::Events => truth::events(connection, &mut seen.found, tell),
            Part::File
            | Part::Schema
            | Part::Rulings
            | Part::Policies
            | Part::Told
            | Part::Names
            | Part::Questions
            | Part::Waiting => self.at_once(part, connection, by, &mut seen.found).map(|()| true),
        };
        match ended {
            Ok(true) => Ok(Some(seen)),
            Ok(false) => Ok(None),
            Err(error) => {
                let error = passed_on(error)?;
                seen.broken_off = Some(part.name().map_or_else(
                    || not_worked_out(&error),
                    |name| Damage::new(name, format!("it cannot be read to its end: {error}")),
                ));
                Ok(Some(seen))
            }
        }
    }

    /// Where what follows keeps records from being looked at, they are looked at without it.
    fn records(
        &self,
        connection: &Connection,
        by: &By<'_>,
        within: (i64, i64),
        seen: &mut Seen,
        tell: Tell<'_>,
    ) -> Result<bool, StoreError> {
        if !matches!(self.follows, Follows::Yes) {
            return sweep::records(connection, within, None, seen, tell);
        }
        let swept = Session::begin(connection, by).and_then(|session| {
            let following = Following { session: &session, holdings: &self.holdings };
            sweep::records(connection, within, Some(following), seen, tell)
        });
        match swept {
            Err(error) => {
                let error = passed_on(error)?;
                *seen = Seen { broken_off: Some(not_worked_out(&error)), ..Seen::default() };
                sweep::records(connection, within, None, seen, tell)
            }
            swept => swept,
        }
    }

    /// A part of which nobody is told how far it is.
    fn at_once(
        &self,
        part: Part,
        connection: &Connection,
        by: &By<'_>,
        found: &mut Verification,
    ) -> Result<(), StoreError> {
        match part {
            Part::File if self.schema.own => truth::integrity(connection, found)?,
            // SQLite's check computes what tables and indexes demand: of somebody else's, that may be anything.
            Part::File => {
                "nothing: it was not asked, for the schema is not as it was made".clone_into(&mut found.integrity)
            }
            Part::Schema => *found = self.altered.clone(),
            Part::Rulings => truth::rulings(connection, found)?,
            Part::Policies => truth::policies(connection, found)?,
            Part::Told => projected::told(connection, found)?,
            Part::Names => projected::names(connection, found)?,
            Part::Questions => projected::questions(&Session::begin(connection, by)?, found)?,
            Part::Waiting => projected::waiting(connection, found)?,
            Part::Records(..) | Part::Slots(..) | Part::Events => {}
        }
        Ok(())
    }

    /// What all parts have seen, which come in their order, and what can only be said of all of it.
    pub(super) fn sum(&self, connection: &Connection, all: Vec<Seen>) -> Result<Verification, StoreError> {
        let (mut found, mut slots, mut batches) = (Verification::default(), Vec::new(), Batches::default());
        let (mut not_followed, mut all_records) = (None, true);
        for (part, seen) in self.parts.iter().zip(all) {
            if matches!(part, Part::Told) {
                slots.sort_by_key(|(slot, _)| *slot);
                found.damage.extend(slots.drain(..).map(|(_, damage)| damage));
            }
            found.join(seen.found);
            slots.extend(seen.slots);
            batches.join(seen.batches);
            let Some(of) = seen.broken_off else { continue };
            all_records &= !matches!(part, Part::Records(..));
            if part.name() != Some(of.what.as_str()) {
                not_followed = not_followed.or(Some(of));
            } else if !found.damage.contains(&of) {
                // Several pieces of one part may end for one reason.
                found.lose(of.what, of.wrong);
            }
        }
        match &self.follows {
            Follows::Yes => {
                let batches = all_records.then_some(&batches);
                if let Err(error) = projected::counts(connection, batches, &mut found) {
                    let error = passed_on(error)?;
                    not_followed = not_followed.or(Some(not_worked_out(&error)));
                }
            }
            Follows::Unknown(why) => not_followed = Some(why.clone()),
            Follows::No => {}
        }
        found.damage.extend(not_followed);
        Ok(found)
    }
}

fn not_worked_out(error: &StoreError) -> Damage {
    Damage::new("what follows", format!("it cannot be worked out anew: {error}"))
}

/// An error that says something of what the store holds; one that lies in the moment or the machine ends the check.
fn passed_on(error: StoreError) -> Result<StoreError, StoreError> {
    if error.is_passing() { Err(error) } else { Ok(error) }
}

fn or_else<T>(read: Result<T, StoreError>, otherwise: impl FnOnce() -> T) -> Result<T, StoreError> {
    read.or_else(|error| passed_on(error).map(|_| otherwise()))
}

/// Numbers up to the last, in so many pieces. The first takes what lies below all that this program gives, the last what
/// lies above. Where nobody can say which the last is, all of them are one.
fn pieces_of(
    connection: &Connection,
    last: &str,
    pieces: i64,
    part: impl Fn(i64, i64) -> Part,
) -> Result<Vec<Part>, StoreError> {
    let last = connection.query_row(last, [], |row| row.get::<_, i64>(0)).map_err(StoreError::from);
    let Some(last) = or_else(last.map(Some), || None)? else { return Ok(vec![part(i64::MIN, i64::MAX)]) };
    let step = last / pieces + 1;
    let end = |piece: i64| match piece {
        0 => i64::MIN,
        piece if piece == pieces => i64::MAX,
        piece => step.saturating_mul(piece),
    };
    Ok((0..pieces).map(|piece| part(end(piece), end(piece + 1))).collect())
}
