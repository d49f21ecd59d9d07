//! What a slot costs: its work grows with its records, never with the square of them.

use std::time::{Duration, Instant};

use gainsay::core::policy::Rules;
use gainsay::core::recall;
use gainsay::core::record::Record;
use gainsay::core::ruling::Ruling;
use gainsay::core::settle::{Slot, Status, settle};
use gainsay::core::value::Comparison;

use crate::script::{Declared, Told, many, one, record, rules, when};
use crate::stories::{accept, same};

const MANY: usize = 20_000;

/// In debug, on a shared core. A square of twenty thousand would take minutes.
const SOON: Duration = Duration::from_secs(6);

fn claim(number: usize) -> Record {
    let at =
        format!("2025-10-{:02}T{:02}:{:02}:{:02}Z", 1 + number / 3_600, number / 60 % 24, number % 60, number % 60);
    record("user_31882", "home_city", format!("city {number}")).by("user_utterance").observed(&at).epoch(1)
}

fn slot_of(each: impl Fn(usize) -> Record) -> Vec<Record> {
    (0..MANY).map(|number| each(number).id(&format!("r{number:05}"))).collect()
}

fn within_reason<'a>(case: &str, records: &'a [Record], rules: &Rules, rulings: &[Ruling]) -> Slot<'a> {
    let started = Instant::now();
    let slot = settle(records, rules, rulings);
    let took = started.elapsed();
    assert!(took < SOON, "{case}: {took:?}");
    slot
}

fn personal() -> Rules {
    rules(one().personal())
}

#[test]
fn twenty_thousand_values_in_one_epoch_settle_on_one() {
    let records = slot_of(claim);
    let slot = within_reason("in order of time", &records, &personal(), &[]);
    assert!(slot.pairs.len() < 10, "some fall on one second");
    let below = slot_of(|number| if number == MANY / 2 { claim(number) } else { claim(number).by("crm_import") });
    let slot = within_reason("one stands above all", &below, &personal(), &[]);
    assert_eq!(slot.status, Status::Settled);
    let accepted = [accept(1, "r00000", "r00001"), accept(2, "r19999", "r00000")];
    within_reason("with an accept", &records, &personal(), &accepted);
}

#[test]
fn twenty_thousand_that_nobody_can_rank_open_as_many_pairs() {
    let records = slot_of(|number| claim(number).observed("2025-10"));
    let slot = within_reason("undecidable", &records, &personal(), &[]);
    assert_eq!(slot.pairs.len(), MANY - 1);
    let slot = within_reason("with an accept", &records, &personal(), &[accept(1, "r00007", "r00000")]);
    assert_eq!(slot.pairs.len(), MANY - 2);
    let slot = within_reason("with a link", &records, &personal(), &[same(1, "r00007", "r00000")]);
    assert_eq!(slot.pairs.len(), MANY - 2);
}

#[test]
fn so_do_epochs_unanchored_claims_and_many_values() {
    let epochs = slot_of(|number| claim(number).epoch(i64::try_from(number).unwrap_or_default()));
    assert_eq!(within_reason("an epoch each", &epochs, &personal(), &[]).pairs.len(), MANY - 1);
    let halves =
        slot_of(|number| if number % 2 == 0 { claim(number) } else { Record { epoch: None, ..claim(number) } });
    assert!(within_reason("half of them unanchored", &halves, &personal(), &[]).pairs.len() >= MANY / 2);
    let unanchored = slot_of(|number| Record { source: None, ..claim(number) });
    assert_eq!(within_reason("all of them unanchored", &unanchored, &personal(), &[]).pairs.len(), MANY - 1);
    let values = slot_of(claim);
    assert_eq!(within_reason("many", &values, &rules(many().personal()), &[]).live.len(), MANY);
    let taken =
        slot_of(
            |number| {
                if number % 2 == 0 { claim(number) } else { claim(number - 1).observed("2025-11-01").retracts() }
            },
        );
    assert_eq!(within_reason("many, all taken back", &taken, &rules(many().personal()), &[]).status, Status::Empty);
}

#[test]
fn so_do_finer_and_coarser_dates() {
    let born = |number: usize| {
        let value = match number % 3 {
            0 => format!("{:04}", number % 300 + 1700),
            1 => format!("{:04}-{:02}", number % 300 + 1700, number % 12 + 1),
            _ => format!("{:04}-{:02}-{:02}", number % 300 + 1700, number % 12 + 1, number % 28 + 1),
        };
        Record { value: value.into(), ..claim(number) }
    };
    let instants = |number: usize| {
        let value = if number == 0 {
            "2025".to_owned()
        } else {
            claim(number).observed_at.map(|it| it.to_string()).unwrap_or_default()
        };
        Record { value: value.into(), ..claim(number).observed("2025-10") }
    };
    within_reason("dates", &slot_of(born), &rules(one().personal().compared(Comparison::Date)), &[]);
    within_reason("many dates", &slot_of(born), &rules(many().personal().compared(Comparison::Date)), &[]);
    within_reason(
        "a year of instants",
        &slot_of(instants),
        &rules(one().personal().compared(Comparison::Instant)),
        &[],
    );
}

#[test]
fn reading_about_a_time_costs_no_more() {
    let records = slot_of(|number| claim(number).observed("2025-10"));
    let all: Vec<&Record> = records.iter().collect();
    let started = Instant::now();
    let slot = recall::about(&all, &personal(), &[], when("2025-12"));
    assert!(started.elapsed() < SOON * 2, "{:?}", started.elapsed());
    assert_eq!(slot.pairs.len(), MANY - 1);
}
