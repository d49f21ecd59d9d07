//! What an observer saw of a pair, entered: the same for the screen and for the command.

use super::world::{Looked, World};
use crate::core::order::{Order, Outcome, Refusal};
use crate::core::pair::Entry;
use crate::core::ruling::{PairId, RulingId};
use crate::core::time::Instant;
use crate::store::{By, OrderError, Store};

/// Runs the observer of a pair and enters what it saw.
pub fn look_again(store: &mut Store, world: &World, pair: PairId, by: &By<'_>) -> Result<Outcome, OrderError> {
    let entry = entry(store, pair, by.now)?;
    let looked = world.look(&entry.subject, &entry.attribute, &|| true);
    enter(store, &entry, looked, None, by)?.ok_or_else(|| refused("it was cancelled".to_owned()))
}

/// A pair by its number.
pub(super) fn entry(store: &Store, pair: PairId, now: Instant) -> Result<Entry, OrderError> {
    let missing = || Refusal::Missing { what: "pair", id: pair.to_string() };
    Ok(store.entry(pair, now)?.ok_or_else(missing)?)
}

/// Enters what was seen, as a part of the stroke that began with `bulk`, where one has; none where the look was
/// cancelled. What was not seen, or settles nothing, is noted in the log with its reason.
pub(super) fn enter(
    store: &mut Store,
    entry: &Entry,
    looked: Looked,
    bulk: Option<RulingId>,
    by: &By<'_>,
) -> Result<Option<Outcome>, OrderError> {
    match looked {
        Looked::Cancelled => Ok(None),
        Looked::Nobody => Err(refused(format!(
            "no observer serves {} of {}: enter what was seen, or leave a request",
            entry.attribute, entry.subject
        ))),
        Looked::Unseen { observer, why } => {
            store.note_unseen(entry.pair, &observer, &why, by)?;
            Err(refused(format!("{observer} saw nothing: {why}; the pair is as it was")))
        }
        Looked::Seen(seen) => {
            let observer = seen.observer.clone().unwrap_or_default();
            let order = Order::Reobserve { pair: entry.pair, seen: *seen };
            let answer = store.order_in(bulk, &order, by);
            if let Err(OrderError::Refused(refusal)) = &answer {
                store.note_unseen(entry.pair, &observer, &refusal.to_string(), by)?;
            }
            answer.map(Some)
        }
    }
}

fn refused(why: String) -> OrderError {
    OrderError::Refused(Refusal::Because(why))
}
