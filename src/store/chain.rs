//! The log as a hash chain: each event's hash covers the one before it and all that the event says.

use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::By;
use super::error::StoreError;
use crate::core::record::{Attribute, Subject};
use crate::core::ruling::{PairId, RulingId};
use crate::core::time::Instant;

/// An event to be written.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) kind: &'static str,
    pub(super) subject: Option<Subject>,
    pub(super) attribute: Option<Attribute>,
    pub(super) pair: Option<PairId>,
    pub(super) ruling: Option<RulingId>,
    pub(super) body: Value,
}

/// An event as it is stored, for hashing.
pub(super) struct Link<'a> {
    pub(super) seq: i64,
    pub(super) at: &'a str,
    pub(super) actor: &'a str,
    pub(super) kind: &'a str,
    pub(super) subject: Option<&'a str>,
    pub(super) attribute: Option<&'a str>,
    pub(super) pair: Option<i64>,
    pub(super) ruling: Option<i64>,
    pub(super) body: &'a str,
}

impl Entry {
    pub(super) const fn new(kind: &'static str, body: Value) -> Self {
        Self { kind, subject: None, attribute: None, pair: None, ruling: None, body }
    }

    pub(super) fn on(mut self, subject: &Subject, attribute: &Attribute) -> Self {
        (self.subject, self.attribute) = (Some(subject.clone()), Some(attribute.clone()));
        self
    }
}

/// Appends an event to the chain; returns its number.
pub(super) fn append(connection: &Connection, by: &By<'_>, entry: &Entry) -> Result<i64, StoreError> {
    let last = head(connection)?;
    let (seq, previous) = last.map_or((1, Vec::new()), |(seq, hash)| (seq + 1, hash));
    let (at, body) = (by.now.sortable(), entry.body.to_string());
    let link = Link {
        seq,
        at: &at,
        actor: by.actor,
        kind: entry.kind,
        subject: entry.subject.as_ref().map(Subject::as_str),
        attribute: entry.attribute.as_ref().map(Attribute::as_str),
        pair: entry.pair.map(|pair| pair.0),
        ruling: entry.ruling.map(|ruling| ruling.0),
        body: &body,
    };
    insert(connection, &link, &link_hash(&previous, &link))?;
    Ok(seq)
}

/// Writes an event with its hash.
pub(super) fn insert(connection: &Connection, link: &Link<'_>, hash: &[u8]) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT INTO events (seq, at, actor, kind, subject, attribute, pair, ruling, body, hash)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .execute(params![
            link.seq,
            link.at,
            link.actor,
            link.kind,
            link.subject,
            link.attribute,
            link.pair,
            link.ruling,
            link.body,
            hash
        ])?;
    Ok(())
}

/// The number and the hash of the last event.
pub(super) fn head(connection: &Connection) -> Result<Option<(i64, Vec<u8>)>, StoreError> {
    Ok(connection
        .prepare_cached("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1")?
        .query_row([], |row| Ok((row.get("seq")?, row.get("hash")?)))
        .optional()?)
}

/// The time of a write: now, but never before the last event, so that what was believed at a time stays so.
pub(super) fn never_before_the_last(connection: &Connection, now: Instant) -> Result<Instant, StoreError> {
    let last: Option<String> = connection
        .prepare_cached("SELECT at FROM events ORDER BY seq DESC LIMIT 1")?
        .query_row([], |row| row.get(0))
        .optional()?;
    let last = last.and_then(|at| at.parse::<Instant>().ok());
    Ok(last.map_or(now, |last| last.max(now)))
}

/// SHA-256 over the previous hash and the event's fields, each with its length before it.
pub(super) fn link_hash(previous: &[u8], link: &Link<'_>) -> Vec<u8> {
    let number = |number: Option<i64>| number.map(|number| number.to_string()).unwrap_or_default();
    let (seq, pair, ruling) = (link.seq.to_string(), number(link.pair), number(link.ruling));
    let mut fields: Vec<&[u8]> = vec![
        previous,
        seq.as_bytes(),
        link.at.as_bytes(),
        link.actor.as_bytes(),
        link.kind.as_bytes(),
        link.subject.unwrap_or_default().as_bytes(),
        link.attribute.unwrap_or_default().as_bytes(),
        pair.as_bytes(),
        ruling.as_bytes(),
        link.body.as_bytes(),
    ];
    // A name that is there and empty is not one that is absent: a part more tells them apart.
    if link.subject == Some("") {
        fields.push(b"a subject without a name");
    }
    if link.attribute == Some("") {
        fields.push(b"an attribute without a name");
    }
    hash_of(&fields)
}

/// SHA-256 over parts, each with its length before it.
pub(super) fn hash_of(parts: &[&[u8]]) -> Vec<u8> {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        hasher.update(part);
    }
    hasher.finalize().to_vec()
}

/// The digest of the records that an event brought: [`digest`] of their hashes in the order of their arrival, one at a
/// time, for there may be millions.
pub(super) fn digest_of_records(connection: &Connection, event: i64) -> Result<String, StoreError> {
    let whole: i64 = connection
        .prepare_cached("SELECT ifnull(sum(length(hash)), 0) FROM records WHERE event = ?1")?
        .query_row([event], |row| row.get(0))?;
    let mut digest = DigestOfRecords::over(u64::try_from(whole).unwrap_or_default());
    let mut statement = connection.prepare_cached("SELECT hash FROM records WHERE event = ?1 ORDER BY record")?;
    let mut rows = statement.query([event])?;
    while let Some(row) = rows.next()? {
        digest.add(row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?);
    }
    Ok(digest.finish())
}

/// The digest of records of which the hashes come one after the other.
pub(super) struct DigestOfRecords(Sha256);

impl DigestOfRecords {
    /// Of so many records.
    pub(super) fn of(records: u64) -> Self {
        Self::over(records * 32)
    }

    fn over(bytes: u64) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(bytes.to_be_bytes());
        Self(hasher)
    }

    pub(super) fn add(&mut self, hash: &[u8]) {
        self.0.update(hash);
    }

    pub(super) fn finish(self) -> String {
        hex(&self.0.finalize())
    }
}

/// [`hash_of`] in hexadecimal digits.
pub(super) fn digest(parts: &[&[u8]]) -> String {
    hex(&hash_of(parts))
}

pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut digits, byte| {
        let _ok = write!(digits, "{byte:02x}");
        digits
    })
}
