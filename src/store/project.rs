//! From truth to projection: settles a slot and writes what changed, with an event for each change.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rusqlite::{OptionalExtension, params};
use serde_json::json;

use super::batch_counts;
use super::chain::Entry;
use super::error::StoreError;
use super::law::SlotName;
use super::numbered::Numbered;
use super::pairs::{self, Changes, MOST_TOLD, StateRow};
use super::rows;
use super::session::Session;
use super::slot::{self, Loaded, claim_rows};
use crate::core::decay::supported_at;
use crate::core::examine::Basis;
use crate::core::policy::{Cardinality, Rules};
use crate::core::record::RecordId;
use crate::core::ruling::Ruling;
use crate::core::settle::{Edge, EdgeKind, Slot};

/// Settles the slot anew and writes what changed; shows the settled slot, with the row of each record, before it is
/// gone.
pub(super) fn project(
    session: &Session<'_>,
    home: i64,
    look: impl FnOnce(&Slot<'_>, &[i64]),
) -> Result<Changes, StoreError> {
    write(session, home, &slot::load(session, home)?, false, look)
}

/// As [`project`], of a slot that was made for these records: nothing is stored of it but its name.
pub(super) fn project_made(
    session: &Session<'_>,
    home: i64,
    loaded: &Loaded,
    look: impl FnOnce(&Slot<'_>, &[i64]),
) -> Result<Changes, StoreError> {
    write(session, home, loaded, true, look)
}

fn write(
    session: &Session<'_>,
    home: i64,
    loaded: &Loaded,
    made: bool,
    look: impl FnOnce(&Slot<'_>, &[i64]),
) -> Result<Changes, StoreError> {
    let rules = session.rules(&loaded.name);
    let slot = loaded.settle(&rules);
    let rows = loaded.rows(&slot);
    let (before, moved) = write_states(session, &slot, &rows, made)?;
    let edges = if made { BTreeSet::new() } else { stored_edges(session, home)? };
    write_edges(session, &loaded.name, home, &slot, &rows, &edges, rules.version)?;
    let pairs = if made { Vec::new() } else { pairs::of_home(session.connection, home)? };
    let mut changes = write_pairs(session, &loaded.name, home, &slot, &rows, pairs)?;
    changes.moved = moved;
    write_answers(session, loaded, &slot, &rows)?;
    let value = value_of(&slot, &rules);
    let answered = answers(&slot, (0..rows.len()).filter(|at| before.contains(&rows[*at])));
    let answers = answers(&slot, slot.live.iter().map(|live| live.speaker));
    changes.values_gone = u64::from(!answered.is_empty() && answers.is_empty());
    changes.values_changed = u64::from(!answered.is_empty() && !answers.is_empty() && answered != answers);
    session
        .connection
        .prepare_cached(
            "UPDATE slots SET status = ?2, value = ?3, contenders = ?4, supported_at = ?5, revision = revision + 1
             WHERE slot = ?1",
        )?
        .execute(params![
            home,
            slot.status.name(),
            value,
            i64::try_from(slot.contenders).unwrap_or(i64::MAX),
            supported_at(&slot).map(|at| at.sortable()),
        ])?;
    look(&slot, &rows);
    Ok(changes)
}

/// The value that a slot of cardinality one answers, as JSON.
pub(super) fn value_of(slot: &Slot<'_>, rules: &Rules) -> Option<String> {
    if rules.cardinality == Some(Cardinality::Many) {
        return None;
    }
    slot.live.first().map(|live| slot.records[live.speaker].value.to_string())
}

/// The values that these records say, as JSON.
fn answers(slot: &Slot<'_>, records: impl Iterator<Item = usize>) -> BTreeSet<String> {
    records.map(|at| slot.records[at].value.to_string()).collect()
}

/// What the projection of each record's state must read.
pub(super) fn state_rows(slot: &Slot<'_>, rows: &[i64]) -> BTreeMap<i64, StateRow> {
    let claims = claim_rows(slot, rows);
    let speakers: BTreeSet<usize> = slot.live.iter().map(|live| live.speaker).collect();
    (0..rows.len())
        .map(|at| {
            let state = StateRow {
                state: slot.states[at].name().to_owned(),
                superseded_by: slot.superseded_by[at].map(|by| rows[by]),
                claim: claims[at],
                rank_in_claim: i64::from(!speakers.contains(&at)),
            };
            (rows[at], state)
        })
        .collect()
}

/// Writes the states that changed; returns the records that spoke for what lived before, and the first that became
/// something else.
fn write_states(
    session: &Session<'_>,
    slot: &Slot<'_>,
    rows: &[i64],
    made: bool,
) -> Result<(BTreeSet<i64>, Moved), StoreError> {
    let (mut spoke, mut moved) = (BTreeSet::new(), Vec::new());
    let mut known = session
        .connection
        .prepare_cached("SELECT state, superseded_by, claim, rank_in_claim FROM record_states WHERE record = ?1")?;
    // Where nothing is stored, nothing is looked for: a record costs a fraction of it then.
    let mut write = session.connection.prepare_cached(if made {
        "INSERT INTO record_states (record, state, superseded_by, claim, rank_in_claim) VALUES (?1, ?2, ?3, ?4, ?5)"
    } else {
        "INSERT INTO record_states (record, state, superseded_by, claim, rank_in_claim) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (record) DO UPDATE SET state = ?2, superseded_by = ?3, claim = ?4, rank_in_claim = ?5"
    })?;
    for (row, state) in state_rows(slot, rows) {
        let stored = if made { None } else { known.query_row([row], |row| state_row(row, 0)).optional()? };
        if stored.as_ref().is_some_and(speaks) {
            spoke.insert(row);
        }
        if stored.as_ref() != Some(&state) {
            batch_counts::moved(
                session.connection,
                row,
                stored.as_ref().map(|it| it.state.as_str()),
                &state.state,
            )?;
            write.execute(params![row, state.state, state.superseded_by, state.claim, state.rank_in_claim])?;
            let became = |it: &StateRow| (&it.state, it.superseded_by) != (&state.state, state.superseded_by);
            if moved.len() < MOST_TOLD && stored.as_ref().is_none_or(became) {
                moved.push((row, state));
            }
        }
    }
    Ok((spoke, moved))
}

/// Records that became something else, each with what it now is.
type Moved = Vec<(i64, StateRow)>;

/// Whether it speaks for a value that lives.
fn speaks(it: &StateRow) -> bool {
    it.state == "live" && it.rank_in_claim == 0
}

/// Reads state, superseded_by, claim and rank_in_claim, from this place on.
pub(super) fn state_row(row: &rusqlite::Row<'_>, from: usize) -> rusqlite::Result<StateRow> {
    Ok(StateRow {
        state: row.get(from)?,
        superseded_by: row.get(from + 1)?,
        claim: row.get(from + 2)?,
        rank_in_claim: row.get(from + 3)?,
    })
}

/// An edge's line of the projection.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct EdgeRow {
    pub(super) from: i64,
    pub(super) to: i64,
    pub(super) kind: String,
    pub(super) basis: Option<String>,
    pub(super) epochs: Option<(i64, i64)>,
}

/// What the projection of a slot's edges must read.
pub(super) fn edge_rows(slot: &Slot<'_>, rows: &[i64]) -> BTreeSet<EdgeRow> {
    slot.edges.iter().map(|edge| edge_row(*edge, rows)).collect()
}

fn edge_row(edge: Edge, rows: &[i64]) -> EdgeRow {
    let (basis, epochs) = match edge.kind {
        EdgeKind::Supersedes(basis) => (Some(basis), None),
        EdgeKind::EpochChange { from, to } => (None, Some((from.0, to.0))),
        EdgeKind::Reobserved | EdgeKind::DerivedFrom | EdgeKind::Same => (None, None),
    };
    EdgeRow {
        from: rows[edge.from],
        to: rows[edge.to],
        kind: edge.kind.name().to_owned(),
        basis: basis.map(|basis| basis.name().to_owned()),
        epochs,
    }
}

/// The stored edges of a slot.
pub(super) fn stored_edges(session: &Session<'_>, home: i64) -> Result<BTreeSet<EdgeRow>, StoreError> {
    let mut statement = session.connection.prepare_cached(
        "SELECT from_record, to_record, kind, basis, from_epoch, to_epoch FROM edges WHERE home = ?1",
    )?;
    let found = statement.query_map([home], |row| {
        let epochs: (Option<i64>, Option<i64>) = (row.get(4)?, row.get(5)?);
        if epochs.0.is_some() != epochs.1.is_some() {
            return Err(rows::unreadable("an edge names one epoch of two".to_owned()));
        }
        let epochs = epochs.0.zip(epochs.1);
        Ok(EdgeRow { from: row.get(0)?, to: row.get(1)?, kind: row.get(2)?, basis: row.get(3)?, epochs })
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}

fn write_edges(
    session: &Session<'_>,
    name: &SlotName,
    home: i64,
    slot: &Slot<'_>,
    rows: &[i64],
    stored: &BTreeSet<EdgeRow>,
    policy: i64,
) -> Result<(), StoreError> {
    let wanted = edge_rows(slot, rows);
    if *stored == wanted {
        return Ok(());
    }
    let mut remove = session.connection.prepare_cached(
        "DELETE FROM edges WHERE home = ?1 AND from_record = ?2 AND to_record = ?3 AND kind = ?4",
    )?;
    for edge in stored.difference(&wanted) {
        remove.execute(params![home, edge.from, edge.to, edge.kind])?;
    }
    let mut insert = session.connection.prepare_cached(
        "INSERT INTO edges (home, from_record, to_record, kind, basis, from_epoch, to_epoch)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for edge in wanted.difference(stored) {
        insert.execute(params![
            home,
            edge.from,
            edge.to,
            edge.kind,
            edge.basis,
            edge.epochs.map(|(from, _)| from),
            edge.epochs.map(|(_, to)| to)
        ])?;
    }
    tell_edges(session, name, slot, rows, stored, policy)
}

/// An event for each loss and each epoch change that was not told before.
fn tell_edges(
    session: &Session<'_>,
    name: &SlotName,
    slot: &Slot<'_>,
    rows: &[i64],
    stored: &BTreeSet<EdgeRow>,
    policy: i64,
) -> Result<(), StoreError> {
    let claims: HashMap<i64, Option<i64>> = rows.iter().copied().zip(claim_rows(slot, rows)).collect();
    let claim = |row: i64| claims.get(&row).copied().flatten().unwrap_or(row);
    let told: BTreeSet<(i64, i64)> =
        stored.iter().filter(|edge| edge.kind == "supersedes").map(|edge| (claim(edge.from), edge.to)).collect();
    let changes: BTreeSet<(i64, i64)> = stored.iter().filter_map(|edge| edge.epochs).collect();
    for edge in &slot.edges {
        let (from, to) = (slot.records[edge.from], slot.records[edge.to]);
        let entry = match edge.kind {
            EdgeKind::Supersedes(basis) if !told.contains(&(claim(rows[edge.from]), rows[edge.to])) => {
                // An accept is told by the ruling itself; here it is told which records it put below.
                let by = if basis == Basis::Accept { "accept" } else { basis.name() };
                let body =
                    json!({"winner": from.id.as_str(), "loser": to.id.as_str(), "basis": by, "policy": policy});
                Entry::new("resolved", body)
            }
            EdgeKind::EpochChange { from: old, to: new } if !changes.contains(&(old.0, new.0)) => {
                let body = json!({"from": old.0, "to": new.0, "records": [to.id.as_str(), from.id.as_str()]});
                Entry::new("epoch_change", body)
            }
            EdgeKind::Supersedes(_)
            | EdgeKind::EpochChange { .. }
            | EdgeKind::Reobserved
            | EdgeKind::DerivedFrom
            | EdgeKind::Same => continue,
        };
        session.tell(&entry.on(&name.subject, &name.attribute))?;
    }
    Ok(())
}

fn write_pairs(
    session: &Session<'_>,
    name: &SlotName,
    home: i64,
    slot: &Slot<'_>,
    rows: &[i64],
    stored: Vec<pairs::PairRow>,
) -> Result<Changes, StoreError> {
    if stored.is_empty() && slot.pairs.is_empty() {
        return Ok(Changes::default());
    }
    let mut known = Numbered::new(slot, rows, stored);
    let mut changes = Changes::default();
    for open in &slot.pairs {
        let (left, right) = (rows[open.left], rows[open.right]);
        let wanted =
            pairs::Wanted { home, left, right, grounds: &open.grounds, request: open.requested, alias: None };
        let before = known.take(left, right);
        changes.extend(pairs::open(session, name, before, &wanted)?);
    }
    for pair in known.left_over() {
        changes.extend(pairs::close(session, name, &pair)?);
    }
    Ok(changes)
}

/// Notes which requests are answered. An answer that an import brought is told here; one entered by hand is a ruling.
fn write_answers(session: &Session<'_>, loaded: &Loaded, slot: &Slot<'_>, rows: &[i64]) -> Result<(), StoreError> {
    let by_hand: BTreeSet<&RecordId> = loaded.rulings.iter().filter_map(Ruling::enters).collect();
    for (request, at) in &slot.answered {
        let fresh = session
            .connection
            .prepare_cached("INSERT OR IGNORE INTO answers (request, record) VALUES (?1, ?2)")?
            .execute([request.0, rows[*at]])?;
        let record = slot.records[*at];
        if fresh == 1 && !by_hand.contains(&record.id) {
            let body = json!({"request": request.0, "record": record.id.as_str()});
            let entry = Entry::new("reobserved", body).on(&loaded.name.subject, &loaded.name.attribute);
            session.tell(&entry)?;
        }
    }
    Ok(())
}
