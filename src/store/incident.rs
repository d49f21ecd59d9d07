//! One batch looked into: its records by how late they were written, and the picture of what it did.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::Hash;

use rusqlite::{Connection, params};

use super::Store;
use super::batch::Span;
use super::batch_counts::{LAG, NO_LAG};
use super::error::StoreError;
use super::pairs;
use super::rows;
use crate::core::batch::{Contest, Field, Member, Picture, Plane, Summary};
use crate::core::examine::Ground;
use crate::core::pair::RecordState;
use crate::core::record::{Attribute, Batch, RecordId, Subject};
use crate::core::ruling::PairId;
use crate::core::time::Instant;

/// The place of a record among those of its batch: its lag in seconds (below every lag where it has none), its number.
pub type MemberPlace = (i64, i64);

/// Work is asked whether it is still wanted after so many records.
const STRIDE: u64 = 4_096;

impl Store {
    /// Where a record stands among those of its batch, the greatest lag first.
    pub const fn member_place(of: &Member) -> MemberPlace {
        let lag = match of.lag {
            Some(lag) => lag,
            None => NO_LAG,
        };
        (lag, of.row)
    }

    /// A window of the records of a batch, the greatest lag first, of at most `limit` rows.
    pub fn members(
        &self,
        batch: &Batch,
        from: &Span<MemberPlace>,
        limit: usize,
    ) -> Result<Vec<Member>, StoreError> {
        let (condition, direction) = match from {
            Span::First => (String::new(), "DESC"),
            Span::Last => (String::new(), "ASC"),
            Span::From(_) => (format!("AND ({LAG}, r.record) <= (?2, ?3)"), "DESC"),
            Span::Before(_) => (format!("AND ({LAG}, r.record) > (?2, ?3)"), "ASC"),
        };
        let sql = format!(
            "SELECT r.record, r.id, r.subject, r.attribute, r.value, r.observed_at, r.written_at, r.lag, s.home,
                 t.state, t.claim, w.id AS superseded_by
             FROM records r LEFT JOIN slots s ON s.slot = r.slot LEFT JOIN record_states t ON t.record = r.record
             LEFT JOIN records w ON w.record = t.superseded_by
             WHERE r.batch = ?1 {condition} ORDER BY {LAG} {direction}, r.record {direction} LIMIT {}",
            i64::try_from(limit).unwrap_or(i64::MAX)
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut found: Vec<Placed> = match from {
            Span::First | Span::Last => statement.query_map([batch.as_str()], placed)?.collect::<Result<_, _>>()?,
            Span::From((lag, row)) | Span::Before((lag, row)) => {
                statement.query_map(params![batch.as_str(), lag, row], placed)?.collect::<Result<_, _>>()?
            }
        };
        if direction == "ASC" {
            found.reverse();
        }
        let mut slots = Slots { connection: &self.connection, known: HashMap::new() };
        found.into_iter().map(|placed| slots.complete(placed)).collect()
    }

    /// How many records of the batch stand before a place.
    pub fn members_before(&self, batch: &Batch, place: MemberPlace) -> Result<u64, StoreError> {
        let sql = format!("SELECT count(*) FROM records r WHERE r.batch = ?1 AND ({LAG}, r.record) > (?2, ?3)");
        let counted = self
            .connection
            .prepare_cached(&sql)?
            .query_row(params![batch.as_str(), place.0, place.1], |row| row.get(0))?;
        Ok(rows::whole(counted))
    }

    /// What a batch did, counted over all of its records and drawn among all others. Reads every record once: `goes_on`
    /// is told how far it is; where it says no, the answer is none.
    pub fn picture(
        &self,
        of: &Summary,
        goes_on: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<Option<Picture>, StoreError> {
        let mut picture = Picture { grounds: grounds(&self.connection, &of.batch)?, ..Picture::default() };
        let all: i64 =
            self.connection.query_row("SELECT coalesce(max(record), 0) FROM records", [], |row| row.get(0))?;
        let work = rows::whole(all) + 2 * of.records;
        let Some(plane) = plane(&self.connection, of, &mut |done| goes_on(done, work))? else { return Ok(None) };
        picture.plane = plane;
        let done = rows::whole(all);
        let counted = count(&self.connection, &of.batch, &mut picture, &mut |more| goes_on(done + more, work))?;
        let Some(homes) = counted else { return Ok(None) };
        let done = done + of.records;
        for (at, home) in (0..).zip(homes) {
            if at % 256 == 0 && !goes_on(done + at, work) {
                return Ok(None);
            }
            let Some((_, batch, state)) = last_written(&self.connection, home)? else { continue };
            if batch == of.batch.as_str() {
                picture.newest += 1;
                picture.newest_not_live += u64::from(state.as_deref() != Some(RecordState::Live.name()));
            }
        }
        Ok(Some(picture))
    }
}

/// A record as it is read, with where it is settled and its claim there.
struct Placed {
    member: Member,
    home: Option<i64>,
    claim: Option<i64>,
}

fn placed(row: &rusqlite::Row<'_>) -> rusqlite::Result<Placed> {
    let text = |column: &str| row.get::<_, Option<String>>(column);
    let member = Member {
        row: row.get("record")?,
        id: RecordId::from(row.get::<_, String>("id")?.as_str()),
        subject: Subject::from(row.get::<_, String>("subject")?.as_str()),
        attribute: text("attribute")?.map(|name| Attribute::from(name.as_str())),
        value: rows::json(&row.get::<_, String>("value")?)?,
        observed_at: text("observed_at")?.map(|at| rows::parsed(&at)).transpose()?,
        written_at: rows::parsed(&row.get::<_, String>("written_at")?)?,
        lag: row.get("lag")?,
        state: text("state")?.and_then(|name| RecordState::named(&name)),
        superseded_by: text("superseded_by")?.map(|id| RecordId::from(id.as_str())),
        pair: None,
        newest: false,
    };
    Ok(Placed { member, home: row.get("home")?, claim: row.get("claim")? })
}

/// What is known of each slot that the window touches: read once, however many records of it are shown.
struct Slots<'c> {
    connection: &'c Connection,
    known: HashMap<i64, Known>,
}

struct Known {
    last_written: Option<i64>,
    /// The open pairs, by each claim and record that is party to one.
    contests: HashMap<Party, Contest>,
}

#[derive(PartialEq, Eq, Hash)]
enum Party {
    Claim(i64),
    Record(i64),
}

impl Slots<'_> {
    fn complete(&mut self, placed: Placed) -> Result<Member, StoreError> {
        let Placed { mut member, home, claim } = placed;
        let Some(home) = home else { return Ok(member) };
        if !self.known.contains_key(&home) {
            let last_written = last_written(self.connection, home)?.map(|(row, _, _)| row);
            let contests = contests(self.connection, home)?;
            self.known.insert(home, Known { last_written, contests });
        }
        if let Some(known) = self.known.get(&home) {
            let of_claim = claim.and_then(|claim| known.contests.get(&Party::Claim(claim)));
            member.pair = known.contests.get(&Party::Record(member.row)).or(of_claim).cloned();
            member.newest = known.last_written == Some(member.row);
        }
        Ok(member)
    }
}

fn contests(connection: &Connection, home: i64) -> Result<HashMap<Party, Contest>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT p.pair, p.grounds, p.left_record, p.right_record, l.claim, r.claim FROM pairs p
             LEFT JOIN record_states l ON l.record = p.left_record
             LEFT JOIN record_states r ON r.record = p.right_record
         WHERE p.home = ?1 AND p.state <> 'settled' ORDER BY p.pair DESC",
    )?;
    let mut found = statement.query([home])?;
    let mut contests = HashMap::new();
    while let Some(row) = found.next()? {
        let contest = Contest { pair: PairId(row.get(0)?), grounds: pairs::grounds(&row.get::<_, String>(1)?) };
        let claims = [row.get::<_, Option<i64>>(4)?, row.get(5)?];
        // The pair with the smallest number comes last, and stands.
        let parties = claims.into_iter().flatten().map(Party::Claim);
        for party in parties.chain([Party::Record(row.get(2)?), Party::Record(row.get(3)?)]) {
            contests.insert(party, contest.clone());
        }
    }
    Ok(contests)
}

/// What was written last in a slot and not withdrawn: its row, its batch and its state.
fn last_written(connection: &Connection, home: i64) -> Result<Option<(i64, String, Option<String>)>, StoreError> {
    use rusqlite::OptionalExtension as _;
    let mut statement = connection.prepare_cached(
        "SELECT r.record, r.batch, t.state FROM slots s JOIN records r ON r.slot = s.slot
             LEFT JOIN record_states t ON t.record = r.record
         WHERE s.home = ?1 AND t.state IS NOT 'withdrawn' ORDER BY r.written_at DESC, r.record DESC LIMIT 1",
    )?;
    Ok(statement.query_row([home], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?)
}

fn grounds(connection: &Connection, batch: &Batch) -> Result<Vec<(Ground, u64)>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT p.grounds, count(*) FROM pairs p JOIN records l ON l.record = p.left_record
             JOIN records r ON r.record = p.right_record
         WHERE p.state IN ('open', 'awaiting') AND (l.batch = ?1 OR r.batch = ?1) GROUP BY p.grounds",
    )?;
    let mut found = statement.query([batch.as_str()])?;
    let mut counts = BTreeMap::new();
    while let Some(row) = found.next()? {
        let many = rows::whole(row.get(1)?);
        for ground in pairs::grounds(&row.get::<_, String>(0)?) {
            *counts.entry(ground).or_default() += many;
        }
    }
    Ok(most_first(counts))
}

/// Counts the batch's own records; returns the slots in which they are settled.
fn count(
    connection: &Connection,
    batch: &Batch,
    picture: &mut Picture,
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Option<BTreeSet<i64>>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT r.subject, r.attribute, t.state, s.home FROM records r LEFT JOIN slots s ON s.slot = r.slot
             LEFT JOIN record_states t ON t.record = r.record WHERE r.batch = ?1",
    )?;
    let (mut subjects, mut homes) = (HashSet::new(), BTreeSet::new());
    let (mut attributes, mut states) = (HashMap::new(), HashMap::new());
    let mut found = statement.query([batch.as_str()])?;
    let mut done = 0;
    while let Some(row) = found.next()? {
        done += 1;
        if done % STRIDE == 0 && !goes_on(done) {
            return Ok(None);
        }
        subjects.insert(row.get::<_, String>(0)?);
        *attributes.entry(row.get::<_, Option<String>>(1)?).or_default() += 1;
        *states.entry(row.get::<_, Option<String>>(2)?).or_default() += 1;
        homes.extend(row.get::<_, Option<i64>>(3)?);
    }
    picture.subjects = subjects.len() as u64;
    let attributes: BTreeMap<Option<String>, u64> = attributes.into_iter().collect();
    let named = |(name, many): (Option<String>, u64)| (name.map(|name| Attribute::from(name.as_str())), many);
    picture.attributes = most_first(attributes).into_iter().map(named).collect();
    let state = |(name, many): (Option<String>, u64)| (name.and_then(|name| RecordState::named(&name)), many);
    picture.states = most_first(states.into_iter().map(state).collect());
    Ok(Some(homes))
}

fn most_first<K: Ord>(counts: BTreeMap<K, u64>) -> Vec<(K, u64)> {
    let mut counts: Vec<(K, u64)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, many)| std::cmp::Reverse(*many));
    counts
}

/// Every record in its field, on axes that hold the whole batch and a little of what came after it.
fn plane(
    connection: &Connection,
    of: &Summary,
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Option<Plane>, StoreError> {
    let (from, to) = axes(of);
    let (first, length) = (from.utc().timestamp(), to.since(from).num_seconds().max(1));
    let place = |second: i64, fields: usize| {
        let part = i128::from(second - first) * fields as i128 / i128::from(length);
        usize::try_from(part).ok().filter(|at| second >= first && *at < fields)
    };
    let mut plane =
        Plane { between: Some((from, to)), fields: vec![Field::default(); Plane::ACROSS * Plane::DOWN], beyond: 0 };
    let mut statement = connection.prepare_cached(
        "SELECT r.record, r.batch = ?1, unixepoch(r.written_at), r.lag FROM records r ORDER BY r.record",
    )?;
    let mut found = statement.query([of.batch.as_str()])?;
    let mut done = 0;
    while let Some(row) = found.next()? {
        done += 1;
        if done % STRIDE == 0 && !goes_on(rows::whole(row.get(0)?)) {
            return Ok(None);
        }
        let (mine, written): (bool, i64) = (row.get(1)?, row.get(2)?);
        let lag: Option<i64> = row.get(3)?;
        let at = lag.and_then(|lag| place(written - lag, Plane::ACROSS)).zip(place(written, Plane::DOWN));
        match at.and_then(|(x, y)| plane.fields.get_mut(y * Plane::ACROSS + x)) {
            Some(field) if mine => field.batch += 1,
            Some(field) => field.others += 1,
            None => plane.beyond += 1,
        }
    }
    Ok(Some(plane))
}

/// From the first moment that the batch is about, or was written at, to the last, and a twelfth more on both sides.
fn axes(of: &Summary) -> (Instant, Instant) {
    let (first, last) = of.observed.unwrap_or((of.first_written_at, of.last_written_at));
    let (from, to) = (first.min(of.first_written_at), last.max(of.last_written_at));
    let air = (to.since(from) / 12).max(chrono::Duration::minutes(1));
    (from.plus(-air), to.plus(air))
}
