//! What was ruled here, for undo and for the pace. Undo works across restarts: where this session has ruled nothing,
//! the store knows the reviewer's last ruling.

use chrono::Duration;

use super::bulk::Ordered;
use crate::core::order::Order;
use crate::core::pair::Entry;
use crate::core::ruling::RulingId;
use crate::core::time::Instant;

/// One thing done by one key, however many rulings it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    pub rulings: Vec<RulingId>,
    /// In words: `accept of pair 412`.
    pub what: String,
    /// The entry it was done on, to go back there when it is undone.
    pub entry: Option<Box<Entry>>,
    /// How many slots were settled again: to take it back may take as long.
    pub slots: u64,
}

/// What was done and undone, and how fast.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session {
    done: Vec<Done>,
    undone: Vec<Done>,
    times: Vec<Instant>,
}

/// Between two rulings a longer time is a break, not work.
const BREAK: Duration = Duration::minutes(5);
/// What settled more slots than this is much: it is undone beside what a key waits for.
const MUCH: u64 = 64;
/// The pace is that of the last so many rulings.
const RECENT: usize = 20;

impl Session {
    /// A ruling was made.
    pub fn ruled(&mut self, done: Done, at: Instant) {
        self.undone.clear();
        self.done.push(done);
        self.times.push(at);
        if self.times.len() > RECENT {
            self.times.remove(0);
        }
    }

    /// The orders that undo the last thing done, the last ruling first.
    pub fn undo(&self) -> Vec<Ordered> {
        match self.done.last() {
            Some(done) => done
                .rulings
                .iter()
                .rev()
                .map(|ruling| Ordered::plain(Order::Undo { ruling: Some(*ruling) }))
                .collect(),
            None => vec![Ordered::plain(Order::Undo { ruling: None })],
        }
    }

    /// The orders that undo the last undo.
    pub fn redo(&self) -> Vec<Ordered> {
        let many = self.undone.last().map_or(1, |done| done.rulings.len());
        (0..many).map(|_| Ordered::plain(Order::Redo)).collect()
    }

    /// Whether the last thing done touched many slots; what was done before this session may have.
    pub fn undoes_much(&self) -> bool {
        self.done.last().is_none_or(|done| done.slots > MUCH)
    }

    /// The same of the last undo.
    pub fn redoes_much(&self) -> bool {
        self.undone.last().is_none_or(|done| done.slots > MUCH)
    }

    /// The last thing done was undone: what it was, where this session knows.
    pub fn undid(&mut self) -> Option<Done> {
        let done = self.done.pop()?;
        self.undone.push(done.clone());
        Some(done)
    }

    /// The last undo was undone.
    pub fn redid(&mut self) -> Option<Done> {
        let done = self.undone.pop()?;
        self.done.push(done.clone());
        Some(done)
    }

    /// How many rulings were made here and stand.
    pub fn count(&self) -> usize {
        self.done.iter().map(|done| done.rulings.len()).sum()
    }

    /// Seconds from ruling to ruling, breaks left out; none before there are three.
    pub fn pace(&self) -> Option<i64> {
        let gaps = self.times.windows(2).filter_map(|pair| match pair {
            [earlier, later] => Some(later.since(*earlier)).filter(|gap| *gap < BREAK),
            _ => None,
        });
        let gaps: Vec<i64> = gaps.map(|gap| gap.num_milliseconds()).collect();
        let count = i64::try_from(gaps.len()).ok().filter(|count| *count >= 2)?;
        Some((gaps.iter().sum::<i64>() / count / 1000).max(1))
    }
}
