//! Missing provenance, supplied: to one record, or to all of a batch or a source kind as one stroke.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::params;

use super::batch;
use super::consequence;
use super::entering::{entered_by, free_id};
use super::error::StoreError;
use super::pairs::Changes;
use super::plan::{OrderError, Plan, bare, because, next_ruling, record, slot_of};
use super::resettle;
use super::rows::{self, Stored};
use super::session::{self, Session};
use super::writing;
use crate::core::consequence::Consequence;
use crate::core::order::{Lacking, Outcome, Refusal, Supplied};
use crate::core::record::{Batch, Lack, Record, RecordId, Source, SourceClass};
use crate::core::ruling::{Decision, RulingId};

/// One record: only what it lacks may be supplied, and then it must lack nothing more.
pub(super) fn one(session: &Session<'_>, id: &RecordId, supplied: &Supplied) -> Result<Plan, OrderError> {
    let stored = record(session, id)?;
    let lacks = session.lacks(&stored.record);
    if lacks.is_empty() {
        return Err(because(format!("{id} carries whole provenance: there is nothing to supply")));
    }
    let over = Lack::over(&lacks).is_some();
    for (given, lack, name) in [
        (supplied.source.is_some(), lacks.contains(&Lack::Source), "a source"),
        (
            supplied.observed_at.is_some(),
            lacks.contains(&Lack::ObservedAt) || lacks.contains(&Lack::Possible) || over,
            "a time of observation",
        ),
        (supplied.epoch.is_some(), lacks.contains(&Lack::Epoch) || over, "an epoch"),
    ] {
        if given && !lack {
            return Err(because(format!("{id} has {name} already; only what is missing can be supplied")));
        }
    }
    must_be_lacking(session, id)?;
    match complete(session, &stored, supplied)? {
        Ok(plan) => Ok(plan),
        Err(still) => Err(because(format!("{id} would still lack {still}: supply that as well"))),
    }
}

/// Refuses a second completion of one record.
pub(super) fn must_be_lacking(session: &Session<'_>, id: &RecordId) -> Result<(), OrderError> {
    match rederived(session, id)? {
        Some(done) => Err(because(format!(
            "{id} was re-derived already, as {done}: undo that ruling to supply something else"
        ))),
        None => Ok(()),
    }
}

/// All of these that lack something, as one stroke: each gets what is supplied of what it lacks, and stays as it is
/// where that does not make it whole. The slots are settled once, when all of it is written.
pub(super) fn all(session: &mut Session<'_>, of: &Lacking, supplied: &Supplied) -> Result<Outcome, OrderError> {
    let named = lacking(session, of)?;
    let withdrawn = batch::withdrawn_rows(session.connection, &named)?;
    let first = next_ruling(session)?;
    session.bulk = Some(first);
    let mut left: BTreeMap<String, u64> = BTreeMap::new();
    let mut homes: BTreeSet<i64> = BTreeSet::new();
    let (mut done, many) = (0_u64, named.len());
    for (at, stored) in named.iter().enumerate() {
        if !session.goes_on(at, 2 * many) {
            return Err(OrderError::Cancelled);
        }
        match of_many(session, stored, withdrawn.contains(&stored.row), supplied)? {
            Ok(plan) => {
                writing::write(session, &plan)?;
                homes.extend(session::homes_of_records(session, &plan.records)?);
                done += 1;
            }
            Err(why) => *left.entry(why).or_default() += 1,
        }
    }
    if done == 0 {
        return Err(because(nothing_to_do(of, &left)));
    }
    let mut changes = Changes::default();
    for (at, home) in homes.iter().enumerate() {
        if !session.goes_on(many + at * many / homes.len(), 2 * many) {
            return Err(OrderError::Cancelled);
        }
        changes.extend(resettle::slot(session, *home)?);
    }
    let slots = u64::try_from(homes.len()).unwrap_or(u64::MAX);
    let consequence =
        Consequence { left: left.into_iter().collect(), ..consequence::of(session, &changes, slots)? };
    let last = RulingId(first.0.saturating_add_unsigned(done - 1));
    Ok(outcome(last, done, slots, changes, consequence))
}

fn outcome(last: RulingId, done: u64, slots: u64, changes: Changes, consequence: Consequence) -> Outcome {
    Outcome {
        ruling: last,
        action: "rederive".to_owned(),
        pair: None,
        pair_state: None,
        slot: None,
        opened: changes.opened.difference(&changes.closed).copied().collect(),
        closed: changes.closed.difference(&changes.opened).copied().collect(),
        records: done,
        slots,
        values_changed: changes.values_changed,
        values_gone: changes.values_gone,
        resting: 0,
        undid: None,
        rulings: done,
        consequence,
    }
}

fn nothing_to_do(of: &Lacking, left: &BTreeMap<String, u64>) -> String {
    let of = match of {
        Lacking::Batch(batch) => format!("batch {batch}"),
        Lacking::Kind(kind) => format!("source kind {kind}"),
    };
    if left.is_empty() {
        return format!(
            "no record of {of} lacks a source, a time or an epoch: what a record has is never supplied anew here"
        );
    }
    let left: Vec<String> = left.iter().map(|(why, many)| format!("{many} {why}")).collect();
    format!("no record of {of} would be whole: {}", left.join(", "))
}

/// The records that lack a source, a time or an epoch, in the order in which they came.
fn lacking(session: &Session<'_>, of: &Lacking) -> Result<Vec<Stored>, OrderError> {
    let (column, named, what) = match of {
        Lacking::Batch(batch) => ("batch", batch.as_str(), "batch"),
        Lacking::Kind(kind) => ("kind", kind.as_str(), "source kind"),
    };
    let connection = session.connection;
    let sql = format!("SELECT EXISTS (SELECT 1 FROM records WHERE {column} = ?1)");
    let there: bool = connection.prepare_cached(&sql)?.query_row(params![named], |row| row.get(0))?;
    if !there {
        return Err(Refusal::Missing { what, id: named.to_owned() }.into());
    }
    let sql = format!(
        "SELECT {} FROM records r WHERE r.{column} = ?1
             AND (r.kind IS NULL OR r.observed_at IS NULL OR r.epoch IS NULL) ORDER BY r.record",
        rows::RECORD
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_map(params![named], rows::record)?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// One of many, or in a few words why it stays as it is.
fn of_many(
    session: &Session<'_>,
    stored: &Stored,
    withdrawn: bool,
    supplied: &Supplied,
) -> Result<Result<Plan, String>, OrderError> {
    if withdrawn {
        return Ok(Err("withdrawn".to_owned()));
    }
    if stored.record.attribute.is_none() {
        return Ok(Err("without an attribute".to_owned()));
    }
    if rederived(session, &stored.record.id)?.is_some() {
        return Ok(Err("re-derived already".to_owned()));
    }
    let lacks = stored.record.lacks();
    let missing = Supplied {
        source: supplied.source.clone().filter(|_| lacks.contains(&Lack::Source)),
        observed_at: supplied.observed_at.filter(|_| lacks.contains(&Lack::ObservedAt)),
        epoch: supplied.epoch.filter(|_| lacks.contains(&Lack::Epoch)),
        evidence: supplied.evidence.clone(),
    };
    let plan = complete(session, stored, &missing)?;
    Ok(plan.map_err(|still| format!("would still lack {still}")))
}

/// The new record that makes the old one whole, or the words for what it would still lack.
fn complete(
    session: &Session<'_>,
    stored: &Stored,
    supplied: &Supplied,
) -> Result<Result<Plan, String>, OrderError> {
    let old = &stored.record;
    let ruling = next_ruling(session)?;
    let new = Record {
        id: free_id(session, &format!("der-{ruling}"))?,
        source: supplied.source.as_ref().map_or_else(
            || capped(old, session.law.policy.class_of(old)),
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
    let still: Vec<&str> = session.lacks(&new).into_iter().map(Lack::name).collect();
    if !still.is_empty() {
        return Ok(Err(still.join(" and ")));
    }
    let decision = Decision::Rederive { record: new.id.clone(), from: old.id.clone() };
    let slot = slot_of(session, old)?;
    Ok(Ok(Plan { slot, records: vec![stored.row], enters: Some(new), ..bare("rederive", decision) }))
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
