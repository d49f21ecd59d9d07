//! Orders that bring a record into the store: what was seen on looking again, and provenance that was missing.

use serde_json::{Map, json};

use super::error::StoreError;
use super::on_pair::OnPair;
use super::plan::{OrderError, Plan, bare, because, made, next_ruling, record, slot_of};
use super::rows::{self, Stored};
use super::session::Session;
use super::side_by_side;
use super::slot;
use crate::core::examine::Ground;
use crate::core::order::{Refusal, Seen, Supplied};
use crate::core::permit::Action;
use crate::core::record::{Batch, Kind, Lack, Op, Record, RecordId, Source, SourceClass};
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
    let why = if record.lacks().contains(&Lack::Possible) {
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

fn entered_by(kind: &Kind, actor: &str) -> Source {
    let mut fields = Map::new();
    fields.insert("kind".to_owned(), json!(kind.as_str()));
    fields.insert("entered_by".to_owned(), json!(actor));
    Source { kind: Some(kind.clone()), class: None, fields }
}

fn free_id(session: &Session<'_>, wanted: &str) -> Result<RecordId, StoreError> {
    let mut id = RecordId::from(wanted);
    let mut tried = 1;
    while rows::record_named(session.connection, &id)?.is_some() {
        tried += 1;
        id = RecordId::from(format!("{wanted}.{tried}").as_str());
    }
    Ok(id)
}

pub(super) fn rederive(session: &Session<'_>, id: &RecordId, supplied: &Supplied) -> Result<Plan, OrderError> {
    let Stored { row, record: old } = record(session, id)?;
    let lacks = old.lacks();
    if lacks.is_empty() {
        return Err(because(format!("{id} carries whole provenance: there is nothing to supply")));
    }
    for (given, lack, name) in [
        (supplied.source.is_some(), lacks.contains(&Lack::Source), "a source"),
        (
            supplied.observed_at.is_some(),
            lacks.contains(&Lack::ObservedAt) || lacks.contains(&Lack::Possible),
            "a time of observation",
        ),
        (supplied.epoch.is_some(), lacks.contains(&Lack::Epoch), "an epoch"),
    ] {
        if given && !lack {
            return Err(because(format!("{id} has {name} already; only what is missing can be supplied")));
        }
    }
    if let Some(done) = rederived(session, &old.id)? {
        return Err(because(format!(
            "{id} was re-derived already, as {done}: undo that ruling to supply something else"
        )));
    }
    let ruling = next_ruling(session)?;
    let new = Record {
        id: free_id(session, &format!("der-{ruling}"))?,
        source: supplied.source.as_ref().map_or_else(
            || capped(&old, session.policy.class_of(&old)),
            |kind| Some(entered_by(kind, session.by.actor)),
        ),
        observed_at: supplied.observed_at.or(old.observed_at),
        epoch: supplied.epoch.or(old.epoch),
        evidence: Some(supplied.evidence.clone()),
        written_at: session.by.now,
        recorded_at: session.by.now,
        answers: None,
        derived_from: Some(old.id.clone()),
        batch: Batch::from("re-derivation"),
        ..old.clone()
    };
    let still: Vec<&str> = new.lacks().into_iter().map(Lack::name).collect();
    if !still.is_empty() {
        return Err(because(format!("{id} would still lack {}: supply that as well", still.join(" and "))));
    }
    let decision = Decision::Rederive { record: new.id.clone(), from: old.id.clone() };
    let slot = slot_of(session, &old)?;
    Ok(Plan { slot, records: vec![row], enters: Some(new), ..bare("rederive", decision) })
}

/// The record that completes this one already, by a ruling that counts.
fn rederived(session: &Session<'_>, id: &RecordId) -> Result<Option<RecordId>, StoreError> {
    for stored in rows::rulings_naming(session.connection, id)? {
        if let Decision::Rederive { record, from } = &stored.ruling.decision
            && from == id
            && rows::counts(session.connection, stored.ruling.id)?
        {
            return Ok(Some(record.clone()));
        }
    }
    Ok(None)
}

/// The source as it was, of a class no higher than it had, whatever the policy makes of its kind later.
fn capped(old: &Record, class: Option<SourceClass>) -> Option<Source> {
    old.source.as_ref().map(|source| Source { class: source.class.or(class), ..source.clone() })
}
