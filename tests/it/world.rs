//! The live world, from a terminal and from a shell: a thousand looks stopped in the middle, an observer whose command
//! is told to end, and the world that the demo brings.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::pty::Pty;
use crate::terminal::{Desk, GAINSAY};

/// A thousand slots with a pair each, and a configuration whose observer takes a moment.
fn thousand() -> Desk {
    let reads = |number: usize, epoch: i64, value: &str, day: &str| {
        json!({
            "id": format!("{number}_{epoch}"), "subject_id": format!("svc/{number:04}"), "attribute": "retry_timeout",
            "value": value, "source": "config_probe", "observed_at": format!("{day}T08:00:00Z"),
            "written_at": format!("{day}T08:00:01Z"), "epoch": epoch,
        })
    };
    let both = |number| [reads(number, 4, "30s", "2025-10-01"), reads(number, 7, "5s", "2025-10-03")];
    let records: Vec<Value> = (0..1000).flat_map(both).collect();
    let desk = Desk::of(&records);
    configure(&desk, &["/bin/sh", "-c", r#"sleep 0.01; echo '{"value": "5s", "epoch": 8}'"#]);
    desk
}

fn configure(desk: &Desk, run: &[&str]) {
    let config = json!({"observers": [{"attribute": "retry_timeout", "run": run, "source": "config_probe"}]});
    fs::write(desk.path("config.json"), config.to_string()).unwrap();
    fs::set_permissions(desk.path("config.json"), fs::Permissions::from_mode(0o600)).unwrap();
}

/// `r r`, with the pause in which a held key would choose nothing in the menu that it has opened.
fn look_again(pty: &mut Pty) {
    pty.press("r").see("look again: run");
    thread::sleep(Duration::from_millis(300));
    pty.press("r");
}

/// The number before a word on the screen.
fn number_before(screen: &str, word: &str) -> usize {
    let line =
        screen.lines().find(|line| line.contains(word)).unwrap_or_else(|| panic!("no {word:?} in\n{screen}"));
    let before = line.split(word).next().unwrap();
    let number = before.split_whitespace().next_back().unwrap();
    number.replace(',', "").parse().unwrap_or_else(|_| panic!("{number:?} before {word:?} in\n{screen}"))
}

#[test]
fn a_thousand_are_looked_at_in_a_terminal_and_stopped_in_the_middle() {
    let desk = thousand();
    let mut pty = desk.open_with(&["--config", &desk.path("config.json")], &[]);
    pty.see("retry_timeout of svc/0000").press("*").see("1000 marked");
    look_again(&mut pty);
    pty.see("looked at by /bin/sh").press("yes\r");
    pty.see("looking again at 1000 pairs").see("Esc cancels");
    // Some are done: the bar has grown.
    pty.see("█").press("\u{1b}").see("Looked again at 1000 pairs");
    let screen = pty.window().text();
    let (settled, left) = (number_before(&screen, "settled"), number_before(&screen, "not looked at"));
    assert!(settled > 0 && left > 0 && settled + left == 1000, "{screen}");
    let open = || {
        let count = desk.run("lee", &["queue", "--count", "--json"]);
        serde_json::from_str::<Value>(&count).unwrap()["count"].as_u64().unwrap()
    };
    assert_eq!(open(), left as u64);
    desk.verified();
    pty.press("\u{1b}").see_no("Looked again").press("u").see("undone:").see("1,000 open");
    assert_eq!(open(), 1000);
    pty.press("q").ended();
    desk.verified();
}

/// Whether any process has this word in its arguments.
fn runs(word: &str) -> bool {
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.into_iter().any(|line| String::from_utf8_lossy(&line).contains(word))
}

fn soon(what: impl Fn() -> bool) -> bool {
    (0..500).any(|_| {
        what() || {
            thread::sleep(Duration::from_millis(10));
            false
        }
    })
}

#[test]
fn a_command_that_is_told_to_end_takes_its_observer_with_it() {
    let desk = thousand();
    configure(&desk, &["/bin/sh", "-c", "sleep 41.4142 & sleep 41.4142"]);
    for signal in ["INT", "TERM", "HUP"] {
        let command = Command::new(GAINSAY)
            .args([
                "--store",
                &desk.path("store.db"),
                "--config",
                &desk.path("config.json"),
                "reobserve",
                "1",
                "--run",
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        assert!(soon(|| runs("41.4142")), "{signal}: it does not run");
        let sent = Command::new("kill").args([format!("-{signal}"), command.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let out = command.wait_with_output().unwrap();
        assert_eq!(out.status.code(), Some(1), "{signal}: {}", String::from_utf8_lossy(&out.stderr));
        assert!(String::from_utf8_lossy(&out.stderr).contains("nothing was written"));
        assert!(soon(|| !runs("41.4142")), "{signal}: what it started still runs");
    }
    desk.verified();
}

#[test]
fn the_demo_brings_a_world_to_look_at() {
    let desk = Desk::of(&[]);
    let told: Value = serde_json::from_str(&desk.run("dana", &["demo", "--no-tui", "--json"])).unwrap();
    let (store, config) = (told["store"].as_str().unwrap(), told["config"].as_str().unwrap());
    let run = |arguments: &[&str]| {
        let all = [&["--store", store, "--config", config, "--json"], arguments].concat();
        serde_json::from_str::<Value>(&desk.run("dana", &all)).unwrap()
    };
    let numbers: Vec<String> = told["watched"].as_array().unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(numbers.len(), 2);
    for number in &numbers {
        assert_eq!(run(&["reobserve", number, "--run"])["pair_state"], "settled");
    }
    let recall = || run(&["recall", "svc/checkout", "retry_timeout"])["value"].clone();
    assert_eq!(recall(), "5s");
    // The world changes; the slot is settled, and looked at again all the same.
    let file = Path::new(config).parent().unwrap().join("live/retry_timeout.json");
    fs::write(file, r#"{"value": "8s", "epoch": 9}"#).unwrap();
    run(&["reobserve", "--slot", "svc/checkout", "retry_timeout", "--run"]);
    assert_eq!(recall(), "8s");
    assert_eq!(run(&["verify"])["ok"], true);
    fs::remove_dir_all(Path::new(store).parent().unwrap()).unwrap();
}

#[test]
fn the_demo_settles_by_r_r_in_a_terminal() {
    let desk = Desk::of(&[]);
    let mut pty = desk.open_with(&["demo"], &[]);
    pty.see("Welcome").see("live/retry_timeout.json").press("\u{1b}").see_no("Welcome");
    pty.press("/").see("puts back what was shown").press("checkout").see("of svc/checkout").press("\r");
    pty.see("/checkout").press("g").see("svc/checkout");
    pty.press("*").see("4 marked");
    look_again(&mut pty);
    pty.see("looked at by cat").press("yes\r");
    pty.see("2 settled").press("\u{1b}").see_no("Looked again").press("q").ended();
}
