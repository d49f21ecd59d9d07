//! Import: records in, each judged as it lands. The whole of it is one transaction: taken whole, or not at all.
//!
//! First every record is inserted; then every slot that was touched is settled once. So the work in a slot grows with
//! its records and not with their square, and the order of the lines decides nothing but the word for each landing.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rusqlite::{Connection, OptionalExtension, Transaction};
use serde_json::json;

use super::batch_counts;
use super::chain::{self, Entry};
use super::error::StoreError;
use super::landing::Landing;
use super::late::{self, Late};
use super::lone;
use super::pairs::{self, Changes};
use super::resettle;
use super::rows;
use super::ruling;
use super::session::{self, Session, SlotName};
use super::{By, Store, short};
use crate::core::answer::{FellShort, Shortfall};
use crate::core::examine::Ground;
use crate::core::order::Order;
use crate::core::pair::{RecordState, Revision};
use crate::core::policy::{AttributePolicy, Cardinality, Declaration};
use crate::core::record::{Attribute, Batch, Record, RecordId};
use crate::core::ruling::{PairId, RequestId};
use crate::core::settle::{OpenPair, Slot};
use crate::wire::record::Incoming;

/// How an import is to be done.
#[derive(Clone, Debug)]
pub struct Import {
    /// The name of the import, for the log: its batch unless records name their own.
    pub batch: Batch,
    /// Judge everything and write nothing.
    pub dry_run: bool,
    /// Keep a line for each record.
    pub each: bool,
}

/// What an import did.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    pub read: u64,
    pub added: u64,
    pub duplicates: u64,
    pub unslotted: u64,
    /// The slots that were touched.
    pub slots: u64,
    /// Attributes that hold many values by their nature, and were declared so.
    pub declared: Vec<Attribute>,
    pub outcomes: BTreeMap<&'static str, u64>,
    pub pairs_opened: u64,
    pub pairs_closed: u64,
    /// How many say they answer a request: those that settled it, and those that fell short.
    pub answers: (u64, u64),
    /// The first few that fell short.
    pub fell_short: Vec<(RequestId, FellShort)>,
    /// One for each record, in the order of their lines, where they were asked for.
    pub landings: Vec<Landed>,
}

/// How one record landed.
#[derive(Clone, Debug)]
pub struct Landed {
    pub line: u64,
    pub id: RecordId,
    pub outcome: Landing,
    /// The pair that it opened or joined.
    pub pair: Option<PairId>,
    pub grounds: Vec<Ground>,
    /// The other record of the pair, or the one that it superseded or lost to.
    pub with: Option<RecordId>,
    /// The request that it says it answers, and why that settled nothing, where it did not.
    pub answers: Option<(RequestId, Option<Shortfall>)>,
}

impl Store {
    /// Imports records. An error from the iterator ends the import and nothing is taken. `clash` is told of a record
    /// whose id is already there with other content: it ends the import with an error, or lets the record be left out.
    /// `progress` is told how many were read.
    pub fn import<E: From<StoreError>>(
        &mut self,
        by: &By<'_>,
        import: &Import,
        incoming: impl Iterator<Item = Result<Incoming, E>>,
        mut clash: impl FnMut(&Incoming) -> Result<(), E>,
        mut progress: impl FnMut(u64),
    ) -> Result<Imported, E> {
        let tx = self.write()?;
        let mut session = Session::begin(&tx, by)?;
        let mut arrival = Arrival::begin(&session)?;
        for item in incoming {
            let item = item?;
            arrival.done.read += 1;
            progress(arrival.done.read);
            if let Some(clashing) = arrival.take(&session, item, import.each)? {
                clash(&clashing)?;
            }
        }
        let done = arrival.judge(&mut session, import)?;
        finish(tx, import.dry_run)?;
        Ok(done)
    }
}

fn finish(tx: Transaction<'_>, dry_run: bool) -> Result<(), StoreError> {
    if dry_run {
        tx.rollback()?
    } else {
        tx.commit()?
    };
    Ok(())
}

/// An import under way.
struct Arrival {
    done: Imported,
    event: i64,
    first_row: i64,
    late: Late,
    /// The slots that are to be settled when all is in.
    homes: BTreeSet<i64>,
    /// Records that were settled alone, as they came in.
    alone: u64,
    lines: HashMap<i64, u64>,
    /// Attributes that hold many values where nothing is declared of them.
    many: BTreeSet<Attribute>,
    /// What says it answers a request, and is in no slot.
    unslotted: Vec<(i64, RequestId)>,
}

impl Arrival {
    fn begin(session: &Session<'_>) -> Result<Self, StoreError> {
        let event = chain::head(session.connection)?.map_or(1, |(seq, _)| seq + 1);
        session.begin_slots()?;
        let last: Option<i64> =
            session.connection.query_row("SELECT max(record) FROM records", [], |row| row.get(0))?;
        Ok(Self {
            done: Imported::default(),
            event,
            first_row: last.unwrap_or(0) + 1,
            late: late::begin(session.connection)?,
            homes: BTreeSet::new(),
            alone: 0,
            lines: HashMap::new(),
            many: BTreeSet::new(),
            unslotted: Vec::new(),
        })
    }

    /// Takes a record; gives it back where its id is there already with other content.
    fn take(
        &mut self,
        session: &Session<'_>,
        incoming: Incoming,
        each: bool,
    ) -> Result<Option<Incoming>, StoreError> {
        match content_of(session.connection, &incoming.record.id)? {
            Some(content) if content == incoming.content => {
                self.done.duplicates += 1;
                self.note(incoming.line, &incoming.record, Landing::Duplicate, each);
                return Ok(None);
            }
            Some(_) => return Ok(Some(incoming)),
            None => {}
        }
        let Incoming { mut record, content, written_at_stated, line, many, .. } = incoming;
        record.recorded_at = session.by.now;
        if !written_at_stated {
            record.written_at = session.by.now;
        }
        if many && let Some(attribute) = &record.attribute {
            self.many.insert(attribute.clone());
        }
        let name =
            record.attribute.clone().map(|attribute| SlotName { subject: record.subject.clone(), attribute });
        self.done.added += 1;
        let known = name.as_ref().map(|name| session::find(session.connection, name)).transpose()?.flatten();
        if let (Some(name), None, false) = (&name, known, each)
            && lone::can_stand(session, &record)
        {
            lone::enter(session, name, &record, self.event, &content)?;
            self.alone += 1;
            return Ok(None);
        }
        let slot = match (&name, known) {
            (Some(name), None) => Some(session.slot(name)?),
            (Some(_) | None, known) => known,
        };
        if let Some((_, home)) = slot
            && self.homes.insert(home)
            && known.is_some()
            && session.is_fresh(home)
        {
            // It was settled alone, and is not: it is told with the others.
            self.alone = self.alone.saturating_sub(1);
        }
        let slot = slot.map(|(slot, _)| slot);
        let (row, _) = rows::insert_record(session.connection, &record, slot, self.event, &content)?;
        if slot.is_none() {
            self.done.unslotted += 1;
            self.note(line, &record, Landing::Unslotted, each);
            self.unslotted.extend(record.answers.map(|request| (row, request)));
        } else if each {
            self.lines.insert(row, line);
        }
        Ok(None)
    }

    fn note(&mut self, line: u64, record: &Record, outcome: Landing, each: bool) {
        *self.done.outcomes.entry(outcome.name()).or_default() += 1;
        if each {
            let unheard = record.answers.filter(|_| outcome == Landing::Unslotted);
            self.done.landings.push(Landed {
                line,
                id: record.id.clone(),
                outcome,
                pair: None,
                grounds: Vec::new(),
                with: None,
                answers: unheard.map(|request| (request, Some(Shortfall::Unslotted))),
            });
        }
    }

    /// Tells the import, then settles every slot that it touched.
    fn judge(mut self, session: &mut Session<'_>, import: &Import) -> Result<Imported, StoreError> {
        if self.done.added == 0 {
            self.late.make(session.connection)?;
            return Ok(self.done);
        }
        let mut changes = Changes::default();
        let body = json!({
            "batch": import.batch.as_str(), "read": self.done.read, "added": self.done.added,
            "duplicates": self.done.duplicates, "unslotted": self.done.unslotted,
            "digest": chain::digest_of_records(session.connection, self.event)?,
        });
        chain::append(session.connection, &session.by, &Entry::new("import", body))?;
        self.late.make(session.connection)?;
        if self.alone > 0 {
            self.done.outcomes.insert(Landing::Held.name(), self.alone);
        }
        batch_counts::arrived(session.connection, self.first_row)?;
        self.declare_many(session, &mut changes)?;
        self.done.slots = self.alone + self.homes.len() as u64;
        for (row, request) in std::mem::take(&mut self.unslotted) {
            self.falls_short(session, row, request, Shortfall::Unslotted)?;
        }
        for home in session::by_name(session.connection, &std::mem::take(&mut self.homes))? {
            let name = session::name_of(session.connection, home)?;
            let many = session.rules(&name).cardinality == Some(Cardinality::Many);
            let (mut landed, mut answers): (Vec<LandedRow>, _) = (Vec::new(), Answers::new());
            let first_row = self.first_row;
            changes.extend(resettle::slot_and(session, home, |slot, rows| {
                landed = landings(slot, rows, first_row, many);
                answers = answers_of(slot, rows);
            })?);
            self.hear(session, &mut landed, answers)?;
            self.report(session, home, landed, import.each)?;
        }
        self.done.pairs_opened = u64::try_from(changes.opened.len()).unwrap_or(u64::MAX);
        self.done.pairs_closed = u64::try_from(changes.closed.len()).unwrap_or(u64::MAX);
        self.done.landings.sort_by_key(|landed| landed.line);
        Ok(self.done)
    }

    /// Declares what holds many values by its nature and has nothing declared of it yet, as one stroke: a person sees it
    /// in the log, and undoes or changes it like any declaration.
    fn declare_many(&mut self, session: &mut Session<'_>, changes: &mut Changes) -> Result<(), StoreError> {
        let undeclared: Vec<Attribute> = std::mem::take(&mut self.many)
            .into_iter()
            .filter(|attribute| session.policy.rules_of(&[], attribute).cardinality.is_none())
            .collect();
        if !undeclared.is_empty() {
            // Slots of this import are settled here, and again below: what the first time stored is read the second.
            session.end_slots();
        }
        let order = |attribute: &Attribute| Order::Declare {
            declaration: Declaration {
                attribute: attribute.clone(),
                subject: None,
                fields: AttributePolicy { cardinality: Some(Cardinality::Many), ..AttributePolicy::default() },
            },
        };
        let orders: Vec<(Order, Option<Revision>)> = undeclared.iter().map(|it| (order(it), None)).collect();
        for outcome in ruling::stroke(session, &orders, &mut |_, _| true)?.into_iter().flatten().flatten() {
            changes.opened.extend(outcome.opened);
            changes.closed.extend(outcome.closed);
        }
        session.bulk = None;
        self.done.declared = undeclared;
        Ok(())
    }

    /// Counts the answers among what landed, and tells of those that settled nothing.
    fn hear(
        &mut self,
        session: &Session<'_>,
        landed: &mut [LandedRow],
        mut answers: Answers,
    ) -> Result<(), StoreError> {
        for it in landed {
            let Some((request, why)) = answers.remove(&it.row) else { continue };
            let why = why.map(|why| short::explained(session.connection, request, why)).transpose()?;
            match &why {
                None => self.done.answers.0 += 1,
                Some(why) => self.falls_short(session, it.row, request, why.clone())?,
            }
            it.answers = Some((request, why));
        }
        Ok(())
    }

    fn falls_short(
        &mut self,
        session: &Session<'_>,
        row: i64,
        request: RequestId,
        why: Shortfall,
    ) -> Result<(), StoreError> {
        /// So many are named; the log has all of them.
        const NAMED: usize = 20;
        let record = rows::record_at(session.connection, row)?.record;
        short::tell(session, &record, request, &why)?;
        self.done.answers.1 += 1;
        if self.done.fell_short.len() < NAMED {
            self.done.fell_short.push((request, FellShort { record: record.id, why }));
        }
        Ok(())
    }

    fn report(
        &mut self,
        session: &Session<'_>,
        home: i64,
        landed: Vec<LandedRow>,
        each: bool,
    ) -> Result<(), StoreError> {
        for it in &landed {
            *self.done.outcomes.entry(it.outcome.name()).or_default() += 1;
        }
        if !each {
            return Ok(());
        }
        let open: Vec<pairs::PairRow> =
            pairs::of_home(session.connection, home)?.into_iter().filter(|pair| !pair.is_settled()).collect();
        for it in landed {
            let pair = open.iter().find(|pair| it.pair == Some((pair.left, pair.right)));
            self.done.landings.push(Landed {
                line: self.lines.get(&it.row).copied().unwrap_or_default(),
                id: rows::record_at(session.connection, it.row)?.record.id,
                outcome: it.outcome,
                pair: pair.map(|pair| PairId(pair.pair)),
                grounds: pair.map(|pair| pairs::grounds(&pair.grounds)).unwrap_or_default(),
                with: it
                    .with
                    .map(|with| rows::record_at(session.connection, with))
                    .transpose()?
                    .map(|it| it.record.id),
                answers: it.answers,
            });
        }
        Ok(())
    }
}

fn content_of(connection: &Connection, id: &RecordId) -> Result<Option<[u8; 32]>, StoreError> {
    Ok(connection
        .prepare_cached("SELECT content FROM records WHERE id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?)
}

struct LandedRow {
    row: i64,
    outcome: Landing,
    with: Option<i64>,
    /// The records of the pair that it opened or joined.
    pair: Option<(i64, i64)>,
    answers: Option<(RequestId, Option<Shortfall>)>,
}

/// The first record of each claim, by its row; what is withdrawn is as if it were not there.
fn first_of_claims(slot: &Slot<'_>, rows: &[i64]) -> HashMap<usize, i64> {
    let mut first: HashMap<usize, i64> = HashMap::new();
    for (at, claim) in slot.claim.iter().enumerate() {
        if let Some(claim) = claim.filter(|_| slot.states[at] != RecordState::Withdrawn) {
            first.entry(claim).and_modify(|first| *first = rows[at].min(*first)).or_insert(rows[at]);
        }
    }
    first
}

/// The word for each new record of a settled slot: how it stands to what was there before it.
fn landings(slot: &Slot<'_>, rows: &[i64], first_row: i64, many: bool) -> Vec<LandedRow> {
    let withdrawn = |at: &usize| slot.states[*at] == RecordState::Withdrawn;
    let first_of_slot = (0..rows.len()).filter(|at| !withdrawn(at)).map(|at| rows[at]).min();
    let first_of_claim = first_of_claims(slot, rows);
    let speaking: BTreeSet<i64> = slot
        .foremost
        .iter()
        .flat_map(|live| std::iter::once(live.speaker).chain(live.supporters.iter().copied()))
        .map(|at| rows[at])
        .collect();
    let mut opposed: HashMap<usize, Vec<&OpenPair>> = HashMap::new();
    for pair in &slot.pairs {
        for at in [pair.left, pair.right] {
            opposed.entry(slot.claim[at].unwrap_or(usize::MAX - at)).or_default().push(pair);
        }
    }
    // Of several pairs, the one with what was there before.
    let quarantined = |at: usize| {
        let claim = |at: usize| slot.claim[at].unwrap_or(usize::MAX - at);
        let other = |pair: &OpenPair| if claim(pair.left) == claim(at) { pair.right } else { pair.left };
        let pairs = opposed.get(&claim(at))?;
        let earlier = pairs.iter().find(|pair| rows[other(pair)] < rows[at]);
        earlier.or(pairs.first()).map(|pair| (other(pair), (rows[pair.left], rows[pair.right])))
    };
    let beaten: HashMap<usize, usize> =
        slot.superseded_by.iter().enumerate().filter_map(|(at, by)| Some(((*by)?, at))).collect();
    let beats = |at: usize| beaten.get(&at).copied();
    let beaten_by = |at: usize| slot.superseded_by[at];
    let outcome = |at: usize| -> (Landing, Option<usize>) {
        let row = rows[at];
        let earlier_in_claim =
            slot.claim[at].and_then(|claim| first_of_claim.get(&claim)).is_some_and(|first| *first < row);
        let agrees = earlier_in_claim
            || (!many && speaking.contains(&row) && speaking.iter().next().is_some_and(|first| *first < row));
        if slot.states[at] == RecordState::History {
            return (Landing::History, None);
        }
        if first_of_slot == Some(row) {
            return (Landing::Held, None);
        }
        // It contends and speaks for nothing: it says what stands already, without the provenance to support it.
        let unproven = !many
            && slot.states[at] == RecordState::Live
            && !slot.records[at].is_retraction()
            && !speaking.contains(&row);
        if agrees || unproven {
            return (Landing::Agrees, None);
        }
        match slot.states[at] {
            RecordState::Contested => (Landing::Quarantined, quarantined(at).map(|(other, _)| other)),
            RecordState::Superseded | RecordState::Retracted if beaten_by(at).is_some_and(|by| rows[by] < row) => {
                (Landing::Superseded, beaten_by(at))
            }
            RecordState::Live if slot.records[at].is_retraction() => (Landing::Retracts, beats(at)),
            RecordState::Live | RecordState::Superseded | RecordState::Retracted if many => {
                (Landing::Coexists, None)
            }
            RecordState::Live
            | RecordState::Superseded
            | RecordState::Retracted
            | RecordState::History
            | RecordState::Withdrawn => (Landing::Supersedes, beats(at)),
        }
    };
    (0..rows.len())
        .filter(|at| rows[*at] >= first_row)
        .map(|at| {
            let (outcome, with) = outcome(at);
            let pair = quarantined(at).filter(|_| outcome == Landing::Quarantined).map(|(_, pair)| pair);
            LandedRow { row: rows[at], outcome, with: with.map(|with| rows[with]), pair, answers: None }
        })
        .collect()
}

/// What each record, by its row, says it answers; and why that settles nothing, where it does not.
type Answers = HashMap<i64, (RequestId, Option<Shortfall>)>;

fn answers_of(slot: &Slot<'_>, rows: &[i64]) -> Answers {
    let settled = slot.answered.iter().map(|(request, at)| (rows[*at], (*request, None)));
    let short = slot.fell_short.iter().map(|(request, at, why)| (rows[*at], (*request, Some(why.clone()))));
    settled.chain(short).collect()
}
