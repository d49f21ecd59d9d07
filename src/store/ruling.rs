//! A ruling: checked against fresh rows and written, with all that follows from it, in one `IMMEDIATE` transaction.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::params;

use super::batch_counts;
use super::error::StoreError;
use super::orders;
use super::pairs::{self, Changes};
use super::plan::{OrderError, Plan, next_ruling};
use super::resettle;
use super::rows;
use super::session::{self, Session};
use super::{By, Store, consequence, entry, overdue, policy, rederive, side_by_side, tallies, undo, writing};
use crate::core::order::{Order, Outcome, Refusal, SlotAnswer, Undid};
use crate::core::pair::Revision;
use crate::core::ruling::{Decision, PairId, RulingId};
use crate::core::settle::Status;

impl Store {
    /// Carries an order out. With a revision, only if the pair is still as it was then.
    pub fn order(&mut self, order: &Order, by: &By<'_>, seen: Option<Revision>) -> Result<Outcome, OrderError> {
        self.order_watched(order, by, seen, &|_, _| true)
    }

    /// As [`order`](Self::order), for somebody who waits: `goes_on` is told how many slots are settled anew, and of how
    /// many. Where it says no, nothing is written, and the answer is [`OrderError::Cancelled`].
    pub fn order_watched(
        &mut self,
        order: &Order,
        by: &By<'_>,
        seen: Option<Revision>,
        goes_on: &dyn Fn(u64, u64) -> bool,
    ) -> Result<Outcome, OrderError> {
        let (tx, frames) = self.write_known()?;
        let outcome = whole_stroke(&mut Session::begin_known(&tx, frames, by)?.watched(goes_on), order, seen)?;
        tx.commit()?;
        Ok(outcome)
    }

    /// Carries an order out as a part of the stroke that began with `bulk`, where one has begun: one undo takes the whole
    /// stroke back.
    pub fn order_in(&mut self, bulk: Option<RulingId>, order: &Order, by: &By<'_>) -> Result<Outcome, OrderError> {
        let (tx, frames) = self.write_known()?;
        let mut session = Session::begin_known(&tx, frames, by)?;
        session.bulk = Some(bulk.map_or_else(|| next_ruling(&session), Ok)?);
        let outcome = carry_out(&mut session, order, None)?;
        tx.commit()?;
        Ok(outcome)
    }

    /// Carries out many orders in one transaction and as one stroke, which one undo takes back. Each is permitted or
    /// refused by itself; what is refused writes nothing. `goes_on` is told how many are done, and of how many; where it
    /// says no, nothing at all is written, and the answer is none.
    pub fn order_all(
        &mut self,
        orders: &[(Order, Option<Revision>)],
        by: &By<'_>,
        goes_on: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<Option<Vec<Result<Outcome, Refusal>>>, StoreError> {
        let (tx, frames) = self.write_known()?;
        let Some(answers) = stroke(&mut Session::begin_known(&tx, frames, by)?, orders, goes_on)? else {
            return Ok(None);
        };
        tx.commit()?;
        Ok(Some(answers))
    }

    /// What many orders would do as one stroke: carried out, reported and rolled back.
    pub fn preview_all(
        &mut self,
        orders: &[(Order, Option<Revision>)],
        by: &By<'_>,
        goes_on: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<Option<Vec<Result<Outcome, Refusal>>>, StoreError> {
        let (tx, frames) = self.write_known()?;
        let answers = stroke(&mut Session::begin_known(&tx, frames, by)?, orders, goes_on)?;
        tx.rollback()?;
        Ok(answers)
    }

    /// What an order would do: carried out, reported and rolled back.
    pub fn preview(&mut self, order: &Order, by: &By<'_>) -> Result<Outcome, OrderError> {
        self.preview_watched(order, by, &|_, _| true)
    }

    /// As [`preview`](Self::preview), for somebody who waits: see [`order_watched`](Self::order_watched).
    pub fn preview_watched(
        &mut self,
        order: &Order,
        by: &By<'_>,
        goes_on: &dyn Fn(u64, u64) -> bool,
    ) -> Result<Outcome, OrderError> {
        let (tx, frames) = self.write_known()?;
        let outcome = whole_stroke(&mut Session::begin_known(&tx, frames, by)?.watched(goes_on), order, None)?;
        tx.rollback()?;
        Ok(outcome)
    }
}

/// Each order in its turn. Whether a pair is still what the reviewer saw is asked before anything of the stroke is
/// written: what the stroke itself changes is no surprise to anybody, and what it closes is told as that.
pub(super) fn stroke(
    session: &mut Session<'_>,
    orders: &[(Order, Option<Revision>)],
    goes_on: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<Option<Vec<Result<Outcome, Refusal>>>, StoreError> {
    let whole = match done_again(session, orders) {
        Ok(whole) => whole,
        Err(OrderError::Store(error)) => return Err(error),
        Err(OrderError::Refused(_) | OrderError::Cancelled) => None,
    };
    let orders = whole.as_deref().unwrap_or(orders);
    session.bulk = if orders.len() > 1 { Some(next_ruling(session)?) } else { None };
    let mut stale = Vec::with_capacity(orders.len());
    for (order, seen) in orders {
        let checked = order.pair().zip(*seen).map(|(pair, seen)| refuse_if_stale(session, pair, seen));
        stale.push(match checked {
            Some(Err(OrderError::Refused(refusal))) => Some(refusal),
            Some(Err(OrderError::Store(error))) => return Err(error),
            Some(Err(OrderError::Cancelled)) => return Ok(None),
            Some(Ok(())) | None => None,
        });
    }
    let mut closed: BTreeMap<PairId, RulingId> = BTreeMap::new();
    let mut answers = Vec::with_capacity(orders.len());
    for ((order, _), stale) in orders.iter().zip(stale) {
        if !goes_on(answers.len() as u64, orders.len() as u64) {
            return Ok(None);
        }
        let along = order.pair().and_then(|pair| Some(Refusal::Along { pair, with: *closed.get(&pair)? }));
        let answer = match stale.or(along) {
            Some(refusal) => Err(refusal),
            None => match carry_out(session, order, None) {
                Ok(outcome) => Ok(outcome),
                Err(OrderError::Refused(refusal)) => Err(refusal),
                Err(OrderError::Store(error)) => return Err(error),
                Err(OrderError::Cancelled) => return Ok(None),
            },
        };
        if let Ok(outcome) = &answer {
            closed.extend(outcome.closed.iter().map(|pair| (*pair, outcome.ruling)));
            closed.retain(|pair, _| !outcome.opened.contains(pair));
        }
        answers.push(answer);
    }
    Ok(Some(answers))
}

/// An order, and what its pair was when it was looked at.
type Ordered = (Order, Option<Revision>);

/// Of as many redos as the last undo took rulings: these by their numbers, so that none of them is looked for.
fn done_again(session: &Session<'_>, orders: &[Ordered]) -> Result<Option<Vec<Ordered>>, OrderError> {
    if orders.len() < 2 || orders.iter().any(|(order, _)| *order != Order::Redo) {
        return Ok(None);
    }
    let undone = undo::last_undos(session)?;
    let again = |ruling: RulingId| (Order::Undo { ruling: Some(ruling) }, None);
    Ok((undone.len() == orders.len()).then(|| undone.into_iter().map(again).collect()))
}

/// An undo of the last ruling takes back the whole stroke that it was part of, the last ruling first; so does a redo.
fn whole_stroke(session: &mut Session<'_>, order: &Order, seen: Option<Revision>) -> Result<Outcome, OrderError> {
    if let Order::RederiveAll { of, supplied } = order {
        return rederive::all(session, of, supplied);
    }
    let stroke = if *order == (Order::Undo { ruling: None }) {
        undo::last_stroke(session)?
    } else if *order == Order::Redo {
        undo::last_undos(session)?
    } else {
        Vec::new()
    };
    if stroke.len() < 2 {
        return carry_out(session, order, seen);
    }
    session.bulk = Some(next_ruling(session)?);
    let mut whole: Option<Outcome> = None;
    for ruling in stroke {
        let outcome = carry_out(session, &Order::Undo { ruling: Some(ruling) }, None)?;
        whole = Some(match whole {
            Some(before) => together(before, outcome),
            None => outcome,
        });
    }
    whole.ok_or_else(|| Refusal::Because("there is nothing to undo".to_owned()).into())
}

/// Two outcomes of one stroke as one; what opened and closed within it did neither.
fn together(before: Outcome, mut after: Outcome) -> Outcome {
    after.opened.extend(before.opened);
    after.closed.extend(before.closed);
    let both: BTreeSet<PairId> = after.opened.iter().filter(|pair| after.closed.contains(pair)).copied().collect();
    for list in [&mut after.opened, &mut after.closed] {
        list.retain(|pair| !both.contains(pair));
        list.sort_unstable();
        list.dedup();
    }
    Outcome {
        records: before.records + after.records,
        slots: before.slots + after.slots,
        values_changed: before.values_changed + after.values_changed,
        values_gone: before.values_gone + after.values_gone,
        ruling: before.ruling.max(after.ruling),
        rulings: before.rulings + after.rulings,
        ..after
    }
}

fn carry_out(session: &mut Session<'_>, order: &Order, seen: Option<Revision>) -> Result<Outcome, OrderError> {
    if let (Some(pair), Some(seen)) = (order.pair(), seen) {
        refuse_if_stale(session, pair, seen)?;
    }
    let plan = orders::plan(session, order)?;
    let ruling = writing::write(session, &plan)?;
    if let Decision::Undo(target) = plan.decision {
        let undone = undo::undone_at_last(session, target)?.ruling;
        tallies::tell(session.connection, undone.id, &undone.decision)?;
    } else {
        tallies::tell(session.connection, ruling, &plan.decision)?;
    }
    let (changes, slots) = follow(session, &plan, ruling)?;
    report(session, &plan, ruling, changes, slots)
}

fn refuse_if_stale(session: &Session<'_>, pair: PairId, seen: Revision) -> Result<(), OrderError> {
    if side_by_side::revision(session.connection, pair)?.is_none_or(|now| now == seen) {
        return Ok(());
    }
    let Some(now) = side_by_side::pair(session, pair)? else { return Ok(()) };
    let what = match &now.ruled {
        Some(ruled) => {
            format!("{} ruled {} at {}; it is {} now", ruled.by, ruled.what, ruled.at, now.entry.state.name())
        }
        None => format!("a record arrived; it is {} now", now.entry.state.name()),
    };
    Err(Refusal::Stale { pair, what }.into())
}

/// Settles again whatever the ruling touches. Returns the changes to the queue and how many slots were settled.
fn follow(session: &mut Session<'_>, plan: &Plan, ruling: RulingId) -> Result<(Changes, u64), OrderError> {
    let target = if let Decision::Undo(target) = plan.decision { Some(target) } else { None };
    match target {
        Some(target) => {
            let undone = undo::undone_at_last(session, target)?;
            let counts = rows::counts(session.connection, undone.ruling.id)?;
            batch_counts::fared(session.connection, &undone.ruling.decision, counts)?;
            let records = rows::records_of_ruling(session.connection, undone.ruling.id)?;
            let brought =
                undone.ruling.enters().map(|id| rows::record_named(session.connection, id)).transpose()?;
            let records: Vec<i64> = records.into_iter().chain(brought.flatten().map(|stored| stored.row)).collect();
            settle_again(session, &undone.ruling.decision, undone.slot, undone.ruling.pair, &records, ruling)
        }
        None => {
            batch_counts::fared(session.connection, &plan.decision, true)?;
            settle_again(session, &plan.decision, plan.slot, plan.pair, &plan.records, ruling)
        }
    }
}

fn settle_again(
    session: &mut Session<'_>,
    decision: &Decision,
    slot: Option<i64>,
    pair: Option<PairId>,
    records: &[i64],
    ruling: RulingId,
) -> Result<(Changes, u64), OrderError> {
    let homes: BTreeSet<i64> = match decision {
        Decision::Alias { names, .. } => return Ok(resettle::names(session, names)?),
        Decision::Declare(declaration) => {
            policy::rebuild(session.connection, session.by.now, ruling)?;
            session.refresh()?;
            let subject = declaration.subject.as_ref().map(|subject| session.law.identity.canonical(subject));
            session::homes_of_attribute(session, &declaration.attribute, subject.as_ref())?
        }
        Decision::Epoch(notice) => {
            session.refresh()?;
            overdue::homes(session, notice)?
        }
        Decision::Defer { .. } => {
            if let Some(pair) = pair {
                put_off(session, pair)?;
            }
            BTreeSet::new()
        }
        Decision::Note(_) | Decision::Undo(_) => BTreeSet::new(),
        Decision::Withdraw { .. } | Decision::Erase { .. } => session::homes_of_records(session, records)?,
        Decision::Accept { .. }
        | Decision::Same(_)
        | Decision::AcrossEpochs { .. }
        | Decision::Request(_)
        | Decision::Reobserve { .. }
        | Decision::Rederive { .. }
        | Decision::Dispute(_) => {
            let mut homes = session::homes_of_records(session, records)?;
            if let Some(slot) = slot {
                homes.insert(home(session, slot)?);
            }
            homes
        }
    };
    let mut changes = Changes::default();
    for (done, home) in homes.iter().enumerate() {
        if !session.goes_on(done, homes.len()) {
            return Err(OrderError::Cancelled);
        }
        changes.extend(resettle::slot(session, *home)?);
    }
    Ok((changes, u64::try_from(homes.len()).unwrap_or(u64::MAX)))
}

fn home(session: &Session<'_>, slot: i64) -> Result<i64, StoreError> {
    Ok(session
        .connection
        .prepare_cached("SELECT home FROM slots WHERE slot = ?1")?
        .query_row([slot], |row| row.get(0))?)
}

/// The pair is out of the way until the time that the last deferral that counts names; without one, it is back.
fn put_off(session: &Session<'_>, pair: PairId) -> Result<(), StoreError> {
    let until = side_by_side::deferred_until(session.connection, pair)?;
    session
        .connection
        .prepare_cached(
            "UPDATE pairs SET deferred_until = ?2, touched = (SELECT max(touched) + 1 FROM pairs) WHERE pair = ?1",
        )?
        .execute(params![pair.0, until.map(|until| until.sortable())])?;
    Ok(())
}

fn report(
    session: &Session<'_>,
    plan: &Plan,
    ruling: RulingId,
    changes: Changes,
    slots: u64,
) -> Result<Outcome, OrderError> {
    let (mut pair, mut slot) = (plan.pair, plan.slot);
    let mut undid = None;
    if let Decision::Undo(target) = plan.decision {
        let undone = undo::undone_at_last(session, target)?;
        (pair, slot) = (undone.ruling.pair, undone.slot);
        undid = Some(Undid { ruling: target, at_last: undone.ruling.id, action: undone.kind });
    }
    if let Decision::Dispute(_) = plan.decision {
        pair = open_pair_of(session, &plan.records)?;
    }
    let pair_state = match pair {
        Some(pair) => entry::entry(session.connection, pair, session.by.now)?.map(|entry| entry.state),
        None => None,
    };
    let slot = slot.map(|slot| answer(session, slot)).transpose()?;
    Ok(Outcome {
        ruling,
        action: plan.kind.to_owned(),
        pair,
        pair_state,
        slot,
        // What opened and closed within one ruling did neither.
        opened: changes.opened.difference(&changes.closed).copied().collect(),
        closed: changes.closed.difference(&changes.opened).copied().collect(),
        records: u64::try_from(plan.records.len()).unwrap_or(u64::MAX),
        slots,
        values_changed: changes.values_changed,
        values_gone: changes.values_gone,
        resting: if let Decision::Withdraw { .. } | Decision::Erase { .. } = plan.decision {
            undo::resting_on(session, ruling)?
        } else {
            0
        },
        undid,
        rulings: 1,
        consequence: consequence::of(session, &changes, slots)?,
    })
}

fn open_pair_of(session: &Session<'_>, records: &[i64]) -> Result<Option<PairId>, StoreError> {
    for home in session::homes_of_records(session, records)? {
        let open = pairs::of_home(session.connection, home)?;
        let of_both = |pair: &&pairs::PairRow| {
            !pair.is_settled() && records.iter().all(|row| [pair.left, pair.right].contains(row))
        };
        if let Some(pair) = open.iter().find(of_both) {
            return Ok(Some(PairId(pair.pair)));
        }
    }
    Ok(None)
}

fn answer(session: &Session<'_>, slot: i64) -> Result<SlotAnswer, StoreError> {
    let name = session::name_of(session.connection, home(session, slot)?)?;
    let (status, value): (String, Option<String>) = session
        .connection
        .prepare_cached("SELECT h.status, h.value FROM slots s JOIN slots h ON h.slot = s.home WHERE s.slot = ?1")?
        .query_row([slot], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(SlotAnswer {
        subject: name.subject,
        attribute: name.attribute,
        status: Status::named(&status).unwrap_or(Status::Empty),
        value: value.map(|value| rows::json(&value)).transpose()?,
    })
}
