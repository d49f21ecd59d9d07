//! What was seen on looking again, brought into the store as a record.

use serde_json::{Map, json};

use super::error::StoreError;
use super::law::SlotName;
use super::on_pair::OnPair;
use super::plan::{OrderError, Plan, bare, because, made, next_ruling};
use super::rows;
use super::session::{self, Session};
use super::side_by_side;
use super::slot::{self, Loaded};
use crate::core::answer::Shortfall;
use crate::core::epoch::Opening;
use crate::core::examine::Ground;
use crate::core::order::{Refusal, Seen};
use crate::core::permit::Action;
use crate::core::record::{Attribute, Batch, Kind, Lack, Op, Record, RecordId, Source, Subject};
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
    let name = SlotName { subject: session.law.identity.canonical(subject), attribute: attribute.clone() };
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
    let over = if let Shortfall::Unanchored(lacks) = short { Lack::over(lacks) } else { None };
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
        | Shortfall::Withdrawn => match over {
            Some(Opening { since, epoch, ruling }) => format!(
                "epoch {epoch} holds since {since} (ruling {ruling}): an answer from an older epoch settles nothing"
            ),
            None => short.to_string(),
        },
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
