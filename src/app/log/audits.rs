//! Auditing: an auditor's word on each ruling of a sample.

use super::super::asks::log::Saying;
use super::super::dialog::Dialog;
use super::super::form::{Form, Logged, Objection, Says, Stage};
use super::super::model::{Model, Tone};
use super::super::msg::Effect;
use super::drafts::open_form;
use super::scrolled::lay_out;
use super::{forms, narrow};
use crate::core::audit::{Audit, Tally, Verdict};

/// What a filled form says.
pub(super) fn spoken(model: &Model, form: &Form, says: Says) -> Result<Saying, Objection> {
    let drawn = model.log.auditing.as_ref().map(|auditing| auditing.sample.drawn.clone());
    forms::saying(form, says, drawn)
}

/// `+` or `-`: an auditor's word on the ruling of the selected event.
pub(super) fn say(model: &mut Model, says: Says) -> Vec<Effect> {
    if let Some(why) = model.cannot_write() {
        return model.hint(why);
    }
    let Some(auditing) = &model.log.auditing else {
        return model.hint("an auditor speaks on a sample: s draws one");
    };
    let Some(item) = auditing.current() else { return model.hint("the sample is empty: Esc goes back") };
    if model.log.whole().is_none() {
        return model.hint("this ruling is not on the screen yet: look at it first");
    }
    let says = if auditing.hides() { Says::Blind } else { says };
    let reviewer = if auditing.hides() { "" } else { &auditing.sample.reviewer };
    let mut form = forms::say(says, item.ruling, reviewer, auditing.sample.reviewer == model.setup.actor);
    if says != Says::Agree {
        return open_form(model, form);
    }
    // Nothing must be typed to agree: one more key writes it, and Esc goes to the note.
    if let Ok(saying) = spoken(model, &form, says) {
        form.stage = Stage::Saying(Box::new(saying));
    }
    model.open(Dialog::Form(Box::new(form)))
}

/// `B`: hides what was decided, or shows it again.
pub(super) fn blind(model: &mut Model) -> Vec<Effect> {
    let Some(auditing) = &mut model.log.auditing else {
        return model.hint("blind is for audits: s draws a sample");
    };
    auditing.blind = !auditing.blind;
    let text = if auditing.blind {
        "blind: what was ruled is hidden until you have said what you would have ruled"
    } else {
        "no longer blind"
    };
    lay_out(model);
    model.hint(text)
}

/// Whose rulings are to be audited is asked for.
pub(super) fn choose_reviewer(model: &mut Model, reviewers: &[(String, u64)]) -> Vec<Effect> {
    if reviewers.is_empty() {
        return model.hint("nobody has ruled yet: there is nothing to audit");
    }
    let ruled = model.log.current().filter(|event| event.ruling.is_some() && event.actor != model.setup.actor);
    let form = forms::sample(reviewers, ruled.map(|event| event.actor.as_str()), &model.setup.actor, model.now);
    model.open(Dialog::Form(Box::new(form)))
}

/// An auditor's word is written: the tally follows, and the next ruling comes.
pub(super) fn said(model: &mut Model, audit: Audit, tally: Tally) -> Vec<Effect> {
    for says in [Says::Agree, Says::Disagree, Says::Blind] {
        model.log.drafts.remove(&(Logged::Says(says), audit.ruling.to_string()));
    }
    let verb = if audit.verdict == Verdict::Agree { "agree" } else { "disagree" };
    let mut text = format!("you {verb} with ruling {}: event {}", audit.ruling, audit.event);
    if let Some(blind) = &audit.blind {
        text = format!("you said {}, ruled was {}: {verb}, event {}", blind.said, blind.ruled, audit.event);
    }
    model.say(Tone::Hint, text);
    let moved = model.log.auditing.as_mut().is_some_and(|auditing| auditing.said(audit, tally));
    if !moved {
        lay_out(model);
    }
    let mut effects = if moved { model.log.selected() } else { model.log.ask_whole() };
    // Its event stands in the log now.
    let asked = model.log.list.reload();
    effects.extend(model.log.ask(asked));
    narrow::numbered(model, effects)
}
