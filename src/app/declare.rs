//! The what-if while a declaration is being filled in: asked anew after each change, the newest question alone.
//!
//! The core computes it in the background. A question that was overtaken is cancelled at once, so that typing never waits
//! and nothing outdated is ever shown.

use super::asks::policy::Question;
use super::declaring;
use super::dialog::Dialog;
use super::failure::Failure;
use super::form::{Form, Purpose, Stage};
use super::model::Model;
use super::msg::Effect;
use super::trial::Trial;
use crate::core::tried::Tried;

/// The form in which something is declared, if it is what the keys go to.
fn form(model: &mut Model) -> Option<&mut Form> {
    match model.dialogs.last_mut() {
        Some(Dialog::Form(form)) if form.purpose == Purpose::Declare => Some(form),
        Some(
            Dialog::Form(_)
            | Dialog::Menu(_)
            | Dialog::Refused(_)
            | Dialog::Notice { .. }
            | Dialog::Help { .. }
            | Dialog::Palette(_)
            | Dialog::Bulk(_)
            | Dialog::Find { .. }
            | Dialog::Again(_)
            | Dialog::Stale(_)
            | Dialog::Slotting(_),
        )
        | None => None,
    }
}

/// The form may have changed: if it makes another declaration now, that one is computed, and the last no more.
pub(super) fn keep_up(model: &mut Model) -> Vec<Effect> {
    ask(model, false)
}

/// The store has changed under the form: what it would do is computed anew.
pub(super) fn again(model: &mut Model) -> Vec<Effect> {
    ask(model, true)
}

fn ask(model: &mut Model, anew: bool) -> Vec<Effect> {
    let number = model.number + 1;
    let Some(form) = form(model) else { return Vec::new() };
    if form.stage != Stage::Filling && !anew {
        return Vec::new();
    }
    let Some(standing) = form.standing() else { return Vec::new() };
    let wanted = declaring::declaration(form, &standing);
    let before = form.trial.as_ref();
    if !anew && wanted.as_ref().ok() == before.and_then(Trial::declaration) && before.is_some() && wanted.is_ok() {
        return Vec::new();
    }
    let mut effects: Vec<Effect> = cancel(form).into_iter().collect();
    form.trial = Some(match wanted {
        Err((_, why)) => Trial::Incomplete(why),
        Ok(declaration) => {
            effects.push(Effect::Policy { number, question: Question::Try(declaration.clone()) });
            Trial::Running { number, declaration, progress: None }
        }
    });
    model.number = number;
    effects
}

/// The form is left: what it would do is not computed any further.
pub(super) fn cancel(form: &Form) -> Option<Effect> {
    form.trial.as_ref().and_then(Trial::number).map(|number| Effect::Cancel { number })
}

/// What a declaration would do has come; says whether anybody waited for it.
pub(super) fn tried(model: &mut Model, number: u64, answer: Result<Box<Tried>, Failure>) -> bool {
    form(model).and_then(|form| form.trial.as_mut()).is_some_and(|trial| trial.finish(number, answer))
}

/// How far it is.
pub(super) fn advance(model: &mut Model, number: u64, done: u64, of: u64) {
    if let Some(trial) = form(model).and_then(|form| form.trial.as_mut()) {
        trial.advance(number, done, of);
    }
}
