//! Sentences read into slots by hand: from the keyboard, on a real store, with a rule kept or without.

use std::fs;
use std::path::PathBuf;

use gainsay::app::{Look, Setup};
use gainsay::runtime;
use gainsay::store::Store;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::desk::Desk;
use crate::script::{Told as _, record};
use crate::seat::Seat;

/// Four sentences, two of which are alike; and who sits before them.
fn seat() -> (Seat<runtime::Desk>, Desk, PathBuf) {
    seat_of(120, 40)
}

fn seat_of(width: u16, height: u16) -> (Seat<runtime::Desk>, Desk, PathBuf) {
    let mut desk = Desk::new();
    let says = |subject: &str, id: &str, text: &str| {
        let mut it = record(subject, "unused", text).id(id).by("mem0");
        it.attribute = None;
        it.evidence = Some(text.to_owned());
        it
    };
    desk.import([
        says("anna", "s1", "anna collects stamps."),
        says("miguel", "s2", "Collects coins"),
        says("anna", "s3", "Collects maps, and sells them"),
        says("rui\u{202e}", "s4", "Sails on Sundays"),
    ]);
    let rules = desk.folder.path().join("config/slots.json");
    let store = Store::open(&desk.path(), desk.now).unwrap();
    let runs = runtime::Desk::new(store, "dana".to_owned()).unwrap().keeping(rules.clone());
    (Seat::of_size(runs, width, height, Look::Colour), desk, rules)
}

fn values(desk: &Desk, subject: &str, attribute: &str) -> Vec<Value> {
    desk.recall(subject, attribute).values
}

/// Fills the form in, up to what it would do.
fn fill(seat: &mut Seat<runtime::Desk>, value: &str, rule: bool) {
    seat.press("Enter").write("collects").press("Tab").write(value).press("Tab");
    if rule {
        seat.press("Right");
    }
    seat.press("Enter");
}

#[test]
fn a_sentence_is_read_by_hand_and_nothing_else_is() {
    let (mut seat, desk, rules) = seat();
    seat.press("S");
    let screen = seat.screen();
    assert!(screen.contains("Sentences in no slot: 4") && screen.contains("rui<U+202E>"), "{screen}");
    fill(&mut seat, "stamps", false);
    let screen = seat.screen();
    assert!(screen.contains("collects is stamps") && screen.contains("1 held · 0 pairs opened"), "{screen}");
    assert!(values(&desk, "anna", "collects").is_empty(), "it is only tried");
    seat.press("Enter");
    assert!(values(&desk, "anna", "collects").is_empty(), "Enter never writes");
    seat.press("y");
    assert_eq!(values(&desk, "anna", "collects"), [json!("stamps")]);
    assert!(values(&desk, "miguel", "collects").is_empty());
    assert!(
        seat.said().contains("1 sentence is read; withdrawn with batch slotted by dana by hand"),
        "{}",
        seat.said()
    );
    assert!(seat.screen().contains("Sentences in no slot: 3"), "{}", seat.screen());
    assert!(!rules.exists());
    seat.press("Esc");
    assert!(seat.model.dialogs.is_empty());
}

#[test]
fn a_rule_is_tried_on_the_others_first_and_kept() {
    let (mut seat, desk, rules) = seat();
    seat.press("S");
    fill(&mut seat, "stamps", true);
    let screen = seat.screen();
    for said in ["reads 1 other sentence", "miguel: Collects coins → coins", "2 held", "y write it"] {
        assert!(screen.contains(said), "no {said:?} in\n{screen}");
    }
    assert!(!rules.exists() && values(&desk, "miguel", "collects").is_empty());
    seat.press("y");
    assert_eq!(values(&desk, "miguel", "collects"), [json!("coins")]);
    assert!(values(&desk, "anna", "collects") == [json!("stamps")], "a sentence that says more is left alone");
    assert!(seat.said().contains("2 sentences are read, the rule is kept in"), "{}", seat.said());
    let kept: Value = serde_json::from_slice(&fs::read(&rules).unwrap()).unwrap();
    assert_eq!(
        (&kept["rules"][0]["rule"], &kept["rules"][0]["attribute"]),
        (&json!("collects-1"), &json!("collects"))
    );
    // Another rule of the same attribute stands behind it, under a name of its own.
    seat.press("G Enter").write("sport").press("Tab").write("Sundays").press("Tab Right Enter y");
    let kept: Value = serde_json::from_slice(&fs::read(&rules).unwrap()).unwrap();
    assert_eq!(kept["rules"].as_array().unwrap().len(), 2, "{}", seat.screen());
}

#[test]
fn what_is_kept_is_read_from_the_command_line_too() {
    let shop = crate::formats::Shop::new();
    let rule =
        json!({"rules": [{"rule": "collects-1", "attribute": "collects", "match": "{who}collects {value}"}]});
    shop.write("slots.json", rule.to_string());
    let config = shop.write("config.json", "{}");
    let file = shop
        .write("one.jsonl", "{\"subject_id\": \"anna\", \"value\": \"Collects stamps\", \"source\": \"mem0\"}\n");
    shop.json(&["import", &file]);
    assert_eq!(shop.json(&["--config", &config, "slot"])["added"], 1);
    assert_eq!(shop.json(&["recall", "anna", "collects"])["values"].as_array().map_or(0, Vec::len), 0);
    assert_eq!(shop.json(&["recall", "anna", "collects"])["value"], "stamps");
    shop.write("slots.json", "{\"rules\": 3}");
    let said = shop.says(&["--config", &config, "slot"]);
    assert!(said.contains("slots.json") && said.ends_with("exit 3\n"), "{said}");
}

#[test]
fn what_cannot_be_read_is_said_and_nothing_is_written() {
    let (mut seat, desk, rules) = seat();
    seat.press("S");
    fill(&mut seat, "coins", false);
    assert!(seat.screen().contains("does not stand in the sentence"), "{}", seat.screen());
    seat.press("Esc Enter Enter Enter Enter");
    assert!(seat.screen().contains("an attribute is needed"), "{}", seat.screen());
    seat.press("Esc");
    // A file of rules that is broken is not written over.
    fs::create_dir_all(rules.parent().unwrap()).unwrap();
    fs::write(&rules, "{\"rules\": 3}").unwrap();
    fill(&mut seat, "stamps", true);
    assert!(seat.screen().contains("the file that is there is broken"), "{}", seat.screen());
    assert_eq!(fs::read_to_string(&rules).unwrap(), "{\"rules\": 3}");
    assert!(values(&desk, "anna", "collects").is_empty());
}

#[test]
fn a_seat_that_may_only_read_reads_nothing_in() {
    let (seat, desk, _) = seat();
    let setup = Setup { read_only: true, ..seat.model.setup.clone() };
    let mut seat = Seat::set_up(seat.store, 120, 40, setup);
    seat.press("S Enter");
    assert!(seat.said().contains("read only"), "{}", seat.said());
    assert!(values(&desk, "anna", "collects").is_empty());
}

#[test]
fn the_lane_fits_every_size_and_tells_when_it_is_empty() {
    for (width, height) in [(40, 12), (80, 24), (200, 60)] {
        let (mut seat, _desk, _) = seat_of(width, height);
        seat.press("S");
        assert!(seat.screen().contains("Sentences in no slot"), "{}", seat.screen());
        fill(&mut seat, "stamps", true);
        assert!(seat.screen().contains("write it"), "{width} by {height}\n{}", seat.screen());
    }
    let desk = Desk::new();
    let store = Store::open(&desk.path(), desk.now).unwrap();
    let mut seat = Seat::new(runtime::Desk::new(store, "dana".to_owned()).unwrap());
    seat.press("S");
    assert!(seat.screen().contains("there is none"), "{}", seat.screen());
    let _folder: &TempDir = &desk.folder;
}
