//! Lives of a store, by chance: imports and rulings of every kind, on two subjects and two attributes, so that what is
//! true and what follows from it come in every shape.

use gainsay::core::notice::Notice;
use gainsay::core::order::{Order, Scope, Seen, Supplied, Withdrawn};
use gainsay::core::policy::{AttributePolicy, Cardinality, Declaration};
use gainsay::core::record::{Attribute, Batch, Epoch, Kind, Record, RecordId, Subject};
use gainsay::core::ruling::{AliasVerdict, RulingId, WithdrawReason};
use gainsay::core::time::Instant;
use gainsay::wire::record::Incoming;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;

use crate::chance::{ANYTHING, Chance, Line, any_record};
use crate::desk::{Desk, incoming};
use crate::script::{instant, when};

pub(crate) const SUBJECTS: [&str; 2] = ["user_31882", "user-31882"];
pub(crate) const ATTRIBUTES: [&str; 3] = ["home_city", "active_project", "pet_name"];

/// What happens at one moment.
#[derive(Clone, Debug)]
pub(crate) enum Happens {
    Arrives(Vec<(Line<Record>, usize, usize)>),
    /// A ruling: which sort, and two numbers from which all that it names is chosen.
    Ruled(u8, usize, usize),
}

/// So many moments, in which records arrive and rulings are made.
pub(crate) fn any_life() -> impl Strategy<Value = Vec<Happens>> {
    let record = (any_record(Chance { rulings: 0, ..ANYTHING }), 0..SUBJECTS.len(), 0..ATTRIBUTES.len());
    let arrives = vec(record, 1..6).prop_map(Happens::Arrives);
    let ruled =
        (0_u8..21, 0_usize..24, 0_usize..24).prop_map(|(sort, one, other)| Happens::Ruled(sort, one, other));
    vec(prop_oneof![1 => arrives, 2 => ruled], 2..14)
}

/// The moment at which the nth thing happens.
pub(crate) fn moment(nth: usize) -> Instant {
    instant("2025-11-15T09:00:00Z").plus(chrono::Duration::hours(i64::try_from(nth).unwrap()))
}

/// Lives it; what the core refuses does not happen. The times at which records say they were written lie before.
pub(crate) fn live(life: &[Happens]) -> Desk {
    live_as(life, false)
}

/// Lives it with records that do not say when they were written: each was, when it arrived.
pub(crate) fn live_as_it_comes(life: &[Happens]) -> Desk {
    live_as(life, true)
}

fn live_as(life: &[Happens], as_it_comes: bool) -> Desk {
    let mut desk = Desk::new();
    let mut ids: Vec<RecordId> = Vec::new();
    for (nth, happens) in life.iter().enumerate() {
        desk.now = moment(nth);
        match happens {
            Happens::Arrives(records) => {
                let records: Vec<Incoming> = records.iter().map(|it| arriving(it, &mut ids, as_it_comes)).collect();
                let import = gainsay::store::Import {
                    batch: Batch::from(format!("batch {}", nth % 3).as_str()),
                    dry_run: false,
                    each: false,
                };
                let by = gainsay::store::By { actor: "agent", now: desk.now };
                let records = records.into_iter().map(Ok::<_, gainsay::store::StoreError>);
                let _done = desk.store.import(&by, &import, records, |_| Ok(()), |_| {}).unwrap();
            }
            Happens::Ruled(sort, one, other) => {
                // What is erased was never believed, at no time: an oracle that replays could not tell that.
                let order = match sort {
                    19 if !as_it_comes && one.is_multiple_of(4) => {
                        let subject = Subject::from(SUBJECTS[other % SUBJECTS.len()]);
                        Some(Order::Erase { subject, reason: "it was asked for".to_owned() })
                    }
                    sort => order(&desk, &ids, *sort, *one, *other),
                };
                if let Some(order) = order {
                    let actor = if one % 3 == 0 { "dana" } else { "lee" };
                    let _refused = desk.order(actor, &order);
                }
            }
        }
    }
    desk
}

fn arriving(
    (Line(record), subject, attribute): &(Line<Record>, usize, usize),
    ids: &mut Vec<RecordId>,
    as_it_comes: bool,
) -> Incoming {
    let words = ["Lisbon", "Berlin", "Porto", "lisbon "];
    let said: usize = record.value.as_str().unwrap().parse().unwrap();
    let id = RecordId::from(format!("r{:02}", ids.len()).as_str());
    ids.push(id.clone());
    // Some came without a time of writing: the import then gave them its own.
    let stated = !as_it_comes && !said.is_multiple_of(5);
    let record = Record {
        id,
        subject: Subject::from(SUBJECTS[*subject]),
        attribute: (said != 19).then(|| Attribute::from(ATTRIBUTES[*attribute])),
        value: Value::from(words[said % words.len()]),
        batch: Batch::from(format!("batch {}", said % 3).as_str()),
        ..record.clone()
    };
    let whole = incoming(record);
    if stated { whole } else { unstamped(whole) }
}

fn unstamped(whole: Incoming) -> Incoming {
    let content = gainsay::wire::content::content(&whole.record, false);
    Incoming { written_at_stated: false, content, ..whole }
}

fn order(desk: &Desk, ids: &[RecordId], sort: u8, one: usize, other: usize) -> Option<Order> {
    let open = desk.open();
    let id = |at: usize| ids.get(at % ids.len().max(1)).cloned();
    let on = |at: usize| open.get(at % open.len().max(1));
    let reason = "it was checked".to_owned();
    let pair = || on(one).map(|entry| entry.pair);
    Some(match sort {
        0..3 => {
            let entry = on(one)?;
            let winner = entry.records[other % 2].clone();
            Order::Accept { pair: entry.pair, winner, recency_override: other.is_multiple_of(3), reason }
        }
        3 | 4 => Order::LinkSame { pair: pair()?, reason },
        5 => {
            let scope = if other.is_multiple_of(2) { Scope::Slot } else { Scope::Attribute };
            Order::LinkBothTrue { pair: pair()?, scope, reason }
        }
        6 => Order::LinkAcrossEpochs { pair: pair()?, cause: Some("a move".to_owned()), reason },
        7 => Order::LinkSubjects { pair: pair()?, one: other.is_multiple_of(2), reason },
        8 => Order::Request { pair: pair()? },
        9 => Order::Reobserve {
            pair: pair()?,
            seen: Seen {
                value: Value::from("Porto"),
                epoch: Epoch(3),
                source: Kind::from("tool_output"),
                class: None,
                evidence: "it reads Porto".to_owned(),
                observed_at: None,
                observer: None,
            },
        },
        10 => {
            let supplied = Supplied {
                source: Some(Kind::from("user_utterance")),
                observed_at: Some(when("2025-10-15")),
                epoch: Some(Epoch(1)),
                evidence: "the transcript".to_owned(),
            };
            Order::Rederive { record: id(one)?, supplied }
        }
        11 => {
            let what = Withdrawn::Record(id(one)?);
            Order::Withdraw { what, why: WithdrawReason::Misspoke, note: None }
        }
        12 => {
            let what = Withdrawn::Batch(Batch::from(format!("batch {}", one % 3).as_str()));
            Order::Withdraw { what, why: WithdrawReason::BadBatch, note: Some("all of it".to_owned()) }
        }
        13 => Order::Dispute { records: (id(one)?, id(other)?), reason },
        14 => Order::Declare { declaration: declaration(one, other) },
        15 | 16 => {
            let verdict = AliasVerdict::ALL[other % 3];
            Order::Alias { names: (Subject::from(SUBJECTS[0]), Subject::from(SUBJECTS[1])), verdict }
        }
        17 => {
            let until = desk.now.plus(chrono::Duration::hours(i64::try_from(other).unwrap()));
            Order::Defer { pair: pair()?, until }
        }
        18 => Order::Epoch { notice: notice(one, other) },
        _ => Order::Undo { ruling: Some(RulingId(i64::try_from(one).unwrap() / 2 + 1)) },
    })
}

fn declaration(one: usize, other: usize) -> Declaration {
    let cardinality = Some(if other.is_multiple_of(2) { Cardinality::One } else { Cardinality::Many });
    Declaration {
        attribute: Attribute::from(ATTRIBUTES[one % ATTRIBUTES.len()]),
        subject: None,
        fields: AttributePolicy { cardinality, min_confidence: Some(0.1), ..AttributePolicy::default() },
    }
}

fn notice(one: usize, other: usize) -> Notice {
    let since = when("2025-10-15").first().plus(chrono::Duration::hours(i64::try_from(other).unwrap()));
    let over = if other.is_multiple_of(2) { SUBJECTS[one % SUBJECTS.len()] } else { "user*" };
    Notice {
        over: Subject::from(over),
        epoch: Epoch(i64::try_from(one % 4).unwrap()),
        since: (!one.is_multiple_of(5)).then_some(since),
        cause: one.is_multiple_of(2).then(|| "a move".to_owned()),
    }
}
