//! Sentences into slots: what a rule reads, what it leaves alone, and how it is taken back.

use gainsay::formats::slotting::{Rule, SHIPPED, read, slot};
use proptest::prelude::*;
use serde_json::json;

use crate::formats::Shop;
use crate::script::properties;
use crate::told::{Told, says};

fn shipped() -> Vec<Rule> {
    read(SHIPPED.as_bytes()).unwrap_or_else(|fault| panic!("{}:{} {fault}", fault.at.line, fault.at.column))
}

/// What the shipped rules read in a sentence about a subject: `attribute = value`.
fn reading(subject: &str, sentence: &str) -> Option<String> {
    let mut record = says("m", subject, "unused", sentence);
    record.attribute = None;
    let (_, made) = slot(&shipped(), &record)?;
    let made = made.record;
    Some(format!("{} = {}", made.attribute?, made.value.as_str()?))
}

#[test]
fn the_commonest_forms_are_read() {
    for (sentence, expected) in [
        ("Lives in Lisbon", "home_city = Lisbon"),
        ("the user lives in São Paulo.", "home_city = São Paulo"),
        ("Anna Kovač has moved to Porto", "home_city = Porto"),
        ("I'm allergic to peanuts", ""),
        ("She is severely allergic to peanuts", "allergy = peanuts"),
        ("User doesn't like calls", "dislikes = calls"),
        ("My name is Anna", "name = Anna"),
        ("Anna Kovač's birthday is 1994-05-02", "date_of_birth = 1994-05-02"),
        ("Works as a nurse", "job_title = nurse"),
        ("Prefers to speak in Portuguese", "preferred_language = Portuguese"),
        ("Time zone is Europe/Lisbon", "time_zone = Europe/Lisbon"),
        ("Plan tier: gold", "plan_tier = gold"),
    ] {
        assert_eq!(reading("Anna Kovač", sentence).unwrap_or_default(), expected, "{sentence}");
    }
}

#[test]
fn what_a_rule_cannot_be_sure_of_it_leaves_alone() {
    for sentence in [
        "Miguel lives in Porto",
        "Anna lives in Porto",
        "Lives in Lisbon and works at Rivet",
        "Lives in Lisbon, but not for long",
        "Does not live in Lisbon",
        "Used to live in Lisbon",
        "Lives in Lisbon until May",
        "Her brother is allergic to nuts",
        "Miguel's name is Miguel",
        "Likes tea because it is warm",
        "See http://example.com/a: there",
        "",
    ] {
        let read = reading("Anna Kovač", sentence);
        assert!(read.is_none() || sentence.starts_with("See"), "{sentence}: {read:?}");
    }
    assert_eq!(reading("Anna Kovač", "http://example.com"), None);
}

proptest! {
    #![proptest_config(properties(512))]

    /// No text makes a rule panic, and what is read stands in the text.
    #[test]
    fn a_value_stands_in_its_sentence(sentence in "(Lives in|Likes|My name is|Uses|a b:|\\PC{0,8}) ?\\PC{0,40}") {
        if let Some(read) = reading("Anna", &sentence) {
            let value = read.split_once(" = ").map(|(_, value)| value).unwrap_or_default();
            prop_assert!(sentence.contains(value), "{sentence:?} gives {read:?}");
        }
    }
}

#[test]
fn a_slotted_record_rests_on_its_sentence_and_keeps_its_times() {
    let mut record = says("m1", "anna", "unused", "Lives in Lisbon")
        .by("mem0")
        .field("batch", "old")
        .observed("2025-10-14")
        .epoch(3);
    record.attribute = None;
    let rules = shipped();
    let (rule, made) = slot(&rules, &record).unwrap();
    let made = made.record;
    assert_eq!((made.evidence.as_deref(), made.derived_from.as_ref()), (Some("Lives in Lisbon"), Some(&record.id)));
    assert_eq!(
        (made.observed_at, made.epoch, made.written_at),
        (record.observed_at, record.epoch, record.written_at)
    );
    assert_eq!(made.batch, rule.batch());
    let fields = &made.source.unwrap().fields;
    assert_eq!(
        (&fields["slotted_by"], &fields["origin_batch"], fields.get("batch")),
        (&json!("lives-in"), &json!("old"), None)
    );
}

#[test]
fn a_broken_rule_is_told_with_its_place() {
    for (text, place, words) in [
        ("{\"rules\": [{\"rule\": \"a\", \"attribute\": \"b\", \"match\": \"(\"}]}", "1:53", "regular expression"),
        (
            "{\"rules\": [{\"rule\": \"a\", \"attribute\": \"b\", \"match\": \"x\"}]}",
            "1:53",
            "where the value stands",
        ),
        ("{\"rules\": [{\"rule\": \"a\", \"match\": \"{value}\"}]}", "1:35", "names none"),
        (
            "{\"rules\": [{\"rule\": \"a\", \"attribute\": \"b\", \"match\": \"has {value}\", \"examples\": {\"had x\": \"x\"}}]}",
            "1:90",
            "reads nothing",
        ),
        ("{\"rules\": []}", "1:1", "no rule"),
        ("{\"rulez\": []}", "1:2", "means nothing"),
    ] {
        let fault = read(text.as_bytes()).map(|_| ()).unwrap_err();
        assert_eq!(format!("{}:{}", fault.at.line, fault.at.column), place, "{fault}");
        assert!(fault.to_string().contains(words), "{fault}");
    }
}

#[test]
fn sentences_are_slotted_once_and_a_wrong_rule_is_withdrawn_like_a_batch() {
    let shop = Shop::new();
    shop.json(&["import", "mcp/server.jsonl"]);
    let tried = shop.says(&["slot", "--dry-run"]);
    assert!(
        tried.contains("lives-in") && tried.contains("Lives in Lisbon") && tried.contains("home_city"),
        "{tried}"
    );
    let done = shop.json(&["slot"]);
    assert_eq!((&done["unslotted"], &done["added"], &done["left"]), (&json!(4), &json!(3), &json!(1)));
    assert_eq!(shop.json(&["recall", "Anna Kovač", "home_city"])["value"], "Lisbon");
    let again = shop.json(&["slot"]);
    assert_eq!((&again["added"], &again["duplicates"]), (&json!(0), &json!(3)));
    let left = shop.says(&["slot", "--left"]);
    assert!(left.contains("Любит кофе без сахара") && left.contains("1 record"), "{left}");
    let rule = done["rules"].as_array().unwrap().iter().find(|rule| rule["rule"] == "lives-in").unwrap();
    shop.json(&["withdraw", "--batch", rule["batch"].as_str().unwrap(), "--reason", "misread"]);
    assert_eq!(shop.json(&["recall", "Anna Kovač", "home_city"])["status"], "empty");
    assert_eq!(shop.json(&["slot"])["added"], 0, "what was withdrawn stays so");
    assert_eq!(shop.json(&["verify"])["ok"], true);
}

#[test]
fn a_rule_of_ones_own_comes_first_and_what_was_withdrawn_is_not_slotted() {
    let shop = Shop::new();
    shop.json(&["import", "others/facts.jsonl", "--batch", "notes"]);
    let rules = shop.write(
        "rules.json",
        r#"{"rules": [{"rule": "build-tool", "attribute": "build_tool", "kinds": ["note"], "match": "uses {value}", "examples": {"Uses make": "make"}}]}"#,
    );
    let done = shop.json(&["slot", "--rules", &rules]);
    assert_eq!((&done["added"], &done["outcomes"]["quarantined"]), (&json!(2), &json!(1)));
    assert_eq!(shop.lines(&["queue"])[0]["values"], json!(["make", "ninja"]));
    let other = Shop::new();
    other.json(&["import", "others/facts.jsonl", "--batch", "notes"]);
    other.json(&["withdraw", "--batch", "notes", "--reason", "bad_batch"]);
    assert_eq!(other.json(&["slot"])["unslotted"], 0);
    let said = other.says(&["slot", "--rule", "nothing"]);
    assert!(said.contains("there is no rule nothing") && said.ends_with("exit 2\n"), "{said}");
}
