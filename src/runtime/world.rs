//! The live world: which observer looks for a slot, and what it saw, as the order that enters it.

use crate::core::observer::{Observer, of_slot};
use crate::core::order::Seen;
use crate::core::record::{Attribute, Subject};
use crate::observe::{self, Unseen};
use crate::wire::observer::sighting;

/// How much of what an observer printed stands as its evidence, where it names none, in characters.
const MOST_EVIDENCE: usize = 2_000;

/// The observers that the user's configuration names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct World {
    observers: Vec<Observer>,
}

/// What came of looking.
#[derive(Clone, Debug, PartialEq)]
pub enum Looked {
    Seen(Box<Seen>),
    /// It saw nothing that can be entered.
    Unseen {
        observer: String,
        why: String,
    },
    /// The one who waited did not want it any more.
    Cancelled,
    /// No observer serves the slot.
    Nobody,
}

impl World {
    pub const fn new(observers: Vec<Observer>) -> Self {
        Self { observers }
    }

    /// All of them, in the order of the configuration.
    pub fn observers(&self) -> &[Observer] {
        &self.observers
    }

    /// The observer that serves the slot, where there is one.
    pub fn serving(&self, subject: &Subject, attribute: &Attribute) -> Option<&Observer> {
        of_slot(&self.observers, subject, attribute)
    }

    /// Runs the observer that serves the slot, as long as it is wanted.
    pub fn look(&self, subject: &Subject, attribute: &Attribute, wanted: &dyn Fn() -> bool) -> Looked {
        let Some(observer) = self.serving(subject, attribute) else { return Looked::Nobody };
        let variable = |name: &str| std::env::var(name).ok();
        let name = observer.run.first().cloned().unwrap_or_default();
        match observe::look(observer, subject, attribute, &variable, wanted) {
            Ok(printed) => match seen(observer, &name, &printed) {
                Ok(seen) => Looked::Seen(Box::new(seen)),
                Err(why) => Looked::Unseen { observer: name, why },
            },
            Err(Unseen::Cancelled) => Looked::Cancelled,
            Err(unseen) => Looked::Unseen { observer: name, why: unseen.to_string() },
        }
    }
}

fn seen(observer: &Observer, name: &str, printed: &[u8]) -> Result<Seen, String> {
    let saw = sighting(printed).map_err(|fault| format!("it answered what cannot be read: {fault}"))?;
    let reading = || {
        let text = String::from_utf8_lossy(printed);
        text.trim().chars().take(MOST_EVIDENCE).collect()
    };
    Ok(Seen {
        value: saw.value,
        epoch: saw.epoch,
        source: observer.source.clone(),
        class: observer.class,
        evidence: saw.evidence.unwrap_or_else(reading),
        observed_at: saw.observed_at,
        observer: Some(name.to_owned()),
    })
}
