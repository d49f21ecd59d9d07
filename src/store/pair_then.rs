//! One pair as it was believed to be at a time: both records, the checklist under the policy of then. Nothing can be done
//! in the past, so nothing is permitted there.

use super::Store;
use super::accounted::{Accounted, PairTold};
use super::error::StoreError;
use super::rows::{self, StoredRuling};
use super::view::View;
use super::{identity, pairs, policy};
use crate::core::examine::examine;
use crate::core::pair::{Entry, JudgedRecord, Known, Pair, PairState, Requested, Revision, Ruled, Tally};
use crate::core::record::{Attribute, RecordId, Subject};
use crate::core::ruling::{Decision, PairId, Ruling, effective};
use crate::core::time::Instant;

impl Store {
    /// The pair as it was; none where it had not been opened yet.
    pub fn pair_then(&self, id: PairId, at: Instant) -> Result<Option<Pair>, StoreError> {
        let Some(told) = self.told(id, at)? else { return Ok(None) };
        let [left, right] = told.records.each_ref().map(|id| RecordId::from(id.as_str()));
        let (Some(left), Some(right)) = (self.judged_then(&left, at)?, self.judged_then(&right, at)?) else {
            return Ok(None);
        };
        let identity = identity::identity(&self.connection, Some(at))?;
        // A question about names is asked of one of the two; any other pair is of the slot of its records.
        let of =
            if told.names.is_some() { Subject::from(told.subject.as_str()) } else { left.record.subject.clone() };
        let (subject, attribute) = (identity.canonical(&of), Attribute::from(told.attribute.as_str()));
        // The two records of a question about names lie in two slots: the pair is of the one.
        let view = View::load(self, &subject, &attribute, Some(at))?;
        let open =
            self.queue_then(at, Some(&subject), Some(&attribute))?.into_iter().find(|it| it.pair == Some(id));
        let same = identity.same_subject(&left.record.subject, &right.record.subject);
        let examination = examine(&left.record, &right.record, &view.rules, &same);
        let rulings: Vec<Ruling> = view.rulings.iter().filter(|ruling| ruling.at <= at).cloned().collect();
        let counting: Vec<Ruling> = effective(&rulings).into_iter().cloned().collect();
        let requested =
            counting.iter().rfind(|ruling| ruling.leaves_request().is_some() && ruling.pair == Some(id));
        let awaiting = open.as_ref().is_some_and(|open| open.state == PairState::Awaiting);
        let entry = Entry {
            pair: id,
            state: open.as_ref().map_or(PairState::Settled, |open| open.state),
            subject,
            attribute,
            grounds: open.map_or_else(|| pairs::grounds(&told.grounds), |open| open.grounds),
            records: [left.record.id.clone(), right.record.id.clone()],
            values: [left.record.value.clone(), right.record.value.clone()],
            opened_at: rows::parsed(&told.opened_at)?,
            deferred_until: None,
        };
        let believed = self.account(&view.name.subject, &view.name.attribute, Some(at))?;
        Ok(Some(Pair {
            request: requested.filter(|_| awaiting).map(|ruling| Requested {
                request: crate::core::ruling::RequestId(ruling.id.0),
                by: ruling.actor.clone(),
                at: ruling.at,
            }),
            ruled: self.ruled_then(id, &counting)?,
            tallies: [self.tally_then(&left, at)?, self.tally_then(&right, at)?],
            contenders: believed.contenders,
            rules: view.rules,
            entry,
            left,
            right,
            examination,
            permitted: Vec::new(),
            fell_short: Vec::new(),
            known: Known::default(),
            shared: Vec::new(),
            revision: Revision(0),
        }))
    }

    fn told(&self, id: PairId, at: Instant) -> Result<Option<PairTold>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT home FROM pairs WHERE pair = ?1")?;
        let mut homes = statement.query([id.0])?;
        let Some(row) = homes.next()? else { return Ok(None) };
        Ok(Accounted::pairs_by(&self.connection, row.get(0)?, at)?.remove(&id.0))
    }

    /// A record with what had become of it.
    fn judged_then(&self, id: &RecordId, at: Instant) -> Result<Option<JudgedRecord>, StoreError> {
        let Some(stored) = rows::record_named(&self.connection, id)? else { return Ok(None) };
        let Some(attribute) = stored.record.attribute.clone() else { return Ok(None) };
        let account = self.account(&stored.record.subject, &attribute, Some(at))?;
        let class = policy::current(&self.connection, Some(at))?.class_of(&stored.record);
        let record = stored.record.clone();
        let bare = JudgedRecord { class, state: None, superseded_by: None, lacks: record.lacks(), record };
        let known = account.history.records.into_iter().find(|judged| judged.record.id == *id);
        Ok(Some(known.unwrap_or(bare)))
    }

    /// The last ruling on the pair that counted then.
    fn ruled_then(&self, id: PairId, counting: &[Ruling]) -> Result<Option<Ruled>, StoreError> {
        let decides = |ruling: &&Ruling| {
            let says_more =
                !matches!(ruling.decision, Decision::Note(_) | Decision::Defer { .. } | Decision::Undo(_));
            ruling.pair == Some(id) && says_more
        };
        let Some(last) = counting.iter().rfind(decides) else { return Ok(None) };
        let stored = rows::ruling_numbered(&self.connection, last.id)?;
        let ruled = |stored: StoredRuling| Ruled {
            ruling: stored.ruling.id,
            by: stored.ruling.actor,
            at: stored.ruling.at,
            what: stored.kind,
        };
        Ok(stored.map(ruled))
    }

    /// How the record's source kind had fared on its attribute.
    fn tally_then(&self, of: &JudgedRecord, at: Instant) -> Result<Tally, StoreError> {
        let mut tally = Tally::default();
        let rulings: Vec<Ruling> = rows::rulings_of_kind(&self.connection, &["accept", "override"])?
            .into_iter()
            .map(|stored| stored.ruling)
            .filter(|ruling| ruling.at <= at)
            .collect();
        for ruling in effective(&rulings) {
            let Decision::Accept { winner, loser, .. } = &ruling.decision else { continue };
            for (id, won) in [(winner, true), (loser, false)] {
                let Some(party) = rows::record_named(&self.connection, id)? else { continue };
                let alike = party.record.kind().is_some() && party.record.kind() == of.record.kind();
                if alike && party.record.attribute == of.record.attribute {
                    tally.won += u64::from(won);
                    tally.lost += u64::from(!won);
                }
            }
        }
        Ok(tally)
    }
}
