//! The configuration file: what it may say, and how each mistake in it is told.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Output};

use gainsay::app::keymap::{BINDINGS, Command as Does, Keymap};
use gainsay::app::rebind::{self, Wish, name, place_name};
use gainsay::app::{Code, Key};
use gainsay::wire::config::Placed;
use serde_json::Value;
use tempfile::TempDir;

fn gainsay(folder: &TempDir, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gainsay"))
        .args(arguments)
        .current_dir(folder.path())
        .env_clear()
        .env("HOME", folder.path())
        .env("GAINSAY_ACTOR", "dana")
        .output()
        .unwrap()
}

/// What `gainsay config` says of a file: its exit status, and what it says.
fn told(file: &str) -> (Option<i32>, String) {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("c.json"), file).unwrap();
    let out = gainsay(&folder, &["config", "--json", "--config", "c.json"]);
    let text = if out.status.success() { out.stdout } else { out.stderr };
    (out.status.code(), String::from_utf8(text).unwrap())
}

#[test]
fn every_command_has_a_name_of_its_own_that_stays() {
    let mut commands: BTreeMap<String, Does> = BTreeMap::new();
    for row in BINDINGS {
        let before = *commands.entry(name(row)).or_insert(row.command);
        assert_eq!(before, row.command, "{} is the name of two commands", name(row));
        let plain = |char: char| char.is_ascii_lowercase() || char == '-';
        assert!(name(row).chars().all(plain), "{:?}", name(row));
    }
    let names: Vec<String> = commands.into_keys().collect();
    // They stand in people's files: a name may be added, and none may go or change.
    insta::assert_snapshot!("config_commands", names.join("\n"));
}

#[test]
fn a_key_is_read_as_it_is_shown() {
    for key in BINDINGS.iter().flat_map(|row| row.keys) {
        assert_eq!(key.to_string().parse(), Ok(*key), "{key}");
    }
    let cases = [
        ("G", Key::char('G')),
        ("ф", Key::char('ф')),
        ("u\u{308}", Key::char('ü')),
        ("-", Key::char('-')),
        ("+", Key::char('+')),
        ("Ctrl-D", Key::ctrl('d')),
        ("ctrl+d", Key::ctrl('d')),
        ("Ctrl--", Key::ctrl('-')),
        ("alt-x", Key::alt('x')),
        ("SPACE", Key::char(' ')),
        ("shift-tab", Key::new(Code::BackTab)),
        ("↓", Key::new(Code::Down)),
        ("PageDown", Key::new(Code::PageDown)),
        ("f12", Key::new(Code::F(12))),
        ("f", Key::char('f')),
    ];
    for (text, key) in cases {
        assert_eq!(text.parse(), Ok(key), "{text}");
    }
    for wrong in ["", "Hyper-x", "F25", "ab", "Ctrl-", "\u{7}", "f0", "\u{202e}", "Ctrl-\u{200b}", "\u{301}"] {
        assert!(wrong.parse::<Key>().is_err(), "{wrong:?}");
    }
    assert_eq!("Shift-g".parse::<Key>().unwrap_err().to_string(), "Shift is part of the character: write G for it");
}

#[test]
fn every_mistake_names_its_place_what_is_wrong_and_what_is_right() {
    let cases = [
        ("", "c.json:1:1: the file is empty"),
        ("{\"keys\": {", "c.json:1:11: it ends in the middle of the JSON"),
        ("[1]", "c.json:1:1: it is a list; expected an object"),
        ("{\n  \"mouse\": true,\n}", "c.json:3:1: not JSON"),
        ("{\n \"colour\": 1\n}", "c.json:2:2: colour: this key means nothing here; expected one of keys, theme"),
        ("{\"mouse\": 1}", "c.json:1:11: mouse: it is a number; expected true or false"),
        ("{\"theme\": \"drak\"}", "c.json:1:11: theme: no theme is called \"drak\"; expected auto, dark, light"),
        ("{\"styles\": {\"goood\": \"red\"}}", "c.json:1:13: styles: no style is called \"goood\"; expected text"),
        ("{\"styles\": {\"good\": \"bold rde\"}}", "c.json:1:21: styles.good: \"rde\" is no part of a style"),
        ("{\"keys\": {\"acept-a\": [\"d\"]}}", "c.json:1:11: keys.acept-a: no command is called \"acept-a\""),
        ("{\"keys\": {\"acept-a\": [\"d\"]}}", "did you mean accept-a?"),
        (
            "{\"keys\": {\"skip\": [\"Hyper-x\"]}}",
            "c.json:1:20: keys.skip: \"Hyper-x\" names no key; expected one char",
        ),
        ("{\"keys\": {\"skip\": [\"q\u{302}\"]}}", "is one character to you"),
        ("{\"keys\": {\"skip\": 3}}", "keys.skip: it is a number; expected a list of keys"),
        (
            "{\"keys\": {\n\"skip\": [\"E\", \"x\"]}}",
            "c.json:2:15: keys.skip: x would do two things on the Triage screen: skip and batch",
        ),
        ("{\"keys\": {\"skip\": [\"j\"]}}", "j would do two things on the Triage screen: skip and down"),
        ("{\"keys\": {\"link-same\": [\"b\"]}}", "b would do two things in one menu: link-same and link-both-true"),
        ("{\"keys\": {\"down\": [\"Ctrl-s\"]}}", "Ctrl-s cannot be bound: terminals and multiplexers keep it"),
        ("{\"keys\": {\"accept-a\": [\"Enter\"]}}", "Enter may not do accept-a"),
        ("{\"keys\": {\"accept-a\": [\"7\"]}}", "7 may not do accept-a"),
        ("{\"keys\": {\"withdraw\": [\"Left\"]}}", "Left may not do withdraw"),
        ("{\"keys\": {\"undo\": [\"Alt-u\"]}}", "Alt-u may not do undo"),
        (
            "{\"keys\": {\"declare\": [\"A\"]}}",
            "A may not do declare: it is one slip of the Shift key away from a, which is accept-a",
        ),
        ("{\"keys\": {\"quit\": []}}", "quit must have a key"),
        ("{\"keys\": {\"copy-id\": [\"Esc\"]}}", "Esc cannot be a choice of a menu"),
        ("{\"keys\": {\"skip\": [\"S\"], \"skip\": [\"X\"]}}", "skip: this key occurs twice"),
    ];
    for (file, said) in cases {
        let (status, text) = told(file);
        assert!(text.contains(said), "{file}\n{text}\nlacks: {said}");
        assert_eq!(status, Some(2), "{file}: {text}");
        assert_eq!(text.lines().count(), 1, "{file}: {text}");
    }
}

#[test]
fn what_is_chosen_is_in_force() {
    let file = r#"{"theme": "dark", "mouse": true, "ascii": true, "observers": [],
        "styles": {"good": "bold #5fd7ff on black"},
        "keys": {"accept-a": ["b"], "accept-b": ["a"], "skip": "ф", "history.dispute": ["d"], "note": []}}"#;
    let (status, text) = told(file);
    assert_eq!(status, Some(0), "{text}");
    let told: Value = serde_json::from_str(&text).unwrap();
    let keys = |place: &str, command: &str| {
        let rows = told["keys"].as_array().unwrap();
        let row = rows.iter().find(|row| row["place"] == place && row["command"] == command).unwrap();
        row["keys"].to_string()
    };
    assert_eq!(keys("triage", "accept-a"), "[\"b\"]");
    assert_eq!(keys("triage", "accept-b"), "[\"a\"]");
    assert_eq!(keys("triage", "skip"), "[\"ф\"]");
    assert_eq!(keys("history", "dispute"), "[\"d\"]");
    assert_eq!(keys("withdraw", "withdraw-batch"), "[\"b\"]");
    assert_eq!(keys("triage", "note"), "[]");
    assert_eq!((&told["theme"], &told["mouse"], &told["ascii"]), (&"dark".into(), &true.into(), &true.into()));
}

#[test]
fn the_starter_names_every_setting_and_is_read_back_as_what_ships() {
    let folder = TempDir::new().unwrap();
    let starter = String::from_utf8(gainsay(&folder, &["config", "--starter"]).stdout).unwrap();
    let file = gainsay::wire::config::read(starter.as_bytes()).unwrap();
    let wish = |(command, keys): &(Placed, Vec<Placed>)| Wish {
        name: command.text.clone(),
        keys: keys.iter().map(|key| key.text.parse().unwrap()).collect(),
    };
    let wishes: Vec<Wish> = file.keys.iter().map(wish).collect();
    assert_eq!(rebind::keymap(&wishes), Ok(Keymap::default()));
    for row in BINDINGS {
        let exact = format!("{}.{}", place_name(row.place), name(row));
        assert!(wishes.iter().any(|wish| wish.name == name(row) || wish.name == exact), "{exact} is not in it");
    }
    for setting in gainsay::wire::config::KNOWN.split(", ") {
        assert!(starter.contains(&format!("\n  {setting:?}: ")), "{setting} is not in it");
    }
    assert_eq!(file.theme.map(|theme| theme.text).as_deref(), Some("auto"));
    assert_eq!((file.mouse, file.ascii), (Some(false), Some(false)));
    assert!(file.styles.is_empty() && file.observers.is_empty());
    fs::create_dir_all(folder.path().join(".config/gainsay")).unwrap();
    fs::write(folder.path().join(".config/gainsay/config.json"), starter).unwrap();
    let text = String::from_utf8(gainsay(&folder, &["config"]).stdout).unwrap();
    assert!(text.contains(".config/gainsay/config.json in force"), "{text}");
    assert!(!text.contains("chosen in the file"), "nothing is changed: {text}");
}

#[test]
fn the_starter_can_be_written_over_the_file_that_is_read() {
    let folder = TempDir::new().unwrap();
    // What a shell has made of it by the time that the program begins.
    fs::create_dir_all(folder.path().join(".config/gainsay")).unwrap();
    fs::write(folder.path().join(".config/gainsay/config.json"), "").unwrap();
    let out = gainsay(&folder, &["config", "--starter"]);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
}

#[test]
fn a_comment_is_no_part_of_the_file_and_moves_nothing_in_it() {
    for (file, said) in [
        ("// of mine\n{\n  // the mouse, \"ы\"\n  \"mouse\": 1 // on\n}", "c.json:4:12: mouse: it is a number"),
        ("{\"theme\": \"http://x\"} // y", "no theme is called \"http://x\""),
        ("{\"theme\": \"a\\\"//\"}", "no theme is called \"a\\\"//\""),
        ("{\"mose\": true}", "did you mean mouse?"),
        ("{\"mouse\": true / / x\n}", "not JSON"),
    ] {
        let (status, text) = told(file);
        assert!(text.contains(said), "{file}\n{text}\nlacks: {said}");
        assert_eq!(status, Some(2), "{file}: {text}");
    }
    assert_eq!(told("{\"mouse\": true} // on").0, Some(0));
}

#[test]
fn a_file_that_was_named_must_be_there() {
    let folder = TempDir::new().unwrap();
    let out = gainsay(&folder, &["config", "--config", "none.json"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("none.json: it cannot be read"));
    assert!(gainsay(&folder, &["config"]).status.success());
}

#[test]
fn a_row_can_be_called_by_its_place() {
    for row in BINDINGS {
        let exact = format!("{}.{}", place_name(row.place), name(row));
        let keymap = rebind::keymap(&[Wish { name: exact.clone(), keys: row.keys.to_vec() }]);
        assert_eq!(keymap, Ok(Keymap::default()), "{exact}");
    }
}
