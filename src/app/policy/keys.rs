//! What the keys of the policy screen do, and what follows from the answers.

use tui_input::Input;

use super::super::asks::policy::Answer;
use super::super::dialog::Dialog;
use super::super::failure::Failure;
use super::super::keymap::{Command, Deciding, Looking, Narrowing, Way};
use super::super::list::Anchor;
use super::super::list::Landed;
use super::super::model::{Model, Tone};
use super::super::msg::Effect;
use super::super::port::Filter;
use super::super::standing::Standing;
use super::super::{decide, declare, forms};
use super::detail::{Detail, Of};
use super::layout::Layout;
use super::{Focus, ask};
use crate::core::facet::Facet;
use crate::core::record::Attribute;
use crate::core::time::Instant;

/// Does what a command says; none where it means nothing here.
pub(crate) fn run(model: &mut Model, command: Command, _now: Instant) -> Option<Vec<Effect>> {
    Some(match command {
        Command::Move(to) => match to.way(model.policy.half()) {
            Way::By(by) | Way::Next(by) => moved(model, by),
            Way::First => ends(model, true),
            Way::Last => ends(model, false),
        },
        Command::Look(how) => return look(model, how),
        Command::Narrow(to) => return narrow(model, to),
        Command::Decide(Deciding::Declare) => declare_selected(model),
        Command::OpenPairs => open_pairs(model),
        Command::Mark(_)
        | Command::Copy(_)
        | Command::Decide(_)
        | Command::Skip
        | Command::OpenHistory
        | Command::OpenBatch
        | Command::OpenPair
        | Command::Dispute
        | Command::Plane(_)
        | Command::Log(_)
        | Command::Edit
        | Command::Common(_) => return None,
    })
}

fn moved(model: &mut Model, by: i64) -> Vec<Effect> {
    model.said = None;
    let height = Layout::detail_rows(model.size);
    if let Some(detail) = &mut model.policy.detail {
        detail.scroll(by, height);
        return Vec::new();
    }
    model.policy.step(by)
}

fn ends(model: &mut Model, first: bool) -> Vec<Effect> {
    let height = Layout::detail_rows(model.size);
    if let Some(detail) = &mut model.policy.detail {
        detail.scroll(if first { i64::MIN / 2 } else { i64::MAX / 2 }, height);
        return Vec::new();
    }
    model.policy.first_or_last(first)
}

/// What changes only how it is looked at.
fn look(model: &mut Model, how: Looking) -> Option<Vec<Effect>> {
    match how {
        Looking::FocusNext | Looking::FocusPrevious if model.policy.detail.is_some() => {}
        Looking::FocusNext | Looking::FocusPrevious => {
            model.said = None;
            model.policy.focus = match model.policy.focus {
                Focus::Attributes => Focus::Kinds,
                Focus::Kinds => Focus::Attributes,
            };
            resized(model);
        }
        Looking::Full => return Some(open(model)),
        Looking::ScrollLeft
        | Looking::ScrollRight
        | Looking::EvidenceDown
        | Looking::EvidenceUp
        | Looking::Wrap
        | Looking::Blind => return None,
    }
    Some(Vec::new())
}

/// What is selected, whole.
fn open(model: &mut Model) -> Vec<Effect> {
    model.said = None;
    if model.policy.detail.is_some() {
        return Vec::new();
    }
    let policy = &model.policy;
    let detail = match policy.focus {
        Focus::Attributes => policy.attributes.current().map(|line| Detail::attribute(line.attribute.clone())),
        Focus::Kinds => policy.kinds.current().map(|line| Detail::kind(line.kind.clone())),
    };
    let Some(detail) = detail else { return model.hint("nothing is selected") };
    let effects = vec![ask(detail.question())];
    model.policy.detail = Some(detail);
    effects
}

fn narrow(model: &mut Model, to: Narrowing) -> Option<Vec<Effect>> {
    let in_lists = model.policy.detail.is_none();
    Some(match to {
        Narrowing::Find | Narrowing::Sort | Narrowing::Clear if !in_lists => {
            model.hint("Esc goes back to the lists first")
        }
        Narrowing::Find => {
            model.policy.focus = Focus::Attributes;
            resized(model);
            let input = Input::new(model.policy.found.clone());
            let before = Filter { text: Some(model.policy.found.clone()), ..Filter::default() };
            model.open(Dialog::Find { input, before: Box::new(before) })
        }
        Narrowing::Sort => {
            model.policy.order = model.policy.order.next();
            model.say(Tone::Hint, format!("order: {}", model.policy.order.name()));
            model.policy.from_the_first()
        }
        Narrowing::Clear => {
            model.say(Tone::Hint, "every attribute is shown");
            find(model, "")
        }
        Narrowing::Facets | Narrowing::Awaiting | Narrowing::Stale | Narrowing::Sentences => return None,
    })
}

/// Shows the attributes with this text in their names.
pub(crate) fn find(model: &mut Model, text: &str) -> Vec<Effect> {
    text.clone_into(&mut model.policy.found);
    model.policy.from_the_first()
}

/// The attribute that is selected, or looked at whole, with what is declared of it.
fn selected(model: &Model) -> Option<Standing> {
    let standing = |line: &super::super::asks::policy::Line| Standing {
        attribute: line.attribute.clone(),
        subject: None,
        fields: line.fields.clone(),
    };
    match (&model.policy.detail, model.policy.focus) {
        (Some(Detail { of: Of::Attribute(_, Some(whole)), .. }), _) => Some(standing(&whole.line)),
        (Some(_), _) | (None, Focus::Kinds) => None,
        (None, Focus::Attributes) => model.policy.attributes.current().map(standing),
    }
}

fn declare_selected(model: &mut Model) -> Vec<Effect> {
    if let Some(why) = model.cannot_write() {
        return model.hint(why);
    }
    match selected(model) {
        Some(standing) => decide::open_form(model, forms::declare(standing)),
        None => model.hint(
            "only attributes are declared here: a kind's class ships with the policy, or a record states its own",
        ),
    }
}

/// The open pairs of the attribute, where they are ruled on.
fn open_pairs(model: &mut Model) -> Vec<Effect> {
    let attribute: Option<Attribute> = selected(model).map(|standing| standing.attribute);
    let Some(attribute) = attribute else { return model.hint("select an attribute: its open pairs are shown") };
    let filter = Filter { attributes: Facet::only(Some(attribute.to_string())), ..Filter::open() };
    model.show_pairs(filter, Anchor::First)
}

/// One level back within the screen; none at its outermost.
pub(crate) fn back(model: &mut Model) -> Option<Vec<Effect>> {
    if model.policy.detail.take().is_some() {
        model.said = None;
        return Some(Vec::new());
    }
    if model.policy.focus == Focus::Kinds {
        model.policy.focus = Focus::Attributes;
        resized(model);
        return Some(Vec::new());
    }
    (!model.policy.found.is_empty()).then(|| {
        model.say(Tone::Hint, "every attribute is shown");
        find(model, "")
    })
}

/// An answer has come.
pub(crate) fn answered(model: &mut Model, number: u64, answer: Result<Answer, Failure>) -> Vec<Effect> {
    match answer {
        Ok(Answer::Attributes { generation, window, head }) => {
            model.policy.head = Some(head);
            if model.policy.attributes.land(generation, window) == Landed::Missed {
                let asked = model.policy.attributes.reload();
                return model.policy.ask_attributes(asked);
            }
        }
        Ok(Answer::Kinds { generation, window }) => {
            if model.policy.kinds.land(generation, window) == Landed::Missed {
                return model.policy.refresh();
            }
        }
        Ok(Answer::Attribute(whole)) => {
            if let Some(Detail { of: Of::Attribute(attribute, held), .. }) = &mut model.policy.detail
                && *attribute == whole.line.attribute
            {
                *held = Some(whole);
            }
        }
        Ok(Answer::Kind(whole)) => {
            if let Some(Detail { of: Of::Kind(kind, held), .. }) = &mut model.policy.detail
                && *kind == whole.line.kind
            {
                *held = Some(whole);
            }
        }
        Ok(Answer::Tried(tried)) => {
            declare::tried(model, number, Ok(tried));
        }
        Err(failure) => {
            if !declare::tried(model, number, Err(failure.clone())) && failure != Failure::Cancelled {
                model.say(Tone::Trouble, failure.to_string());
            }
        }
    }
    Vec::new()
}

/// The terminal has another size, or the lists are divided anew.
pub(crate) fn resized(model: &mut Model) {
    model.policy.resize(model.size);
}
