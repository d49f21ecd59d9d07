//! From an order to a plan: what each order means on the rows as they are now, and whether the core permits it.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::error::StoreError;
use super::plan::{OrderError, Plan, next_ruling};
use super::rows::{self, Stored, StoredRuling};
use super::session::{self, Session};
use super::side_by_side;
use super::slot;
use super::undo;
use crate::core::examine::{Examination, Ground};
use crate::core::identity::Identity;
use crate::core::order::{Order, Refusal, Scope, Seen, Supplied, Withdrawn, side_of};
use crate::core::pair::{Pair, PairState};
use crate::core::permit::{Action, Permission};
use crate::core::policy::{AttributePolicy, Cardinality, Declaration};
use crate::core::record::{Batch, Kind, Lack, Op, Record, RecordId, Source, Subject};
use crate::core::ruling::{AliasVerdict, Between, Decision, PairId, RequestId, Ruling, RulingId, effective};
use crate::core::settle::settle;
use crate::core::time::{Instant, When};

/// What the order comes to.
pub(super) fn plan(session: &Session<'_>, order: &Order) -> Result<Plan, OrderError> {
    let plan = plan_of(session, order)?;
    must_keep_names_apart(session, &plan)?;
    Ok(plan)
}

/// Names that were denied to be one subject may not be joined through a third; nor may an undo bring that about.
fn must_keep_names_apart(session: &Session<'_>, plan: &Plan) -> Result<(), OrderError> {
    let about_names = match &plan.decision {
        Decision::Alias { .. } => true,
        Decision::Undo(target) => {
            matches!(undo::undone_at_last(session, *target)?.ruling.decision, Decision::Alias { .. })
        }
        Decision::Accept { .. }
        | Decision::Same(_)
        | Decision::AcrossEpochs { .. }
        | Decision::Request(_)
        | Decision::Reobserve { .. }
        | Decision::Rederive { .. }
        | Decision::Withdraw { .. }
        | Decision::Dispute(_)
        | Decision::Declare(_)
        | Decision::Defer { .. }
        | Decision::Note(_) => false,
    };
    if !about_names {
        return Ok(());
    }
    let told = rows::rulings_of_kind(session.connection, &["alias", "link"])?;
    let made = made(session, next_ruling(session)?, plan.pair, plan.decision.clone());
    let all: Vec<Ruling> = told.into_iter().map(|stored| stored.ruling).chain([made]).collect();
    match Identity::new(effective(&all)).contradiction() {
        Some(denied) => Err(because(format!(
            "{} and {} were denied to be one subject (ruling {}), and this would join them: undo that first",
            denied.names.0, denied.names.1, denied.ruling
        ))),
        None => Ok(()),
    }
}

/// The ruling as it will be made.
fn made(session: &Session<'_>, id: RulingId, pair: Option<PairId>, decision: Decision) -> Ruling {
    Ruling { id, at: session.by.now, actor: session.by.actor.to_owned(), reason: None, pair, decision }
}

fn plan_of(session: &Session<'_>, order: &Order) -> Result<Plan, OrderError> {
    match order {
        Order::Accept { pair, winner, recency_override, reason } => {
            accept(&OnPair::load(session, *pair)?, winner, *recency_override, reason)
        }
        Order::LinkSame { pair, reason } => {
            let on = OnPair::load(session, *pair)?;
            on.must_permit(Action::LinkSame)?;
            Ok(on.plan("link", Decision::Same(on.between()), Some(reason)))
        }
        Order::LinkBothTrue { pair, scope, reason } => both_true(&OnPair::load(session, *pair)?, *scope, reason),
        Order::LinkAcrossEpochs { pair, cause, reason } => {
            across_epochs(&OnPair::load(session, *pair)?, cause.clone(), reason)
        }
        Order::LinkSubjects { pair, one, reason } => {
            link_subjects(session, &OnPair::load(session, *pair)?, *one, reason)
        }
        Order::Request { pair } => request(&OnPair::load(session, *pair)?),
        Order::Reobserve { pair, seen } => reobserve(session, &OnPair::load(session, *pair)?, seen),
        Order::Rederive { record, supplied } => rederive(session, record, supplied),
        Order::Withdraw { what, why, note } => {
            let records = withdrawn(session, what)?;
            let ids = records.iter().map(|stored| stored.record.id.clone()).collect();
            let decision = Decision::Withdraw { records: ids, why: *why };
            let rows = records.iter().map(|stored| stored.row).collect();
            let slot = match records.as_slice() {
                [only] => slot_of(session, &only.record)?,
                _ => None,
            };
            Ok(Plan { slot, records: rows, reason: note.clone(), ..bare("withdraw", decision) })
        }
        Order::Dispute { records, reason } => dispute(session, records, reason),
        Order::Declare { declaration } => {
            if declaration.fields == AttributePolicy::default() {
                return Err(because("nothing is declared: name a cardinality, an authority, a comparison …"));
            }
            let order = declaration.fields.authority.clone().unwrap_or_default();
            if order.iter().collect::<BTreeSet<_>>().len() < order.len() {
                return Err(because("a source class stands in the order of authority twice"));
            }
            Ok(bare("declare", Decision::Declare(declaration.clone())))
        }
        Order::Alias { names, verdict } => alias(session, names, *verdict),
        Order::Defer { pair, until } => defer(session, &OnPair::load(session, *pair)?, *until),
        Order::Note { pair, text } => {
            let on = OnPair::load(session, *pair)?;
            Ok(on.plan("note", Decision::Note(text.clone()), None))
        }
        Order::Undo { ruling } => {
            let target = undo::target(session, *ruling)?;
            Ok(undo_plan(&target, &undo::undone_at_last(session, target.ruling.id)?))
        }
        Order::Redo => {
            let target = undo::last_undo(session)?;
            Ok(undo_plan(&target, &undo::undone_at_last(session, target.ruling.id)?))
        }
    }
}

fn bare(kind: &'static str, decision: Decision) -> Plan {
    Plan {
        kind,
        decision,
        pair: None,
        slot: None,
        reason: None,
        records: Vec::new(),
        enters: None,
        examination: None,
    }
}

fn undo_plan(target: &StoredRuling, at_last: &StoredRuling) -> Plan {
    Plan { pair: at_last.ruling.pair, slot: at_last.slot, ..bare("undo", Decision::Undo(target.ruling.id)) }
}

fn because(why: impl Into<String>) -> OrderError {
    Refusal::Because(why.into()).into()
}

/// A pair as it is now, with where its records and its slot are.
struct OnPair {
    pair: Pair,
    slot: i64,
    left: i64,
    right: i64,
}

impl OnPair {
    fn load(session: &Session<'_>, id: PairId) -> Result<Self, OrderError> {
        let pair = side_by_side::pair(session, id)?
            .ok_or_else(|| Refusal::Missing { what: "pair", id: id.to_string() })?;
        let (slot, left, right) = side_by_side::place(session.connection, id)?;
        Ok(Self { pair, slot, left, right })
    }

    fn between(&self) -> Between {
        let [left, right] = self.pair.entry.records.clone();
        Between(left, right)
    }

    fn plan(&self, kind: &'static str, decision: Decision, reason: Option<&String>) -> Plan {
        Plan {
            pair: Some(self.pair.entry.pair),
            slot: Some(self.slot),
            reason: reason.filter(|reason| !reason.trim().is_empty()).cloned(),
            records: vec![self.left, self.right],
            examination: Some(Examination::clone(&self.pair.examination)),
            ..bare(kind, decision)
        }
    }

    fn must_permit(&self, action: Action) -> Result<(), OrderError> {
        match self.pair.permission(action) {
            Some(Permission::Refused(why)) => Err(self.refusal(action, why.to_string())),
            Some(Permission::Permitted | Permission::NeedsRecencyOverride) | None => Ok(()),
        }
    }

    fn refusal(&self, action: Action, because: String) -> OrderError {
        let because = if self.pair.entry.state == PairState::Settled { self.how_it_settled() } else { because };
        Refusal::NotPermitted { action: action.name(), because, permitted: self.alternatives() }.into()
    }

    /// Who settled it and how, for the one who came too late.
    fn how_it_settled(&self) -> String {
        match &self.pair.ruled {
            Some(ruled) => format!(
                "the pair is settled: {} ruled {} at {}; undo ruling {}, or dispute what was settled",
                ruled.by, ruled.what, ruled.at, ruled.ruling
            ),
            None => {
                "the pair is settled, and not by a ruling on it: a later record, a withdrawal or a declaration \
                     closed it (`gainsay history` tells)"
                    .to_owned()
            }
        }
    }

    /// What is permitted instead, by name.
    fn alternatives(&self) -> Vec<String> {
        self.pair
            .permitted
            .iter()
            .filter(|permitted| permitted.permission.allows())
            .map(|permitted| match &permitted.record {
                Some(record) => format!("{} {record}", permitted.action.name()),
                None => permitted.action.name().to_owned(),
            })
            .collect()
    }
}

fn accept(on: &OnPair, winner: &RecordId, recency_override: bool, reason: &String) -> Result<Plan, OrderError> {
    let Between(left, right) = on.between();
    let side = side_of(winner, &left, &right).ok_or_else(|| {
        because(format!("record {winner} is not of pair {}: it is between {left} and {right}", on.pair.entry.pair))
    })?;
    let action = Action::Accept(side);
    let overrides = match on.pair.permission(action) {
        Some(Permission::Refused(why)) => return Err(on.refusal(action, why.to_string())),
        Some(Permission::NeedsRecencyOverride) if !recency_override => {
            return Err(Refusal::NeedsOverride { record: winner.clone(), permitted: on.alternatives() }.into());
        }
        Some(Permission::NeedsRecencyOverride) => true,
        Some(Permission::Permitted) | None => false,
    };
    if overrides && reason.trim().is_empty() {
        return Err(because("a recency override needs a reason: say why the later record is to be trusted"));
    }
    let loser = side.other().of(left, right);
    let decision = Decision::Accept { winner: winner.clone(), loser, recency_override: overrides };
    Ok(on.plan(if overrides { "override" } else { "accept" }, decision, Some(reason)))
}

fn both_true(on: &OnPair, scope: Scope, reason: &String) -> Result<Plan, OrderError> {
    on.must_permit(Action::LinkBothTrue)?;
    let declaration = Declaration {
        attribute: on.pair.entry.attribute.clone(),
        subject: (scope == Scope::Slot).then(|| on.pair.entry.subject.clone()),
        fields: AttributePolicy { cardinality: Some(Cardinality::Many), ..AttributePolicy::default() },
    };
    Ok(on.plan("link", Decision::Declare(declaration), Some(reason)))
}

fn across_epochs(on: &OnPair, cause: Option<String>, reason: &String) -> Result<Plan, OrderError> {
    on.must_permit(Action::LinkAcrossEpochs)?;
    let epochs = on.pair.left.record.epoch.zip(on.pair.right.record.epoch);
    let (a, b) = epochs.ok_or_else(|| because("both records must name their epoch"))?;
    let decision = Decision::AcrossEpochs { between: on.between(), from: a.min(b), to: a.max(b), cause };
    Ok(on.plan("link", decision, Some(reason)))
}

fn link_subjects(session: &Session<'_>, on: &OnPair, one: bool, reason: &String) -> Result<Plan, OrderError> {
    on.must_permit(if one { Action::LinkOneSubject } else { Action::LinkTwoSubjects })?;
    let (a, b) = (&on.pair.left.record.subject, &on.pair.right.record.subject);
    let names = session.identity.alias(a, b).map_or_else(|| (a.clone(), b.clone()), |alias| alias.names.clone());
    let verdict = if one { AliasVerdict::Confirmed } else { AliasVerdict::Denied };
    Ok(on.plan("link", Decision::Alias { names, verdict }, Some(reason)))
}

fn request(on: &OnPair) -> Result<Plan, OrderError> {
    on.must_permit(Action::Reobserve)?;
    if let Some(open) = &on.pair.request {
        return Err(because(format!(
            "{} asked for it already, at {} (request {}): answer that one, or enter what was seen",
            open.by, open.at, open.request
        )));
    }
    Ok(on.plan("request", Decision::Request(on.between()), None))
}

fn reobserve(session: &Session<'_>, on: &OnPair, seen: &Seen) -> Result<Plan, OrderError> {
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
        source: Some(entered_by(&seen.source, session.by.actor)),
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

fn record(session: &Session<'_>, id: &RecordId) -> Result<Stored, OrderError> {
    Ok(rows::record_named(session.connection, id)?
        .ok_or_else(|| Refusal::Missing { what: "record", id: id.to_string() })?)
}

fn rederive(session: &Session<'_>, id: &RecordId, supplied: &Supplied) -> Result<Plan, OrderError> {
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
fn capped(old: &Record, class: Option<crate::core::record::SourceClass>) -> Option<Source> {
    old.source.as_ref().map(|source| Source { class: source.class.or(class), ..source.clone() })
}

fn slot_of(session: &Session<'_>, record: &Record) -> Result<Option<i64>, StoreError> {
    let Some(attribute) = record.attribute.clone() else { return Ok(None) };
    let name = session::SlotName { subject: record.subject.clone(), attribute };
    Ok(session::find(session.connection, &name)?.map(|(slot, _)| slot))
}

fn withdrawn(session: &Session<'_>, what: &Withdrawn) -> Result<Vec<Stored>, OrderError> {
    let named = match what {
        Withdrawn::Record(id) => vec![record(session, id)?],
        Withdrawn::Batch(batch) => {
            let records = super::batch::records_of(session.connection, batch)?;
            if records.is_empty() {
                return Err(Refusal::Missing { what: "batch", id: batch.to_string() }.into());
            }
            records
        }
    };
    let gone: BTreeSet<i64> = super::batch::withdrawn_rows(session.connection, &named)?;
    let left: Vec<Stored> = named.into_iter().filter(|stored| !gone.contains(&stored.row)).collect();
    if left.is_empty() {
        return Err(because("it is withdrawn already"));
    }
    Ok(left)
}

fn dispute(session: &Session<'_>, (a, b): &(RecordId, RecordId), reason: &str) -> Result<Plan, OrderError> {
    let (one, two) = (record(session, a)?, record(session, b)?);
    let homes = session::homes_of_records(session, &[one.row, two.row])?;
    let home = match homes.iter().copied().collect::<Vec<_>>().as_slice() {
        [home] if one.record.attribute.is_some() && two.record.attribute.is_some() => *home,
        _ => return Err(because(format!("{a} and {b} are not of one slot: they contradict nothing"))),
    };
    let loaded = slot::load(session, home)?;
    let rules = session.rules(&loaded.name);
    if a == b || (one.record.op == two.record.op && one.record.key(&rules).agrees(&two.record.key(&rules))) {
        return Err(because(format!("{a} and {b} say the same: there is nothing to dispute")));
    }
    if !super::batch::withdrawn_rows(session.connection, &[one.clone(), two.clone()])?.is_empty() {
        return Err(because("one of them is withdrawn: undo the withdrawal first"));
    }
    let slot = loaded.settle(&rules);
    let rows_of = loaded.rows(&slot);
    let claim =
        |row: i64| rows_of.iter().position(|at| *at == row).map(|at| slot.claim[at].unwrap_or(usize::MAX - at));
    let (first, second) = (claim(one.row), claim(two.row));
    let open = slot.pairs.iter().any(|pair| {
        let sides = [claim(rows_of[pair.left]), claim(rows_of[pair.right])];
        sides.contains(&first) && sides.contains(&second)
    });
    if open {
        return Err(because("the pair is open already: rule on it"));
    }
    let decision = Decision::Dispute(Between(a.clone(), b.clone()));
    let reason = Some(reason.to_owned()).filter(|reason| !reason.trim().is_empty());
    Ok(Plan {
        slot: slot_of(session, &one.record)?,
        records: vec![one.row, two.row],
        reason,
        ..bare("dispute", decision)
    })
}

fn alias(session: &Session<'_>, names: &(Subject, Subject), verdict: AliasVerdict) -> Result<Plan, OrderError> {
    if names.0 == names.1 {
        return Err(because("these are one name already"));
    }
    let known = session.identity.alias(&names.0, &names.1);
    let said = known.map(|alias| alias.verdict);
    if said == Some(verdict) || (said == Some(AliasVerdict::Confirmed) && verdict == AliasVerdict::Proposed) {
        return Err(because(format!(
            "{} and {} are {} already",
            names.0,
            names.1,
            said.map_or("", AliasVerdict::name)
        )));
    }
    if said == Some(AliasVerdict::Denied) && verdict == AliasVerdict::Proposed {
        return Err(because(format!(
            "{} and {} were denied to be one subject; undo that, or confirm them",
            names.0, names.1
        )));
    }
    let names = known.map_or_else(|| names.clone(), |alias| alias.names.clone());
    Ok(bare("alias", Decision::Alias { names, verdict }))
}

fn defer(session: &Session<'_>, on: &OnPair, until: Instant) -> Result<Plan, OrderError> {
    on.must_permit(Action::Defer)?;
    if until <= session.by.now {
        return Err(because(format!("{until} is past: name a time to come")));
    }
    debug_assert!(on.pair.entry.state != PairState::Settled, "the core refuses to defer what is settled");
    Ok(on.plan("defer", Decision::Defer { until }, None))
}

/// A value as `--value` and the form take it: JSON where it reads as a number, list, object or truth, else text.
pub fn value_of(text: &str) -> Value {
    serde_json::from_str::<Value>(text)
        .ok()
        .filter(|value| !value.is_null() && !value.is_string())
        .unwrap_or_else(|| Value::String(text.to_owned()))
}
