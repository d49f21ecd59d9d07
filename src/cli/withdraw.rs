//! `gainsay withdraw`: records leave contention.

use crate::core::order::{Order, Withdrawn};
use crate::core::record::{Batch, RecordId};
use crate::core::ruling::WithdrawReason;
use crate::core::select::Condition;

use crate::error::{Error, Result};

use super::context::Context;
use super::{answer, parse};

/// Take a record, every record of a batch, or a selection out of contention; they are kept
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Withdraw {
    #[command(flatten)]
    pub what: What,
    /// Why
    #[arg(long, value_name = "WHY", value_parser = parse::one_of(WithdrawReason::ALL.map(WithdrawReason::name), WithdrawReason::named))]
    pub reason: WithdrawReason,
    /// More words, for the log
    #[arg(long, value_name = "TEXT", value_parser = parse::words, allow_hyphen_values = true)]
    pub note: Option<String>,
    /// Say what it would do, and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// What is withdrawn: one of the three.
#[derive(Clone, Debug, PartialEq, clap::Args)]
#[group(required = true, multiple = false)]
pub struct What {
    /// One record
    #[arg(long, value_name = "ID", value_parser = parse::record)]
    pub record: Option<RecordId>,
    /// Every record of a batch
    #[arg(long, value_name = "ID", value_parser = parse::batch)]
    pub batch: Option<Batch>,
    /// Every record of which this holds; said several times, all of it. KEY is id, subject, attribute, value, op, batch,
    /// derived_from, source.KEY, epoch, confidence, observed_at, written_at or recorded_at; besides = there are !=, <, <=,
    /// > and >=; with no VALUE, records that do not say it
    #[arg(long = "where", value_name = "KEY=VALUE", value_parser = parse::condition, action = clap::ArgAction::Append)]
    pub conditions: Vec<Condition>,
}

impl Withdraw {
    pub fn run(self, context: &Context) -> Result {
        let dry_run = self.dry_run;
        let order = self.order().ok_or_else(|| Error::internal("nothing was named to withdraw"))?;
        let mut store = context.reading()?;
        let outcome = if dry_run {
            store.preview(&order, &context.by())?
        } else {
            store.order(&order, &context.by(), None)?
        };
        context
            .say(|| answer::effects(&outcome, dry_run), || answer::render_effects(&outcome, dry_run, context.style))
    }

    /// The order; none where nothing is named (which the command line refuses).
    pub fn order(self) -> Option<Order> {
        let record = self.what.record.map(Withdrawn::Record);
        let chosen = (!self.what.conditions.is_empty()).then_some(Withdrawn::Where(self.what.conditions));
        let what = record.or(self.what.batch.map(Withdrawn::Batch)).or(chosen)?;
        Some(Order::Withdraw { what, why: self.reason, note: self.note })
    }
}
