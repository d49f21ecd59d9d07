//! What a slot answers in both times, story by story (DESIGN 3.4): *believed at* and *about*.

use gainsay::core::policy::{Cardinality, OnChange, Rules};
use gainsay::core::recall::{about, believed, now};
use gainsay::core::record::Record;
use gainsay::core::ruling::Ruling;
use gainsay::core::value::Comparison;
use proptest::prelude::*;

use crate::chance::{ANYTHING, MOMENTS, any_story};
use crate::script::{Declared, Told, instant, many, one, properties, rules, when};
use crate::stories::{accept, answers, city, copy, request, row, same, says, summary, withdraw};

/// A sentence, what was recorded and ruled, and the answers about some times.
type Row = (&'static str, Vec<Record>, Vec<Ruling>, &'static [(&'static str, &'static str)]);

fn tell(rules: &Rules, rows: Vec<Row>) {
    for (sentence, records, rulings, readings) in rows {
        let records: Vec<&Record> = records.iter().collect();
        for (at, expected) in readings {
            let slot = about(&records, rules, &rulings, when(at));
            assert_eq!(summary(&slot), *expected, "{sentence}, about {at}");
        }
    }
}

fn asked(ruling: Ruling) -> Ruling {
    Ruling { at: instant("2025-10-20T00:00:00Z"), ..ruling }
}

#[test]
fn about_a_time_holds_what_held_then() {
    let moved = || {
        vec![says("Lisbon", "2025-10-01"), says("Berlin", "2025-10-05"), says("Lisbon", "2025-10-09").id("again")]
    };
    let in_epochs = || vec![says("Berlin", "2025-10-01"), says("Lisbon", "2025-10-10").epoch(2)];
    let look = || answers(says("Lisbon", "2025-10-21").id("look").epoch(2), 1);
    let looked = || [in_epochs(), vec![look()]].concat();
    let rows: Vec<Row> = vec![
        (
            "she moved back",
            moved(),
            vec![],
            &[
                ("2025-09", "empty"),
                ("2025-10-02", "settled Lisbon"),
                ("2025-10-06", "settled Berlin"),
                ("2025-10-10", "settled Lisbon"),
            ],
        ),
        (
            "taken back, and held before it was",
            vec![says("Lisbon", "2025-10-01"), says("Lisbon", "2025-10-05").id("gone").retracts()],
            vec![],
            &[("2025-10-02", "settled Lisbon"), ("2025-10-06", "empty")],
        ),
        (
            "what is open today is open then",
            in_epochs(),
            vec![],
            &[("2025-10-02", "settled Berlin"), ("2025-10-11", "contested | Berlin/Lisbon cross_epoch")],
        ),
        (
            "what is closed today is closed then: the later world",
            looked(),
            vec![asked(request(1, "Berlin", "Lisbon"))],
            &[("2025-10-02", "settled Berlin"), ("2025-10-11", "settled Lisbon"), ("2025-10-22", "settled Lisbon")],
        ),
        (
            "before the row of lower rank, and after",
            vec![row("Berlin", "2025-10-01"), says("Lisbon", "2025-10-10")],
            vec![],
            &[("2025-10-02", "settled Berlin"), ("2025-10-11", "settled Lisbon")],
        ),
    ];
    tell(&city(), rows);
}

#[test]
fn what_is_ruled_today_holds_for_then() {
    let rows: Vec<Row> = vec![
        (
            "withdrawn, it never was",
            vec![says("Berlin", "2025-10-01"), says("Lisbon", "2025-10-10")],
            vec![withdraw(1, "Lisbon")],
            &[("2025-10-11", "settled Berlin")],
        ),
        (
            "an unproven claim was made no later than it was written",
            vec![copy("Berlin").written("2025-10-03T00:00:00Z"), says("Lisbon", "2025-10-10")],
            vec![],
            &[
                ("2025-10-02", "empty"),
                ("2025-10-05", "unanchored Berlin"),
                ("2025-10-11", "contested | Berlin/Lisbon missing_provenance"),
            ],
        ),
        (
            "two spellings are one value before either was linked",
            vec![
                says("Lisboa", "2025-10-01"),
                says("Lisbon", "2025-10").id("early"),
                says("Lisbon", "2025-11-01").id("late"),
            ],
            vec![same(1, "Lisboa", "late")],
            &[("2025-10", "settled Lisbon"), ("2025-11-02", "settled Lisbon")],
        ),
        (
            "accepted today, it holds then",
            vec![says("Berlin", "2025-10-01"), says("Lisbon", "2025-10-01")],
            vec![accept(1, "Lisbon", "Berlin")],
            &[("2025-10-02", "settled Lisbon")],
        ),
    ];
    tell(&city(), rows);
}

#[test]
fn a_correction_holds_for_all_time_and_of_many_each_for_its_own() {
    let born = || vec![says("1994", "2025-10-01"), says("1995-05-02", "2025-10-05")];
    let date = rules(one().personal().compared(Comparison::Date).corrected());
    tell(&date, vec![("a birth date never was another", born(), vec![], &[("2025-10-02", "settled 1995-05-02")])]);
    let projects = || {
        vec![
            says("search", "2025-10-01"),
            says("billing", "2025-10-05"),
            says("search", "2025-10-09").id("done").retracts(),
        ]
    };
    let each: &[(&str, &str)] = &[
        ("2025-10-02", "settled search"),
        ("2025-10-06", "settled billing, search"),
        ("2025-10-10", "settled billing"),
    ];
    tell(&rules(many().personal()), vec![("each lives from when it was said", projects(), vec![], each)]);
}

#[test]
fn believed_at_a_time_knows_what_was_written_and_ruled_by_then() {
    let records = [
        says("Lisbon", "2025-10-01").written("2025-10-01T12:00:00Z"),
        row("Berlin", "2025-10-05").written("2025-11-02T12:00:00Z"),
        says("Porto", "2025-10-01").written("2025-11-03T12:00:00Z"),
    ];
    let rulings = [Ruling { at: instant("2025-11-05T12:00:00Z"), ..accept(1, "Porto", "Lisbon") }];
    let cases = [
        ("2025-09-01T00:00:00Z", "empty"),
        ("2025-10-02T00:00:00Z", "settled Lisbon"),
        ("2025-11-02T13:00:00Z", "settled Lisbon"),
        ("2025-11-04T00:00:00Z", "contested | Lisbon/Porto order_undecidable"),
        ("2025-11-06T00:00:00Z", "settled Porto"),
    ];
    for (at, expected) in cases {
        let (known, ruled) = believed(&records, &rulings, instant(at));
        assert_eq!(summary(&now(&known, &city(), &ruled)), expected, "believed at {at}");
    }
}

proptest! {
    #![proptest_config(properties(10_000))]

    #[test]
    fn no_reading_is_a_guess_or_knows_the_future(story in any_story(ANYTHING), at in prop::sample::select(&MOMENTS[..])) {
        let records: Vec<&Record> = story.records.iter().collect();
        let then = about(&records, &story.rules, &story.rulings, when(at));
        if story.rules.cardinality != Some(Cardinality::Many) {
            prop_assert!(then.live.len() <= 1);
            prop_assert!(then.pairs.is_empty() || then.live.is_empty(), "a guess");
        }
        if story.rules.on_change == OnChange::Succession {
            for record in &then.records {
                prop_assert!(record.observed_at.is_none_or(|seen| seen.last() <= when(at).last()));
            }
        }
        let today = now(&records, &story.rules, &story.rulings);
        prop_assert!(!today.pairs.is_empty() || then.pairs.is_empty(), "what is closed today is open then");
    }
}
