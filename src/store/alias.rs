//! Aliases in the store: who is who, the pair that asks about two names, and the slots that move when it is answered.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension, params};

use super::error::StoreError;
use super::law::SlotName;
use super::pairs::{self, Changes, Wanted};
use super::session::{self, Session};
use super::slot;
use crate::core::examine::{Finding, Ground, examine};
use crate::core::identity::{Alias, SameSubject};
use crate::core::record::{Attribute, Record, Subject};
use crate::core::ruling::AliasVerdict;

/// The row must be there before [`identity`] looks for rulings at all.
pub(super) fn mark_ruled(connection: &Connection, (a, b): &(Subject, Subject)) -> Result<(), StoreError> {
    let known: Option<i64> = alias_number(connection, a, b)?;
    if known.is_none() {
        connection.execute(
            "INSERT INTO aliases (a, b, verdict, ruling) VALUES (?1, ?2, 'proposed', 0)",
            params![a.as_str(), b.as_str()],
        )?;
    }
    Ok(())
}

fn alias_number(connection: &Connection, a: &Subject, b: &Subject) -> Result<Option<i64>, StoreError> {
    Ok(connection
        .prepare_cached("SELECT alias FROM aliases WHERE (a = ?1 AND b = ?2) OR (a = ?2 AND b = ?1)")?
        .query_row(params![a.as_str(), b.as_str()], |row| row.get(0))
        .optional()?)
}

/// What counts of two names, with the number of their row; none where every word on them was undone.
pub(super) fn told(session: &Session<'_>, (a, b): &(Subject, Subject)) -> Result<Option<(i64, Alias)>, StoreError> {
    let Some(number) = alias_number(session.connection, a, b)? else { return Ok(None) };
    let undone = Alias {
        names: (a.clone(), b.clone()),
        verdict: AliasVerdict::Denied,
        ruling: crate::core::ruling::RulingId(0),
    };
    Ok(Some((number, session.law.identity.alias(a, b).cloned().unwrap_or(undone))))
}

pub(super) fn store_verdict(session: &Session<'_>, names: &(Subject, Subject)) -> Result<(), StoreError> {
    let Some((number, _)) = told(session, names)? else { return Ok(()) };
    let (verdict, ruling) = session
        .law
        .identity
        .alias(&names.0, &names.1)
        .map_or(("undone", 0), |alias| (alias.verdict.name(), alias.ruling.0));
    session.connection.execute(
        "UPDATE aliases SET verdict = ?2, ruling = ?3 WHERE alias = ?1",
        params![number, verdict, ruling],
    )?;
    Ok(())
}

/// Gives every slot of these names its home, and moves pairs and edges with their records. Returns the homes touched.
pub(super) fn move_slots(session: &Session<'_>, names: &BTreeSet<Subject>) -> Result<BTreeSet<i64>, StoreError> {
    let mut homes: BTreeSet<i64> = BTreeSet::new();
    for name in names {
        let mut statement =
            session.connection.prepare_cached("SELECT slot, home, attribute FROM slots WHERE subject = ?1")?;
        let slots: Vec<(i64, i64, String)> = statement
            .query_map([name.as_str()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
            .collect::<Result<_, _>>()?;
        for (slot, home, attribute) in slots {
            let canonical = session.law.identity.canonical(name);
            let now = if canonical == *name {
                slot
            } else {
                session.slot(&SlotName { subject: canonical, attribute: Attribute::from(attribute.as_str()) })?.1
            };
            if now != home {
                session::set_home(session.connection, slot, now)?;
                homes.extend([home, now]);
            }
        }
    }
    let list: Vec<i64> = homes.iter().copied().collect();
    pairs::follow_their_records(session.connection, &list)?;
    Ok(homes)
}

/// The pairs of proposed aliases whose names have this slot among theirs.
pub(super) fn pairs_touching(session: &Session<'_>, home: i64) -> Result<Changes, StoreError> {
    let mut changes = Changes::default();
    if !session.law.identity.aliases().any(|alias| alias.verdict == AliasVerdict::Proposed) {
        return Ok(changes);
    }
    let name = session::name_of(session.connection, home)?;
    let proposed: Vec<Alias> = session
        .law
        .identity
        .aliases()
        .filter(|alias| alias.verdict == AliasVerdict::Proposed)
        .filter(|alias| {
            let canonical = |subject: &Subject| session.law.identity.canonical(subject);
            [canonical(&alias.names.0), canonical(&alias.names.1)].contains(&name.subject)
        })
        .cloned()
        .collect();
    for alias in proposed {
        if let Some(number) = alias_number(session.connection, &alias.names.0, &alias.names.1)? {
            changes.extend(ask(session, number, &alias)?);
        }
    }
    Ok(changes)
}

/// How many pairs that ask about two names would close and open if this session's policy were in force: of proposed
/// aliases with one of these slots among theirs.
pub(super) fn would_ask(
    session: &Session<'_>,
    homes: &BTreeSet<i64>,
    attribute: &Attribute,
) -> Result<(u64, u64), StoreError> {
    let (mut closed, mut opened) = (0, 0);
    for alias in session.law.identity.aliases().filter(|alias| alias.verdict == AliasVerdict::Proposed) {
        let mut touched = false;
        for subject in [&alias.names.0, &alias.names.1] {
            let name = SlotName { subject: session.law.identity.canonical(subject), attribute: attribute.clone() };
            touched |= session::find(session.connection, &name)?.is_some_and(|(_, home)| homes.contains(&home));
        }
        let Some(number) = alias_number(session.connection, &alias.names.0, &alias.names.1)?.filter(|_| touched)
        else {
            continue;
        };
        let open = pairs::of_alias(session.connection, number)?.is_some_and(|pair| !pair.is_settled());
        match (open, question(session, alias)?.is_some()) {
            (true, false) => closed += 1,
            (false, true) => opened += 1,
            (true, true) | (false, false) => {}
        }
    }
    Ok((closed, opened))
}

/// Opens the pair that asks about two names, keeps it up, or closes it once they are confirmed or denied.
pub(super) fn ask(session: &Session<'_>, number: i64, alias: &Alias) -> Result<Changes, StoreError> {
    let before = pairs::of_alias(session.connection, number)?;
    let question = if alias.verdict == AliasVerdict::Proposed { question(session, alias)? } else { None };
    let Some(question) = question else {
        return match before {
            Some(pair) => {
                let name = session::name_of(session.connection, pair.home)?;
                pairs::close(session, &name, &pair)
            }
            None => Ok(Changes::default()),
        };
    };
    let request = before.as_ref().and_then(|pair| pair.request).map(crate::core::ruling::RequestId);
    let wanted = Wanted {
        home: question.home,
        left: question.left,
        right: question.right,
        grounds: &question.grounds,
        request,
        alias: Some(number),
    };
    pairs::open(session, &question.name, before, &wanted)
}

/// Whether the pair of two names is as [`ask`] would leave it.
pub(super) fn is_asked(session: &Session<'_>, number: i64, alias: &Alias) -> Result<bool, StoreError> {
    let stored = pairs::of_alias(session.connection, number)?.filter(|pair| !pair.is_settled());
    let wanted = if alias.verdict == AliasVerdict::Proposed { question(session, alias)? } else { None };
    Ok(match (stored, wanted) {
        (None, None) => true,
        (Some(stored), Some(wanted)) => {
            (stored.home, stored.left, stored.right) == (wanted.home, wanted.left, wanted.right)
                && stored.grounds == pairs::names(&wanted.grounds)
                && stored.state == "open"
                && stored.request.is_none()
        }
        (Some(_), None) | (None, Some(_)) => false,
    })
}

struct Question {
    name: SlotName,
    home: i64,
    left: i64,
    right: i64,
    grounds: Vec<Ground>,
}

/// One pair for each proposed alias: of the attributes that both names have, the first on which they differ, else the
/// first. With none in common there is nothing to show side by side; `alias list` has it.
fn question(session: &Session<'_>, alias: &Alias) -> Result<Option<Question>, StoreError> {
    let (a, b) = (session.law.identity.canonical(&alias.names.0), session.law.identity.canonical(&alias.names.1));
    let mut statement = session.connection.prepare_cached(
        "SELECT x.attribute FROM slots x JOIN slots y ON y.attribute = x.attribute AND y.subject = ?2
         WHERE x.subject = ?1 ORDER BY x.attribute",
    )?;
    let shared: Vec<String> =
        statement.query_map(params![a.as_str(), b.as_str()], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut agreeing = None;
    for attribute in shared {
        let attribute = Attribute::from(attribute.as_str());
        let name = SlotName { subject: a.clone(), attribute: attribute.clone() };
        let other = SlotName { subject: b.clone(), attribute };
        let (Some(one), Some(two)) = (speaker(session, &name)?, speaker(session, &other)?) else { continue };
        let finding = examine(&one.1, &two.1, &session.rules(&name), &SameSubject::Unconfirmed).finding;
        let grounds = match finding {
            Finding::Quarantine(grounds) => grounds,
            Finding::Agree | Finding::Coexist | Finding::Resolve { .. } => Vec::new(),
        };
        let differs = !grounds.is_empty();
        let (first, second) = if one.1.writing_order() <= two.1.writing_order() { (one, two) } else { (two, one) };
        let home = session.slot(&name)?.1;
        let grounds = if differs { grounds } else { vec![Ground::SubjectUnconfirmed] };
        let question = Question { name, home, left: first.0, right: second.0, grounds };
        if differs {
            return Ok(Some(question));
        }
        agreeing = agreeing.or(Some(question));
    }
    Ok(agreeing)
}

/// The record that speaks for a slot, whatever its status: what lives, else what was written first.
fn speaker(session: &Session<'_>, name: &SlotName) -> Result<Option<(i64, Record)>, StoreError> {
    let Some((_, home)) = session::find(session.connection, name)? else { return Ok(None) };
    let loaded = slot::load(session, home)?;
    let slot = loaded.settle(&session.rules(name));
    let at = slot.foremost.first().map(|live| live.speaker).or_else(|| (!slot.records.is_empty()).then_some(0));
    let rows = loaded.rows(&slot);
    Ok(at.map(|at| (rows[at], slot.records[at].clone())))
}
