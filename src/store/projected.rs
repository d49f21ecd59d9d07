//! Is what follows from it as it must be? Every slot settled anew and compared, and all that is counted beside it.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};

use super::accounted::Accounted;
use super::damage::{Damage, Seen, Tell, Verification};
use super::error::StoreError;
use super::holdings::Holdings;
use super::law::SlotName;
use super::pairs::{self, PairRow, StateRow, Wanted};
use super::project::{self, edge_rows, state_row, state_rows, stored_edges};
use super::recount::Batches;
use super::session::{self, Session};
use super::slot::Loaded;
use super::{alias, rows, side_by_side, tallies};
use crate::core::decay::supported_at;
use crate::core::identity::Identity;
use crate::core::plural::{count, verb};
use crate::core::ruling::{Decision, PairId, Ruling, effective};
use crate::core::settle::Slot;

/// Every pair and every loss against what the log tells of it.
pub(super) fn told(connection: &Connection, found: &mut Verification) -> Result<(), StoreError> {
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

/// Settles the slots after one number and up to another, but for those that hold one record and nothing else; says whether
/// it was finished, or given up.
pub(super) fn slots(
    session: &Session<'_>,
    holdings: &Holdings,
    (after, upto): (i64, i64),
    seen: &mut Seen,
    tell: Tell<'_>,
) -> Result<bool, StoreError> {
    let mut homes = session
        .connection
        .prepare("SELECT slot FROM slots WHERE home = slot AND slot > ?1 AND slot <= ?2 ORDER BY slot")?;
    let mut found = homes.query(params![after, upto])?;
    while let Some(row) = found.next()? {
        let home = row.get(0)?;
        if holdings.is_of_one(home) {
            continue;
        }
        if !tell() {
            return Ok(false);
        }
        seen.slot(home, damage(session, holdings, home)?);
    }
    Ok(true)
}

/// Settles a slot; how what is stored of it differs.
pub(super) fn damage(session: &Session<'_>, holdings: &Holdings, home: i64) -> Result<Option<Damage>, StoreError> {
    let name = session::name_of(session.connection, home)?;
    let what = format!("slot {} {}", name.subject, name.attribute);
    let wrong = match differing(session, holdings, home, name) {
        Err(error) if error.is_passing() => return Err(error),
        Err(error) => Some(format!("it cannot be settled: {error}")),
        Ok(wrong) => wrong,
    };
    Ok(wrong.map(|wrong| Damage { what, wrong }))
}

/// How the stored projection of a slot differs from what settling it anew yields.
fn differing(
    session: &Session<'_>,
    holdings: &Holdings,
    home: i64,
    name: SlotName,
) -> Result<Option<String>, StoreError> {
    let (loaded, stored) = loaded(session.connection, holdings, home, name)?;
    let rules = session.rules(&loaded.name);
    let slot = loaded.settle(&rules);
    let rows_of = loaded.rows(&slot);
    for (row, wanted) in state_rows(&slot, &rows_of) {
        let stored = stored.get(&row);
        if stored != Some(&wanted) {
            let id = rows::record_at(session.connection, row)?.record.id;
            let stored = stored.map_or("nothing", |stored| stored.state.as_str());
            return Ok(Some(format!("record {id} is stored as {stored}, and settles as {}", wanted.state)));
        }
    }
    let edges = if holdings.may_have_edges(home) { stored_edges(session, home)? } else { BTreeSet::new() };
    if edges != edge_rows(&slot, &rows_of) {
        return Ok(Some("its edges are not those that settling it yields".to_owned()));
    }
    let (status, contenders, value, supported): (String, i64, Option<String>, Option<String>) = session
        .connection
        .prepare_cached("SELECT status, contenders, value, supported_at FROM slots WHERE slot = ?1")?
        .query_row([home], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    if status != slot.status.name() || usize::try_from(contenders).ok() != Some(slot.contenders) {
        return Ok(Some(format!("it is stored as {status}, and settles as {}", slot.status.name())));
    }
    if value != project::value_of(&slot, &rules) {
        return Ok(Some("its stored value is not the one that lives".to_owned()));
    }
    if supported != supported_at(&slot).map(|at| at.sortable()) {
        return Ok(Some("the time of its latest support is not the one that settling it yields".to_owned()));
    }
    let pairs = if holdings.may_have_pairs(home) { pairs::of_home(session.connection, home)? } else { Vec::new() };
    Ok(differing_pairs(home, pairs, &slot, &rows_of))
}

/// What a slot is settled from, and what is stored of each of its records.
fn loaded(
    connection: &Connection,
    holdings: &Holdings,
    home: i64,
    name: SlotName,
) -> Result<(Loaded, BTreeMap<i64, StateRow>), StoreError> {
    /// The place after those of the record.
    const STATE: usize = 19;
    let sql = format!(
        "SELECT {}, t.state, t.superseded_by, t.claim, t.rank_in_claim FROM slots s CROSS JOIN records r
             LEFT JOIN record_states t ON t.record = r.record WHERE s.home = ?1 AND r.slot = s.slot",
        rows::RECORD
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut found = statement.query([home])?;
    let (mut records, mut states) = (Vec::new(), BTreeMap::new());
    while let Some(row) = found.next()? {
        let stored = rows::record(row)?;
        if row.get_ref(STATE)? != ValueRef::Null {
            states.insert(stored.row, state_row(row, STATE)?);
        }
        records.push(stored);
    }
    let rulings = if holdings.may_have_rulings(home) {
        rows::rulings_at_home(connection, home)?.into_iter().map(|stored| stored.ruling).collect()
    } else {
        Vec::new()
    };
    Ok((Loaded { name, records, rulings }, states))
}

/// Both records of an unsettled pair, its grounds, its state, and the request that it waits for.
type Shown = (i64, i64, String, String, Option<i64>);

fn differing_pairs(home: i64, stored: Vec<PairRow>, slot: &Slot<'_>, rows_of: &[i64]) -> Option<String> {
    let stored: BTreeSet<Shown> = stored
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
        return None;
    }
    let (stored, wanted) = (stored.len() as u64, wanted.len() as u64);
    if stored == wanted {
        return Some(format!("{} of it stored as open, but not as settled", count(stored, "pair")));
    }
    let [are, settle] = [verb(stored, "is", "are"), verb(wanted, "settles", "settle")];
    Some(format!("{} of it {are} stored as open, and {wanted} {settle} as open", count(stored, "pair")))
}

/// What was said of names, against the rulings that say it.
pub(super) fn names(connection: &Connection, found: &mut Verification) -> Result<(), StoreError> {
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
    let gaps: bool = connection.query_row(
        "SELECT coalesce(min(alias) <> 1 OR max(alias) <> count(*), 0) FROM aliases",
        [],
        |row| row.get(0),
    )?;
    if gaps {
        found.find("the names", "they are not numbered in the order in which they were ruled on");
    }
    if stored != wanted {
        found.find("the names", "what was said of them is not what the rulings say");
    }
    Ok(())
}

/// Each pair that asks whether two names are one subject, against the question as it would be asked now.
pub(super) fn questions(session: &Session<'_>, found: &mut Verification) -> Result<(), StoreError> {
    for told in session.law.identity.aliases() {
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
pub(super) fn waiting(connection: &Connection, found: &mut Verification) -> Result<(), StoreError> {
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

/// What is kept beside the pairs, so that lists are read by windows, against the pairs themselves; and the numbers of
/// batches, where all their records were counted.
pub(super) fn counts(
    connection: &Connection,
    batches: Option<&Batches>,
    found: &mut Verification,
) -> Result<(), StoreError> {
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
    let batches = batches.map(|batches| batches.differing(connection)).transpose()?;
    for batch in batches.into_iter().flatten() {
        found.find(format!("batch {batch}"), "its numbers are not those of its records, pairs and rulings");
    }
    Ok(())
}
