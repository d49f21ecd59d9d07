//! Which events are shown: find as you type, facets, and all of them again.

use tui_input::Input;

use super::super::asks::log::{Filter, Question};
use super::super::dialog::Dialog;
use super::super::keymap::Narrowing;
use super::super::model::{Model, Tone};
use super::super::msg::Effect;
use super::forms;

/// Does what a narrowing key says; none where it means nothing here.
pub(super) fn narrow(model: &mut Model, to: Narrowing) -> Option<Vec<Effect>> {
    if model.log.auditing.is_some() {
        return Some(model.hint("a sample is as it was drawn: Esc goes back to the log"));
    }
    Some(match to {
        Narrowing::Find => {
            let before = model.log.filter.clone();
            let input = Input::new(before.text.clone().unwrap_or_default());
            model.log.before_find = Some(before);
            model.open(Dialog::Find { input, before: Box::default() })
        }
        Narrowing::Facets => {
            let form = forms::facets(&model.log.filter, model.log.current());
            model.open(Dialog::Form(Box::new(form)))
        }
        Narrowing::Clear => {
            model.say(Tone::Hint, "the filter is cleared");
            show(model, Filter::default())
        }
        Narrowing::Sort | Narrowing::Awaiting | Narrowing::Stale | Narrowing::Sentences => return None,
    })
}

/// Another text is looked for.
pub(super) fn find(model: &mut Model, text: &str) -> Vec<Effect> {
    let text = Some(text.trim()).filter(|text| !text.is_empty()).map(str::to_owned);
    let filter = Filter { text, ..model.log.filter.clone() };
    show(model, filter)
}

/// Finding was given up: what was shown is shown again.
pub(super) fn give_up(model: &mut Model) -> Vec<Effect> {
    match model.log.before_find.take() {
        Some(before) => show(model, before),
        None => Vec::new(),
    }
}

/// Shows other events. Where finding them may take long, it is work with a number: it shows how far it is, and the
/// search before it is given up.
pub(super) fn show(model: &mut Model, filter: Filter) -> Vec<Effect> {
    let effects = model.log.filtered(filter);
    numbered(model, effects)
}

/// Gives a number to the questions that may take long.
pub(super) fn numbered(model: &mut Model, effects: Vec<Effect>) -> Vec<Effect> {
    let is_long =
        |effect: &Effect| matches!(effect, Effect::Log { question: Question::Page { long: true, .. }, .. });
    if !effects.iter().any(is_long) {
        return effects;
    }
    let before = model.working.as_ref().filter(|working| working.what == FINDING).map(|working| working.number);
    let number = model.begin_work(FINDING);
    let cancel = before.map(|number| Effect::Cancel { number });
    let numbered = effects.into_iter().map(|effect| {
        if let Effect::Log { question, .. } = effect { Effect::Log { number, question } } else { effect }
    });
    cancel.into_iter().chain(numbered).collect()
}

const FINDING: &str = "finding in the log";
