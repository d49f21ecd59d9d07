//! What is filled in a form, read field by field; a field that is not yet right is named with what is wrong.

use super::form::{Form, Objection};
use crate::core::record::Epoch;
use crate::core::time::When;

/// A text that must be there.
pub(super) fn needed(form: &Form, name: &'static str) -> Result<String, Objection> {
    let text = form.value(name);
    if text.is_empty() { Err((name, format!("the {name} is needed"))) } else { Ok(text.to_owned()) }
}

/// The time in `observed at`, where one is.
pub(super) fn time(form: &Form) -> Result<Option<When>, Objection> {
    let text = form.value("observed at");
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|error: crate::core::time::TimeError| ("observed at", error.to_string()))
}

/// The number in `epoch`.
pub(super) fn epoch(form: &Form) -> Result<Epoch, Objection> {
    let number = form.value("epoch").parse().ok().filter(|number| *number >= 0);
    number.map(Epoch).ok_or_else(|| ("epoch", "a whole number from 0 is needed".to_owned()))
}
