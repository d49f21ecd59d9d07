//! Orders that bring a record into the store: what was seen on looking again, and provenance that was missing.

use serde_json::{Map, json};

use super::error::StoreError;
use super::on_pair::OnPair;
use super::plan::{OrderError, Plan, bare, because, made, next_ruling, record, slot_of};
use super::rows::{self, Stored};
use super::session::{self, Session, SlotName};
use super::side_by_side;
use super::slot::{self, Loaded};
use crate::core::answer::Shortfall;
use crate::core::examine::Ground;
use crate::core::order::{Refusal, Seen, Supplied};
use crate::core::permit::Action;
use crate::core::record::{Attribute, Batch, Kind, Lack, Op, Record, RecordId, Source, SourceClass, Subject};
use crate::core::ruling::{Between, Decision, RequestId, Ruling};
use crate::core::settle::{Status, settle};
use crate::core::time::When;

pub(super) fn reobserve(session: &Session<'_>, on: &OnPair, seen: &Seen) -> Result<Plan, OrderError> {
    on.must_permit(Action::Reobserve)?;
    let ruling = next_ruling(session)?;
    let observed_at = seen.observed_at.unwrap_or(When::At(session.by.now));
    let open = on.pair.request.as_ref().filter(|request| observed_at.first() >= request.at);
    let request = open.map_or(RequestId(ruling.0), |request| request.request);
    let name =
        SlotName { subject: on.pair.left.record.subject.clone(), attribute: on.pair.entry.attribute.clone() };
    let record = seen_record(session, &name, seen, request)?;
    let decision = Decision::Reobserve { between: on.between(), request, record: record.id.clone() };
    let asks_about_names = on.pair.entry.grounds.contains(&Ground::SubjectUnconfirmed);
    if !asks_about_names {
        let made = made(session, ruling, Some(on.pair.entry.pair), decision.clone());
        let home = side_by_side::home(session.connection, on.pair.entry.pair)?;
        if let Some(short) = shortfall(&slot::load(session, home)?, session, &record, made) {
            return Err(unqualified(&short, on.alternatives()).into());
        }
    }
    Ok(Plan { enters: Some(record), ..on.plan("reobserved", decision, None) })
}

/// The same of a slot in which nothing is contested: it asks and answers in one, for nobody is left waiting.
pub(super) fn refresh(
    session: &Session<'_>,
    (subject, attribute): (&Subject, &Attribute),
    seen: &Seen,
) -> Result<Plan, OrderError> {
    let name = SlotName { subject: session.identity.canonical(subject), attribute: attribute.clone() };
    let missing = || Refusal::Missing { what: "slot", id: format!("{attribute} of {subject}") };
    let (_, home) = session::find(session.connection, &name)?.ok_or_else(missing)?;
    let loaded = slot::load(session, home)?;
    let slot = loaded.settle(&session.rules(&loaded.name));
    let Some(speaker) = slot.live.first().map(|live| live.speaker).filter(|_| slot.status == Status::Settled)
    else {
        let why = match slot.status {
            Status::Contested | Status::Awaiting => "look again at its pairs",
            Status::Settled | Status::Unanchored | Status::Empty => "nothing in it is settled; import what you see",
        };
        return Err(because(format!("{attribute} of {subject} is {}: {why}", slot.status.name())));
    };
    let spoken = slot.records[speaker].id.clone();
    let row = loaded.rows(&slot).get(speaker).copied();
    let ruling = next_ruling(session)?;
    let record = seen_record(session, &name, seen, RequestId(ruling.0))?;
    let between = Between(spoken.clone(), spoken);
    let decision = Decision::Reobserve { between, request: RequestId(ruling.0), record: record.id.clone() };
    if let Some(short) = shortfall(&loaded, session, &record, made(session, ruling, None, decision.clone())) {
        return Err(unqualified(&short, Vec::new()).into());
    }
    let records = row.into_iter().collect();
    Ok(Plan { slot: Some(home), records, enters: Some(record), ..bare("reobserved", decision) })
}

/// What was seen, as a record that answers a request.
fn seen_record(
    session: &Session<'_>,
    name: &SlotName,
    seen: &Seen,
    request: RequestId,
) -> Result<Record, StoreError> {
    let now = session.by.now;
    Ok(Record {
        id: free_id(session, &format!("obs-{}", next_ruling(session)?))?,
        subject: name.subject.clone(),
        attribute: Some(name.attribute.clone()),
        value: seen.value.clone(),
        op: Op::Assert,
        source: Some(source_of(seen, session.by.actor)),
        observed_at: Some(seen.observed_at.unwrap_or(When::At(now))),
        written_at: now,
        recorded_at: now,
        epoch: Some(seen.epoch),
        confidence: None,
        evidence: Some(seen.evidence.clone()),
        answers: Some(request),
        derived_from: None,
        batch: Batch::from("re-observation"),
    })
}

/// Why the record would be no re-observation in its slot, with the ruling that brings it.
fn shortfall(loaded: &Loaded, session: &Session<'_>, record: &Record, made: Ruling) -> Option<Shortfall> {
    let rules = session.rules(&loaded.name);
    let rulings: Vec<Ruling> = loaded.rulings.iter().cloned().chain([made]).collect();
    let records = loaded.records.iter().map(|stored| &stored.record).chain([record]);
    let slot = settle(records, &rules, &rulings);
    slot.fell_short.into_iter().find(|(_, at, _)| slot.records[*at].id == record.id).map(|(_, _, why)| why)
}

/// Nothing is written that settles nothing: the refusal, with its reason.
fn unqualified(short: &Shortfall, permitted: Vec<String>) -> Refusal {
    let because = match short {
        Shortfall::TooEarly { .. } => format!("{short}: look again now"),
        Shortfall::OlderEpoch { .. } => format!("{short}: an answer from an older epoch settles nothing"),
        Shortfall::Unanchored(lacks) if lacks.contains(&Lack::Possible) => {
            "it says it was observed at a time that has not come yet".to_owned()
        }
        Shortfall::Unanchored(_)
        | Shortfall::TakenBack
        | Shortfall::NotAsked
        | Shortfall::NoRequest
        | Shortfall::Elsewhere { .. }
        | Shortfall::Unslotted
        | Shortfall::Withdrawn => short.to_string(),
    };
    Refusal::NotPermitted { action: Action::Reobserve.name(), because, permitted }
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
