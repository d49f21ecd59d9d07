//! Configuration drift: a file through its repository's history, each commit an observation.

use std::fs;

use git2::{IndexAddOption, Repository, Signature, Time};
use serde_json::json;

use crate::formats::Shop;

/// A repository in which each of these texts (none: the file is gone) is a commit, an hour after the one before.
fn repository(shop: &Shop, name: &str, states: &[(&str, Option<&str>)]) -> String {
    let root = shop.path("service");
    let repository = Repository::init(&root).unwrap();
    fs::create_dir(root.join("config")).unwrap();
    let path = root.join("config").join(name);
    for (at, (message, text)) in states.iter().enumerate() {
        match text {
            Some(text) => fs::write(&path, text).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        let seconds = 1_760_434_264 + i64::try_from(at).unwrap() * 3_600;
        let who = Signature::new("Dana", "dana@example.com", &Time::new(seconds, 60)).unwrap();
        let mut index = repository.index().unwrap();
        index.add_all(["."], IndexAddOption::DEFAULT, None).unwrap();
        index.update_all(["."], None).unwrap();
        index.write().unwrap();
        let tree = repository.find_tree(index.write_tree().unwrap()).unwrap();
        let parent = repository.head().ok().and_then(|head| head.peel_to_commit().ok());
        let parents: Vec<_> = parent.iter().collect();
        repository.commit(Some("HEAD"), &who, &who, message, &tree, &parents).unwrap();
    }
    path.to_string_lossy().into_owned()
}

#[test]
fn each_commit_observes_each_key_and_a_change_between_two_is_no_winner() {
    let shop = Shop::new();
    let file = repository(
        &shop,
        "app.toml",
        &[
            ("Begin", Some("name = \"checkout\"\n[http]\nretry_timeout = \"30s\"\nport = 8080\n")),
            (
                "Spell the timeout out",
                Some("name = \"checkout\"\n[http]\nretry_timeout = \"30000ms\"\nport = 8080\n"),
            ),
            (
                "Raise the timeout\n\nFor the sale.",
                Some("name = \"checkout\"\n[http]\nretry_timeout = \"60s\"\nport = 8080\n"),
            ),
        ],
    );
    let done = shop.json(&["import", "--git-file", &file, "--key", "http.retry_timeout", "name"]);
    assert_eq!((&done["added"], &done["slots"], &done["format"]["name"]), (&json!(6), &json!(2), &json!("git")));
    let history = shop.json(&["history", "service/config/app.toml", "http.retry_timeout"]);
    let first = &history["records"][0];
    assert_eq!(first["observed_at"], "2025-10-14T09:31:04Z");
    assert_eq!(
        (&first["epoch"], &first["class"], &first["anchored"]),
        (&json!(1), &json!("observation"), &json!(true))
    );
    let last = &history["records"][2];
    assert_eq!((&last["value"], &last["source"]["epoch_cause"]), (&json!("60s"), &json!("Raise the timeout")));
    let answer = shop.json(&["recall", "service/config/app.toml", "http.retry_timeout"]);
    assert_eq!((&answer["status"], &answer["value"]), (&json!("contested"), &json!(null)));
    // The same history again adds nothing.
    assert_eq!(shop.json(&["import", "--git-file", &file, "--key", "http.retry_timeout", "name"])["added"], 0);
}

#[test]
fn yaml_and_json_are_read_too_and_a_key_that_goes_is_told_or_retracted() {
    for (name, states) in [
        ("app.yaml", ["replicas: 3\nregion: eu\nhosts: [a, b]\n", "replicas: 3\n"]),
        ("app.json", ["{\"replicas\": 3, \"region\": \"eu\", \"hosts\": [\"a\", \"b\"]}", "{\"replicas\": 3}"]),
    ] {
        let shop = Shop::new();
        let file =
            repository(&shop, name, &[("Begin", Some(states[0])), ("Less", Some(states[1])), ("Gone", None)]);
        let tried = shop.json(&["import", "--git-file", &file, "--dry-run"]);
        assert_eq!(
            (&tried["added"], &tried["gone"]["count"], &tried["objects"]["read"]),
            (&json!(4), &json!(3), &json!(3))
        );
        let done = shop.json(&["import", "--git-file", &file, "--absent", "retract"]);
        assert_eq!(done["added"], 7, "{name}");
        let history = shop.json(&["history", &format!("service/config/{name}"), "region"]);
        let taken_back = &history["records"][1];
        assert_eq!((&taken_back["op"], &taken_back["epoch"]), (&json!("retract"), &json!(2)), "{name}");
        assert_eq!(taken_back["observed_at"], "2025-10-14T10:31:04Z");
    }
}

#[test]
fn a_commit_that_broke_the_file_is_told_by_its_name() {
    let shop = Shop::new();
    let file = repository(
        &shop,
        "app.toml",
        &[("Begin", Some("a = 1\n")), ("Break", Some("a = \n")), ("Mend", Some("a = 2\n"))],
    );
    let said = shop.says(&["import", "--git-file", &file]);
    assert!(said.contains("in commit ") && said.ends_with("exit 3\n"), "{said}");
    assert!(!shop.path("store.db").exists());
    let said = shop.says(&["import", "--git-file", &file, "--on-error", "skip"]);
    assert!(said.contains("3 objects read, 2 taken, 1 rejected"), "{said}");
}

#[test]
fn what_is_no_file_of_a_repository_is_refused() {
    let shop = Shop::new();
    let outside = shop.write("app.toml", "a = 1\n");
    let said = shop.says(&["import", "--git-file", &outside]);
    assert!(said.contains("lies in no git repository") && said.ends_with("exit 3\n"), "{said}");
    let file = repository(&shop, "app.toml", &[("Begin", Some("a = 1\n"))]);
    let said = shop.says(&["import", "--git-file", &file.replace("app.toml", "other.toml")]);
    assert!(said.contains("never in the history"), "{said}");
    let said = shop.says(&["import", "--git-file", &file.replace("app.toml", "app.ini")]);
    assert!(said.contains("JSON, TOML and YAML are read"), "{said}");
}
