//! The store thread: it owns the store, carries effects out one after another, and asks four times a second whether
//! someone else has written.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant as Moment};

use super::{Clock, Wake};
use crate::app::bulk::Sorted;
use crate::app::{Effect, Failure, Msg, Ordered, Port};
use crate::core::order::Outcome;
use crate::core::time::Instant;

/// The screen follows other processes within a second.
const POLL: Duration = Duration::from_millis(250);

/// Starts the thread; it ends when the sender of effects is dropped and all of them are done.
pub(super) fn start(
    port: Box<dyn Port>,
    clock: Clock,
    inbox: Sender<Wake>,
) -> io::Result<(Sender<Effect>, JoinHandle<()>)> {
    let (jobs, effects) = channel();
    let work = move || serve(port, clock, &inbox, &effects);
    let thread = thread::Builder::new().name("store".to_owned()).spawn(work)?;
    Ok((jobs, thread))
}

fn serve(mut port: Box<dyn Port>, clock: Clock, inbox: &Sender<Wake>, effects: &Receiver<Effect>) {
    let mut polled = Moment::now();
    loop {
        let first = match effects.recv_timeout(POLL) {
            Ok(effect) => Some(effect),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let waiting: Vec<Effect> = first.into_iter().chain(effects.try_iter()).collect();
        for effect in newest(waiting) {
            if let Some(msg) = perform(port.as_mut(), effect, clock.now()) {
                let _left = inbox.send(Wake::Msg(Box::new(msg)));
            }
        }
        if polled.elapsed() >= POLL {
            polled = Moment::now();
            // A store that cannot say is asked again; the next read says what is wrong with it.
            if port.changed().unwrap_or(false) {
                let _left = inbox.send(Wake::Msg(Box::new(Msg::Changed(clock.now()))));
            }
        }
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
            | Effect::CarryOut(_)
            | Effect::Observe(_)
            | Effect::Preview { .. }
            | Effect::Sort { .. }
            | Effect::Copy { .. }
            | Effect::CopyJson(_)
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
pub fn perform(port: &mut dyn Port, effect: Effect, now: Instant) -> Option<Msg> {
    Some(match effect {
        Effect::Page { generation, request } => Msg::Page { generation, answer: port.page(&request, now) },
        Effect::Pair(pair) => Msg::Pair { pair, answer: Box::new(port.pair(pair, now)) },
        Effect::Ids { filter, sorting, limit } => Msg::Marked(port.ids(&filter, sorting, limit, now)),
        Effect::CarryOut(orders) => Msg::CarriedOut { answers: carry_out(port, &orders, now), at: now },
        Effect::Observe(pair) => Msg::CarriedOut { answers: vec![port.observe(pair, now)], at: now },
        Effect::Preview { number, order } => Msg::Previewed { number, answer: port.preview(&order, now) },
        Effect::Sort { number, pairs, choice } => {
            let mut sorted = Sorted::default();
            let read = pairs.into_iter().try_for_each(|id| {
                let pair = port.pair(id, now)?;
                sorted.sort(id, pair.as_ref(), choice);
                Ok(())
            });
            Msg::Sorted { number, sorted: read.map(|()| sorted) }
        }
        Effect::CopyJson(pair) => match port.json(pair, now) {
            Ok(text) => Msg::ToCopy { what: "the pair as JSON".to_owned(), text },
            Err(failure) => Msg::Failed(failure.to_string()),
        },
        Effect::Copy { .. } | Effect::Redraw | Effect::Suspend | Effect::Quit => return None,
    })
}

/// Each order with its own answer; many are one stroke.
fn carry_out(port: &mut dyn Port, orders: &[Ordered], now: Instant) -> Vec<Result<Outcome, Failure>> {
    if let [only] = orders {
        return vec![port.order(&only.order, only.revision, now)];
    }
    let stroke: Vec<_> = orders.iter().map(|ordered| (ordered.order.clone(), ordered.revision)).collect();
    match port.order_all(&stroke, now) {
        Ok(answers) => answers.into_iter().map(|answer| answer.map_err(Failure::Refused)).collect(),
        // Nothing of the stroke was written: each order has the same answer.
        Err(failure) => orders.iter().map(|_| Err(failure.clone())).collect(),
    }
}
