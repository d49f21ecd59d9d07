//! What the store answers as JSON (INTERFACE 3): the shapes that `wire` cannot build, for it does not know the store.

use serde_json::{Map, Value, json};

use crate::core::batch::Summary;
use crate::core::examine::Ground;
use crate::core::identity::Alias;
use crate::core::policy::Cardinality;
use crate::core::record::{Batch, RecordId};
use crate::store::{
    BatchDetail, EntryThen, History, Imported, Landed, OpenRequest, OpenSeen, Recalled, RulingSeen, Verification,
};
use crate::wire;

pub(super) fn imported(done: &Imported, batch: &Batch, rejected: u64) -> Value {
    json!({
        "read": done.read, "added": done.added, "duplicates": done.duplicates, "rejected": rejected,
        "unslotted": done.unslotted, "batch": batch.as_str(), "outcomes": done.outcomes,
        "pairs_opened": done.pairs_opened, "pairs_closed": done.pairs_closed,
        "answers": {
            "settled": done.answers.0, "fell_short": done.answers.1,
            "because": done.fell_short.iter().map(|(request, short)| {
                json!({"request": request.0, "record": short.record.as_str(), "because": short.why.to_string()})
            }).collect::<Vec<_>>(),
        },
    })
}

pub(super) fn landed(landed: &Landed) -> Value {
    json!({
        "line": landed.line, "id": landed.id.as_str(), "outcome": landed.outcome.name(),
        "pair": landed.pair.map(|pair| pair.0), "grounds": grounds(&landed.grounds),
        "with": landed.with.as_ref().map(RecordId::as_str),
        "answers": landed.answers.as_ref().map(|(request, why)| {
            json!({"request": request.0, "settled": why.is_none(), "because": why.as_ref().map(ToString::to_string)})
        }),
    })
}

pub(super) fn counts(count: u64, by_ground: &[(Ground, u64)]) -> Value {
    let by_ground: Map<String, Value> =
        by_ground.iter().map(|(ground, count)| (ground.name().to_owned(), json!(count))).collect();
    json!({"count": count, "by_ground": by_ground})
}

pub(super) fn request(request: &OpenRequest) -> Value {
    json!({
        "request": request.request.0, "pair": request.pair.0, "subject": request.subject.as_str(),
        "attribute": request.attribute.as_str(), "grounds": grounds(&request.grounds), "values": request.values,
        "latest_epoch": request.latest_epoch, "by": request.by, "at": request.at.to_string(),
        "fell_short": wire::json::fell_short(&request.fell_short),
    })
}

pub(super) fn recalled(answer: &Recalled) -> Value {
    let rulings: Vec<i64> = answer.rulings.iter().map(|ruling| ruling.0).collect();
    let pairs: Vec<i64> = answer.pairs.iter().map(|pair| pair.0).collect();
    let mut fields = Map::new();
    let mut put = |key: &str, value: Value| fields.insert(key.to_owned(), value);
    put("subject", json!(answer.subject.as_str()));
    put("attribute", json!(answer.attribute.as_str()));
    put("cardinality", json!(answer.cardinality.map_or("undeclared", Cardinality::name)));
    put("status", json!(answer.status.name()));
    match answer.cardinality {
        Some(Cardinality::Many) => put("values", json!(answer.values)),
        Some(Cardinality::One) | None => put("value", json!(answer.values.first())),
    };
    put("records", json!(answer.records.iter().map(RecordId::as_str).collect::<Vec<_>>()));
    put("rests_on", json!({"rulings": rulings, "policy": answer.policy}));
    put("pairs", json!(pairs));
    put("stale", json!(answer.stale));
    put("supported_at", json!(answer.supported_at.map(|at| at.to_string())));
    put("believed_at", json!(answer.believed_at.to_string()));
    put("about", json!(answer.about.to_string()));
    Value::Object(fields)
}

pub(super) fn history(history: &History) -> Value {
    let edges: Vec<Value> = history
        .edges
        .iter()
        .map(|edge| {
            let mut fields = json!({"from": edge.from.as_str(), "to": edge.to.as_str(), "kind": edge.kind});
            if let Some(basis) = &edge.basis {
                fields["basis"] = json!(basis);
            }
            if let Some((from, to)) = edge.epochs {
                fields["epochs"] = json!([from, to]);
            }
            fields
        })
        .collect();
    let epochs: Vec<Value> = history
        .epochs
        .iter()
        .map(|seen| {
            let (since, by) = seen.opened.clone().unzip();
            json!({
                "epoch": seen.epoch.0, "first_observed_at": seen.first_observed_at.to_string(), "cause": seen.cause,
                "opened_at": since.map(|since| since.to_string()), "opened_by": by,
            })
        })
        .collect();
    json!({
        "subject": history.subject.as_str(), "attribute": history.attribute.as_str(),
        "records": history.records.iter().map(wire::json::judged_record).collect::<Vec<_>>(),
        "edges": edges, "epochs": epochs, "rulings": history.rulings.iter().map(ruling).collect::<Vec<_>>(),
    })
}

/// A line of the queue as it was.
pub(super) fn entry_then(entry: &EntryThen) -> Value {
    json!({
        "pair": entry.pair.map(|pair| pair.0), "state": entry.state.name(), "subject": entry.subject.as_str(),
        "attribute": entry.attribute.as_str(), "grounds": grounds(&entry.grounds),
        "records": entry.records.each_ref().map(RecordId::as_str), "values": entry.values,
        "opened_at": entry.opened_at.map(|at| at.to_string()),
    })
}

pub(super) fn open_seen(open: &OpenSeen) -> Value {
    json!({
        "pair": open.pair.map(|pair| pair.0), "records": open.records.each_ref().map(RecordId::as_str),
        "grounds": grounds(&open.grounds), "request": open.requested.map(|request| request.0),
    })
}

fn ruling(seen: &RulingSeen) -> Value {
    let ruling = &seen.ruling;
    json!({
        "ruling": ruling.id.0, "at": ruling.at.to_string(), "actor": ruling.actor, "kind": seen.kind,
        "pair": ruling.pair.map(|pair| pair.0), "reason": ruling.reason, "undone": seen.undone, "body": seen.body,
    })
}

pub(super) fn batch(summary: &Summary) -> Value {
    let lag = summary.lag.map(|lag| json!({"median": lag.median, "least": lag.least, "greatest": lag.greatest}));
    json!({
        "batch": summary.batch.as_str(), "records": summary.records, "unslotted": summary.unslotted,
        "contested": summary.contested, "withdrawn": summary.withdrawn, "pairs": summary.pairs,
        "lag_seconds": lag, "won": summary.rulings.won, "lost": summary.rulings.lost,
        "first_written_at": summary.first_written_at.to_string(),
        "last_written_at": summary.last_written_at.to_string(), "recorded_at": summary.recorded_at.to_string(),
    })
}

pub(super) fn batch_detail(detail: &BatchDetail) -> Value {
    let mut fields = batch(&detail.summary);
    fields["record_ids"] = json!(detail.records.iter().map(RecordId::as_str).collect::<Vec<_>>());
    fields
}

pub(super) fn alias(alias: &Alias) -> Value {
    json!({
        "a": alias.names.0.as_str(), "b": alias.names.1.as_str(), "state": alias.verdict.name(),
        "ruling": alias.ruling.0,
    })
}

pub(super) fn verification(found: &Verification) -> Value {
    let damage: Vec<Value> =
        found.damage.iter().map(|damage| json!({"what": damage.what, "wrong": damage.wrong})).collect();
    json!({
        "ok": found.is_ok(), "events": found.events, "head": found.head, "records": found.records,
        "slots": found.slots, "slots_differing": found.slots_differing, "integrity": found.integrity,
        "damage": damage, "beyond_repair": found.beyond_repair,
    })
}

fn grounds(grounds: &[Ground]) -> Vec<&'static str> {
    grounds.iter().map(|ground| ground.name()).collect()
}
