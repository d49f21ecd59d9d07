//! Words for whole slots: the records and rulings that a story tells, and what the slot then answers.

use std::collections::BTreeSet;

use gainsay::core::examine::Ground;
use gainsay::core::policy::Rules;
use gainsay::core::record::{Epoch, Record, RecordId};
use gainsay::core::ruling::{Between, Decision, RequestId, Ruling, RulingId, WithdrawReason};
use gainsay::core::settle::{EdgeKind, Slot};

use crate::script::instant;

/// When rulings are made, unless their story says otherwise: after the tests' records were written.
pub(crate) const RULED: &str = "2025-11-12T09:00:00Z";

/// A ruling of the reviewer's.
pub(crate) fn ruled(id: i64, decision: Decision) -> Ruling {
    Ruling {
        id: RulingId(id),
        at: instant(RULED),
        actor: "ana".to_owned(),
        reason: Some("asked her".to_owned()),
        pair: None,
        decision,
    }
}

fn between(a: &str, b: &str) -> Between {
    Between(RecordId::from(a), RecordId::from(b))
}

/// The first stands above the second.
pub(crate) fn accept(id: i64, winner: &str, loser: &str) -> Ruling {
    let (winner, loser) = (RecordId::from(winner), RecordId::from(loser));
    ruled(id, Decision::Accept { winner, loser, recency_override: false })
}

/// The later one stands above the more authoritative one.
pub(crate) fn override_recency(id: i64, winner: &str, loser: &str) -> Ruling {
    let (winner, loser) = (RecordId::from(winner), RecordId::from(loser));
    ruled(id, Decision::Accept { winner, loser, recency_override: true })
}

/// The two say one value.
pub(crate) fn same(id: i64, a: &str, b: &str) -> Ruling {
    ruled(id, Decision::Same(between(a, b)))
}

/// The world changed between the two.
pub(crate) fn across(id: i64, a: &str, b: &str) -> Ruling {
    ruled(id, Decision::AcrossEpochs { between: between(a, b), from: Epoch(1), to: Epoch(2), cause: None })
}

/// The world is to be looked at again.
pub(crate) fn request(id: i64, a: &str, b: &str) -> Ruling {
    ruled(id, Decision::Request(between(a, b)))
}

pub(crate) fn dispute(id: i64, a: &str, b: &str) -> Ruling {
    ruled(id, Decision::Dispute(between(a, b)))
}

pub(crate) fn withdraw(id: i64, record: &str) -> Ruling {
    ruled(id, Decision::Withdraw { records: [RecordId::from(record)].into(), why: WithdrawReason::Misspoke })
}

pub(crate) fn undo(id: i64, ruling: i64) -> Ruling {
    ruled(id, Decision::Undo(RulingId(ruling)))
}

/// A record as the answer to a request.
pub(crate) fn answers(record: Record, request: i64) -> Record {
    Record { answers: Some(RequestId(request)), ..record }
}

/// A settled slot in the words of its records: it reads the same wherever each record stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) status: &'static str,
    /// Each value that lives: its speaker's id, then the ids of its supporters.
    pub(crate) live: Vec<Vec<String>>,
    pub(crate) foremost: Vec<Vec<String>>,
    /// Each record with its state and the record that beat it.
    pub(crate) states: BTreeSet<(String, &'static str, Option<String>)>,
    /// Each claim's records.
    pub(crate) claims: BTreeSet<Vec<String>>,
    /// Each open pair, with its grounds and its request.
    pub(crate) pairs: Vec<(String, String, Vec<Ground>, Option<i64>)>,
    pub(crate) edges: BTreeSet<(String, String, EdgeKind)>,
    pub(crate) contenders: usize,
}

/// The slot in words.
pub(crate) fn told(slot: &Slot<'_>) -> Told {
    let id = |at: usize| slot.records[at].id.to_string();
    let lives = |lives: &[gainsay::core::settle::Live]| -> Vec<Vec<String>> {
        let saying = |live: &gainsay::core::settle::Live| {
            std::iter::once(live.speaker).chain(live.supporters.iter().copied()).map(id).collect()
        };
        lives.iter().map(saying).collect()
    };
    let numbers: BTreeSet<usize> = slot.claim.iter().flatten().copied().collect();
    let members = |number: usize| -> Vec<String> {
        let says = |at: &usize| slot.claim[*at] == Some(number);
        (0..slot.records.len()).filter(says).map(id).collect()
    };
    Told {
        status: slot.status.name(),
        live: lives(&slot.live),
        foremost: lives(&slot.foremost),
        states: (0..slot.records.len())
            .map(|at| (id(at), slot.states[at].name(), slot.superseded_by[at].map(id)))
            .collect(),
        claims: numbers.into_iter().map(members).collect(),
        pairs: slot
            .pairs
            .iter()
            .map(|pair| (id(pair.left), id(pair.right), pair.grounds.clone(), pair.requested.map(|it| it.0)))
            .collect(),
        edges: slot.edges.iter().map(|edge| (id(edge.from), id(edge.to), edge.kind)).collect(),
        contenders: slot.contenders,
    }
}

/// The values that the slot answers with, as the rules compare them.
pub(crate) fn values(slot: &Slot<'_>, rules: &Rules) -> BTreeSet<String> {
    slot.live.iter().map(|live| format!("{:?}", slot.records[live.speaker].key(rules))).collect()
}
