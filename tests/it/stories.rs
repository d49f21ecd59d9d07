//! Words for whole slots: the records and rulings that a story tells, and what the slot then answers.

use std::collections::BTreeSet;

use gainsay::core::examine::Ground;
use gainsay::core::policy::Rules;
use gainsay::core::record::{Epoch, Record, RecordId};
use gainsay::core::ruling::{Between, Decision, RequestId, Ruling, RulingId, WithdrawReason};
use gainsay::core::settle::{EdgeKind, Live, Slot, settle};
use gainsay::core::value::Key;

use crate::script::{Declared, Told as _, instant, one, record, rules};

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

/// A sentence, what was recorded and ruled, and the answer: `status value | pair pair`.
pub(crate) type Row = (&'static str, Vec<Record>, Vec<Ruling>, &'static str);

pub(crate) fn tell(rules: &Rules, rows: Vec<Row>) {
    for (sentence, records, rulings, expected) in rows {
        let slot = settle(&records, rules, &rulings);
        assert_eq!(summary(&slot), expected, "{sentence}");
        let backwards: Vec<Record> = records.iter().rev().cloned().collect();
        assert_eq!(summary(&settle(&backwards, rules, &rulings)), expected, "{sentence}, told backwards");
    }
}

/// What the user said of where she lives, on a day of October, in epoch 1.
pub(crate) fn says(city: &str, at: &str) -> Record {
    record("user_31882", "home_city", city).by("user_utterance").observed(at).epoch(1)
}

/// What a row of the CRM says of it.
pub(crate) fn row(city: &str, at: &str) -> Record {
    says(city, at).by("crm_import")
}

/// A copy without provenance.
pub(crate) fn copy(city: &str) -> Record {
    record("user_31882", "home_city", city)
}

pub(crate) fn city() -> Rules {
    rules(one().personal())
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
    let lives = |lives: &[Live]| -> Vec<Vec<String>> {
        let saying =
            |live: &Live| std::iter::once(live.speaker).chain(live.supporters.iter().copied()).map(id).collect();
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
pub(crate) fn values(slot: &Slot<'_>, rules: &Rules) -> BTreeSet<Key> {
    slot.live.iter().map(|live| slot.records[live.speaker].key(rules)).collect()
}

/// A slot in one line: `status value, value | left/right ground`, each pair's ids in the order of the alphabet.
pub(crate) fn summary(slot: &Slot<'_>) -> String {
    let text = |at: usize| slot.records[at].value.as_str().unwrap_or_default().to_owned();
    let mut values: Vec<String> = slot.live.iter().map(|live| text(live.speaker)).collect();
    values.sort();
    let mut pairs: Vec<String> = slot
        .pairs
        .iter()
        .map(|pair| {
            let mut ids = [slot.records[pair.left].id.to_string(), slot.records[pair.right].id.to_string()];
            ids.sort();
            let grounds: Vec<&str> = pair.grounds.iter().map(|ground| ground.name()).collect();
            format!("{} {}", ids.join("/"), grounds.join("+"))
        })
        .collect();
    pairs.sort();
    let mut line = vec![slot.status.name().to_owned()];
    line.extend((!values.is_empty()).then(|| values.join(", ")));
    line.extend((!pairs.is_empty()).then(|| format!("| {}", pairs.join(" "))));
    line.join(" ")
}

/// What became of a record, and by which other.
pub(crate) fn state_of(slot: &Slot<'_>, id: &str) -> String {
    let at = slot.records.iter().position(|record| record.id.as_str() == id);
    let at = at.unwrap_or_else(|| panic!("the story has no record {id}"));
    let by = slot.superseded_by[at].map(|by| format!(" by {}", slot.records[by].id));
    format!("{}{}", slot.states[at].name(), by.unwrap_or_default())
}
