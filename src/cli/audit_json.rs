//! What `gainsay audit` answers as JSON.

use serde_json::{Value, json};

use crate::core::audit::{Agreement, Audit, Report};
use crate::core::ruling::RulingId;
use crate::store::{Event, Sample};

pub(super) fn sample(sample: &Sample, events: &[(Event, Option<RulingId>)]) -> Value {
    let rulings: Vec<Value> = events
        .iter()
        .map(|(event, undone)| {
            json!({
                "ruling": event.ruling, "event": event.seq, "at": event.at.to_string(), "kind": event.kind,
                "subject": event.subject, "attribute": event.attribute, "pair": event.pair,
                "undone_by": undone.map(|ruling| ruling.0),
            })
        })
        .collect();
    let drawn = &sample.drawn;
    json!({
        "actor": sample.reviewer, "seed": drawn.seed, "n": drawn.size, "up_to": drawn.up_to.0, "of": sample.of,
        "rulings": rulings,
    })
}

pub(super) fn audit(audit: &Audit) -> Value {
    let sample = audit.sample.as_ref();
    let blind = audit.blind.as_ref();
    json!({
        "event": audit.event, "at": audit.at.to_string(), "ruling": audit.ruling.0, "actor": audit.auditor,
        "reviewer": audit.reviewer, "verdict": audit.verdict.name(), "note": audit.note, "own": audit.is_own(),
        "sample": sample.map(|drawn| json!({"seed": drawn.seed, "n": drawn.size, "up_to": drawn.up_to.0})),
        "blind": blind.map(|blind| json!({"said": blind.said, "ruled": blind.ruled})),
    })
}

pub(super) fn report(report: &Report) -> Value {
    let reviewers: Vec<Value> = report
        .reviewers
        .iter()
        .map(|(actor, tally)| {
            json!({
                "actor": actor, "rulings": tally.rulings, "audited": tally.audited(), "agree": tally.agree,
                "disagree": tally.disagree, "own": tally.own, "rate": tally.rate(),
            })
        })
        .collect();
    json!({"reviewers": reviewers, "agreements": report.agreements.iter().map(agreement).collect::<Vec<_>>()})
}

fn agreement(agreement: &Agreement) -> Value {
    json!({
        "between": agreement.between, "on": agreement.on.name(), "items": agreement.items,
        "observed": agreement.observed, "kappa": agreement.kappa,
    })
}
