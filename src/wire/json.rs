//! What goes out as JSON (INTERFACE 3): records, the queue, a pair, rulings' answers.
//!
//! Times are RFC 3339 in UTC with a `Z`; a day, month or year goes out as it came. Text goes out exactly as it came in:
//! JSON escapes what a terminal would act on, and what it does not escape is the reader's to reveal.

use serde_json::{Map, Value, json};

use crate::core::answer::FellShort;
use crate::core::examine::{Check, Examination};
use crate::core::order::{Outcome, SlotAnswer};
use crate::core::pair::{Entry, JudgedRecord, Pair, Requested, Ruled, Tally};
use crate::core::permit::{Permission, Permitted};
use crate::core::record::{Attribute, Batch, Record, RecordId};
use crate::core::ruling::PairId;

/// A record as it came in: [`super::record::read`] reads it back as the same record.
pub fn record(record: &Record) -> Map<String, Value> {
    let stated: [(&str, Value); 11] = [
        ("id", json!(record.id.as_str())),
        ("subject_id", json!(record.subject.as_str())),
        ("attribute", json!(record.attribute.as_ref().map(Attribute::as_str))),
        ("value", record.value.clone()),
        ("op", json!(record.op.name())),
        ("source", json!(record.source.as_ref().map(|source| &source.fields))),
        ("observed_at", json!(record.observed_at.map(|at| at.to_string()))),
        ("written_at", json!(record.written_at.to_string())),
        ("epoch", json!(record.epoch.map(|epoch| epoch.0))),
        ("confidence", json!(record.confidence)),
        ("evidence", json!(record.evidence)),
    ];
    let answers = record.answers.map(|request| ("answers", json!(request.0)));
    let derived_from = record.derived_from.as_ref().map(|id| ("derived_from", json!(id.as_str())));
    let batch = ("batch", json!(Batch::as_str(&record.batch)));
    object(stated.into_iter().chain(answers).chain(derived_from).chain([batch]))
}

/// A record with what became of it: `RECORD` of INTERFACE 3.
pub fn judged_record(judged: &JudgedRecord) -> Value {
    let mut fields = record(&judged.record);
    fields.extend(object([
        ("class", json!(judged.class.map(|class| class.name()))),
        ("anchored", json!(judged.is_anchored())),
        ("recorded_at", json!(judged.record.recorded_at.to_string())),
        ("state", json!(judged.state.map(|state| state.name()))),
        ("superseded_by", json!(judged.superseded_by.as_ref().map(RecordId::as_str))),
    ]));
    Value::Object(fields)
}

/// A line of the queue.
pub fn entry(entry: &Entry) -> Map<String, Value> {
    let grounds: Vec<&str> = entry.grounds.iter().map(|ground| ground.name()).collect();
    let stated = [
        ("pair", json!(entry.pair.0)),
        ("state", json!(entry.state.name())),
        ("subject", json!(entry.subject.as_str())),
        ("attribute", json!(entry.attribute.as_str())),
        ("grounds", json!(grounds)),
        ("records", json!(entry.records.each_ref().map(RecordId::as_str))),
        ("values", json!(entry.values)),
        ("opened_at", json!(entry.opened_at.to_string())),
    ];
    object(stated.into_iter().chain(entry.deferred_until.map(|until| ("deferred_until", json!(until.to_string())))))
}

/// One pair whole: the queue's keys, both records, the checklist, the finding, and what is permitted.
pub fn pair(pair: &Pair) -> Value {
    let mut fields = entry(&pair.entry);
    fields.extend(object([
        ("left", judged_record(&pair.left)),
        ("right", judged_record(&pair.right)),
        ("checklist", checklist(&pair.examination)),
        ("finding", json!(pair.examination.word())),
        ("permitted", permitted(&pair.permitted)),
        ("contenders", json!(pair.contenders)),
        ("request", pair.request.as_ref().map_or(Value::Null, requested)),
        ("fell_short", fell_short(&pair.fell_short)),
        ("ruled", pair.ruled.as_ref().map_or(Value::Null, ruled)),
        ("tallies", json!(pair.tallies.map(|tally| json_tally(&tally)))),
    ]));
    Value::Object(fields)
}

/// What came as an answer and settled nothing, each with the reason.
pub fn fell_short(short: &[FellShort]) -> Value {
    short.iter().map(|it| json!({"record": it.record.as_str(), "because": it.why.to_string()})).collect()
}

/// The conditions in their order, each with how it stands and a sentence.
pub fn checklist(examination: &Examination) -> Value {
    let line = |check: &Check| {
        json!({
            "condition": check.condition.name(),
            "state": check.state.name(),
            "detail": check.detail.to_string(),
        })
    };
    examination.checklist.iter().map(line).collect()
}

/// Every action, with what it needs and, where it is refused, why.
pub fn permitted(actions: &[Permitted]) -> Value {
    let line = |permitted: &Permitted| {
        let (needs, because) = match &permitted.permission {
            Permission::Permitted => (None, None),
            Permission::NeedsRecencyOverride => (Some("recency override"), None),
            Permission::Refused(because) => (None, Some(because.to_string())),
        };
        json!({
            "action": permitted.action.name(),
            "record": permitted.record.as_ref().map(RecordId::as_str),
            "permitted": permitted.permission.allows(),
            "needs": needs,
            "because": because,
        })
    };
    actions.iter().map(line).collect()
}

/// What a ruling did.
pub fn outcome(outcome: &Outcome) -> Value {
    let numbers = |pairs: &[PairId]| pairs.iter().map(|pair| pair.0).collect::<Vec<_>>();
    json!({
        "ruling": outcome.ruling.0,
        "pair": outcome.pair.map(|pair| pair.0),
        "action": outcome.action,
        "pair_state": outcome.pair_state.map(|state| state.name()),
        "slot": outcome.slot.as_ref().map(slot),
        "opened": numbers(&outcome.opened),
        "closed": numbers(&outcome.closed),
        "pairs_opened": outcome.opened.len(),
        "pairs_closed": outcome.closed.len(),
        "records": outcome.records,
        "slots": outcome.slots,
        "values_changed": outcome.values_changed,
        "values_gone": outcome.values_gone,
        "rulings_resting": outcome.resting,
        "undid": outcome.undid.as_ref().map(|undid| undid.ruling.0),
    })
}

/// What was to be changed and stays as it is: `{"why": …, "records": N}`.
pub fn left(outcome: &Outcome) -> Vec<Value> {
    outcome.consequence.left.iter().map(|(why, records)| json!({"why": why, "records": records})).collect()
}

fn slot(answer: &SlotAnswer) -> Value {
    json!({
        "subject": answer.subject.as_str(),
        "attribute": answer.attribute.as_str(),
        "status": answer.status.name(),
        "value": answer.value,
    })
}

fn requested(request: &Requested) -> Value {
    json!({"request": request.request.0, "by": request.by, "at": request.at.to_string()})
}

fn ruled(ruled: &Ruled) -> Value {
    json!({"ruling": ruled.ruling.0, "by": ruled.by, "at": ruled.at.to_string(), "what": ruled.what})
}

fn json_tally(tally: &Tally) -> Value {
    json!({"won": tally.won, "lost": tally.lost})
}

fn object<'a>(fields: impl IntoIterator<Item = (&'a str, Value)>) -> Map<String, Value> {
    fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}
