//! An export brought back into an empty store: the same records, rulings and events, to the hash, and all that follows
//! worked out anew. Whatever does not hold together is refused, and nothing is taken.

use rusqlite::{Connection, params};

use super::archive;
use super::chain::{self, Link, hex};
use super::error::StoreError;
use super::inspect::Plan;
use super::{By, Store, rebuild, refusals, rows};
use crate::core::time::Instant;
use crate::wire::Fault;
use crate::wire::archive::{
    EventLine, FORMAT, Header, Line, NamesLine, PolicyLine, RecordLine, RulingLine, SlotLine,
};
use crate::wire::fault::Position;

/// What was brought back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    pub header: Header,
    pub unslotted: u64,
}

/// Why an export was not taken. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The store is not empty.
    #[error("an export is a whole store: it can only be brought back into an empty one")]
    NotEmpty,
    /// Something in it is not as it was written.
    #[error("{0}")]
    Line(Box<Fault>),
    /// Its lines are sound, and yet they do not belong together.
    #[error("the export does not hold together: {0}")]
    NotWhole(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<rusqlite::Error> for RestoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Store(error.into())
    }
}

impl From<Fault> for RestoreError {
    fn from(fault: Fault) -> Self {
        Self::Line(Box::new(fault))
    }
}

impl Store {
    /// Brings an export back. Each line comes with its number; a fault of the reader ends it, as any other does.
    pub fn restore(
        &mut self,
        by: &By<'_>,
        lines: impl Iterator<Item = Result<(u64, Line), RestoreError>>,
        dry_run: bool,
    ) -> Result<Restored, RestoreError> {
        let tx = self.write()?;
        must_be_empty(&tx)?;
        let mut taking = Taking { connection: &tx, header: None, previous: Vec::new(), line: 0 };
        let mut failed = None;
        refusals::without(&tx, || {
            tx.execute_batch("DELETE FROM events; DELETE FROM policies")?;
            failed = lines.map(|line| taking.take(line?)).find_map(Result::err);
            Ok(())
        })?;
        if let Some(failed) = failed {
            return Err(failed);
        }
        let header = taking.finish()?;
        let lacking = rebuild::rebuild(&tx, by)?;
        if let Some(lacking) = lacking.first() {
            let about = lacking.subject.iter().map(ToString::to_string);
            let about: Vec<String> = about.chain(lacking.attribute.iter().map(ToString::to_string)).collect();
            return Err(RestoreError::NotWhole(format!(
                "its log lacks an event ({}) of {}",
                lacking.kind,
                about.join(" ")
            )));
        }
        let found = Plan::of_what_is_true(&tx)?.look(&tx, by, &mut || true)?.unwrap_or_default();
        if let Some(damage) = found.damage.first() {
            return Err(RestoreError::NotWhole(format!("{}: {}", damage.what, damage.wrong)));
        }
        let unslotted = tx.query_row("SELECT count(*) FROM records WHERE slot IS NULL", [], |row| row.get(0))?;
        if dry_run {
            tx.rollback()?
        } else {
            tx.commit()?
        };
        Ok(Restored { header, unslotted: rows::whole(unslotted) })
    }
}

fn must_be_empty(connection: &Connection) -> Result<(), RestoreError> {
    let empty: bool = connection.query_row(
        "SELECT NOT EXISTS (SELECT 1 FROM records) AND NOT EXISTS (SELECT 1 FROM rulings)
             AND (SELECT count(*) FROM events) <= 1",
        [],
        |row| row.get(0),
    )?;
    if empty { Ok(()) } else { Err(RestoreError::NotEmpty) }
}

/// An export being taken.
struct Taking<'c> {
    connection: &'c Connection,
    header: Option<Header>,
    /// The hash of the event before.
    previous: Vec<u8>,
    line: u64,
}

impl Taking<'_> {
    fn take(&mut self, (number, line): (u64, Line)) -> Result<(), RestoreError> {
        self.line = number;
        match (line, &self.header) {
            (Line::Export(header), None) if header.format == FORMAT => self.header = Some(header),
            (Line::Export(header), None) => {
                let message = format!("the export is of form {}", header.format);
                return Err(self.fault(&message, &format!("form {FORMAT}, which this version knows")));
            }
            (Line::Export(_), Some(_)) => return Err(self.fault("a second export begins here", "one export")),
            (_, None) => return Err(self.fault("the first line is missing", "the line that begins an export")),
            (Line::Policy(policy), Some(_)) => self.policy(&policy)?,
            (Line::Slot(slot), Some(_)) => self.slot(&slot)?,
            (Line::Record(record), Some(_)) => self.record(&record)?,
            (Line::Ruling(ruling), Some(_)) => self.ruling(&ruling)?,
            (Line::Names(names), Some(_)) => self.names(&names)?,
            (Line::Event(event), Some(_)) => self.event(&event)?,
        }
        Ok(())
    }

    /// Everything that the first line promised must have come.
    fn finish(&self) -> Result<Header, RestoreError> {
        let Some(promised) = &self.header else {
            return Err(self.fault("nothing is in it", "an export"));
        };
        let came = archive::header(self.connection)?;
        if came == *promised {
            return Ok(came);
        }
        let counts = [
            ("policy versions", promised.policies, came.policies),
            ("slots", promised.slots, came.slots),
            ("records", promised.records, came.records),
            ("rulings", promised.rulings, came.rulings),
            ("events", promised.events, came.events),
        ];
        let short = counts.iter().find(|(_, promised, came)| promised != came);
        Err(RestoreError::NotWhole(match short {
            Some((what, promised, came)) => format!("it should hold {promised} {what}, and holds {came}"),
            None => "its last event is not the one that its first line names".to_owned(),
        }))
    }

    fn fault(&self, message: &str, expected: &str) -> RestoreError {
        Fault::new(Position { line: self.line.max(1), column: 1 }, message, expected).into()
    }

    /// The error of a row that the store refuses: a number twice, a name that is missing.
    fn refused(&self, error: &rusqlite::Error) -> RestoreError {
        self.fault(&format!("the store refuses it: {error}"), "what an export of a whole store holds")
    }

    fn time(&self, text: &str) -> Result<String, RestoreError> {
        let read: Result<Instant, _> = text.parse();
        read.map(Instant::sortable).map_err(|error| self.fault(&error.to_string(), "a time"))
    }

    fn policy(&self, it: &PolicyLine) -> Result<(), RestoreError> {
        let sql = "INSERT INTO policies (version, at, ruling, document) VALUES (?1, ?2, ?3, ?4)";
        let row = params![it.version, self.time(&it.at)?, it.ruling, it.document];
        self.connection.prepare_cached(sql)?.execute(row).map_err(|error| self.refused(&error))?;
        Ok(())
    }

    fn slot(&self, it: &SlotLine) -> Result<(), RestoreError> {
        let sql = "INSERT INTO slots (slot, subject, attribute, home) VALUES (?1, ?2, ?3, ?1)";
        let row = params![it.slot, it.subject, it.attribute];
        self.connection.prepare_cached(sql)?.execute(row).map_err(|error| self.refused(&error))?;
        Ok(())
    }

    fn record(&self, it: &RecordLine) -> Result<(), RestoreError> {
        let (record, content) = it.record(self.line)?;
        let inserted = rows::insert_record(self.connection, &record, it.slot, it.event, &content);
        let row = inserted.map_err(|error| self.fault(&error.to_string(), "a record of a whole store"))?;
        if row != it.row {
            return Err(self.fault(&format!("record {row} is missing"), "every record, in order"));
        }
        if let Some(erased) = &it.erased {
            let bytes = |text: &str| unhex(text).ok_or_else(|| self.fault("a hash cannot be read", "64 digits"));
            self.connection
                .prepare_cached("UPDATE records SET erased = ?2, content = ?3, hash = ?4 WHERE record = ?1")?
                .execute(params![row, erased.event, bytes(&erased.content)?, bytes(&erased.hash)?])?;
        }
        Ok(())
    }

    fn ruling(&self, it: &RulingLine) -> Result<(), RestoreError> {
        let sql = "INSERT INTO rulings (ruling, at, actor, kind, pair, slot, reason, body, undoes, bulk)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
        let (at, body) = (self.time(&it.at)?, it.body.to_string());
        let row = params![it.ruling, at, it.actor, it.kind, it.pair, it.slot, it.reason, body, it.undoes, it.bulk];
        self.connection.prepare_cached(sql)?.execute(row).map_err(|error| self.refused(&error))?;
        Ok(())
    }

    fn names(&self, it: &NamesLine) -> Result<(), RestoreError> {
        let mut insert =
            self.connection.prepare_cached("INSERT INTO ruling_records (record, ruling) VALUES (?1, ?2)")?;
        for row in &it.rows {
            insert.execute([*row, it.ruling]).map_err(|error| self.refused(&error))?;
        }
        Ok(())
    }

    fn event(&mut self, it: &EventLine) -> Result<(), RestoreError> {
        let (at, body) = (self.time(&it.at)?, it.body.to_string());
        let link = Link {
            seq: it.seq,
            at: &at,
            actor: &it.actor,
            kind: &it.kind,
            subject: it.subject.as_deref(),
            attribute: it.attribute.as_deref(),
            pair: it.pair,
            ruling: it.ruling,
            body: &body,
        };
        let hash = chain::link_hash(&self.previous, &link);
        if hex(&hash) != it.hash {
            return Err(self.fault(
                &format!(
                    "the hash of event {} does not follow from what it says and from the event before it",
                    it.seq
                ),
                "an export as it was written",
            ));
        }
        let inserted = chain::insert(self.connection, &link, &hash);
        inserted.map_err(|error| self.fault(&error.to_string(), "every event, in order"))?;
        self.previous = hash;
        Ok(())
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text
        .bytes()
        .map(|digit| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect();
    let digits = digits.filter(|digits| digits.len() == 64)?;
    Some(digits.chunks_exact(2).map(|two| two[0] << 4 | two[1]).collect())
}
