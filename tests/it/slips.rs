//! What is said to those who slip: of names that nobody mentioned, epochs that are new, files that are no store.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use gainsay::core::nearest::nearest;
use gainsay::core::plural::{count, listed};
use tempfile::TempDir;

/// A folder with a store of two records in it.
struct Shop {
    folder: TempDir,
}

const RECORDS: &str = r#"
{"id": "a", "subject_id": "svc/checkout", "attribute": "retry_timeout", "value": "30s", "source": "tool_output", "observed_at": "2025-10-01T08:00:00.123456789Z", "written_at": "2025-10-01T08:00:00.623456789Z", "epoch": 6}
{"id": "b", "subject_id": "svc/checkout", "attribute": "retry_timeout", "value": "5s", "source": "tool_output", "observed_at": "2025-10-03T10:00:00Z", "written_at": "2025-10-03T10:00:00Z", "epoch": 7}
{"id": "c", "subject_id": "user_31882", "attribute": "home_city", "value": "Lisbon", "source": "ouija", "observed_at": "2025-10-01", "written_at": "2025-10-03T10:00:00Z", "epoch": 1}
{"id": "d", "subject_id": "user_31882", "attribute": "home_city", "value": "Porto", "source": "tarot", "observed_at": "2025-10-02", "written_at": "2025-10-03T11:00:00Z", "epoch": 1}
"#;

impl Shop {
    fn open() -> Self {
        let shop = Self { folder: TempDir::new().unwrap() };
        fs::write(shop.folder.path().join("records.jsonl"), RECORDS).unwrap();
        assert!(shop.says("s.db", "import records.jsonl --batch chats").status.success());
        shop
    }

    fn says(&self, store: &str, command: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_gainsay"))
            .args(command.split(' '))
            .current_dir(self.folder.path())
            .env_clear()
            .env("HOME", self.folder.path())
            .env("GAINSAY_STORE", store)
            .env("GAINSAY_ACTOR", "dana")
            .env("GAINSAY_NOW", "2025-11-10T12:00:00.987654321Z")
            .output()
            .unwrap()
    }

    /// The exit status, what is answered, and what is remarked on beside it.
    fn told(&self, command: &str) -> (i32, String, String) {
        let out = self.says("s.db", command);
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (out.status.code().unwrap(), text(out.stdout), text(out.stderr))
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }
}

#[test]
fn the_nearest_name_is_the_one_that_fewest_slips_lead_to() {
    let names = ["home_city", "home_town", "employer", "region", "Region"];
    for (wrong, right) in [
        ("home_cty", Some("home_city")),
        ("HOME_CITY", Some("home_city")),
        ("hoem_city", Some("home_city")),
        ("home_tow", Some("home_town")),
        ("regoin", Some("Region")),
        ("shoe_size", None),
        ("", None),
    ] {
        assert_eq!(nearest(wrong, names).as_deref(), right, "{wrong}");
        assert_eq!(nearest(wrong, names.into_iter().rev()).as_deref(), right, "{wrong}, in another order");
    }
}

#[test]
fn numbers_of_things_are_told_in_their_forms() {
    for (number, thing, said) in [
        (1, "pair", "1 pair"),
        (0, "pair", "0 pairs"),
        (2, "batch", "2 batches"),
        (3, "entry", "3 entries"),
        (2, "day", "2 days"),
    ] {
        assert_eq!(count(number, thing), said);
    }
    assert_eq!(listed(&["a", "b", "c"].map(str::to_owned)), "a, b and c");
    assert_eq!(listed(&["a".to_owned()]), "a");
}

#[test]
fn what_nobody_mentions_is_said_with_the_nearest_name() {
    let shop = Shop::open();
    for (command, said, near) in [
        ("history user_3188 home_city", "no record is about user_3188", "did you mean user_31882?"),
        ("explain user_31882 home_cty", "no record is about home_cty of user_31882", "did you mean home_city?"),
        ("explain user_31882 shoe_size", "no record is about shoe_size", "records are about its home_city"),
        ("history planet home_city", "no record is about planet", "no name is near it"),
        ("erase user_3188 --reason asked --yes", "no record is about user_3188", "did you mean user_31882?"),
        ("show 9", "there is no pair 9", "gainsay queue"),
    ] {
        let (status, answer, remarks) = shop.told(command);
        assert_eq!((status, answer.as_str()), (2, ""), "{command}: {remarks}");
        assert!(remarks.contains(said) && remarks.contains(near), "{command}: {remarks}");
    }
    // An agent asks before it tells: whatever it asks has an answer, and a slip is remarked on beside it.
    let (status, answer, remarks) = shop.told("recall user_31882 home_cty --json");
    assert_eq!(status, 0);
    assert!(answer.contains("\"status\":\"empty\""), "{answer}");
    assert!(remarks.contains("did you mean home_city?"), "{remarks}");
    let (_, _, remarks) = shop.told("recall user_31882 home_city");
    assert_eq!(remarks, "");
}

#[test]
fn what_is_said_of_a_name_without_records_is_done_and_remarked_on() {
    let shop = Shop::open();
    for command in [
        "alias confirm user_3188 user_31882",
        "queue --subject user_3188x",
        "log --subject user_3188x",
        "epochs user_3188x",
        "epochs user_3188x --open 4 --cause deploy",
        "policy declare pet_name --cardinality one --subject user_3188x",
    ] {
        let (status, _, remarks) = shop.told(command);
        assert_eq!(status, 0, "{command}: {remarks}");
        assert!(remarks.contains("note: no record is about user_3188"), "{command}: {remarks}");
        assert!(remarks.contains("did you mean user_31882?"), "{command}: {remarks}");
    }
    for command in ["alias deny user_31882 svc/checkout", "epochs svc/* --open 9", "queue --subject user_31882"] {
        let (status, _, remarks) = shop.told(command);
        assert_eq!((status, remarks.as_str()), (0, ""), "{command}");
    }
}

#[test]
fn an_epoch_that_is_new_to_its_subject_is_remarked_on() {
    let shop = Shop::open();
    let (status, _, remarks) = shop.told("epochs svc/checkout --name 66 --cause deploy");
    assert_eq!(status, 1);
    assert!(remarks.contains("(seen: 6 and 7)"), "{remarks}");
    let pair = "1 --value 5s --source tool_output --evidence seen --epoch";
    let (status, _, remarks) = shop.told(&format!("reobserve {pair} 77"));
    assert_eq!(status, 0, "{remarks}");
    assert!(remarks.contains("epoch 77 is new to svc/checkout: its records name 6 and 7"), "{remarks}");
    assert!(shop.told("undo").2.is_empty());
    let (status, _, remarks) = shop.told(&format!("reobserve {pair} 7"));
    assert_eq!((status, remarks.as_str()), (0, ""));
}

#[test]
fn where_no_class_is_declared_the_override_says_so() {
    let shop = Shop::open();
    let (status, _, remarks) = shop.told("accept 2 --record d --reason later");
    assert_eq!(status, 1);
    let said = "no class is declared for source kinds ouija and tarot on attribute home_city";
    assert!(remarks.contains(said), "{remarks}");
    assert!(!remarks.contains("less authoritative"), "{remarks}");
    let (_, answer, _) = shop.told("show 2");
    assert!(answer.contains(said), "{answer}");
    assert_eq!(shop.told("accept 2 --record d --override recency --reason later").0, 0);
}

#[test]
fn people_read_times_to_the_second_and_scripts_as_they_are() {
    let shop = Shop::open();
    for command in [
        "show 1",
        "queue",
        "history svc/checkout retry_timeout",
        "log",
        "batches",
        "epochs svc/checkout",
        "requests",
    ] {
        let (status, answer, _) = shop.told(command);
        assert_eq!(status, 0);
        assert!(!answer.contains(".123") && !answer.contains(".623") && !answer.contains(".987"), "{answer}");
    }
    assert!(shop.told("show 1 --json").1.contains("2025-10-01T08:00:00.123456789Z"));
    assert!(shop.told("log --json").1.contains("12:00:00.987654321Z"));
}

#[test]
fn lengths_of_time_have_the_same_forms_everywhere() {
    let shop = Shop::open();
    let commands = ["defer 1 --until", "policy try retry_timeout --max-age", "log --since", "log --until"];
    for command in commands {
        for length in ["90d", "2w", "12h", "30m", "45s"] {
            let (status, _, remarks) = shop.told(&format!("{command} {length}"));
            assert_eq!(status, 0, "{command} {length}: {remarks}");
        }
        let (status, _, remarks) = shop.told(&format!("{command} soon"));
        assert_eq!(status, 2);
        assert!(remarks.contains("90d, 2w, 12h, 30m or 45s"), "{remarks}");
    }
    assert_eq!(shop.told("log --until 1h").1, "");
    assert_ne!(shop.told("log --since 1h").1, "");
}

/// One of each command that opens the store, with all that it needs.
const COMMANDS: [&str; 29] = [
    "queue",
    "show 1",
    "accept 1 --record a --reason x",
    "link 1 --as same --reason x",
    "reobserve 1",
    "rederive a --epoch 1 --evidence x",
    "epochs svc/checkout",
    "requests",
    "withdraw --record a --reason test",
    "erase svc/checkout --reason x --yes",
    "dispute a b --reason x",
    "defer 1",
    "undo",
    "recall svc/checkout retry_timeout",
    "stale",
    "history svc/checkout retry_timeout",
    "explain svc/checkout retry_timeout",
    "batches",
    "policy show",
    "policy declare foo --cardinality one",
    "policy try home_city --cardinality many",
    "alias propose a b",
    "log",
    "audit report",
    "health",
    "verify",
    "repair",
    "export",
    "import records.jsonl",
];

#[test]
fn a_file_that_is_no_store_is_named_with_the_cause_whatever_is_asked() {
    let shop = Shop::open();
    let whole = fs::read(shop.path("s.db")).unwrap();
    fs::write(shop.path("cut.db"), &whole[..9_000]).unwrap();
    fs::write(shop.path("text.db"), "dear diary\n".repeat(500)).unwrap();
    fs::write(shop.path("empty.db"), "").unwrap();
    fs::create_dir(shop.path("folder.db")).unwrap();
    foreign(&shop.path("other.db"));
    for (store, cause, hint) in [
        ("cut.db", "it is cut short: 9000 bytes are there of", "restore a backup"),
        ("text.db", "it is no SQLite database", "--store"),
        ("empty.db", "it is empty", "--store"),
        ("folder.db", "it is a folder", "check the path"),
        ("other.db", "it is a database of another program", "--store"),
    ] {
        for command in COMMANDS {
            let out = shop.says(store, command);
            let said = String::from_utf8(out.stderr).unwrap();
            assert_eq!(out.status.code(), Some(4), "{command}: {said}");
            for part in [store, cause, hint] {
                assert!(said.contains(part), "{command}: {said}\nlacks: {part}");
            }
            assert_eq!(said.lines().count(), 2, "{command}: {said}");
        }
    }
    for command in COMMANDS.iter().filter(|command| !founds(command)) {
        let out = shop.says("none.db", command);
        let said = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(4), "{command}: {said}");
        assert!(said.contains("there is no store at none.db"), "{command}: {said}");
        assert!(!shop.path("none.db").exists(), "{command}");
    }
}

/// Whether a command makes a store, or speaks of what ships, where there is none.
fn founds(command: &str) -> bool {
    ["import", "policy show", "policy declare", "alias propose"].iter().any(|begins| command.starts_with(begins))
}

fn foreign(path: &Path) {
    let other = rusqlite::Connection::open(path).unwrap();
    other.execute_batch("CREATE TABLE notes (text TEXT)").unwrap();
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let shop = Shop::open();
    let (status, _, said) = shop.told("backup nowhere/copy.db");
    assert_eq!(status, 74);
    assert!(said.contains("cannot write nowhere/copy.db: no such file or folder"), "{said}");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let out = Command::new(env!("CARGO_BIN_EXE_gainsay"))
        .args(["queue", "--actor", "dana", "--store"])
        .arg(shop.path("s.db"))
        .stdout(full)
        .output()
        .unwrap();
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(said.contains("cannot write standard output: no space is left"), "{said}");
    assert!(said.contains("free some space, and run it again"), "{said}");
}
