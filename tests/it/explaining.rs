//! `explain`: the story of a slot, in Markdown and as a page, with whatever records say kept from acting.

use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

fn run(folder: &TempDir, now: &str, arguments: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_gainsay"))
        .args(["--store", "s.db", "--color", "never"])
        .args(arguments)
        .current_dir(folder.path())
        .env("GAINSAY_NOW", now)
        .env("GAINSAY_ACTOR", "dana")
        .output()
        .unwrap();
    assert!(out.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

/// The incident of the README, with epochs, ruled on.
fn ruled() -> TempDir {
    let folder = TempDir::new().unwrap();
    let said = r#"{"id":"mem_4a1f","subject_id":"user_31882","attribute":"home_city","value":"Berlin","source":{"kind":"crm_import","batch":"sf_backfill"},"observed_at":"2023-03-02","written_at":"2025-11-02T04:12:55Z","epoch":3,"confidence":0.6,"evidence":"Salesforce contact field MailingCity"}
{"id":"mem_c93e","subject_id":"user_31882","attribute":"home_city","value":"Lisbon","source":"user_utterance","observed_at":"2025-10-14T09:31:00Z","written_at":"2025-10-14T09:31:04Z","epoch":3,"confidence":0.91,"evidence":"I moved to Lisbon last month."}
{"id":"mem_77","subject_id":"user_31882","attribute":"home_city","value":"Porto","source":"user_utterance","observed_at":"2025-11-20","written_at":"2025-11-20T10:00:00Z","epoch":4}
"#;
    std::fs::write(folder.path().join("said.jsonl"), said).unwrap();
    drop(run(&folder, "2025-11-21T09:00:00Z", &["import", "said.jsonl"]));
    let link = ["link", "1", "--as", "across-epochs", "--cause", "she moved", "--reason", "the ticket says so"];
    drop(run(&folder, "2025-11-21T10:00:00Z", &link));
    folder
}

#[test]
fn the_story_is_told_in_sentences() {
    let folder = ruled();
    insta::assert_snapshot!(run(&folder, "2025-12-01T09:00:00Z", &["explain", "user_31882", "home_city"]));
}

#[test]
fn what_was_believed_is_told_of_its_own_time() {
    let folder = ruled();
    let explain = ["explain", "user_31882", "home_city", "--believed-at", "2025-11-05"];
    let told = run(&folder, "2025-12-01T09:00:00Z", &explain);
    assert!(told.contains("At 2025-11-05 23:59:59 UTC the memory answered **`Lisbon`** (settled)."), "{told}");
    assert!(told.contains("of a more authoritative source, **`Berlin`**"), "{told}");
    assert!(!told.contains("Porto") && !told.contains("ruled"), "{told}");
}

#[test]
fn json_says_the_same_sentences() {
    let folder = ruled();
    let text = run(&folder, "2025-12-01T09:00:00Z", &["explain", "user_31882", "home_city", "--json"]);
    let told: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(told["recall"]["status"], "awaiting");
    assert_eq!(told["open"][0]["pair"], 1);
    let titles: Vec<&str> =
        told["story"].as_array().unwrap().iter().map(|it| it["title"].as_str().unwrap()).collect();
    let all = ["What the memory answers", "What was said", "How the world changed", "Who ruled", "What is open"];
    assert_eq!(titles, all);
}

#[test]
fn the_page_needs_nothing_else_and_draws_each_record() {
    let folder = ruled();
    let page = run(&folder, "2025-12-01T09:00:00Z", &["explain", "user_31882", "home_city", "--html"]);
    for alien in ["http:", "https:", "<script", "src=", "@import", "url("] {
        assert!(!page.contains(alien), "{alien}");
    }
    assert_eq!(page.matches("<g").count(), 3, "{page}");
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn hostile_text_acts_nowhere() {
    let folder = TempDir::new().unwrap();
    let hostile = "``` <script>alert(1)</script>\n# [x](http://e.vil)\u{202e} &amp; \"'";
    let record = serde_json::json!({
        "id": "a`b", "subject_id": "u<img src=x>", "attribute": "home_city", "value": hostile, "evidence": hostile,
        "source": {"kind": "user_utterance<b>"}, "observed_at": "2025-10-14", "epoch": 1,
    });
    std::fs::write(folder.path().join("said.jsonl"), record.to_string()).unwrap();
    drop(run(&folder, "2025-11-21T09:00:00Z", &["import", "said.jsonl"]));
    let subject = "u<img src=x>";
    let page = run(&folder, "2025-11-21T09:00:00Z", &["explain", subject, "home_city", "--html"]);
    for raw in ["<script", "<img", "<b>\u{201c}```", "\u{202e}", "kind <b>"] {
        assert_eq!(page.contains(raw), raw.starts_with("<b>"), "{raw}: {page}");
    }
    assert!(page.contains("&lt;script&gt;") && page.contains("&lt;U+202E&gt;"), "{page}");
    let text = run(&folder, "2025-11-21T09:00:00Z", &["explain", subject, "home_city"]);
    let value = "**```` ``` <script>alert(1)</script><U+000A># [x](http://e.vil)<U+202E> &amp; \"' ````**";
    assert!(text.contains(value), "{text}");
    assert!(!text.lines().any(|line| line.starts_with("# [x]")));
}
