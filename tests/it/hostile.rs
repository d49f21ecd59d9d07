//! Hostile text through every command: whatever a record, a name, a reason, a file or an argument says, nothing of it acts
//! on the terminal that an answer or an error is read in, and nothing of it hides.

use std::fs;
use std::process::Output;

use serde_json::{Value, json};

use crate::dice::thorough;
use crate::fumbling::hides;
use crate::terminal::Desk;
use crate::text::PAYLOADS;

/// The payloads as the texts that records are made of: each by itself, or many in one where time is short.
fn texts() -> Vec<String> {
    let many = if thorough() { 1 } else { 15 };
    PAYLOADS.chunks(many).map(|payloads| payloads.join(" & ")).collect()
}

/// What somebody says, with the text in every place that takes one.
fn records(number: usize, text: &str) -> Vec<Value> {
    let says = |at: usize, attribute: Option<&str>, value: Value| {
        let attribute = attribute.map(|name| format!("{name}{text}"));
        json!({
            "id": format!("r{number}.{at}{text}"), "subject_id": format!("s{number}{text}"), "attribute": attribute,
            "value": value, "observed_at": "2025-10-14", "written_at": format!("2025-10-14T09:0{at}:00Z"), "epoch": 7,
            "source": {"kind": format!("kind{text}"), "class": "user", "turn_id": text, "batch": format!("b{number}{text}"),
                format!("key{text}"): {text: [text]}},
            "evidence": format!("they said {text}\r\n{text}"), "confidence": 0.5,
        })
    };
    vec![
        says(1, Some("a"), json!(format!("one{text}"))),
        says(2, Some("a"), json!(format!("two{text}"))),
        says(3, Some("b"), json!({"in": [text], text: 1})),
        says(4, Some("c"), json!(text)),
        says(5, Some("c"), json!(format!("{text}."))),
        says(6, None, json!(format!("Sails on {text}"))),
    ]
}

/// Whether nothing in it acts on a terminal or hides: control characters but line feeds, and what [`hides`] knows.
fn raw(said: &str) -> Option<char> {
    said.chars().find(|char| (char.is_control() && *char != '\n') || hides(*char))
}

/// Our own colours, taken off.
fn plain(said: &str) -> String {
    let mut parts = said.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| {
        let end = part.find(|char: char| !char.is_ascii_digit() && char != ';').unwrap_or(part.len());
        part[end..].strip_prefix('m').map_or_else(|| format!("\u{1b}[{part}"), str::to_owned)
    });
    std::iter::once(first).chain(rest).collect()
}

/// What a command says on both ways out must be clean; gives it.
fn clean(output: &Output, what: &[&str]) -> String {
    let said = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat();
    let said = plain(&said);
    assert_eq!(raw(&said), None, "{what:?}: {said:?}");
    let code = output.status.code();
    assert!(code.is_some_and(|code| code <= 5 || code == 74), "{what:?} ends with {code:?}: {said}");
    said
}

/// Runs a command as somebody whose name is hostile too, where that may be; in colour, and once more in JSON.
fn says(desk: &Desk, arguments: &[&str]) -> String {
    let said = clean(&desk.output("da\u{202e}na", &[arguments, &["--color", "always"]].concat()), arguments);
    clean(&desk.output("dana", &[&["--json"], arguments].concat()), arguments);
    said
}

/// The commands that a reviewer gives on what one text is everywhere in.
fn of_one(number: usize, text: &str) -> Vec<Vec<String>> {
    let (subject, batch) = (format!("s{number}{text}"), format!("b{number}{text}"));
    let id = |at: usize| format!("r{number}.{at}{text}");
    let (a, b, c) = (format!("a{text}"), format!("b{text}"), format!("c{text}"));
    let other = format!("other {text}");
    let lines: Vec<Vec<&str>> = vec![
        vec!["queue", "--subject", &subject],
        vec!["queue", "--attribute", &a, "--batch", &batch],
        vec!["recall", &subject],
        vec!["recall", &subject, &a],
        vec!["recall", &subject, &c],
        vec!["history", &subject, &a],
        vec!["history", &subject, &b],
        vec!["explain", &subject, &a],
        vec!["explain", &subject, &a, "--html"],
        vec!["batches", &batch],
        vec!["log", "--subject", &subject],
        vec!["policy", "try", &a, "--cardinality", "many"],
        vec!["policy", "declare", &a, "--system-of-record", text],
        vec!["policy", "show", &a],
        vec!["epochs", &subject],
        vec!["epochs", &subject, "--open", "9", "--cause", text],
        vec!["withdraw", "--record", &"?", "--reason", "test", "--note", text],
        vec!["alias", "propose", &subject, &other],
        vec!["alias", "confirm", &subject, &other],
        vec!["erase", &subject, "--reason", text, "--dry-run"],
    ];
    let with_ids = [
        vec![
            "withdraw".to_owned(),
            "--record".into(),
            id(4),
            "--reason".into(),
            "test".into(),
            "--note".into(),
            text.into(),
        ],
        vec![
            "withdraw".into(),
            "--batch".into(),
            batch.clone(),
            "--reason".into(),
            "test".into(),
            "--dry-run".into(),
        ],
        vec!["rederive".into(), id(6), "--source".into(), text.into(), "--evidence".into(), text.into()],
        vec!["dispute".into(), id(5), id(4), "--reason".into(), text.into()],
    ];
    let lines = lines.into_iter().filter(|line| !line.contains(&"?"));
    lines.map(|line| line.into_iter().map(str::to_owned).collect()).chain(with_ids).collect()
}

/// What is said of the whole store, each with whether something of the records must be seen in it.
const OF_ALL: [(&str, bool); 22] = [
    ("queue --limit 500", true),
    ("queue --state open,awaiting,deferred,settled", true),
    ("queue --count", false),
    ("batches", true),
    ("log", true),
    ("log --find owned", false),
    ("health", true),
    ("stale", false),
    ("requests", false),
    ("alias list", true),
    ("policy show", true),
    ("audit report", false),
    ("audit sample", false),
    ("slot --left", true),
    ("slot --dry-run", false),
    ("verify", false),
    ("formats", false),
    ("observers", false),
    ("config", false),
    ("export", true),
    ("export --format mcp", true),
    ("undo", false),
];

/// Says everything that is said of a whole store; how much of what must show the records does.
fn told_of_all(desk: &Desk) -> usize {
    let shows = |line: &str| {
        let said = says(desk, &line.split(' ').collect::<Vec<_>>());
        ["U+", "\\u"].iter().any(|mark| said.contains(mark))
    };
    OF_ALL.iter().filter(|(line, must)| shows(line) && *must).count()
}

#[test]
fn no_payload_gets_out_of_any_command() {
    let texts = texts();
    let all: Vec<Value> = texts.iter().enumerate().flat_map(|(number, text)| records(number, text)).collect();
    let desk = Desk::of(&all);
    for (number, text) in texts.iter().enumerate() {
        for line in of_one(number, text) {
            let line: Vec<&str> = line.iter().map(String::as_str).collect();
            let said = says(&desk, &line);
            let tells = ["queue", "recall", "history", "explain", "batches", "log"].contains(&line[0]);
            assert!(!tells || said.contains("U+"), "{line:?} shows nothing of it: {said}");
        }
    }
    let shown = told_of_all(&desk);
    assert_eq!(shown, OF_ALL.iter().filter(|(_, shows)| *shows).count());
    let pairs = desk.run("lee", &["queue", "--json", "--state", "open,awaiting,settled", "--limit", "500"]);
    let pairs: Vec<String> =
        pairs.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["pair"].to_string()).collect();
    assert!(pairs.len() >= texts.len() * 2, "{pairs:?}");
    for pair in &pairs {
        let (reason, hours) = (texts[0].as_str(), "2h");
        for line in [
            vec!["show", pair],
            vec!["accept", pair, "--record", reason, "--reason", reason],
            vec!["reobserve", pair],
            vec!["reobserve", pair, "--value", reason, "--epoch", "7", "--source", reason, "--evidence", reason],
            vec!["link", pair, "--as", "same", "--reason", reason],
            vec!["defer", pair, "--until", hours],
            vec!["show", pair],
        ] {
            says(&desk, &line);
        }
    }
    assert!(told_of_all(&desk) > 3, "what was ruled and asked for is told too");
    desk.verified();
}

/// What is wrong, said of arguments, files, settings and names that are hostile.
#[test]
fn no_payload_gets_out_of_any_error() {
    let desk = Desk::of(&records(0, ""));
    for (number, payload) in PAYLOADS.iter().enumerate() {
        if !thorough() && number % 6 != 0 {
            continue;
        }
        let named = format!("f{number}{}", payload.replace('/', "_"));
        let path = desk.path(&named);
        let bad = format!(
            "{{\"subject_id\": \"u\", \"value\": 1, \"epoch\": {0}, \"op\": {0}}}\n{{{0}: 1, \"value\": 2, {0}: 1}}\n{1}\n",
            json!(payload),
            payload.replace('\n', " "),
        );
        fs::write(&path, &bad).unwrap();
        fs::write(desk.path("config.json"), format!("{{{}: 1, \"keys\": {{\"x\": 1}}}}", json!(payload))).unwrap();
        fs::write(desk.path("keys.json"), format!("{{\"keys\": {{\"skip\": [{}]}}}}", json!(payload))).unwrap();
        let option = format!("--{payload}");
        let mapped = format!("subject=.{payload}");
        let place = desk.path(&format!("no{payload}/such"));
        let lines: Vec<Vec<&str>> = vec![
            vec![payload],
            vec![&option],
            vec!["show", payload],
            vec!["recall", payload, payload],
            vec!["history", payload, payload],
            vec!["explain", payload, payload],
            vec!["batches", payload],
            vec!["accept", "1", "--record", payload, "--reason", payload],
            vec!["link", "1", "--as", payload, "--reason", "x"],
            vec!["defer", "1", "--until", payload],
            vec!["withdraw", "--record", payload, "--reason", "test"],
            vec!["withdraw", "--where", payload, "--reason", "test", "--dry-run"],
            vec!["policy", "declare", "a", "--compare", payload],
            vec!["policy", "try", payload, "--authority", payload],
            vec!["epochs", payload, "--open", payload],
            vec!["queue", "--ground", payload],
            vec!["queue", "--subject", payload],
            vec!["log", "--kind", payload],
            vec!["log", "--since", payload],
            vec!["log", "--find", payload],
            vec!["export", "--format", payload],
            vec!["import", &path],
            vec!["import", &path, "--on-error", "skip", "--dry-run"],
            vec!["import", &path, "--format", payload],
            vec!["import", &path, "--map", &mapped, "--dry-run"],
            vec!["import", &path, "--tz", payload],
            vec!["import", &place],
            vec!["slot", "--rules", &path],
            vec!["slot", "--rule", payload],
            vec!["backup", &place],
            vec!["--config", "config.json", "config"],
            vec!["--config", "keys.json", "config"],
            vec!["--config", &place, "config"],
            vec!["--store", &place, "queue"],
            vec!["--store", &path, "verify"],
            vec!["--now", payload, "queue"],
            vec!["--actor", payload, "undo"],
            vec!["man", payload],
            vec!["completions", payload],
        ];
        for line in lines {
            says(&desk, &line);
        }
    }
}

#[test]
fn the_check_sees_what_it_must() {
    for payload in PAYLOADS {
        assert!(raw(payload).is_some() || plain(payload) != payload, "{payload:?}");
    }
    assert_eq!(plain("\u{1b}[31mred\u{1b}[0m"), "red");
    assert_eq!(plain("a\u{1b}[2Jb"), "a\u{1b}[2Jb");
    assert_eq!(raw("Lis\u{200b}bon"), Some('\u{200b}'));
    assert_eq!(raw("plain\ntext, 東京"), None);
}
