//! A slot as it was believed to be at a time: settled from the records, rulings and policy of that time, and not read
//! from what is stored of today.

use super::Store;
use super::calendar;
use super::error::StoreError;
use super::recall::{History, HistoryEdge, epochs, seen};
use super::rows::{self, StoredRuling};
use super::view::View;
use crate::core::examine::Ground;
use crate::core::pair::JudgedRecord;
use crate::core::recall;
use crate::core::record::{Attribute, Record, RecordId, Subject};
use crate::core::ruling::{PairId, RequestId};
use crate::core::settle::{Edge, EdgeKind, Slot};
use crate::core::time::Instant;

/// Everything of one slot, with what was open of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    pub history: History,
    pub open: Vec<OpenSeen>,
    /// How many claims contended.
    pub contenders: usize,
    /// The version of the policy that held.
    pub policy: i64,
}

/// A contradiction that was open.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenSeen {
    /// None where this store never had it open: records that came later say that they were written before.
    pub pair: Option<PairId>,
    /// The earlier written first.
    pub records: [RecordId; 2],
    pub grounds: Vec<Ground>,
    pub requested: Option<RequestId>,
}

impl Store {
    /// The whole story of a slot as it was believed to be at a time; without one, as it is.
    pub fn account(
        &self,
        subject: &Subject,
        attribute: &Attribute,
        believed_at: Option<Instant>,
    ) -> Result<Account, StoreError> {
        let view = View::load(self, subject, attribute, believed_at)?;
        let (records, rulings) = match believed_at {
            Some(at) => recall::believed(&view.records, &view.rulings, at),
            None => (view.records.iter().collect(), view.rulings.clone()),
        };
        let slot = recall::now(&records, &view.rules, &rulings);
        let known = |stored: &StoredRuling| rulings.iter().any(|ruling| ruling.id == stored.ruling.id);
        let mut stored: Vec<StoredRuling> = Vec::new();
        for home in &view.homes {
            stored.extend(rows::rulings_at_home(&self.connection, *home)?.into_iter().filter(known));
        }
        let notices = calendar::rulings_on(&self.connection, &view.names)?.into_iter();
        stored.extend(
            notices
                .filter(|stored| !slot.records.is_empty() && believed_at.is_none_or(|at| stored.ruling.at <= at)),
        );
        stored.sort_by_key(|stored| stored.ruling.id);
        stored.dedup_by_key(|stored| stored.ruling.id);
        let history = History {
            subject: view.name.subject.clone(),
            attribute: view.name.attribute.clone(),
            records: judged(&view, &slot),
            edges: slot.edges.iter().map(|edge| seen_edge(&slot, *edge)).collect(),
            epochs: epochs(slot.records.iter().map(|record| (record.epoch, record.observed_at)), &stored),
            rulings: seen(stored),
        };
        let numbers = view.numbered(self, &slot, believed_at)?;
        let open = slot.pairs.iter().zip(numbers).map(|(open, pair)| OpenSeen {
            pair,
            records: [open.left, open.right].map(|at| slot.records[at].id.clone()),
            grounds: open.grounds.clone(),
            requested: open.requested,
        });
        Ok(Account { contenders: slot.contenders, open: open.collect(), policy: view.rules.version, history })
    }
}

/// The records by when they were observed, each with what had become of it.
fn judged(view: &View, slot: &Slot<'_>) -> Vec<JudgedRecord> {
    let mut judged: Vec<JudgedRecord> = (0..slot.records.len())
        .map(|at| JudgedRecord {
            record: slot.records[at].clone(),
            class: view.frame.policy.class_of(slot.records[at]),
            state: Some(slot.states[at]),
            superseded_by: slot.superseded_by[at].map(|by| slot.records[by].id.clone()),
            lacks: view.rules.lacks(slot.records[at]),
        })
        .collect();
    judged.sort_by(|a, b| observed_order(&a.record).cmp(&observed_order(&b.record)));
    judged
}

/// By when they were observed; those that do not say come last.
fn observed_order(record: &Record) -> (bool, Option<(Instant, Instant)>, Instant, &RecordId) {
    let observed = record.observed_at.map(|at| (at.first(), at.last()));
    (observed.is_none(), observed, record.written_at, &record.id)
}

fn seen_edge(slot: &Slot<'_>, edge: Edge) -> HistoryEdge {
    let (basis, epochs) = match edge.kind {
        EdgeKind::Supersedes(basis) => (Some(basis.name().to_owned()), None),
        EdgeKind::EpochChange { from, to } => (None, Some((from.0, to.0))),
        EdgeKind::Reobserved | EdgeKind::DerivedFrom | EdgeKind::Same => (None, None),
    };
    HistoryEdge {
        from: slot.records[edge.from].id.clone(),
        to: slot.records[edge.to].id.clone(),
        kind: edge.kind.name().to_owned(),
        basis,
        epochs,
    }
}
