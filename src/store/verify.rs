//! Is the store sound? The schema as shipped, SQLite's own check, the chain, every digest, every slot settled anew.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, OptionalExtension};
use serde_json::{Value, json};

use super::chain::{self, Link, digest, hex};
use super::error::StoreError;
use super::pairs::{self, Wanted};
use super::project::{self, edge_rows, state_row, state_rows, stored_edges};
use super::recount;
use super::rows;
use super::schema;
use super::session::{self, Session};
use super::slot;
use super::{By, Store, policy, tallies};
use crate::core::decay::supported_at;
use crate::core::policy::Policy;
use crate::core::record::Record;
use crate::core::ruling::{Ruling, RulingId};
use crate::core::settle::Slot;
use crate::core::time::Instant;
use crate::wire;

/// What `verify` found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verification {
    pub events: u64,
    /// The hash of the last event, in hexadecimal digits.
    pub head: String,
    pub records: u64,
    pub slots: u64,
    pub slots_differing: u64,
    /// What SQLite's own check says: `ok`, or its first complaint.
    pub integrity: String,
    pub damage: Vec<Damage>,
}

/// One thing that is not as it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Which thing: `event 12`, `record mem_4a1f`, `slot user_31882 home_city` …
    pub what: String,
    pub wrong: String,
}

impl Verification {
    /// Whether nothing was found.
    pub fn is_ok(&self) -> bool {
        self.damage.is_empty()
    }

    fn find(&mut self, what: impl Into<String>, wrong: impl Into<String>) {
        self.damage.push(Damage { what: what.into(), wrong: wrong.into() });
    }
}

impl Store {
    /// Checks everything, in one consistent view of the store. `progress` is told how many records, events and slots
    /// were looked at, and of how many.
    pub fn verify(&mut self, now: Instant, mut progress: impl FnMut(u64, u64)) -> Result<Verification, StoreError> {
        let found = self.verify_while(now, |done, of| {
            progress(done, of);
            true
        })?;
        found.ok_or_else(|| StoreError::Damaged("the check was not finished".to_owned()))
    }

    /// As [`verify`](Self::verify), as long as `goes_on` says so; none where it was given up.
    pub fn verify_while(
        &mut self,
        now: Instant,
        mut goes_on: impl FnMut(u64, u64) -> bool,
    ) -> Result<Option<Verification>, StoreError> {
        let tx = self.still()?;
        let mut found = Verification::default();
        let of: i64 = tx.query_row(
            "SELECT (SELECT count(*) FROM records) + (SELECT count(*) FROM events)
                 + (SELECT count(*) FROM slots WHERE home = slot)",
            [],
            |row| row.get(0),
        )?;
        let of = of.unsigned_abs();
        let mut tell = |found: &Verification| goes_on(found.records + found.events + found.slots, of);
        integrity(&tx, &mut found)?;
        schema_as_shipped(&tx, &mut found)?;
        if !(records(&tx, &mut found, &mut tell)? && events(&tx, &mut found, &mut tell)?) {
            return Ok(None);
        }
        rulings(&tx, &mut found)?;
        policies(&tx, &mut found)?;
        let session = Session::begin(&tx, &By { actor: "verify", now })?;
        if !slots(&session, &mut found, &mut tell)? {
            return Ok(None);
        }
        counts(&tx, &mut found)?;
        tx.rollback()?;
        Ok(Some(found))
    }
}

/// Is told how far the check is, and says whether it is still wanted.
type Tell<'a> = &'a mut dyn FnMut(&Verification) -> bool;

fn integrity(connection: &Connection, found: &mut Verification) -> Result<(), StoreError> {
    found.integrity = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if found.integrity != "ok" {
        let said = found.integrity.clone();
        found.find("the file", format!("SQLite says: {said}"));
    }
    let broken: Option<String> =
        connection.query_row("SELECT [table] FROM pragma_foreign_key_check", [], |row| row.get(0)).optional()?;
    if let Some(table) = broken {
        found.find(format!("table {table}"), "a row refers to one that is not there");
    }
    Ok(())
}

fn schema_as_shipped(connection: &Connection, found: &mut Verification) -> Result<(), StoreError> {
    let shipped: BTreeMap<String, String> = schema::expected()?.into_iter().collect();
    let here: BTreeMap<String, String> = schema::objects(connection)?.into_iter().collect();
    for (name, sql) in &shipped {
        match here.get(name) {
            None => found.find(name.clone(), "it is missing from the schema"),
            Some(stored) if stored != sql => found.find(name.clone(), "it is not as it was shipped"),
            Some(_) => {}
        }
    }
    for name in here.keys().filter(|name| !shipped.contains_key(*name)) {
        found.find(name.clone(), "it does not belong to the schema");
    }
    Ok(())
}

fn records(connection: &Connection, found: &mut Verification, tell: Tell<'_>) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT {}, r.hash, r.content, s.subject AS slot_subject, s.attribute AS slot_attribute
         FROM records r LEFT JOIN slots s ON s.slot = r.slot ORDER BY r.record",
        rows::RECORD
    );
    let mut statement = connection.prepare(&sql)?;
    let mut rows_found = statement.query([])?;
    while let Some(row) = rows_found.next()? {
        found.records += 1;
        if !tell(found) {
            return Ok(false);
        }
        let hash: Vec<u8> = row.get("hash")?;
        match rows::record(row) {
            Ok(stored) if rows::record_hash(&stored.record) != hash => {
                found.find(format!("record {}", stored.record.id), "its content is not what its hash covers");
            }
            Ok(stored) => misplaced(row, &stored.record, found)?,
            Err(error) => {
                let number: i64 = row.get("record")?;
                found.find(format!("record number {number}"), format!("it cannot be read: {error}"));
            }
        }
    }
    Ok(true)
}

/// What is not part of a record's hash: where it is settled, and by what a second import knows it.
fn misplaced(row: &rusqlite::Row<'_>, record: &Record, found: &mut Verification) -> Result<(), StoreError> {
    let slot: (Option<String>, Option<String>) = (row.get("slot_subject")?, row.get("slot_attribute")?);
    let belongs = match (&record.attribute, slot) {
        (Some(attribute), (Some(subject), Some(named))) => {
            subject == record.subject.as_str() && named == attribute.as_str()
        }
        (None, (None, None)) => true,
        (Some(_) | None, _) => false,
    };
    if !belongs {
        found.find(format!("record {}", record.id), "it is not kept in the slot of its subject and attribute");
    }
    let content: Vec<u8> = row.get("content")?;
    if ![true, false].iter().any(|stated| wire::content::content(record, *stated).as_slice() == content) {
        found.find(format!("record {}", record.id), "its content is not what its digest says");
    }
    Ok(())
}

fn events(connection: &Connection, found: &mut Verification, tell: Tell<'_>) -> Result<bool, StoreError> {
    let mut statement = connection.prepare("SELECT * FROM events ORDER BY seq")?;
    let mut previous: Vec<u8> = Vec::new();
    let mut expected = 1;
    let mut rows_found = statement.query([])?;
    while let Some(row) = rows_found.next()? {
        found.events += 1;
        if !tell(found) {
            return Ok(false);
        }
        let texts: Vec<String> =
            ["at", "actor", "kind", "body"].map(|column| row.get(column)).into_iter().collect::<Result<_, _>>()?;
        let (subject, attribute): (Option<String>, Option<String>) = (row.get("subject")?, row.get("attribute")?);
        let link = Link {
            seq: row.get("seq")?,
            at: &texts[0],
            actor: &texts[1],
            kind: &texts[2],
            subject: subject.as_deref(),
            attribute: attribute.as_deref(),
            pair: row.get("pair")?,
            ruling: row.get("ruling")?,
            body: &texts[3],
        };
        let hash: Vec<u8> = row.get("hash")?;
        if link.seq != expected {
            found.find(format!("event {expected}"), format!("it is missing: event {} follows", link.seq));
        }
        expected = link.seq + 1;
        if chain::link_hash(&previous, &link) != hash {
            found.find(
                format!("event {}", link.seq),
                "its hash does not follow from what it says and from the event before it",
            );
        }
        digests(connection, &link, found)?;
        previous = hash;
    }
    found.head = hex(&previous);
    Ok(true)
}

/// What an event says of the records that it brought, against their rows.
fn digests(connection: &Connection, link: &Link<'_>, found: &mut Verification) -> Result<(), StoreError> {
    let body: Value = serde_json::from_str(link.body).unwrap_or_default();
    let Some(told) = body.get("digest").and_then(Value::as_str) else { return Ok(()) };
    let mut statement = connection.prepare_cached("SELECT hash FROM records WHERE event = ?1 ORDER BY record")?;
    let hashes: Vec<Vec<u8>> = statement.query_map([link.seq], |row| row.get(0))?.collect::<Result<_, _>>()?;
    if digest(&[&hashes.concat()]) != told {
        found.find(format!("event {}", link.seq), "the records that it brought are not those of its digest");
    }
    Ok(())
}

/// Each ruling against the event that told it.
fn rulings(connection: &Connection, found: &mut Verification) -> Result<(), StoreError> {
    let mut statement = connection.prepare(
        "SELECT g.ruling, g.at, g.actor, g.kind, g.pair, g.reason, g.body, g.undoes, g.bulk, e.at AS told_at, e.actor AS told_actor,
             e.kind AS told_kind, e.pair AS told_pair, e.body AS told_body, g.slot, s.subject AS slot_subject,
             s.attribute AS slot_attribute, e.subject AS told_subject, e.attribute AS told_attribute
         FROM rulings g LEFT JOIN events e ON e.ruling = g.ruling LEFT JOIN slots s ON s.slot = g.slot ORDER BY g.ruling",
    )?;
    let mut rows_found = statement.query([])?;
    while let Some(row) = rows_found.next()? {
        let number: i64 = row.get("ruling")?;
        let what = format!("ruling {number}");
        let Some(told): Option<String> = row.get("told_body")? else {
            found.find(what, "no event tells of it");
            continue;
        };
        let told: Value = serde_json::from_str(&told).unwrap_or_default();
        let body: Value = serde_json::from_str(&row.get::<_, String>("body")?).unwrap_or_default();
        let text = |column: &str| row.get::<_, Option<String>>(column);
        let named = record_names(connection, number)?;
        let same = text("at")? == text("told_at")?
            && text("actor")? == text("told_actor")?
            && text("kind")? == text("told_kind")?
            && row.get::<_, Option<i64>>("pair")? == row.get::<_, Option<i64>>("told_pair")?
            && (row.get::<_, Option<i64>>("slot")?.is_none()
                && ["declare", "epoch"].contains(&body["decision"]["decision"].as_str().unwrap_or_default())
                || text("slot_subject")? == text("told_subject")?
                    && text("slot_attribute")? == text("told_attribute")?)
            && json!(text("reason")?) == told["reason"]
            && body.as_object().is_some_and(|body| body.iter().all(|(key, value)| told.get(key) == Some(value)))
            && named.as_ref() == Some(&told["records"])
            && row.get::<_, Option<i64>>("bulk")? == body["bulk"].as_i64()
            && row.get::<_, Option<i64>>("undoes")? == body["decision"]["ruling"].as_i64();
        if !same {
            found.find(what, "it is not what its event tells");
        }
    }
    let orphans: i64 = connection.query_row(
        "SELECT count(*) FROM events e WHERE e.ruling IS NOT NULL AND NOT EXISTS (SELECT 1 FROM rulings g WHERE g.ruling = e.ruling)",
        [],
        |row| row.get(0),
    )?;
    if orphans > 0 {
        found.find("rulings", format!("{orphans} of which events tell are missing"));
    }
    Ok(())
}

/// The records that a ruling names, as events tell them; none where one of them is missing.
fn record_names(connection: &Connection, ruling: i64) -> Result<Option<Value>, StoreError> {
    let named = rows::records_of_ruling(connection, RulingId(ruling))?;
    Ok(super::writing::record_ids(connection, &named).ok())
}

/// The first version against the first event; each later one against the declarations that counted when it was made.
fn policies(connection: &Connection, found: &mut Verification) -> Result<(), StoreError> {
    let mut statement = connection.prepare(
        "SELECT p.version, p.at, p.ruling, p.document, e.at AS told_at, e.body AS told
         FROM policies p LEFT JOIN events e ON e.ruling IS p.ruling AND (p.ruling IS NOT NULL OR e.seq = 1)
         ORDER BY p.version",
    )?;
    let rulings = policy::declaring(connection)?;
    let mut first: Option<Policy> = None;
    let mut versions = statement.query([])?;
    while let Some(row) = versions.next()? {
        let (version, document): (i64, String) = (row.get("version")?, row.get("document")?);
        let ruling: Option<i64> = row.get("ruling")?;
        let told: Value =
            serde_json::from_str(&row.get::<_, Option<String>>("told")?.unwrap_or_default()).unwrap_or_default();
        let in_time = row.get::<_, Option<String>>("told_at")? == Some(row.get("at")?);
        let follows = match (&first, ruling, wire::policy::read(&document)) {
            (None, None, Ok(policy)) => {
                first = Some(policy);
                told["policy"] == json!(digest(&[document.as_bytes()]))
            }
            (Some(first), Some(ruling), Ok(policy)) => {
                let known: Vec<Ruling> = rulings.iter().filter(|it| it.id.0 <= ruling).cloned().collect();
                wire::policy::write(&policy::declared(first, &known, policy.version))
                    == wire::policy::write(&policy)
            }
            (None | Some(_), None | Some(_), Ok(_) | Err(_)) => false,
        };
        if !follows || !in_time {
            found.find(format!("policy version {version}"), "it does not follow from what the log tells");
        }
    }
    if first.is_none() {
        found.find("policy version 1", "it is missing");
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

fn differing_pairs(
    session: &Session<'_>,
    home: i64,
    slot: &Slot<'_>,
    rows_of: &[i64],
) -> Result<Option<String>, StoreError> {
    let stored: BTreeSet<(i64, i64, String, String)> = pairs::of_home(session.connection, home)?
        .into_iter()
        .filter(|pair| !pair.is_settled())
        .map(|pair| (pair.left, pair.right, pair.grounds, pair.state))
        .collect();
    let wanted: BTreeSet<(i64, i64, String, String)> = slot
        .pairs
        .iter()
        .map(|open| {
            let (left, right) = (rows_of[open.left], rows_of[open.right]);
            let wanted = Wanted { home, left, right, grounds: &open.grounds, request: open.requested, alias: None };
            (left, right, wanted.grounds(), wanted.state().to_owned())
        })
        .collect();
    if stored == wanted {
        return Ok(None);
    }
    Ok(Some(format!("{} pairs of it are stored as open, and {} settle as open", stored.len(), wanted.len())))
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
