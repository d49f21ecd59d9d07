//! What was seen on looking again, brought into the store as a record.

use serde_json::{Map, json};

use super::error::StoreError;
use super::on_pair::OnPair;
use super::plan::{OrderError, Plan, made, next_ruling};
use super::rows;
use super::session::Session;
use super::side_by_side;
use super::slot;
use crate::core::epoch::Opening;
use crate::core::examine::Ground;
use crate::core::order::{Refusal, Seen};
use crate::core::permit::Action;
use crate::core::record::{Batch, Kind, Lack, Op, Record, RecordId, Source};
use crate::core::ruling::{Decision, RequestId, Ruling};
use crate::core::settle::settle;
use crate::core::time::When;

pub(super) fn reobserve(session: &Session<'_>, on: &OnPair, seen: &Seen) -> Result<Plan, OrderError> {
    on.must_permit(Action::Reobserve)?;
    let now = session.by.now;
    let ruling = next_ruling(session)?;
    let observed_at = seen.observed_at.unwrap_or(When::At(now));
    let open = on.pair.request.as_ref().filter(|request| observed_at.first() >= request.at);
    let request = open.map_or(RequestId(ruling.0), |request| request.request);
    let subject = on.pair.left.record.subject.clone();
    let id = free_id(session, &format!("obs-{ruling}"))?;
    let record = Record {
        id: id.clone(),
        subject,
        attribute: Some(on.pair.entry.attribute.clone()),
        value: seen.value.clone(),
        op: Op::Assert,
        source: Some(source_of(seen, session.by.actor)),
        observed_at: Some(observed_at),
        written_at: now,
        recorded_at: now,
        epoch: Some(seen.epoch),
        confidence: None,
        evidence: Some(seen.evidence.clone()),
        answers: Some(request),
        derived_from: None,
        batch: Batch::from("re-observation"),
    };
    let decision = Decision::Reobserve { between: on.between(), request, record: id };
    let made = made(session, ruling, Some(on.pair.entry.pair), decision.clone());
    let asks_about_names = on.pair.entry.grounds.contains(&Ground::SubjectUnconfirmed);
    if !asks_about_names {
        must_qualify(session, on, &record, made)?;
    }
    Ok(Plan { enters: Some(record), ..on.plan("reobserved", decision, None) })
}

/// Refuses what would be no re-observation, with the reason: nothing is written that settles nothing.
fn must_qualify(session: &Session<'_>, on: &OnPair, record: &Record, made: Ruling) -> Result<(), OrderError> {
    let loaded = slot::load(session, side_by_side::home(session.connection, on.pair.entry.pair)?)?;
    let rules = session.rules(&loaded.name);
    let rulings: Vec<Ruling> = loaded.rulings.iter().cloned().chain([made]).collect();
    let records = loaded.records.iter().map(|stored| &stored.record).chain([record]);
    let slot = settle(records, &rules, &rulings);
    if slot.answered.iter().any(|(_, at)| slot.records[*at].id == record.id) {
        return Ok(());
    }
    let newest = slot.records.iter().filter(|other| other.id != record.id).filter_map(|other| other.epoch).max();
    let observed = record.observed_at.map_or(record.written_at, When::first);
    let asked = on.pair.request.as_ref().map_or(session.by.now, |request| request.at);
    let why = if let Some(Opening { since, epoch, ruling }) = Lack::over(&rules.lacks(record)) {
        format!(
            "epoch {epoch} holds since {since} (ruling {ruling}): an answer from an older epoch settles nothing"
        )
    } else if record.lacks().contains(&Lack::Possible) {
        format!("it says it was observed at {observed}, which has not come yet")
    } else if observed < asked {
        format!("it was observed at {observed}, before it was asked for ({asked}): look again now")
    } else if newest > record.epoch {
        let newest = newest.map(|epoch| epoch.to_string()).unwrap_or_default();
        format!("epoch {newest} was seen already: an answer from an older epoch settles nothing")
    } else {
        "it does not qualify as an answer".to_owned()
    };
    Err(Refusal::NotPermitted { action: Action::Reobserve.name(), because: why, permitted: on.alternatives() }
        .into())
}

/// Where what was seen comes from: the program that looked and who had it run, or the person who looked.
fn source_of(seen: &Seen, actor: &str) -> Source {
    let Some(observer) = &seen.observer else {
        return Source { class: seen.class, ..entered_by(&seen.source, actor) };
    };
    let mut fields = Map::new();
    fields.insert("kind".to_owned(), json!(seen.source.as_str()));
    fields.extend(seen.class.map(|class| ("class".to_owned(), json!(class.name()))));
    fields.insert("observer".to_owned(), json!(observer));
    fields.insert("run_by".to_owned(), json!(actor));
    Source { kind: Some(seen.source.clone()), class: seen.class, fields }
}

pub(super) fn entered_by(kind: &Kind, actor: &str) -> Source {
    let mut fields = Map::new();
    fields.insert("kind".to_owned(), json!(kind.as_str()));
    fields.insert("entered_by".to_owned(), json!(actor));
    Source { kind: Some(kind.clone()), class: None, fields }
}

pub(super) fn free_id(session: &Session<'_>, wanted: &str) -> Result<RecordId, StoreError> {
    let mut id = RecordId::from(wanted);
    let mut tried = 1;
    while rows::record_named(session.connection, &id)?.is_some() {
        tried += 1;
        id = RecordId::from(format!("{wanted}.{tried}").as_str());
    }
    Ok(id)
}
