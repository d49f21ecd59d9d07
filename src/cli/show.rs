//! `gainsay show`: one pair, side by side.

use serde_json::Value;

use crate::core::examine::{Examination, Side, State};
use crate::core::pair::{JudgedRecord, Pair};
use crate::core::permit::{Permission, Permitted, why_override};
use crate::core::record::Record;
use crate::core::ruling::PairId;
use crate::core::time::Instant;

use crate::error::{Error, Kind, Result};
use crate::wire;

use super::context::Context;
use super::output::{Cell, Page, Style, Tone};
use super::{parse, words};

/// Show one pair: both records, the checklist, and what you may do
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Show {
    /// The pair, by its number in the queue
    #[arg(value_name = "PAIR", value_parser = parse::pair)]
    pub pair: PairId,
    /// As it was known at this time; nothing can be done there
    #[arg(long, value_name = "T", value_parser = parse::last_moment)]
    pub believed_at: Option<Instant>,
}

impl Show {
    pub fn run(self, context: &Context) -> Result {
        let store = context.reading()?;
        if let Some(at) = self.believed_at {
            let missing =
                || Error::new(Kind::Missing, format!("there was no pair {} at {}", self.pair, words::time(at)));
            let pair = store.pair_then(self.pair, at)?.ok_or_else(missing)?;
            return context.say(|| wire::json::pair(&pair), || render(&pair, at, context.style));
        }
        let missing = || Error::missing("pair", self.pair);
        let pair = store.pair(self.pair, context.now)?.ok_or_else(missing)?;
        context.say(|| wire::json::pair(&pair), || render(&pair, context.now, context.style))
    }
}

/// The pair as a person reads it.
pub fn render(pair: &Pair, now: Instant, style: Style) -> String {
    let mut page = Page::new(style);
    heading(&mut page, pair, now);
    page.gap().whole_table(&["", "A", "B"], &sides(pair));
    page.gap().line([Cell::strong("checklist")]).whole_table(&[""; 3], &checklist(&pair.examination));
    page.line([Cell::plain("finding:"), Cell::strong(pair.examination.word())]);
    if !pair.permitted.is_empty() {
        page.gap().line([Cell::strong("what you may do")]).whole_table(&[""; 4], &actions(pair));
    }
    page.text().to_owned()
}

fn heading(page: &mut Page, pair: &Pair, now: Instant) {
    let entry = &pair.entry;
    page.line([
        Cell::strong(format!("pair {}", entry.pair)),
        Cell::plain(entry.state.name()),
        Cell::strong(entry.subject.as_str()),
        Cell::strong(entry.attribute.as_str()),
        Cell::quiet(format!("opened {} ({})", words::time(entry.opened_at), words::age(entry.opened_at, now))),
    ]);
    let grounds: Vec<&str> = entry.grounds.iter().map(|ground| ground.name()).collect();
    page.line([Cell::plain("grounds:"), Cell::new(Tone::Bad, grounds.join(", "))]);
    if pair.contenders > 2 {
        page.line([Cell::plain(format!("{} claims contend in this slot", pair.contenders))]);
    }
    if let Some(request) = &pair.request {
        let (number, by, at) = (request.request, &request.by, words::age(request.at, now));
        page.line([Cell::plain(format!("request {number}: {by} asked to look again, {at}"))]);
    }
    for short in &pair.fell_short {
        page.line([Cell::new(
            Tone::Note,
            format!("  {} came as an answer, and settled nothing: {}", short.record, short.why),
        )]);
    }
    if let Some(ruled) = &pair.ruled {
        let (number, by, what, at) = (ruled.ruling, &ruled.by, &ruled.what, words::age(ruled.at, now));
        page.line([Cell::plain(format!("ruling {number}: {by} ruled {what}, {at}"))]);
    }
}

/// One line for each thing that the eye compares; what is missing is said in words.
fn sides(pair: &Pair) -> Vec<Vec<Cell>> {
    let both = |name: &str, of: &dyn Fn(&JudgedRecord) -> Option<String>| {
        let cells = Side::BOTH.map(|side| of(pair.record(side)));
        let tone = if cells[0] == cells[1] { Tone::Quiet } else { Tone::Plain };
        let shown = cells.map(|cell| match cell {
            Some(text) => Cell::new(tone, text),
            None => Cell::new(Tone::Bad, "missing"),
        });
        std::iter::once(Cell::quiet(name)).chain(shown).collect()
    };
    let of_record = |name: &str, of: &dyn Fn(&Record) -> Option<String>| both(name, &|judged| of(&judged.record));
    let [left, right] = words::values([&pair.left.record.value, &pair.right.record.value]);
    let won = |tally: crate::core::pair::Tally| Cell::quiet(format!("{} won, {} lost", tally.won, tally.lost));
    vec![
        of_record("record", &|record| Some(record.id.to_string())),
        vec![Cell::quiet("value"), Cell::strong(left), Cell::strong(right)],
        of_record("says", &|record| Some(format!("{}s", record.op.name()))),
        of_record("subject", &|record| Some(record.subject.to_string())),
        of_record("source", &|record| Some(record.kind()?.to_string())),
        both("class", &|judged| Some(judged.class?.name().to_owned())),
        of_record("from", &|record| Some(origin(record))),
        of_record("observed", &|record| Some(words::when(record.observed_at?))),
        of_record("written", &|record| Some(written(record))),
        of_record("epoch", &|record| Some(record.epoch?.to_string())),
        of_record("confidence", &|record| Some(record.confidence?.to_string())),
        of_record("evidence", &|record| record.evidence.clone()),
        both("state", &|judged| Some(judged.state?.name().to_owned())),
        vec![Cell::quiet("past"), won(pair.tallies[0]), won(pair.tallies[1])],
    ]
}

/// What the source says beyond its kind and class, and the batch.
fn origin(record: &Record) -> String {
    let fields = record.source.iter().flat_map(|source| &source.fields);
    let said = fields
        .filter(|(key, value)| !matches!(key.as_str(), "kind" | "class" | "batch") && **value != Value::Null)
        .map(|(key, value)| format!("{key} {}", words::value(value)));
    let batch = std::iter::once(format!("batch {}", record.batch));
    said.chain(batch).collect::<Vec<_>>().join(", ")
}

/// When it was written, with the lag: the trap of every backfill.
fn written(record: &Record) -> String {
    match record.observed_at {
        Some(observed) => {
            format!("{} ({})", words::time(record.written_at), words::lag(observed.first(), record.written_at))
        }
        None => words::time(record.written_at),
    }
}

fn checklist(examination: &Examination) -> Vec<Vec<Cell>> {
    let line = |check: &crate::core::examine::Check| {
        let state = match check.state {
            State::Met => Cell::new(Tone::Good, "met"),
            State::Failed => Cell::new(Tone::Bad, "FAILED"),
            State::NotApplicable => Cell::quiet("n/a"),
        };
        vec![state, Cell::plain(check.condition.name()), Cell::quiet(words::detail(&check.detail))]
    };
    examination.checklist.iter().map(line).collect()
}

fn actions(pair: &Pair) -> Vec<Vec<Cell>> {
    let line = |permitted: &Permitted| {
        let (may, why) = match &permitted.permission {
            Permission::Permitted => (Cell::new(Tone::Good, "yes"), String::new()),
            Permission::NeedsRecencyOverride => {
                let why = why_override(&pair.examination, &pair.entry.attribute);
                (Cell::new(Tone::Note, "override"), format!("{why}; with --override recency, and a reason"))
            }
            Permission::Refused(because) => (Cell::new(Tone::Bad, "no"), because.to_string()),
        };
        let record = permitted.record.as_ref().map(ToString::to_string).unwrap_or_default();
        vec![may, Cell::plain(permitted.action.name()), Cell::plain(record), Cell::quiet(why)]
    };
    pair.permitted.iter().map(line).collect()
}
