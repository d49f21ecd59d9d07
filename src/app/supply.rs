//! The forms that bring a record in: what was seen on looking again, and provenance that was missing. They know the
//! slot: what its records named before is proposed.

use super::filled::{epoch, needed, time};
use super::form::{Field, Form, Objection};
use crate::core::examine::Side;
use crate::core::order::{Lacking, Order, Seen, Supplied};
use crate::core::pair::Pair;
use crate::core::record::{Kind, Lack, Record};
use crate::core::value::{Comparison, Key};

/// What a look at the world is usually entered as.
const LOOK: &str = "tool_output";

/// The fields of what was seen.
pub(super) fn seen(pair: &Pair) -> Vec<Field> {
    let latest = pair.known.epochs.first().map(|(epoch, _)| epoch.to_string()).unwrap_or_default();
    let owner = pair.rules.system_of_record().map_or(LOOK, Kind::as_str);
    let older = match latest.as_str() {
        "" => "a whole number: none is known here yet".to_owned(),
        latest => format!("{latest} is the latest here: an older one settles nothing"),
    };
    let compare = pair.rules.compare;
    vec![
        Field::text("value", &format!("compared as {}: {}", compare.name(), like(compare))),
        Field::text("epoch", &older).holding(&latest),
        Field::text("source", "its kind: tool_output, user_statement …")
            .holding(owner)
            .offering(kinds(pair, owner)),
        Field::lines("evidence", "the words or the reading it comes from"),
        Field::text("observed at", "empty: now"),
    ]
}

/// What values look like under a comparison.
const fn like(compare: Comparison) -> &'static str {
    match compare {
        Comparison::Exact | Comparison::Text => "text, or JSON",
        Comparison::Number => "3, 2.5, 1e3",
        Comparison::Duration => "30s, 1m 30s, PT90S",
        Comparison::Instant => "2025-10-14T09:31:00Z",
        Comparison::Date => "1994-05-02, or 1994",
        Comparison::Json => "JSON",
    }
}

/// The source kinds that the slot's records came from, the commonest first, and one more; each as it may be typed.
fn kinds(pair: &Pair, more: &str) -> Vec<(String, u64)> {
    let known = pair.known.kinds.iter().map(|(kind, many)| (kind.as_str().to_owned(), *many));
    let mut kinds: Vec<(String, u64)> = known.collect();
    if !kinds.iter().any(|(kind, _)| kind == more) {
        kinds.push((more.to_owned(), 0));
    }
    kinds
}

/// The order that the filled form makes.
pub(super) fn seen_order(form: &Form) -> Result<Seen, Objection> {
    let text = needed(form, "value")?;
    Ok(Seen {
        value: value(&text),
        epoch: epoch(form)?,
        source: Kind::from(needed(form, "source")?.as_str()),
        class: None,
        evidence: needed(form, "evidence")?,
        observed_at: time(form)?,
        observer: None,
    })
}

/// JSON where it reads as JSON, else the text itself.
fn value(text: &str) -> serde_json::Value {
    let read = serde_json::from_str(text).ok().filter(|value| !serde_json::Value::is_null(value));
    read.unwrap_or_else(|| text.into())
}

/// Where what was seen does not read as the attribute's values do: it is then compared by its text alone.
pub(super) fn unlike(pair: &Pair, seen: &Seen) -> Option<String> {
    let compare = pair.rules.compare;
    let unread = matches!(compare.key(&seen.value), Key::Unread(_));
    unread.then(|| {
        format!("this reads as no {} ({}): only the same text will agree with it", compare.name(), like(compare))
    })
}

/// The side that lacks provenance: the focused one if it does, else the other.
pub(super) fn lacking(pair: &Pair, side: Side) -> Side {
    if pair.record(side).is_anchored() { side.other() } else { side }
}

/// The fields of what is missing, for the record, its batch or its source kind.
pub(super) fn rederive(pair: &Pair, side: Side) -> Vec<Field> {
    let judged = pair.record(lacking(pair, side));
    let lacks = &judged.lacks;
    let missing = |lack: Lack| lacks.contains(&lack);
    let over = Lack::over(lacks);
    let epochs = pair.known.epochs.iter().map(|(epoch, many)| (epoch.to_string(), *many)).collect();
    let opened = over.map(|opening| opening.epoch.to_string()).unwrap_or_default();
    let reach = reaches(&judged.record);
    let reach: Vec<&str> = reach.iter().map(|(name, _)| name.as_str()).collect();
    [
        (reach.len() > 1).then(|| Field::choice("of", "← → all of them that lack it, each what it lacks", &reach)),
        missing(Lack::Source).then(|| Field::text("source", "its kind").offering(kinds(pair, LOOK))),
        (missing(Lack::ObservedAt) || missing(Lack::Possible))
            .then(|| Field::text("observed at", "2025-10-14, or 2025-10-14T09:31:00Z")),
        (missing(Lack::Epoch) || over.is_some())
            .then(|| Field::text("epoch", "a whole number").holding(&opened).offering(epochs)),
        Some(Field::lines("proof", "where these come from: a log line, a ticket")),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// How far a proof may reach, each by its name: the record alone, and what it shares with others.
fn reaches(record: &Record) -> Vec<(String, Option<Lacking>)> {
    let alone = ("this record".to_owned(), None);
    // What has all three, though they cannot be, is completed by itself.
    if record.kind().is_some() && record.observed_at.is_some() && record.epoch.is_some() {
        return vec![alone];
    }
    let batch = (format!("batch {}", record.batch), Some(Lacking::Batch(record.batch.clone())));
    let kind = record.kind().map(|kind| (format!("source kind {kind}"), Some(Lacking::Kind(kind.clone()))));
    [Some(alone), Some(batch), kind].into_iter().flatten().collect()
}

/// The order that the filled form makes.
pub(super) fn rederive_order(form: &Form, pair: &Pair, side: Side) -> Result<Order, Objection> {
    let has = |name: &str| form.fields.iter().any(|field| field.name == name);
    let source = if has("source") { Some(Kind::from(needed(form, "source")?.as_str())) } else { None };
    let observed_at = if has("observed at") {
        time(form)?.ok_or(("observed at", "a time is needed".to_owned())).map(Some)?
    } else {
        None
    };
    let epoch = if has("epoch") { Some(epoch(form)?) } else { None };
    let supplied = Supplied { source, observed_at, epoch, evidence: needed(form, "proof")? };
    let record = &pair.record(lacking(pair, side)).record;
    let chosen = form.chosen("of").unwrap_or(0);
    Ok(match reaches(record).into_iter().nth(chosen).and_then(|(_, of)| of) {
        Some(of) => Order::RederiveAll { of, supplied },
        None => Order::Rederive { record: record.id.clone(), supplied },
    })
}
