//! All that follows, worked out anew from all that is true: never the other way round.
//!
//! Numbers that people know are kept: a pair has its number, its times and its records from the log. Whatever settling
//! then finds that the log does not tell is handed back, for whoever asked to tell or to refuse.

use rusqlite::{Connection, params};

use super::accounted::{Lacking, PairTold};
use super::chain::Entry;
use super::error::StoreError;
use super::law::SlotName;
use super::session::{self, Session};
use super::{By, alias, batch_counts, project, rows, side_by_side, tallies};
use crate::core::record::{Attribute, RecordId, Subject};
use crate::core::ruling::{Decision, PairId};

/// What is emptied before it is filled anew. Slots keep their numbers and names: records and rulings refer to them.
const FOLLOWS: [&str; 10] = [
    "record_states",
    "edges",
    "pairs",
    "pair_counts",
    "pair_spans",
    "tallies",
    "batches",
    "answers",
    "aliases",
    "pair_letters",
];

/// Rebuilds every projection; returns what the log does not tell of it yet. Only inside a transaction.
pub(super) fn rebuild(connection: &Connection, by: &By<'_>) -> Result<Vec<Entry>, StoreError> {
    let lacking = Lacking::read(connection)?;
    let touched: i64 = connection.query_row("SELECT coalesce(max(touched), 0) FROM pairs", [], |row| row.get(0))?;
    for table in FOLLOWS {
        connection.execute_batch(&format!("DELETE FROM {table}"))?;
    }
    connection.execute_batch("DELETE FROM pair_letters_upto; INSERT INTO pair_letters_upto VALUES (1, 0)")?;
    aliases(connection)?;
    {
        let mut session = Session::begin(connection, by)?;
        session.lacking = Some(&lacking);
        settle_all(&session, &lacking, touched)?;
    }
    Ok(lacking.into_entries())
}

fn settle_all(session: &Session<'_>, lacking: &Lacking, touched: i64) -> Result<(), StoreError> {
    let connection = session.connection;
    verdicts(session)?;
    homes(session)?;
    batch_counts::arrived(connection, 0)?;
    for (pair, told) in &lacking.told.pairs {
        lay_out(session, *pair, told, touched + *pair)?;
    }
    for (request, record) in &lacking.told.answers {
        connection
            .prepare_cached(
                "INSERT OR IGNORE INTO answers (request, record) SELECT ?1, record FROM records WHERE id = ?2",
            )?
            .execute(params![request, record])?;
    }
    let settled: Vec<i64> = connection
        .prepare("SELECT slot FROM slots WHERE home = slot ORDER BY slot")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for home in settled {
        project::project(session, home, |_, _| ())?;
    }
    for told in session.law.identity.aliases() {
        if let Some((number, told)) = alias::told(session, &told.names)? {
            alias::ask(session, number, &told)?;
        }
    }
    fares(connection)?;
    deferrals(connection)
}

/// The names on which something was said, numbered in the order in which it was first said.
fn aliases(connection: &Connection) -> Result<(), StoreError> {
    for stored in rows::rulings_of_kind(connection, &["alias", "link"])? {
        if let Decision::Alias { names, .. } = &stored.ruling.decision {
            alias::mark_ruled(connection, names)?;
        }
    }
    Ok(())
}

fn verdicts(session: &Session<'_>) -> Result<(), StoreError> {
    let mut statement = session.connection.prepare("SELECT a, b FROM aliases")?;
    let named: Vec<(String, String)> =
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    for (a, b) in named {
        alias::store_verdict(session, &(Subject::from(a.as_str()), Subject::from(b.as_str())))?;
    }
    Ok(())
}

/// Each slot in the home of its canonical name; those that a name once lent another are empty again.
fn homes(session: &Session<'_>) -> Result<(), StoreError> {
    let connection = session.connection;
    connection.execute_batch(
        "UPDATE slots SET home = slot, status = 'empty', value = NULL, contenders = 0, supported_at = NULL",
    )?;
    let joined: Vec<Subject> = session
        .law
        .identity
        .aliases()
        .flat_map(|alias| [alias.names.0.clone(), alias.names.1.clone()])
        .filter(|name| session.law.identity.canonical(name) != *name)
        .collect();
    for name in joined {
        let canonical = session.law.identity.canonical(&name);
        let slots: Vec<(i64, String)> = connection
            .prepare_cached("SELECT slot, attribute FROM slots WHERE subject = ?1")?
            .query_map([name.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        for (slot, attribute) in slots {
            let attribute = Attribute::from(attribute.as_str());
            let (_, home) = session.slot(&SlotName { subject: canonical.clone(), attribute })?;
            session::set_home(connection, slot, home)?;
        }
    }
    Ok(())
}

/// A pair as the log has it. One whose records are not there is left out: then what is true is damaged, and is told so.
fn lay_out(session: &Session<'_>, pair: i64, told: &PairTold, touched: i64) -> Result<(), StoreError> {
    let connection = session.connection;
    let row = |id: &String| -> Result<Option<i64>, StoreError> {
        Ok(rows::record_named(connection, &RecordId::from(id.as_str()))?.map(|stored| stored.row))
    };
    let [left, right] = &told.records;
    let (Some(left), Some(right)) = (row(left)?, row(right)?) else { return Ok(()) };
    let number = match &told.names {
        Some([a, b]) => {
            let names = (Subject::from(a.as_str()), Subject::from(b.as_str()));
            alias::told(session, &names)?.map(|(number, _)| number)
        }
        None => None,
    };
    let name = SlotName {
        subject: Subject::from(told.subject.as_str()),
        attribute: Attribute::from(told.attribute.as_str()),
    };
    let asked = if number.is_some() { session::find(connection, &name)? } else { None };
    let home = match asked {
        Some((_, home)) => home,
        None => connection
            .prepare_cached("SELECT s.home FROM records r JOIN slots s ON s.slot = r.slot WHERE r.record = ?1")?
            .query_row([left], |row| row.get(0))?,
    };
    let name = session::name_of(connection, home)?;
    let state = if told.closed_at.is_some() { "settled" } else { "open" };
    connection
        .prepare_cached(
            "INSERT INTO pairs (pair, home, subject, attribute, left_record, right_record, grounds, state, opened_at,
                 closed_at, alias, touched)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .execute(params![
            pair,
            home,
            name.subject.as_str(),
            name.attribute.as_str(),
            left,
            right,
            told.grounds,
            state,
            told.opened_at,
            told.closed_at,
            number,
            touched
        ])?;
    if told.closed_at.is_none() {
        batch_counts::paired(connection, (left, right), 1)?;
    }
    Ok(())
}

/// Who won and lost in the rulings that count.
fn fares(connection: &Connection) -> Result<(), StoreError> {
    for ((attribute, kind), (won, lost)) in tallies::counted(connection)? {
        connection
            .prepare_cached("INSERT INTO tallies (attribute, kind, won, lost) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![attribute, kind, won, lost])?;
    }
    for stored in rows::rulings_of_kind(connection, &["accept", "override"])? {
        if rows::counts(connection, stored.ruling.id)? {
            batch_counts::fared(connection, &stored.ruling.decision, true)?;
        }
    }
    Ok(())
}

fn deferrals(connection: &Connection) -> Result<(), StoreError> {
    let deferred: Vec<i64> = connection
        .prepare(
            "SELECT DISTINCT p.pair FROM rulings g JOIN pairs p ON p.pair = g.pair
             WHERE g.kind = 'defer' AND p.state <> 'settled'",
        )?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for pair in deferred {
        let until = side_by_side::deferred_until(connection, PairId(pair))?;
        connection
            .prepare_cached("UPDATE pairs SET deferred_until = ?2 WHERE pair = ?1")?
            .execute(params![pair, until.map(|until| until.sortable())])?;
    }
    Ok(())
}
