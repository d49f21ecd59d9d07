//! `gainsay rederive`: the provenance that a record lacks, or every record of a batch or a source kind.

use serde_json::{Value, json};

use crate::core::order::{Lacking, Order, Outcome, Supplied};
use crate::core::record::{Batch, Epoch, Kind, RecordId};
use crate::core::time::When;
use crate::error::{Error, Result};
use crate::wire;

use super::context::Context;
use super::meter::Meter;
use super::output::{Cell, Page, Style};
use super::words::count;
use super::{answer, parse, unknown};

/// Supply the provenance that a record lacks, or all records of a batch or a source kind, with the proof of it
///
/// Writes a new record with what was missing, linked to the old one, of a class no higher than it had. Of many, each is
/// supplied what it lacks and nothing that it has; those that would still lack something stay as they are. It is one
/// stroke: `gainsay undo` takes all of it back.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Rederive {
    #[command(flatten)]
    pub of: Of,
    #[command(flatten)]
    pub missing: Missing,
    /// What proves it: the message, the log line, the commit
    #[arg(long, value_name = "TEXT", value_parser = parse::words, allow_hyphen_values = true, visible_alias = "proof")]
    pub evidence: String,
    /// Say what it would do, and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// What is re-derived: one of these.
#[derive(Clone, Debug, PartialEq, clap::Args)]
#[group(required = true, multiple = false)]
pub struct Of {
    /// The record that lacks it
    #[arg(value_name = "RECORD", value_parser = parse::record)]
    pub record: Option<RecordId>,
    /// Every record of a batch that lacks it
    #[arg(long, value_name = "ID", value_parser = parse::batch)]
    pub batch: Option<Batch>,
    /// Every record of a source kind that lacks it
    #[arg(long, value_name = "KIND", value_parser = parse::kind)]
    pub source_kind: Option<Kind>,
}

/// What was missing: at least one of these.
#[derive(Clone, Debug, PartialEq, clap::Args)]
#[group(required = true, multiple = true)]
pub struct Missing {
    /// Where the claim comes from: a source kind
    #[arg(long, value_name = "KIND", value_parser = parse::kind)]
    pub source: Option<Kind>,
    /// When it was true, or was said to be
    #[arg(long, value_name = "TIME", value_parser = parse::when)]
    pub observed_at: Option<When>,
    /// The epoch in which it was observed
    #[arg(long, value_name = "N", value_parser = parse::epoch, allow_negative_numbers = true)]
    pub epoch: Option<Epoch>,
}

impl Rederive {
    pub fn run(self, context: &Context) -> Result {
        let (dry_run, epoch) = (self.dry_run, self.missing.epoch);
        let one = self.of.record.clone();
        let order = self.order().ok_or_else(|| Error::internal("nothing was named to be re-derived"))?;
        let mut store = context.reading()?;
        let record = one.map_or(Ok(None), |id| store.record(&id, context.now))?;
        let subject = record.filter(|_| epoch.is_some()).map(|judged| judged.record.subject);
        let known =
            subject.as_ref().map_or(Ok(Vec::new()), |subject| unknown::epochs_of(&store, subject, context))?;
        let meter = std::cell::RefCell::new(Meter::new());
        let watched = |done: u64, of: u64| {
            let words = || format!("re-deriving: {} %", done.saturating_mul(100) / of.max(1));
            meter.borrow_mut().tell(done, words);
            true
        };
        let done = if dry_run {
            store.preview_watched(&order, &context.by(), &watched)
        } else {
            store.order_watched(&order, &context.by(), None, &watched)
        };
        meter.borrow().clear();
        let outcome = done?;
        if let (Some(subject), Some(epoch)) = (subject, epoch) {
            unknown::warn_of_epoch(&known, epoch, &subject, context);
        }
        context.say(|| to_json(&outcome, dry_run), || render(&outcome, dry_run, context.style))
    }

    /// The order; none where nothing is named (which the command line refuses).
    pub fn order(self) -> Option<Order> {
        let Self { of, missing: Missing { source, observed_at, epoch }, evidence, dry_run: _ } = self;
        let supplied = Supplied { source, observed_at, epoch, evidence };
        if let Some(record) = of.record {
            return Some(Order::Rederive { record, supplied });
        }
        let of = of.batch.map(Lacking::Batch).or(of.source_kind.map(Lacking::Kind))?;
        Some(Order::RederiveAll { of, supplied })
    }
}

fn to_json(outcome: &Outcome, dry_run: bool) -> Value {
    let mut told = answer::effects(outcome, dry_run);
    told["rulings"] = json!(outcome.rulings);
    told["left"] = json!(wire::json::left(outcome));
    told
}

fn render(outcome: &Outcome, dry_run: bool, style: Style) -> String {
    if outcome.rulings == 1 && !dry_run {
        return answer::render(outcome, style);
    }
    let mut page = Page::new(style);
    let (records, slots) = (count(outcome.records, "record"), count(outcome.slots, "slot"));
    if dry_run {
        page.line([Cell::strong("it would do this; nothing was written")]);
    } else {
        let first = outcome.all().next().unwrap_or(outcome.ruling);
        page.line([Cell::strong(format!("rulings {first} to {}:", outcome.ruling)), Cell::plain("rederive")]);
    }
    page.line([Cell::plain(format!("{records} made whole, {slots} settled anew"))]);
    let closed = count(outcome.closed.len() as u64, "pair");
    page.line([Cell::plain(format!("{closed} closed, {} opened", outcome.opened.len()))]);
    if outcome.values_changed + outcome.values_gone > 0 {
        let (changed, gone) = (count(outcome.values_changed, "value"), outcome.values_gone);
        page.line([Cell::plain(format!("{changed} answered otherwise, {gone} no longer"))]);
    }
    for (why, many) in &outcome.consequence.left {
        page.line([Cell::plain(format!("{} as before: {why}", count(*many, "record")))]);
    }
    if !dry_run {
        page.line([Cell::quiet("one stroke: take all of it back with `gainsay undo`")]);
    }
    page.text().to_owned()
}
