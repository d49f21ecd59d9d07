//! Writes a ruling, its event, and the record that it brings. What follows from it is settled afterwards.

use std::collections::BTreeSet;

use rusqlite::Connection;
use serde_json::{Value, json};

use super::batch_counts;
use super::chain::{self, Entry};
use super::erasing::Erasure;
use super::error::StoreError;
use super::law::SlotName;
use super::plan::Plan;
use super::rows::{self, NewRuling};
use super::session::{self, Session};
use crate::core::ruling::{Decision, RulingId};
use crate::wire;

/// Writes the ruling, its event, and the record that it brings.
pub(super) fn write(session: &Session<'_>, plan: &Plan) -> Result<RulingId, StoreError> {
    let decision = wire::ruling::write(&without_records(&plan.decision));
    let mut body = json!({"decision": decision, "policy": session.law.policy.version});
    if let Some(examination) = &plan.examination {
        body["checklist"] = wire::json::checklist(examination);
        body["finding"] = json!(examination.word());
    }
    if let Some(bulk) = session.bulk {
        body["bulk"] = json!(bulk.0);
    }
    let new = NewRuling {
        bulk: session.bulk,
        kind: plan.kind,
        pair: plan.pair,
        slot: plan.slot,
        reason: plan.reason.as_deref(),
        decision: &plan.decision,
        body: &body,
    };
    let ruling = rows::insert_ruling(session.connection, session.by.actor, session.by.now, &new, &plan.records)?;
    let mut told = body;
    told["reason"] = json!(plan.reason);
    told["records"] = record_ids(session.connection, &rows::records_of_ruling(session.connection, ruling)?)?;
    let entered = plan.enters.as_ref().map(rows::record_hash);
    told["digest"] = json!(chain::digest(&[&entered.unwrap_or_default()]));
    let erasure = erasure(session, plan)?;
    if let Some(erasure) = &erasure {
        told["erased"] = erasure.told();
    }
    let mut entry = Entry::new(plan.kind, told);
    (entry.pair, entry.ruling) = (plan.pair, Some(ruling));
    if let Some(slot) = plan.slot {
        let name = session::name_of(session.connection, slot)?;
        entry = entry.on(&name.subject, &name.attribute);
    }
    if let (Decision::Declare(declaration), None) = (&plan.decision, plan.slot) {
        entry.attribute = Some(declaration.attribute.clone());
        entry.subject.clone_from(&declaration.subject);
    }
    if let Decision::Epoch(notice) = &plan.decision {
        entry.subject = (!notice.is_pattern()).then(|| notice.over.clone());
    }
    let event = chain::append(session.connection, &session.by, &entry)?;
    if let Some(erasure) = erasure {
        erasure.carry_out(session.connection, event)?;
    }
    if let Some(record) = &plan.enters {
        let content = wire::content::content(record, true);
        let name =
            record.attribute.clone().map(|attribute| SlotName { subject: record.subject.clone(), attribute });
        let slot = name.map(|name| session.slot(&name)).transpose()?.map(|(slot, _)| slot);
        let row = rows::insert_record(session.connection, record, slot, event, &content)?;
        batch_counts::arrived(session.connection, row)?;
    }
    Ok(ruling)
}

/// A withdrawal may name thousands of records: they stand in a table of their own.
fn without_records(decision: &Decision) -> Decision {
    if let Decision::Withdraw { why, .. } = decision {
        return Decision::Withdraw { records: BTreeSet::new(), why: *why };
    }
    if let Decision::Erase { subject, .. } = decision {
        return Decision::Erase { subject: subject.clone(), records: BTreeSet::new() };
    }
    decision.clone()
}

/// What is to be left of the records, where they are erased.
fn erasure(session: &Session<'_>, plan: &Plan) -> Result<Option<Erasure>, StoreError> {
    let erases = matches!(plan.decision, Decision::Erase { .. });
    erases.then(|| Erasure::of(session.connection, &plan.records)).transpose()
}

/// The ids of the records that a ruling names; of many, how many and their digest.
pub(super) fn record_ids(connection: &Connection, records: &[i64]) -> Result<Value, StoreError> {
    const LISTED: usize = 20;
    let mut named = connection.prepare_cached("SELECT id FROM records WHERE record = ?1")?;
    let mut ids: Vec<String> = Vec::with_capacity(records.len());
    for row in records {
        ids.push(named.query_row([row], |row| row.get(0))?);
    }
    if ids.len() <= LISTED {
        return Ok(json!(ids));
    }
    let parts: Vec<&[u8]> = ids.iter().map(String::as_bytes).collect();
    Ok(json!({"count": ids.len(), "digest": chain::digest(&parts)}))
}
