//! Is the store sound? What is true first, then all that follows from it.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, InterruptHandle};

use super::damage::{Seen, Verification};
use super::error::StoreError;
use super::inspect::Plan;
use super::{By, Store, chain, open};
use crate::core::time::Instant;

/// A store with fewer records, events and slots than this is checked before others could be asked to help.
const FEW: u64 = 4_000;

/// No more connections than this look at a time.
const MOST: usize = 4;

/// Into so many pieces the records and the slots are cut, so that nobody waits long for the last one.
const PIECES: i64 = 16;

/// So often whoever watches is told how far it is.
const OFTEN: Duration = Duration::from_millis(50);

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
        // Only for whoever watches: a table that is missing is told below.
        let of = self.connection.query_row(
            "SELECT (SELECT count(*) FROM records) + (SELECT count(*) FROM events)
                 + (SELECT count(*) FROM slots WHERE home = slot)",
            [],
            |row| row.get::<_, i64>(0),
        );
        let of = of.unwrap_or_default().unsigned_abs();
        if of >= FEW
            && let Some(lookers) = self.lookers()
        {
            return together(lookers, now, of, &mut goes_on);
        }
        let tx = self.still()?;
        let mut done = 0;
        let mut tell = || {
            done += 1;
            goes_on(done, of)
        };
        let by = By { actor: "verify", now };
        let found = Plan::whole(&tx, &by, 1)?.look(&tx, &by, &mut tell)?;
        tx.rollback()?;
        Ok(found)
    }

    /// Connections that see one picture of the store; none where there is no other way than by one's own.
    fn lookers(&self) -> Option<Vec<Connection>> {
        const TRIES: usize = 8;
        let many = thread::available_parallelism().map_or(1, usize::from).min(MOST);
        if many < 2 {
            return None;
        }
        let lookers: Vec<Connection> =
            (0..many).map(|_| open::another(&self.path, self.is_read_only()).ok()).collect::<Option<_>>()?;
        for _ in 0..TRIES {
            let before = self.data_version().ok()?;
            let head = chain::head(&self.connection).ok()?;
            let mut one_file = true;
            for looker in &lookers {
                looker.execute_batch("BEGIN").ok()?;
                one_file &= chain::head(looker).ok()? == head;
            }
            // Nobody wrote between the first and the last of them.
            if self.data_version().ok()? == before {
                // The file may have been taken away, and another put in its place.
                return one_file.then_some(lookers);
            }
            lookers.iter().try_for_each(|looker| looker.execute_batch("ROLLBACK")).ok()?;
        }
        None
    }
}

/// Several look at a time, each at the next part that nobody has begun.
fn together(
    lookers: Vec<Connection>,
    now: Instant,
    of: u64,
    goes_on: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<Option<Verification>, StoreError> {
    let Some(first) = lookers.first().filter(|_| goes_on(0, of)) else { return Ok(None) };
    let by = By { actor: "verify", now };
    let plan = Plan::whole(first, &by, PIECES)?;
    let handles: Vec<_> = lookers.iter().map(Connection::get_interrupt_handle).collect();
    let (next, done, stopped) = (AtomicUsize::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let mut seen: BTreeMap<usize, Result<Option<Seen>, StoreError>> = BTreeMap::new();
    let lookers = thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        let begin = |looker: Connection| {
            let (send, plan, by, next, done, stopped) = (send.clone(), &plan, &by, &next, &done, &stopped);
            scope.spawn(move || {
                let mut tell = || {
                    done.fetch_add(1, Ordering::Relaxed);
                    !stopped.load(Ordering::Relaxed)
                };
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(part) = plan.parts.get(at) else { return looker };
                    let part = plan.look_at(*part, &looker, by, &mut tell);
                    if send.send((at, part)).is_err() {
                        return looker;
                    }
                }
            })
        };
        let begun: Vec<_> = lookers.into_iter().map(begin).collect();
        drop(send);
        loop {
            match receive.recv_timeout(OFTEN) {
                Ok((at, part)) => drop(seen.insert(at, part)),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) if goes_on(done.load(Ordering::Relaxed), of) => {}
                Err(RecvTimeoutError::Timeout) => {
                    stopped.store(true, Ordering::Relaxed);
                    next.store(plan.parts.len(), Ordering::Relaxed);
                    handles.iter().for_each(InterruptHandle::interrupt);
                }
            }
        }
        begun.into_iter().map(|it| it.join().unwrap_or_else(|panic| resume_unwind(panic))).collect::<Vec<_>>()
    });
    if stopped.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let Some(all) = seen.into_values().collect::<Result<Option<Vec<Seen>>, StoreError>>()? else { return Ok(None) };
    lookers.first().map(|first| plan.sum(first, all)).transpose()
}
