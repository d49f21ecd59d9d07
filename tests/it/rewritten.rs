//! Six attacks on the log: four betray themselves, a cut tail and a history written anew by the head that was kept.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::stray::attack;

/// A place in which the program is called on one store, with the clock held.
struct Place {
    folder: TempDir,
}

impl Place {
    /// Two ties, of which the first is ruled on.
    fn new() -> Self {
        let place = Self { folder: TempDir::new().unwrap() };
        place.told("eu");
        place.says(&["accept", "1", "--record", "a1", "--reason", "it was checked"], "2025-12-02T10:00:00Z");
        place
    }

    /// Takes in what was said, with this value first.
    fn told(&self, first: &str) {
        let line = |id: &str, service: &str, value: &str| {
            serde_json::json!({"id": id, "subject": service, "attribute": "region", "value": value, "epoch": 2,
                               "source": "tool_output", "observed_at": "2025-09-01", "written_at": "2025-09-02T00:00:00Z"})
        };
        let lines = [
            line("a1", "svc/mail", first),
            line("a2", "svc/mail", "us"),
            line("b1", "svc/shop", "eu"),
            line("b2", "svc/shop", "us"),
        ];
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(self.path("ties.jsonl"), text).unwrap();
        self.says(&["import", "ties.jsonl"], "2025-12-01T10:00:00Z");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn says(&self, arguments: &[&str], now: &str) -> Value {
        let (status, said) = self.answers(arguments, now);
        assert_eq!(status, 0, "{arguments:?}: {said}");
        said
    }

    fn answers(&self, arguments: &[&str], now: &str) -> (i32, Value) {
        let output = Command::new(env!("CARGO_BIN_EXE_gainsay"))
            .current_dir(self.folder.path())
            .env_clear()
            .args(["--store", "store.db", "--actor", "dana", "--json", "--now", now])
            .args(arguments)
            .output()
            .unwrap();
        let said = serde_json::from_slice(&output.stdout).unwrap_or_default();
        (output.status.code().unwrap(), said)
    }

    /// What `verify` answers: its status, and what it names.
    fn verified(&self, head: Option<&str>) -> (i32, String) {
        let arguments: Vec<&str> =
            std::iter::once("verify").chain(head.into_iter().flat_map(|it| ["--head", it])).collect();
        let (status, said) = self.answers(&arguments, "2025-12-03T10:00:00Z");
        (status, said["damage"].to_string())
    }

    fn head(&self) -> String {
        self.says(&["verify"], "2025-12-03T10:00:00Z")["head"].as_str().unwrap().to_owned()
    }

    /// Statements of somebody who knows the schema, and takes away what refuses them.
    fn attacked(&self, sql: &str) {
        attack(&self.path("store.db"), sql);
    }
}

#[test]
fn an_edit_a_gap_another_order_and_an_insertion_betray_themselves() {
    for (attack, sql, named) in [
        ("an edit", "UPDATE events SET actor = 'lee' WHERE kind = 'accept'", "its hash does not follow"),
        ("a gap", "DELETE FROM events WHERE seq = 3", "event 3"),
        (
            "another order",
            "UPDATE events SET seq = -seq WHERE seq IN (3, 4);
             UPDATE events SET seq = CASE seq WHEN -3 THEN 4 ELSE 3 END WHERE seq < 0",
            "event 3",
        ),
        (
            "an insertion",
            "UPDATE events SET seq = seq + 1000 WHERE seq > 2; UPDATE events SET seq = seq - 999 WHERE seq > 1000;
             INSERT INTO events (seq, at, actor, kind, body, hash)
                 SELECT 3, at, 'lee', 'defer', body, hash FROM events WHERE seq = 2",
            "event 3",
        ),
    ] {
        let place = Place::new();
        let head = place.head();
        place.attacked(sql);
        let (status, found) = place.verified(None);
        assert_eq!(status, 5, "{attack}: {found}");
        assert!(found.contains(named), "{attack}: {found}");
        let (status, found) = place.verified(Some(&head));
        assert_eq!(status, 5, "{attack}: {found}");
    }
}

#[test]
fn a_cut_tail_is_found_by_the_head_that_was_kept() {
    let place = Place::new();
    // Whoever cuts with care puts back the store of a time before the tail, to the byte.
    let before = place.path("before.db");
    place.says(&["backup", "before.db"], "2025-12-02T11:00:00Z");
    let old = place.head();
    place.says(&["accept", "2", "--record", "b2", "--reason", "it was checked"], "2025-12-02T12:00:00Z");
    let head = place.head();
    for name in ["store.db", "store.db-wal", "store.db-shm"] {
        drop(fs::remove_file(place.path(name)));
    }
    fs::rename(before, place.path("store.db")).unwrap();
    assert_eq!(place.verified(None).0, 0, "nothing in the file itself tells of what is gone");
    let (status, found) = place.verified(Some(&head));
    assert_eq!(status, 5);
    assert!(
        found.contains(&format!("no event has the hash {head}: it was written anew, or cut before")),
        "{found}"
    );
    assert_eq!(place.verified(Some(&old)).0, 0, "a head from before the cut is still there");
}

#[test]
fn a_cut_that_leaves_what_rested_on_it_betrays_itself() {
    let place = Place::new();
    let head = place.head();
    place.attacked("DELETE FROM events WHERE seq >= (SELECT seq FROM events WHERE kind = 'accept')");
    let (status, found) = place.verified(None);
    assert_eq!(status, 5, "{found}");
    assert!(found.contains("ruling 1") && found.contains("no event tells of it"), "{found}");
    assert_eq!(place.verified(Some(&head)).0, 5);
}

#[test]
fn a_history_written_anew_is_found_by_the_head_that_was_kept() {
    let place = Place::new();
    let head = place.head();
    // The same story told again by the program itself, but for one value: whole in itself, and another one.
    fs::remove_file(place.path("store.db")).unwrap();
    place.told("ap");
    place.says(&["accept", "1", "--record", "a1", "--reason", "it was checked"], "2025-12-02T10:00:00Z");
    assert_eq!(place.verified(None).0, 0, "it is whole in itself");
    let (status, found) = place.verified(Some(&head));
    assert_eq!(status, 5);
    assert!(found.contains("it was written anew, or cut before that event"), "{found}");
}

#[test]
fn a_policy_version_that_was_taken_away_is_missed() {
    let place = Place::new();
    place.says(&["policy", "declare", "pet_name", "--cardinality", "one"], "2025-12-02T11:00:00Z");
    assert_eq!(place.verified(None).0, 0);
    place.attacked("DELETE FROM policies WHERE version = 2");
    let (status, found) = place.verified(None);
    assert_eq!(status, 5, "{found}");
    assert!(
        found.contains("policy version 2") && found.contains("what rulings declare is in no version"),
        "{found}"
    );
}
