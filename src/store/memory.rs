//! What the store answers, subject by subject, in one consistent view.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rusqlite::{Transaction, TransactionBehavior, params};

use super::Store;
use super::batch::withdrawn_rows;
use super::error::StoreError;
use super::frame::Frame;
use super::recall;
use super::rows::{self, RECORD, Stored};
use super::view::View;
use crate::core::memory::{Held, Memory, Spoken};
use crate::core::record::{Op, Record, RecordId, Subject};
use crate::core::ruling::{RulingId, WithdrawReason};
use crate::core::settle::Slot;
use crate::core::value::canonical;

impl Store {
    /// Hands on what is held of each subject, until `each` fails; the subjects in the order of their names. Others may
    /// go on writing: what they write is not in it.
    pub fn memory<E: From<StoreError>>(&self, mut each: impl FnMut(Memory) -> Result<(), E>) -> Result<(), E> {
        let still = Transaction::new_unchecked(&self.connection, TransactionBehavior::Deferred)
            .map_err(StoreError::from)?;
        let frame = self.frames.now(&self.connection)?;
        for subject in self.canonical_subjects(&frame)? {
            each(self.memory_of(subject, &frame)?)?;
        }
        still.rollback().map_err(StoreError::from)?;
        Ok(())
    }

    /// Every subject that something is said of, under the name that stands for all of its names.
    fn canonical_subjects(&self, frame: &Frame) -> Result<BTreeSet<Subject>, StoreError> {
        let mut statement = self
            .connection
            .prepare("SELECT subject FROM slots UNION SELECT subject FROM records WHERE slot IS NULL")?;
        let names = statement.query_map([], |row| row.get::<_, String>(0))?;
        names.map(|name| Ok(frame.identity.canonical(&Subject::from(name?.as_str())))).collect()
    }

    fn memory_of(&self, subject: Subject, frame: &Arc<Frame>) -> Result<Memory, StoreError> {
        let mut slots = Vec::new();
        for attribute in self.attributes(&subject)? {
            let view = View::of(self, &subject, &attribute, frame)?;
            let records: Vec<&Record> = view.records.iter().collect();
            let slot = crate::core::recall::now(&records, &view.rules, &view.rulings);
            let mut live = Vec::new();
            for record in recall::speakers(&slot, view.rules.cardinality) {
                live.push(Spoken { in_a_sentence: self.says_only(record)?, record: record.clone() });
            }
            slots.push(Held {
                status: slot.status,
                cardinality: view.rules.cardinality,
                live,
                contenders: contenders(&slot),
                pairs: view.pairs(self, &slot, None)?,
                attribute,
            });
        }
        let mut sentences = Vec::new();
        for name in frame.identity.names_of(&subject) {
            sentences.extend(self.sentences(&name)?);
        }
        // By their words where they were written at once: their names differ from store to store.
        let key = |record: &Record| (record.written_at, canonical(&record.value), record.id.clone());
        sentences.sort_by_cached_key(key);
        Ok(Memory { subject, slots, sentences })
    }

    /// What is said of this name in no slot, and was read into none.
    fn sentences(&self, name: &Subject) -> Result<Vec<Record>, StoreError> {
        let sql = format!("SELECT {RECORD} FROM records r WHERE r.slot IS NULL AND r.subject = ?1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let stored: Vec<Stored> = statement.query_map([name.as_str()], rows::record)?.collect::<Result<_, _>>()?;
        let withdrawn = withdrawn_rows(&self.connection, &stored)?;
        let mut left = Vec::new();
        for stored in stored.into_iter().filter(|stored| !withdrawn.contains(&stored.row)) {
            if !self.is_read(&stored.record.id)? {
                left.push(stored.record);
            }
        }
        Ok(left)
    }

    /// Whether the record was read out of a sentence, and it alone.
    fn says_only(&self, record: &Record) -> Result<bool, StoreError> {
        let slotted = record.source.as_ref().is_some_and(|source| source.fields.contains_key("slotted_by"));
        let Some(origin) = record.derived_from.as_ref().filter(|_| slotted && record.evidence.is_some()) else {
            return Ok(false);
        };
        // What completes a record that was read has other words for its evidence: those that prove it.
        let mut statement =
            self.connection.prepare_cached("SELECT 1 FROM records WHERE id = ?1 AND slot IS NOT NULL")?;
        if statement.exists([origin.as_str()])? {
            return Ok(false);
        }
        let read = self.readings(origin)?;
        let withdrawn = withdrawn_rows(&self.connection, &read)?;
        Ok(read.len() == withdrawn.len() + 1)
    }

    /// Whether a sentence is spoken for by what was read out of it. A misreading says nothing against the sentence; what was
    /// taken back for any other reason takes it along, or it would be said again.
    pub fn is_read(&self, sentence: &RecordId) -> Result<bool, StoreError> {
        let read = self.readings(sentence)?;
        let withdrawn = withdrawn_rows(&self.connection, &read)?;
        for stored in &read {
            if !withdrawn.contains(&stored.row) || !self.was_only_misread(stored.row)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether no withdrawal of the record that counts has another reason.
    fn was_only_misread(&self, row: i64) -> Result<bool, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT g.ruling FROM ruling_records n JOIN rulings g ON g.ruling = n.ruling
             WHERE n.record = ?1 AND g.kind IN ('withdraw', 'erase')
               AND json_extract(g.body, '$.decision.why') IS NOT ?2",
        )?;
        let others = statement
            .query_map(params![row, WithdrawReason::Misread.name()], |row| row.get::<_, i64>(0))?
            .collect::<Result<Vec<_>, _>>()?;
        for ruling in others {
            if rows::counts(&self.connection, RulingId(ruling))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The records that were read out of a sentence, also those that are withdrawn.
    fn readings(&self, sentence: &RecordId) -> Result<Vec<Stored>, StoreError> {
        let sql = format!(
            "SELECT {RECORD} FROM records r WHERE r.derived_from = ?1 AND r.slot IS NOT NULL ORDER BY r.id"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let found = statement.query_map([sentence.as_str()], rows::record)?.collect::<Result<_, _>>()?;
        Ok(found)
    }
}

/// One record for each value in an open pair, by value.
fn contenders(slot: &Slot<'_>) -> Vec<Record> {
    let mut by_value: BTreeMap<(String, bool), &Record> = BTreeMap::new();
    let paired = slot.pairs.iter().flat_map(|pair| [slot.records[pair.left], slot.records[pair.right]]);
    for record in paired {
        let key = (canonical(&record.value), record.op == Op::Retract);
        let best = by_value.entry(key).or_insert(record);
        if (record.written_at, &record.id) < (best.written_at, &best.id) {
            *best = record;
        }
    }
    by_value.into_values().cloned().collect()
}
