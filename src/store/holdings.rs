//! Which slots hold one record and nothing else. Most do: what follows from such a record is checked while it is read.

use rusqlite::Connection;

use super::error::StoreError;

/// What there is of each slot, by its number.
pub(super) struct Holdings(Vec<u8>);

const ONE: u8 = 1;
const MORE: u8 = 2;
const EDGES: u8 = 4;
const PAIRS: u8 = 8;
const RULINGS: u8 = 16;
/// It is settled in another slot, or another is settled in it.
const SHARED: u8 = 32;

/// What each number in a column says of the slot of that number, as SQL.
const SAID: [(&str, u8); 6] = [
    ("SELECT home FROM edges", EDGES),
    ("SELECT home FROM pairs", PAIRS),
    ("SELECT slot FROM rulings WHERE slot IS NOT NULL", RULINGS),
    ("SELECT r.slot FROM ruling_records n JOIN records r ON r.record = n.record WHERE r.slot IS NOT NULL", RULINGS),
    ("SELECT slot FROM slots WHERE home <> slot", SHARED),
    ("SELECT home FROM slots WHERE home <> slot", SHARED),
];

impl Holdings {
    /// Reads what there is. Where slots have numbers that this program would not give, nothing is known of any.
    pub(super) fn read(connection: &Connection) -> Result<Self, StoreError> {
        let (last, many): (i64, i64) =
            connection.query_row("SELECT coalesce(max(slot), 0), count(*) FROM slots", [], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?;
        let mut held = match usize::try_from(last) {
            Ok(last) if last <= 1_000_000 + 8 * usize::try_from(many).unwrap_or_default() => vec![0_u8; last + 1],
            Ok(_) | Err(_) => return Ok(Self(Vec::new())),
        };
        each(connection, "SELECT slot FROM records WHERE slot IS NOT NULL", |slot| {
            if let Some(it) = held.get_mut(slot) {
                *it = if *it & ONE == 0 { *it | ONE } else { *it | MORE };
            }
        })?;
        for (sql, what) in SAID {
            each(connection, sql, |slot| {
                if let Some(it) = held.get_mut(slot) {
                    *it |= what;
                }
            })?;
        }
        Ok(Self(held))
    }

    /// Nothing is known.
    pub(super) const fn unknown() -> Self {
        Self(Vec::new())
    }

    /// Whether it holds one record, and nothing else.
    pub(super) fn is_of_one(&self, slot: i64) -> bool {
        self.of(slot) == Some(ONE)
    }

    /// Whether edges may be kept of it.
    pub(super) fn may_have_edges(&self, slot: i64) -> bool {
        self.may_have(slot, EDGES)
    }

    /// Whether pairs may be kept of it.
    pub(super) fn may_have_pairs(&self, slot: i64) -> bool {
        self.may_have(slot, PAIRS)
    }

    /// Whether somebody may have ruled on it. Of slots that are one by an alias only some are named by the ruling.
    pub(super) fn may_have_rulings(&self, slot: i64) -> bool {
        self.may_have(slot, RULINGS | SHARED)
    }

    fn may_have(&self, slot: i64, what: u8) -> bool {
        self.of(slot).is_none_or(|it| it & what != 0)
    }

    fn of(&self, slot: i64) -> Option<u8> {
        self.0.get(usize::try_from(slot).ok()?).copied()
    }
}

fn each(connection: &Connection, sql: &str, mut take: impl FnMut(usize)) -> Result<(), StoreError> {
    let mut statement = connection.prepare(sql)?;
    let mut found = statement.query([])?;
    while let Some(row) = found.next()? {
        take(usize::try_from(row.get::<_, i64>(0)?).unwrap_or(usize::MAX));
    }
    Ok(())
}
