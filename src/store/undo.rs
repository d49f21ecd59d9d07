//! Undo: which ruling it is about, and whether a later one stands on it.

use rusqlite::params;

use super::error::StoreError;
use super::overdue;
use super::plan::OrderError;
use super::rows::{self, StoredRuling};
use super::session::Session;
use crate::core::order::Refusal;
use crate::core::ruling::{Decision, RulingId};

/// The ruling named, or the last of this actor that counts; refused where a later one stands on it.
pub(super) fn target(session: &Session<'_>, named: Option<RulingId>) -> Result<StoredRuling, OrderError> {
    let id = match named {
        Some(id) => id,
        None => last(session, RULING)?.ok_or_else(|| {
            Refusal::Because(format!("{} has made no ruling that could be undone", session.by.actor))
        })?,
    };
    let missing = || Refusal::Missing { what: "ruling", id: id.to_string() };
    let target = rows::ruling_numbered(session.connection, id)?.ok_or_else(missing)?;
    if !rows::counts(session.connection, id)? {
        return Err(Refusal::Because(format!("ruling {id} is undone already")).into());
    }
    if let Decision::Erase { .. } = target.ruling.decision {
        let why = "what was erased is gone: nothing can bring it back";
        return Err(Refusal::Because(format!("ruling {id} cannot be undone: {why}")).into());
    }
    must_be_free(session, &target)?;
    Ok(target)
}

/// The last undo of this actor that counts: what a redo undoes. Whoever has ruled since has gone another way: what was
/// undone before does not come back by a key that only remembers that it was.
pub(super) fn last_undo(session: &Session<'_>) -> Result<StoredRuling, OrderError> {
    let id = may_come_back(session)?;
    let missing = || Refusal::Missing { what: "ruling", id: id.to_string() };
    let target = rows::ruling_numbered(session.connection, id)?.ok_or_else(missing)?;
    must_be_free(session, &target)?;
    Ok(target)
}

fn may_come_back(session: &Session<'_>) -> Result<RulingId, OrderError> {
    let id =
        last(session, UNDO)?.ok_or_else(|| Refusal::Because(format!("{} has undone nothing", session.by.actor)))?;
    if let Some(since) = last(session, RULING)?.filter(|since| *since > id) {
        let why = format!("ruling {since} was made after that undo (ruling {id}): nothing is left to do again");
        return Err(Refusal::Because(format!("{why}; rule anew, or undo ruling {id} by its number")).into());
    }
    Ok(id)
}

const UNDO: &str = "kind = 'undo'";
const RULING: &str = "kind <> 'undo'";

/// The rulings made in one stroke with the last ruling that counts, the last first; none where it stands alone.
pub(super) fn last_stroke(session: &Session<'_>) -> Result<Vec<RulingId>, OrderError> {
    last(session, RULING)?.map_or_else(|| Ok(Vec::new()), |last| stroke(session, last))
}

/// The undos made in one stroke with the last that may be undone; none where it stands alone.
pub(super) fn last_undos(session: &Session<'_>) -> Result<Vec<RulingId>, OrderError> {
    stroke(session, may_come_back(session)?)
}

fn stroke(session: &Session<'_>, last: RulingId) -> Result<Vec<RulingId>, OrderError> {
    let bulk = rows::ruling_numbered(session.connection, last)?.and_then(|stored| stored.bulk);
    let Some(bulk) = bulk else { return Ok(Vec::new()) };
    let sql = "SELECT ruling FROM rulings WHERE bulk = ?1 ORDER BY ruling DESC";
    let mut counting = Vec::new();
    for id in numbers(session, sql, params![bulk.0])? {
        if rows::counts(session.connection, RulingId(id))? {
            counting.push(RulingId(id));
        }
    }
    Ok(counting)
}

fn last(session: &Session<'_>, which: &str) -> Result<Option<RulingId>, StoreError> {
    let sql = format!("SELECT ruling FROM rulings WHERE actor = ?1 AND {which} ORDER BY ruling DESC");
    let mut statement = session.connection.prepare_cached(&sql)?;
    let mut found = statement.query([session.by.actor])?;
    while let Some(row) = found.next()? {
        let id = RulingId(row.get(0)?);
        if rows::counts(session.connection, id)? && !brings_back(session, id)? {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// Whether it is an undo of an undo: what it was about counts again, and there is nothing to do again.
fn brings_back(session: &Session<'_>, id: RulingId) -> Result<bool, StoreError> {
    let mut undoes = session.connection.prepare_cached("SELECT undoes FROM rulings WHERE ruling = ?1")?;
    let (mut at, mut hops) = (Some(id.0), 0_u32);
    while let Some(ruling) = at {
        at = undoes.query_row([ruling], |row| row.get(0))?;
        hops += u32::from(at.is_some());
    }
    Ok(hops > 0 && hops % 2 == 0)
}

fn must_be_free(session: &Session<'_>, target: &StoredRuling) -> Result<(), OrderError> {
    match standing_on(session, target)? {
        Some(later) => Err(Refusal::StandsOn { ruling: target.ruling.id, later }.into()),
        None => Ok(()),
    }
}

/// Rulings that decide about records or what holds of them.
const DECIDING: &str = "'accept', 'override', 'link', 'dispute', 'reobserved', 'rederive'";

/// The first later ruling that counts and rests on this one.
fn standing_on(session: &Session<'_>, target: &StoredRuling) -> Result<Option<RulingId>, OrderError> {
    let at_last = undone_at_last(session, target.ruling.id)?;
    let after = target.ruling.id.0;
    let mut later: Vec<i64> = Vec::new();
    if let Some(id) = at_last.ruling.enters()
        && let Some(stored) = rows::record_named(session.connection, id)?
    {
        later.extend(naming(session, &[stored.row], after, false)?);
    }
    match &at_last.ruling.decision {
        Decision::Accept { .. } | Decision::Same(_) | Decision::Dispute(_) => {
            let records = rows::records_of_ruling(session.connection, at_last.ruling.id)?;
            later.extend(naming(session, &records, after, true)?);
        }
        Decision::Request(_) | Decision::AcrossEpochs { .. } => {
            let pattern = "$.decision.request";
            let sql = "SELECT ruling FROM rulings WHERE kind = 'reobserved' AND ruling > ?1 AND json_extract(body, ?3) = ?2";
            later.extend(numbers(session, sql, params![after, at_last.ruling.id.0, pattern])?);
        }
        Decision::Declare(declaration) => {
            let sql = format!(
                "SELECT g.ruling FROM rulings g JOIN slots s ON s.slot = g.slot JOIN slots h ON h.slot = s.home
                 WHERE s.attribute = ?2 AND (?3 IS NULL OR h.subject = ?3) AND g.ruling > ?1 AND g.kind IN ({DECIDING})"
            );
            let subject = declaration.subject.as_ref().map(|subject| subject.as_str().to_owned());
            later.extend(numbers(session, &sql, params![after, declaration.attribute.as_str(), subject])?);
        }
        Decision::Alias { .. } => {
            let sql = format!(
                "SELECT g.ruling FROM rulings g JOIN ruling_records n ON n.ruling = g.ruling
                 JOIN records r ON r.record = n.record JOIN slots s ON s.slot = r.slot
                 WHERE g.ruling > ?1 AND g.kind IN ({DECIDING}) AND s.home IN (
                     SELECT m.home FROM slots m GROUP BY m.home HAVING count(*) > 1)
                 GROUP BY g.ruling HAVING count(DISTINCT r.subject) > 1"
            );
            later.extend(numbers(session, &sql, params![after])?);
        }
        Decision::Epoch(notice) => {
            later.extend(overdue::rulings_resting(session, notice, target.ruling.id, DECIDING)?)
        }
        Decision::Reobserve { .. }
        | Decision::Rederive { .. }
        | Decision::Withdraw { .. }
        | Decision::Erase { .. }
        | Decision::Defer { .. }
        | Decision::Note(_)
        | Decision::Undo(_) => {}
    }
    later.sort_unstable();
    for id in later.into_iter().filter(|id| *id != at_last.ruling.id.0) {
        if rows::counts(session.connection, RulingId(id))? {
            return Ok(Some(RulingId(id)));
        }
    }
    Ok(None)
}

/// How many rulings that count decide about a record that this one names.
pub(super) fn resting_on(session: &Session<'_>, ruling: RulingId) -> Result<u64, StoreError> {
    let sql = format!(
        "SELECT DISTINCT g.ruling FROM ruling_records w JOIN ruling_records n ON n.record = w.record
             JOIN rulings g ON g.ruling = n.ruling WHERE w.ruling = ?1 AND g.kind IN ({DECIDING})"
    );
    let mut resting = 0;
    for id in numbers(session, &sql, params![ruling.0])? {
        resting += u64::from(rows::counts(session.connection, RulingId(id))?);
    }
    Ok(resting)
}

/// Later deciding rulings that name one of the records, or all of them.
fn naming(session: &Session<'_>, records: &[i64], after: i64, all: bool) -> Result<Vec<i64>, StoreError> {
    let mut found: Option<Vec<i64>> = None;
    for record in records {
        let sql = format!(
            "SELECT g.ruling FROM ruling_records n JOIN rulings g ON g.ruling = n.ruling
             WHERE n.record = ?2 AND g.ruling > ?1 AND g.kind IN ({DECIDING})"
        );
        let here = numbers(session, &sql, params![after, record])?;
        found = Some(match found {
            Some(before) if all => before.into_iter().filter(|id| here.contains(id)).collect(),
            Some(before) => before.into_iter().chain(here).collect(),
            None => here,
        });
    }
    Ok(found.unwrap_or_default())
}

fn numbers(session: &Session<'_>, sql: &str, values: impl rusqlite::Params) -> Result<Vec<i64>, StoreError> {
    let mut statement = session.connection.prepare_cached(sql)?;
    let found = statement.query_map(values, |row| row.get(0))?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// The last deferral of a pair that counts and was made since it was opened: closing it ends every deferral.
pub(super) fn last_deferral(session: &rusqlite::Connection, pair: i64) -> Result<Option<RulingId>, StoreError> {
    let mut statement = session.prepare_cached(
        "SELECT g.ruling FROM rulings g JOIN events e ON e.ruling = g.ruling WHERE g.pair = ?1 AND g.kind = 'defer'
                 AND e.seq > (SELECT coalesce(max(seq), 0) FROM events WHERE pair = ?1 AND kind = 'pair_closed')
             ORDER BY g.ruling DESC",
    )?;
    let ids: Vec<i64> = statement.query_map([pair], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for id in ids {
        if rows::counts(session, RulingId(id))? {
            return Ok(Some(RulingId(id)));
        }
    }
    Ok(None)
}

/// The latest ruling on a pair that counts and is not an undo.
pub(super) fn last_ruling(
    connection: &rusqlite::Connection,
    pair: i64,
) -> Result<Option<StoredRuling>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT ruling FROM rulings WHERE pair = ?1 AND kind NOT IN ('undo', 'note', 'defer') ORDER BY ruling DESC",
    )?;
    let ids: Vec<i64> = statement.query_map([pair], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for id in ids {
        if rows::counts(connection, RulingId(id))? {
            return rows::ruling_numbered(connection, RulingId(id));
        }
    }
    Ok(None)
}

/// The ruling that an undo is about in the end: an undo of an undo is about what that one undid.
pub(super) fn undone_at_last(session: &Session<'_>, target: RulingId) -> Result<StoredRuling, OrderError> {
    let missing = || Refusal::Missing { what: "ruling", id: target.to_string() };
    let stored = rows::ruling_numbered(session.connection, target)?.ok_or_else(missing)?;
    if let Decision::Undo(further) = stored.ruling.decision { undone_at_last(session, further) } else { Ok(stored) }
}

/// The undo that counts of a ruling, where it is undone.
pub(super) fn undone_by(
    connection: &rusqlite::Connection,
    ruling: RulingId,
) -> Result<Option<StoredRuling>, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT ruling FROM rulings WHERE undoes = ?1 ORDER BY ruling")?;
    let ids: Vec<i64> = statement.query_map([ruling.0], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for id in ids {
        if rows::counts(connection, RulingId(id))? {
            return rows::ruling_numbered(connection, RulingId(id));
        }
    }
    Ok(None)
}
