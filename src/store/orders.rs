//! From an order to a plan: what each order means on the rows as they are now, and whether the core permits it.

use std::collections::BTreeSet;

use super::entering;
use super::epochs;
use super::on_pair::OnPair;
use super::plan::{OrderError, Plan, bare, because, made, next_ruling, record, slot_of};
use super::rederive;
use super::rows::{self, Stored, StoredRuling};
use super::session::{self, Session};
use super::slot;
use super::undo;
use crate::core::identity::Identity;
use crate::core::order::{Order, Refusal, Scope, Withdrawn, side_of};
use crate::core::pair::PairState;
use crate::core::permit::{Action, Permission, why_override};
use crate::core::policy::{AttributePolicy, Cardinality, Declaration};
use crate::core::record::{RecordId, Subject};
use crate::core::ruling::{AliasVerdict, Between, Decision, Ruling, effective};
use crate::core::time::Instant;

/// What the order comes to.
pub(super) fn plan(session: &Session<'_>, order: &Order) -> Result<Plan, OrderError> {
    let plan = plan_of(session, order)?;
    must_keep_names_apart(session, &plan)?;
    Ok(plan)
}

/// Names that were denied to be one subject may not be joined through a third; nor may an undo bring that about.
fn must_keep_names_apart(session: &Session<'_>, plan: &Plan) -> Result<(), OrderError> {
    let undone = if let Decision::Undo(target) = plan.decision {
        Some(undo::undone_at_last(session, target)?.ruling.decision)
    } else {
        None
    };
    if !matches!(undone.as_ref().unwrap_or(&plan.decision), Decision::Alias { .. }) {
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
        Order::Reobserve { pair, seen } => entering::reobserve(session, &OnPair::load(session, *pair)?, seen),
        Order::Refresh { subject, attribute, seen } => entering::refresh(session, (subject, attribute), seen),
        Order::Rederive { record, supplied } => rederive::one(session, record, supplied),
        // Many are one stroke of rulings, and no part of another.
        Order::RederiveAll { .. } => Err(because("a whole batch or source kind is re-derived by itself")),
        Order::Withdraw { what, why, note } => {
            let records = withdrawn(session, what)?;
            let ids = records.iter().map(|stored| stored.record.id.clone()).collect();
            let decision = Decision::Withdraw { records: ids, why: *why };
            let rows = records.iter().map(|stored| stored.row).collect();
            let slot = match records.as_slice() {
                [only] => slot_of(session, &only.record)?,
                _ => None,
            };
            Ok(Plan { slot, records: rows, reason: reason_of(what, note.as_ref()), ..bare("withdraw", decision) })
        }
        Order::Erase { subject, reason } => erase(session, subject, reason),
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
        Order::Epoch { notice } => epochs::plan(session, notice),
        Order::Defer { pair, until } => defer(session, &OnPair::load(session, *pair)?, *until),
        Order::Note { pair, text } => {
            let on = OnPair::load(session, *pair)?;
            Ok(on.plan("note", Decision::Note(text.clone()), None))
        }
        Order::Undo { ruling } => {
            let target = undo::target(session, *ruling)?;
            undo_plan(session, &target)
        }
        Order::Redo => {
            let target = undo::last_undo(session)?;
            undo_plan(session, &target)
        }
    }
}

fn undo_plan(session: &Session<'_>, target: &StoredRuling) -> Result<Plan, OrderError> {
    let at_last = undo::undone_at_last(session, target.ruling.id)?;
    if let Decision::Rederive { from, .. } = &at_last.ruling.decision
        && !rows::counts(session.connection, at_last.ruling.id)?
    {
        rederive::must_be_lacking(session, from)?;
    }
    Ok(Plan { pair: at_last.ruling.pair, slot: at_last.slot, ..bare("undo", Decision::Undo(target.ruling.id)) })
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
            let because = why_override(&on.pair.examination, &on.pair.entry.attribute);
            let permitted = on.alternatives();
            return Err(Refusal::NeedsOverride { record: winner.clone(), because, permitted }.into());
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
    let names =
        session.law.identity.alias(a, b).map_or_else(|| (a.clone(), b.clone()), |alias| alias.names.clone());
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
        Withdrawn::Where(conditions) => {
            let records = rows::records_where(session.connection, conditions)?;
            if records.is_empty() {
                return Err(because("no record is as the conditions say: nothing would be withdrawn"));
            }
            records
        }
    };
    still_contending(session, named)
}

/// The note, and how the records were chosen: the log would otherwise hold only which they were.
fn reason_of(what: &Withdrawn, note: Option<&String>) -> Option<String> {
    let Withdrawn::Where(conditions) = what else { return note.cloned() };
    let chosen: Vec<String> = conditions.iter().map(ToString::to_string).collect();
    let chosen = format!("where {}", chosen.join(", "));
    Some(note.map_or_else(|| chosen.clone(), |note| format!("{note} ({chosen})")))
}

/// Those that are not withdrawn already.
fn still_contending(session: &Session<'_>, named: Vec<Stored>) -> Result<Vec<Stored>, OrderError> {
    let gone: BTreeSet<i64> = super::batch::withdrawn_rows(session.connection, &named)?;
    let left: Vec<Stored> = named.into_iter().filter(|stored| !gone.contains(&stored.row)).collect();
    if left.is_empty() {
        return Err(because("it is withdrawn already"));
    }
    Ok(left)
}

/// Everything that any name of the subject says, withdrawn or not; what is erased already is left as it is.
fn erase(session: &Session<'_>, subject: &Subject, reason: &str) -> Result<Plan, OrderError> {
    let records = super::erasing::records_of(session.connection, &session.law.identity.names_of(subject))?;
    if records.is_empty() {
        return Err(Refusal::Missing { what: "record of", id: subject.to_string() }.into());
    }
    let decision = Decision::Erase { subject: subject.clone(), records: BTreeSet::new() };
    Ok(Plan { records, reason: Some(reason.to_owned()), ..bare("erase", decision) })
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
    let known = session.law.identity.alias(&names.0, &names.1);
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
