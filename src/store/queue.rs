//! Reading the queue: windows by keyset, counts that are kept, one pair whole.

use std::collections::{BTreeMap, HashMap};

use rusqlite::Connection;

use super::Store;
use super::condition::{Condition, FROM};
use super::entry::{entries, entry};
use super::error::StoreError;
use super::filter::{QueueFilter, QueueOrder, Window};
use super::find::{Found, GoesOn};
use super::lanes::{self, Lane, Lanes};
use super::pairs;
use super::rows;
use super::session::Session;
use super::short;
use super::window;
use crate::core::answer::FellShort;
use crate::core::examine::Ground;
use crate::core::pair::{Entry, PairState};
use crate::core::record::{Attribute, Subject};
use crate::core::ruling::{PairId, RequestId};
use crate::core::time::Instant;

/// The queue in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub open: u64,
    pub awaiting: u64,
    pub deferred: u64,
    pub settled: u64,
    /// The open pairs by ground (a pair with two grounds counts under both), in the order of the grounds' list.
    pub by_ground: Vec<(Ground, u64)>,
    /// The open pairs by attribute, in the order of their names.
    pub by_attribute: Vec<(Attribute, u64)>,
}

/// The commonest of whatever the queue may be narrowed to, the most frequent first, each with its open pairs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commonest {
    pub subjects: Vec<(String, u64)>,
    pub batches: Vec<(String, u64)>,
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
    /// What came as an answer, and settled nothing.
    pub fell_short: Vec<FellShort>,
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
        if let Some(found) = self.searched(filter, order, now)? {
            return self.window(&found, from, limit, now);
        }
        let _glance = self.glance()?;
        let ids = window::ids(&self.connection, filter, order, from, limit, now)?;
        entries(&self.connection, &ids, now)
    }

    /// How many pairs a filter shows, and how many of them stand before an entry: the latter first.
    pub fn position(
        &self,
        filter: &QueueFilter,
        order: QueueOrder,
        entry: Option<&Entry>,
        now: Instant,
    ) -> Result<(u64, u64), StoreError> {
        if let Some(found) = self.searched(filter, order, now)? {
            let place = entry.map(|entry| self.place(&found, entry, now)).transpose()?;
            return Ok((place.unwrap_or(0) as u64, found.total()));
        }
        let lanes = Lanes::of(&self.connection, filter, now)?;
        let whole = |count: i64| u64::try_from(count).unwrap_or_default();
        let total = whole(lanes.total());
        let Some(entry) = entry else { return Ok((0, total)) };
        let place = match order {
            QueueOrder::Oldest => whole(lanes.numbered_below(entry.pair.0)?),
            QueueOrder::Newest => total - whole(lanes.numbered_below(entry.pair.0 + 1)?),
            QueueOrder::Slot | QueueOrder::Impact => {
                whole(lanes.placed_below(order, (&entry.attribute, entry.subject.as_str(), entry.pair.0))?)
            }
        };
        Ok((place, total))
    }

    /// What must be looked for, because the kept counts do not tell it.
    fn searched(&self, filter: &QueueFilter, order: QueueOrder, now: Instant) -> Result<Option<Found>, StoreError> {
        if filter.is_counted() { Ok(None) } else { self.find(filter, order, now, &mut |_, _| true) }
    }

    /// The queue in numbers, from the counts that are kept.
    pub fn counts(&self, now: Instant) -> Result<Counts, StoreError> {
        counts(&self.connection, now)
    }

    /// The filtered queue in numbers.
    pub fn count(&self, filter: &QueueFilter, now: Instant) -> Result<(u64, Vec<(Ground, u64)>), StoreError> {
        let condition = Condition::of(filter, now);
        let sql = format!("SELECT p.grounds, count(*) {FROM} WHERE {} GROUP BY p.grounds", condition.sql());
        let mut statement = self.connection.prepare_cached(&sql)?;
        let found: Vec<(String, i64)> = statement
            .query_map(condition.values().as_slice(), |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        let total = found.iter().map(|(_, count)| u64::try_from(*count).unwrap_or_default()).sum();
        Ok((total, by_ground(&found)))
    }

    /// Which of some pairs are settled by now, or not there.
    pub fn settled(&self, pairs: &[PairId]) -> Result<Vec<PairId>, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT 1 FROM pairs WHERE pair = ?1 AND state <> 'settled'")?;
        let mut gone = Vec::new();
        for pair in pairs {
            if !statement.exists([pair.0])? {
                gone.push(*pair);
            }
        }
        Ok(gone)
    }

    /// The commonest subjects and batches of the open pairs, each with how many, at most `most` of each; none where
    /// `goes_on` said no. It reads every open pair.
    pub fn commonest(&self, most: usize, goes_on: GoesOn<'_>) -> Result<Option<Commonest>, StoreError> {
        let last: i64 =
            self.connection.query_row("SELECT coalesce(max(pair), 0) FROM pairs", [], |row| row.get(0))?;
        let sql = format!(
            "SELECT p.subject, l.batch, r.batch {FROM} WHERE p.state = 'open' AND p.pair > ?1 AND p.pair <= ?2"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let (mut subjects, mut batches) = (HashMap::new(), HashMap::new());
        let mut from = 0;
        while from < last {
            if !goes_on(u64::try_from(from).unwrap_or_default(), u64::try_from(last).unwrap_or_default()) {
                return Ok(None);
            }
            let to = from + 4_096;
            let mut found = statement.query([from, to])?;
            while let Some(row) = found.next()? {
                let [subject, left, right]: [String; 3] = [row.get(0)?, row.get(1)?, row.get(2)?];
                *subjects.entry(subject).or_insert(0) += 1;
                if left != right {
                    *batches.entry(right).or_insert(0) += 1;
                }
                *batches.entry(left).or_insert(0) += 1;
            }
            from = to;
        }
        Ok(Some(Commonest { subjects: greatest(subjects, most), batches: greatest(batches, most) }))
    }

    /// A pair as one line of the queue.
    pub fn entry(&self, id: PairId, now: Instant) -> Result<Option<Entry>, StoreError> {
        entry(&self.connection, id, now)
    }

    /// Requests that nobody has answered, the oldest first.
    pub fn requests(&self, now: Instant) -> Result<Vec<OpenRequest>, StoreError> {
        let session = Session::looking(&self.connection, &self.frames, now)?;
        let mut statement = self.connection.prepare_cached(
            "SELECT p.request, p.pair, p.home, s.subject, s.attribute, p.grounds, l.value AS left_value, r.value AS right_value,
                 g.actor, g.at, (SELECT max(x.epoch) FROM slots m JOIN records x ON x.slot = m.slot WHERE m.home = p.home) AS latest
             FROM pairs p JOIN slots s ON s.slot = p.home JOIN rulings g ON g.ruling = p.request
             JOIN records l ON l.record = p.left_record JOIN records r ON r.record = p.right_record
             WHERE p.request IS NOT NULL AND p.state <> 'settled' ORDER BY p.request, p.pair",
        )?;
        let found = statement.query_map([], |row| {
            let open = OpenRequest {
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
                fell_short: Vec::new(),
            };
            Ok((open, row.get::<_, i64>("home")?))
        })?;
        let mut all = Vec::new();
        for found in found {
            let (mut open, home) = found?;
            open.fell_short = short::of_request(&session, open.request, home)?;
            all.push(open);
        }
        Ok(all)
    }
}

/// The most frequent first; of equals the one that comes first by name.
fn greatest(counted: HashMap<String, u64>, most: usize) -> Vec<(String, u64)> {
    let mut all: Vec<(String, u64)> = counted.into_iter().collect();
    all.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    all.truncate(most);
    all
}

fn counts(connection: &Connection, now: Instant) -> Result<Counts, StoreError> {
    // Deferred pairs come back by the clock alone, so they are counted among the few that have a time set.
    let put_off = lanes::put_off(connection, now)?;
    let deferred = put_off.len() as u64;
    let away = put_off.into_iter().map(|it| Lane { count: -it.lane.count, ..it.lane });
    let all: Vec<Lane> = lanes::all(connection)?.into_iter().chain(away).collect();
    let whole = |count: i64| u64::try_from(count).unwrap_or_default();
    let sum = |state| whole(all.iter().filter(|lane| lane.state == state).map(|lane| lane.count).sum());
    let open = || all.iter().filter(|lane| lane.state == PairState::Open);
    let grounds: Vec<(String, i64)> = open().map(|lane| (lane.grounds.clone(), lane.count)).collect();
    let mut attributes: BTreeMap<&Attribute, i64> = BTreeMap::new();
    for lane in open() {
        *attributes.entry(&lane.attribute).or_default() += lane.count;
    }
    let attributes = attributes.into_iter().filter(|(_, count)| *count > 0);
    Ok(Counts {
        open: sum(PairState::Open),
        awaiting: sum(PairState::Awaiting),
        deferred,
        settled: sum(PairState::Settled),
        by_ground: by_ground(&grounds),
        by_attribute: attributes.map(|(attribute, count)| (attribute.clone(), whole(count))).collect(),
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
