//! What an observer saw of a pair, or of a settled slot, entered: the same for the screen and for the command.

use super::world::{Looked, World};
use crate::core::order::{Outcome, Refusal, Target};
use crate::core::record::{Attribute, Subject};
use crate::core::ruling::{PairId, RulingId};
use crate::core::time::Instant;
use crate::store::{By, OrderError, Store};

/// What is looked at, and the slot for which an observer is sought.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) target: Target,
    pub(super) subject: Subject,
    pub(super) attribute: Attribute,
}

/// Runs the observer of a target as long as it is wanted, and enters what it saw; none where it was not.
pub fn look_again(
    store: &mut Store,
    world: &World,
    target: &Target,
    by: &By<'_>,
    wanted: &dyn Fn() -> bool,
) -> Result<Option<Outcome>, OrderError> {
    let place = place(store, target, by.now)?;
    let looked = world.look(&place.subject, &place.attribute, wanted);
    enter(store, &place, looked, None, by)
}

/// Where a target is.
pub(super) fn place(store: &Store, target: &Target, now: Instant) -> Result<Place, OrderError> {
    let (subject, attribute) = match target {
        Target::Pair(pair) => {
            let entry = store.entry(*pair, now)?.ok_or_else(|| missing(*pair))?;
            (entry.subject, entry.attribute)
        }
        Target::Slot(subject, attribute) => (subject.clone(), attribute.clone()),
    };
    Ok(Place { target: target.clone(), subject, attribute })
}

/// Enters what was seen, as a part of the stroke that began with `bulk`, where one has; none where the look was
/// cancelled. What was not seen, or settles nothing, is noted in the log with its reason.
pub(super) fn enter(
    store: &mut Store,
    place: &Place,
    looked: Looked,
    bulk: Option<RulingId>,
    by: &By<'_>,
) -> Result<Option<Outcome>, OrderError> {
    match looked {
        Looked::Cancelled => Ok(None),
        Looked::Nobody => Err(refused(format!(
            "no observer serves {} of {}: enter what was seen, or leave a request",
            place.attribute, place.subject
        ))),
        Looked::Unseen { observer, why } => {
            store.note_unseen(&place.target, &observer, &why, by)?;
            let kept =
                if place.target.pair().is_some() { "the pair is as it was" } else { "the fact is as it was" };
            Err(refused(format!("{observer} saw nothing: {why}; {kept}")))
        }
        Looked::Seen(seen) => {
            let observer = seen.observer.clone().unwrap_or_default();
            let answer = store.order_in(bulk, &place.target.entering(*seen), by);
            if let Err(OrderError::Refused(refusal)) = &answer {
                store.note_unseen(&place.target, &observer, &refusal.to_string(), by)?;
            }
            answer.map(Some)
        }
    }
}

fn missing(pair: PairId) -> Refusal {
    Refusal::Missing { what: "pair", id: pair.to_string() }
}

fn refused(why: String) -> OrderError {
    OrderError::Refused(Refusal::Because(why))
}
