//! Is what follows from it as it must be? Every slot settled anew and compared, and all that is counted beside it.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, OptionalExtension};

use super::accounted::Accounted;
use super::damage::{Tell, Verification};
use super::error::StoreError;
use super::pairs::{self, Wanted};
use super::project::{self, edge_rows, state_row, state_rows, stored_edges};
use super::session::{self, Session};
use super::{alias, recount, rows, side_by_side, slot, tallies};
use crate::core::decay::supported_at;
use crate::core::identity::Identity;
use crate::core::plural::{count, verb};
use crate::core::ruling::{Decision, PairId, Ruling, effective};
use crate::core::settle::Slot;

/// Checks all of it; says whether it was finished, or given up.
pub(super) fn check(session: &Session<'_>, found: &mut Verification, tell: Tell<'_>) -> Result<bool, StoreError> {
    if !slots(session, found, tell)? {
        return Ok(false);
    }
    told(session.connection, found)?;
    names(session.connection, found)?;
    questions(session, found)?;
    waiting(session.connection, found)?;
    counts(session.connection, found)?;
    Ok(true)
}

/// Every pair and every loss against what the log tells of it.
fn told(connection: &Connection, found: &mut Verification) -> Result<(), StoreError> {
    let accounted = Accounted::read(connection)?;
    for (pair, wrong) in accounted.pairs_amiss(connection)? {
        found.find(format!("pair {pair}"), wrong);
    }
    for (what, wrong) in accounted.edges_untold(connection)? {
        found.find(what, wrong);
    }
    answers(connection, &accounted, found)
}

/// Who answered which request, against what the log tells of imports and what the rulings entered by hand.
fn answers(connection: &Connection, accounted: &Accounted, found: &mut Verification) -> Result<(), StoreError> {
    let told: BTreeSet<(i64, String)> = accounted.answers.iter().cloned().collect();
    let mut statement = connection.prepare(
        "SELECT a.request, r.id, EXISTS (SELECT 1 FROM events e WHERE e.seq = r.event AND e.ruling IS NOT NULL)
             AND r.answers IS a.request AS by_hand
         FROM answers a LEFT JOIN records r ON r.record = a.record",
    )?;
    let stored = statement.query_map([], |row| {
        Ok(((row.get(0)?, row.get::<_, Option<String>>(1)?.unwrap_or_default()), row.get::<_, bool>(2)?))
    })?;
    let stored: BTreeMap<(i64, String), bool> = stored.collect::<Result<_, _>>()?;
    for (request, record) in told.iter().filter(|told| !stored.contains_key(*told)) {
        found.find(format!("request {request}"), format!("that {record} answered it is not noted"));
    }
    for ((request, record), by_hand) in &stored {
        if !by_hand && !told.contains(&(*request, record.clone())) {
            found.find(format!("request {request}"), format!("no event tells that {record} answered it"));
        }
    }
    Ok(())
}

fn slots(session: &Session<'_>, found: &mut Verification, tell: Tell<'_>) -> Result<bool, StoreError> {
    let homes: Vec<i64> = session
        .connection
        .prepare("SELECT slot FROM slots WHERE home = slot ORDER BY slot")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for home in homes {
        found.slots += 1;
        if !tell(found) {
            return Ok(false);
        }
        let name = session::name_of(session.connection, home)?;
        let wrong = differing(session, home).unwrap_or_else(|error| Some(format!("it cannot be settled: {error}")));
        if let Some(wrong) = wrong {
            found.slots_differing += 1;
            found.find(format!("slot {} {}", name.subject, name.attribute), wrong);
        }
    }
    Ok(true)
}

/// How the stored projection of a slot differs from what settling it anew yields.
fn differing(session: &Session<'_>, home: i64) -> Result<Option<String>, StoreError> {
    let loaded = slot::load(session, home)?;
    let rules = session.rules(&loaded.name);
    let slot = loaded.settle(&rules);
    let rows_of = loaded.rows(&slot);
    let mut known = session
        .connection
        .prepare_cached("SELECT state, superseded_by, claim, rank_in_claim FROM record_states WHERE record = ?1")?;
    for (row, wanted) in state_rows(&slot, &rows_of) {
        let stored = known.query_row([row], state_row).optional()?;
        if stored.as_ref() != Some(&wanted) {
            let id = rows::record_at(session.connection, row)?.record.id;
            let stored = stored.map_or_else(|| "nothing".to_owned(), |stored| stored.state);
            return Ok(Some(format!("record {id} is stored as {stored}, and settles as {}", wanted.state)));
        }
    }
    if stored_edges(session, home)? != edge_rows(&slot, &rows_of) {
        return Ok(Some("its edges are not those that settling it yields".to_owned()));
    }
    let (status, contenders): (String, i64) = session
        .connection
        .prepare_cached("SELECT status, contenders FROM slots WHERE slot = ?1")?
        .query_row([home], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if status != slot.status.name() || usize::try_from(contenders).ok() != Some(slot.contenders) {
        return Ok(Some(format!("it is stored as {status}, and settles as {}", slot.status.name())));
    }
    let (value, supported): (Option<String>, Option<String>) = session
        .connection
        .prepare_cached("SELECT value, supported_at FROM slots WHERE slot = ?1")?
        .query_row([home], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if value != project::value_of(&slot, &rules) {
        return Ok(Some("its stored value is not the one that lives".to_owned()));
    }
    if supported != supported_at(&slot).map(|at| at.sortable()) {
        return Ok(Some("the time of its latest support is not the one that settling it yields".to_owned()));
    }
    differing_pairs(session, home, &slot, &rows_of)
}

/// Both records of an unsettled pair, its grounds, its state, and the request that it waits for.
type Shown = (i64, i64, String, String, Option<i64>);

fn differing_pairs(
    session: &Session<'_>,
    home: i64,
    slot: &Slot<'_>,
    rows_of: &[i64],
) -> Result<Option<String>, StoreError> {
    let stored: BTreeSet<Shown> = pairs::of_home(session.connection, home)?
        .into_iter()
        .filter(|pair| !pair.is_settled())
        .map(|pair| (pair.left, pair.right, pair.grounds, pair.state, pair.request))
        .collect();
    let wanted: BTreeSet<Shown> = slot
        .pairs
        .iter()
        .map(|open| {
            let (left, right) = (rows_of[open.left], rows_of[open.right]);
            let wanted = Wanted { home, left, right, grounds: &open.grounds, request: open.requested, alias: None };
            let request = open.requested.map(|request| request.0);
            (left, right, wanted.grounds(), wanted.state().to_owned(), request)
        })
        .collect();
    if stored == wanted {
        return Ok(None);
    }
    let (stored, wanted) = (stored.len() as u64, wanted.len() as u64);
    if stored == wanted {
        return Ok(Some(format!("{} of it stored as open, but not as settled", count(stored, "pair"))));
    }
    let [are, settle] = [verb(stored, "is", "are"), verb(wanted, "settles", "settle")];
    Ok(Some(format!("{} of it {are} stored as open, and {wanted} {settle} as open", count(stored, "pair"))))
}

/// What was said of names, against the rulings that say it.
fn names(connection: &Connection, found: &mut Verification) -> Result<(), StoreError> {
    let rulings: Vec<Ruling> =
        rows::rulings_of_kind(connection, &["alias", "link"])?.into_iter().map(|stored| stored.ruling).collect();
    let unordered = |a: &str, b: &str| (a.min(b).to_owned(), a.max(b).to_owned());
    let mut wanted: BTreeMap<(String, String), (String, i64)> = BTreeMap::new();
    for ruling in &rulings {
        if let Decision::Alias { names: (a, b), .. } = &ruling.decision {
            wanted.insert(unordered(a.as_str(), b.as_str()), ("undone".to_owned(), 0));
        }
    }
    for alias in Identity::new(effective(&rulings)).aliases() {
        let names = unordered(alias.names.0.as_str(), alias.names.1.as_str());
        wanted.insert(names, (alias.verdict.name().to_owned(), alias.ruling.0));
    }
    let mut statement = connection.prepare("SELECT a, b, verdict, ruling FROM aliases")?;
    let stored = statement.query_map([], |row| {
        let (a, b): (String, String) = (row.get(0)?, row.get(1)?);
        Ok((unordered(&a, &b), (row.get(2)?, row.get(3)?)))
    })?;
    let stored: BTreeMap<(String, String), (String, i64)> = stored.collect::<Result<_, _>>()?;
    if stored != wanted {
        found.find("the names", "what was said of them is not what the rulings say");
    }
    Ok(())
}

/// Each pair that asks whether two names are one subject, against the question as it would be asked now.
fn questions(session: &Session<'_>, found: &mut Verification) -> Result<(), StoreError> {
    for told in session.identity.aliases() {
        if let Some((number, told)) = alias::told(session, &told.names)?
            && !alias::is_asked(session, number, &told)?
        {
            let (a, b) = (&told.names.0, &told.names.1);
            found.find(format!("the pair of {a} and {b}"), "it is not the one that asks about these names");
        }
    }
    Ok(())
}

/// What pairs wait for: until when they are put off, against the rulings that do it; and that nothing which is settled
/// waits for another look.
fn waiting(connection: &Connection, found: &mut Verification) -> Result<(), StoreError> {
    let mut settled =
        connection.prepare("SELECT pair FROM pairs WHERE state = 'settled' AND request IS NOT NULL")?;
    for pair in settled.query_map([], |row| row.get::<_, i64>(0))? {
        found.find(format!("pair {}", pair?), "it is settled, and stored as waiting for another look");
    }
    let mut statement = connection.prepare(
        "SELECT pair, deferred_until FROM pairs WHERE deferred_until IS NOT NULL
         UNION
         SELECT p.pair, p.deferred_until FROM rulings g JOIN pairs p ON p.pair = g.pair
             WHERE g.kind = 'defer' AND p.state <> 'settled'",
    )?;
    let mut put_off = statement.query([])?;
    while let Some(row) = put_off.next()? {
        let (pair, stored): (i64, Option<String>) = (row.get(0)?, row.get(1)?);
        let wanted = side_by_side::deferred_until(connection, PairId(pair))?.map(|until| until.sortable());
        if stored != wanted {
            found.find(format!("pair {pair}"), "it is not put off until the time that the rulings say");
        }
    }
    Ok(())
}

/// What is kept beside the pairs, so that lists are read by windows, against the pairs themselves.
fn counts(connection: &Connection, found: &mut Verification) -> Result<(), StoreError> {
    let differs = |kept: &str, counted: &str| -> Result<bool, StoreError> {
        let sql = format!(
            "SELECT EXISTS (SELECT * FROM ({kept}) EXCEPT SELECT * FROM ({counted}))
                 OR EXISTS (SELECT * FROM ({counted}) EXCEPT SELECT * FROM ({kept}))"
        );
        Ok(connection.query_row(&sql, [], |row| row.get(0))?)
    };
    let kept = [
        (
            "SELECT state, attribute, grounds, count FROM pair_counts WHERE count <> 0",
            "SELECT state, attribute, grounds, count(*) FROM pairs GROUP BY state, attribute, grounds",
        ),
        (
            "SELECT state, attribute, grounds, span, count FROM pair_spans WHERE count <> 0",
            "SELECT state, attribute, grounds, pair >> 13, count(*) FROM pairs GROUP BY state, attribute, grounds, pair >> 13",
        ),
    ];
    for (kept, counted) in kept {
        if differs(kept, counted)? {
            found.find("the counts of the queue", "they are not those of its pairs");
        }
    }
    let names = "SELECT pair, subject, attribute FROM pairs";
    let homes = "SELECT p.pair, s.subject, s.attribute FROM pairs p JOIN slots s ON s.slot = p.home";
    if differs(names, homes)? {
        found.find("the names in the queue", "they are not those of the slots of its pairs");
    }
    let out_of_order: bool = connection.query_row(
        "SELECT EXISTS (SELECT 1 FROM (SELECT opened_at, lag(opened_at) OVER (ORDER BY pair) AS before FROM pairs)
             WHERE opened_at < before)",
        [],
        |row| row.get(0),
    )?;
    if out_of_order {
        found.find("the order of the queue", "its pairs are not numbered in the order in which they were opened");
    }
    if tallies::stored(connection)? != tallies::counted(connection)? {
        found.find("the tallies", "they are not those of the rulings that count");
    }
    for batch in recount::differing(connection)? {
        found.find(format!("batch {batch}"), "its numbers are not those of its records, pairs and rulings");
    }
    Ok(())
}
