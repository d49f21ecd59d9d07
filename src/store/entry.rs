//! Pairs as lines of the queue.

use rusqlite::{Connection, OptionalExtension, Row};

use super::error::StoreError;
use super::pairs;
use super::{rows, unread};
use crate::core::pair::{Entry, PairState};
use crate::core::record::{Attribute, RecordId, Subject};
use crate::core::ruling::PairId;
use crate::core::time::Instant;

const ENTRY: &str = "SELECT p.pair, p.state, p.grounds, p.opened_at, p.deferred_until, p.subject, p.attribute,
     l.id AS left_id, l.value AS left_value, r.id AS right_id, r.value AS right_value
     FROM pairs p JOIN records l ON l.record = p.left_record JOIN records r ON r.record = p.right_record";

/// The lines of the queue for some numbers, in their order.
pub(super) fn entries(connection: &Connection, pairs: &[i64], now: Instant) -> Result<Vec<Entry>, StoreError> {
    let mut statement = connection.prepare_cached(&format!("{ENTRY} WHERE p.pair = ?1"))?;
    let read = |pair: &i64| Ok(statement.query_row([pair], |row| entry_row(row, now))?);
    pairs.iter().map(read).collect()
}

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
        values: [unread::value(row.get_ref("left_value")?), unread::value(row.get_ref("right_value")?)],
        opened_at: rows::parsed(&text("opened_at")?)?,
        deferred_until,
    })
}

/// One line of the queue.
pub(super) fn entry(connection: &Connection, id: PairId, now: Instant) -> Result<Option<Entry>, StoreError> {
    let sql = format!("{ENTRY} WHERE p.pair = ?1");
    Ok(connection.prepare_cached(&sql)?.query_row([id.0], |row| entry_row(row, now)).optional()?)
}
