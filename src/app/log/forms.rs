//! The forms of the log screen: facets, a dispute, a sample to draw, and what an auditor says.

use super::super::asks::log::{Draw, Event, Filter, Saying, Word};
use super::super::form::{Field, Form, Logged, Matter, Objection, Purpose, Says};
use crate::core::audit::{Drawn, LABELS, Verdict};
use crate::core::event::KINDS;
use crate::core::order::Order;
use crate::core::record::RecordId;
use crate::core::ruling::{PairId, RulingId};
use crate::core::time::{Instant, When};

const ANY: &str = "any";
const CHANGE: &str = "← → to change";

/// What the log is narrowed to: the filter in force; what the selected event has is offered as a hint.
pub(super) fn facets(filter: &Filter, event: Option<&Event>) -> Form {
    let kinds: Vec<&str> = std::iter::once(ANY).chain(KINDS).collect();
    let here = |text: Option<String>| text.map(|text| format!("here: {text}")).unwrap_or_default();
    let of = |part: fn(&Event) -> Option<String>| here(event.and_then(part));
    let held = |text: Option<String>| text.unwrap_or_default();
    let time = |at: Option<Instant>| held(at.map(|at| at.to_string()));
    let fields = vec![
        Field::text("actor", &of(|event| Some(event.actor.clone()))).holding(&held(filter.actor.clone())),
        Field::choice("kind", CHANGE, &kinds).holding(filter.kind.as_deref().unwrap_or(ANY)),
        Field::text("subject", &of(|event| event.subject.clone())).holding(&held(filter.subject.clone())),
        Field::text("since", "2025-11-02, or 2025-11-02T04:00:00Z").holding(&time(filter.since)),
        Field::text("until", "that time still belongs to it").holding(&time(filter.until)),
        Field::text("pair", &of(|event| event.pair.map(|pair| pair.to_string())))
            .holding(&held(filter.pair.map(|pair| pair.to_string()))),
        Field::text("ruling", &of(|event| event.ruling.map(|ruling| ruling.to_string())))
            .holding(&held(filter.ruling.map(|ruling| ruling.to_string()))),
    ];
    let about = "Nothing is written. An empty field does not narrow; F clears all.".to_owned();
    Form::new(Purpose::Log(Logged::Facets), "Show only events".to_owned(), about, fields)
}

/// The filter that the form describes; what is found by `/` stays in force.
pub(super) fn filter(form: &Form, before: &Filter) -> Result<Filter, Objection> {
    let text = |name| Some(form.value(name)).filter(|text| !text.is_empty()).map(str::to_owned);
    let time = |name: &'static str| {
        let read = |text: String| text.parse::<When>().map_err(|error| (name, error.to_string()));
        text(name).map(read).transpose()
    };
    let number = |name: &'static str| {
        let read = |text: String| {
            let number = text.parse::<i64>().ok().filter(|number| *number > 0);
            number.ok_or_else(|| (name, format!("a {name} is a number, as the list shows it")))
        };
        text(name).map(read).transpose()
    };
    Ok(Filter {
        actor: text("actor"),
        kind: text("kind").filter(|kind| kind != ANY),
        subject: text("subject"),
        since: time("since")?.map(When::first),
        until: time("until")?.map(When::last),
        pair: number("pair")?.map(PairId),
        ruling: number("ruling")?.map(RulingId),
        text: before.text.clone(),
    })
}

/// The form that contests what the core settled.
pub(super) fn dispute(winner: (&str, &str), loser: (&str, &str), slot: &str) -> Form {
    let about = format!(
        "The core settled {} ({}) over {} ({}). A dispute opens a pair on them: the slot is contested until someone rules.",
        winner.1, winner.0, loser.1, loser.0
    );
    let fields = vec![Field::text("reason", "why the core is not to be believed here")];
    let records = Matter::Records(RecordId::from(winner.0), RecordId::from(loser.0));
    Form::new(Purpose::Log(Logged::Dispute), format!("Dispute: {slot}"), about, fields).about(records)
}

/// The order of a dispute whose reason is given.
pub(super) fn dispute_order(form: &Form) -> Result<Order, Objection> {
    let Matter::Records(winner, loser) = &form.matter else {
        return Err(("reason", "there are no two records to dispute".to_owned()));
    };
    let reason = needed(form, "reason")?;
    Ok(Order::Dispute { records: (winner.clone(), loser.clone()), reason })
}

/// The form for a sample. The seed follows from the time, so that two samples differ; it can be changed, and draws the
/// same rulings whenever it is given again.
pub(super) fn sample(reviewers: &[(String, u64)], preferred: Option<&str>, actor: &str, now: Instant) -> Form {
    let names: Vec<&str> = reviewers.iter().map(|(name, _)| name.as_str()).collect();
    let counts: Vec<String> = reviewers.iter().map(|(name, many)| format!("{name} {many}")).collect();
    // Somebody else than the auditor, where there is somebody else.
    let other = names.iter().copied().find(|name| *name != actor).or(names.first().copied()).unwrap_or_default();
    let chosen = preferred.filter(|name| names.contains(name)).unwrap_or(other);
    let fields = vec![
        Field::choice("rulings of", &counts.join(", "), &names).holding(chosen),
        Field::text("how many", "a whole number").holding("20"),
        Field::text("seed", "the same seed draws the same rulings").holding(&now.utc().timestamp().to_string()),
        Field::choice("blind", "hide what was ruled until you have said what you would have ruled", &["no", "yes"]),
    ];
    let about = "Rulings drawn at random, for you to agree or disagree with. Drawing writes nothing.".to_owned();
    Form::new(Purpose::Log(Logged::Sample), "Audit a sample of rulings".to_owned(), about, fields)
}

/// The sample that the form describes, and whether it is gone through blind.
pub(super) fn draw(form: &Form) -> Result<(Draw, bool), Objection> {
    let size = form.value("how many").parse().ok().filter(|size| (1..=1000).contains(size));
    let size: u64 = size.ok_or_else(|| ("how many", "a whole number from 1 to 1000 is needed".to_owned()))?;
    let draw = Draw { reviewer: form.value("rulings of").to_owned(), size, seed: needed(form, "seed")? };
    Ok((draw, form.value("blind") == "yes"))
}

/// The form for an auditor's word on a ruling.
pub(super) fn say(says: Says, ruling: RulingId, reviewer: &str, own: bool) -> Form {
    let warning = if own { " It is your own ruling: the audit is kept, and left out of the rate." } else { "" };
    let (title, about, fields) = match says {
        Says::Disagree => (
            format!("Disagree with ruling {ruling} of {reviewer}"),
            "Written to the log with your note. The ruling itself stays as it is.",
            vec![Field::text("note", "why it is wrong")],
        ),
        Says::Blind => (
            format!("Ruling {ruling}, blind"),
            "Say what you would have ruled. It is compared with what was ruled, written to the log, and shown.",
            vec![Field::choice("you would", CHANGE, &LABELS), Field::text("note", "why")],
        ),
        Says::Agree => (
            format!("Agree with ruling {ruling} of {reviewer}"),
            "Written to the log. The ruling itself stays as it is.",
            vec![Field::text("note", "may stay empty")],
        ),
    };
    Form::new(Purpose::Log(Logged::Says(says)), title, format!("{about}{warning}"), fields)
        .about(Matter::Ruling(ruling))
}

/// What the form says of its ruling.
pub(super) fn saying(form: &Form, says: Says, sample: Option<Drawn>) -> Result<Saying, Objection> {
    let Matter::Ruling(ruling) = form.matter else {
        return Err(("note", "there is no ruling to audit".to_owned()));
    };
    let (word, note) = match says {
        Says::Blind => (Word::Blind(form.value("you would").to_owned()), Some(needed(form, "note")?)),
        Says::Disagree => (Word::Seeing(Verdict::Disagree), Some(needed(form, "note")?)),
        Says::Agree => {
            (Word::Seeing(Verdict::Agree), Some(form.value("note").to_owned()).filter(|note| !note.is_empty()))
        }
    };
    Ok(Saying { ruling, word, note, sample })
}

fn needed(form: &Form, name: &'static str) -> Result<String, Objection> {
    let text = form.value(name);
    if text.is_empty() { Err((name, format!("the {name} is needed"))) } else { Ok(text.to_owned()) }
}
