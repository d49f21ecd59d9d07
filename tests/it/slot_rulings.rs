//! Slots on which people ruled, story by story: requests and their answers, accepts, disputes, links and withdrawals.

use gainsay::core::record::Record;
use gainsay::core::ruling::Ruling;
use gainsay::core::settle::settle;

use crate::script::{Told, instant};
use crate::stories::{
    accept, across, answers, city, dispute, override_recency, request, row, same, says, state_of, tell, undo,
    withdraw,
};

/// A city, named with its epoch: `Berlin1`.
fn in_epoch(city: &str, epoch: i64) -> Record {
    says(city, "2025-10-14").id(&format!("{city}{epoch}")).epoch(epoch)
}

/// Berlin in epoch 1, Lisbon in epoch 2.
fn moved() -> Vec<Record> {
    vec![in_epoch("Berlin", 1), in_epoch("Lisbon", 2)]
}

fn and(records: Vec<Record>, more: Record) -> Vec<Record> {
    [records, vec![more]].concat()
}

/// The ruling, made on 20 October.
fn asked(ruling: Ruling) -> Ruling {
    Ruling { at: instant("2025-10-20T00:00:00Z"), ..ruling }
}

/// The question of which of the two cities it is.
fn which() -> Ruling {
    asked(request(1, "Berlin1", "Lisbon2"))
}

/// The answer to it: Lisbon, unless the story says otherwise.
fn look(at: &str, epoch: i64) -> Record {
    answers(says("Lisbon", at).id("look").epoch(epoch), 1)
}

const WAITS: &str = "awaiting | Berlin1/Lisbon2 cross_epoch";

#[test]
fn an_epoch_change_is_a_signal_and_not_a_winner() {
    let rows = vec![
        ("deploy: neighbours that differ are a pair", moved(), vec![], "contested | Berlin1/Lisbon2 cross_epoch"),
        (
            "each change is one pair",
            vec![in_epoch("A", 1), in_epoch("B", 2), in_epoch("A", 3)],
            vec![],
            "contested | A1/B2 cross_epoch A3/B2 cross_epoch",
        ),
        ("the same again is none", vec![in_epoch("A", 1), in_epoch("A", 2)], vec![], "settled A"),
        ("asked for: it awaits", moved(), vec![asked(request(1, "Lisbon2", "Berlin1"))], WAITS),
        ("linked across the epochs: it awaits", moved(), vec![asked(across(1, "Berlin1", "Lisbon2"))], WAITS),
        (
            "what was taken back in a new epoch does not bring an old one back",
            vec![
                in_epoch("Berlin", 1),
                in_epoch("Lisbon", 2),
                says("Lisbon", "2025-10-20").id("gone").epoch(2).retracts(),
            ],
            vec![],
            "contested | Berlin1/gone cross_epoch",
        ),
    ];
    tell(&city(), rows);
}

#[test]
fn a_look_at_the_world_settles_what_was_asked() {
    let porto = |it: Record| Record { value: "Porto".into(), ..it };
    let rows = vec![
        (
            "a look after the question settles it",
            and(moved(), porto(look("2025-10-21", 2))),
            vec![which()],
            "settled Porto",
        ),
        (
            "a look before the question does not",
            and(moved(), look("2025-10-19", 2)),
            vec![which()],
            "awaiting | Berlin1/look cross_epoch",
        ),
        (
            "nor one in an older epoch",
            and(moved(), porto(look("2025-10-21", 1))),
            vec![which()],
            "contested | Lisbon2/look cross_epoch",
        ),
        (
            "nor one without provenance",
            and(moved(), Record { epoch: None, ..look("2025-10-21", 2) }),
            vec![which()],
            WAITS,
        ),
        (
            "nor one that answers no question of this slot",
            and(moved(), answers(look("2025-10-21", 2), 7)),
            vec![which()],
            "awaiting | Berlin1/look cross_epoch",
        ),
        (
            "nor one whose question was taken back",
            and(moved(), look("2025-10-21", 2)),
            vec![which(), undo(2, 1)],
            "contested | Berlin1/look cross_epoch",
        ),
        (
            "a later record meets what was seen",
            and(and(moved(), porto(look("2025-10-21", 2))), says("Faro", "2025-10-22").epoch(2)),
            vec![which()],
            "settled Faro",
        ),
        (
            "a dispute about what became history is over",
            and(moved(), look("2025-10-21", 2)),
            vec![which(), dispute(2, "Berlin1", "Lisbon2")],
            "settled Lisbon",
        ),
    ];
    tell(&city(), rows);
    let seen = and(moved(), look("2025-10-21", 2));
    let slot = settle(&seen, &city(), &[which()]);
    assert_eq!(state_of(&slot, "Berlin1"), "history");
}

/// Berlin and Lisbon on one day, and what else was said.
fn tie(more: Vec<Record>) -> Vec<Record> {
    [vec![says("Berlin", "2025-10-14"), says("Lisbon", "2025-10-14")], more].concat()
}

#[test]
fn an_accept_is_one_fact_and_the_rest_is_law() {
    let three = || tie(vec![says("Porto", "2025-10-14")]);
    let rows = vec![
        ("accepted, it holds", tie(vec![]), vec![accept(1, "Lisbon", "Berlin")], "settled Lisbon"),
        (
            "undone, it does not",
            tie(vec![]),
            vec![accept(1, "Lisbon", "Berlin"), undo(2, 1)],
            "contested | Berlin/Lisbon order_undecidable",
        ),
        (
            "the undo undone, it does",
            tie(vec![]),
            vec![accept(1, "Lisbon", "Berlin"), undo(2, 1), undo(3, 2)],
            "settled Lisbon",
        ),
        (
            "the later word over the higher one, with an override",
            vec![says("Berlin", "2025-10-14"), row("Lisbon", "2025-10-20")],
            vec![override_recency(1, "Lisbon", "Berlin")],
            "settled Lisbon",
        ),
        (
            "a third stays to be settled",
            three(),
            vec![accept(1, "Lisbon", "Berlin")],
            "contested | Lisbon/Porto order_undecidable",
        ),
        (
            "a chain of accepts has one end",
            three(),
            vec![accept(1, "Lisbon", "Berlin"), accept(2, "Porto", "Lisbon")],
            "settled Porto",
        ),
        (
            "of a circle the newest facts hold",
            three(),
            vec![accept(1, "Lisbon", "Berlin"), accept(2, "Porto", "Lisbon"), accept(3, "Berlin", "Porto")],
            "settled Berlin",
        ),
        (
            "accepted both ways, the last word holds",
            tie(vec![]),
            vec![accept(1, "Lisbon", "Berlin"), accept(2, "Berlin", "Lisbon")],
            "settled Berlin",
        ),
    ];
    tell(&city(), rows);
}

#[test]
fn a_later_record_meets_the_slot_as_the_accept_left_it() {
    let later = |city: &str, at: &str| vec![says(city, at).id("later")];
    let rows = vec![
        (
            "an echo of the loser reopens nothing",
            tie(later("Berlin", "2025-10-14")),
            vec![accept(1, "Lisbon", "Berlin")],
            "settled Lisbon",
        ),
        (
            "new evidence wins",
            tie(later("Berlin", "2025-10-20")),
            vec![accept(1, "Lisbon", "Berlin")],
            "settled Berlin",
        ),
        (
            "what the loser beat does not come back",
            tie(vec![says("Faro", "2025-10-01")]),
            vec![accept(1, "Lisbon", "Berlin")],
            "settled Lisbon",
        ),
        (
            "an echo of unknown authority reopens nothing",
            vec![
                says("Berlin", "2025-10"),
                says("Lisbon", "2025-10").by("ouija"),
                says("Lisbon", "2025-10").by("ouija").id("echo"),
            ],
            vec![accept(1, "Lisbon", "Berlin")],
            "settled Lisbon",
        ),
        (
            "what goes on beside it is no loser of it",
            vec![
                says("Berlin", "2025-10-14").by("ouija"),
                says("Porto", "2025-10-15T09:00:00Z").by("ouija"),
                says("Berlin", "2025-10-15").id("word"),
                says("Berlin", "2025-10-16").by("ouija").id("again"),
            ],
            vec![accept(1, "Porto", "Berlin")],
            "contested | Porto/word authority_unknown+order_undecidable",
        ),
        (
            "the same again with more authority is new evidence",
            vec![row("Berlin", "2025-10-14"), row("Lisbon", "2025-10-14"), says("Berlin", "2025-10-14").id("word")],
            vec![accept(1, "Lisbon", "Berlin")],
            "settled Berlin",
        ),
    ];
    tell(&city(), rows);
    let gone_on = tie(vec![says("Berlin", "2025-10-20").id("later"), says("Faro", "2025-10-25")]);
    let slot = settle(&gone_on, &city(), &[accept(1, "Lisbon", "Berlin")]);
    assert_eq!(state_of(&slot, "Lisbon"), "superseded by later", "no circle of winners");
    assert_eq!(state_of(&slot, "later"), "superseded by Faro");
}

#[test]
fn disputes_links_and_withdrawals() {
    let two = || vec![says("Berlin", "2025-10-14"), says("Lisbon", "2025-10-15")];
    let spelled =
        |more: Vec<Record>| [vec![says("Lisboa", "2025-10-14"), says("Lisbon", "2025-10-14")], more].concat();
    let rows = vec![
        (
            "a dispute opens what the core settled",
            two(),
            vec![dispute(1, "Berlin", "Lisbon")],
            "contested | Berlin/Lisbon disputed",
        ),
        (
            "an accept answers it",
            two(),
            vec![dispute(1, "Berlin", "Lisbon"), accept(2, "Berlin", "Lisbon")],
            "settled Berlin",
        ),
        (
            "the answer undone, it is open again",
            two(),
            vec![dispute(1, "Berlin", "Lisbon"), accept(2, "Berlin", "Lisbon"), undo(3, 2)],
            "contested | Berlin/Lisbon disputed",
        ),
        (
            "the dispute undone, it never was",
            two(),
            vec![dispute(1, "Berlin", "Lisbon"), undo(2, 1)],
            "settled Lisbon",
        ),
        (
            "one withdrawn, there is nothing to dispute",
            two(),
            vec![dispute(1, "Berlin", "Lisbon"), withdraw(2, "Berlin")],
            "settled Lisbon",
        ),
        ("two spellings are one value", spelled(vec![]), vec![same(1, "Lisboa", "Lisbon")], "settled Lisboa"),
        (
            "for good: the next record of either opens nothing",
            spelled(vec![says("lisboa", "2025-10")]),
            vec![same(1, "Lisboa", "Lisbon")],
            "settled Lisboa",
        ),
        (
            "of one mind, there is nothing to dispute",
            spelled(vec![]),
            vec![same(1, "Lisboa", "Lisbon"), dispute(2, "Lisboa", "Lisbon")],
            "settled Lisboa",
        ),
        (
            "the link undone, they differ",
            spelled(vec![]),
            vec![same(1, "Lisboa", "Lisbon"), undo(2, 1)],
            "contested | Lisboa/Lisbon order_undecidable",
        ),
        ("a withdrawn record is as if it were not there", two(), vec![withdraw(1, "Lisbon")], "settled Berlin"),
        ("the withdrawal undone, it is", two(), vec![withdraw(1, "Lisbon"), undo(2, 1)], "settled Lisbon"),
        ("all withdrawn, it is empty", two(), vec![withdraw(1, "Lisbon"), withdraw(2, "Berlin")], "empty"),
    ];
    tell(&city(), rows);
}

#[test]
fn a_dispute_is_answered_by_a_ruling_on_those_two_or_by_a_look_and_by_nothing_else() {
    let three = || vec![says("Berlin", "2025-10-14"), says("Lisbon", "2025-10-15"), says("Porto", "2025-10-13")];
    let look = |request: i64| {
        let seen = says("Lisbon", "2025-11-13").id("look").written("2025-11-13T09:00:00Z");
        [three(), vec![answers(seen, request)]].concat()
    };
    let disputed = || dispute(1, "Berlin", "Lisbon");
    let rows = vec![
        (
            "a ruling on one of the two and a third leaves it open",
            three(),
            vec![disputed(), accept(2, "Berlin", "Porto")],
            "contested | Berlin/Lisbon disputed",
        ),
        (
            "so does one on the other and the third",
            three(),
            vec![disputed(), accept(2, "Lisbon", "Porto")],
            "contested | Berlin/Lisbon disputed",
        ),
        ("one on the two answers it", three(), vec![disputed(), accept(2, "Lisbon", "Berlin")], "settled Lisbon"),
        (
            "one that was made before it does not",
            three(),
            vec![accept(1, "Lisbon", "Berlin"), dispute(2, "Berlin", "Lisbon")],
            "contested | Berlin/Lisbon disputed",
        ),
        (
            "a look that was asked for after it answers it",
            look(2),
            vec![disputed(), request(2, "Berlin", "Lisbon")],
            "settled Lisbon",
        ),
        (
            "a look that was asked for before it does not",
            look(1),
            vec![request(1, "Berlin", "Lisbon"), dispute(2, "Berlin", "Lisbon")],
            "contested | Berlin/Lisbon disputed",
        ),
    ];
    tell(&city(), rows);
}
