//! Looking again: observers are run, a few at a time, and what each saw is entered as soon as it has seen it.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use super::queue;
use crate::app::asks::looks::{Answer, Came, Look, Looks, Question, Served};
use crate::app::failure::Failure;
use crate::app::port::Watch;
use crate::core::examine::Ground;
use crate::core::order::{Outcome, Target};
use crate::core::pair::PairState;
use crate::core::record::{Attribute, Subject};
use crate::core::ruling::{PairId, RulingId};
use crate::core::settle::Status;
use crate::core::time::Instant;
use crate::runtime::looking::{self, Place};
use crate::runtime::world::{Looked, World};
use crate::store::{By, OrderError, Store, StoreError};

/// How many observers run at the same time.
const AT_ONCE: usize = 4;
/// How often it is looked at whether the work is still wanted.
const GLANCE: Duration = Duration::from_millis(50);

/// Who looks, and what time it is when something was seen: many looks take long.
pub(super) struct Looker<'a> {
    pub(super) store: &'a mut Store,
    pub(super) world: &'a World,
    pub(super) actor: &'a str,
    pub(super) now: &'a dyn Fn() -> Instant,
}

/// The targets of one slot: one look at it does for all of them.
type Group = Vec<Place>;

impl Looker<'_> {
    fn by(&self) -> By<'_> {
        By { actor: self.actor, now: (self.now)() }
    }

    /// What is asked of looking again at many.
    pub(super) fn answer(&mut self, question: &Question, watch: &dyn Watch) -> Result<Answer, Failure> {
        Ok(match question {
            Question::Served(targets) => Answer::Served(self.served(targets, watch)?),
            Question::All(targets) => Answer::Looked(self.all(targets, watch)?),
            Question::Stale(most) => Answer::Stale(queue::stale(self.store, *most, (self.now)())?),
        })
    }

    /// Runs the observer of one pair.
    pub(super) fn one(&mut self, pair: PairId, watch: &dyn Watch) -> Result<Outcome, Failure> {
        let by = By { actor: self.actor, now: (self.now)() };
        let wanted = || watch.goes_on(0, 1);
        let seen = looking::look_again(self.store, self.world, &Target::Pair(pair), &by, &wanted)?;
        seen.ok_or(Failure::Cancelled)
    }

    /// Which of these an observer looks at.
    fn served(&self, targets: &[Target], watch: &dyn Watch) -> Result<Served, Failure> {
        let mut served = Served::default();
        for (done, target) in targets.iter().enumerate() {
            if !watch.goes_on(done as u64, targets.len() as u64) {
                return Err(Failure::Cancelled);
            }
            match self.to_look_at(target)? {
                None => served.gone.push(target.clone()),
                Some((subject, attribute)) => match self.world.serving(&subject, &attribute) {
                    Some(observer) => {
                        let program = observer.run.first().cloned().unwrap_or_default();
                        served.by.push((target.clone(), program));
                    }
                    None => served.nobody.push(target.clone()),
                },
            }
        }
        Ok(served)
    }

    /// The slot of what is not settled by now; a slot named as such is always there to look at.
    fn to_look_at(&self, target: &Target) -> Result<Option<(Subject, Attribute)>, StoreError> {
        match target {
            Target::Pair(pair) => {
                let entry = self.store.entry(*pair, (self.now)())?;
                let entry = entry.filter(|entry| entry.state != PairState::Settled);
                Ok(entry.map(|entry| (entry.subject, entry.attribute)))
            }
            Target::Slot(subject, attribute) => Ok(Some((subject.clone(), attribute.clone()))),
        }
    }

    /// Runs the observers of many, each slot looked at once. What was seen before the work was cancelled stays entered;
    /// all of it is one stroke, which one undo takes back.
    fn all(&mut self, targets: &[Target], watch: &dyn Watch) -> Result<Looks, Failure> {
        let groups = self.groups(targets)?;
        let (many, workers) = (targets.len() as u64, AT_ONCE.min(groups.len()));
        let world = self.world;
        let waiting = Mutex::new(groups.into_iter());
        let stopped = AtomicBool::new(false);
        let wanted = || !stopped.load(Ordering::Relaxed);
        let next = || waiting.lock().ok().and_then(|mut waiting| waiting.next());
        let looks = thread::scope(|threads| {
            // No more is seen than is entered soon: where the work is stopped, little is still on its way.
            let (sender, seen) = sync_channel(AT_ONCE);
            for _ in 0..workers {
                let sender = sender.clone();
                threads.spawn(move || {
                    while let Some(group) = next() {
                        // What was not begun when the work was stopped is told as not looked at.
                        let first = group.first().filter(|_| wanted());
                        let looked =
                            first.map_or(Looked::Cancelled, |at| world.look(&at.subject, &at.attribute, &wanted));
                        if sender.send((group, looked)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            self.take(&seen, many, watch, &|| stopped.store(true, Ordering::Relaxed))
        });
        Ok(in_order(looks, targets))
    }

    /// Enters what the workers see, until all of them have ended.
    fn take(
        &mut self,
        seen: &Receiver<(Group, Looked)>,
        many: u64,
        watch: &dyn Watch,
        stop: &dyn Fn(),
    ) -> Vec<Look> {
        let mut looks: Vec<Look> = Vec::new();
        let mut bulk: Option<RulingId> = None;
        loop {
            if !watch.goes_on(looks.len() as u64, many) {
                stop();
            }
            match seen.recv_timeout(GLANCE) {
                Ok((group, looked)) => {
                    let (entered, broken) = self.enter(group, &looked, bulk);
                    bulk = bulk.or_else(|| entered.iter().find_map(Look::outcome).map(|outcome| outcome.ruling));
                    looks.extend(entered);
                    // A store that cannot be written to is not asked a thousand times.
                    if broken {
                        stop();
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return looks,
            }
        }
    }

    /// Enters what was seen of a slot for the first of its targets that takes it; what that made of the others is told.
    /// Also whether the store failed.
    fn enter(&mut self, group: Group, looked: &Looked, bulk: Option<RulingId>) -> (Vec<Look>, bool) {
        let (mut looks, mut broken, mut entered) = (Vec::with_capacity(group.len()), false, false);
        for place in group {
            let came = if entered {
                self.stands(&place.target, None, Came::Along)
            } else {
                let by = By { actor: self.actor, now: (self.now)() };
                match looking::enter(self.store, &place, looked.clone(), bulk, &by) {
                    Ok(None) => Ok(Came::NotLooked),
                    Ok(Some(outcome)) => {
                        entered = true;
                        let came = Came::Settled(outcome.clone());
                        self.stands(&place.target, Some(outcome), came)
                    }
                    Err(OrderError::Refused(refusal)) => Ok(Came::Failed(refusal.to_string())),
                    Err(OrderError::Cancelled) => Ok(Came::NotLooked),
                    Err(OrderError::Store(error)) => Err(error),
                }
            };
            broken |= came.is_err();
            let came = came.unwrap_or_else(|error| Came::from(Failure::from(error)));
            looks.push(Look { target: place.target, subject: place.subject, attribute: place.attribute, came });
        }
        (looks, broken)
    }

    /// How a target stands once something was entered: as told, where nothing of it is open, else on which grounds.
    fn stands(&self, target: &Target, outcome: Option<Outcome>, settled: Came) -> Result<Came, StoreError> {
        let answer = outcome.as_ref().and_then(|outcome| outcome.slot.as_ref());
        let contested = answer.is_some_and(|slot| matches!(slot.status, Status::Contested | Status::Awaiting));
        let asked = target.pair().into_iter();
        let opened = outcome.iter().filter(|_| contested).flat_map(|outcome| outcome.opened.iter().copied());
        for pair in asked.chain(opened) {
            if let Some(entry) = self.store.entry(pair, self.by().now)?
                && entry.state != PairState::Settled
            {
                return Ok(Came::Open(outcome, entry.grounds));
            }
        }
        Ok(if contested { Came::Open(outcome, Vec::<Ground>::new()) } else { settled })
    }

    /// The targets by their slots, in the order in which they were asked for.
    fn groups(&self, targets: &[Target]) -> Result<Vec<Group>, OrderError> {
        let mut places: BTreeMap<(Subject, Attribute), usize> = BTreeMap::new();
        let mut groups: Vec<Group> = Vec::new();
        for target in targets {
            let place = looking::place(self.store, target, (self.now)())?;
            let at = *places.entry((place.subject.clone(), place.attribute.clone())).or_insert(groups.len());
            if at == groups.len() {
                groups.push(Group::new());
            }
            groups[at].push(place);
        }
        Ok(groups)
    }
}

/// In the order in which they were asked for, whichever looked fastest.
fn in_order(mut looks: Vec<Look>, targets: &[Target]) -> Looks {
    let places: BTreeMap<&Target, usize> = targets.iter().enumerate().map(|(at, target)| (target, at)).collect();
    looks.sort_by_key(|look| places.get(&look.target).copied());
    looks
}
