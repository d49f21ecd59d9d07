//! Forms of the log screen are opened with what was last typed in them: a dialog never loses it.

use super::super::dialog::Dialog;
use super::super::form::{Form, Logged, Matter, Purpose};
use super::super::model::Model;
use super::super::msg::Effect;

/// Opens a form, with what was last typed in it about this.
pub(super) fn open_form(model: &mut Model, mut form: Form) -> Vec<Effect> {
    if let Some(draft) = key(&form).and_then(|key| model.log.drafts.get(&key)) {
        form.restore(draft);
    }
    model.open(Dialog::Form(Box::new(form)))
}

/// What a draft is kept under: what its form is for, and what it is about. A form about nothing keeps none.
fn key(form: &Form) -> Option<(Logged, String)> {
    let Purpose::Log(purpose) = form.purpose else { return None };
    let about = match &form.matter {
        Matter::Records(winner, loser) => format!("{winner} {loser}"),
        Matter::Ruling(ruling) => ruling.to_string(),
        Matter::Nothing
        | Matter::Pair(_)
        | Matter::Batch(_)
        | Matter::Attribute(_)
        | Matter::Dispute(_)
        | Matter::Marked(_) => {
            return None;
        }
    };
    Some((purpose, about))
}

/// Keeps what was typed, for when the form is opened again.
pub(super) fn keep_draft(model: &mut Model, form: &Form) {
    if let Some(key) = key(form) {
        model.log.drafts.insert(key, form.draft());
    }
}

/// A form of this screen was left: what was typed is kept.
pub(super) fn closed(model: &mut Model, form: &Form) -> Vec<Effect> {
    if key(form).is_none() {
        return Vec::new();
    }
    keep_draft(model, form);
    model.hint("nothing was written; what you typed is kept")
}
