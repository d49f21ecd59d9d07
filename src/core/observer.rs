//! Observers: what looks at the live world for a slot, as the user's configuration names it (INTERFACE 5). Which slots
//! one serves, and with which arguments it is run, is decided here; nothing is run here.

use std::time::Duration;

use wildmatch::WildMatch;

use super::record::{Attribute, Kind, SourceClass, Subject};

/// The limit on time where the configuration sets none.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// A command that looks, and the slots for which it does.
#[derive(Clone, Debug, PartialEq)]
pub struct Observer {
    /// The attributes that it serves; `*` stands for any run of characters.
    pub attribute: String,
    /// The subjects that it serves, likewise.
    pub subject: String,
    /// The argument vector: the program first. No shell reads it.
    pub run: Vec<String>,
    /// The source kind of what it sees.
    pub source: Kind,
    /// The source class, where it is not the one that the policy gives the kind.
    pub class: Option<SourceClass>,
    /// How long it may take.
    pub timeout: Duration,
    /// The variables of the environment that it is given beside `PATH`, `HOME` and `LANG`.
    pub environment: Vec<String>,
}

/// Why a slot cannot be looked at by an observer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotAsk {
    /// It would be read as an option: data must not choose what a command does.
    #[error("{0} begins with `-`: as an argument of its own it would be read as an option")]
    LooksLikeAnOption(String),
    #[error("{0} holds a NUL character, which no argument can")]
    Nul(String),
}

impl Observer {
    /// Whether it looks for this slot.
    pub fn serves(&self, subject: &Subject, attribute: &Attribute) -> bool {
        WildMatch::new(&self.attribute).matches(attribute.as_str())
            && WildMatch::new(&self.subject).matches(subject.as_str())
    }

    /// The arguments for a slot: `{subject}` and `{attribute}` are replaced inside single arguments, never in the
    /// program's name, and what was put in is not looked at again.
    pub fn arguments(&self, subject: &Subject, attribute: &Attribute) -> Result<Vec<String>, CannotAsk> {
        let names = [("{subject}", subject.as_str()), ("{attribute}", attribute.as_str())];
        let filled = self.run.iter().enumerate().map(|(at, argument)| {
            if at == 0 {
                return Ok(argument.clone());
            }
            let text = fill(argument, &names);
            let began = names.iter().any(|(name, _)| argument.starts_with(name));
            match () {
                () if text.contains('\0') => Err(CannotAsk::Nul(text)),
                () if began && text.starts_with('-') => Err(CannotAsk::LooksLikeAnOption(text)),
                () => Ok(text),
            }
        });
        filled.collect()
    }
}

/// The first observer in the order of the configuration that serves the slot.
pub fn of_slot<'a>(observers: &'a [Observer], subject: &Subject, attribute: &Attribute) -> Option<&'a Observer> {
    observers.iter().find(|observer| observer.serves(subject, attribute))
}

fn fill(argument: &str, names: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = argument;
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        filled.push_str(before);
        match names.iter().find(|(name, _)| from.starts_with(name)) {
            Some((name, value)) => {
                filled.push_str(value);
                rest = from.get(name.len()..).unwrap_or_default();
            }
            None => {
                filled.push('{');
                rest = from.get(1..).unwrap_or_default();
            }
        }
    }
    filled.push_str(rest);
    filled
}
