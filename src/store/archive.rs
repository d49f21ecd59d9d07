//! Export: everything that is true, line by line, in one consistent view of the store.

use rusqlite::{Connection, Row};
use serde_json::{Value, json};

use super::Store;
use super::chain::hex;
use super::error::StoreError;
use super::rows;
use crate::core::record::SourceClass;
use crate::wire;
use crate::wire::archive::{
    ErasedLine, EventLine, FORMAT, Header, Line, NamesLine, PolicyLine, RecordLine, RulingLine, SlotLine,
};

/// So many records stand in one line of names.
const NAMES: usize = 1_000;

impl Store {
    /// Hands on each line of an export, until `each` fails. Others may go on writing: what they write is not in it.
    pub fn export<E: From<StoreError>>(
        &mut self,
        mut each: impl FnMut(Line) -> Result<(), E>,
    ) -> Result<Header, E> {
        let tx = self.still()?;
        let header = header(&tx)?;
        each(Line::Export(header.clone()))?;
        lines(&tx, "SELECT * FROM policies ORDER BY version", policy, &mut each)?;
        lines(&tx, "SELECT slot, subject, attribute FROM slots ORDER BY slot", slot, &mut each)?;
        lines(&tx, &format!("{} ORDER BY r.record", records()), record, &mut each)?;
        lines(&tx, "SELECT * FROM rulings ORDER BY ruling", ruling, &mut each)?;
        names(&tx, &mut each)?;
        lines(&tx, "SELECT * FROM events ORDER BY seq", event, &mut each)?;
        tx.rollback().map_err(StoreError::from)?;
        Ok(header)
    }
}

/// What an export of the store as it is must hold.
pub(super) fn header(connection: &Connection) -> Result<Header, StoreError> {
    let count = |table: &str| -> Result<u64, StoreError> {
        Ok(rows::whole(connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))?))
    };
    let head = super::chain::head(connection)?.map(|(_, hash)| hex(&hash)).unwrap_or_default();
    Ok(Header {
        format: FORMAT,
        policies: count("policies")?,
        slots: count("slots")?,
        records: count("records")?,
        rulings: count("rulings")?,
        events: count("events")?,
        head,
    })
}

/// How a row becomes a line.
pub(super) type Reads = fn(&Row<'_>) -> Result<Line, StoreError>;

fn lines<E: From<StoreError>>(
    connection: &Connection,
    sql: &str,
    read: Reads,
    each: &mut impl FnMut(Line) -> Result<(), E>,
) -> Result<(), E> {
    let mut statement = connection.prepare(sql).map_err(StoreError::from)?;
    let mut found = statement.query([]).map_err(StoreError::from)?;
    while let Some(row) = found.next().map_err(StoreError::from)? {
        each(read(row)?)?;
    }
    Ok(())
}

pub(super) fn policy(row: &Row<'_>) -> Result<Line, StoreError> {
    Ok(Line::Policy(PolicyLine {
        version: row.get("version")?,
        at: row.get("at")?,
        ruling: row.get("ruling")?,
        document: row.get("document")?,
    }))
}

pub(super) fn slot(row: &Row<'_>) -> Result<Line, StoreError> {
    Ok(Line::Slot(SlotLine {
        slot: row.get("slot")?,
        subject: row.get("subject")?,
        attribute: row.get("attribute")?,
    }))
}

pub(super) fn records() -> String {
    format!("SELECT {}, r.event, r.content, r.hash, r.erased FROM records r", rows::RECORD)
}

pub(super) fn record(row: &Row<'_>) -> Result<Line, StoreError> {
    let stored = rows::record(row)?;
    let it = &stored.record;
    let content: Vec<u8> = row.get("content")?;
    let hash: Vec<u8> = row.get("hash")?;
    let mut fields = wire::json::record(it);
    let erased = row.get::<_, Option<i64>>("erased")?;
    // An erased record's content cannot be worked out anew, nor need it be.
    if erased.is_none() && wire::content::content(it, true).as_slice() != content {
        fields.insert("written_at_stamped".to_owned(), json!(true));
    }
    let whole = Value::Object(fields).to_string();
    let damaged = |error: serde_json::Error| StoreError::Damaged(format!("record {}: {error}", it.id));
    Ok(Line::Record(RecordLine {
        row: stored.row,
        slot: row.get("slot")?,
        event: row.get("event")?,
        recorded_at: it.recorded_at.to_string(),
        kind: it.kind().map(|kind| kind.as_str().to_owned()),
        class: it.source.as_ref().and_then(|source| source.class).map(|class| SourceClass::name(class).to_owned()),
        batch: it.batch.as_str().to_owned(),
        erased: erased.map(|event| ErasedLine { event, content: hex(&content), hash: hex(&hash) }),
        record: serde_json::value::RawValue::from_string(whole).map_err(damaged)?,
    }))
}

pub(super) fn ruling(row: &Row<'_>) -> Result<Line, StoreError> {
    Ok(Line::Ruling(RulingLine {
        ruling: row.get("ruling")?,
        at: row.get("at")?,
        actor: row.get("actor")?,
        kind: row.get("kind")?,
        pair: row.get("pair")?,
        slot: row.get("slot")?,
        reason: row.get("reason")?,
        body: rows::json(&row.get::<_, String>("body")?)?,
        undoes: row.get("undoes")?,
        bulk: row.get("bulk")?,
    }))
}

fn names<E: From<StoreError>>(
    connection: &Connection,
    each: &mut impl FnMut(Line) -> Result<(), E>,
) -> Result<(), E> {
    let mut statement = connection
        .prepare("SELECT ruling, record FROM ruling_records ORDER BY ruling, record")
        .map_err(StoreError::from)?;
    let mut found = statement.query([]).map_err(StoreError::from)?;
    let mut part = NamesLine { ruling: 0, rows: Vec::new() };
    while let Some(row) = found.next().map_err(StoreError::from)? {
        let (ruling, record): (i64, i64) =
            (row.get(0).map_err(StoreError::from)?, row.get(1).map_err(StoreError::from)?);
        if (ruling != part.ruling || part.rows.len() >= NAMES) && !part.rows.is_empty() {
            each(Line::Names(std::mem::replace(&mut part, NamesLine { ruling, rows: Vec::new() })))?;
        }
        part.ruling = ruling;
        part.rows.push(record);
    }
    if part.rows.is_empty() { Ok(()) } else { each(Line::Names(part)) }
}

pub(super) fn event(row: &Row<'_>) -> Result<Line, StoreError> {
    let event = super::log::event(row)?;
    Ok(Line::Event(EventLine {
        seq: event.seq,
        at: event.at.to_string(),
        actor: event.actor,
        kind: event.kind,
        subject: event.subject,
        attribute: event.attribute,
        pair: event.pair,
        ruling: event.ruling,
        body: event.body,
        hash: event.hash,
    }))
}
