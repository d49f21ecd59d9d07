//! Slots on which people ruled, story by story: requests and their answers, accepts, disputes, links and withdrawals.

use gainsay::core::record::Record;
use gainsay::core::ruling::Ruling;
use gainsay::core::settle::settle;

use crate::script::{Told, instant};
use crate::stories::{
    accept, across, answers, city, dispute, override_recency, request, row, same, says, state_of, tell, undo,
    withdraw,
};

#[test]
#[expect(clippy::too_many_lines, reason = "a table of stories, one row each")]
fn an_epoch_change_is_a_signal_and_not_a_winner() {
    let in_epoch = |city: &str, epoch: i64| says(city, "2025-10-14").id(&format!("{city}{epoch}")).epoch(epoch);
    let answer = |at: &str, epoch: i64| answers(says("Lisbon", at).id("look").epoch(epoch), 1);
    let two = || vec![in_epoch("Berlin", 1), in_epoch("Lisbon", 2)];
    let with = |it: Record| two().into_iter().chain([it]).collect::<Vec<_>>();
    let asked = |ruling: Ruling| Ruling { at: instant("2025-10-20T00:00:00Z"), ..ruling };
    let waits = "awaiting | Berlin1/Lisbon2 cross_epoch";
    let porto = |it: Record| Record { value: "Porto".into(), ..it };
    let rows = vec![
        ("deploy: neighbours that differ are a pair", two(), vec![], "contested | Berlin1/Lisbon2 cross_epoch"),
        (
            "each change is one pair",
            vec![in_epoch("A", 1), in_epoch("B", 2), in_epoch("A", 3)],
            vec![],
            "contested | A1/B2 cross_epoch A3/B2 cross_epoch",
        ),
        ("the same again is none", vec![in_epoch("A", 1), in_epoch("A", 2)], vec![], "settled A"),
        ("asked for: it awaits", two(), vec![asked(request(1, "Lisbon2", "Berlin1"))], waits),
        ("linked across the epochs: it awaits", two(), vec![asked(across(1, "Berlin1", "Lisbon2"))], waits),
        (
            "a look after the question settles it",
            with(porto(answer("2025-10-21", 2))),
            vec![asked(request(1, "Berlin1", "Lisbon2"))],
            "settled Porto",
        ),
        (
            "a look before the question does not",
            with(answer("2025-10-19", 2)),
            vec![asked(request(1, "Berlin1", "Lisbon2"))],
            "awaiting | Berlin1/look cross_epoch",
        ),
        (
            "nor one in an older epoch",
            with(porto(answer("2025-10-21", 1))),
            vec![asked(request(1, "Berlin1", "Lisbon2"))],
            "contested | Lisbon2/look cross_epoch",
        ),
        (
            "nor one without provenance",
            with(Record { epoch: None, ..answer("2025-10-21", 2) }),
            vec![asked(request(1, "Berlin1", "Lisbon2"))],
            waits,
        ),
        (
            "nor one that answers no question of this slot",
            with(answers(answer("2025-10-21", 2), 7)),
            vec![asked(request(1, "Berlin1", "Lisbon2"))],
            "awaiting | Berlin1/look cross_epoch",
        ),
        (
            "nor one whose question was taken back",
            with(answer("2025-10-21", 2)),
            vec![asked(request(1, "Berlin1", "Lisbon2")), undo(2, 1)],
            "contested | Berlin1/look cross_epoch",
        ),
        (
            "a later record meets what was seen",
            with(porto(answer("2025-10-21", 2))).into_iter().chain([says("Faro", "2025-10-22").epoch(2)]).collect(),
            vec![asked(request(1, "Berlin1", "Lisbon2"))],
            "settled Faro",
        ),
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
        (
            "a dispute about what became history is over",
            with(answer("2025-10-21", 2)),
            vec![asked(request(1, "Berlin1", "Lisbon2")), dispute(2, "Berlin1", "Lisbon2")],
            "settled Lisbon",
        ),
    ];
    tell(&city(), rows);
    let seen = with(answer("2025-10-21", 2));
    let slot = settle(&seen, &city(), std::slice::from_ref(&rows_request()));
    assert_eq!(state_of(&slot, "Berlin1"), "history");
}

fn rows_request() -> Ruling {
    Ruling { at: instant("2025-10-20T00:00:00Z"), ..request(1, "Berlin1", "Lisbon2") }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of stories, one row each")]
fn an_accept_is_one_fact_and_the_rest_is_law() {
    let tie = |more: Vec<Record>| [vec![says("Berlin", "2025-10-14"), says("Lisbon", "2025-10-14")], more].concat();
    let three = || tie(vec![says("Porto", "2025-10-14")]);
    let later = |city: &str, at: &str| vec![says(city, at).id("later")];
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
            "the same again with more authority is new evidence",
            vec![row("Berlin", "2025-10-14"), row("Lisbon", "2025-10-14"), says("Berlin", "2025-10-14").id("word")],
            vec![accept(1, "Lisbon", "Berlin")],
            "settled Berlin",
        ),
    ];
    tell(&city(), rows);
    let moved = tie(vec![says("Berlin", "2025-10-20").id("later"), says("Faro", "2025-10-25")]);
    let slot = settle(&moved, &city(), &[accept(1, "Lisbon", "Berlin")]);
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
