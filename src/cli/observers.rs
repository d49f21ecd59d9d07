//! `gainsay observers`: what looks at the live world, and for which slots.

use serde_json::{Value, json};

use crate::core::observer::Observer;
use crate::core::record::{Attribute, Subject};
use crate::error::{Error, Kind, Result};
use crate::runtime::world::{Looked, World};
use crate::store::Served;

use super::config::Settings;
use super::context::Context;
use super::interrupt::Interrupt;
use super::output::{Cell, Page};
use super::parse;
use super::words::count;

/// List the observers that your configuration names, and which slots each would serve
///
/// The first that serves a slot looks for it. With --check one is run for a slot, and what it answers is shown:
/// nothing is written.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Observers {
    /// Run the observer of this slot, and write nothing
    #[arg(long, num_args = 2, value_names = ["SUBJECT", "ATTRIBUTE"])]
    pub check: Option<Vec<String>>,
}

impl Observers {
    pub fn run(self, context: &Context) -> Result {
        let world = Settings::of(context)?.world;
        if let Some([subject, attribute]) = self.check.as_deref() {
            let wrong = |message: String| Error::new(Kind::Usage, message);
            let (subject, attribute) =
                (parse::subject(subject).map_err(wrong)?, parse::attribute(attribute).map_err(wrong)?);
            return check(context, &world, &subject, &attribute);
        }
        let served = match context.reading() {
            Ok(store) => store.served(|subject, attribute| {
                let serving = world.serving(subject, attribute)?;
                world.observers().iter().position(|observer| observer == serving)
            })?,
            // They are listed where there is no store yet, too.
            Err(error) if error.kind == Kind::Store => Vec::new(),
            Err(error) => return Err(error),
        };
        let served = |at: usize| {
            served.iter().find(|(of, _)| *of == at).map(|(_, served)| served.clone()).unwrap_or_default()
        };
        let all: Vec<(&Observer, Served)> =
            world.observers().iter().enumerate().map(|(at, observer)| (observer, served(at))).collect();
        context.say(
            || all.iter().map(|(observer, served)| to_json(observer, served)).collect(),
            || render(&all, context),
        )
    }
}

fn check(context: &Context, world: &World, subject: &Subject, attribute: &Attribute) -> Result {
    let interrupt = Interrupt::listen()?;
    match world.look(subject, attribute, &|| interrupt.goes_on()) {
        Looked::Seen(seen) => context.say(
            || {
                json!({
                    "value": seen.value, "epoch": seen.epoch.0, "source": seen.source.as_str(),
                    "evidence": seen.evidence, "observer": seen.observer,
                    "observed_at": seen.observed_at.map(|at| at.to_string()),
                })
            },
            || {
                let mut page = Page::new(context.style);
                page.line([
                    Cell::strong(super::words::value(&seen.value)),
                    Cell::plain(format!("in epoch {}", seen.epoch)),
                ]);
                page.line([Cell::quiet(&seen.evidence)]);
                page.line([Cell::quiet("nothing was written")]).text().to_owned()
            },
        ),
        Looked::Unseen { observer, why } => {
            Err(Error::new(Kind::Refused, format!("{observer} saw nothing: {why}"))
                .with_hint("nothing was written"))
        }
        Looked::Nobody => Err(Error::new(Kind::Missing, format!("no observer serves {attribute} of {subject}"))
            .with_hint("`gainsay observers` lists them; they are named in your configuration")),
        Looked::Cancelled => Err(Interrupt::error()),
    }
}

fn to_json(observer: &Observer, served: &Served) -> Value {
    json!({
        "attribute": observer.attribute, "subject": observer.subject, "run": observer.run,
        "source": observer.source.as_str(), "class": observer.class.map(|class| class.name()),
        "timeout_seconds": observer.timeout.as_secs_f64(), "slots": served.slots, "open_pairs": served.open_pairs,
        "examples": served.examples.iter().map(|(subject, attribute)| json!([subject.as_str(), attribute.as_str()])).collect::<Vec<_>>(),
    })
}

fn render(all: &[(&Observer, Served)], context: &Context) -> String {
    let mut page = Page::new(context.style);
    if all.is_empty() {
        page.line([
            Cell::quiet("your configuration names no observer: "),
            Cell::plain(context.config.display().to_string()),
        ]);
        return page.text().to_owned();
    }
    for (observer, served) in all {
        page.line([
            Cell::strong(&observer.attribute),
            Cell::plain(format!("of {}", observer.subject)),
            Cell::quiet(format!("as {}, at most {} s", observer.source, observer.timeout.as_secs_f64())),
        ]);
        page.line([Cell::plain(format!("  {}", observer.run.join(" ")))]);
        let examples: Vec<String> =
            served.examples.iter().map(|(subject, attribute)| format!("{attribute} of {subject}")).collect();
        let examples = if examples.is_empty() { String::new() } else { format!(": {}", examples.join(", ")) };
        page.line([Cell::quiet(format!(
            "  serves {} with {}{examples}",
            count(served.slots, "slot"),
            count(served.open_pairs, "open pair")
        ))]);
    }
    page.text().to_owned()
}
