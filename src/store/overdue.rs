//! What a notice touches: records that claim an epoch which was over, by the notice, when they were observed.

use std::collections::BTreeSet;

use rusqlite::params;

use super::error::StoreError;
use super::rows;
use super::session::Session;
use crate::core::notice::Notice;
use crate::core::record::{Epoch, Subject};
use crate::core::ruling::RulingId;
use crate::core::time::When;

/// The slots with a record whose epoch was over, by this notice, when it was observed: what it settles otherwise.
pub(super) fn homes(session: &Session<'_>, notice: &Notice) -> Result<BTreeSet<i64>, StoreError> {
    if notice.since.is_none() {
        return Ok(BTreeSet::new());
    }
    if notice.is_pattern() { homes_of_all(session, notice) } else { homes_of_one(session, notice) }
}

const CLAIMING: &str = "r.epoch < ?1 AND r.observed_at IS NOT NULL";

fn homes_of_one(session: &Session<'_>, notice: &Notice) -> Result<BTreeSet<i64>, StoreError> {
    let sql = format!(
        "SELECT s.home, r.epoch, r.observed_at FROM slots s JOIN records r ON r.slot = s.slot
         WHERE s.subject = ?2 AND {CLAIMING}"
    );
    let mut homes = BTreeSet::new();
    for name in session.law.identity.names_of(&notice.over) {
        let mut statement = session.connection.prepare_cached(&sql)?;
        let mut found = statement.query(params![notice.epoch.0, name.as_str()])?;
        while let Some(row) = found.next()? {
            if rules_out(notice, row)? {
                homes.insert(row.get("home")?);
            }
        }
    }
    Ok(homes)
}

/// As many names as there may be: every record is looked at, and most are passed by their year.
fn homes_of_all(session: &Session<'_>, notice: &Notice) -> Result<BTreeSet<i64>, StoreError> {
    let year: String = notice.since.map(|since| since.sortable().chars().take(4).collect()).unwrap_or_default();
    let sql = format!(
        "SELECT s.home, r.subject, r.epoch, r.observed_at FROM records r JOIN slots s ON s.slot = r.slot
         WHERE {CLAIMING} AND r.observed_at >= ?2"
    );
    let mut statement = session.connection.prepare_cached(&sql)?;
    let mut found = statement.query(params![notice.epoch.0, year])?;
    let mut homes = BTreeSet::new();
    while let Some(row) = found.next()? {
        let subject = Subject::from(row.get_ref("subject")?.as_str().unwrap_or_default());
        let covers = || session.law.identity.names_of(&subject).iter().any(|name| notice.covers(name));
        if rules_out(notice, row)? && covers() {
            homes.insert(row.get("home")?);
        }
    }
    Ok(homes)
}

/// Whether what the row claims, `epoch` and `observed_at`, cannot be since the notice.
fn rules_out(notice: &Notice, row: &rusqlite::Row<'_>) -> Result<bool, StoreError> {
    let observed: When = rows::parsed(&row.get::<_, String>("observed_at")?)?;
    let epoch = Epoch(row.get("epoch")?);
    Ok(notice.opening(RulingId(0)).is_some_and(|opening| opening.rules_out(epoch, observed.first())))
}

/// The rulings of these kinds, later than one, that name a record whose epoch was over by the notice.
pub(super) fn rulings_resting(
    session: &Session<'_>,
    notice: &Notice,
    after: RulingId,
    kinds: &str,
) -> Result<Vec<i64>, StoreError> {
    if notice.since.is_none() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT g.ruling, r.subject, r.epoch, r.observed_at FROM rulings g JOIN ruling_records n ON n.ruling = g.ruling
             JOIN records r ON r.record = n.record WHERE g.ruling > ?2 AND g.kind IN ({kinds}) AND {CLAIMING}"
    );
    let mut statement = session.connection.prepare_cached(&sql)?;
    let mut found = statement.query(params![notice.epoch.0, after.0])?;
    let mut resting = Vec::new();
    while let Some(row) = found.next()? {
        let subject = Subject::from(row.get::<_, String>("subject")?.as_str());
        let covers = || session.law.identity.names_of(&subject).iter().any(|name| notice.covers(name));
        if rules_out(notice, row)? && covers() {
            resting.push(row.get("ruling")?);
        }
    }
    Ok(resting)
}
