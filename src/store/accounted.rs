//! What the log tells of the queue and of who lost to whom: every pair and every edge must be accounted for by an event.

use std::cell::RefCell;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashSet};
use std::hash::{Hash, Hasher};

use rusqlite::{Connection, Row, params};
use serde_json::Value;

use super::chain::Entry;
use super::error::StoreError;
use crate::core::time::Instant;

/// Everything that events tell of pairs, losses, epoch changes and answers.
#[derive(Default)]
pub(super) struct Accounted {
    pub(super) pairs: BTreeMap<i64, PairTold>,
    /// The answers that imports brought: request and record.
    pub(super) answers: Vec<(i64, String)>,
    /// The losers of which events tell, by hash: a store may have a million of them.
    losers: HashSet<u64>,
    epoch_changes: HashSet<u64>,
}

/// A pair, as the log has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PairTold {
    pub(super) subject: String,
    pub(super) attribute: String,
    pub(super) opened_at: String,
    /// None while it is open.
    pub(super) closed_at: Option<String>,
    /// When it was closed last, whether or not it was opened again.
    pub(super) last_closed: Option<String>,
    pub(super) records: [String; 2],
    /// Names, joined by commas.
    pub(super) grounds: String,
    /// The names that it asks about, where it does.
    pub(super) names: Option<[String; 2]>,
}

const KINDS: &str = "'pair_opened', 'pair_changed', 'pair_closed', 'resolved', 'epoch_change', 'reobserved'";

impl Accounted {
    pub(super) fn read(connection: &Connection) -> Result<Self, StoreError> {
        let mut accounted = Self::default();
        let sql = format!(
            "SELECT at, kind, subject, attribute, pair, body FROM events WHERE kind IN ({KINDS}) ORDER BY seq"
        );
        let mut statement = connection.prepare(&sql)?;
        let mut events = statement.query([])?;
        while let Some(row) = events.next()? {
            accounted.take(row)?;
        }
        Ok(accounted)
    }

    fn take(&mut self, row: &Row<'_>) -> Result<(), StoreError> {
        let body: Value = serde_json::from_str(&row.get::<_, String>("body")?).unwrap_or_default();
        let (kind, attribute): (String, Option<String>) = (row.get("kind")?, row.get("attribute")?);
        match kind.as_str() {
            "resolved" => {
                self.losers.insert(hashed(body["loser"].as_str()));
            }
            "epoch_change" => {
                self.epoch_changes.insert(hashed((attribute, body["from"].as_i64(), body["to"].as_i64())));
            }
            "reobserved" => {
                // One that was entered by hand is told by its ruling, whose body says more.
                let answer = body["request"].as_i64().zip(body["record"].as_str());
                self.answers.extend(answer.map(|(request, record)| (request, record.to_owned())));
            }
            _ => self.take_pair(row, &kind, attribute.unwrap_or_default(), &body)?,
        }
        Ok(())
    }

    fn take_pair(&mut self, row: &Row<'_>, kind: &str, attribute: String, body: &Value) -> Result<(), StoreError> {
        let (Some(pair), at): (Option<i64>, String) = (row.get("pair")?, row.get("at")?) else { return Ok(()) };
        if kind == "pair_closed" {
            if let Some(told) = self.pairs.get_mut(&pair) {
                told.closed_at = Some(at.clone());
                told.last_closed = Some(at);
            }
            return Ok(());
        }
        let two = |value: &Value| Some([value[0].as_str()?.to_owned(), value[1].as_str()?.to_owned()]);
        let grounds = body["grounds"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let before = self.pairs.get(&pair);
        let opened_at = before.map_or(at, |before| before.opened_at.clone());
        let told = PairTold {
            subject: row.get::<_, Option<String>>("subject")?.unwrap_or_default(),
            attribute,
            opened_at,
            closed_at: None,
            last_closed: before.and_then(|before| before.last_closed.clone()),
            records: two(&body["records"]).unwrap_or_default(),
            grounds: grounds.collect::<Vec<_>>().join(","),
            names: two(&body["names"]),
        };
        self.pairs.insert(pair, told);
        Ok(())
    }

    /// The pairs of a slot as the log had them by a time.
    pub(super) fn pairs_by(
        connection: &Connection,
        home: i64,
        by: Instant,
    ) -> Result<BTreeMap<i64, PairTold>, StoreError> {
        let mut accounted = Self::default();
        let mut statement = connection.prepare_cached(
            "SELECT e.at, e.kind, e.subject, e.attribute, e.pair, e.body FROM pairs p JOIN events e ON e.pair = p.pair
             WHERE p.home = ?1 AND e.at <= ?2 AND e.kind IN ('pair_opened', 'pair_changed', 'pair_closed') ORDER BY e.seq",
        )?;
        let mut events = statement.query(params![home, by.sortable()])?;
        while let Some(row) = events.next()? {
            accounted.take(row)?;
        }
        Ok(accounted.pairs)
    }

    /// Whether an event tells that this record lost to another.
    pub(super) fn tells_loss(&self, loser: &str) -> bool {
        self.losers.contains(&hashed(Some(loser)))
    }

    /// Whether an event tells of the change between these epochs in a slot of this attribute. The name of the slot may
    /// have been another one then.
    pub(super) fn tells_change(&self, attribute: &str, from: i64, to: i64) -> bool {
        self.epoch_changes.contains(&hashed((Some(attribute), Some(from), Some(to))))
    }

    /// The pairs that are not as the log has them, each with what is wrong.
    pub(super) fn pairs_amiss(&self, connection: &Connection) -> Result<Vec<(i64, String)>, StoreError> {
        let mut statement = connection.prepare(
            "SELECT p.pair, l.id AS left_id, r.id AS right_id, p.grounds, p.state, p.opened_at, p.closed_at,
                 q.a, q.b FROM pairs p LEFT JOIN records l ON l.record = p.left_record
             LEFT JOIN records r ON r.record = p.right_record LEFT JOIN aliases q ON q.alias = p.alias
             ORDER BY p.pair",
        )?;
        let mut amiss = Vec::new();
        let mut seen = HashSet::new();
        let mut stored = statement.query([])?;
        while let Some(row) = stored.next()? {
            let pair: i64 = row.get("pair")?;
            seen.insert(pair);
            let Some(told) = self.pairs.get(&pair) else {
                amiss.push((pair, "no event tells that it was opened".to_owned()));
                continue;
            };
            amiss.extend(differing(row, told)?.map(|wrong| (pair, wrong)));
        }
        let missing = self.pairs.keys().filter(|pair| !seen.contains(pair));
        amiss.extend(missing.map(|pair| (*pair, "the log tells of it, and it is not there".to_owned())));
        Ok(amiss)
    }

    /// The edges of which no event tells, each with what is wrong.
    pub(super) fn edges_untold(&self, connection: &Connection) -> Result<Vec<(String, String)>, StoreError> {
        let mut statement = connection.prepare(
            "SELECT e.kind, e.from_epoch, e.to_epoch, w.id AS winner, l.id AS loser, l.attribute AS attribute FROM edges e
             JOIN records w ON w.record = e.from_record JOIN records l ON l.record = e.to_record
             WHERE e.kind IN ('supersedes', 'epoch_change')",
        )?;
        let mut untold = Vec::new();
        let mut edges = statement.query([])?;
        while let Some(row) = edges.next()? {
            let (winner, loser): (String, String) = (row.get("winner")?, row.get("loser")?);
            let epochs: Option<(i64, i64)> =
                row.get::<_, Option<i64>>("from_epoch")?.zip(row.get::<_, Option<i64>>("to_epoch")?);
            let attribute: Option<String> = row.get("attribute")?;
            let told = match epochs {
                Some((from, to)) => self.tells_change(&attribute.unwrap_or_default(), from, to),
                None => self.tells_loss(&loser),
            };
            if !told {
                let what = if epochs.is_some() { "the epoch change" } else { "the edge" };
                untold.push((format!("{what} {winner} → {loser}"), "no event tells of it".to_owned()));
            }
        }
        Ok(untold)
    }
}

/// What the core finds and the log does not tell, while projections are rebuilt.
pub(super) struct Lacking {
    pub(super) told: Accounted,
    entries: RefCell<Vec<Entry>>,
}

impl Lacking {
    pub(super) fn read(connection: &Connection) -> Result<Self, StoreError> {
        Ok(Self { told: Accounted::read(connection)?, entries: RefCell::default() })
    }

    /// Keeps what would be told, unless the log tells it already. Pairs are laid out as the log has them before
    /// anything is settled: whatever is found of them then is news.
    pub(super) fn note(&self, entry: &Entry) {
        let body = &entry.body;
        let known = match entry.kind {
            "resolved" => body["loser"].as_str().is_some_and(|loser| self.told.tells_loss(loser)),
            "epoch_change" => {
                let attribute = entry.attribute.as_ref().map_or("", |attribute| attribute.as_str());
                let epochs = body["from"].as_i64().zip(body["to"].as_i64());
                epochs.is_some_and(|(from, to)| self.told.tells_change(attribute, from, to))
            }
            _ => false,
        };
        if !known {
            self.entries.borrow_mut().push(entry.clone());
        }
    }

    pub(super) fn into_entries(self) -> Vec<Entry> {
        self.entries.into_inner()
    }
}

fn differing(row: &Row<'_>, told: &PairTold) -> Result<Option<String>, StoreError> {
    let records: [Option<String>; 2] = [row.get("left_id")?, row.get("right_id")?];
    if records != told.records.clone().map(Some) {
        let [left, right] = &told.records;
        return Ok(Some(format!("the log has it between {left} and {right}")));
    }
    let names: (Option<String>, Option<String>) = (row.get("a")?, row.get("b")?);
    let mut names = names.0.zip(names.1).map(|(a, b)| [a, b]);
    let mut asked = told.names.clone();
    for names in [&mut names, &mut asked].into_iter().flatten() {
        names.sort();
    }
    let state: String = row.get("state")?;
    let wrong = if row.get::<_, String>("grounds")? != told.grounds {
        format!("the log has it on these grounds: {}", told.grounds)
    } else if names != asked {
        asked.map_or_else(
            || "the log does not have it asking about names".to_owned(),
            |[a, b]| format!("the log has it asking about {a} and {b}"),
        )
    } else if (state == "settled") != told.closed_at.is_some() {
        let state = if told.closed_at.is_some() { "closed" } else { "open" };
        format!("the log has it {state}")
    } else if row.get::<_, String>("opened_at")? != told.opened_at {
        format!("the log has it opened at {}", told.opened_at)
    } else if row.get::<_, Option<String>>("closed_at")? != told.closed_at {
        "the log has it closed at another time".to_owned()
    } else {
        return Ok(None);
    };
    Ok(Some(wrong))
}

fn hashed(what: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}
