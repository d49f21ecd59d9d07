//! The forms of the triage screen: which fields each has, and the order that a filled one makes.

use super::bulk::Choice;
use super::declaring;
use super::filled::needed;
use super::form::{Field, Form, Matter, Objection, Purpose};
use super::standing::Standing;
use super::supply;
use crate::core::examine::Side;
use crate::core::order::{Lacking, Order, Scope, Withdrawn};
use crate::core::pair::Pair;
use crate::core::permit::why_override;
use crate::core::plural::count;
use crate::core::ruling::WithdrawReason;
use crate::core::time::Instant;
use crate::core::until::Until;
use crate::core::value::plain;

const HERE: &str = "this slot only";
const EVERYWHERE: &str = "the whole attribute";

/// The form for a purpose, on the pair that is selected.
pub fn build(purpose: Purpose, pair: &Pair, side: Side) -> Form {
    let record = |side: Side| pair.record(side).record.id.as_str().to_owned();
    let slot = format!("{} of {}", pair.entry.attribute.as_str(), pair.entry.subject.as_str());
    let (title, about) = match purpose {
        Purpose::OverrideLeft => (format!("Override: accept A, {}", record(Side::Left)), overrides(pair)),
        Purpose::OverrideRight => (format!("Override: accept B, {}", record(Side::Right)), overrides(pair)),
        Purpose::BothTrue => (format!("Both true: {slot}"), BOTH_TRUE.to_owned()),
        Purpose::AcrossEpochs => (format!("Link across epochs: {slot}"), ACROSS.to_owned()),
        Purpose::OneSubject => {
            ("One subject".to_owned(), "The two names are one: their slots merge and settle.".to_owned())
        }
        Purpose::TwoSubjects => ("Two subjects".to_owned(), "The two names are never paired again.".to_owned()),
        Purpose::Seen => (format!("Look again: {slot}"), SEEN.to_owned()),
        Purpose::Rederive => (format!("Re-derive {}", record(supply::lacking(pair, side))), REDERIVE.to_owned()),
        Purpose::WithdrawRecord => ("Withdraw a record".to_owned(), WITHDRAW.to_owned()),
        Purpose::WithdrawBatch => ("Withdraw a batch".to_owned(), WITHDRAW.to_owned()),
        Purpose::Declare => (format!("Declare {}", pair.entry.attribute.as_str()), DECLARE.to_owned()),
        Purpose::DeferUntil => {
            ("Defer until".to_owned(), "Out of the way until then; nothing is decided.".to_owned())
        }
        Purpose::Note => (format!("Note on pair {}", pair.entry.pair), NOTE.to_owned()),
        // Forms that are not about a pair are built elsewhere.
        Purpose::Slot | Purpose::Dispute | Purpose::Facets | Purpose::Log(_) => (String::new(), String::new()),
    };
    Form::new(purpose, title, about, fields(purpose, pair, side)).on(pair)
}

const NOTE: &str = "Words for those who come after. They decide nothing.";
const BOTH_TRUE: &str = "Declares that it holds many values, so that both live.";
const ACROSS: &str =
    "Both are kept, each in its epoch; the change between them is named, and a look at today stays requested.";
const SEEN: &str =
    "A new record, observed by you. What was observed before it in an earlier epoch becomes history.";
const REDERIVE: &str = "A new record with what was missing and the proof of it. The old one is kept and linked.";
const WITHDRAW: &str = "It leaves contention. It is kept, and readable.";
const DECLARE: &str = "Every slot of this attribute settles again under what you declare.";

/// Why the later record does not win by itself.
fn overrides(pair: &Pair) -> String {
    let why = why_override(&pair.examination, &pair.entry.attribute);
    let mut letters = why.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}. An override is logged with your reason.", letters.as_str())
}

fn fields(purpose: Purpose, pair: &Pair, side: Side) -> Vec<Field> {
    let reason = || Field::lines("reason", "may stay empty");
    match purpose {
        Purpose::OverrideLeft | Purpose::OverrideRight => {
            vec![Field::lines("reason", "why the later one is to be trusted")]
        }
        Purpose::BothTrue => vec![Field::choice("where", "← → to change", &[HERE, EVERYWHERE]), reason()],
        Purpose::AcrossEpochs => vec![Field::text("cause", "what changed the world: deploy 2025.10.2"), reason()],
        Purpose::OneSubject | Purpose::TwoSubjects => vec![reason()],
        Purpose::Seen => supply::seen(pair),
        Purpose::Rederive => supply::rederive(pair, side),
        Purpose::WithdrawRecord => {
            let which = Field::choice("record", "← → to change", &["A", "B"]).holding(side.of("A", "B"));
            [which].into_iter().chain(withdraw(WithdrawReason::Misspoke)).collect()
        }
        Purpose::WithdrawBatch => {
            let which = Field::choice("batch of", "← → to change", &["A", "B"]).holding(side.of("A", "B"));
            [which].into_iter().chain(withdraw(WithdrawReason::BadBatch)).collect()
        }
        Purpose::Declare => declaring::fields(&Standing::of(pair)),
        Purpose::DeferUntil => fields_until(),
        Purpose::Note => vec![Field::lines("note", "")],
        Purpose::Slot | Purpose::Dispute | Purpose::Facets | Purpose::Log(_) => Vec::new(),
    }
}

/// Why, and a note.
pub(super) fn withdraw(why: WithdrawReason) -> Vec<Field> {
    let reasons = WithdrawReason::ALL.map(WithdrawReason::name);
    vec![
        Field::choice("why", "← → to change", &reasons).holding(why.name()),
        Field::lines("note", "may stay empty"),
    ]
}

/// The form in which an attribute is declared that no pair leads to.
pub fn declare(standing: Standing) -> Form {
    let (title, fields) = (format!("Declare {}", standing.attribute), declaring::fields(&standing));
    Form::new(Purpose::Declare, title, DECLARE.to_owned(), fields).about(Matter::Attribute(Box::new(standing)))
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
        | Purpose::Slot
        | Purpose::Dispute
        | Purpose::Facets
        | Purpose::Log(_) => return None,
    };
    let form =
        Form::new(purpose, format!("{title}: {}", count(many as u64, "marked pair")), about.to_owned(), fields);
    Some(form.about(Matter::Marked(many)))
}

fn fields_until() -> Vec<Field> {
    vec![Field::text("until", "3d, 12h, YYYY-MM-DD, or YYYY-MM-DDThh:mm:ssZ")]
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
        | Purpose::Slot
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
        Purpose::Seen => Order::Reobserve { pair: id, seen: supply::seen_order(form)? },
        Purpose::Rederive => supply::rederive_order(form, pair, side)?,
        Purpose::WithdrawRecord | Purpose::WithdrawBatch => withdraw_order(form, pair),
        Purpose::Declare => Order::Declare { declaration: declaring::declaration(form, &Standing::of(pair))? },
        Purpose::DeferUntil => Order::Defer { pair: id, until: until(form, now)? },
        Purpose::Note => Order::Note { pair: id, text: needed(form, "note")? },
        Purpose::Slot | Purpose::Dispute | Purpose::Facets | Purpose::Log(_) => {
            return Err(("ground", "this form writes nothing on a pair".to_owned()));
        }
    })
}

fn overriding(pair: &Pair, side: Side, reason: String) -> Order {
    let winner = pair.record(side).record.id.clone();
    Order::Accept { pair: pair.entry.pair, winner, recency_override: true, reason }
}

fn withdraw_order(form: &Form, pair: &Pair) -> Order {
    let what = match form.purpose == Purpose::WithdrawBatch {
        true => Withdrawn::Batch(pair.record(letter(form.value("batch of"))).record.batch.clone()),
        false => Withdrawn::Record(pair.record(letter(form.value("record"))).record.id.clone()),
    };
    let why = WithdrawReason::named(form.value("why")).unwrap_or(WithdrawReason::Misspoke);
    Order::Withdraw { what, why, note: optional(form.value("note")) }
}

fn until(form: &Form, now: Instant) -> Result<Instant, Objection> {
    let text = needed(form, "until")?;
    let until = text.parse::<Until>().map_err(|why| ("until", why))?.from(now);
    if until > now { Ok(until) } else { Err(("until", "that is past".to_owned())) }
}

fn scope(form: &Form) -> Scope {
    if form.value("where") == EVERYWHERE { Scope::Attribute } else { Scope::Slot }
}

fn letter(text: &str) -> Side {
    if text == "B" { Side::Right } else { Side::Left }
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
        Order::Reobserve { seen, .. } | Order::Refresh { seen, .. } => {
            format!("you saw {} in epoch {}", plain(&seen.value), seen.epoch)
        }
        Order::RederiveAll { of: Lacking::Batch(batch), .. } => {
            format!("new records complete what records of {} lack", batch.as_str())
        }
        Order::RederiveAll { of: Lacking::Kind(kind), .. } => {
            format!("new records complete what {} records lack", kind.as_str())
        }
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
        Order::Declare { declaration } => match &declaration.subject {
            Some(subject) => format!("{} of {} is declared apart", declaration.attribute, subject),
            None => format!("{} is declared anew, for every subject", declaration.attribute),
        },
        Order::Alias { .. } => "a word on two names".to_owned(),
        Order::Epoch { notice } => format!("a word on epoch {} of {}", notice.epoch, notice.over.as_str()),
        Order::Defer { until, .. } => format!("out of the way until {until}"),
        Order::Note { .. } => "the note is kept with the pair".to_owned(),
        Order::Undo { .. } => "the ruling no longer counts".to_owned(),
        Order::Redo => "the ruling counts again".to_owned(),
    }
}
