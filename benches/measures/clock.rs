//! Times taken, and what stands in the middle of them.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant as Clock};

use gainsay::core::time::Instant;
use gainsay::store::By;
use gainsay::wire::generate::{Generator, Mix};

/// How long something takes.
pub(crate) fn timed(act: impl FnOnce()) -> Duration {
    let began = Clock::now();
    act();
    began.elapsed()
}

/// So many times, sorted.
pub(crate) struct Times(Vec<Duration>);

impl Times {
    /// Takes the time of each of many acts.
    pub(crate) fn of(times: usize, mut act: impl FnMut(usize)) -> Self {
        Self::from((0..times).map(|time| timed(|| act(time))).collect::<Vec<_>>())
    }

    /// The time below which so many in a hundred lie, in milliseconds.
    pub(crate) fn ms(&self, of_a_hundred: usize) -> f64 {
        self.0[(self.0.len() * of_a_hundred / 100).min(self.0.len() - 1)].as_secs_f64() * 1e3
    }
}

/// The middle one of several rounds: of each, the time below which so many in a hundred lie, in milliseconds.
pub(crate) fn median_ms(rounds: &[Times], of_a_hundred: usize) -> f64 {
    median(rounds.iter().map(|times| times.ms(of_a_hundred)).collect())
}

impl From<Vec<Duration>> for Times {
    fn from(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        Self(times)
    }
}

/// The middle one.
pub(crate) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_unstable_by(f64::total_cmp);
    figures[figures.len() / 2]
}

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// How many records the long measures take.
pub(crate) fn records() -> u64 {
    number("GAINSAY_RECORDS", 1_000_000)
}

/// How often each long measure is taken.
pub(crate) fn rounds() -> u64 {
    number("GAINSAY_ROUNDS", 3)
}

/// When everything is measured: the store reads no clock.
pub(crate) fn now() -> Instant {
    "2026-12-01T09:14:02Z".parse().unwrap()
}

/// Who measures.
pub(crate) fn by() -> By<'static> {
    By { actor: "measures", now: now() }
}

/// Writes made-up records, a line each: all but the last few into one file, those into another.
pub(crate) fn generate(mix: &Mix, records: u64, first: &Path, more: Option<(u64, &Path)>) {
    let (later, more) = more.map_or((0, None), |(later, path)| (later, Some(path)));
    let made = Generator::new(records + later, None, 1, mix.clone()).unwrap();
    let mut lines = made.lines();
    write(first, lines.by_ref().take(usize::try_from(records).unwrap()));
    if let Some(more) = more {
        write(more, lines);
    }
}

/// Writes lines.
pub(crate) fn write(path: &Path, lines: impl Iterator<Item = String>) {
    let mut file = BufWriter::new(File::create(path).unwrap());
    for line in lines {
        writeln!(file, "{line}").unwrap();
    }
    file.flush().unwrap();
}
