//! A condition on pairs with its values, put together from a filter. Nothing from outside becomes part of the SQL.
//!
//! It is about `p`, a pair, and `l` and `r`, its records.

use rusqlite::types::ToSql;

use super::filter::QueueFilter;
use crate::core::examine::Ground;
use crate::core::facet::Facet;
use crate::core::pair::PairState;
use crate::core::record::{Batch, Subject};
use crate::core::time::Instant;

/// The tables that a condition speaks of.
pub(super) const FROM: &str = "FROM pairs p JOIN records l ON l.record = p.left_record
     JOIN records r ON r.record = p.right_record";

/// What `find` looks through.
pub(super) const TEXTS: [&str; 10] = [
    "p.subject",
    "p.attribute",
    "l.subject",
    "r.subject",
    "l.value",
    "r.value",
    "l.evidence",
    "r.evidence",
    "l.id",
    "r.id",
];

/// Conditions that must all hold.
#[derive(Default)]
pub(super) struct Condition {
    parts: Vec<String>,
    values: Vec<Box<dyn ToSql>>,
}

impl Condition {
    /// The whole of a filter.
    pub(super) fn of(filter: &QueueFilter, now: Instant) -> Self {
        let mut all = Self::default();
        all.states(&filter.states, now);
        all.facet(&filter.grounds, ground);
        all.facet(&filter.attributes, |attribute| ("p.attribute = ?".to_owned(), texts(attribute.as_str(), 1)));
        all.facet(&filter.subjects, subject);
        all.facet(&filter.batches, batch);
        if let Some(text) = &filter.text {
            all.text(text);
        }
        all
    }

    /// One more.
    pub(super) fn and(&mut self, part: impl Into<String>, values: Vec<Box<dyn ToSql>>) {
        self.parts.push(part.into());
        self.values.extend(values);
    }

    /// Only pairs in one of these states; of none named, in any.
    pub(super) fn states(&mut self, states: &[PairState], now: Instant) {
        let now = || -> Box<dyn ToSql> { Box::new(now.sortable()) };
        let (mut parts, mut values) = (Vec::new(), Vec::new());
        for state in states {
            match state {
                PairState::Settled => parts.push("p.state = 'settled'"),
                PairState::Deferred => parts.push("(p.state <> 'settled' AND p.deferred_until > ?)"),
                PairState::Open => {
                    parts.push("(p.state = 'open' AND (p.deferred_until IS NULL OR p.deferred_until <= ?))");
                }
                PairState::Awaiting => {
                    parts.push("(p.state = 'awaiting' AND (p.deferred_until IS NULL OR p.deferred_until <= ?))");
                }
            }
            values.extend((*state != PairState::Settled).then(now));
        }
        if !parts.is_empty() {
            self.and(format!("({})", parts.join(" OR ")), values);
        }
    }

    fn facet<T>(&mut self, facet: &Facet<T>, one: impl Fn(&T) -> (String, Vec<Box<dyn ToSql>>)) {
        for (named, not) in [(&facet.any_of, ""), (&facet.none_of, "NOT ")] {
            let (parts, values): (Vec<String>, Vec<_>) = named.iter().map(&one).unzip();
            if !parts.is_empty() {
                self.and(format!("{not}({})", parts.join(" OR ")), values.into_iter().flatten().collect());
            }
        }
    }

    fn text(&mut self, text: &str) {
        // A pattern ends at NUL: what comes behind it would not be looked for.
        if text.contains('\0') {
            let any = TEXTS.map(|column| format!("instr(lower({column}), ?) > 0"));
            return self.and(format!("({})", any.join(" OR ")), texts(&text.to_ascii_lowercase(), TEXTS.len()));
        }
        let any = TEXTS.map(|column| format!("{column} LIKE ? ESCAPE '\\'"));
        self.and(format!("({})", any.join(" OR ")), texts(&holding(text), TEXTS.len()));
    }

    /// As it stands behind `WHERE`.
    pub(super) fn sql(&self) -> String {
        if self.parts.is_empty() { "1".to_owned() } else { self.parts.join(" AND ") }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    pub(super) fn into_values(self) -> Vec<Box<dyn ToSql>> {
        self.values
    }

    pub(super) fn values(&self) -> Vec<&dyn ToSql> {
        self.values.iter().map(AsRef::as_ref).collect()
    }
}

fn ground(ground: &Ground) -> (String, Vec<Box<dyn ToSql>>) {
    ("instr(',' || p.grounds || ',', ?) > 0".to_owned(), texts(&format!(",{},", ground.name()), 1))
}

fn subject(subject: &Subject) -> (String, Vec<Box<dyn ToSql>>) {
    ("p.subject = ? OR l.subject = ? OR r.subject = ?".to_owned(), texts(subject.as_str(), 3))
}

fn batch(batch: &Batch) -> (String, Vec<Box<dyn ToSql>>) {
    ("l.batch = ? OR r.batch = ?".to_owned(), texts(batch.as_str(), 2))
}

/// The same text so many times.
pub(super) fn texts(text: &str, many: usize) -> Vec<Box<dyn ToSql>> {
    (0..many).map(|_| Box::new(text.to_owned()) as Box<dyn ToSql>).collect()
}

/// The pattern of `LIKE … ESCAPE '\\'` that stands for any text with this in it.
pub(super) fn holding(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}
