//! Audits: a sample of a reviewer's rulings drawn by a seed, what is said of each, and the count of it.
//!
//! An audit is an event and no ruling: nothing that settles, permits or undoes looks at it.

use rusqlite::Connection;
use serde_json::{Value, json};

use super::chain::{self, Entry};
use super::error::StoreError;
use super::log::{Event, event};
use super::plan::{OrderError, because};
use super::rows::{self, StoredRuling};
use super::session;
use super::{By, Store, undo};
use crate::core::audit::{self, Audit, Blind, Decided, Drawn, Report, Verdict};
use crate::core::order::Refusal;
use crate::core::ruling::{Decision, RulingId};

/// A sample of one reviewer's rulings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    pub reviewer: String,
    pub drawn: Drawn,
    /// How many rulings it was drawn from.
    pub of: u64,
    /// In the order in which the seed draws them.
    pub rulings: Vec<RulingId>,
}

/// What an auditor says of a ruling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saying {
    pub ruling: RulingId,
    pub said: Said,
    pub note: Option<String>,
    pub sample: Option<Drawn>,
}

/// How it was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// Having seen the ruling.
    Seeing(Verdict),
    /// Before seeing it: what the auditor would have ruled, one of [`audit::LABELS`].
    Blind(String),
}

/// What decides nothing is not sampled.
const DECIDES: &str = "kind NOT IN ('undo', 'note', 'defer', 'request', 'erase')";

impl Store {
    /// Who has made rulings that decide, and how many; the busiest first.
    pub fn reviewers(&self) -> Result<Vec<(String, u64)>, StoreError> {
        let sql = format!(
            "SELECT actor, count(*) AS many FROM rulings WHERE {DECIDES} GROUP BY actor ORDER BY many DESC, actor"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let found = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs())))?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// Draws at most `size` rulings of a reviewer: each ruling's place follows from the seed and its number alone, so
    /// the same seed draws the same rulings, in whatever order they are stored. Only rulings up to `up_to`, where it is
    /// given; else up to the last there is, which the sample then names.
    pub fn sample(
        &self,
        reviewer: &str,
        size: u64,
        seed: &str,
        up_to: Option<RulingId>,
    ) -> Result<Sample, StoreError> {
        let last: i64 =
            self.connection.query_row("SELECT coalesce(max(ruling), 0) FROM rulings", [], |row| row.get(0))?;
        let up_to = up_to.map_or(last, |ruling| ruling.0);
        let sql = format!("SELECT ruling FROM rulings WHERE actor = ?1 AND ruling <= ?2 AND {DECIDES}");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let found = statement.query_map(rusqlite::params![reviewer, up_to], |row| row.get::<_, i64>(0))?;
        let mut placed: Vec<(Vec<u8>, i64)> = Vec::new();
        for ruling in found {
            let ruling = ruling?;
            placed.push((chain::hash_of(&[seed.as_bytes(), ruling.to_string().as_bytes()]), ruling));
        }
        placed.sort_unstable();
        let of = placed.len() as u64;
        placed.truncate(usize::try_from(size).unwrap_or(usize::MAX));
        Ok(Sample {
            reviewer: reviewer.to_owned(),
            drawn: Drawn { seed: seed.to_owned(), size, up_to: RulingId(up_to) },
            of,
            rulings: placed.into_iter().map(|(_, ruling)| RulingId(ruling)).collect(),
        })
    }

    /// Writes what an auditor says of a ruling, as an event. Whoever disagrees, or speaks blind, says why.
    pub fn audit(&mut self, saying: &Saying, by: &By<'_>) -> Result<Audit, OrderError> {
        let tx = self.write()?;
        let missing = || Refusal::Missing { what: "ruling", id: saying.ruling.to_string() };
        let stored = rows::ruling_numbered(&tx, saying.ruling)?.ok_or_else(missing)?;
        if matches!(stored.ruling.decision, Decision::Undo(_)) {
            return Err(because(format!("ruling {} is an undo: it is the ruling that is audited", saying.ruling)));
        }
        let (verdict, blind) = match &saying.said {
            Said::Seeing(verdict) => (*verdict, None),
            Said::Blind(said) => {
                let ruled = label(&tx, &stored)?;
                let verdict = if *said == ruled { Verdict::Agree } else { Verdict::Disagree };
                (verdict, Some(Blind { said: said.clone(), ruled }))
            }
        };
        let note = saying.note.as_deref().map(str::trim).filter(|note| !note.is_empty());
        if note.is_none() && (verdict == Verdict::Disagree || blind.is_some()) {
            return Err(because("who disagrees says why: a note is needed"));
        }
        let mut body = json!({
            "ruling": saying.ruling.0, "reviewer": stored.ruling.actor, "verdict": verdict.name(), "note": note,
            "own": stored.ruling.actor == by.actor,
        });
        if let Some(drawn) = &saying.sample {
            body["sample"] = json!({"seed": drawn.seed, "size": drawn.size, "up_to": drawn.up_to.0});
        }
        if let Some(blind) = &blind {
            body["blind"] = json!({"said": blind.said, "ruled": blind.ruled});
        }
        // The number of the ruling stands in the body: the column is for the one event that made the ruling.
        let mut entry = Entry::new("audit", body);
        entry.pair = stored.ruling.pair;
        if let Some(slot) = stored.slot {
            let name = session::name_of(&tx, slot)?;
            entry = entry.on(&name.subject, &name.attribute);
        }
        let by = By { actor: by.actor, now: chain::never_before_the_last(&tx, by.now)? };
        let seq = chain::append(&tx, &by, &entry)?;
        tx.commit()?;
        let written = self.event(seq)?.as_ref().and_then(read);
        written.ok_or_else(|| StoreError::Damaged(format!("event {seq} cannot be read back")).into())
    }

    /// Every audit, or those of one ruling; the oldest first.
    pub fn audits(&self, of: Option<RulingId>) -> Result<Vec<Audit>, StoreError> {
        let sql =
            "SELECT * FROM events WHERE kind = 'audit' AND (?1 IS NULL OR json_extract(body, '$.ruling') = ?1)
             ORDER BY seq";
        let mut statement = self.connection.prepare_cached(sql)?;
        let found = statement.query_map([of.map(|ruling| ruling.0)], event)?;
        let events: Vec<Event> = found.collect::<Result<_, _>>()?;
        Ok(events.iter().filter_map(read).collect())
    }

    /// What the audits say so far: of every reviewer, or of one.
    pub fn audit_report(&self, reviewer: Option<&str>) -> Result<Report, StoreError> {
        Ok(audit::report(&self.audits(None)?, &self.reviewers()?, &decided_by_several(&self.connection)?, reviewer))
    }

    /// What a ruling decided, in the few words that blind audits compare.
    pub fn ruled(&self, ruling: RulingId) -> Result<Option<String>, StoreError> {
        let stored = rows::ruling_numbered(&self.connection, ruling)?;
        stored.map(|stored| label(&self.connection, &stored)).transpose()
    }
}

/// The rulings on pairs on which more than one person has ruled. What somebody took back himself was a slip.
fn decided_by_several(connection: &Connection) -> Result<Vec<Decided>, StoreError> {
    let sql = format!(
        "SELECT ruling FROM rulings WHERE {DECIDES} AND pair IN (
             SELECT pair FROM rulings WHERE pair IS NOT NULL AND {DECIDES}
             GROUP BY pair HAVING count(DISTINCT actor) > 1) ORDER BY ruling"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let numbers: Vec<i64> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut decided = Vec::with_capacity(numbers.len());
    for number in numbers {
        let Some(stored) = rows::ruling_numbered(connection, RulingId(number))? else { continue };
        let undone = undo::undone_by(connection, stored.ruling.id)?;
        if undone.is_some_and(|undo| undo.ruling.actor == stored.ruling.actor) {
            continue;
        }
        decided.push(Decided {
            ruling: stored.ruling.id,
            actor: stored.ruling.actor.clone(),
            pair: stored.ruling.pair,
            label: label(connection, &stored)?,
        });
    }
    Ok(decided)
}

fn label(connection: &Connection, stored: &StoredRuling) -> Result<String, StoreError> {
    let first = match stored.ruling.decides_between() {
        Some(between) if matches!(stored.ruling.decision, Decision::Accept { .. }) => {
            let [winner, loser] =
                [rows::record_named(connection, &between.0)?, rows::record_named(connection, &between.1)?];
            winner.zip(loser).map(|(winner, loser)| winner.record.writing_order() < loser.record.writing_order())
        }
        Some(_) | None => None,
    };
    Ok(audit::label(&stored.kind, first).to_owned())
}

/// An audit from its event; none where the event says something else.
fn read(event: &Event) -> Option<Audit> {
    let body = &event.body;
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let drawn = |sample: &Value| {
        Some(Drawn {
            seed: text(&sample["seed"])?,
            size: sample["size"].as_u64()?,
            up_to: RulingId(sample["up_to"].as_i64()?),
        })
    };
    Some(Audit {
        event: event.seq,
        at: event.at,
        auditor: event.actor.clone(),
        ruling: RulingId(body["ruling"].as_i64()?),
        reviewer: text(&body["reviewer"])?,
        verdict: Verdict::named(body["verdict"].as_str()?)?,
        note: text(&body["note"]),
        sample: drawn(&body["sample"]),
        blind: Some(&body["blind"])
            .and_then(|blind| Some(Blind { said: text(&blind["said"])?, ruled: text(&blind["ruled"])? })),
    })
}
