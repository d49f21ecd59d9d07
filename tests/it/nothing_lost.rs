//! Whatever is decided, nothing goes away: no row, no loser, and no answer about a time that is past.

use gainsay::core::order::{Order, Withdrawn};
use gainsay::core::recall::AsOf;
use gainsay::core::record::{Attribute, RecordId, Subject};
use gainsay::core::ruling::WithdrawReason;
use gainsay::core::time::Instant;
use rusqlite::Connection;

use crate::desk::Desk;
use crate::dice::{Dice, rounds};
use crate::flipped::import_made;
use crate::script::instant;

/// How many records, rulings, events and policy versions there are.
fn rows(stray: &Connection) -> [i64; 4] {
    ["records", "rulings", "events", "policies"]
        .map(|table| stray.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap())
}

/// Something that a reviewer might do next, permitted or not.
fn anything(desk: &Desk, dice: &mut Dice, ids: &[RecordId]) -> Order {
    let open = desk.open();
    let reason = "it was checked".to_owned();
    // The last of this reviewer's, so that there is always more to decide.
    let undo = || Order::Undo { ruling: None };
    if open.is_empty() {
        return undo();
    }
    let entry = dice.one_of(&open);
    let (pair, winner) = (entry.pair, entry.records[dice.below(2)].clone());
    match dice.below(8) {
        0..3 => Order::Accept { pair, winner, recency_override: dice.below(2) == 0, reason },
        3 => Order::LinkSame { pair, reason },
        4 => Order::LinkAcrossEpochs { pair, cause: None, reason },
        5 => {
            let what = Withdrawn::Record(dice.one_of(ids).clone());
            Order::Withdraw { what, why: WithdrawReason::Misread, note: None }
        }
        6 => Order::Defer { pair, until: desk.now.plus(chrono::Duration::hours(1)) },
        _ => undo(),
    }
}

#[test]
fn every_loser_is_reachable_after_many_decisions_and_no_row_ever_goes() {
    let (decisions, mut dice) = (rounds(60, 1_000), Dice::of(8));
    let mut desk = Desk::new();
    import_made(&mut desk, 200, 8, "made");
    let stray = Connection::open(desk.path()).unwrap();
    let named: Vec<(String, String, String)> = stray
        .prepare("SELECT id, subject, attribute FROM records WHERE attribute IS NOT NULL")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let ids: Vec<RecordId> = named.iter().map(|(id, ..)| RecordId::from(id.as_str())).collect();
    let (mut before, mut made) = (rows(&stray), 0);
    while made < decisions {
        let order = anything(&desk, &mut dice, &ids);
        made += usize::from(desk.order("dana", &order).is_ok());
        let after = rows(&stray);
        assert!((0..4).all(|at| after[at] >= before[at]), "{order:?}: {before:?} became {after:?}");
        before = after;
    }
    for (id, subject, attribute) in &named {
        let history = desk
            .store
            .history(&Subject::from(subject.as_str()), &Attribute::from(attribute.as_str()), desk.now)
            .unwrap();
        assert!(history.records.iter().any(|it| it.record.id.as_str() == id), "{id} cannot be reached");
    }
    desk.is_whole();
}

#[test]
fn what_was_believed_then_stays_whatever_is_written_later_and_however_the_clock_goes() {
    let (writes, mut dice) = (rounds(60, 500), Dice::of(9));
    let mut desk = Desk::new();
    desk.at("2025-11-10T12:00:00Z");
    import_made(&mut desk, 120, 9, "made");
    let stray = Connection::open(desk.path()).unwrap();
    let slots: Vec<(Subject, Attribute)> = stray
        .prepare("SELECT subject, attribute FROM slots ORDER BY slot LIMIT 40")
        .unwrap()
        .query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))
        .unwrap()
        .map(|it| it.map(|(subject, attribute)| (subject.as_str().into(), attribute.as_str().into())).unwrap())
        .collect();
    let then: [Instant; 2] = [instant("2025-11-10T12:00:00Z"), instant("2025-11-10T12:30:00Z")];
    let answers = |desk: &Desk| -> Vec<String> {
        let asked = then.iter().flat_map(|at| slots.iter().map(move |slot| (at, slot)));
        asked
            .map(|(at, (subject, attribute))| {
                let as_of = AsOf { believed_at: Some(*at), about: None };
                let answer = desk.store.recall(subject, attribute, as_of, desk.now).unwrap();
                format!("{:?} {:?} {:?}", answer.status, answer.values, answer.records)
            })
            .collect()
    };
    desk.at("2025-11-10T13:00:00Z");
    desk.order(
        "dana",
        &Order::Withdraw { what: Withdrawn::Batch("nothing".into()), why: WithdrawReason::Test, note: None },
    )
    .unwrap_err();
    desk.import([crate::script::lisbon()]);
    let before = answers(&desk);
    let ids: Vec<RecordId> = desk.open().iter().flat_map(|entry| entry.records.clone()).collect();
    for nth in 0..writes {
        // It goes on, and now and then it is set back by an hour.
        let minutes = if nth % 5 == 4 { -60 } else { i64::try_from(dice.below(40)).unwrap() };
        desk.now = desk.now.plus(chrono::Duration::minutes(minutes));
        let order = anything(&desk, &mut dice, &ids);
        let _refused = desk.order("lee", &order);
    }
    assert_eq!(answers(&desk), before);
    let back: i64 = stray
        .query_row(
            "SELECT (SELECT count(*) FROM (SELECT at, lag(at) OVER (ORDER BY seq) AS before FROM events) WHERE at < before)
                 + (SELECT count(*) FROM (SELECT at, lag(at) OVER (ORDER BY ruling) AS before FROM rulings) WHERE at < before)
                 + (SELECT count(*) FROM (SELECT recorded_at AS at, lag(recorded_at) OVER (ORDER BY record) AS before
                       FROM records) WHERE at < before)",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(back, 0, "something was stamped with a time before what was written before it");
    desk.is_whole();
}
