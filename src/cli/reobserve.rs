//! `gainsay reobserve`: the world is looked at again.

use serde_json::Value;

use crate::core::order::{Order, Seen};
use crate::core::record::{Epoch, Kind};
use crate::core::ruling::PairId;
use crate::core::time::When;

use crate::error::Result;
use crate::runtime::looking::look_again;
use crate::wire;

use super::config::Settings;
use super::context::Context;
use super::{answer, parse};

/// Have the world looked at again: leave a request, or enter what was seen
///
/// With --run the observer of the configuration looks. Without more, a request is left for an agent or a person to answer. With --value, --epoch, --source and --evidence
/// it is answered: the new record must be observed after the request, in an epoch no earlier than any in the slot.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Reobserve {
    /// The pair, by its number in the queue
    #[arg(value_name = "PAIR", value_parser = parse::pair)]
    pub pair: PairId,
    /// Run the observer that your configuration names for it, and enter what it sees
    #[arg(long, conflicts_with_all = ["value", "epoch", "source", "evidence", "observed_at"])]
    pub run: bool,
    /// What was seen: JSON where it reads as JSON (5, true, "5"), else the text itself
    #[arg(long, value_name = "V", value_parser = parse::value, allow_hyphen_values = true,
          requires_all = ["epoch", "source", "evidence"])]
    pub value: Option<Value>,
    /// The epoch in which it was seen
    #[arg(long, value_name = "N", value_parser = parse::epoch, requires = "value", allow_negative_numbers = true)]
    pub epoch: Option<Epoch>,
    /// Where it was seen: a source kind, as config_probe
    #[arg(long, value_name = "KIND", value_parser = parse::kind, requires = "value")]
    pub source: Option<Kind>,
    /// The words or the reading it was seen in
    #[arg(long, value_name = "TEXT", value_parser = parse::words, requires = "value", allow_hyphen_values = true)]
    pub evidence: Option<String>,
    /// When it was seen [default: now]
    #[arg(long, value_name = "TIME", value_parser = parse::when, requires = "value")]
    pub observed_at: Option<When>,
}

impl Reobserve {
    pub fn run(self, context: &Context) -> Result {
        if !self.run {
            return context.rule(&self.order());
        }
        let world = Settings::of(context)?.world;
        let outcome = look_again(&mut context.reading()?, &world, self.pair, &context.by())?;
        context.say(|| wire::json::outcome(&outcome), || answer::render(&outcome, context.style))
    }

    /// The order: an answer where all of one is there (the command line lets no part of it stand alone), else a request.
    pub fn order(self) -> Order {
        let Self { pair, run: _, value, epoch, source, evidence, observed_at } = self;
        match (value, epoch, source, evidence) {
            (Some(value), Some(epoch), Some(source), Some(evidence)) => Order::Reobserve {
                pair,
                seen: Seen { value, epoch, source, class: None, evidence, observed_at, observer: None },
            },
            _ => Order::Request { pair },
        }
    }
}
