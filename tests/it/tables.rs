//! Tables: what people export from other systems, with their encodings, marks and dates.

use std::fs;

use rusqlite::Connection;
use serde_json::{Value, json};

use gainsay::formats::dates::{DateOrder, read};

use crate::formats::Shop;

const CRM: [&str; 10] = [
    "--map",
    "subject=.Id",
    "--map",
    "attribute.home_city=.City",
    "--map",
    "attribute.employer=.Employer",
    "--map",
    "observed_at=.LastModified",
    "--map",
    "source.kind=crm_import",
];

#[test]
fn each_mapped_column_is_a_record_and_an_empty_cell_is_none() {
    let shop = Shop::new();
    insta::assert_snapshot!(
        "crm",
        shop.says(&[&["import", "tables/crm.csv", "--dry-run", "--each"], &CRM[..]].concat())
    );
    let done = shop.json(&[&["import", "tables/crm.csv"], &CRM[..]].concat());
    assert_eq!((&done["objects"], &done["added"]), (&json!({"read": 2, "taken": 2, "rejected": 0}), &json!(3)));
    let answer = shop.json(&["history", "0031x9", "employer"]);
    let record = &answer["records"][0];
    assert_eq!(
        (&record["value"], &record["observed_at"]),
        (&json!("Brisa \"Energia\", Lda"), &json!("2023-03-02T00:00:00Z"))
    );
    assert_eq!(record["source"], json!({"kind": "crm_import"}));
}

#[test]
fn every_other_column_may_be_an_attribute_of_its_own_name() {
    let shop = Shop::new();
    let done = shop.json(&[
        "import",
        "tables/crm.csv",
        "--map",
        "subject=.Id",
        "--map",
        "attribute.*=.*",
        "--map",
        "observed_at=.LastModified",
    ]);
    assert_eq!((&done["added"], &done["slots"]), (&json!(6), &json!(6)));
    assert_eq!(shop.json(&["history", "0031x9", "Notes"])["records"][0]["value"], "line one\nline two");
}

#[test]
fn an_encoding_is_marked_or_said_and_never_guessed() {
    let shop = Shop::new();
    let german =
        ["import", "tables/semicolons_latin1.csv", "--map", "subject=.Kunde", "--map", "attribute.city=.Ort"];
    let said = shop.says(&german);
    assert!(
        said.contains("semicolons_latin1.csv:1:1: the byte 0xE4 is not UTF-8") && said.contains("--encoding"),
        "{said}"
    );
    assert!(!shop.path("store.db").exists());
    shop.json(&[&german[..], &["--encoding", "latin1"]].concat());
    assert_eq!(shop.json(&["recall", "K-2", "city"])["value"], "München");
    shop.json(&["import", "tables/tabs_utf16.tsv", "--map", "subject=.key", "--map", "attribute.city=.city"]);
    assert_eq!(shop.json(&["recall", "k2", "city"])["value"], "Évora");
}

#[test]
fn a_date_that_may_be_two_is_asked_about() {
    let shop = Shop::new();
    let german = [
        "import",
        "tables/semicolons_latin1.csv",
        "--encoding",
        "latin1",
        "--map",
        "subject=.Kunde",
        "--map",
        "attribute.city=.Ort",
        "--map",
        "observed_at=.Geändert",
    ];
    let said = shop.says(&german);
    assert!(
        said.contains(":2:1:") && said.contains("2025-04-03 or 2025-03-04") && said.contains("--dates day-first"),
        "{said}"
    );
    shop.json(&[&german[..], &["--dates", "day-first"]].concat());
    assert_eq!(shop.json(&["history", "K-1", "city"])["records"][0]["observed_at"], "2025-04-03");
}

#[test]
fn dates_are_read_in_the_forms_that_tools_write() {
    let [day, month] = [DateOrder::DayFirst, DateOrder::MonthFirst];
    for (text, order, expected) in [
        ("2009\\7\\14", None, "2009-07-14"),
        ("2009/7/14 9:05", None, "2009-07-14T09:05:00"),
        ("07/15/2009 02:14:45+0800", None, "2009-07-15T02:14:45+0800"),
        ("10/24/2023 7:07:31", Some(month), "2023-10-24T07:07:31"),
        ("04/05/2025", Some(day), "2025-05-04"),
        ("04/05/2025", Some(month), "2025-04-05"),
        ("05/05/2025", None, "2025-05-05"),
        ("14.07.2025 12:30 AM", None, "2025-07-14T00:30:00"),
        ("14.07.2025 12:30 p.m.", None, "2025-07-14T12:30:00"),
    ] {
        assert_eq!(read(text, order), Some(Ok(expected.to_owned())), "{text}");
    }
    for (text, order) in [
        ("04/05/2025", None),
        ("24/10/2023", Some(month)),
        ("30/02/2025", Some(day)),
        ("04/05/25", Some(day)),
        ("14.07.2025 13:30 PM", None),
    ] {
        assert!(matches!(read(text, order), Some(Err(_))), "{text}: {:?}", read(text, order));
    }
    for text in ["2010-10-14T12:00:00.000Z-0300", "soon", "1/2.2025", "1760434264"] {
        assert_eq!(read(text, None), None, "{text}");
    }
}

#[test]
fn a_broken_table_is_told_by_its_row_and_nothing_of_it_is_taken() {
    for (file, place, words) in [
        ("tables/unclosed.csv", ":3:1:", "never closed"),
        ("tables/ragged.csv", ":3:1:", "the row has 3 cells; expected 2"),
        ("tables/twice.csv", ":1:1:", "the heading \"city\" occurs twice"),
    ] {
        let shop = Shop::new();
        let said = shop.says(&["import", file, "--map", "subject=.key", "--map", "attribute.city=.city"]);
        assert!(said.contains(place) && said.contains(words) && said.ends_with("exit 3\n"), "{said}");
        assert!(!shop.path("store.db").exists(), "{file}");
    }
}

#[test]
fn rejected_rows_stand_under_their_headings_and_come_in_once_they_are_mended() {
    let shop = Shop::new();
    let rejects = shop.path("rejects.csv");
    let rejects = rejects.to_str().unwrap();
    let map = ["--map", "subject=.key", "--map", "attribute.city=.city"];
    let skip = ["import", "tables/ragged.csv", "--on-error", "skip", "--rejects", rejects];
    let done = shop.run(&[&["--json"], &skip[..], &map[..]].concat());
    let done: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(done["objects"], json!({"read": 3, "taken": 2, "rejected": 1}));
    assert_eq!(fs::read_to_string(rejects).unwrap(), "key,city\nk2,Porto,north\n");
    let mended = shop.write("mended.csv", "key,city\nk2,Porto\n");
    assert_eq!(shop.json(&[&["import", mended.as_str()], &map[..]].concat())["added"], 1);
}

#[test]
fn the_history_of_mem0_is_read_straight_from_its_database() {
    let shop = Shop::new();
    let path = shop.path("history.db");
    let origin = Connection::open(&path).unwrap();
    origin
        .execute_batch(
            "CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT,
                 created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT);
             CREATE TABLE messages (id TEXT PRIMARY KEY, session_scope TEXT, role TEXT, content TEXT, name TEXT, created_at TEXT);
             INSERT INTO history VALUES ('1', 'm1', NULL, 'Lives in Berlin', 'ADD', '2023-03-02T09:00:00+00:00', NULL, 0, NULL, 'user');
             INSERT INTO history VALUES ('2', 'm1', 'Lives in Berlin', 'Lives in Lisbon', 'UPDATE',
                 '2023-03-02T09:00:00+00:00', '2025-10-14T09:31:04+00:00', 0, NULL, 'user');",
        )
        .unwrap();
    let file = path.to_str().unwrap();
    let tried = shop.says(&["import", file, "--dry-run"]);
    assert!(tried.contains("format mem0 (its table history is that of mem0)"), "{tried}");
    let done = shop.json(&["import", file]);
    assert_eq!((&done["added"], &done["objects"]["read"]), (&json!(2), &json!(2)));
    // Nothing was written to it, not even beside it.
    assert_eq!(origin.query_row("SELECT count(*) FROM history", [], |row| row.get::<_, i64>(0)).unwrap(), 2);
    let said = shop.says(&["import", file, "--table", "messages"]);
    assert!(said.contains("none of its tables fits"), "{said}");
    let said = shop.says(&["import", file, "--table", "nothing"]);
    assert!(said.contains("there are history, messages") && said.ends_with("exit 2\n"), "{said}");
}

#[test]
fn a_table_longer_than_a_page_is_read_whole() {
    let shop = Shop::new();
    let path = shop.path("long.db");
    let origin = Connection::open(&path).unwrap();
    origin.execute_batch("CREATE TABLE claims (who TEXT, city TEXT); BEGIN").unwrap();
    for number in 0..1_203 {
        origin.execute("INSERT INTO claims VALUES (?1, 'Lisbon')", [format!("u{number}")]).unwrap();
    }
    origin.execute_batch("COMMIT").unwrap();
    let map = ["--table", "claims", "--map", "subject=.who", "--map", "attribute.city=.city"];
    let done = shop.json(&[&["import", path.to_str().unwrap()], &map[..]].concat());
    assert_eq!((&done["added"], &done["slots"]), (&json!(1_203), &json!(1_203)));
}
