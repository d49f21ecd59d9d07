//! The plan of the house: which floor stands on which, kept by reading the `use` lines of the source.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::source::{File, files};

/// Each floor and those it stands on. No arrow runs up; a floor may always use itself.
const FLOORS: &[(&str, &[&str])] = &[
    ("core", &[]),
    ("wire", &["core"]),
    ("formats", &["core", "wire"]),
    ("store", &["core", "wire"]),
    ("observe", &["core"]),
    ("app", &["core"]),
    ("tui", &["core", "app"]),
    ("error", &["core", "wire", "store", "observe"]),
    ("runtime", &["core", "wire", "formats", "store", "observe", "app", "tui", "error"]),
    ("cli", &["core", "wire", "formats", "store", "observe", "app", "tui", "error", "runtime"]),
    ("lib", &["core", "wire", "formats", "store", "observe", "app", "tui", "error", "runtime", "cli"]),
    ("main", &["core", "error", "runtime", "cli"]),
];

enum Where {
    /// On these floors and on no other.
    Only(&'static [&'static str]),
    /// Not on these floors.
    Never(&'static [&'static str]),
    Nowhere,
}

/// Words of the code that belong to certain floors, each with the reason that a trespasser is told.
const WORDS: &[(&str, Where, &str)] = &[
    ("rusqlite", Where::Only(&["store"]), "the store is the only floor that speaks SQL"),
    ("ratatui", Where::Only(&["tui", "runtime"]), "only tui draws; the others hand it data"),
    ("crossterm", Where::Only(&["tui", "runtime"]), "only tui::input knows the terminal's keys"),
    ("clap", Where::Only(&["cli", "main"]), "arguments are read in cli, and handed on as data"),
    (
        "process::Command",
        Where::Only(&["observe", "runtime"]),
        "only an observer runs a command, one that the user configured; and the runtime the user's own editor",
    ),
    (
        "serde::",
        Where::Never(&["core"]),
        "core's types are not Serialize: wire has twins of them, strict on the way out",
    ),
    ("Utc::now(", Where::Only(&["runtime", "cli"]), "the clock is read once and handed on as an argument"),
    ("Local::now(", Where::Only(&["runtime", "cli"]), "the clock is read once and handed on as an argument"),
    ("SystemTime::now(", Where::Only(&["runtime", "cli"]), "the clock is read once and handed on as an argument"),
    ("fs::write(", Where::Only(&["runtime", "cli"]), "update and the verbs return what should be written"),
    (
        "stdout(",
        Where::Only(&["runtime", "cli", "main", "observe"]),
        "one place prints, after everything hostile is revealed",
    ),
    (
        "stderr(",
        Where::Only(&["runtime", "cli", "main", "observe"]),
        "one place prints, after everything hostile is revealed",
    ),
    ("std::fs", Where::Never(&["core", "app", "tui"]), "pure: it is given what was read, and returns what to do"),
    ("std::io", Where::Never(&["core", "app"]), "pure: it is given what was read, and returns what to do"),
    (
        "std::env",
        Where::Never(&["core", "wire", "store", "app", "tui"]),
        "the environment is read in cli and runtime",
    ),
    ("std::thread", Where::Never(&["core", "wire", "app"]), "pure: the runtime owns the threads"),
    ("set_symbol(", Where::Never(&["tui"]), "a symbol set by hand passes by text::printable"),
    ("set_char(", Where::Never(&["tui"]), "a character set by hand passes by text::printable"),
    ("#[allow(", Where::Nowhere, "write #[expect(…, reason = \"…\")]: it tells when it is no longer needed"),
];

/// A file has one subject: 400 lines are the aim, and this is where it must be split.
const LONGEST: usize = 500;

/// Everything in which these files break the plan.
fn faults(files: &[File]) -> Vec<String> {
    let modules: BTreeMap<Vec<String>, String> =
        files.iter().filter(|it| it.floor() != "main").map(|it| (it.module(), it.path.clone())).collect();
    let floors: BTreeMap<&str, &[&str]> = FLOORS.iter().copied().collect();
    let mut faults = Vec::new();
    let mut arrows: BTreeSet<(String, String)> = BTreeSet::new();
    for file in files {
        let floor = file.floor();
        let Some(below) = floors.get(floor.as_str()) else {
            faults.push(format!("{}: the floor {floor} has no place in FLOORS (tests/it/floors.rs)", file.path));
            continue;
        };
        let mut spanned: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
        for named in file.names(&modules) {
            let Some(target) = target(&named.path, &modules) else { continue };
            // What lies in `lib.rs` itself belongs to no floor: the name of one says where the path leads.
            let met = named.path.first().filter(|name| floors.contains_key(name.as_str())).unwrap_or(&floor);
            if *met != floor && !below.contains(&met.as_str()) {
                let path = named.path.join("::");
                faults.push(format!("{} names {path}: {floor} does not stand on {met}", file.path));
            }
            if let Some(statement) = named.statement {
                spanned.entry(statement).or_default().insert(met.clone());
            }
            if !named.handed_on && *target != file.path {
                arrows.insert((file.path.clone(), target.clone()));
            }
        }
        for floors in spanned.values().filter(|floors| floors.len() > 1) {
            let floors: Vec<&str> = floors.iter().map(String::as_str).collect();
            let path = &file.path;
            faults.push(format!("{path}: one `use` spans {}: write one for each floor", floors.join(" and ")));
        }
        faults.extend(misplaced_words(file, &floor));
        let lines = file.text.lines().count();
        if lines > LONGEST {
            faults.push(format!("{}: {lines} lines; a file has one subject and at most {LONGEST}", file.path));
        }
    }
    let mutual = arrows.iter().filter(|(from, to)| from < to && arrows.contains(&(to.clone(), from.clone())));
    faults.extend(
        mutual.map(|(from, to)| format!("{from} and {to} import each other: move what both need below both")),
    );
    faults
}

/// The file in which a path ends: that of its longest beginning which is a module.
fn target<'a>(path: &[String], modules: &'a BTreeMap<Vec<String>, String>) -> Option<&'a String> {
    (0..=path.len()).rev().find_map(|length| modules.get(&path[..length]))
}

fn misplaced_words(file: &File, floor: &str) -> Vec<String> {
    let code = file.code();
    WORDS
        .iter()
        .filter(|(word, place, _)| {
            let forbidden = match place {
                Where::Only(floors) => !floors.contains(&floor),
                Where::Never(floors) => floors.contains(&floor),
                Where::Nowhere => true,
            };
            forbidden && stands_in(word, &code)
        })
        .map(|(word, _, reason)| format!("{} says {word} on floor {floor}: {reason}", file.path))
        .collect()
}

/// Whether the word is there, and not as the end of a longer one.
fn stands_in(word: &str, code: &str) -> bool {
    let in_a_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    code.match_indices(word).any(|(at, _)| {
        let after = code[at + word.len()..].chars().next();
        let ends_open = word.ends_with(in_a_name) && after.is_some_and(in_a_name);
        !ends_open && !code[..at].ends_with(in_a_name)
    })
}

#[test]
fn the_house_stands_as_planned() {
    let faults = faults(&files(Path::new(env!("CARGO_MANIFEST_DIR")), "src"));
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn there_is_one_test_program_and_its_main_holds_modules_only() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let programs: Vec<_> = fs::read_dir(&tests)
        .expect("tests can be listed")
        .filter_map(Result::ok)
        .filter(|entry| entry.path().is_file() || entry.path().join("main.rs").exists())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(programs, ["it"], "each further program is linked, and its helpers compiled, once more");
    let main = fs::read_to_string(tests.join("it/main.rs")).expect("main.rs can be read");
    for line in main.lines().filter(|line| !line.is_empty() && !line.starts_with("//")) {
        // A lint that holds for every module is told here.
        if line.starts_with("#![expect(") {
            continue;
        }
        assert!(line.starts_with("mod ") && line.ends_with(';'), "{line:?} belongs into a module");
    }
}

/// A house of these files, each a path and its text.
fn house<const N: usize>(files: [(&str, &str); N]) -> Vec<String> {
    let file = |(path, text): (&str, &str)| File { path: path.to_owned(), text: text.to_owned() };
    faults(&files.map(file))
}

#[test]
fn each_breach_of_the_plan_is_seen() {
    let (record, queue) = (("src/core/record.rs", ""), ("src/store/queue.rs", ""));
    let breach =
        |path: &str, text: &str| house([record, queue, ("src/app/queue.rs", ""), ("src/lib.rs", ""), (path, text)]);
    let cases = [
        ("src/core/value.rs", "use crate::store::queue::Page;", "core does not stand on store"),
        ("src/core/value.rs", "fn f(page: crate::store::queue::Page) {}", "core does not stand on store"),
        ("src/core/value.rs", "use super::super::store::queue;", "core does not stand on store"),
        ("src/core/value.rs", "pub use crate::store::queue;", "core does not stand on store"),
        ("src/store/rows.rs", "use crate::app::queue::Queue;", "store does not stand on app"),
        ("src/wire/page.rs", "use crate::store::queue as q;", "wire does not stand on store"),
        ("src/app/mod.rs", "use crate::\n    store::queue;", "app does not stand on store"),
        ("src/app/mod.rs", "#[cfg(unix)]\nuse crate::store::queue;", "app does not stand on store"),
        ("src/app/mod.rs", "fn f() {\n    use crate::store::queue;\n}", "app does not stand on store"),
        ("src/runtime.rs", "use crate::{core::record, store::queue};", "one `use` spans core and store"),
        ("src/runtime.rs", "use crate::{\n    core::{record},\n    app,\n};", "one `use` spans app and core"),
        ("src/cellar.rs", "", "the floor cellar has no place"),
        ("src/app/mod.rs", "use rusqlite::Connection;", "says rusqlite on floor app"),
        ("src/core/value.rs", "#[derive(serde::Serialize)] struct V;", "says serde:: on floor core"),
        ("src/core/value.rs", "fn now() { let t = Utc::now(); }", "says Utc::now( on floor core"),
        ("src/tui/cell.rs", "fn f() { cell.set_symbol(s); }", "says set_symbol( on floor tui"),
        ("src/store/rows.rs", "#[allow(dead_code)]\nfn f() {}", "says #[allow( on floor store"),
        ("src/core/value.rs", &"\n".repeat(501), "501 lines"),
    ];
    for (path, text, said) in cases {
        let found = breach(path, text);
        assert!(found.len() == 1 && found[0].contains(said), "{path}: {text:?} gives {found:?}");
    }
    let mutual = house([("src/core/a.rs", "use super::b::B;"), ("src/core/b.rs", "fn f(a: super::a::A) {}")]);
    assert_eq!(mutual, ["src/core/a.rs and src/core/b.rs import each other: move what both need below both"]);
}

#[test]
fn what_keeps_to_the_plan_is_left_alone() {
    let kept = house([
        ("src/lib.rs", "pub mod core;\npub mod store;"),
        ("src/main.rs", "use gainsay::cli;\nfn main() {}"),
        ("src/cli/mod.rs", "use crate::core::record::Record;\nuse crate::{app, };"),
        ("src/app/mod.rs", ""),
        ("src/core/mod.rs", "//! See [`record`] and crate::store.\npub mod record;\npub use record::Record;"),
        (
            "src/core/record.rs",
            "use serde_json::Value;\nuse std::fmt;\n// use crate::store::queue;\nuse super::Record as R;",
        ),
        (
            "src/core/text.rs",
            "const T: &str = \"use crate::store::x;\\\" rusqlite\"; const R: &str = r#\"Utc::now(\"#;",
        ),
        (
            "src/core/ticks.rs",
            "fn f<'a>(c: char, s: &'a str) -> bool { c == '\"' || c == '\\'' } // rusqlite\nfn g() {}",
        ),
        ("src/store/mod.rs", "use rusqlite::Connection;\nuse crate::wire::record;\nfn f() { my_stdout(); }"),
        ("src/wire/record.rs", "use crate::core::record::{Record, self as core_record};\n/* crate::app::x */"),
    ]);
    assert_eq!(kept, Vec::<String>::new());
}
