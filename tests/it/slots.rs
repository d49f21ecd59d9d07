//! Slots, story by story: the law of DESIGN 3.2, where people have ruled little. Each row is a sentence, the records, and what
//! the slot then answers: its status, its value, and its pairs.

use gainsay::core::record::Record;
use gainsay::core::settle::settle;
use gainsay::core::value::Comparison;

use crate::script::{Declared, Told, many, one, rules, undeclared};
use crate::stories::{accept, city, copy, row, same, says, state_of, tell};

#[test]
fn in_one_epoch_rank_decides_then_time_then_nobody() {
    let rows = vec![
        (
            "warranty: a late backfill does not overwrite the user's word",
            vec![says("Lisbon", "2025-10-14"), row("Berlin", "2025-10-20")],
            vec![],
            "settled Lisbon",
        ),
        (
            "of equals the later holds",
            vec![says("Berlin", "2025-10-14"), says("Lisbon", "2025-10-15")],
            vec![],
            "settled Lisbon",
        ),
        (
            "a day and an hour of it have no order",
            vec![says("Berlin", "2025-10-14"), says("Lisbon", "2025-10-14T09:00:00Z")],
            vec![],
            "contested | Berlin/Lisbon order_undecidable",
        ),
        (
            "she moved back: the value that came back holds",
            vec![
                says("Lisbon", "2025-10-01"),
                says("Berlin", "2025-10-05"),
                says("Lisbon", "2025-10-09").id("again"),
            ],
            vec![],
            "settled Lisbon",
        ),
        (
            "three that nobody can rank are two pairs, around the first",
            vec![says("A", "2025-10"), says("B", "2025-10"), says("C", "2025-10")],
            vec![],
            "contested | A/B order_undecidable A/C order_undecidable",
        ),
        (
            "an unknown source wins against nobody",
            vec![says("Lisbon", "2025-10-14"), row("Berlin", "2025-10-20").by("ouija")],
            vec![],
            "contested | Berlin/Lisbon authority_unknown",
        ),
        (
            "said a hundred times is not said with more authority",
            (0..100)
                .map(|n| row("Berlin", "2025-10-20").id(&format!("n{n}")))
                .chain([says("Lisbon", "2025-10-14")])
                .collect(),
            vec![],
            "settled Lisbon",
        ),
    ];
    tell(&city(), rows);
}

#[test]
fn an_unproven_claim_wins_nothing_and_supports_nothing() {
    let rows = vec![
        ("one alone is unproven", vec![copy("Lisbon")], vec![], "unanchored Lisbon"),
        (
            "two that differ are a pair",
            vec![copy("Berlin"), copy("Lisbon")],
            vec![],
            "contested | Berlin/Lisbon missing_provenance",
        ),
        (
            "one that agrees with an anchored claim raises none",
            vec![says("Lisbon", "2025-10-14"), copy("lisbon")],
            vec![],
            "settled Lisbon",
        ),
        (
            "one that differs is a pair with the leader",
            vec![says("Lisbon", "2025-10-14"), copy("Berlin")],
            vec![],
            "contested | Berlin/Lisbon missing_provenance",
        ),
        (
            "seen after it was written is impossible",
            vec![says("Lisbon", "2025-10-14"), says("Berlin", "2026-01-01")],
            vec![],
            "contested | Berlin/Lisbon impossible_provenance",
        ),
        (
            "beside a denial of something else, two still differ",
            vec![says("Porto", "2025-10-14").retracts(), copy("Berlin"), copy("Lisbon")],
            vec![],
            "contested | Berlin/Lisbon missing_provenance",
        ),
        (
            "what nobody can date is no newer than what was taken back",
            vec![says("Lisbon", "2025-10-14"), says("Lisbon", "2025-10-20").id("gone").retracts(), copy("Berlin")],
            vec![],
            "contested | Berlin/gone missing_provenance",
        ),
    ];
    tell(&city(), rows);
    let slot_of = vec![says("Lisbon", "2025-10-14"), row("Berlin", "2025-10-15"), copy("berlin")];
    let slot = settle(&slot_of, &city(), &[]);
    assert_eq!(
        state_of(&slot, "berlin"),
        "superseded by Lisbon",
        "it shares the fate of the claim that it repeats"
    );
}

#[test]
fn a_year_and_a_day_of_it_are_no_contradiction() {
    let born = |value: &str, epoch: i64| says(value, "2025-10-14").id(&format!("{value}@{epoch}")).epoch(epoch);
    let rows = vec![
        ("the finer speaks", vec![born("1994", 1), born("1994-05-02", 1)], vec![], "settled 1994-05-02"),
        ("across epochs too", vec![born("1994-05-02", 1), born("1994", 2)], vec![], "settled 1994-05-02"),
        (
            "a coarse word between two epochs hides no contradiction",
            vec![born("1994-05-02", 1), born("1994", 2), born("1994-06-01", 3)],
            vec![],
            "contested | 1994-05-02@1/1994-06-01@3 cross_epoch",
        ),
        (
            "a coarse word goes with what is said, not with what is denied",
            vec![
                says("1994-05", "2025-11-05"),
                says("1994", "2025-10").by("ouija"),
                says("1994-05-02", "2025-10").by("tool_output"),
                says("1994-06-01", "2025-10").retracts(),
            ],
            vec![],
            "settled 1994-05-02",
        ),
        (
            "a year that means a day, because a person said so, is that day",
            vec![born("1994-05-02", 1), born("1994", 1), born("1994-06-01", 2)],
            vec![same(1, "1994@1", "1994-05-02@1")],
            "contested | 1994-05-02@1/1994-06-01@2 cross_epoch",
        ),
        (
            "a retraction of the year takes back the day",
            vec![born("1994-05-02", 1), says("1994", "2025-10-20").retracts()],
            vec![],
            "empty",
        ),
    ];
    tell(&rules(one().personal().compared(Comparison::Date).corrected()), rows);
}

#[test]
fn a_value_taken_back_leaves_nothing() {
    let gone = |at: &str| says("Lisbon", at).id("gone").retracts();
    let lisbon = || says("Lisbon", "2025-10-14");
    let rows = vec![
        ("a later word takes it back", vec![lisbon(), gone("2025-10-20")], vec![], "empty"),
        (
            "and no older value comes back",
            vec![says("Berlin", "2025-10-01"), lisbon(), gone("2025-10-20")],
            vec![],
            "empty",
        ),
        ("nor one of lower rank", vec![row("Berlin", "2025-10-15"), lisbon(), gone("2025-10-20")], vec![], "empty"),
        (
            "a newer one holds",
            vec![row("Berlin", "2025-10-25"), lisbon(), gone("2025-10-20")],
            vec![],
            "settled Berlin",
        ),
        ("an earlier retraction loses", vec![lisbon(), gone("2025-10-01")], vec![], "settled Lisbon"),
        (
            "a less authoritative one loses",
            vec![lisbon(), gone("2025-10-20").by("crm_import")],
            vec![],
            "settled Lisbon",
        ),
        (
            "one within the same day is a pair",
            vec![lisbon(), gone("2025-10-14T10:00:00Z")],
            vec![],
            "contested | Lisbon/gone order_undecidable",
        ),
        (
            "of another epoch is a pair",
            vec![lisbon(), gone("2025-10-20").epoch(2)],
            vec![],
            "contested | Lisbon/gone cross_epoch",
        ),
        (
            "whatever else was taken back there stays denied",
            vec![
                says("Berlin", "2025-10-14"),
                says("Berlin", "2025-10-15").id("gone").retracts(),
                says("Lisbon", "2025-10-15").id("not").retracts(),
                says("Lisbon", "2025-10-16").epoch(2),
            ],
            vec![],
            "contested | Lisbon/not cross_epoch",
        ),
    ];
    tell(&city(), rows);
}

#[test]
fn a_person_says_whether_it_was_taken_back() {
    let gone = || says("Lisbon", "2025-10-14T10:00:00Z").id("gone").retracts();
    let lisbon = || says("Lisbon", "2025-10-14");
    let rows = vec![
        (
            "accepted, it takes back what it could not outdate",
            vec![lisbon(), gone()],
            vec![accept(1, "gone", "Lisbon")],
            "empty",
        ),
        (
            "what it took back still beat what was below it",
            vec![row("Berlin", "2025-10-01"), says("Lisbon", "2025-10").by("tool_output"), gone()],
            vec![accept(1, "gone", "Lisbon")],
            "empty",
        ),
        (
            "the value accepted over it holds",
            vec![lisbon(), gone()],
            vec![accept(1, "Lisbon", "gone")],
            "settled Lisbon",
        ),
    ];
    tell(&city(), rows);
}

#[test]
fn of_many_values_each_lives_until_it_is_taken_back() {
    let done = |at: &str| says("search", at).id("done").retracts();
    let two = |it: Record| vec![says("billing", "2025-10-02"), says("search", "2025-10-01"), it];
    let rows = vec![
        ("a later retraction takes one away", two(done("2025-10-05")), vec![], "settled billing"),
        ("an earlier one does not", two(done("2025-09-01")), vec![], "settled billing, search"),
        (
            "a less authoritative one does not",
            two(done("2025-10-05").by("crm_import")),
            vec![],
            "settled billing, search",
        ),
        (
            "one that cannot be ordered contests it, and it lives meanwhile",
            two(done("2025-10")),
            vec![],
            "contested billing, search | done/search order_undecidable",
        ),
        (
            "one of another epoch contests it, and it lives meanwhile",
            two(done("2025-10-05").epoch(2)),
            vec![],
            "contested billing, search | done/search cross_epoch",
        ),
        (
            "one without provenance too",
            two(Record { source: None, ..done("2025-10-05") }),
            vec![],
            "contested billing, search | done/search missing_provenance",
        ),
        (
            "silence is not denial",
            vec![
                says("billing", "2025-10-02"),
                says("search", "2025-10-01"),
                says("billing", "2025-11-01").id("again").epoch(2),
            ],
            vec![],
            "settled billing, search",
        ),
    ];
    tell(&rules(many().personal()), rows);
    let rows = vec![
        (
            "undeclared, two values are a pair",
            vec![says("A", "2025-10-01"), says("B", "2025-10-02")],
            vec![],
            "contested | A/B cardinality_undeclared",
        ),
        (
            "undeclared, one value holds",
            vec![says("A", "2025-10-01"), says("A", "2025-10-02").id("again")],
            vec![],
            "settled A",
        ),
    ];
    tell(&rules(undeclared()), rows);
}

#[test]
fn what_is_too_unsure_wins_nothing() {
    let sure = |it: Record| it.confidence(0.9);
    let rows = vec![
        (
            "a would-be winner below the floor is a pair",
            vec![sure(says("Berlin", "2025-10-14")), says("Lisbon", "2025-10-15").confidence(0.2)],
            vec![],
            "contested | Berlin/Lisbon low_confidence",
        ),
        (
            "a loser may be as unsure as it likes",
            vec![says("Berlin", "2025-10-14").confidence(0.2), sure(says("Lisbon", "2025-10-15"))],
            vec![],
            "settled Lisbon",
        ),
        (
            "a claim wins by what of it is sure enough",
            vec![
                says("Berlin", "2025-10").by("tool_output"),
                sure(says("Berlin", "2025-10").id("sure").by("agent_inference")),
                row("Lisbon", "2025-10"),
            ],
            vec![],
            "settled Berlin",
        ),
        (
            "an unsure assertion does not outlast a retraction",
            vec![says("Lisbon", "2025-10-14").confidence(0.2), says("Lisbon", "2025-10-01").id("gone").retracts()],
            vec![],
            "contested | Lisbon/gone low_confidence",
        ),
    ];
    tell(&rules(one().personal().floor(0.5)), rows);
}
