//! The forms of the triage screen: which fields each has, and the order that a filled one makes.

use super::bulk::Choice;
use super::form::{Field, Form, Matter, Objection, Purpose};
use crate::core::examine::Side;
use crate::core::order::{Order, Scope, Seen, Supplied, Withdrawn};
use crate::core::pair::Pair;
use crate::core::policy::{AttributePolicy, Cardinality, Declaration, OnChange};
use crate::core::record::{Epoch, Kind, Lack, SourceClass};
use crate::core::ruling::WithdrawReason;
use crate::core::time::{Instant, When};
use crate::core::value::Comparison;
use crate::core::value::plain;

/// What a field holds when it is to stay as it is.
const AS_IS: &str = "as it is";
const HERE: &str = "this slot only";
const EVERYWHERE: &str = "the whole attribute";

/// The form for a purpose, on the pair that is selected.
pub fn build(purpose: Purpose, pair: &Pair, side: Side) -> Form {
    let record = |side: Side| pair.record(side).record.id.as_str().to_owned();
    let slot = format!("{} of {}", pair.entry.attribute.as_str(), pair.entry.subject.as_str());
    let (title, about) = match purpose {
        Purpose::OverrideLeft => (format!("Override: accept A, {}", record(Side::Left)), OVERRIDE.to_owned()),
        Purpose::OverrideRight => (format!("Override: accept B, {}", record(Side::Right)), OVERRIDE.to_owned()),
        Purpose::BothTrue => (format!("Both true: {slot}"), BOTH_TRUE.to_owned()),
        Purpose::AcrossEpochs => (format!("Link across epochs: {slot}"), ACROSS.to_owned()),
        Purpose::OneSubject => {
            ("One subject".to_owned(), "The two names are one: their slots merge and settle.".to_owned())
        }
        Purpose::TwoSubjects => ("Two subjects".to_owned(), "The two names are never paired again.".to_owned()),
        Purpose::Seen => (format!("Look again: {slot}"), SEEN.to_owned()),
        Purpose::Rederive => (format!("Re-derive {}", record(lacking(pair, side))), REDERIVE.to_owned()),
        Purpose::WithdrawRecord => ("Withdraw a record".to_owned(), WITHDRAW.to_owned()),
        Purpose::WithdrawBatch => ("Withdraw a batch".to_owned(), WITHDRAW.to_owned()),
        Purpose::Declare => (format!("Declare {}", pair.entry.attribute.as_str()), DECLARE.to_owned()),
        Purpose::DeferUntil => {
            ("Defer until".to_owned(), "Out of the way until then; nothing is decided.".to_owned())
        }
        Purpose::Note => (format!("Note on pair {}", pair.entry.pair), NOTE.to_owned()),
        // Forms that are not about a pair are built elsewhere.
        Purpose::Dispute | Purpose::Facets | Purpose::Log(_) => (String::new(), String::new()),
    };
    Form::new(purpose, title, about, fields(purpose, pair, side)).on(pair)
}

const NOTE: &str = "Words for those who come after. They decide nothing.";
const OVERRIDE: &str = "It is the later record but less authoritative. The override is logged with your reason.";
const BOTH_TRUE: &str = "Declares that it holds many values, so that both live.";
const ACROSS: &str =
    "Both are kept, each in its epoch; the change between them is named, and a look at today stays requested.";
const SEEN: &str =
    "A new record, observed by you. What was observed before it in an earlier epoch becomes history.";
const REDERIVE: &str = "A new record with what was missing and the proof of it. The old one is kept and linked.";
const WITHDRAW: &str = "It leaves contention. It is kept, and readable.";
const DECLARE: &str = "Every slot of this attribute settles again under what you declare.";

fn fields(purpose: Purpose, pair: &Pair, side: Side) -> Vec<Field> {
    let reason = || Field::lines("reason", "may stay empty");
    match purpose {
        Purpose::OverrideLeft | Purpose::OverrideRight => {
            vec![Field::lines("reason", "why the later one is to be trusted")]
        }
        Purpose::BothTrue => vec![Field::choice("where", "← → to change", &[HERE, EVERYWHERE]), reason()],
        Purpose::AcrossEpochs => vec![Field::text("cause", "what changed the world: deploy 2025.10.2"), reason()],
        Purpose::OneSubject | Purpose::TwoSubjects => vec![reason()],
        Purpose::Seen => seen(pair),
        Purpose::Rederive => rederive(pair, side),
        Purpose::WithdrawRecord => {
            let which = Field::choice("record", "← → to change", &["A", "B"]).holding(side.of("A", "B"));
            [which].into_iter().chain(withdraw(WithdrawReason::Misspoke)).collect()
        }
        Purpose::WithdrawBatch => {
            let which = Field::choice("batch of", "← → to change", &["A", "B"]).holding(side.of("A", "B"));
            [which].into_iter().chain(withdraw(WithdrawReason::BadBatch)).collect()
        }
        Purpose::Declare => declare(pair),
        Purpose::DeferUntil => fields_until(),
        Purpose::Note => vec![Field::lines("note", "")],
        Purpose::Dispute | Purpose::Facets | Purpose::Log(_) => Vec::new(),
    }
}

fn seen(pair: &Pair) -> Vec<Field> {
    let epochs = [&pair.left, &pair.right].map(|side| side.record.epoch);
    let latest = epochs.into_iter().flatten().max().map(|epoch| epoch.to_string()).unwrap_or_default();
    vec![
        Field::text("value", "text, or JSON"),
        Field::text("epoch", "a whole number; no earlier than the latest here").holding(&latest),
        Field::text("source", "its kind: tool_output, user_statement …").holding("tool_output"),
        Field::lines("evidence", "the words or the reading it comes from"),
        Field::text("observed at", "empty: now"),
    ]
}

/// The side that lacks provenance: the focused one if it does, else the other.
fn lacking(pair: &Pair, side: Side) -> Side {
    if pair.record(side).record.is_anchored() { side.other() } else { side }
}

fn rederive(pair: &Pair, side: Side) -> Vec<Field> {
    let lacks = pair.record(lacking(pair, side)).record.lacks();
    let missing = |lack| lacks.contains(&lack);
    [
        missing(Lack::Source).then(|| Field::text("source", "its kind")),
        (missing(Lack::ObservedAt) || missing(Lack::Possible))
            .then(|| Field::text("observed at", "2025-10-14, or 2025-10-14T09:31:00Z")),
        missing(Lack::Epoch).then(|| Field::text("epoch", "a whole number")),
        Some(Field::lines("proof", "where these come from: a log line, a ticket")),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Why, and a note.
pub(super) fn withdraw(why: WithdrawReason) -> Vec<Field> {
    let reasons = WithdrawReason::ALL.map(WithdrawReason::name);
    vec![
        Field::choice("why", "← → to change", &reasons).holding(why.name()),
        Field::lines("note", "may stay empty"),
    ]
}

fn declare(pair: &Pair) -> Vec<Field> {
    let comparisons: Vec<&str> = std::iter::once(AS_IS).chain(Comparison::ALL.map(Comparison::name)).collect();
    let order: Vec<&str> = pair.rules.authority().iter().map(|class| class.name()).collect();
    let known = pair.rules.cardinality.map_or(AS_IS, Cardinality::name);
    vec![
        Field::choice("where", "← → to change", &[EVERYWHERE, HERE]),
        Field::choice("values at a time", "← → one, many", &[AS_IS, "one", "many"]).holding(known),
        Field::choice(
            "on change",
            "← → succession: it stopped being true; correction: it never was",
            &[AS_IS, "succession", "correction"],
        ),
        Field::text("authority", "the highest first: observation, user, inference, third_party")
            .holding(&order.join(", ")),
        Field::choice("compare as", "← → to change", &comparisons),
    ]
}

/// The form for many marked pairs: the words that are the same for all of them. None where each wants its own.
pub fn for_many(purpose: Purpose, many: usize, side: Side) -> Option<Form> {
    let reason = || Field::text("reason", "the same for all; may stay empty");
    let (title, about, fields) = match purpose {
        Purpose::BothTrue => ("Both true", "Each slot for itself then holds many values.", vec![reason()]),
        Purpose::AcrossEpochs => {
            let cause = Field::text("cause", "what changed the world for all of them: deploy 2025.10.2");
            ("Link across epochs", ACROSS, vec![cause, reason()])
        }
        Purpose::OneSubject => ("One subject", "In each pair the two names are one.", vec![reason()]),
        Purpose::TwoSubjects => ("Two subjects", "In each pair the two names are two.", vec![reason()]),
        Purpose::WithdrawRecord => {
            let which =
                Field::choice("record", "of each pair: ← → to change", &["A", "B"]).holding(side.of("A", "B"));
            let fields = [which].into_iter().chain(withdraw(WithdrawReason::Misspoke)).collect();
            ("Withdraw a record of each", WITHDRAW, fields)
        }
        Purpose::DeferUntil => ("Defer until", "Out of the way until then; nothing is decided.", fields_until()),
        Purpose::Note => ("Note", NOTE, vec![Field::lines("note", "the same for all")]),
        Purpose::OverrideLeft
        | Purpose::OverrideRight
        | Purpose::Seen
        | Purpose::Rederive
        | Purpose::WithdrawBatch
        | Purpose::Declare
        | Purpose::Dispute
        | Purpose::Facets
        | Purpose::Log(_) => return None,
    };
    let form = Form::new(purpose, format!("{title}: {many} marked pairs"), about.to_owned(), fields);
    Some(form.about(Matter::Marked(many)))
}

fn fields_until() -> Vec<Field> {
    vec![Field::text("until", "2025-12-24, or 2025-12-24T08:00:00Z")]
}

/// What the form for many decides, or the field that is not yet right.
pub fn choice(form: &Form, now: Instant) -> Result<Choice, Objection> {
    let reason = form.value("reason").to_owned();
    Ok(match form.purpose {
        Purpose::BothTrue => Choice::LinkBothTrue { reason },
        Purpose::AcrossEpochs => Choice::LinkAcrossEpochs { cause: optional(form.value("cause")), reason },
        Purpose::OneSubject => Choice::LinkSubjects { one: true, reason },
        Purpose::TwoSubjects => Choice::LinkSubjects { one: false, reason },
        Purpose::WithdrawRecord => Choice::Withdraw {
            side: letter(form.value("record")),
            why: WithdrawReason::named(form.value("why")).unwrap_or(WithdrawReason::Misspoke),
            note: optional(form.value("note")),
        },
        Purpose::DeferUntil => Choice::Defer(until(form, now)?),
        Purpose::Note => Choice::Note(needed(form, "note")?),
        Purpose::OverrideLeft
        | Purpose::OverrideRight
        | Purpose::Seen
        | Purpose::Rederive
        | Purpose::WithdrawBatch
        | Purpose::Declare
        | Purpose::Dispute
        | Purpose::Facets
        | Purpose::Log(_) => return Err(("reason", "each pair wants words of its own".to_owned())),
    })
}

/// The order that the form makes, or the field that is not yet right.
pub fn order(form: &Form, pair: &Pair, side: Side, now: Instant) -> Result<Order, Objection> {
    let (id, reason) = (pair.entry.pair, form.value("reason").to_owned());
    Ok(match form.purpose {
        Purpose::OverrideLeft => overriding(pair, Side::Left, needed(form, "reason")?),
        Purpose::OverrideRight => overriding(pair, Side::Right, needed(form, "reason")?),
        Purpose::BothTrue => Order::LinkBothTrue { pair: id, scope: scope(form), reason },
        Purpose::AcrossEpochs => Order::LinkAcrossEpochs { pair: id, cause: optional(form.value("cause")), reason },
        Purpose::OneSubject => Order::LinkSubjects { pair: id, one: true, reason },
        Purpose::TwoSubjects => Order::LinkSubjects { pair: id, one: false, reason },
        Purpose::Seen => Order::Reobserve { pair: id, seen: seen_order(form)? },
        Purpose::Rederive => rederive_order(form, pair, side)?,
        Purpose::WithdrawRecord | Purpose::WithdrawBatch => withdraw_order(form, pair),
        Purpose::Declare => Order::Declare { declaration: declaration(form, pair)? },
        Purpose::DeferUntil => Order::Defer { pair: id, until: until(form, now)? },
        Purpose::Note => Order::Note { pair: id, text: needed(form, "note")? },
        Purpose::Dispute | Purpose::Facets | Purpose::Log(_) => {
            return Err(("ground", "this form writes nothing on a pair".to_owned()));
        }
    })
}

fn overriding(pair: &Pair, side: Side, reason: String) -> Order {
    let winner = pair.record(side).record.id.clone();
    Order::Accept { pair: pair.entry.pair, winner, recency_override: true, reason }
}

fn seen_order(form: &Form) -> Result<Seen, Objection> {
    let text = needed(form, "value")?;
    Ok(Seen {
        value: serde_json::from_str(&text)
            .ok()
            .filter(|value| !serde_json::Value::is_null(value))
            .unwrap_or_else(|| text.into()),
        epoch: epoch(form)?,
        source: Kind::from(needed(form, "source")?.as_str()),
        class: None,
        evidence: needed(form, "evidence")?,
        observed_at: time(form)?,
        observer: None,
    })
}

fn rederive_order(form: &Form, pair: &Pair, side: Side) -> Result<Order, Objection> {
    let has = |name: &str| form.fields.iter().any(|field| field.name == name);
    let source = if has("source") { Some(Kind::from(needed(form, "source")?.as_str())) } else { None };
    let observed_at = if has("observed at") {
        time(form)?.ok_or(("observed at", "a time is needed".to_owned())).map(Some)?
    } else {
        None
    };
    let epoch = if has("epoch") { Some(epoch(form)?) } else { None };
    let supplied = Supplied { source, observed_at, epoch, evidence: needed(form, "proof")? };
    Ok(Order::Rederive { record: pair.record(lacking(pair, side)).record.id.clone(), supplied })
}

fn withdraw_order(form: &Form, pair: &Pair) -> Order {
    let what = match form.purpose == Purpose::WithdrawBatch {
        true => Withdrawn::Batch(pair.record(letter(form.value("batch of"))).record.batch.clone()),
        false => Withdrawn::Record(pair.record(letter(form.value("record"))).record.id.clone()),
    };
    let why = WithdrawReason::named(form.value("why")).unwrap_or(WithdrawReason::Misspoke);
    Order::Withdraw { what, why, note: optional(form.value("note")) }
}

fn declaration(form: &Form, pair: &Pair) -> Result<Declaration, Objection> {
    let mut authority = Vec::new();
    for name in form.value("authority").split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let class = SourceClass::named(name).ok_or_else(|| {
            ("authority", format!("{name} is no class: observation, user, inference, third_party"))
        })?;
        authority.push(class);
    }
    let fields = AttributePolicy {
        cardinality: Cardinality::named(form.value("values at a time")),
        on_change: OnChange::named(form.value("on change")),
        authority: Some(authority).filter(|classes| !classes.is_empty() && classes != pair.rules.authority()),
        compare: Comparison::named(form.value("compare as")),
        ..AttributePolicy::default()
    };
    if fields == AttributePolicy::default() {
        return Err(("values at a time", "nothing is declared yet: change at least one line".to_owned()));
    }
    let subject = (form.value("where") == HERE).then(|| pair.entry.subject.clone());
    Ok(Declaration { attribute: pair.entry.attribute.clone(), subject, fields })
}

fn until(form: &Form, now: Instant) -> Result<Instant, Objection> {
    let text = needed(form, "until")?;
    let until = text.parse::<When>().map_err(|error| ("until", error.to_string()))?.first();
    if until > now { Ok(until) } else { Err(("until", "that is past".to_owned())) }
}

fn time(form: &Form) -> Result<Option<When>, Objection> {
    let text = form.value("observed at");
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|error: crate::core::time::TimeError| ("observed at", error.to_string()))
}

fn epoch(form: &Form) -> Result<Epoch, Objection> {
    let number = form.value("epoch").parse().ok().filter(|number| *number >= 0);
    number.map(Epoch).ok_or_else(|| ("epoch", "a whole number from 0 is needed".to_owned()))
}

fn scope(form: &Form) -> Scope {
    if form.value("where") == EVERYWHERE { Scope::Attribute } else { Scope::Slot }
}

fn letter(text: &str) -> Side {
    if text == "B" { Side::Right } else { Side::Left }
}

fn needed(form: &Form, name: &'static str) -> Result<String, Objection> {
    let text = form.value(name);
    if text.is_empty() { Err((name, format!("the {name} is needed"))) } else { Ok(text.to_owned()) }
}

pub(super) fn optional(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// What an order will do, in a sentence for the last look before `y`.
pub fn sentence(order: &Order) -> String {
    match order {
        Order::Accept { winner, .. } => format!("{} wins, by recency override", winner.as_str()),
        Order::LinkSame { .. } => "the two values are one".to_owned(),
        Order::LinkBothTrue { scope: Scope::Slot, .. } => "both hold: this slot holds many values".to_owned(),
        Order::LinkBothTrue { scope: Scope::Attribute, .. } => {
            "both hold: the attribute holds many values, for every subject".to_owned()
        }
        Order::LinkAcrossEpochs { .. } => "both are kept, each in its epoch".to_owned(),
        Order::LinkSubjects { one: true, .. } => "the two names are one subject".to_owned(),
        Order::LinkSubjects { one: false, .. } => "the two names are two subjects".to_owned(),
        Order::Request { .. } => "a look at the live world is requested".to_owned(),
        Order::Reobserve { seen, .. } => format!("you saw {} in epoch {}", plain(&seen.value), seen.epoch),
        Order::Rederive { record, .. } => format!("a new record completes {}", record.as_str()),
        Order::Withdraw { what: Withdrawn::Record(id), why, .. } => {
            format!("record {} leaves contention ({})", id.as_str(), why.name())
        }
        Order::Withdraw { what: Withdrawn::Batch(batch), why, .. } => {
            format!("every record of {} leaves contention ({})", batch.as_str(), why.name())
        }
        Order::Withdraw { what: Withdrawn::Where(_), why, .. } => {
            format!("the records selected leave contention ({})", why.name())
        }
        Order::Erase { subject, .. } => format!("what the records of {subject} said is erased"),
        Order::Dispute { records: (a, b), .. } => {
            format!("{a} against {b}: the slot is contested until someone rules")
        }
        Order::Declare { declaration } => format!("{} is declared anew", declaration.attribute.as_str()),
        Order::Alias { .. } => "a word on two names".to_owned(),
        Order::Defer { until, .. } => format!("out of the way until {until}"),
        Order::Note { .. } => "the note is kept with the pair".to_owned(),
        Order::Undo { .. } => "the ruling no longer counts".to_owned(),
        Order::Redo => "the ruling counts again".to_owned(),
    }
}
