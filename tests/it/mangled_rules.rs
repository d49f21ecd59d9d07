//! Policies, configurations, formats and rules that were nearly right: read and written again as they are, or refused with
//! the place of what is wrong.

use std::sync::LazyLock;

use gainsay::app::Key;
use gainsay::app::look::Paint;
use gainsay::app::rebind::{self, Wish};
use gainsay::core::policy::Policy;
use gainsay::core::record::{Attribute, Subject};
use gainsay::formats::{reading, said, shipped, slotting};
use gainsay::wire::{Fault, config, policy, ruling};
use serde_json::{Value, json};

use crate::dice::rounds;
use crate::mangling::{Mangler, stands};
use crate::script::{Told as _, lisbon, record};

fn is_placed(fault: &Fault, bytes: &[u8]) {
    let lines = bytes.split(|byte| *byte == b'\n').count() as u64;
    assert!((1..=lines).contains(&fault.at.line), "line {} of {lines}: {fault}", fault.at.line);
    assert!((1..=bytes.len() as u64 + 1).contains(&fault.at.column), "column {}: {fault}", fault.at.column);
    assert!(!fault.to_string().is_empty());
}

const POLICIES: [&str; 4] = [
    r#"{"version": 3, "sources": {"user_utterance": "user", "crm_import": "third_party"},
        "authority": {"world": ["observation", "user"], "personal": ["user", "observation", "inference", "third_party"]},
        "attributes": {"home_city": {"cardinality": "one", "on_change": "succession", "authority": "personal", "compare": "text"},
            "retry_timeout": {"cardinality": "one", "authority": ["observation"], "compare": "duration", "max_age": "90d"},
            "pet": {"cardinality": "many", "min_confidence": 0.5, "system_of_record": "registry"}},
        "slots": [{"subject": "user_1", "attribute": "pet", "cardinality": "one", "compare": "json"}]}"#,
    r#"{"attributes": {"date_of_birth": {"on_change": "correction", "compare": "date", "min_confidence": 1}}}"#,
    "{}",
    r#"{"version": 1, "sources": {}, "attributes": {}, "slots": []}"#,
];

/// A policy that is read is written as it is, and gives rules for any slot.
fn reads_a_policy(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match policy::read(text) {
        Ok(read) => {
            let written = policy::write(&read).to_string();
            assert_eq!(policy::read(&written), Ok(read.clone()), "{written}");
            judges(&read);
        }
        Err(fault) => is_placed(&fault, bytes),
    }
}

fn judges(policy: &Policy) {
    for name in policy.attributes.keys().chain([&Attribute::from("home_city")]) {
        let rules = policy.rules(&Subject::from("user_1"), name);
        let (one, other) = (lisbon(), record("user_1", "home_city", "30s").id("b"));
        let _key = (one.key(&rules), rules.rank(&one), rules.is_confident(&other), rules.lacks(&other));
    }
}

const CONFIGS: [&str; 4] = [
    r##"{"theme": "dark", "mouse": true, "ascii": false, "styles": {"good": "bold #5fd7ff on black", "bad": "underlined 196"},
  // what is mine
  "keys": {"accept-a": ["b"], "accept-b": ["a"], "skip": "ф", "history.dispute": ["d", "Ctrl-d"], "note": []}}"##,
    r#"{"observers": [{"attribute": "retry_timeout", "subject": "svc/*", "run": ["jq", "-c", "{subject}"], "source": "config_probe",
        "class": "observation", "timeout": "5s", "env": ["KUBECONFIG"]}]}"#,
    "{\n  \"mouse\": true\n}\n",
    r#"{"keys": {"quit": ["q", "Shift-Tab", "F12", "Alt-x", "PageDown", "Space"]}}"#,
];

/// A configuration that is read gives keys and styles, or says which of them are none.
fn reads_a_configuration(bytes: &[u8]) {
    match config::read(bytes) {
        Ok(read) => {
            let wish = |(command, keys): &(config::Placed, Vec<config::Placed>)| {
                let keys: Result<Vec<Key>, _> = keys.iter().map(|key| key.text.parse::<Key>()).collect();
                keys.ok().map(|keys| Wish { name: command.text.clone(), keys })
            };
            let wishes: Option<Vec<Wish>> = read.keys.iter().map(wish).collect();
            drop(wishes.map(|wishes| rebind::keymap(&wishes)));
            for key in read.keys.iter().flat_map(|(_, keys)| keys).filter_map(|key| key.text.parse::<Key>().ok()) {
                assert_eq!(key.to_string().parse(), Ok(key), "a key is read as it is shown");
            }
            for (_, paint) in &read.styles {
                drop(Paint::read(&paint.text));
            }
            for observer in &read.observers {
                assert!(!observer.run.is_empty() && observer.environment.len() <= 8, "{observer:?}");
                drop(observer.arguments(&Subject::from("svc/a b"), &Attribute::from("-x")));
            }
        }
        Err(fault) => is_placed(&fault, bytes),
    }
}

static OBJECTS: LazyLock<Vec<Value>> = LazyLock::new(|| {
    vec![
        json!({"type": "entity", "name": "x", "entityType": "person", "observations": ["likes tea", {"a": [1]}]}),
        json!({"id": "1", "memory": "lives in Lisbon", "user_id": "u", "metadata": {"k": null}, "created_at": 1e30}),
        json!({"subject": "a", "value": [[], {}, "\u{202e}"], "source": "x", "versions": [{"n": 1}, {"n": -1}]}),
        json!([1, "two", null]),
    ]
});

/// A format that is read tells what an object is, and finds what it names in it.
fn reads_a_format(bytes: &[u8]) {
    match reading::read(bytes) {
        Ok(format) => {
            for object in &*OBJECTS {
                let opened = format.opened(object);
                let _reads = format.kind_of(&opened).map(|kind| kind.reads("name"));
            }
            drop(gainsay::formats::recognise::recognise(b"{\"name\": 1}\n{\"id\": 2}\n", true, &[format]));
        }
        Err(fault) => is_placed(&fault, bytes),
    }
}

/// A rule that is read reads sentences, and nothing but what stands in them.
fn reads_rules(bytes: &[u8]) {
    match slotting::read(bytes) {
        Ok(rules) => {
            for rule in rules {
                for sentence in ["I live in Lisbon.", "Collects coins", "anna's favourite tea is\u{202e} green", ""]
                {
                    if let Some(read) = rule.reads("anna", sentence) {
                        assert!(sentence.contains(&read.value), "{read:?} in {sentence:?}");
                    }
                }
            }
        }
        Err(fault) => is_placed(&fault, bytes),
    }
}

const DECISIONS: [&str; 9] = [
    r#"{"decision": "accept", "winner": "a", "loser": "b", "recency_override": true}"#,
    r#"{"decision": "same", "between": ["a", "b"]}"#,
    r#"{"decision": "across_epochs", "between": ["a", "b"], "from": 4, "to": 7, "cause": "deploy"}"#,
    r#"{"decision": "withdraw", "records": ["a", "b"], "why": "other_speaker"}"#,
    r#"{"decision": "declare", "attribute": "pet", "subject": null, "fields": {"cardinality": "many", "max_age": "90d"}}"#,
    r#"{"decision": "alias", "names": ["x", "y"], "verdict": "denied"}"#,
    r#"{"decision": "epoch", "over": "svc/*", "epoch": 4, "since": "2025-12-01T00:00:00Z", "cause": null}"#,
    r#"{"decision": "defer", "until": "2025-12-01T00:00:00.000000001Z"}"#,
    r#"{"decision": "undo", "ruling": 3}"#,
];

fn reads_a_decision(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match ruling::read(text) {
        Ok(decision) => assert_eq!(ruling::read(&ruling::write(&decision).to_string()), Ok(decision)),
        Err(fault) => is_placed(&fault, bytes),
    }
}

fn reads_a_saying(bytes: &[u8]) {
    let Ok(saying) = said::read(&String::from_utf8_lossy(bytes)) else { return };
    let format = said::format(&[saying]);
    for object in &*OBJECTS {
        let _kind = format.kind_of(object).map(|kind| kind.rules.len());
    }
}

#[test]
fn a_policy_is_read_and_written_as_it_is_or_refused_with_its_place() {
    let seeds = POLICIES.iter().copied().chain([policy::SHIPPED]);
    stands(Mangler::new(seeds, 11), rounds(6_000, 80_000), reads_a_policy);
}

#[test]
fn a_configuration_is_read_or_refused_with_its_place() {
    stands(Mangler::new(CONFIGS, 12), rounds(6_000, 80_000), reads_a_configuration);
}

#[test]
fn a_format_is_read_or_refused_with_its_place() {
    let seeds = shipped::FILES.iter().map(|(_, text)| text).filter(|text| text.len() < 6_000);
    stands(Mangler::new(seeds, 13), rounds(4_000, 50_000), reads_a_format);
}

#[test]
fn a_rule_for_sentences_is_read_or_refused_with_its_place() {
    let rules: Vec<String> = slotting::SHIPPED
        .lines()
        .map(|line| line.trim().trim_end_matches(','))
        .filter(|line| line.starts_with("{\"rule\""))
        .map(|rule| format!("{{\"rules\": [{rule}]}}"))
        .collect();
    stands(Mangler::new(rules, 14), rounds(1_500, 20_000), reads_rules);
}

#[test]
fn a_decision_is_read_and_written_as_it_is_or_refused() {
    stands(Mangler::new(DECISIONS, 15), rounds(6_000, 60_000), reads_a_decision);
}

#[test]
fn a_saying_of_the_command_line_is_read_or_refused() {
    let seeds =
        ["subject=.user_id", "value=.a[].b|.c:ms", "attribute.home_city=.City", "source.kind=crm", "each=.x[]"];
    stands(Mangler::new(seeds, 16), rounds(6_000, 40_000), reads_a_saying);
}
