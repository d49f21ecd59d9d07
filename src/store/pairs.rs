//! The rows of the queue: opened, kept up and closed as the core finds, with counts kept beside them by triggers.

use std::collections::BTreeSet;

use rusqlite::{Connection, Row, params};
use serde_json::json;

use super::batch_counts;
use super::chain::Entry;
use super::error::StoreError;
use super::law::SlotName;
use super::session::Session;
use crate::core::examine::Ground;
use crate::core::ruling::{PairId, RequestId};

/// What settling slots anew did to the queue, and to what the slots answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    pub(super) opened: BTreeSet<PairId>,
    pub(super) closed: BTreeSet<PairId>,
    /// Slots that answered a value before, and answer another one now, or none.
    pub(super) values_changed: u64,
    pub(super) values_gone: u64,
    /// The rows of records that became something else, or are new, each with what it now is: no more than are told.
    pub(super) moved: Vec<(i64, StateRow)>,
}

/// A record's line of the projection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StateRow {
    pub(super) state: String,
    pub(super) superseded_by: Option<i64>,
    pub(super) claim: Option<i64>,
    pub(super) rank_in_claim: i64,
}

impl Changes {
    pub(super) fn extend(&mut self, other: Self) {
        self.opened.extend(other.opened);
        self.closed.extend(other.closed);
        self.values_changed += other.values_changed;
        self.values_gone += other.values_gone;
        self.moved.extend(other.moved);
        self.moved.truncate(MOST_TOLD);
    }
}

/// Of records that became something else, so many are told one by one.
pub(super) const MOST_TOLD: usize = 12;

/// A stored pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PairRow {
    pub(super) pair: i64,
    pub(super) home: i64,
    pub(super) left: i64,
    pub(super) right: i64,
    pub(super) grounds: String,
    pub(super) state: String,
    pub(super) request: Option<i64>,
    pub(super) alias: Option<i64>,
}

/// A pair as the core wants it.
pub(super) struct Wanted<'a> {
    pub(super) home: i64,
    pub(super) left: i64,
    pub(super) right: i64,
    pub(super) grounds: &'a [Ground],
    pub(super) request: Option<RequestId>,
    pub(super) alias: Option<i64>,
}

impl PairRow {
    pub(super) fn is_settled(&self) -> bool {
        self.state == "settled"
    }
}

impl Wanted<'_> {
    pub(super) fn grounds(&self) -> String {
        names(self.grounds)
    }

    pub(super) const fn state(&self) -> &'static str {
        if self.request.is_some() { "awaiting" } else { "open" }
    }
}

/// Grounds as the column holds them.
pub(super) fn names(grounds: &[Ground]) -> String {
    grounds.iter().map(|ground| ground.name()).collect::<Vec<_>>().join(",")
}

/// Grounds from the column.
pub(super) fn grounds(names: &str) -> Vec<Ground> {
    names.split(',').filter_map(Ground::named).collect()
}

const COLUMNS: &str = "pair, home, left_record, right_record, grounds, state, request, alias";

fn row(row: &Row<'_>) -> rusqlite::Result<PairRow> {
    Ok(PairRow {
        pair: row.get(0)?,
        home: row.get(1)?,
        left: row.get(2)?,
        right: row.get(3)?,
        grounds: row.get(4)?,
        state: row.get(5)?,
        request: row.get(6)?,
        alias: row.get(7)?,
    })
}

/// Every pair of a slot, the open and the settled ones; not those of aliases.
pub(super) fn of_home(connection: &Connection, home: i64) -> Result<Vec<PairRow>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM pairs WHERE home = ?1 AND alias IS NULL ORDER BY pair");
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_map([home], row)?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// The pair of an alias, where there ever was one.
pub(super) fn of_alias(connection: &Connection, alias: i64) -> Result<Option<PairRow>, StoreError> {
    use rusqlite::OptionalExtension as _;
    let sql = format!("SELECT {COLUMNS} FROM pairs WHERE alias = ?1");
    Ok(connection.prepare_cached(&sql)?.query_row([alias], row).optional()?)
}

/// Opens a pair, reopens the one that it was before, or brings an open one up to date.
pub(super) fn open(
    session: &Session<'_>,
    name: &SlotName,
    before: Option<PairRow>,
    wanted: &Wanted<'_>,
) -> Result<Changes, StoreError> {
    let mut changes = Changes::default();
    let Some(before) = before else {
        let pair = insert(session, name, wanted)?;
        changes.opened.insert(PairId(pair));
        tell(session, name, "pair_opened", pair, wanted)?;
        return Ok(changes);
    };
    let reopened = before.is_settled();
    if reopened {
        changes.opened.insert(PairId(before.pair));
    }
    let same = !reopened
        && before.state == wanted.state()
        && before.grounds == wanted.grounds()
        && before.request == wanted.request.map(|request| request.0)
        && (before.home, before.left, before.right) == (wanted.home, wanted.left, wanted.right);
    if same {
        return Ok(changes);
    }
    if !reopened {
        batch_counts::paired(session.connection, (before.left, before.right), -1)?;
    }
    batch_counts::paired(session.connection, (wanted.left, wanted.right), 1)?;
    session
        .connection
        .prepare_cached(
            "UPDATE pairs SET home = ?2, left_record = ?3, right_record = ?4, grounds = ?5, state = ?6, request = ?7,
                 subject = ?8, attribute = ?9, closed_at = NULL, touched = (SELECT max(touched) + 1 FROM pairs)
             WHERE pair = ?1",
        )?
        .execute(params![
            before.pair,
            wanted.home,
            wanted.left,
            wanted.right,
            wanted.grounds(),
            wanted.state(),
            wanted.request.map(|request| request.0),
            name.subject.as_str(),
            name.attribute.as_str()
        ])?;
    let other = (before.left, before.right, &before.grounds) != (wanted.left, wanted.right, &wanted.grounds());
    if reopened {
        tell(session, name, "pair_opened", before.pair, wanted)?;
    } else if other {
        // So that what a reviewer was shown under this number can be told from the log alone.
        tell(session, name, "pair_changed", before.pair, wanted)?;
    }
    Ok(changes)
}

fn insert(session: &Session<'_>, name: &SlotName, wanted: &Wanted<'_>) -> Result<i64, StoreError> {
    session
        .connection
        .prepare_cached(
            "INSERT INTO pairs (home, left_record, right_record, grounds, state, opened_at, request, alias, subject,
                 attribute, touched)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, (SELECT coalesce(max(touched), 0) + 1 FROM pairs))",
        )?
        .execute(params![
            wanted.home,
            wanted.left,
            wanted.right,
            wanted.grounds(),
            wanted.state(),
            session.by.now.sortable(),
            wanted.request.map(|request| request.0),
            wanted.alias,
            name.subject.as_str(),
            name.attribute.as_str()
        ])?;
    let pair = session.connection.last_insert_rowid();
    batch_counts::paired(session.connection, (wanted.left, wanted.right), 1)?;
    Ok(pair)
}

/// Closes a pair, if it is not closed already.
pub(super) fn close(session: &Session<'_>, name: &SlotName, pair: &PairRow) -> Result<Changes, StoreError> {
    let mut changes = Changes::default();
    if pair.is_settled() {
        return Ok(changes);
    }
    batch_counts::paired(session.connection, (pair.left, pair.right), -1)?;
    session
        .connection
        .prepare_cached(
            "UPDATE pairs SET state = 'settled', closed_at = ?2, deferred_until = NULL, request = NULL,
                 touched = (SELECT max(touched) + 1 FROM pairs) WHERE pair = ?1",
        )?
        .execute(params![pair.pair, session.by.now.sortable()])?;
    changes.closed.insert(PairId(pair.pair));
    let mut entry = Entry::new("pair_closed", json!({})).on(&name.subject, &name.attribute);
    entry.pair = Some(PairId(pair.pair));
    session.tell(&entry)?;
    Ok(changes)
}

fn tell(
    session: &Session<'_>,
    name: &SlotName,
    kind: &'static str,
    pair: i64,
    wanted: &Wanted<'_>,
) -> Result<(), StoreError> {
    let id = |row| super::rows::id_at(session.connection, row);
    let grounds: Vec<&str> = wanted.grounds.iter().map(|ground| ground.name()).collect();
    let mut body = json!({"records": [id(wanted.left)?, id(wanted.right)?], "grounds": grounds});
    if let Some(alias) = wanted.alias {
        let names = session
            .connection
            .prepare_cached("SELECT a, b FROM aliases WHERE alias = ?1")?
            .query_row([alias], |row| Ok([row.get::<_, String>(0)?, row.get(1)?]))?;
        body["names"] = json!(names);
    }
    let mut entry = Entry::new(kind, body).on(&name.subject, &name.attribute);
    entry.pair = Some(PairId(pair));
    session.tell(&entry)
}

/// Moves the pairs and edges of slots that changed their home; settling them anew does the rest.
pub(super) fn follow_their_records(connection: &Connection, homes: &[i64]) -> Result<(), StoreError> {
    for home in homes {
        connection
            .prepare_cached(
                "UPDATE pairs SET touched = (SELECT max(touched) + 1 FROM pairs), (home, subject, attribute) = (
                     SELECT s.home, h.subject, h.attribute FROM records r JOIN slots s ON s.slot = r.slot
                     JOIN slots h ON h.slot = s.home WHERE r.record = pairs.left_record) WHERE home = ?1",
            )?
            .execute([home])?;
        let moved: Vec<(i64, i64, String, i64)> = connection
            .prepare_cached(
                "SELECT e.from_record, e.to_record, e.kind, s.home FROM edges e JOIN records r ON r.record = e.to_record
                     JOIN slots s ON s.slot = r.slot WHERE e.home = ?1 AND s.home <> ?1",
            )?
            .query_map([home], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?
            .collect::<Result<_, _>>()?;
        for (from, to, kind, to_home) in moved {
            connection
                .prepare_cached(
                    "UPDATE edges SET home = ?5 WHERE home = ?1 AND from_record = ?2 AND to_record = ?3 AND kind = ?4",
                )?
                .execute(params![home, from, to, kind, to_home])?;
        }
    }
    Ok(())
}
