//! Where the records of an import wait until all of them were read: tables of this connection alone. Nobody else is kept
//! waiting meanwhile, and what follows is done in the order of the slots, whatever the order of the lines.

use rusqlite::{Connection, Row, params};

use super::cells::{Cells, Written};
use super::error::StoreError;
use crate::core::identity::Identity;
use crate::core::record::{Attribute, RecordId};
use crate::wire::record::Incoming;

/// The records that wait. What SQLite needs no more memory for, it puts into a file of its own that nobody can open.
pub(super) struct Stage<'c> {
    connection: &'c Connection,
}

/// A record whose id is there already.
pub(super) struct Known {
    pub(super) line: u64,
    pub(super) id: RecordId,
    /// The bytes that it came in, where they were kept.
    pub(super) raw: Vec<u8>,
    /// With this same content: a duplicate, and no clash.
    pub(super) same: bool,
}

/// A record that waits, as it comes out in its turn.
pub(super) struct Waiting<'a> {
    pub(super) line: i64,
    pub(super) cells: Cells<'a>,
    pub(super) content: &'a [u8],
}

/// The columns of a record, as [`waiting`] reads them by their place.
const COLUMNS: &str = "line, id, subject, attribute, value, op, kind, class, source, observed_at, written_at, epoch, \
     confidence, evidence, answers, derived_from, batch, content";

impl<'c> Stage<'c> {
    /// An empty one; whatever an import that failed left is gone.
    pub(super) fn begin(connection: &'c Connection) -> Result<Self, StoreError> {
        connection.execute_batch(
            "DROP TABLE IF EXISTS temp.staged;
             CREATE TEMP TABLE staged (
                 place INTEGER PRIMARY KEY, line INTEGER, id TEXT, subject TEXT, attribute TEXT, value TEXT, op TEXT, kind TEXT,
                 class TEXT, source TEXT, observed_at TEXT, written_at TEXT, epoch INTEGER, confidence REAL, evidence TEXT,
                 answers INTEGER, derived_from TEXT, batch TEXT, content BLOB, many INTEGER, raw BLOB
             ) STRICT",
        )?;
        Ok(Self { connection })
    }

    /// The one that was filled on this connection.
    pub(super) const fn filled(connection: &'c Connection) -> Self {
        Self { connection }
    }

    /// Takes a record in. When it entered the store, and was written where nobody says, is told when it does.
    pub(super) fn take(&self, incoming: &Incoming) -> Result<(), StoreError> {
        let written = Written::of(&incoming.record);
        let it = written.cells(&incoming.record);
        let raw = Some(&incoming.raw).filter(|raw| !raw.is_empty());
        self.connection
            .prepare_cached(
                "INSERT INTO temp.staged (line, id, subject, attribute, value, op, kind, class, source, observed_at,
                    written_at, epoch, confidence, evidence, answers, derived_from, batch, content, many, raw)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)",
            )?
            .execute(params![
                i64::try_from(incoming.line).unwrap_or(i64::MAX),
                it.id,
                it.subject,
                it.attribute,
                it.value,
                it.op,
                it.kind,
                it.class,
                it.source,
                it.observed_at,
                incoming.written_at_stated.then_some(it.written_at),
                it.epoch,
                it.confidence,
                it.evidence,
                it.answers,
                it.derived_from,
                it.batch,
                incoming.content,
                incoming.many,
                raw,
            ])?;
        Ok(())
    }

    /// Takes out what is known by its id, from the store or from an earlier line, and tells of each in the order of the
    /// lines.
    pub(super) fn take_known<E: From<StoreError>>(
        &self,
        mut tell: impl FnMut(Known) -> Result<(), E>,
    ) -> Result<(), E> {
        self.find_known()?;
        self.tell_known(&mut tell)?;
        self.forget_known()?;
        Ok(())
    }

    fn find_known(&self) -> Result<(), StoreError> {
        self.connection.execute_batch(
            "DROP TABLE IF EXISTS temp.known;
             CREATE TEMP TABLE known (place INTEGER PRIMARY KEY, same INTEGER) STRICT",
        )?;
        let mut statement = self.connection.prepare(
            "SELECT s.place, s.id, s.content, r.content FROM temp.staged s LEFT JOIN main.records r ON r.id = s.id
             ORDER BY s.id, s.place",
        )?;
        let mut found = statement.query([])?;
        let mut note = self.connection.prepare("INSERT INTO temp.known VALUES (?1, ?2)")?;
        let (mut id, mut first) = (String::new(), Vec::new());
        while let Some(row) = found.next()? {
            let content = row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?;
            let stored = row.get_ref(3)?.as_blob_or_null().map_err(rusqlite::Error::from)?;
            let named = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?;
            let again = !first.is_empty() && id == named;
            if !again {
                named.clone_into(&mut id);
                first.clear();
                first.extend_from_slice(stored.unwrap_or(content));
            }
            if again || stored.is_some() {
                note.execute(params![row.get::<_, i64>(0)?, first == content])?;
            }
        }
        Ok(())
    }

    fn tell_known<E: From<StoreError>>(&self, tell: &mut impl FnMut(Known) -> Result<(), E>) -> Result<(), E> {
        let known = |row: &Row<'_>| {
            Ok(Known {
                line: u64::try_from(row.get::<_, i64>(0)?).unwrap_or_default(),
                id: RecordId::from(row.get_ref(1)?.as_str()?),
                raw: row.get::<_, Option<Vec<u8>>>(2)?.unwrap_or_default(),
                same: row.get(3)?,
            })
        };
        let mut statement = self
            .connection
            .prepare(
                "SELECT s.line, s.id, s.raw, k.same FROM temp.known k JOIN temp.staged s ON s.place = k.place
                 ORDER BY k.place",
            )
            .map_err(StoreError::from)?;
        for found in statement.query_map([], known).map_err(StoreError::from)? {
            tell(found.map_err(StoreError::from)?)?;
        }
        Ok(())
    }

    fn forget_known(&self) -> Result<(), StoreError> {
        self.connection.execute_batch(
            "DELETE FROM temp.staged WHERE place IN (SELECT place FROM temp.known); DROP TABLE temp.known",
        )?;
        Ok(())
    }

    /// How many wait.
    pub(super) fn count(&self) -> Result<u64, StoreError> {
        let count: i64 = self.connection.query_row("SELECT count(*) FROM temp.staged", [], |row| row.get(0))?;
        Ok(u64::try_from(count).unwrap_or_default())
    }

    /// Attributes that hold many values by their nature.
    pub(super) fn many(&self) -> Result<Vec<Attribute>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT DISTINCT attribute FROM temp.staged WHERE many AND attribute IS NOT NULL ORDER BY attribute",
        )?;
        let found = statement.query_map([], |row| Ok(Attribute::from(row.get::<_, String>(0)?.as_str())))?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// Shows each record: those of one slot one after the other, in the order of their lines. What says nothing of when
    /// it was written says `now`.
    pub(super) fn each(
        &self,
        identity: &Identity,
        now: &str,
        mut show: impl FnMut(&Waiting<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut subject = "s.subject";
        if identity.aliases().next().is_some() {
            self.name(identity)?;
            subject = "ifnull((SELECT canonical FROM temp.names n WHERE n.subject = s.subject), s.subject)";
        }
        let sql = format!("SELECT {COLUMNS} FROM temp.staged s ORDER BY {subject}, attribute, place");
        let mut statement = self.connection.prepare(&sql)?;
        let mut found = statement.query([])?;
        while let Some(row) = found.next()? {
            show(&waiting(row, now)?)?;
        }
        Ok(())
    }

    /// Names that are not the canonical ones of their subjects: what they say is settled with what these say.
    fn name(&self, identity: &Identity) -> Result<(), StoreError> {
        self.connection.execute_batch(
            "DROP TABLE IF EXISTS temp.names;
             CREATE TEMP TABLE names (subject TEXT PRIMARY KEY, canonical TEXT) STRICT, WITHOUT ROWID",
        )?;
        let mut name = self.connection.prepare("INSERT OR IGNORE INTO temp.names VALUES (?1, ?2)")?;
        for subject in identity.aliases().flat_map(|alias| [&alias.names.0, &alias.names.1]) {
            name.execute([subject.as_str(), identity.canonical(subject).as_str()])?;
        }
        Ok(())
    }

    /// Leaves nothing behind.
    pub(super) fn end(self) -> Result<(), StoreError> {
        self.connection.execute_batch("DROP TABLE IF EXISTS temp.staged; DROP TABLE IF EXISTS temp.names")?;
        Ok(())
    }
}

fn waiting<'a>(row: &'a Row<'_>, now: &'a str) -> rusqlite::Result<Waiting<'a>> {
    let text = |place: usize| Ok::<_, rusqlite::Error>(row.get_ref(place)?.as_str_or_null()?);
    let needed = |place: usize| Ok::<_, rusqlite::Error>(row.get_ref(place)?.as_str()?);
    Ok(Waiting {
        line: row.get(0)?,
        cells: Cells {
            id: needed(1)?,
            subject: needed(2)?,
            attribute: text(3)?,
            value: needed(4)?,
            op: needed(5)?,
            kind: text(6)?,
            class: text(7)?,
            source: text(8)?,
            observed_at: text(9)?,
            written_at: text(10)?.unwrap_or(now),
            recorded_at: now,
            epoch: row.get(11)?,
            confidence: row.get(12)?,
            evidence: text(13)?,
            answers: row.get(14)?,
            derived_from: text(15)?,
            batch: needed(16)?,
        },
        content: row.get_ref(17)?.as_blob()?,
    })
}
