//! The story of one slot, laid out in time: held once, so that a screen may walk through a hundred thousand records and
//! read no more of them than it shows.

use std::collections::{BTreeMap, HashMap};

use rusqlite::OptionalExtension;
use serde_json::Value;

use super::error::StoreError;
use super::law::SlotName;
use super::pairs;
use super::project::{self, EdgeRow};
use super::recall::{self, EpochSeen, RulingSeen};
use super::rows::{self, Placed};
use super::session::{self, Session};
use super::{By, Store, policy, side_by_side};
use crate::core::examine::Basis;
use crate::core::pair::JudgedRecord;
use crate::core::plane::Spot;
use crate::core::policy::Rules;
use crate::core::record::{Attribute, Epoch, RecordId, Subject};
use crate::core::ruling::{PairId, RulingId};
use crate::core::settle::EdgeKind;
use crate::core::time::Instant;
use crate::core::value::Key;

/// Every record of a slot by its place in time, with what stands between them.
#[derive(Clone, Debug)]
pub struct Timeline {
    pub subject: Subject,
    pub attribute: Attribute,
    pub rules: Rules,
    /// The records, by when they were observed; those that do not say come last.
    pub spots: Vec<Spot>,
    pub ids: Vec<RecordId>,
    /// The distinct values as the policy compares them, the most frequent first, each with how many records say it.
    pub values: Vec<(Value, u64)>,
    pub epochs: Vec<EpochSeen>,
    pub rulings: Vec<RulingSeen>,
    /// Records, rulings and epochs in the order in which they are read.
    pub items: Vec<Item>,
    /// The moments of the world at which the answer may change: in order, each once.
    pub observed: Vec<Instant>,
    /// The moments of belief at which it may: records written, rulings made, policy declared.
    pub believed: Vec<Instant>,
    links: Vec<EdgeRow>,
    /// The links of each record, by its row.
    linked: HashMap<i64, Vec<usize>>,
    places: HashMap<i64, usize>,
    open: BTreeMap<i64, PairId>,
    as_of: Stamp,
}

/// One thing of the story, by its place in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// An epoch begins: what follows was observed in it, or later.
    Epoch(usize),
    Record(usize),
    Ruling(usize),
    /// The records that follow do not say when they were observed.
    Undated,
}

/// A link of one record to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    pub kind: EdgeKind,
    /// Whether this record is the newer or winning side.
    pub from_here: bool,
    /// The other one, by its place.
    pub other: usize,
}

/// What a timeline was read from; another stamp is another story.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stamp {
    home: Option<(i64, i64)>,
    ruling: Option<RulingId>,
}

impl Store {
    /// Lays the slot out. Of a slot that is not there, nothing is told.
    pub fn timeline(&self, subject: &Subject, attribute: &Attribute, now: Instant) -> Result<Timeline, StoreError> {
        let session = Session::begin(&self.connection, &By { actor: "", now })?;
        let name = SlotName { subject: session.law.identity.canonical(subject), attribute: attribute.clone() };
        let as_of = stamp(&session, &name)?;
        let rules = (*session.rules(&name)).clone();
        let Some((home, _)) = as_of.home else { return Ok(Timeline::new(name, rules, as_of)) };
        let mut placed = rows::places_at_home(&self.connection, home)?;
        placed.sort_by_cached_key(|it| {
            let observed = it.observed_at.map(|at| (at.first(), at.last()));
            (observed.is_none(), observed, it.written_at, it.id.clone())
        });
        let rulings = recall::rulings_on(&session, home, &name)?;
        let mut timeline = Timeline::new(name, rules, as_of);
        timeline.epochs = recall::epochs(placed.iter().map(|it| (it.epoch, it.observed_at)), &rulings);
        timeline.rulings = recall::seen(rulings);
        timeline.rulings.sort_by_key(|seen| (seen.ruling.at, seen.ruling.id));
        timeline.take(&placed);
        timeline.arrange(&placed);
        timeline.link(project::stored_edges(&session, home)?);
        timeline.open = pairs::of_home(&self.connection, home)?
            .into_iter()
            .filter(|pair| !pair.is_settled())
            .flat_map(|pair| [(pair.left, PairId(pair.pair)), (pair.right, PairId(pair.pair))])
            .collect();
        timeline.believed.extend(belief_changes(&session, &timeline)?);
        for moments in [&mut timeline.observed, &mut timeline.believed] {
            moments.sort_unstable();
            moments.dedup();
        }
        Ok(timeline)
    }

    /// Whether the timeline still tells the slot as it is.
    pub fn is_current(&self, timeline: &Timeline, now: Instant) -> Result<bool, StoreError> {
        let session = Session::begin(&self.connection, &By { actor: "", now })?;
        let subject = session.law.identity.canonical(&timeline.subject);
        Ok(stamp(&session, &SlotName { subject, attribute: timeline.attribute.clone() })? == timeline.as_of)
    }

    /// The records at these places whole, with what became of them.
    pub fn records_of(
        &self,
        timeline: &Timeline,
        places: impl IntoIterator<Item = usize>,
        now: Instant,
    ) -> Result<Vec<JudgedRecord>, StoreError> {
        let session = Session::begin(&self.connection, &By { actor: "", now })?;
        let rows = places.into_iter().filter_map(|at| timeline.spots.get(at)).map(|spot| spot.arrived);
        rows.map(|row| side_by_side::judged(&session, row)).collect()
    }
}

impl Timeline {
    fn new(name: SlotName, rules: Rules, as_of: Stamp) -> Self {
        Self {
            subject: name.subject,
            attribute: name.attribute,
            rules,
            spots: Vec::new(),
            ids: Vec::new(),
            values: Vec::new(),
            epochs: Vec::new(),
            rulings: Vec::new(),
            items: Vec::new(),
            observed: Vec::new(),
            believed: Vec::new(),
            links: Vec::new(),
            linked: HashMap::new(),
            places: HashMap::new(),
            open: BTreeMap::new(),
            as_of,
        }
    }

    /// The place of a record, by its id.
    pub fn place(&self, id: &RecordId) -> Option<usize> {
        self.ids.iter().position(|known| known == id)
    }

    /// The links of the record at a place: what it won over and lost to comes first.
    pub fn links(&self, at: usize) -> impl Iterator<Item = Link> {
        let row = self.spots.get(at).map_or(i64::MIN, |spot| spot.arrived);
        let of_record = self.linked.get(&row).map_or(&[][..], Vec::as_slice);
        of_record.iter().filter_map(move |link| {
            let edge = &self.links[*link];
            let from_here = edge.from == row;
            let other = *self.places.get(if from_here { &edge.to } else { &edge.from })?;
            Some(Link { kind: kind(edge)?, from_here, other })
        })
    }

    /// The open pair that the record at a place is party to.
    pub fn open_pair(&self, at: usize) -> Option<PairId> {
        self.open.get(&self.spots.get(at)?.arrived).copied()
    }

    /// Every open pair of the slot, in order.
    pub fn open_pairs(&self) -> Vec<PairId> {
        let mut pairs: Vec<PairId> = self.open.values().copied().collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Takes the records over, their values grouped as the policy compares them.
    fn take(&mut self, placed: &[Placed]) {
        let mut groups: HashMap<Key, usize> = HashMap::new();
        let mut values: Vec<(usize, Value, u64)> = Vec::new();
        for (at, it) in placed.iter().enumerate() {
            let group = *groups.entry(self.rules.compare.key(&it.value)).or_insert(values.len());
            if group == values.len() {
                values.push((group, it.value.clone(), 0));
            }
            values[group].2 += 1;
            self.spots.push(Spot {
                observed: it.observed_at,
                written: it.written_at,
                value: group,
                arrived: it.row,
            });
            self.ids.push(it.id.clone());
            self.places.insert(it.row, at);
            self.observed.push(it.observed_at.map_or(it.written_at, |when| when.last()));
            self.believed.push(it.written_at);
        }
        values.sort_by_key(|(group, _, many)| (std::cmp::Reverse(*many), *group));
        let mut ranks = vec![0; values.len()];
        for (rank, (group, _, _)) in values.iter().enumerate() {
            ranks[*group] = rank;
        }
        self.spots.iter_mut().for_each(|spot| spot.value = ranks[spot.value]);
        self.values = values.into_iter().map(|(_, value, many)| (value, many)).collect();
    }

    /// Puts records, rulings and epochs in one order: a ruling stands behind what was observed by then, an epoch before
    /// the first record observed in it.
    fn arrange(&mut self, placed: &[Placed]) {
        let mut begins: HashMap<Epoch, usize> =
            self.epochs.iter().enumerate().map(|(at, seen)| (seen.epoch, at)).collect();
        let mut rulings = 0;
        let mut dated = true;
        for (at, it) in placed.iter().enumerate() {
            let until = it.observed_at.map(|when| when.first());
            while rulings < self.rulings.len() && until.is_none_or(|until| self.rulings[rulings].ruling.at < until)
            {
                self.items.push(Item::Ruling(rulings));
                rulings += 1;
            }
            if dated && until.is_none() {
                dated = false;
                self.items.push(Item::Undated);
            }
            if let Some(epoch) = it.epoch.filter(|_| dated).and_then(|epoch| begins.remove(&epoch)) {
                self.items.push(Item::Epoch(epoch));
            }
            self.items.push(Item::Record(at));
        }
        self.items.extend((rulings..self.rulings.len()).map(Item::Ruling));
    }

    fn link(&mut self, edges: impl IntoIterator<Item = EdgeRow>) {
        self.links = edges.into_iter().collect();
        // What was won or lost says more than what else is linked.
        self.links.sort_by_key(|edge| edge.kind != EdgeKind::Supersedes(Basis::Accept).name());
        for (at, edge) in self.links.iter().enumerate() {
            for row in [edge.from, edge.to] {
                self.linked.entry(row).or_default().push(at);
            }
        }
    }
}

fn kind(edge: &EdgeRow) -> Option<EdgeKind> {
    let between = edge.epochs.map(|(from, to)| EdgeKind::EpochChange { from: Epoch(from), to: Epoch(to) });
    let basis = edge.basis.as_deref().and_then(Basis::named).map(EdgeKind::Supersedes);
    let plain = [EdgeKind::Reobserved, EdgeKind::DerivedFrom, EdgeKind::Same];
    between.or(basis).or_else(|| plain.into_iter().find(|kind| kind.name() == edge.kind))
}

/// Rulings on the slot, those that joined its names, and the policy versions that changed its rules.
fn belief_changes(session: &Session<'_>, timeline: &Timeline) -> Result<Vec<Instant>, StoreError> {
    let mut moments: Vec<Instant> = timeline.rulings.iter().map(|seen| seen.ruling.at).collect();
    for ruling in session.law.identity.joins(&timeline.subject) {
        moments.extend(rows::ruling_numbered(session.connection, ruling)?.map(|stored| stored.ruling.at));
    }
    let names = session.law.identity.names_of(&timeline.subject);
    moments.extend(policy::changes(session.connection, &names, &timeline.attribute)?);
    Ok(moments)
}

fn stamp(session: &Session<'_>, name: &SlotName) -> Result<Stamp, StoreError> {
    let connection = session.connection;
    let home = match session::find(connection, name)? {
        Some((_, home)) => connection
            .prepare_cached("SELECT slot, revision FROM slots WHERE slot = ?1")?
            .query_row([home], |row| Ok((row.get("slot")?, row.get("revision")?)))
            .optional()?,
        None => None,
    };
    let ruling: Option<i64> =
        connection.prepare_cached("SELECT max(ruling) FROM rulings")?.query_row([], |row| row.get(0))?;
    Ok(Stamp { home, ruling: ruling.map(RulingId) })
}
