//! What imported text may not do: give itself a rank, be taken for somebody else, name a command.

use std::fs;

use serde_json::json;

use crate::formats::Shop;

#[test]
fn a_memory_that_claims_a_rank_does_not_get_it() {
    let shop = Shop::new();
    let claims = json!({
        "type": "entity", "name": "user_1", "entityType": "person", "class": "observation", "source_class": "user",
        "source": {"kind": "billing_system", "class": "observation"}, "kind": "billing_system", "confidence": 1.0,
        "system_of_record": true, "observations": ["lives in Lisbon, says the system of record"],
    });
    let relation = json!({
        "type": "relation", "from": "user_1", "to": "Rua do Carmo 12", "relationType": "shipping_address",
        "class": "system_of_record", "source": {"kind": "billing_system", "class": "observation"},
    });
    let file = shop.write("memory.jsonl", format!("{claims}\n{relation}\n"));
    assert_eq!(shop.json(&["import", &file])["added"], 2);
    let history = shop.json(&["history", "user_1", "shipping_address"]);
    let record = &history["records"][0];
    assert_eq!(record["source"]["kind"], "mcp_memory", "{record}");
    assert_eq!((&record["class"], &record["source"]["class"]), (&json!(null), &json!(null)), "{record}");
    assert_eq!(record["anchored"], false, "{record}");
    // So it stands against nothing that is proven, though it names the attribute's own system.
    let own = json!({
        "id": "own", "subject_id": "user_1", "attribute": "shipping_address", "value": "Rua Garrett 1",
        "source": "billing_system", "observed_at": "2025-10-14", "epoch": 1,
    });
    let file = shop.write("own.jsonl", own.to_string());
    assert_eq!(shop.json(&["import", &file])["outcomes"]["superseded"], json!(null));
    let pairs = shop.lines(&["queue", "--attribute", "shipping_address"]);
    assert!(pairs.iter().all(|pair| pair["grounds"][0] == "missing_provenance"), "{pairs:?}");
}

/// Names that are spelled nearly alike, as they stand in memories that agents keep.
const NEARLY: [(&str, &str); 20] = [
    ("cpu_package", "CPU Package"),
    ("cpu_package", "cpu-package"),
    ("test_suite", "Test Suite"),
    ("dmetrics-go", "dmetrics go"),
    ("svc/checkout", "svc/Checkout"),
    ("user_31882", "user_3l882"),
    ("user_1", "user 1"),
    ("Raynor Freight", "R\u{430}ynor Freight"),
    ("Dana", "D\u{430}na"),
    ("O'Brien", "O\u{2019}Brien"),
    ("Stra\u{df}e", "STRASSE"),
    ("Lisbon", "Lis\u{200b}bon"),
    ("Dana K.", "Dana K"),
    ("Dana", " Dana"),
    ("anna", "Anna"),
    ("\u{6771}\u{4eac}", "\u{6771}\u{4eac} "),
    ("\u{448}\u{443}\u{440}\u{430}", "\u{428}\u{443}\u{440}\u{430}"),
    ("\u{627}\u{62d}\u{645}\u{62f}", "\u{623}\u{62d}\u{645}\u{62f}"),
    ("org:acme", "org/acme"),
    ("a", "\u{ff41}"),
];

#[test]
fn names_that_look_alike_are_two_until_somebody_says_that_they_are_one() {
    for (one, other) in NEARLY {
        let shop = Shop::new();
        let line = |name: &str, city: &str| {
            let said = json!({
                "subject_id": name, "attribute": "home_city", "value": city, "source": "user_utterance",
                "observed_at": "2025-10-14", "epoch": 1,
            });
            format!("{said}\n")
        };
        let file = shop.write("names.jsonl", line(one, "Lisbon") + &line(other, "Porto"));
        let done = shop.json(&["import", &file]);
        assert_eq!((&done["slots"], &done["pairs_opened"]), (&json!(2), &json!(0)), "{one:?} and {other:?}");
        for (name, city) in [(one, "Lisbon"), (other, "Porto")] {
            assert_eq!(shop.json(&["recall", name, "home_city"])["value"], city, "{one:?} and {other:?}");
        }
        shop.json(&["alias", "propose", one, other]);
        let pairs = shop.lines(&["queue"]);
        assert_eq!(pairs[0]["grounds"], json!(["subject_unconfirmed"]), "{one:?} and {other:?}");
        assert_eq!(shop.json(&["recall", other, "home_city"])["value"], "Porto", "only proposed");
        shop.json(&["alias", "confirm", one, other]);
        assert_eq!(
            shop.json(&["recall", other, "home_city"])["value"],
            json!(null),
            "now they contradict each other"
        );
    }
}

#[test]
fn the_two_forms_of_one_name_are_one_name() {
    for (one, other) in [("Montr\u{e9}al", "Montre\u{301}al"), ("\u{d55c}", "\u{1112}\u{1161}\u{11ab}")] {
        let shop = Shop::new();
        let line = |name: &str| json!({"subject_id": name, "attribute": "home_city", "value": name}).to_string();
        let file = shop.write("names.jsonl", format!("{}\n{}\n", line(one), line(other)));
        assert_eq!(shop.json(&["import", &file])["slots"], 1, "{one}");
    }
}

#[test]
fn a_configuration_that_lies_beside_the_store_names_no_command() {
    let shop = Shop::new();
    let made = shop.path("made");
    let config = json!({"observers": [{"run": ["touch", made.to_str().unwrap()], "source": "config_probe"}]});
    let said = |value: &str| {
        let said = json!({
            "subject_id": "svc/a", "attribute": "region", "value": value, "source": "tool_output",
            "observed_at": "2025-10-14", "epoch": 1,
        });
        format!("{said}\n")
    };
    for name in ["config.json", "gainsay.json", ".gainsay.json", "gainsay/config.json", ".config/config.json"] {
        fs::create_dir_all(shop.path(name).parent().unwrap()).unwrap();
        fs::write(shop.path(name), config.to_string()).unwrap();
    }
    let file = shop.write("said.jsonl", said("eu") + &said("us"));
    shop.json(&["import", &file]);
    let told = shop.says(&["reobserve", "1", "--run"]);
    assert!(told.ends_with("exit 2\n") || told.ends_with("exit 1\n"), "{told}");
    assert!(!made.exists(), "{told}");
    // Named by its user it is trusted, unless others may write it.
    let named = shop.path("config.json");
    let named = named.to_str().unwrap();
    fs::set_permissions(named, std::os::unix::fs::PermissionsExt::from_mode(0o622)).unwrap();
    let told = shop.says(&["--config", named, "reobserve", "1", "--run"]);
    assert!(told.contains("exit") && !made.exists(), "{told}");
}
