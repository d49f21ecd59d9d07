//! A memory given back: in the agent's own format, one value for each slot that holds one.

use std::fs;

use serde_json::{Value, json};

use crate::formats::Shop;

const OWN: &str = r#"
{"id": "o1", "subject_id": "dana", "attribute": "employer", "value": "Rivet", "source": "tool_output", "observed_at": "2026-01-02T00:00:00Z", "epoch": 1, "written_at": "2026-01-02T00:00:00Z"}
{"id": "o2", "subject_id": "dana", "attribute": "employer", "value": "Brisa", "source": "tool_output", "observed_at": "2025-01-02T00:00:00Z", "epoch": 1, "written_at": "2025-01-02T00:00:00Z"}
{"id": "o3", "subject_id": "dana", "attribute": "home_city", "value": "Lisbon", "source": "tool_output", "observed_at": "2026-01-02T00:00:00Z", "epoch": 1}
{"id": "o4", "subject_id": "dana", "attribute": "home_city", "value": "Porto", "source": "tool_output", "observed_at": "2026-01-02T00:00:00Z", "epoch": 2}
{"id": "o5", "subject_id": "dana", "attribute": "allergy", "value": "nuts", "source": "tool_output", "observed_at": "2026-01-02T00:00:00Z", "epoch": 1}
{"id": "o6", "subject_id": "dana", "attribute": "allergy", "value": "milk", "source": "tool_output", "confidence": 0.4}
{"id": "o7", "subject_id": "svc/pay", "attribute": "limits", "value": {"burst": 3, "rate": 12}, "source": "file_read"}
"#;

const FORMATS: [&str; 3] = ["mcp", "mem0", "jsonl"];

/// A store with a bit of everything: settled, contested, several, sentences read and not read, relations.
fn filled() -> Shop {
    let shop = Shop::new();
    let own = shop.write("own.jsonl", OWN);
    shop.json(&["import", &own]);
    shop.json(&["import", "mem0/history.jsonl"]);
    shop.json(&["import", "mcp/server.jsonl"]);
    shop.json(&["slot"]);
    shop
}

/// What a store gives.
fn given(shop: &Shop, format: &str, contested: &str) -> String {
    let output = shop.run(&["export", "--format", format, "--contested", contested]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The lines or results that were given.
fn objects(text: &str) -> Vec<Value> {
    match serde_json::from_str::<Value>(text) {
        Ok(document) if document.get("results").is_some() => document["results"].as_array().unwrap().clone(),
        Ok(_) | Err(_) => text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
    }
}

fn brought_back(text: &str) -> Shop {
    let other = Shop::new();
    let file = other.write("given", text);
    other.json(&["import", &file]);
    other
}

#[test]
fn each_format_gives_what_holds_and_says_what_does_not() {
    let shop = filled();
    let mut said = String::new();
    for format in FORMATS {
        for contested in ["omit", "mark"] {
            said.push_str(&format!("## {format}, {contested}\n"));
            said.push_str(&shop.says(&["export", "--format", format, "--contested", contested]));
        }
    }
    insta::assert_snapshot!("given", said);
}

#[test]
fn what_is_given_comes_in_and_is_given_the_same_again() {
    let shop = filled();
    for format in FORMATS {
        let first = given(&shop, format, "omit");
        assert!(!objects(&first).is_empty(), "{format}");
        let other = brought_back(&first);
        assert_eq!(given(&other, format, "omit"), first, "{format}");
        assert_eq!(other.json(&["queue", "--count"])["count"], 0, "{format}: what holds contradicts itself");
        assert_eq!(other.json(&["verify"])["ok"], true);
    }
}

#[test]
fn a_mark_is_read_and_is_no_memory() {
    let shop = filled();
    for format in ["mcp", "mem0"] {
        let marked = given(&shop, format, "mark");
        assert!(marked.contains("Contested, not known: home_city (pair 1): Lisbon or Porto"), "{marked}");
        assert_eq!(given(&brought_back(&marked), format, "mark"), given(&shop, format, "omit"), "{format}");
    }
    // Whole records carry their contradiction with them.
    let other = brought_back(&given(&shop, "jsonl", "mark"));
    assert_eq!(other.json(&["queue", "--count"])["count"], shop.json(&["queue", "--count"])["count"]);
}

#[test]
fn a_slot_of_one_value_is_given_one_or_none() {
    let shop = filled();
    let lines = objects(&given(&shop, "jsonl", "omit"));
    let of = |attribute: &str| -> Vec<&Value> {
        lines
            .iter()
            .filter(|line| line["subject_id"] == "dana" && line["attribute"] == attribute)
            .map(|line| &line["value"])
            .collect()
    };
    assert_eq!(of("employer"), [&json!("Rivet")]);
    assert!(of("home_city").is_empty());
    assert_eq!(of("allergy"), [&json!("milk"), &json!("nuts")]);
}

#[test]
fn a_record_may_say_that_its_attribute_holds_many_and_nothing_else() {
    let shop = Shop::new();
    let line = |value: &str, cardinality: &str| {
        format!(
            "{{\"subject_id\": \"dana\", \"attribute\": \"reads\", \"value\": \"{value}\", \"cardinality\": \"{cardinality}\"}}\n"
        )
    };
    let file = shop.write("reads.jsonl", line("maps", "many") + &line("logs", "many"));
    assert_eq!(shop.json(&["import", &file])["declared_many"], json!(["reads"]));
    assert_eq!(shop.json(&["recall", "dana", "reads"])["values"], json!(["logs", "maps"]));
    let file = shop.write("one.jsonl", line("maps", "one"));
    let said = shop.says(&["import", &file]);
    assert!(said.contains("one.jsonl:1:78: cardinality") && said.ends_with("exit 3\n"), "{said}");
}

#[test]
fn contested_says_nothing_of_a_whole_export() {
    let said = filled().says(&["export", "--contested", "mark"]);
    assert!(said.contains("--format") && said.ends_with("exit 2\n"), "{said}");
}

/// What mem0 remembers of the user, and what it destroyed.
const HISTORY: &str = r#"
{"id": "h1", "memory_id": "m1", "old_memory": null, "new_memory": "Lives in Berlin", "event": "ADD", "created_at": "2023-03-02T09:00:00Z", "updated_at": null, "user_id": "Anna Kovač", "role": "user"}
{"id": "h2", "memory_id": "m1", "old_memory": "Lives in Berlin", "new_memory": "Lives in Porto", "event": "UPDATE", "created_at": "2023-03-02T09:00:00Z", "updated_at": "2025-10-14T09:31:04Z", "user_id": "Anna Kovač", "role": "user"}
{"id": "h3", "memory_id": "m2", "old_memory": null, "new_memory": "Works at Brisa", "event": "ADD", "created_at": "2024-01-01T00:00:00Z", "updated_at": null, "user_id": "Anna Kovač", "role": "user"}
"#;

/// The pair that is open in an attribute, whole.
fn open(shop: &Shop, attribute: &str) -> Value {
    let pairs = shop.lines(&["queue", "--attribute", attribute]);
    assert_eq!(pairs.len(), 1, "{attribute}: {pairs:?}");
    shop.json(&["show", &pairs[0]["pair"].to_string()])
}

fn side<'a>(pair: &'a Value, value: &str) -> &'a str {
    let side = ["left", "right"].into_iter().find(|side| pair[side]["value"] == value).unwrap();
    pair[side]["id"].as_str().unwrap()
}

#[test]
fn two_memories_of_one_user_are_loaded_triaged_and_given_back() {
    let shop = Shop::new();
    let history = shop.write("history.jsonl", HISTORY);
    shop.json(&["import", &history]);
    shop.json(&["import", "mcp/server.jsonl"]);
    assert_eq!(shop.json(&["slot"])["added"], 6);
    let observations = |shop: &Shop| -> Value {
        let lines = objects(&given(shop, "mcp", "omit"));
        lines.iter().find(|line| line["name"] == "Anna Kovač").unwrap()["observations"].clone()
    };
    assert_eq!(observations(&shop), json!(["Любит кофе без сахара"]), "what is contested is not given");

    // Two spellings of one employer.
    let pair = open(&shop, "employer");
    let number = pair["pair"].to_string();
    shop.json(&["link", &number, "--as", "same", "--reason", "Brisa is what people call it"]);

    // Three cities, and nothing that proves them: nobody may take one of them as it stands.
    let cities = shop.lines(&["queue", "--attribute", "home_city"]);
    assert_eq!(cities.len(), 2);
    let number = cities[0]["pair"].to_string();
    let pair = shop.json(&["show", &number]);
    let left = pair["left"]["id"].as_str().unwrap();
    let refused = shop.says(&["accept", &number, "--record", left, "--reason", "older"]);
    assert!(refused.contains("lacks observed_at and epoch") && refused.ends_with("exit 1\n"), "{refused}");
    let lisbon = cities.iter().find(|pair| pair["values"].as_array().unwrap().contains(&json!("Lisbon"))).unwrap();
    let lisbon = shop.json(&["show", &lisbon["pair"].to_string()]);
    let lisbon = side(&lisbon, "Lisbon").to_owned();
    shop.json(&["withdraw", "--record", &lisbon, "--reason", "other_speaker"]);
    let pair = open(&shop, "home_city");
    for city in ["Berlin", "Porto"] {
        let evidence = format!("the chat in which she named {city}");
        shop.json(&[
            "rederive",
            side(&pair, city),
            "--observed-at",
            "2023",
            "--epoch",
            "1",
            "--evidence",
            &evidence,
        ]);
    }
    let proven = open(&shop, "home_city");
    let number = proven["pair"].to_string();
    shop.json(&["accept", &number, "--record", side(&proven, "Porto"), "--reason", "she said so on the phone"]);
    assert_eq!(shop.json(&["queue", "--count"])["count"], 0);
    assert_eq!(shop.json(&["recall", "Anna Kovač", "home_city"])["value"], "Porto");

    let back = observations(&shop);
    assert_eq!(back, json!(["Works at Brisa", "home_city: Porto", "Любит кофе без сахара"]));
    let file = shop.path("back.jsonl");
    fs::write(&file, given(&shop, "mcp", "omit")).unwrap();
    assert_eq!(observations(&brought_back(&fs::read_to_string(&file).unwrap())), back);
}
