//! The store's threads. One carries out what a key waits for, one after another, and asks four times a second whether
//! someone else has written; the other what may take long, so that the first is never kept waiting.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant as Moment};

use super::clock::Clock;
use super::wake::Wake;
use crate::app::asks::{history, log};
use crate::app::bulk::{Choice, Sorted, Stroke};
use crate::app::port::Watch;
use crate::app::{Effect, Failure, Lane, Msg, Ordered, Port};
use crate::core::order::Outcome;
use crate::core::ruling::PairId;
use crate::core::time::Instant;

/// The screen follows other processes within a second.
const POLL: Duration = Duration::from_millis(250);

/// The store three times: for what a key waits for, for what may take long, and for looks at the world, which take as
/// long as the world likes.
pub struct Ports {
    pub quick: Box<dyn Port>,
    pub long: Box<dyn Port>,
    pub looking: Box<dyn Port>,
}

/// The threads that own the store: one for what a key waits for, one for what may take long, one that looks at the
/// world.
pub(super) struct Workers {
    quick: Worker,
    long: Worker,
    looking: Worker,
    unwanted: Arc<Unwanted>,
    /// The number of the last window that had to be looked for: the newest question wins, older ones are given up.
    sought: Arc<AtomicU64>,
}

/// The work that is not wanted any more, by number; and whether none is, for the program ends.
#[derive(Default)]
struct Unwanted {
    numbers: Mutex<BTreeSet<u64>>,
    all: AtomicBool,
}

impl Unwanted {
    fn numbers(&self) -> MutexGuard<'_, BTreeSet<u64>> {
        self.numbers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has(&self, number: u64) -> bool {
        self.all.load(Ordering::Relaxed) || number > 0 && self.numbers().contains(&number)
    }
}

struct Worker {
    jobs: Sender<Effect>,
    thread: JoinHandle<()>,
}

impl Workers {
    /// Starts both.
    pub(super) fn start(ports: Ports, clock: Clock, inbox: &Sender<Wake>) -> io::Result<Self> {
        let unwanted = Arc::new(Unwanted::default());
        let sought = Arc::new(AtomicU64::new(0));
        let bench = |polls| Bench {
            clock,
            inbox: inbox.clone(),
            unwanted: unwanted.clone(),
            sought: sought.clone(),
            polls,
        };
        let quick = Worker::start("store", ports.quick, bench(true))?;
        let long = Worker::start("long work", ports.long, bench(false))?;
        let looking = Worker::start("looks", ports.looking, bench(false))?;
        Ok(Self { quick, long, looking, unwanted, sought })
    }

    /// Hands an effect to the thread that carries it out.
    pub(super) fn give(&self, effect: Effect) {
        if let Effect::Page { number, .. } = &effect {
            self.sought.store(*number, Ordering::Relaxed);
        }
        let worker = match effect.lane() {
            Lane::Screen | Lane::Quick => &self.quick,
            Lane::Long => &self.long,
            Lane::Looking => &self.looking,
        };
        // A store that is gone has said so through the panic hook: that message is on its way.
        let _gone = worker.jobs.send(effect);
    }

    /// Work is not wanted any more: it stops where it next looks up, and writes nothing.
    pub(super) fn cancel(&self, number: u64) {
        self.unwanted.numbers().insert(number);
    }

    /// They finish what they were given: what was ruled is written before the program ends. Long work is given up.
    pub(super) fn finish(self) {
        self.unwanted.all.store(true, Ordering::Relaxed);
        for Worker { jobs, thread } in [self.quick, self.long, self.looking] {
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
    unwanted: Arc<Unwanted>,
    sought: Arc<AtomicU64>,
    /// Whether it asks four times a second if another process has written.
    polls: bool,
}

impl Bench {
    fn serve(&self, mut port: Box<dyn Port>, effects: &Receiver<Effect>) {
        let mut polled = Moment::now();
        let mut tends = false;
        loop {
            // While there is work that can wait, it looks in between whether anything else is wanted.
            let patience = if tends { Duration::ZERO } else { POLL };
            let first = match effects.recv_timeout(patience) {
                Ok(effect) => Some(effect),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            if first.is_none() && !self.polls {
                tends = self.tend(port.as_mut(), tends);
                continue;
            }
            let waiting: Vec<Effect> = first.into_iter().chain(effects.try_iter()).collect();
            for effect in newest(waiting) {
                let watch = self.watch(&effect);
                let number = watch.number;
                let msg = perform(port.as_mut(), effect, self.clock.now(), &watch);
                // Numbers are given once: what has ended need not be remembered as unwanted.
                self.unwanted.numbers().remove(&number);
                if let Some(msg) = msg {
                    self.tell(msg);
                }
            }
            if self.polls && polled.elapsed() >= POLL {
                polled = Moment::now();
                // A store that cannot say is asked again; the next read says what is wrong with it.
                if port.changed().unwrap_or(false) {
                    self.tell(Msg::Changed(self.clock.now()));
                }
            }
        }
    }

    /// Does a bit of what can wait; says whether there is more. It began, goes on and ends with a word to the screen.
    fn tend(&self, port: &mut dyn Port, before: bool) -> bool {
        // What cannot be tended now is tended another time; whoever needs it does without.
        let left = port.tend().unwrap_or_default();
        if left.is_some() || before {
            self.tell(Msg::Tended(left));
        }
        left.is_some()
    }

    fn tell(&self, msg: Msg) {
        let _left = self.inbox.send(Wake::Msg(Box::new(msg)));
    }

    fn watch(&self, effect: &Effect) -> Progress<'_> {
        let sought = matches!(effect, Effect::Page { .. });
        Progress {
            bench: self,
            number: effect.number().unwrap_or_default(),
            sought,
            told: Cell::new(Moment::now()),
        }
    }
}

/// Work that is shorter than this shows nothing; longer work is shown no more often than this.
const SHOWN_AFTER: Duration = Duration::from_millis(150);

/// Tells the screen how far work is, and the work whether it is still wanted.
struct Progress<'a> {
    bench: &'a Bench,
    number: u64,
    /// It is a window that is looked for: given up for a newer one.
    sought: bool,
    told: Cell<Moment>,
}

impl Watch for Progress<'_> {
    fn goes_on(&self, done: u64, of: u64) -> bool {
        if self.number > 0 && self.told.get().elapsed() >= SHOWN_AFTER {
            self.told.set(Moment::now());
            self.bench.tell(Msg::Progress { number: self.number, done, of });
        }
        if self.sought && self.number > 0 && self.bench.sought.load(Ordering::Relaxed) != self.number {
            return false;
        }
        !self.bench.unwanted.has(self.number)
    }
}

/// Leaves out reads that later ones of the same kind overtake: after a burst of keys only the last are of use. Two
/// pairs are kept, for a ruling that came too late asks for the pair it was about and for the one on the screen.
fn newest(waiting: Vec<Effect>) -> Vec<Effect> {
    let (mut pages, mut pairs, mut moves, mut recalls, mut planes) = (1, 2, 1, 1, 1);
    let mut topics = BTreeSet::new();
    let asked: Vec<log::Question> = waiting.iter().filter_map(log_question).cloned().collect();
    let mut later = asked.len();
    let mut kept: Vec<Effect> = waiting
        .into_iter()
        .rev()
        .filter(|effect| match effect {
            Effect::Log { question, .. } => {
                later = later.saturating_sub(1);
                !asked.iter().skip(later + 1).any(|other| question.is_overtaken_by(other))
            }
            Effect::Page { .. } => take(&mut pages),
            Effect::Pair(_) => take(&mut pairs),
            Effect::Policy { question, .. } => topics.insert(question.topic()),
            Effect::History { question: history::Question::Move { .. }, .. } => take(&mut moves),
            Effect::History { question: history::Question::Recall { .. }, .. } => take(&mut recalls),
            Effect::History { question: history::Question::Plane { .. }, .. } => take(&mut planes),
            Effect::Settled(_)
            | Effect::Commonest { .. }
            | Effect::Ids { .. }
            | Effect::CarryOut { .. }
            | Effect::Observe { .. }
            | Effect::Looks { .. }
            | Effect::Slotting { .. }
            | Effect::Preview { .. }
            | Effect::Sort { .. }
            | Effect::History { .. }
            | Effect::Batches { .. }
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

fn log_question(effect: &Effect) -> Option<&log::Question> {
    if let Effect::Log { question, .. } = effect { Some(question) } else { None }
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
        Effect::Page { number, generation, request } => {
            Msg::Page { number, generation, answer: port.page(&request, now, watch) }
        }
        Effect::Pair(pair) => Msg::Pair { pair, answer: Box::new(port.pair(pair, now)) },
        Effect::Ids { number, wanted } => Msg::Marked { number, answer: port.ids(&wanted, now, watch) },
        Effect::Settled(pairs) => Msg::Settled(port.settled(&pairs)),
        Effect::Commonest { number } => Msg::Commonest { number, answer: port.commonest(now, watch) },
        Effect::CarryOut { number, orders } => {
            Msg::CarriedOut { number, answers: carry_out(port, &orders, now, watch), at: now }
        }
        Effect::Observe { number, pair } => {
            Msg::CarriedOut { number, answers: vec![port.observe(pair, now, watch)], at: now }
        }
        Effect::Looks { number, question } => {
            Msg::Looks { number, answer: port.looks(&question, now, watch), at: now }
        }
        Effect::Slotting { number, question } => {
            Msg::Slotting { number, answer: port.slotting(&question, now, watch) }
        }
        Effect::Preview { number, order } => Msg::Previewed { number, answer: port.preview(&order, now, watch) },
        Effect::Sort { number, pairs, choice } => {
            Msg::Sorted { number, sorted: sort(port, pairs, &choice, now, watch) }
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

/// Asks the core about each pair, and what all of it would do, before anything is asked of the reviewer.
fn sort(
    port: &mut dyn Port,
    pairs: Vec<PairId>,
    choice: &Choice,
    now: Instant,
    watch: &dyn Watch,
) -> Result<Sorted, Failure> {
    let (mut sorted, many) = (Sorted::default(), pairs.len() as u64);
    // Looking at each, then carrying all of it out and taking it back, the second time with the overrides.
    let part = |from| Part { watch, from, of: 3 * many };
    for (done, id) in (0..).zip(pairs) {
        if !part(0).goes_on(done, many) {
            return Err(Failure::Cancelled);
        }
        let pair = port.pair(id, now)?;
        sorted.sort(id, pair.as_ref(), choice);
    }
    let along = std::mem::take(&mut sorted.would.along);
    sorted.would = would(port, &sorted.allowed, now, &part(many))?;
    sorted.would.along.extend(along);
    if !sorted.overrides.is_empty() {
        let mut all = sorted.overriding(&["a preview".to_owned()]);
        all.extend(sorted.allowed.iter().cloned());
        sorted.would_override = Some(would(port, &all, now, &part(2 * many))?);
    }
    Ok(sorted)
}

fn would(port: &mut dyn Port, orders: &[Ordered], now: Instant, watch: &dyn Watch) -> Result<Stroke, Failure> {
    let stroke: Vec<_> = orders.iter().map(|ordered| (ordered.order.clone(), ordered.revision)).collect();
    let answers = port.preview_all(&stroke, now, watch)?;
    Ok(Stroke::of(orders, answers.iter().map(Result::as_ref)))
}

/// A part of a longer work: what is done of it is told as done of the whole.
struct Part<'a> {
    watch: &'a dyn Watch,
    /// What was done before it.
    from: u64,
    of: u64,
}

impl Watch for Part<'_> {
    fn goes_on(&self, done: u64, _of: u64) -> bool {
        self.watch.goes_on(self.from + done, self.of)
    }
}

/// Each order with its own answer; many are one stroke.
fn carry_out(
    port: &mut dyn Port,
    orders: &[Ordered],
    now: Instant,
    watch: &dyn Watch,
) -> Vec<Result<Outcome, Failure>> {
    if let [only] = orders {
        return vec![port.order(&only.order, only.revision, now, watch)];
    }
    let stroke: Vec<_> = orders.iter().map(|ordered| (ordered.order.clone(), ordered.revision)).collect();
    match port.order_all(&stroke, now, watch) {
        Ok(answers) => answers.into_iter().map(|answer| answer.map_err(Failure::Refused)).collect(),
        // Nothing of the stroke was written: each order has the same answer.
        Err(failure) => orders.iter().map(|_| Err(failure.clone())).collect(),
    }
}
