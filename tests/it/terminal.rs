//! The program itself in a pseudo-terminal: what a reviewer's terminal sees of it, and how it is given back.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::pty::{Asked, Pty};

pub(crate) const GAINSAY: &str = env!("CARGO_BIN_EXE_gainsay");

/// A folder with a store, and the program called on it.
pub(crate) struct Desk(pub(crate) TempDir);

impl Desk {
    /// A store filled by the program's own import.
    pub(crate) fn of(records: &[Value]) -> Self {
        let desk = Self(tempfile::tempdir().unwrap());
        let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
        fs::write(desk.0.path().join("records.jsonl"), lines).unwrap();
        desk.run("lee", &["import", "records.jsonl"]);
        desk
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    pub(crate) fn output(&self, actor: &str, arguments: &[&str]) -> Output {
        Command::new(GAINSAY)
            .current_dir(self.0.path())
            .envs([("GAINSAY_STORE", "store.db"), ("GAINSAY_ACTOR", actor)])
            .env("HOME", self.0.path())
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// What a command answers; it must succeed.
    pub(crate) fn run(&self, actor: &str, arguments: &[&str]) -> String {
        let output = self.output(actor, arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {told}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Whether the chain and every slot hold.
    pub(crate) fn verified(&self) {
        self.run("lee", &["verify"]);
    }

    pub(crate) fn rulings(&self) -> usize {
        let log = self.run("lee", &["log", "--json"]);
        log.matches("\"dana\"").count()
    }

    pub(crate) fn open(&self) -> Pty {
        self.open_with(&[], &[])
    }

    /// The program on the store, with these arguments and these variables too.
    pub(crate) fn open_with(&self, arguments: &[&str], more: &[(&str, &str)]) -> Pty {
        let (store, home) = (self.path("store.db"), self.path(""));
        let mut variables =
            vec![("GAINSAY_STORE", store.as_str()), ("GAINSAY_ACTOR", "dana"), ("HOME", home.as_str())];
        variables.extend(more);
        Pty::start(Path::new(GAINSAY), arguments, &variables, (120, 40))
    }

    /// As a person starts it: from a shell, which then has the terminal again. The settings of the terminal before
    /// and after, the program's number and its exit status are left in files.
    pub(crate) fn in_shell(&self, program: &str, arguments: &str, more: &[(&str, &str)]) -> Pty {
        let script = format!(
            "stty -a >before; sh -c 'echo $$ >pid; exec \"$0\" {arguments}' {program}; echo $? >status; stty -a >after; \
             echo the shell is back"
        );
        let (store, home) = (self.path("store.db"), self.path(""));
        let script = format!("cd '{home}'; {script}");
        let mut variables =
            vec![("GAINSAY_STORE", store.as_str()), ("GAINSAY_ACTOR", "dana"), ("HOME", home.as_str())];
        variables.extend(more);
        Pty::start(Path::new("/bin/sh"), &["-c", &script], &variables, (120, 40))
    }

    pub(crate) fn left(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).unwrap()
    }

    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([format!("-{name}"), self.left("pid").trim().to_owned()]).status();
        assert!(sent.unwrap().success());
    }

    /// The shell has its terminal back as it gave it.
    pub(crate) fn given_back(&self, pty: &mut Pty, how: &str, status: &str) {
        pty.see("the shell is back").ended();
        assert_eq!(self.left("status").trim(), status, "{how}");
        assert_eq!(self.left("after"), self.left("before"), "{how}");
        let window = pty.window();
        let screen = window.screen();
        assert!(!screen.alternate_screen(), "{how}: in the alternate screen");
        assert!(!screen.hide_cursor(), "{how}: the cursor is hidden");
        assert!(!screen.bracketed_paste(), "{how}: pastes are bracketed");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None, "{how}");
    }
}

/// What one user said of an employer twice, on one day: a reviewer may accept either.
pub(crate) fn tie(user: &str) -> [Value; 2] {
    [("1", "Acme s.r.o."), ("2", "Globex GmbH")].map(|(number, value)| {
        json!({
            "id": format!("{user}_{number}"), "subject_id": user, "attribute": "employer", "value": value,
            "source": {"kind": "user_utterance", "turn_id": number}, "observed_at": "2025-10-14",
            "written_at": format!("2025-10-14T09:0{number}:00Z"), "epoch": 7,
            "evidence": format!("I work at {value} now."),
        })
    })
}

pub(crate) fn ties(many: usize) -> Vec<Value> {
    (1..=many).flat_map(|number| tie(&format!("user_{number}"))).collect()
}

#[test]
fn a_pair_is_seen_accepted_and_in_the_store() {
    let desk = Desk::of(&ties(2));
    let mut pty = desk.open();
    pty.see("Acme s.r.o.").see("Globex GmbH").see("employer of user_1").press("b");
    pty.see("accept B of pair 1: ruling").see("u undoes it").see("employer of user_2").press("q").ended();
    let recalled = desk.run("lee", &["recall", "user_1", "employer", "--json"]);
    assert!(recalled.contains("Globex GmbH"), "{recalled}");
    desk.verified();
}

#[test]
fn undo_opens_the_pair_again() {
    let desk = Desk::of(&ties(2));
    let mut pty = desk.open();
    pty.see("employer of user_1").press("a").see("employer of user_2").see("now settled");
    // Keys that write rest for a moment after a ruling; one that is pressed too early says so, and is pressed again.
    std::thread::sleep(Duration::from_millis(300));
    pty.press("u").see("undone: ruling");
    pty.see("employer of user_1").press("q").ended();
    assert_eq!(desk.run("lee", &["queue"]).matches("user_1").count(), 1);
    desk.verified();
}

#[test]
fn a_held_key_rules_on_one_pair_at_most() {
    let desk = Desk::of(&ties(6));
    let mut pty = desk.open();
    pty.see("employer of user_1").press(&"a".repeat(60)).see("accept A of pair 1: ruling");
    pty.press("q").ended();
    assert_eq!(desk.rulings(), 1);
}

#[test]
fn however_it_is_left_the_terminal_is_given_back() {
    let ways = [("q", "0"), ("\u{3}", "0"), ("TERM", "0"), ("HUP", "0"), ("INT", "0")];
    let desks = ways.map(|(way, status)| (way, status, Desk::of(&ties(1))));
    for (way, status, desk) in &desks {
        let mut pty = desk.in_shell(GAINSAY, "", &[]);
        pty.see("employer of user_1");
        {
            let window = pty.window();
            assert!(window.screen().alternate_screen() && window.screen().bracketed_paste());
            assert_eq!(window.screen().mouse_protocol_mode(), vt100::MouseProtocolMode::None, "not asked for");
        }
        if way.len() == 1 {
            pty.press(way);
        } else {
            desk.signal(way);
        }
        desk.given_back(&mut pty, way, status);
    }
}

#[test]
fn a_store_that_cannot_be_opened_leaves_the_terminal_alone() {
    let desk = Desk::of(&[]);
    fs::write(desk.path("store.db"), "this is no database").unwrap();
    let mut pty = desk.in_shell(GAINSAY, "", &[]);
    pty.see("the shell is back").ended();
    assert_ne!(desk.left("status").trim(), "0");
    assert_eq!(desk.left("after"), desk.left("before"));
    assert!(!pty.window().holds(b"\x1b[?1049h"), "{}", pty.window().text());
    assert!(pty.window().text().contains("store.db"), "{}", pty.window().text());
}

#[test]
fn without_a_terminal_it_says_so_in_plain_words() {
    let desk = Desk::of(&ties(1));
    let output = desk.output("dana", &[]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("this is no terminal") && told.contains("gainsay queue"), "{told}");
    assert!(output.stdout.is_empty() && !told.contains('\u{1b}'), "{told}");
}

#[test]
fn another_process_that_rules_on_the_pair_in_view_is_seen_and_a_late_key_is_refused() {
    let desk = Desk::of(&ties(3));
    let mut pty = desk.open();
    pty.see("employer of user_1");
    desk.run("lee", &["accept", "1", "--record", "user_1_2", "--reason", "the contract says so"]);
    pty.see("lee ruled: accept").see("The pair is now settled").press("a").see("lee ruled: accept");
    // The box must be gone before the next key: an escape and a letter in one breath are Alt and that letter.
    pty.press("\u{1b}").see_no("lee ruled: accept").press("q").ended();
    assert_eq!(desk.rulings(), 0);
    desk.verified();
}

#[test]
fn a_dialog_lives_through_every_size() {
    let desk = Desk::of(&ties(2));
    let mut pty = desk.open();
    pty.see("employer of user_1").press("c").see("Note").press("a word").see("a word");
    pty.resize((30, 8)).see_no("employer of user_1").resize((80, 24)).see("a word").resize((50, 30)).see("a word");
    // The wide screen must have been drawn anew: what stood before the resize proves nothing.
    pty.resize((120, 40))
        .see("Queue 1 of 2")
        .see("a word")
        .press("\u{1b}")
        .see("nothing was written")
        .press("q")
        .ended();
    assert_eq!(desk.rulings(), 0);
}

/// What a terminal would act on, each with the letters that follow it.
const PAYLOADS: [&str; 8] = [
    "\u{1b}]0;owned\u{7}",
    "\u{1b}]52;c;b3duZWQ=\u{7}",
    "\u{1b}[2Jwiped",
    "\u{1b}Pqdevice\u{1b}\\",
    "\u{9b}31mred",
    "\u{9d}0;owned\u{9c}",
    "\u{202e}desrever",
    "\u{2066}isolated\u{200b}",
];

/// Every dialog by its key, with what is to be seen of it.
const DIALOGS: [(&str, &str); 12] = [
    ("+", "link: same"),
    ("i", "link: one subject"),
    ("r", "look again: enter"),
    ("w", "withdraw the batch"),
    ("z", "defer a week"),
    ("y", "copy JSON"),
    ("p", "system of record"),
    ("c", "Note"),
    ("f", "does not narrow"),
    ("?", "Keys: j k scroll"),
    (":", "Commands:"),
    ("\r", "j k scroll  Esc back"),
];

#[test]
fn hostile_evidence_reaches_no_terminal() {
    let records: Vec<Value> = PAYLOADS
        .iter()
        .enumerate()
        .flat_map(|(number, payload)| {
            let mut pair = tie(&format!("user_{number}{payload}"));
            for (at, record) in pair.iter_mut().enumerate() {
                record["value"] = json!(format!("{payload}{at}"));
                record["evidence"] = json!(format!("said {payload} and\r\n{payload}"));
                record["source"]["turn_id"] = json!(payload);
                record["source"]["batch"] = json!(format!("batch_{number}{payload}"));
                record["id"] = json!(format!("r{number}{at}"));
            }
            pair
        })
        .collect();
    let desk = Desk::of(&records);
    let mut pty = desk.open();
    for number in 0..PAYLOADS.len() {
        pty.see(&format!("Pair {}  employer of user_", number + 1)).see("<U+").press("j");
    }
    for (key, title) in DIALOGS {
        pty.see("What you may do").press(key).see(title).press("\u{1b}").see_no(title);
    }
    // The other screens, and what each of them shows whole.
    for (key, title) in
        [("2", "The answer there"), ("3", "Batches 1 of 8"), ("4", "Events 1 of"), ("5", "[Policy]")]
    {
        let hostile = if key == "5" { title } else { "<U+" };
        pty.see("What you may do").press(key).see(title).see(hostile).press("\r");
        pty.press("j").press("1").see("Queue 8 of 8");
    }
    pty.see("Queue 8 of 8").press("q").ended();
    let window = pty.window();
    assert_eq!(*window.asked(), Asked::default());
    for payload in PAYLOADS {
        assert!(!window.holds(payload.as_bytes()), "{payload:?} came out raw");
        let first = payload.chars().next().map(|first| first.to_string()).unwrap();
        assert!(first == "\u{1b}" || !window.holds(first.as_bytes()), "{first:?} came out raw");
    }
}

#[test]
fn what_is_found_and_what_is_filtered_is_seen_and_given_back() {
    let desk = Desk::of(&ties(12));
    let mut pty = desk.open();
    pty.see("Queue 1 of 12").press("/").see("find").press("user_11\r").see("Queue 1 of 1").see("showing");
    // What was found stays selected where it stands among all of them.
    pty.see("employer of user_11").press("F").see("Queue 3 of 12");
    pty.press("f").see("Show only").press("\t\t\tuser_7\r\r").see("Queue 1 of 1").see("employer of user_7");
    pty.press("a").see(": ruling 1, now settled").see("The filter hides 11 open pairs").press("F");
    pty.see(" of 11").press("q").ended();
    assert_eq!(desk.rulings(), 1);
    desk.verified();
}

#[test]
fn marked_pairs_are_one_stroke_that_one_key_takes_back() {
    let desk = Desk::of(&ties(3));
    let mut pty = desk.open();
    pty.see("employer of user_1").press(" ").see("1 marked").see("employer of user_2").press(" ").see("2 marked");
    pty.see("employer of user_3")
        .press("a")
        .see("for 2 marked pairs")
        .see("allowed")
        .press("yes\r")
        .see("u undoes");
    pty.see("employer of user_3");
    assert_eq!(desk.run("lee", &["queue"]).matches("employer").count(), 1);
    // Keys that write rest for a moment after a ruling.
    std::thread::sleep(Duration::from_millis(300));
    pty.press("u").see("3 open").press("q").ended();
    assert_eq!(desk.run("lee", &["queue"]).matches("employer").count(), 3);
    desk.verified();
}
