//! The epochs of a subject, and the notices that are given of them.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::params;

use super::error::StoreError;
use super::plan::{OrderError, Plan, bare, because};
use super::rows;
use super::session::Session;
use super::{By, Store};
use crate::core::calendar::{Calendar, Told};
use crate::core::epoch::Opening;
use crate::core::notice::Notice;
use crate::core::plural::listed;
use crate::core::record::{Epoch, Subject};
use crate::core::ruling::{Decision, RulingId, effective};
use crate::core::time::{Instant, When};

/// One epoch of a subject.
#[derive(Clone, Debug, PartialEq)]
pub struct EpochOf {
    pub epoch: Epoch,
    /// The first and the last observation in it; none where nothing in it says when it was observed.
    pub observed: Option<(When, When)>,
    /// How many records name it, and how many of these were observed when it was over.
    pub records: u64,
    pub late: u64,
    pub cause: Option<Said>,
    /// Since when it holds, where somebody said so.
    pub opened: Option<(Instant, Said)>,
}

/// A word on an epoch: what was said, by whom, when, in which ruling, and of which subjects.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    pub text: Option<String>,
    pub by: String,
    pub at: Instant,
    pub ruling: RulingId,
    pub over: Subject,
}

impl Store {
    /// The epochs of a subject under all of its names, the oldest first: those that records name, and those that
    /// notices tell of.
    pub fn epochs(&self, subject: &Subject, now: Instant) -> Result<Vec<EpochOf>, StoreError> {
        let session = Session::begin(&self.connection, &By { actor: "", now })?;
        let names = session.law.identity.names_of(subject);
        let told: Vec<&Told> = session.law.calendar.of(&names).collect();
        let openings = session.law.calendar.openings(&names);
        let mut epochs: BTreeMap<Epoch, EpochOf> =
            told.iter().map(|told| (told.notice.epoch, EpochOf::of(told.notice.epoch))).collect();
        for name in &names {
            count(&session, name, &openings, &mut epochs)?;
        }
        let linked = linked(&session, &names)?;
        for of in epochs.values_mut() {
            let named = Calendar::cause(told.iter().copied(), of.epoch).map(Said::of);
            let linked = linked.iter().filter(|(epoch, _)| *epoch == of.epoch).map(|(_, said)| said.clone());
            // Of two words on one epoch the later holds.
            of.cause = linked.chain(named).max_by_key(|said| said.ruling);
            let opened = Calendar::opened(told.iter().copied(), of.epoch);
            of.opened = opened.and_then(|told| Some((told.notice.since?, Said::of(told))));
        }
        Ok(epochs.into_values().collect())
    }

    /// The subjects that a name or a pattern covers and that have records in an epoch, each with its latest epoch.
    pub fn latest_epochs(&self, over: &Subject, now: Instant) -> Result<BTreeMap<Subject, Epoch>, StoreError> {
        let session = Session::begin(&self.connection, &By { actor: "", now })?;
        let seen = latest(&session, over)?;
        let notice = |told: &Told| told.notice.epoch;
        let with_notices = |(subject, epoch): (Subject, Epoch)| {
            let names = session.law.identity.names_of(&subject);
            let told = session.law.calendar.of(&names).filter(|told| told.notice.since.is_some()).map(notice).max();
            (subject, told.map_or(epoch, |told| told.max(epoch)))
        };
        Ok(seen.into_iter().map(with_notices).collect())
    }
}

impl EpochOf {
    const fn of(epoch: Epoch) -> Self {
        Self { epoch, observed: None, records: 0, late: 0, cause: None, opened: None }
    }

    fn see(&mut self, when: When) {
        let earlier = |a: When, b: When| if (b.first(), b.last()) < (a.first(), a.last()) { b } else { a };
        let later = |a: When, b: When| if (b.last(), b.first()) > (a.last(), a.first()) { b } else { a };
        self.observed = Some(match self.observed {
            Some((first, last)) => (earlier(first, when), later(last, when)),
            None => (when, when),
        });
    }
}

impl Said {
    fn of(told: &Told) -> Self {
        Self {
            text: told.notice.cause.clone(),
            by: told.by.clone(),
            at: told.at,
            ruling: told.ruling,
            over: told.notice.over.clone(),
        }
    }
}

fn count(
    session: &Session<'_>,
    name: &Subject,
    openings: &[Opening],
    epochs: &mut BTreeMap<Epoch, EpochOf>,
) -> Result<(), StoreError> {
    let mut statement = session.connection.prepare_cached(
        "SELECT r.epoch, r.observed_at FROM slots s JOIN records r ON r.slot = s.slot
         LEFT JOIN record_states t ON t.record = r.record
         WHERE s.subject = ?1 AND r.epoch IS NOT NULL AND t.state IS NOT 'withdrawn'",
    )?;
    let mut found = statement.query([name.as_str()])?;
    while let Some(row) = found.next()? {
        let epoch = Epoch(row.get("epoch")?);
        let of = epochs.entry(epoch).or_insert_with(|| EpochOf::of(epoch));
        of.records += 1;
        let Some(when) = row.get::<_, Option<String>>("observed_at")? else { continue };
        let when: When = rows::parsed(&when)?;
        if openings.iter().any(|opening| opening.rules_out(epoch, when.first())) {
            of.late += 1;
        } else {
            of.see(when);
        }
    }
    Ok(())
}

/// The causes that were named when two records were linked across epochs: each with the epoch that it began.
fn linked(session: &Session<'_>, names: &[Subject]) -> Result<Vec<(Epoch, Said)>, StoreError> {
    let mut homes: BTreeSet<i64> = BTreeSet::new();
    for name in names {
        let mut statement = session.connection.prepare_cached("SELECT home FROM slots WHERE subject = ?1")?;
        let found = statement.query_map([name.as_str()], |row| row.get(0))?;
        homes.extend(found.collect::<Result<Vec<i64>, _>>()?);
    }
    let mut linked = Vec::new();
    for home in homes {
        let rulings: Vec<_> = rows::rulings_at_home(session.connection, home)?;
        let rulings: Vec<_> = rulings.into_iter().map(|stored| stored.ruling).collect();
        for ruling in effective(&rulings) {
            let Decision::AcrossEpochs { to, cause: Some(cause), .. } = &ruling.decision else { continue };
            let said = Said {
                text: Some(cause.clone()),
                by: ruling.actor.clone(),
                at: ruling.at,
                ruling: ruling.id,
                over: names.first().cloned().unwrap_or_else(|| Subject::from("")),
            };
            linked.push((*to, said));
        }
    }
    Ok(linked)
}

/// The latest epoch that records of each covered subject name, by the name it has in its records.
fn latest(session: &Session<'_>, over: &Subject) -> Result<BTreeMap<Subject, Epoch>, StoreError> {
    let any = Notice { over: over.clone(), epoch: Epoch(0), since: None, cause: None };
    let row = |row: &rusqlite::Row<'_>| {
        Ok((Subject::from(row.get::<_, String>(0)?.as_str()), row.get::<_, Option<i64>>(1)?.map(Epoch)))
    };
    let mut found: Vec<(Subject, Option<Epoch>)> = Vec::new();
    if any.is_pattern() {
        let mut statement = session.connection.prepare_cached(
            "SELECT r.subject, max(r.epoch) FROM records r LEFT JOIN record_states t ON t.record = r.record
                 WHERE t.state IS NOT 'withdrawn' GROUP BY r.subject",
        )?;
        for seen in statement.query_map([], row)? {
            found.extend(Some(seen?).filter(|(subject, _)| any.covers(subject)));
        }
    } else {
        for name in session.law.identity.names_of(over) {
            let mut statement = session.connection.prepare_cached(
                "SELECT s.subject, max(r.epoch) FROM slots s JOIN records r ON r.slot = s.slot
                     LEFT JOIN record_states t ON t.record = r.record
                 WHERE s.subject = ?1 AND t.state IS NOT 'withdrawn' GROUP BY s.subject",
            )?;
            found.extend(statement.query_map(params![name.as_str()], row)?.collect::<Result<Vec<_>, _>>()?);
        }
    }
    Ok(found.into_iter().filter_map(|(subject, epoch)| Some((subject, epoch?))).collect())
}

/// What a notice comes to, or why it may not be given.
pub(super) fn plan(session: &Session<'_>, notice: &Notice) -> Result<Plan, OrderError> {
    let Notice { over, epoch, since, cause } = notice;
    if over.as_str().trim().is_empty() {
        return Err(because("name a subject, or a pattern of subjects"));
    }
    if cause.as_ref().is_some_and(|cause| cause.trim().is_empty()) {
        return Err(because("the cause is empty: say what began the epoch"));
    }
    match since {
        Some(since) => must_open(session, notice, *since)?,
        None if cause.is_none() => return Err(because("nothing is said of the epoch: open it, or name its cause")),
        None => must_be_known(session, over, *epoch)?,
    }
    Ok(Plan { reason: None, ..bare("epoch", Decision::Epoch(notice.clone())) })
}

/// An epoch is opened once, not before its time, and after those that went before it.
fn must_open(session: &Session<'_>, notice: &Notice, since: Instant) -> Result<(), OrderError> {
    let Notice { over, epoch, .. } = notice;
    if since > session.by.now {
        return Err(because(format!("{since} has not come yet: an epoch is opened when the world has changed")));
    }
    let opened = session.law.calendar.over(over).filter_map(|told| Some((told.notice.since?, told)));
    for (before, told) in opened {
        let number = told.notice.epoch;
        if number == *epoch {
            return Err(because(format!(
                "epoch {epoch} of {over} was opened already, since {before} (ruling {}, by {}): undo that first",
                told.ruling, told.by
            )));
        }
        if (number > *epoch) != (before > since) {
            return Err(because(format!(
                "epoch {number} of {over} holds since {before} (ruling {}): epoch {epoch} cannot hold since {since}",
                told.ruling
            )));
        }
    }
    if notice.is_pattern() {
        return Ok(());
    }
    match seen_before(session, notice, since)? {
        Some((later, when)) => Err(because(format!(
            "epoch {later} of {over} was seen at {when} already: epoch {epoch} cannot have begun at {since}"
        ))),
        None => Ok(()),
    }
}

/// A later epoch that was certainly observed before the moment.
fn seen_before(
    session: &Session<'_>,
    notice: &Notice,
    since: Instant,
) -> Result<Option<(Epoch, When)>, StoreError> {
    let mut first: Option<(Epoch, When)> = None;
    for name in session.law.identity.names_of(&notice.over) {
        let mut statement = session.connection.prepare_cached(
            "SELECT r.epoch, r.observed_at FROM slots s JOIN records r ON r.slot = s.slot
                 LEFT JOIN record_states t ON t.record = r.record
             WHERE s.subject = ?1 AND r.epoch > ?2 AND r.observed_at IS NOT NULL AND t.state IS NOT 'withdrawn'",
        )?;
        let mut found = statement.query(params![name.as_str(), notice.epoch.0])?;
        while let Some(row) = found.next()? {
            let (epoch, when) = (Epoch(row.get(0)?), rows::parsed::<When>(&row.get::<_, String>(1)?)?);
            let before = when.last() < since;
            if before && first.is_none_or(|(known, at)| (epoch, when.first()) < (known, at.first())) {
                first = Some((epoch, when));
            }
        }
    }
    Ok(first)
}

/// Only of an epoch that was seen, or opened, can anybody say what began it.
fn must_be_known(session: &Session<'_>, over: &Subject, epoch: Epoch) -> Result<(), OrderError> {
    let names = session.law.identity.names_of(over);
    let mut told = session.law.calendar.of(&names).chain(session.law.calendar.over(over));
    if told.any(|told| told.notice.epoch == epoch && told.notice.since.is_some()) {
        return Ok(());
    }
    let any = Notice { over: over.clone(), epoch, since: None, cause: None };
    if was_seen(session, &any, &names)? {
        return Ok(());
    }
    let mut known: BTreeMap<Epoch, EpochOf> = BTreeMap::new();
    for name in &names {
        count(session, name, &[], &mut known)?;
    }
    let known: Vec<String> = known.keys().map(ToString::to_string).collect();
    let seen = if known.is_empty() { "none was seen".to_owned() } else { format!("seen: {}", listed(&known)) };
    Err(because(format!(
        "nothing of {over} was observed in epoch {epoch} ({seen}): open it, or name one that was seen"
    )))
}

/// Whether a record of whom the notice covers names its epoch.
fn was_seen(session: &Session<'_>, notice: &Notice, names: &[Subject]) -> Result<bool, StoreError> {
    if notice.is_pattern() {
        let mut statement =
            session.connection.prepare_cached("SELECT DISTINCT subject FROM records WHERE epoch = ?1")?;
        let mut found = statement.query([notice.epoch.0])?;
        while let Some(row) = found.next()? {
            if notice.covers(&Subject::from(row.get::<_, String>(0)?.as_str())) {
                return Ok(true);
            }
        }
        return Ok(false);
    }
    let mut statement = session.connection.prepare_cached(
        "SELECT 1 FROM slots s JOIN records r ON r.slot = s.slot WHERE r.epoch = ?1 AND s.subject = ?2",
    )?;
    for name in names {
        if statement.exists(params![notice.epoch.0, name.as_str()])? {
            return Ok(true);
        }
    }
    Ok(false)
}
