//! `gainsay withdraw`: records leave contention.

use crate::core::order::{Order, Withdrawn};
use crate::core::record::{Batch, RecordId};
use crate::core::ruling::WithdrawReason;

use crate::error::{Error, Result};

use super::context::Context;
use super::{answer, parse};

/// Take a record, or every record of a batch, out of contention; they are kept
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

/// What is withdrawn: one of the two.
#[derive(Clone, Debug, PartialEq, clap::Args)]
#[group(required = true, multiple = false)]
pub struct What {
    /// One record
    #[arg(long, value_name = "ID", value_parser = parse::record)]
    pub record: Option<RecordId>,
    /// Every record of a batch
    #[arg(long, value_name = "ID", value_parser = parse::batch)]
    pub batch: Option<Batch>,
}

impl Withdraw {
    pub fn run(self, context: &Context) -> Result {
        let dry_run = self.dry_run;
        let order = self.order().ok_or_else(|| Error::internal("neither a record nor a batch was named"))?;
        let mut store = context.reading()?;
        let outcome = if dry_run {
            store.preview(&order, &context.by())?
        } else {
            store.order(&order, &context.by(), None)?
        };
        context
            .say(|| answer::effects(&outcome, dry_run), || answer::render_effects(&outcome, dry_run, context.style))
    }

    /// The order; none where neither a record nor a batch is named (which the command line refuses).
    pub fn order(self) -> Option<Order> {
        let record = self.what.record.map(Withdrawn::Record);
        let what = record.or(self.what.batch.map(Withdrawn::Batch))?;
        Some(Order::Withdraw { what, why: self.reason, note: self.note })
    }
}
