//! The store's threads. One carries out what a key waits for, one after another, and asks four times a second whether
//! someone else has written; the other what may take long, so that the first is never kept waiting.

use std::cell::Cell;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant as Moment};

use super::clock::Clock;
use super::wake::Wake;
use crate::app::bulk::{Choice, Sorted};
use crate::app::port::Watch;
use crate::app::{Effect, Failure, Lane, Msg, Ordered, Port};
use crate::core::order::Outcome;
use crate::core::ruling::PairId;
use crate::core::time::Instant;

/// The screen follows other processes within a second.
const POLL: Duration = Duration::from_millis(250);

/// The store twice: for what a key waits for, and for what may take long.
pub struct Ports {
    pub quick: Box<dyn Port>,
    pub long: Box<dyn Port>,
}

/// The threads that own the store: one for what a key waits for, one for what may take long.
pub(super) struct Workers {
    quick: Worker,
    long: Worker,
    /// The number of the work that is not wanted any more.
    cancelled: Arc<AtomicU64>,
}

struct Worker {
    jobs: Sender<Effect>,
    thread: JoinHandle<()>,
}

impl Workers {
    /// Starts both.
    pub(super) fn start(ports: Ports, clock: Clock, inbox: &Sender<Wake>) -> io::Result<Self> {
        let cancelled = Arc::new(AtomicU64::new(0));
        let bench = |polls| Bench { clock, inbox: inbox.clone(), cancelled: cancelled.clone(), polls };
        let quick = Worker::start("store", ports.quick, bench(true))?;
        let long = Worker::start("long work", ports.long, bench(false))?;
        Ok(Self { quick, long, cancelled })
    }

    /// Hands an effect to the thread that carries it out.
    pub(super) fn give(&self, effect: Effect) {
        let worker = match effect.lane() {
            Lane::Screen | Lane::Quick => &self.quick,
            Lane::Long => &self.long,
        };
        // A store that is gone has said so through the panic hook: that message is on its way.
        let _gone = worker.jobs.send(effect);
    }

    /// Work is not wanted any more: it stops where it next looks up, and writes nothing.
    pub(super) fn cancel(&self, number: u64) {
        self.cancelled.store(number, Ordering::Relaxed);
    }

    /// They finish what they were given: what was ruled is written before the program ends. Long work is given up.
    pub(super) fn finish(self) {
        self.cancelled.store(u64::MAX, Ordering::Relaxed);
        for Worker { jobs, thread } in [self.quick, self.long] {
            drop(jobs);
            let _finished = thread.join();
        }
    }
}

impl Worker {
    fn start(name: &str, port: Box<dyn Port>, bench: Bench) -> io::Result<Self> {
        let (jobs, effects) = channel();
        let work = move || bench.serve(port, &effects);
        let thread = thread::Builder::new().name(name.to_owned()).spawn(work)?;
        Ok(Self { jobs, thread })
    }
}

/// What a worker works with.
struct Bench {
    clock: Clock,
    inbox: Sender<Wake>,
    cancelled: Arc<AtomicU64>,
    /// Whether it asks four times a second if another process has written.
    polls: bool,
}

impl Bench {
    fn serve(&self, mut port: Box<dyn Port>, effects: &Receiver<Effect>) {
        let mut polled = Moment::now();
        loop {
            let first = match effects.recv_timeout(POLL) {
                Ok(effect) => Some(effect),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            let waiting: Vec<Effect> = first.into_iter().chain(effects.try_iter()).collect();
            for effect in newest(waiting) {
                let watch = self.watch(effect.number().unwrap_or_default());
                if let Some(msg) = perform(port.as_mut(), effect, self.clock.now(), &watch) {
                    let _left = self.inbox.send(Wake::Msg(Box::new(msg)));
                }
            }
            if self.polls && polled.elapsed() >= POLL {
                polled = Moment::now();
                // A store that cannot say is asked again; the next read says what is wrong with it.
                if port.changed().unwrap_or(false) {
                    let _left = self.inbox.send(Wake::Msg(Box::new(Msg::Changed(self.clock.now()))));
                }
            }
        }
    }

    fn watch(&self, number: u64) -> Progress<'_> {
        Progress { bench: self, number, told: Cell::new(Moment::now()) }
    }
}

/// Work that is shorter than this shows nothing; longer work is shown no more often than this.
const SHOWN_AFTER: Duration = Duration::from_millis(150);

/// Tells the screen how far work is, and the work whether it is still wanted.
struct Progress<'a> {
    bench: &'a Bench,
    number: u64,
    told: Cell<Moment>,
}

impl Watch for Progress<'_> {
    fn goes_on(&self, done: u64, of: u64) -> bool {
        if self.number > 0 && self.told.get().elapsed() >= SHOWN_AFTER {
            self.told.set(Moment::now());
            let progress = Msg::Progress { number: self.number, done, of };
            let _left = self.bench.inbox.send(Wake::Msg(Box::new(progress)));
        }
        let cancelled = self.bench.cancelled.load(Ordering::Relaxed);
        cancelled != u64::MAX && (self.number == 0 || cancelled != self.number)
    }
}

/// Leaves out reads that later ones of the same kind overtake: after a burst of keys only the last are of use. Two
/// pairs are kept, for a ruling that came too late asks for the pair it was about and for the one on the screen.
fn newest(waiting: Vec<Effect>) -> Vec<Effect> {
    let (mut pages, mut pairs) = (1, 2);
    let mut kept: Vec<Effect> = waiting
        .into_iter()
        .rev()
        .filter(|effect| match effect {
            Effect::Page { .. } => take(&mut pages),
            Effect::Pair(_) => take(&mut pairs),
            Effect::Ids { .. }
            | Effect::CarryOut { .. }
            | Effect::Observe { .. }
            | Effect::Preview { .. }
            | Effect::Sort { .. }
            | Effect::History { .. }
            | Effect::Batches { .. }
            | Effect::Log { .. }
            | Effect::Policy { .. }
            | Effect::Cancel { .. }
            | Effect::Copy { .. }
            | Effect::CopyJson(_)
            | Effect::Edit { .. }
            | Effect::Mouse(_)
            | Effect::Redraw
            | Effect::Suspend
            | Effect::Quit => true,
        })
        .collect();
    kept.reverse();
    kept
}

/// Takes one of what is left, where anything is.
const fn take(left: &mut u32) -> bool {
    let some = *left > 0;
    *left = left.saturating_sub(1);
    some
}

/// Carries one effect out on a store, and says what came of it; none for what is the screen's to do.
pub fn perform(port: &mut dyn Port, effect: Effect, now: Instant, watch: &dyn Watch) -> Option<Msg> {
    Some(match effect {
        Effect::Page { generation, request } => Msg::Page { generation, answer: port.page(&request, now) },
        Effect::Pair(pair) => Msg::Pair { pair, answer: Box::new(port.pair(pair, now)) },
        Effect::Ids { number, filter, sorting, limit } => {
            Msg::Marked { number, answer: port.ids(&filter, sorting, limit, now) }
        }
        Effect::CarryOut { number, orders } => {
            Msg::CarriedOut { number, answers: carry_out(port, &orders, now, watch), at: now }
        }
        Effect::Observe { number, pair } => {
            Msg::CarriedOut { number, answers: vec![port.observe(pair, now)], at: now }
        }
        Effect::Preview { number, order } => Msg::Previewed { number, answer: port.preview(&order, now) },
        Effect::Sort { number, pairs, choice } => {
            Msg::Sorted { number, sorted: sort(port, pairs, choice, now, watch) }
        }
        Effect::History { number, question } => {
            Msg::History { number, answer: port.history(&question, now, watch) }
        }
        Effect::Batches { number, question } => {
            Msg::Batches { number, answer: port.batches(&question, now, watch) }
        }
        Effect::Log { number, question } => Msg::Log { number, answer: port.log(&question, now, watch) },
        Effect::Policy { number, question } => Msg::Policy { number, answer: port.policy(&question, now, watch) },
        Effect::CopyJson(pair) => match port.json(pair, now) {
            Ok(text) => Msg::ToCopy { what: "the pair as JSON".to_owned(), text },
            Err(failure) => Msg::Failed(failure.to_string()),
        },
        Effect::Cancel { .. }
        | Effect::Copy { .. }
        | Effect::Edit { .. }
        | Effect::Mouse(_)
        | Effect::Redraw
        | Effect::Suspend
        | Effect::Quit => return None,
    })
}

/// Asks the core about each pair, before anything is asked of the reviewer.
fn sort(
    port: &mut dyn Port,
    pairs: Vec<PairId>,
    choice: Choice,
    now: Instant,
    watch: &dyn Watch,
) -> Result<Sorted, Failure> {
    let (mut sorted, of) = (Sorted::default(), pairs.len() as u64);
    for (done, id) in (0..).zip(pairs) {
        if !watch.goes_on(done, of) {
            return Err(Failure::Cancelled);
        }
        let pair = port.pair(id, now)?;
        sorted.sort(id, pair.as_ref(), choice);
    }
    Ok(sorted)
}

/// Each order with its own answer; many are one stroke.
fn carry_out(
    port: &mut dyn Port,
    orders: &[Ordered],
    now: Instant,
    watch: &dyn Watch,
) -> Vec<Result<Outcome, Failure>> {
    if let [only] = orders {
        return vec![port.order(&only.order, only.revision, now)];
    }
    let stroke: Vec<_> = orders.iter().map(|ordered| (ordered.order.clone(), ordered.revision)).collect();
    match port.order_all(&stroke, now, watch) {
        Ok(answers) => answers.into_iter().map(|answer| answer.map_err(Failure::Refused)).collect(),
        // Nothing of the stroke was written: each order has the same answer.
        Err(failure) => orders.iter().map(|_| Err(failure.clone())).collect(),
    }
}
