//! Reading the queue: windows by keyset, counts that are kept, one pair whole.

use rusqlite::types::ToSql;
use rusqlite::{Connection, OptionalExtension, Row};

use super::Store;
use super::error::StoreError;
use super::pairs;
use super::rows;
use crate::core::examine::Ground;
use crate::core::pair::{Entry, PairState};
use crate::core::record::{Attribute, Batch, RecordId, Subject};
use crate::core::ruling::{PairId, RequestId};
use crate::core::time::Instant;

/// Which pairs are listed; an absent part filters nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueueFilter {
    /// Pairs in any of these states; of none named, in whatever state.
    pub states: Vec<PairState>,
    pub ground: Option<Ground>,
    pub attribute: Option<Attribute>,
    pub subject: Option<Subject>,
    pub batch: Option<Batch>,
    /// Found in subject, attribute, values or evidence, without regard to (ASCII) case.
    pub text: Option<String>,
}

/// The order of the list. The pair's number decides ties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueOrder {
    #[default]
    Oldest,
    Newest,
    /// By attribute, then subject.
    Slot,
}

/// Where a window begins: with the rows after a pair, or those before it (nearest first).
#[derive(Clone, Debug, PartialEq)]
pub enum Window {
    Start,
    End,
    After(Entry),
    /// With the entry itself, where it is still in the list.
    From(Entry),
    Before(Entry),
}

/// The queue in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub open: u64,
    pub awaiting: u64,
    pub deferred: u64,
    pub settled: u64,
    /// The open pairs by ground (a pair with two grounds counts under both), in the order of the grounds' list.
    pub by_ground: Vec<(Ground, u64)>,
}

/// A request that waits for someone to look again.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenRequest {
    pub request: RequestId,
    pub pair: PairId,
    pub subject: Subject,
    pub attribute: Attribute,
    pub grounds: Vec<Ground>,
    pub values: [serde_json::Value; 2],
    /// The latest epoch that the slot has seen: an answer must not be older.
    pub latest_epoch: Option<i64>,
    pub by: String,
    pub at: Instant,
}

impl Store {
    /// A window of the queue, in its order, of at most `limit` rows.
    pub fn queue(
        &self,
        filter: &QueueFilter,
        order: QueueOrder,
        from: &Window,
        limit: usize,
        now: Instant,
    ) -> Result<Vec<Entry>, StoreError> {
        let mut query = Query::new(filter, now);
        let backwards = matches!(from, Window::End | Window::Before(_));
        match from {
            Window::Start | Window::End => {}
            Window::After(entry) => query.beyond(order, entry, Beyond::After),
            Window::From(entry) => query.beyond(order, entry, Beyond::From),
            Window::Before(entry) => query.beyond(order, entry, Beyond::Before),
        }
        let direction = if (order == QueueOrder::Newest) == backwards { "ASC" } else { "DESC" };
        let keys: Vec<String> = order.keys().iter().map(|key| format!("{key} {direction}")).collect();
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let sql = format!("{ENTRY} {} ORDER BY {} LIMIT {limit}", query.condition(), keys.join(", "));
        let mut statement = self.connection.prepare_cached(&sql)?;
        let found = statement.query_map(query.values().as_slice(), |row| entry_row(row, now))?;
        let mut entries: Vec<Entry> = found.collect::<Result<_, _>>()?;
        if backwards {
            entries.reverse();
        }
        Ok(entries)
    }

    /// How many pairs a filter shows, and how many of them stand before an entry.
    pub fn position(
        &self,
        filter: &QueueFilter,
        order: QueueOrder,
        entry: Option<&Entry>,
        now: Instant,
    ) -> Result<(u64, u64), StoreError> {
        let count = |query: &Query| -> Result<u64, StoreError> {
            let sql = format!("SELECT count(*) {FROM} {}", query.condition());
            let counted: i64 =
                self.connection.prepare_cached(&sql)?.query_row(query.values().as_slice(), |row| row.get(0))?;
            Ok(u64::try_from(counted).unwrap_or_default())
        };
        let total = if filter.is_only_state() {
            self.counts(now)?.of(&filter.states)
        } else {
            count(&Query::new(filter, now))?
        };
        let Some(entry) = entry else { return Ok((0, total)) };
        let mut before = Query::new(filter, now);
        before.beyond(order, entry, Beyond::Before);
        Ok((count(&before)?, total))
    }

    /// The queue in numbers, from the counts that are kept.
    pub fn counts(&self, now: Instant) -> Result<Counts, StoreError> {
        counts(&self.connection, now)
    }

    /// The filtered queue in numbers.
    pub fn count(&self, filter: &QueueFilter, now: Instant) -> Result<(u64, Vec<(Ground, u64)>), StoreError> {
        let query = Query::new(filter, now);
        let sql = format!("SELECT p.grounds, count(*) {FROM} {} GROUP BY p.grounds", query.condition());
        let mut statement = self.connection.prepare_cached(&sql)?;
        let found: Vec<(String, i64)> = statement
            .query_map(query.values().as_slice(), |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        let total = found.iter().map(|(_, count)| u64::try_from(*count).unwrap_or_default()).sum();
        Ok((total, by_ground(&found)))
    }

    /// A pair as one line of the queue.
    pub fn entry(&self, id: PairId, now: Instant) -> Result<Option<Entry>, StoreError> {
        entry(&self.connection, id, now)
    }

    /// Requests that nobody has answered, the oldest first.
    pub fn requests(&self) -> Result<Vec<OpenRequest>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT p.request, p.pair, s.subject, s.attribute, p.grounds, l.value AS left_value, r.value AS right_value,
                 g.actor, g.at, (SELECT max(x.epoch) FROM slots m JOIN records x ON x.slot = m.slot WHERE m.home = p.home) AS latest
             FROM pairs p JOIN slots s ON s.slot = p.home JOIN rulings g ON g.ruling = p.request
             JOIN records l ON l.record = p.left_record JOIN records r ON r.record = p.right_record
             WHERE p.request IS NOT NULL AND p.state <> 'settled' ORDER BY p.request, p.pair",
        )?;
        let found = statement.query_map([], |row| {
            Ok(OpenRequest {
                request: RequestId(row.get("request")?),
                pair: PairId(row.get("pair")?),
                subject: Subject::from(row.get::<_, String>("subject")?.as_str()),
                attribute: Attribute::from(row.get::<_, String>("attribute")?.as_str()),
                grounds: pairs::grounds(&row.get::<_, String>("grounds")?),
                values: [
                    rows::json(&row.get::<_, String>("left_value")?)?,
                    rows::json(&row.get::<_, String>("right_value")?)?,
                ],
                latest_epoch: row.get("latest")?,
                by: row.get("actor")?,
                at: rows::parsed(&row.get::<_, String>("at")?)?,
            })
        })?;
        Ok(found.collect::<Result<_, _>>()?)
    }
}

const FROM: &str = "FROM pairs p JOIN slots s ON s.slot = p.home
     JOIN records l ON l.record = p.left_record JOIN records r ON r.record = p.right_record";

const ENTRY: &str = "SELECT p.pair, p.state, p.grounds, p.opened_at, p.deferred_until, s.subject, s.attribute,
     l.id AS left_id, l.value AS left_value, r.id AS right_id, r.value AS right_value
     FROM pairs p JOIN slots s ON s.slot = p.home
     JOIN records l ON l.record = p.left_record JOIN records r ON r.record = p.right_record";

fn entry_row(row: &Row<'_>, now: Instant) -> rusqlite::Result<Entry> {
    let text = |column: &str| row.get::<_, String>(column);
    let deferred: Option<String> = row.get("deferred_until")?;
    let deferred_until = deferred.map(|until| rows::parsed::<Instant>(&until)).transpose()?;
    let stored = PairState::named(&text("state")?).unwrap_or(PairState::Open);
    let put_off = stored != PairState::Settled && deferred_until.is_some_and(|until| until > now);
    Ok(Entry {
        pair: PairId(row.get("pair")?),
        state: if put_off { PairState::Deferred } else { stored },
        subject: Subject::from(text("subject")?.as_str()),
        attribute: Attribute::from(text("attribute")?.as_str()),
        grounds: pairs::grounds(&text("grounds")?),
        records: [RecordId::from(text("left_id")?.as_str()), RecordId::from(text("right_id")?.as_str())],
        values: [rows::json(&text("left_value")?)?, rows::json(&text("right_value")?)?],
        opened_at: rows::parsed(&text("opened_at")?)?,
        deferred_until,
    })
}

/// A side of an entry in a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beyond {
    Before,
    From,
    After,
}

/// A condition with its values, put together from a filter. Nothing from outside becomes part of the SQL.
struct Query {
    conditions: Vec<String>,
    values: Vec<Box<dyn ToSql>>,
}

impl Query {
    fn new(filter: &QueueFilter, now: Instant) -> Self {
        let mut query = Self { conditions: vec!["1 = 1".to_owned()], values: Vec::new() };
        query.states(&filter.states, now);
        if let Some(ground) = filter.ground {
            query.with("instr(',' || p.grounds || ',', ?) > 0", format!(",{},", ground.name()));
        }
        if let Some(attribute) = &filter.attribute {
            query.with("s.attribute = ?", attribute.as_str().to_owned());
        }
        if let Some(subject) = &filter.subject {
            query.conditions.push("(s.subject = ? OR l.subject = ? OR r.subject = ?)".to_owned());
            for _ in 0..3 {
                query.values.push(Box::new(subject.as_str().to_owned()));
            }
        }
        if let Some(batch) = &filter.batch {
            query.conditions.push("(l.batch = ? OR r.batch = ?)".to_owned());
            query.values.push(Box::new(batch.as_str().to_owned()));
            query.values.push(Box::new(batch.as_str().to_owned()));
        }
        if let Some(text) = &filter.text {
            query.text(text);
        }
        query
    }

    fn with(&mut self, condition: &str, value: String) {
        self.conditions.push(condition.to_owned());
        self.values.push(Box::new(value));
    }

    fn states(&mut self, states: &[PairState], now: Instant) {
        let conditions: Vec<String> = states
            .iter()
            .map(|state| match state {
                PairState::Settled => "p.state = 'settled'".to_owned(),
                PairState::Deferred => {
                    self.values.push(Box::new(now.sortable()));
                    "(p.state <> 'settled' AND p.deferred_until > ?)".to_owned()
                }
                PairState::Open | PairState::Awaiting => {
                    self.values.push(Box::new(now.sortable()));
                    let state = state.name();
                    format!("(p.state = '{state}' AND (p.deferred_until IS NULL OR p.deferred_until <= ?))")
                }
            })
            .collect();
        if !conditions.is_empty() {
            self.conditions.push(format!("({})", conditions.join(" OR ")));
        }
    }

    fn text(&mut self, text: &str) {
        let escaped = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        let columns =
            ["s.subject", "s.attribute", "l.value", "r.value", "l.evidence", "r.evidence", "l.id", "r.id"];
        let any: Vec<String> = columns.iter().map(|column| format!("{column} LIKE ? ESCAPE '\\'")).collect();
        self.conditions.push(format!("({})", any.join(" OR ")));
        for _ in columns {
            self.values.push(Box::new(format!("%{escaped}%")));
        }
    }

    /// Only what stands on that side of the entry in the list's order.
    fn beyond(&mut self, order: QueueOrder, entry: &Entry, side: Beyond) {
        let comparison = match (side, order == QueueOrder::Newest) {
            (Beyond::After, false) | (Beyond::Before, true) => ">",
            (Beyond::From, false) => ">=",
            (Beyond::After, true) | (Beyond::Before, false) => "<",
            (Beyond::From, true) => "<=",
        };
        let keys = order.keys().join(", ");
        let marks = vec!["?"; order.keys().len()].join(", ");
        self.conditions.push(format!("({keys}) {comparison} ({marks})"));
        match order {
            QueueOrder::Oldest | QueueOrder::Newest => self.values.push(Box::new(entry.opened_at.sortable())),
            QueueOrder::Slot => {
                self.values.push(Box::new(entry.attribute.as_str().to_owned()));
                self.values.push(Box::new(entry.subject.as_str().to_owned()));
            }
        }
        self.values.push(Box::new(entry.pair.0));
    }

    fn condition(&self) -> String {
        format!("WHERE {}", self.conditions.join(" AND "))
    }

    fn values(&self) -> Vec<&dyn ToSql> {
        self.values.iter().map(AsRef::as_ref).collect()
    }
}

impl QueueOrder {
    const fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Oldest | Self::Newest => &["p.opened_at", "p.pair"],
            Self::Slot => &["s.attribute", "s.subject", "p.pair"],
        }
    }
}

impl QueueFilter {
    fn is_only_state(&self) -> bool {
        *self == Self { states: self.states.clone(), ..Self::default() }
    }
}

impl Counts {
    fn of(&self, states: &[PairState]) -> u64 {
        let states = if states.is_empty() { &PairState::ALL[..] } else { states };
        let of = |state: &PairState| match state {
            PairState::Open => self.open,
            PairState::Awaiting => self.awaiting,
            PairState::Deferred => self.deferred,
            PairState::Settled => self.settled,
        };
        states.iter().map(of).sum()
    }
}

fn counts(connection: &Connection, now: Instant) -> Result<Counts, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT state, grounds, count FROM pair_counts WHERE count <> 0")?;
    let kept: Vec<(String, String, i64)> =
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?.collect::<Result<_, _>>()?;
    // Deferred pairs come back by the clock alone, so they are counted among the few that have a time set.
    let mut statement = connection.prepare_cached(
        "SELECT state, grounds, -count(*) FROM pairs WHERE deferred_until > ?1 AND state <> 'settled' GROUP BY state, grounds",
    )?;
    let put_off: Vec<(String, String, i64)> = statement
        .query_map([now.sortable()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<Result<_, _>>()?;
    let sum = |state: &str| -> i64 {
        kept.iter().chain(&put_off).filter(|(of, _, _)| of == state).map(|(_, _, count)| *count).sum()
    };
    let whole = |count: i64| u64::try_from(count).unwrap_or_default();
    let open: Vec<(String, i64)> = kept
        .iter()
        .chain(&put_off)
        .filter(|(state, _, _)| state == "open")
        .map(|(_, grounds, count)| (grounds.clone(), *count))
        .collect();
    Ok(Counts {
        open: whole(sum("open")),
        awaiting: whole(sum("awaiting")),
        deferred: whole(-put_off.iter().map(|(_, _, count)| *count).sum::<i64>()),
        settled: whole(sum("settled")),
        by_ground: by_ground(&open),
    })
}

fn by_ground(counted: &[(String, i64)]) -> Vec<(Ground, u64)> {
    Ground::ALL
        .into_iter()
        .map(|ground| {
            let of = counted.iter().filter(|(grounds, _)| pairs::grounds(grounds).contains(&ground));
            (ground, u64::try_from(of.map(|(_, count)| *count).sum::<i64>()).unwrap_or_default())
        })
        .filter(|(_, count)| *count > 0)
        .collect()
}

/// One line of the queue.
pub(super) fn entry(connection: &Connection, id: PairId, now: Instant) -> Result<Option<Entry>, StoreError> {
    let sql = format!("{ENTRY} WHERE p.pair = ?1");
    Ok(connection.prepare_cached(&sql)?.query_row([id.0], |row| entry_row(row, now)).optional()?)
}
