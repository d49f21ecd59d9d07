//! Import: records in, each judged as it lands. It is taken whole, or not at all.
//!
//! First every record is read and staged, out of everybody's way. Then one transaction takes all of them in the order of
//! their slots, and settles every slot that they touched once. So the work in a slot grows with its records and not with
//! their square, and the order of the lines decides nothing but the word for each landing.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rusqlite::{Row, Transaction};
use serde_json::json;

use super::alias;
use super::batch_counts;
use super::cells::inserting;
use super::chain::{self, DigestOfRecords, Entry};
use super::error::StoreError;
use super::landing::{Answers, LandedRow, Landing, answers_of, landings};
use super::late::{self, Late};
use super::law::SlotName;
use super::pairs::{self, Changes};
use super::project;
use super::resettle;
use super::rows::{self, Stored};
use super::ruling;
use super::session::{self, Session};
use super::slot::Loaded;
use super::stage::{Known, Stage, Waiting};
use super::{By, Store, short};
use crate::core::answer::{FellShort, Shortfall};
use crate::core::examine::Ground;
use crate::core::order::Order;
use crate::core::pair::Revision;
use crate::core::policy::{AttributePolicy, Cardinality, Declaration};
use crate::core::record::{Attribute, Batch, RecordId, Subject};
use crate::core::ruling::{PairId, RequestId};
use crate::core::settle::Slot;
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

/// A record that is left out, or ends the import: its id is there already with other content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    pub id: RecordId,
    pub line: u64,
    /// The bytes that it came in, where they were kept.
    pub raw: Vec<u8>,
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
        mut clash: impl FnMut(&Clash) -> Result<(), E>,
        mut progress: impl FnMut(u64),
    ) -> Result<Imported, E> {
        let mut done = Imported::default();
        let aside = self.aside()?;
        let stage = Stage::begin(&aside)?;
        for item in incoming {
            stage.take(&item?)?;
            done.read += 1;
            progress(done.read);
        }
        aside.commit().map_err(StoreError::from)?;
        let tx = self.write()?;
        let mut session = Session::begin(&tx, by)?;
        let stage = Stage::filled(&tx);
        stage.take_known(|known| {
            if known.same {
                done.duplicate(known, import.each);
                return Ok(());
            }
            let Known { id, line, raw, .. } = known;
            clash(&Clash { id, line, raw })
        })?;
        done.added = stage.count()?;
        let done = if done.added == 0 {
            done
        } else {
            Arrival::take(&session, &stage, done, import)?.judge(&mut session)?
        };
        stage.end()?;
        finish(tx, import.dry_run)?;
        Ok(done)
    }
}

impl Imported {
    fn duplicate(&mut self, known: Known, each: bool) {
        self.duplicates += 1;
        self.note(Landing::Duplicate, each.then_some((known.line, known.id)), None);
    }

    fn note(
        &mut self,
        outcome: Landing,
        told: Option<(u64, RecordId)>,
        answers: Option<(RequestId, Option<Shortfall>)>,
    ) {
        *self.outcomes.entry(outcome.name()).or_default() += 1;
        if let Some((line, id)) = told {
            let (pair, grounds, with) = (None, Vec::new(), None);
            self.landings.push(Landed { line, id, outcome, pair, grounds, with, answers });
        }
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

/// Records that were taken, and are to be judged.
struct Arrival<'i> {
    done: Imported,
    import: &'i Import,
    /// The row number of the first of them.
    first_row: i64,
    /// Slots from this number on were made for them: nothing of these is stored but their names.
    first_slot: i64,
    late: Late,
    /// The line of each record that is told.
    lines: HashMap<i64, u64>,
    /// Attributes that hold many values where nothing is declared of them.
    many: Vec<Attribute>,
    /// What says it answers a request, and is in no slot.
    unslotted: Vec<(i64, RequestId)>,
    /// Of all of them.
    digest: String,
}

impl<'i> Arrival<'i> {
    /// Takes what is staged into the store.
    fn take(
        session: &Session<'_>,
        stage: &Stage<'_>,
        done: Imported,
        import: &'i Import,
    ) -> Result<Self, StoreError> {
        let connection = session.connection;
        let after =
            |sql: &str| connection.query_row(sql, [], |row| Ok(row.get::<_, Option<i64>>(0)?.unwrap_or(0) + 1));
        let mut arrival = Self {
            first_row: after("SELECT max(record) FROM records")?,
            first_slot: after("SELECT max(slot) FROM slots")?,
            late: late::begin(connection)?,
            lines: HashMap::new(),
            many: stage.many()?,
            unslotted: Vec::new(),
            digest: String::new(),
            import,
            done,
        };
        let event = chain::head(connection)?.map_or(1, |(seq, _)| seq + 1);
        let mut digest = DigestOfRecords::of(arrival.done.added);
        let (mut slot, mut insert) = (None, inserting(connection)?);
        let now = session.by.now.sortable();
        stage.each(&session.law.identity, &now, |it| {
            let place = Place::of(session, &mut slot, it)?;
            let (row, hash) = it.cells.insert(&mut insert, place, event, it.content)?;
            digest.add(&hash);
            arrival.arrived(row, place, it);
            Ok(())
        })?;
        arrival.digest = digest.finish();
        Ok(arrival)
    }

    fn arrived(&mut self, row: i64, slot: Option<i64>, it: &Waiting<'_>) {
        let line = u64::try_from(it.line).unwrap_or_default();
        if slot.is_some() {
            if self.import.each {
                self.lines.insert(row, line);
            }
            return;
        }
        let answers = it.cells.answers.map(RequestId);
        let unheard = answers.map(|request| (request, Some(Shortfall::Unslotted)));
        let told = self.import.each.then(|| (line, RecordId::from(it.cells.id)));
        self.done.unslotted += 1;
        self.done.note(Landing::Unslotted, told, unheard);
        self.unslotted.extend(answers.map(|request| (row, request)));
    }

    /// Tells the import, then settles every slot that it touched.
    fn judge(mut self, session: &mut Session<'_>) -> Result<Imported, StoreError> {
        let body = json!({
            "batch": self.import.batch.as_str(), "read": self.done.read, "added": self.done.added,
            "duplicates": self.done.duplicates, "unslotted": self.done.unslotted, "digest": self.digest,
        });
        chain::append(session.connection, &session.by, &Entry::new("import", body))?;
        self.late.before_judging(session.connection)?;
        batch_counts::arrived(session.connection, self.first_row)?;
        let mut changes = Changes::default();
        self.declare_many(session, &mut changes)?;
        for (row, request) in std::mem::take(&mut self.unslotted) {
            self.falls_short(session, row, request, Shortfall::Unslotted)?;
        }
        self.settle_all(session, &mut changes)?;
        self.late.after_judging(session.connection)?;
        self.done.pairs_opened += count(&changes.opened);
        self.done.pairs_closed = count(&changes.closed);
        self.done.landings.sort_by_key(|landed| landed.line);
        Ok(self.done)
    }

    /// Goes through what has come, slot by slot: it lies in that order.
    fn settle_all(&mut self, session: &Session<'_>, changes: &mut Changes) -> Result<(), StoreError> {
        let sql = format!(
            "SELECT {} FROM records r WHERE r.record >= ?1 AND r.slot IS NOT NULL ORDER BY r.record",
            rows::RECORD
        );
        let mut statement = session.connection.prepare(&sql)?;
        let mut found = statement.query([self.first_row])?;
        let mut group: Option<Group> = None;
        while let Some(row) = found.next()? {
            let slot: i64 = row.get(rows::SLOT)?;
            if group.as_ref().is_none_or(|group| group.slot != slot) {
                let (home, name) = self.home(session, slot, row)?;
                let same = group.take_if(|group| group.home == home);
                if let Some(before) = group.take() {
                    self.settle(session, before, changes)?;
                }
                let records = same.map(|group| group.records).unwrap_or_default();
                group = Some(Group { slot, home, name, records });
            }
            // Of a slot that was there all its records are read, and not only these.
            if let Some(group) = group.as_mut().filter(|group| group.home >= self.first_slot) {
                group.records.push(rows::record(row)?);
            }
        }
        group.map_or(Ok(()), |group| self.settle(session, group, changes))
    }

    /// Where the records of a slot are settled. One that was made for these is its own home, but where its subject has
    /// another name.
    fn home(&self, session: &Session<'_>, slot: i64, first: &Row<'_>) -> Result<(i64, SlotName), StoreError> {
        if slot >= self.first_slot {
            let name = slot_name(first)?;
            if session.law.identity.is_canonical(&name.subject) {
                return Ok((slot, name));
            }
        }
        let home = session::home_of(session.connection, slot)?;
        Ok((home, session::name_of(session.connection, home)?))
    }

    fn settle(&mut self, session: &Session<'_>, group: Group, changes: &mut Changes) -> Result<(), StoreError> {
        let Group { home, name, records, .. } = group;
        self.done.slots += 1;
        let many = session.rules(&name).cardinality == Some(Cardinality::Many);
        let first_row = self.first_row;
        let (mut landed, mut answers): (Vec<LandedRow>, _) = (Vec::new(), Answers::new());
        let look = |slot: &Slot<'_>, rows: &[i64]| {
            landed = landings(slot, rows, first_row, many);
            answers = answers_of(slot, rows);
        };
        if records.is_empty() {
            changes.extend(resettle::slot_and(session, home, look)?);
        } else {
            // A pair of a slot that was made for these records is opened once: counted, it need not be remembered.
            let loaded = Loaded { name, records, rulings: Vec::new() };
            self.done.pairs_opened += count(&project::project_made(session, home, &loaded, look)?.opened);
            changes.extend(alias::pairs_touching(session, home)?);
        }
        self.hear(session, &mut landed, answers)?;
        self.report(session, home, landed)
    }

    /// Declares what holds many values by its nature and has nothing declared of it yet, as one stroke: a person sees it
    /// in the log, and undoes or changes it like any declaration.
    fn declare_many(&mut self, session: &mut Session<'_>, changes: &mut Changes) -> Result<(), StoreError> {
        let undeclared: Vec<Attribute> = std::mem::take(&mut self.many)
            .into_iter()
            .filter(|attribute| session.law.policy.rules_of(&[], attribute).cardinality.is_none())
            .collect();
        if undeclared.is_empty() {
            return Ok(());
        }
        // Slots of this import are settled here, and again below: what the first time stored is read the second.
        self.first_slot = i64::MAX;
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

    fn report(&mut self, session: &Session<'_>, home: i64, landed: Vec<LandedRow>) -> Result<(), StoreError> {
        for it in &landed {
            *self.done.outcomes.entry(it.outcome.name()).or_default() += 1;
        }
        if !self.import.each {
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

fn count(pairs: &BTreeSet<PairId>) -> u64 {
    u64::try_from(pairs.len()).unwrap_or(u64::MAX)
}

/// What has come of one home, as far as it was read.
struct Group {
    slot: i64,
    home: i64,
    name: SlotName,
    records: Vec<Stored>,
}

/// The slot of a record, from a row that begins with [`rows::RECORD`].
fn slot_name(row: &Row<'_>) -> rusqlite::Result<SlotName> {
    let text = |place: usize| Ok::<_, rusqlite::Error>(row.get_ref(place)?.as_str()?);
    Ok(SlotName { subject: Subject::from(text(3)?), attribute: Attribute::from(text(4)?) })
}

/// Where the last record is kept: the next one is of that slot most often, where it is not the first of its own.
struct Place {
    name: SlotName,
    slot: i64,
}

impl Place {
    /// The slot in which a record is kept, made where it is not there; what names no attribute has none.
    fn of(session: &Session<'_>, last: &mut Option<Self>, it: &Waiting<'_>) -> Result<Option<i64>, StoreError> {
        let Some(attribute) = it.cells.attribute else { return Ok(None) };
        let same = last.as_ref().filter(|last| {
            last.name.subject.as_str() == it.cells.subject && last.name.attribute.as_str() == attribute
        });
        if let Some(last) = same {
            return Ok(Some(last.slot));
        }
        let name = SlotName { subject: Subject::from(it.cells.subject), attribute: Attribute::from(attribute) };
        let (slot, _) = session.slot(&name)?;
        *last = Some(Self { name, slot });
        Ok(Some(slot))
    }
}
