//! Names that nobody has mentioned: said, with the name that may have been meant.

use crate::core::plural::listed;
use crate::core::record::{Attribute, Epoch, Subject};
use crate::error::{Error, Kind, Result};
use crate::store::Store;

use super::context::Context;
use super::output::warn;

/// So many names of a list are shown.
const SHOWN: usize = 8;

/// The error where no record is about a slot; none where one is, or was.
pub(super) fn slot(store: &Store, subject: &Subject, attribute: &Attribute) -> Result<Option<Error>> {
    let known = store.attributes(subject)?;
    if known.contains(attribute) {
        return Ok(None);
    }
    if known.is_empty() {
        return self::subject(store, subject)
            .map(|error| error.or_else(|| Some(nobody(attribute, subject, &known))));
    }
    Ok(Some(nobody(attribute, subject, &known)))
}

/// The error where no record is about a subject; none where one is.
pub(super) fn subject(store: &Store, subject: &Subject) -> Result<Option<Error>> {
    if store.knows_subject(subject)? {
        return Ok(None);
    }
    let hint = match store.nearest_subject(subject)? {
        Some(near) => format!("did you mean {near}?"),
        None => "no name is near it; names count letter by letter, capitals too".to_owned(),
    };
    Ok(Some(Error::new(Kind::Missing, format!("no record is about {subject}")).with_hint(hint)))
}

/// The error for a subject that has attributes, and not this one.
fn nobody(attribute: &Attribute, subject: &Subject, known: &[Attribute]) -> Error {
    let error = Error::new(Kind::Missing, format!("no record is about {attribute} of {subject}"));
    match crate::core::nearest::nearest(attribute.as_str(), known.iter().map(Attribute::as_str)) {
        Some(near) => error.with_hint(format!("did you mean {near}?")),
        None if known.is_empty() => error.with_hint("its records name no attribute"),
        None => {
            let more = known.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let known: Vec<&str> = known.iter().take(SHOWN).map(Attribute::as_str).collect();
            error.with_hint(format!("records are about its {}{more}", known.join(", ")))
        }
    }
}

/// What is to be said of each name that no record has. Where there is no store yet, that is nothing.
pub(super) fn subjects<'a>(names: impl IntoIterator<Item = &'a Subject>, context: &Context) -> Result<Vec<Error>> {
    if !context.store.exists() {
        return Ok(Vec::new());
    }
    let store = context.reading()?;
    // A pattern is no name.
    let names = names.into_iter().filter(|name| !name.as_str().contains('*'));
    names.filter_map(|name| subject(&store, name).transpose()).collect()
}

/// Says of each name that no record has it: what is done with it is done all the same.
pub(super) fn warn_of_subjects<'a>(names: impl IntoIterator<Item = &'a Subject>, context: &Context) -> Result {
    subjects(names, context)?.iter().for_each(|error| warn(error, context.colour));
    Ok(())
}

/// Says that a filter names an attribute which no record is about.
pub(super) fn warn_of_attribute(attribute: &Attribute, store: &Store, context: &Context) -> Result {
    let near = store.nearest_attribute(attribute)?;
    if near.as_ref() != Some(attribute) {
        let error = Error::new(Kind::Missing, format!("no record is about any {attribute}"));
        let hint = near.map_or_else(|| "no name is near it".to_owned(), |near| format!("did you mean {near}?"));
        warn(&error.with_hint(hint), context.colour);
    }
    Ok(())
}

/// Says that an epoch is new to a subject that is in others: a slip of the fingers opens a new world.
pub(super) fn warn_of_epoch(known: &[Epoch], epoch: Epoch, subject: &Subject, context: &Context) {
    if known.is_empty() || known.contains(&epoch) {
        return;
    }
    let known: Vec<String> = known.iter().rev().take(SHOWN).rev().map(ToString::to_string).collect();
    let said = format!("epoch {epoch} is new to {subject}: its records name {}", listed(&known));
    let hint = "if it was mistyped, take it back with `gainsay undo`";
    warn(&Error::new(Kind::Missing, said).with_hint(hint), context.colour);
}

/// The epochs that a subject is known to have been in, the oldest first.
pub(super) fn epochs_of(store: &Store, subject: &Subject, context: &Context) -> Result<Vec<Epoch>> {
    Ok(store.epochs(subject, context.now)?.into_iter().map(|of| of.epoch).collect())
}
