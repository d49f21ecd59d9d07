//! Observers: which slots they serve, how they are run, and that none of them can hold or harm the program.

use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, thread};

use gainsay::core::observer::{CannotAsk, Observer, PATIENCE, of_slot};
use gainsay::core::record::{Attribute, Epoch, Kind, Subject};
use gainsay::observe::{MOST_OUTPUT, Unseen, look};
use gainsay::wire::node::Node;
use gainsay::wire::observer::{observers, sighting};
use serde_json::json;
use tempfile::TempDir;

/// An observer of everything that runs these words.
fn running(run: &[&str]) -> Observer {
    Observer {
        attribute: "*".to_owned(),
        subject: "*".to_owned(),
        run: run.iter().map(|word| (*word).to_owned()).collect(),
        source: Kind::from("config_probe"),
        class: None,
        timeout: Duration::from_secs(5),
        environment: Vec::new(),
    }
}

/// A shell script as the observer: the shell is the test's, not the program's.
fn script(text: &str) -> Observer {
    running(&["/bin/sh", "-c", text])
}

fn asked(observer: &Observer, subject: &str) -> Result<Vec<u8>, Unseen> {
    let variable = |name: &str| std::env::var(name).ok();
    look(observer, &Subject::from(subject), &Attribute::from("retry_timeout"), &variable, &|| true)
}

fn printed(text: &str) -> String {
    String::from_utf8(asked(&script(text), "svc/checkout").unwrap()).unwrap()
}

/// Whether any process has this word in its arguments.
fn runs(word: &str) -> bool {
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    processes
        .filter_map(|entry| fs::read(entry.path().join("cmdline")).ok())
        .any(|line| String::from_utf8_lossy(&line).contains(word))
}

fn soon(what: impl Fn() -> bool) -> bool {
    (0..200).any(|_| {
        what() || {
            thread::sleep(Duration::from_millis(10));
            false
        }
    })
}

#[test]
fn the_first_that_serves_a_slot_looks_for_it() {
    let text = r#"[
        {"attribute": "retry_timeout", "subject": "svc/*", "run": ["a"], "source": "config_probe", "timeout": "500ms"},
        {"attribute": "*", "subject": "svc/auth", "run": ["b", "{subject}"], "source": "tool_output", "class": "observation"},
        {"run": ["c"], "source": "api_response", "env": ["KUBECONFIG"]}
    ]"#;
    let all = observers(Node::of(text)).unwrap();
    let serving = |subject: &str, attribute: &str| {
        of_slot(&all, &Subject::from(subject), &Attribute::from(attribute)).map(|observer| observer.run[0].as_str())
    };
    assert_eq!(serving("svc/auth", "retry_timeout"), Some("a"));
    assert_eq!(serving("svc/auth", "region"), Some("b"));
    assert_eq!(serving("user_1", "home_city"), Some("c"));
    assert_eq!((all[0].timeout, all[1].timeout), (Duration::from_millis(500), PATIENCE));
}

#[test]
fn a_wrong_observer_is_told_where_and_why() {
    let cases = [
        (r#"[{"run": ["a"]}]"#, "source"),
        (r#"[{"source": "a"}]"#, "run"),
        (r#"[{"run": [], "source": "a"}]"#, "names no program"),
        (r#"[{"run": "jq", "source": "a"}]"#, "run"),
        (r#"[{"run": ["a"], "source": "a", "timeout": "0s"}]"#, "length of time"),
        (r#"[{"run": ["a"], "source": "a", "timeout": "2h"}]"#, "length of time"),
        (r#"[{"run": ["a"], "source": "a", "class": "god"}]"#, "class"),
        (r#"[{"run": ["a"], "source": "a", "shell": true}]"#, "shell"),
        (r#"[{"run": ["a"], "source": "a", "env": ["1","2","3","4","5","6","7","8","9"]}]"#, "9 variables"),
    ];
    for (text, said) in cases {
        let fault = observers(Node::of(text)).expect_err(text);
        assert!(format!("{fault:?}").contains(said), "{text} gives {fault:?}");
    }
}

#[test]
fn what_it_prints_is_read_strictly() {
    let seen = sighting(b" {\"value\": \"5s\", \"epoch\": 3, \"evidence\": null, \"more\": 1}\n").unwrap();
    assert_eq!((seen.value, seen.epoch, seen.evidence), (json!("5s"), Epoch(3), None));
    let nonsense: [&[u8]; 9] = [
        b"",
        b"5s",
        b"[]",
        b"{\"value\": 1}",
        b"{\"epoch\": 1}",
        b"{\"value\": null, \"epoch\": 1}",
        b"{\"value\": 1, \"epoch\": -1}",
        b"{\"value\": 1, \"epoch\": 1} {}",
        b"\xff\xfe{}",
    ];
    for printed in nonsense {
        assert!(sighting(printed).is_err(), "{:?}", String::from_utf8_lossy(printed));
    }
}

#[test]
fn names_are_put_into_single_arguments_and_no_shell_reads_them() {
    let folder = TempDir::new().unwrap();
    let made = folder.path().join("made");
    let hostile = [
        format!("$(touch {})", made.display()),
        format!("; touch {}", made.display()),
        format!("`touch {}`", made.display()),
        format!("| touch {}", made.display()),
        format!("\ntouch {}", made.display()),
        "{attribute}".to_owned(),
        "*".to_owned(),
        "a  b".to_owned(),
        "'\"\\".to_owned(),
    ];
    let observer = running(&["printf", "%s|", "subject={subject}", "{attribute}", "{other}"]);
    for subject in hostile {
        let out = String::from_utf8(asked(&observer, &subject).unwrap()).unwrap();
        assert_eq!(out, format!("subject={subject}|retry_timeout|{{other}}|"));
    }
    assert!(!made.exists());
}

#[test]
fn what_would_be_an_option_or_no_argument_is_refused() {
    let alone = running(&["cat", "{subject}"]);
    let refused = asked(&alone, "--help").unwrap_err();
    assert_eq!(refused, Unseen::CannotAsk(CannotAsk::LooksLikeAnOption("--help".to_owned())));
    let nul = asked(&alone, "a\0b").unwrap_err();
    assert_eq!(nul, Unseen::CannotAsk(CannotAsk::Nul("a\0b".to_owned())));
    // The program is never chosen by data.
    let program = running(&["{subject}"]);
    assert!(matches!(asked(&program, "true"), Err(Unseen::CannotRun { .. })));
    // Inside an argument that begins with our own words it is no option.
    assert_eq!(asked(&running(&["printf", "%s", "id={subject}"]), "-x").unwrap(), b"id=-x");
}

#[test]
fn its_environment_is_clean() {
    let environment = printed("env");
    let names: Vec<&str> = environment.lines().filter_map(|line| line.split('=').next()).collect();
    let known = ["PATH", "HOME", "LANG", "PWD", "OLDPWD", "SHLVL", "_"];
    assert!(names.iter().all(|name| known.contains(name)), "{names:?}");
    let mut named = script("printf %s \"$CARGO_MANIFEST_DIR\"");
    named.environment = vec!["CARGO_MANIFEST_DIR".to_owned()];
    assert_eq!(asked(&named, "a").unwrap(), env!("CARGO_MANIFEST_DIR").as_bytes());
    assert_eq!(printed("cat"), "", "its standard input is empty");
}

#[test]
fn a_failure_says_how_and_what_it_complained() {
    let failed = asked(&script("echo no such host >&2; exit 3"), "a").unwrap_err();
    assert_eq!(failed.to_string(), "it failed (exit status: 3): no such host");
    let killed = asked(&script("kill -9 $$"), "a").unwrap_err();
    assert!(killed.to_string().contains("signal: 9"), "{killed}");
    let absent = asked(&running(&["/no/such/program"]), "a").unwrap_err();
    assert!(absent.to_string().contains("/no/such/program"), "{absent}");
    let folder = TempDir::new().unwrap();
    assert!(matches!(asked(&running(&[&folder.path().display().to_string()]), "a"), Err(Unseen::CannotRun { .. })));
}

#[test]
fn one_that_hangs_is_stopped_with_everything_it_started() {
    let mut hangs = script("sleep 31.4159 & sleep 31.4159");
    hangs.timeout = Duration::from_millis(300);
    let begun = Instant::now();
    assert_eq!(asked(&hangs, "a"), Err(Unseen::TimedOut(hangs.timeout)));
    assert!(begun.elapsed() < Duration::from_millis(1500), "{:?}", begun.elapsed());
    assert!(soon(|| !runs("31.4159")), "a child of it is still running");
}

#[test]
fn one_that_leaves_a_child_at_its_pipe_keeps_nobody_waiting() {
    let begun = Instant::now();
    assert_eq!(printed("sleep 31.2718 & echo seen"), "seen\n");
    assert!(begun.elapsed() < Duration::from_secs(2));
    assert!(soon(|| !runs("31.2718")));
}

#[test]
fn one_that_leaves_its_group_keeps_nobody_waiting_either() {
    if !Path::new("/usr/bin/setsid").exists() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let left = folder.path().join("left");
    // What leaves says so once it has: a shell of its own session, which then becomes the one that stays at the pipe.
    let away = format!(
        "setsid sh -c 'touch {0}; exec sleep 7.7777' & while [ ! -e {0} ]; do :; done; echo seen",
        left.display()
    );
    let mut leaves = script(&away);
    leaves.timeout = Duration::from_millis(2_500);
    let begun = Instant::now();
    assert_eq!(asked(&leaves, "a"), Err(Unseen::TimedOut(leaves.timeout)));
    assert!(left.exists(), "it was stopped before it had left");
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[test]
fn one_that_floods_is_stopped() {
    let begun = Instant::now();
    assert_eq!(asked(&running(&["yes", "unflooded-31"]), "a"), Err(Unseen::Flooded));
    assert!(begun.elapsed() < Duration::from_secs(2));
    assert!(soon(|| !runs("unflooded-31")));
    let at_the_limit = script(&format!("head -c {MOST_OUTPUT} /dev/zero"));
    assert_eq!(asked(&at_the_limit, "a").unwrap().len(), MOST_OUTPUT);
    let above = script(&format!("head -c {} /dev/zero", MOST_OUTPUT + 1));
    assert_eq!(asked(&above, "a"), Err(Unseen::Flooded));
    // A flood of complaints fills no memory either.
    let complains = asked(&script("head -c 10000000 /dev/zero >&2; exit 1"), "a");
    assert!(complains.is_err());
}

#[test]
fn one_that_is_not_wanted_any_more_is_stopped() {
    let hangs = script("sleep 31.5772");
    let begun = Instant::now();
    let wanted = || begun.elapsed() < Duration::from_millis(100);
    let nothing = |_: &str| None;
    let seen = look(&hangs, &Subject::from("a"), &Attribute::from("b"), &nothing, &wanted);
    assert_eq!(seen, Err(Unseen::Cancelled));
    assert!(begun.elapsed() < Duration::from_secs(1));
    assert!(soon(|| !runs("31.5772")));
}

#[test]
fn one_that_is_killed_leaves_nothing_behind() {
    let killed = asked(&script("sleep 31.6931 & kill -9 $$"), "a").unwrap_err();
    assert!(killed.to_string().contains("signal: 9"), "{killed}");
    assert!(soon(|| !runs("31.6931")));
}

#[test]
fn one_that_forks_and_forks_is_stopped_whole() {
    let text = "f() { [ $1 -gt 0 ] && { f $(($1 - 1)) & f $(($1 - 1)) & }; sleep 31.4471; }; f 5";
    let mut forks = script(text);
    forks.timeout = Duration::from_millis(700);
    assert_eq!(asked(&forks, "a"), Err(Unseen::TimedOut(forks.timeout)));
    assert!(soon(|| !runs("31.4471")), "some of it still run");
}

#[test]
fn an_answer_that_is_huge_or_deep_or_binary_is_read_or_refused_and_breaks_nothing() {
    let wide = format!("{{\"value\": \"{}\", \"epoch\": 1}}", "x".repeat(60_000));
    assert_eq!(sighting(wide.as_bytes()).unwrap().value.as_str().map(str::len), Some(60_000));
    let deep = format!("{{\"value\": {}1{}, \"epoch\": 1}}", "[".repeat(30_000), "]".repeat(30_000));
    assert!(sighting(deep.as_bytes()).is_err());
    let opened = "{\"value\": ".repeat(6_000);
    assert!(sighting(opened.as_bytes()).is_err());
    let noise: Vec<u8> = (0..60_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    assert!(sighting(&noise).is_err());
    let zeros = asked(&script("head -c 5000 /dev/zero"), "a").unwrap();
    assert!(sighting(&zeros).is_err());
}
