//! Looking again: observers are run, a few at a time, and what each saw is entered as soon as it has seen it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::app::failure::Failure;
use crate::app::port::{Looks, Watch};
use crate::core::order::Outcome;
use crate::core::pair::Entry;
use crate::core::ruling::{PairId, RulingId};
use crate::runtime::looking;
use crate::runtime::world::World;
use crate::store::{By, OrderError, Store};

/// How many observers run at the same time.
const AT_ONCE: usize = 4;
/// How often it is looked at whether the work is still wanted.
const GLANCE: Duration = Duration::from_millis(50);

/// Runs the observer of one pair.
pub(super) fn one(
    store: &mut Store,
    world: &World,
    pair: PairId,
    by: &By<'_>,
    watch: &dyn Watch,
) -> Result<Outcome, Failure> {
    let entry = looking::entry(store, pair, by.now)?;
    let looked = world.look(&entry.subject, &entry.attribute, &|| watch.goes_on(0, 1));
    looking::enter(store, &entry, looked, None, by)?.ok_or(Failure::Cancelled)
}

/// Runs the observers of many pairs, each pair with its own answer. What was seen before the work was cancelled stays
/// entered; all of it is one stroke, which one undo takes back.
pub(super) fn all(
    store: &mut Store,
    world: &World,
    pairs: &[PairId],
    by: &By<'_>,
    watch: &dyn Watch,
) -> Result<Looks, Failure> {
    let entries: Vec<Entry> =
        pairs.iter().map(|pair| looking::entry(store, *pair, by.now)).collect::<Result<_, OrderError>>()?;
    let waiting = Mutex::new(entries.into_iter());
    let stopped = AtomicBool::new(false);
    let wanted = || !stopped.load(Ordering::Relaxed);
    let next = || waiting.lock().ok().and_then(|mut waiting| waiting.next()).filter(|_| wanted());
    let mut answers = Vec::with_capacity(pairs.len());
    let mut bulk: Option<RulingId> = None;
    thread::scope(|threads| {
        let (sender, seen) = channel();
        for _ in 0..AT_ONCE.min(pairs.len()) {
            let sender = sender.clone();
            threads.spawn(move || {
                while let Some(entry) = next() {
                    let looked = world.look(&entry.subject, &entry.attribute, &wanted);
                    if sender.send((entry, looked)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        loop {
            if !watch.goes_on(answers.len() as u64, pairs.len() as u64) {
                stopped.store(true, Ordering::Relaxed);
            }
            match seen.recv_timeout(GLANCE) {
                Ok((entry, looked)) => {
                    let answer = looking::enter(store, &entry, looked, bulk, by);
                    let answer = answer.map_err(Failure::from).and_then(|done| done.ok_or(Failure::Cancelled));
                    bulk = bulk.or_else(|| answer.as_ref().ok().map(|outcome| outcome.ruling));
                    answers.push((entry.pair, answer));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    // In the order in which they were asked for, whichever looked fastest.
    answers.sort_by_key(|(pair, _)| pairs.iter().position(|asked| asked == pair));
    Ok(answers)
}
