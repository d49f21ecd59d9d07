//! Disputes: a record, and one that the core settled it against. What the core did not settle says why it cannot be
//! disputed, and the nearest step.

use super::asks::history::{Linked, RecordLine};
use super::decide;
use super::dialog::{Dialog, Refused};
use super::form::Objection;
use super::form::{Disputed, Field, Form, Matter, Purpose};
use super::keymap::Command;
use super::model::Model;
use super::msg::Effect;
use crate::core::order::Order;
use crate::core::pair::RecordState;
use crate::core::settle::EdgeKind;
use crate::core::value::plain;

const ABOUT: &str = "The core settled these two without asking anyone. A dispute opens them as a pair: the slot is \
     contested, and answers nothing, until someone rules.";

/// `!` in the history: opens the form on the selected record, or says why not.
pub(super) fn begin(model: &mut Model) -> Vec<Effect> {
    if let Some(why) = model.cannot_write() {
        return model.hint(why);
    }
    let Some(record) = model.history.record() else {
        return model.hint("select a record: a dispute is about two of them");
    };
    match settled(record) {
        Ok(against) => {
            let form = build(record, &against);
            decide::open_form(model, form)
        }
        Err(NotDisputable { because, nearest: Some(nearest) }) => {
            model.open(Dialog::Refused(Refused { command: Command::Dispute, because, nearest }))
        }
        Err(NotDisputable { because, nearest: None }) => {
            let lines = vec![because, "Esc goes back; nothing was written.".to_owned()];
            model.open(Dialog::Notice { title: "Dispute: not possible".to_owned(), lines })
        }
    }
}

/// Why a record cannot be disputed, and the nearest step where a key leads there.
struct NotDisputable {
    because: String,
    nearest: Option<Command>,
}

/// The records that the core settled this one against: what it lost to, then what it won over.
fn settled(record: &RecordLine) -> Result<Vec<&Linked>, NotDisputable> {
    let settled = |link: &&Linked| matches!(link.kind, EdgeKind::Supersedes(_));
    let mut against: Vec<&Linked> = record.links.iter().filter(settled).collect();
    against.sort_by_key(|link| link.from_here);
    let none = against.is_empty();
    let id = &record.id;
    let no = |because: String, nearest| Err(NotDisputable { because, nearest });
    match (record.state, record.open_pair) {
        (Some(RecordState::Withdrawn), _) => {
            no(format!("{id} was withdrawn: undo that ruling first, then it contends again."), None)
        }
        (Some(RecordState::History), _) => no(
            format!(
                "{id} is history: the world was looked at again since, and what was seen then stands. Look again \
                 (r in triage, on an open pair), or dispute what was seen."
            ),
            None,
        ),
        (Some(RecordState::Contested), Some(pair)) if none => no(
            format!("the core settled nothing of {id}: pair {pair} is open, rule on it"),
            Some(Command::OpenPair),
        ),
        (Some(RecordState::Contested), None) if none => {
            no(format!("the core settled nothing of {id}: its value is in an open pair"), Some(Command::OpenPair))
        }
        (None, _) => no(format!("{id} is in no slot: it is compared with nothing."), None),
        (
            Some(RecordState::Live | RecordState::Superseded | RecordState::Retracted | RecordState::Contested),
            _,
        ) if none => no(
            format!("Nothing was settled between {id} and another: where all agree, there is nothing to dispute."),
            None,
        ),
        (
            Some(RecordState::Live | RecordState::Superseded | RecordState::Retracted | RecordState::Contested),
            _,
        ) => Ok(against),
    }
}

fn build(record: &RecordLine, against: &[&Linked]) -> Form {
    let options: Vec<String> = against
        .iter()
        .map(|link| {
            let how = if link.from_here { "lost to it" } else { "won over it" };
            format!("{} ({}), which {how}", link.other, plain(&link.value))
        })
        .collect();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let hint =
        if options.len() > 1 { "← → to change" } else { "the only one that the core settled it against" };
    let fields = vec![
        Field::choice("against", hint, &options),
        Field::text("reason", "why the core should not have settled it"),
    ];
    let title = format!("Dispute {} ({})", record.id, plain(&record.value));
    let against = against.iter().map(|link| link.other.clone()).collect();
    let matter = Matter::Dispute(Box::new(Disputed { record: record.id.clone(), against }));
    Form { matter, ..Form::new(Purpose::Dispute, title, ABOUT.to_owned(), fields) }
}

/// The order that the form makes, or the field that is not yet right.
pub(super) fn order(form: &Form, disputed: &Disputed) -> Result<Order, Objection> {
    let other = form.chosen("against").and_then(|at| disputed.against.get(at));
    let Some(other) = other else { return Err(("against", "choose one".to_owned())) };
    let reason = form.value("reason");
    if reason.is_empty() {
        return Err(("reason", "the reason is needed".to_owned()));
    }
    Ok(Order::Dispute { records: (disputed.record.clone(), other.clone()), reason: reason.to_owned() })
}
