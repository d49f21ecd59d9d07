//! `gainsay reobserve`: the world is looked at again.

use serde_json::Value;

use crate::core::order::{Order, Seen, Target};
use crate::core::record::{Epoch, Kind as SourceKind};
use crate::core::ruling::PairId;
use crate::core::time::When;

use crate::error::{Error, Kind, Result};
use crate::runtime::looking::look_again;
use crate::wire;

use super::config::Settings;
use super::context::Context;
use super::interrupt::Interrupt;
use super::{answer, parse, unknown};

/// Have the world looked at again: leave a request, or enter what was seen
///
/// With --run the observer of the configuration looks. Without more, a request is left for an agent or a person to answer. With --value, --epoch, --source and --evidence
/// it is answered: the new record must be observed after the request, in an epoch no earlier than any in the slot.
/// A settled fact that has grown old (gainsay stale) is looked at by its --slot.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Reobserve {
    /// The pair, by its number in the queue
    #[arg(value_name = "PAIR", value_parser = parse::pair, required_unless_present = "slot")]
    pub pair: Option<PairId>,
    /// Instead of a pair, a slot in which nothing is contested: with --run, or with what was seen
    #[arg(long, num_args = 2, value_names = ["SUBJECT", "ATTRIBUTE"], conflicts_with = "pair")]
    pub slot: Option<Vec<String>>,
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
    pub source: Option<SourceKind>,
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
            return self.entered(context);
        }
        let world = Settings::of(context)?.world;
        let target = self.target()?;
        let interrupt = Interrupt::listen()?;
        let wanted = || interrupt.goes_on();
        let seen = look_again(&mut context.reading()?, &world, &target, &context.by(), &wanted)?;
        let outcome = seen.ok_or_else(Interrupt::error)?;
        context.say(|| wire::json::outcome(&outcome), || answer::render(&outcome, context.style))
    }

    /// Leaves a request, or enters what was seen; an epoch that is new to the subject is remarked on.
    fn entered(self, context: &Context) -> Result {
        let (target, epoch, order) = (self.target()?, self.epoch, self.clone().order()?);
        let store = context.reading()?;
        let subject = match target {
            Target::Pair(pair) => store.entry(pair, context.now)?.map(|entry| entry.subject),
            Target::Slot(subject, _) => Some(subject),
        };
        let known =
            subject.as_ref().map_or(Ok(Vec::new()), |subject| unknown::epochs_of(&store, subject, context))?;
        drop(store);
        context.rule(&order)?;
        if let (Some(subject), Some(epoch)) = (subject, epoch) {
            unknown::warn_of_epoch(&known, epoch, &subject, context);
        }
        Ok(())
    }

    /// What is looked at: a pair, or else the slot that is named.
    fn target(&self) -> Result<Target> {
        let wrong = |message: String| Error::new(Kind::Usage, message);
        match (self.pair, self.slot.as_deref()) {
            (Some(pair), _) => Ok(Target::Pair(pair)),
            (None, Some([subject, attribute])) => Ok(Target::Slot(
                parse::subject(subject).map_err(wrong)?,
                parse::attribute(attribute).map_err(wrong)?,
            )),
            (None, _) => Err(wrong("name a pair, or a slot by its subject and attribute".to_owned())),
        }
    }

    /// The order: an answer where all of one is there (the command line lets no part of it stand alone), else a request.
    pub fn order(self) -> Result<Order> {
        let target = self.target()?;
        let Self { pair: _, slot: _, run: _, value, epoch, source, evidence, observed_at } = self;
        match (value, epoch, source, evidence, target) {
            (Some(value), Some(epoch), Some(source), Some(evidence), target) => {
                Ok(target.entering(Seen { value, epoch, source, class: None, evidence, observed_at, observer: None }))
            }
            (_, _, _, _, Target::Pair(pair)) => Ok(Order::Request { pair }),
            (_, _, _, _, Target::Slot(..)) => {
                Err(Error::new(Kind::Usage, "nothing in that slot is contested: there is no pair to leave a request on")
                    .with_hint("with --run its observer looks; with --value, --epoch, --source and --evidence you enter what you saw"))
            }
        }
    }
}
