//! The command line without a store: what arguments mean, what people read, what errors say.

use clap::Parser;
use gainsay::cli::output::{self, Cell, Page, Style, Tone};
use gainsay::cli::{Arguments, Command, answer, manual, queue, show};
use gainsay::core::consequence::Consequence;
use gainsay::core::examine::examine;
use gainsay::core::identity::SameSubject;
use gainsay::core::order::{Order, Outcome, Refusal, Scope, SlotAnswer, Withdrawn};
use gainsay::core::pair::{Entry, JudgedRecord, Known, Pair, PairState, RecordState, Revision, Tally};
use gainsay::core::permit::{Quarantined, permitted};
use gainsay::core::record::{Attribute, Batch, Record, RecordId, Subject};
use gainsay::core::ruling::{PairId, RulingId, WithdrawReason};
use gainsay::core::settle::Status;
use gainsay::core::time::Instant;
use gainsay::error::{Error, Kind};
use gainsay::wire::{Defaults, Fault, Position, json, policy, records};
use serde_json::json;

fn at(text: &str) -> Instant {
    text.parse().expect("a time")
}

fn now() -> Instant {
    at("2025-11-10T12:00:00Z")
}

fn parsed(line: &str) -> Command {
    let words = line.split(' ').map(|word| word.replace('~', " "));
    let arguments = Arguments::try_parse_from(std::iter::once("gainsay".to_owned()).chain(words));
    arguments.unwrap_or_else(|error| panic!("{line}: {error}")).command.expect("a command")
}

/// The first line of the usage error.
fn refused(line: &str) -> String {
    let words = std::iter::once("gainsay").chain(line.split(' '));
    let error = Arguments::try_parse_from(words).err().unwrap_or_else(|| panic!("{line} was taken"));
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

#[expect(clippy::wildcard_enum_match_arm, reason = "a command that is no ruling fails the test, whichever it is")]
fn order(line: &str) -> Order {
    match parsed(line) {
        Command::Accept(accept) => accept.order(),
        Command::Link(link) => link.order().expect("an order"),
        Command::Reobserve(reobserve) => reobserve.order().unwrap(),
        Command::Rederive(rederive) => rederive.order().expect("an order"),
        Command::Withdraw(withdraw) => withdraw.order().expect("an order"),
        Command::Undo(undo) => undo.order(),
        Command::Dispute(dispute) => dispute.order(),
        other => panic!("{other:?} is no ruling"),
    }
}

#[test]
fn the_lines_of_the_interface_are_orders() {
    let (pair, id) = (PairId(1), RecordId::from);
    let accept = Order::Accept { pair, winner: id("a"), recency_override: true, reason: "-1 is old".to_owned() };
    assert_eq!(order("accept 1 --record a --override recency --reason -1~is~old"), accept);
    let both = |scope| Order::LinkBothTrue { pair, scope, reason: "r".to_owned() };
    assert_eq!(order("link 1 --as both-true --reason r"), both(Scope::Slot));
    assert_eq!(order("link 1 --as both-true --reason r --scope attribute"), both(Scope::Attribute));
    assert_eq!(order("reobserve 1"), Order::Request { pair });
    let withdrawn = |what| Order::Withdraw { what, why: WithdrawReason::BadBatch, note: None };
    assert_eq!(order("withdraw --batch b --reason bad_batch"), withdrawn(Withdrawn::Batch(Batch::from("b"))));
    assert_eq!(order("withdraw --record a --reason bad_batch --dry-run"), withdrawn(Withdrawn::Record(id("a"))));
    let chosen = ["source.kind=crm_import", "written_at>=2025-11-01"].map(|text| text.parse().unwrap()).to_vec();
    let said = "withdraw --where source.kind=crm_import --where written_at>=2025-11-01 --reason bad_batch";
    assert_eq!(order(said), withdrawn(Withdrawn::Where(chosen)));
    assert_eq!(order("undo"), Order::Undo { ruling: None });
    assert_eq!(order("undo 4"), Order::Undo { ruling: Some(RulingId(4)) });
}

#[test]
fn a_typed_value_is_json_where_it_reads_as_json() {
    for (typed, value) in [
        ("5", json!(5)),
        ("-5", json!(-5)),
        ("\"5\"", json!("5")),
        ("5s", json!("5s")),
        ("007", json!("007")),
        ("true", json!(true)),
        ("[1]", json!([1])),
        ("Lisbon", json!("Lisbon")),
    ] {
        let line = format!("reobserve 1 --value {typed} --epoch 1 --source k --evidence e --observed-at 2025");
        let Order::Reobserve { seen, .. } = order(&line) else { panic!("{line} is no answer") };
        assert_eq!(seen.value, value, "{typed}");
    }
}

#[test]
fn a_wrong_argument_is_told_with_what_was_expected() {
    for (line, sentence) in [
        ("show x", "error: invalid value 'x' for '<PAIR>': a pair is a number, as `gainsay queue` shows it"),
        ("accept 1 --record a --reason ", "error: invalid value '' for '--reason <TEXT>': it is empty"),
        (
            "import f --epoch -1",
            "error: invalid value '-1' for '--epoch <N>': an epoch is a whole number, 0 or more",
        ),
        (
            "recall s --believed-at 2025-11-10T12:00",
            "error: invalid value '2025-11-10T12:00' for '--believed-at <T>': the time \"2025-11-10T12:00\" has no offset: add one (2025-10-14T09:31:00Z, 2025-10-14T09:31:00+02:00)",
        ),
        ("withdraw --reason test", "error: the following required arguments were not provided:"),
        (
            "withdraw --record a --batch b --reason test",
            "error: the argument '--record <ID>' cannot be used with '--batch <ID>'",
        ),
        ("policy declare a", "error: the following required arguments were not provided:"),
        ("reobserve 1 --value 5", "error: the following required arguments were not provided:"),
        (
            "reobserve 1 --value {\"a\": --epoch 1 --source k --evidence e",
            "error: invalid value '{\"a\":' for '--value <V>': it ends in the middle of the JSON; expected the rest of it (was it cut off?)",
        ),
        ("reobserve 1 --value null", "error: invalid value 'null' for '--value <V>': a value is any JSON but null"),
        ("policy declare a --authority user,king", "error: invalid value 'king' for '--authority <A,B,..>'"),
        (
            "defer 1 --until soon",
            "error: invalid value 'soon' for '--until <T>': \"soon\" is no time: RFC 3339 with an offset (2025-10-14T09:31:00Z), or YYYY, YYYY-MM, YYYY-MM-DD is expected; or a length of time: 90d, 2w, 12h, 30m or 45s",
        ),
    ] {
        assert_eq!(refused(line), sentence, "{line}");
    }
}

#[test]
fn an_option_of_another_way_of_linking_is_not_lost() {
    let Command::Link(link) = parsed("link 1 --as same --reason r --cause deploy") else { panic!("no link") };
    assert_eq!(
        link.order().map_err(|error| (error.kind, error.message)),
        Err((Kind::Usage, "--cause belongs to --as across-epochs".to_owned()))
    );
    let Command::Import(import) = parsed("import f --rejects r") else { panic!("no import") };
    assert_eq!(import.rejects().map_err(|error| error.kind), Err(Kind::Usage));
}

#[test]
fn a_deferral_counts_from_now() {
    for (typed, until) in [
        ("defer 1", "2025-11-11T12:00:00Z"),
        ("defer 1 --until 12h", "2025-11-11T00:00:00Z"),
        ("defer 1 --until 2025-12-24", "2025-12-24T00:00:00Z"),
    ] {
        let Command::Defer(defer) = parsed(typed) else { panic!("no deferral") };
        assert_eq!(defer.until.from(now()), at(until), "{typed}");
    }
}

#[test]
fn every_command_has_help_a_page_and_completions() {
    use clap::CommandFactory;
    Arguments::command().debug_assert();
    for command in Arguments::command().get_subcommands() {
        assert!(command.get_about().is_some(), "{}", command.get_name());
        let page = manual::Man { command: Some(command.get_name().to_owned()) }.page().expect("a page");
        assert!(page.contains(&format!("gainsay\\-{}", command.get_name())), "{}", command.get_name());
    }
    let script = manual::Completions { shell: clap_complete::Shell::Bash }.script();
    assert!(script.contains("across-epochs") && script.contains("bad_batch"));
}

#[test]
fn an_error_says_whose_fault_it_is_and_what_to_do() {
    let fault = Fault::new(Position { line: 2, column: 9 }, "it is \u{1b}[2J null", "a text").about("id");
    let error = Error::in_file("bad\u{7}.jsonl", &fault);
    assert_eq!(error.to_string(), "bad<U+0007>.jsonl:2:9: id: it is <U+001B>[2J null; expected a text");
    assert_eq!(
        error.to_json(),
        json!({"error": {"kind": "input", "message": "id: it is \u{1b}[2J null; expected a text", "file": "bad\u{7}.jsonl", "line": 2, "column": 9, "key": "id", "expected": "a text"}})
    );
    let refusal = Refusal::NotPermitted {
        action: "accept",
        because: "x".to_owned(),
        permitted: vec!["reobserve".to_owned()],
    };
    let error = Error::from(refusal);
    assert_eq!((error.exit_code(), error.more()), (1, vec!["permitted: reobserve".to_owned()]));
    let missing = Error::from(Refusal::Missing { what: "pair", id: "9".to_owned() });
    assert_eq!((missing.exit_code(), missing.to_string()), (2, "there is no pair 9".to_owned()));
    let gone = Error::unwritten("standard output", &std::io::ErrorKind::BrokenPipe.into());
    assert_eq!(gone.exit_code(), 0);
}

#[test]
fn json_for_scripts_holds_nothing_that_a_terminal_acts_on() {
    let hostile = json!({"a": "\u{1b}]0;x\u{7}\u{9b}2J\u{202e}\u{200b}\u{7f}\u{e0041}é東"});
    let line = output::json_line(&hostile);
    assert_eq!(line, "{\"a\":\"\\u001b]0;x\\u0007\\u009b2J\\u202e\\u200b\\u007f\\udb40\\udc41é東\"}");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&line).expect("JSON"), hostile);
}

#[test]
fn a_table_gives_way_where_it_is_widest() {
    let style = Style { colour: false, width: Some(32) };
    let mut page = Page::new(style);
    let rows = [
        vec![Cell::plain("1"), Cell::plain("東京"), Cell::plain("a sentence that is far too long")],
        vec![Cell::plain("22"), Cell::new(Tone::Bad, "\u{1b}[2J"), Cell::plain("short")],
    ];
    page.table(&["no", "value", "words"], &rows);
    assert_eq!(
        page.text(),
        "no  value        words\n1   東京         a sentence that\n                 is far too long\n22  <U+001B>[2J  short\n"
    );
    assert!(page.text().lines().all(|line| unicode_width::UnicodeWidthStr::width(line) <= 32));
}

#[test]
fn a_list_is_clipped_and_what_must_be_read_is_not() {
    const LONG: &str = "春はあけぼの。やうやう白くなりゆく山ぎは、すこしあかりて、紫だちたる";
    let style = Style { colour: false, width: Some(30) };
    let rows = [vec![Cell::plain("mem_0123456"), Cell::plain(LONG)]];
    let set = |whole: bool| {
        let mut page = Page::new(style);
        if whole {
            page.whole_table(&["id", "says"], &rows)
        } else {
            page.table(&["id", "says"], &rows)
        };
        page.text().to_owned()
    };
    assert_eq!(
        set(false),
        "id           says\n\
         mem_0123456  春はあけぼの。や\n             うやう白くなりゆ\n             く山ぎは、すこし…\n"
    );
    assert!(!set(true).contains('…'));
    let letters = |text: &str| text.chars().filter(|letter| *letter > '\u{3000}').count();
    assert_eq!(letters(&set(true)), letters(LONG));
    for text in [set(false), set(true)] {
        assert!(text.lines().all(|line| unicode_width::UnicodeWidthStr::width(line) <= 30), "{text}");
    }
}

#[test]
fn a_table_that_is_too_wide_for_the_terminal_is_set_by_rows() {
    let style = Style { colour: false, width: Some(24) };
    let mut page = Page::new(style);
    let row = |id: &str| {
        let cells = ["東京", "a sentence that is too long", "contested", "12 d ago"];
        std::iter::once(id).chain(cells).map(Cell::plain).collect::<Vec<_>>()
    };
    page.table(&["pair", "A", "B", "state", "opened"], &[row("1"), row("12345678901")]);
    assert_eq!(
        page.text(),
        "pair    1\nA       東京\nB       a sentence that\n        is too long\nstate   contested\nopened  12 d ago\n\n\
         pair    12345678901\nA       東京\nB       a sentence that\n        is too long\nstate   contested\nopened  12 d ago\n\n"
    );
    let mut page = Page::new(style);
    page.table(&[""; 5], &[row("1")]);
    assert_eq!(page.text(), "1\n  東京\n  a sentence that is too\n  long\n  contested\n  12 d ago\n\n");
}

const WARRANTY: &str = r#"
{"id": "mem_c93e", "subject_id": "user_31882", "attribute": "home_city", "value": "Lisbon", "source": {"kind": "user_utterance", "channel": "chat", "turn_id": "t_77120"}, "observed_at": "2025-10-14T09:31:00Z", "written_at": "2025-10-14T09:31:04Z", "confidence": 0.91, "evidence": "I moved to Lisbon last month, so update my shipping address."}
{"id": "mem_4a1f", "subject_id": "user_31882", "attribute": "home_city", "value": "Berlin", "source": {"kind": "crm_import", "batch": "sf_backfill_2025_11", "record": "0031x9"}, "observed_at": "2023-03-02T00:00:00Z", "written_at": "2025-11-02T04:12:55Z", "confidence": 0.6, "evidence": "\u001b]0;owned\u0007 \u202egnirts"}
"#;

fn read(text: &str) -> Vec<Record> {
    let defaults = Defaults { now: now(), batch: Batch::from("import"), epoch: None, zone: None };
    records(text.as_bytes(), defaults).map(|read| read.expect("no failure").1.expect("a record").record).collect()
}

fn warranty() -> Pair {
    let policy = policy::read(policy::SHIPPED).expect("the shipped policy");
    let [left, right]: [Record; 2] = read(WARRANTY).try_into().expect("two records");
    let rules = policy.rules(&left.subject, &Attribute::from("home_city"));
    let examination = examine(&left, &right, &rules, &SameSubject::SameName);
    let gainsay::core::examine::Finding::Quarantine(grounds) = examination.finding.clone() else {
        panic!("no quarantine")
    };
    let quarantined = Quarantined {
        left: &left,
        right: &right,
        rules: &rules,
        examination: &examination,
        grounds: &grounds,
        settled: false,
    };
    let permitted = permitted(quarantined);
    let judged = |record: &Record| JudgedRecord {
        record: record.clone(),
        class: policy.class_of(record),
        lacks: record.lacks(),
        state: Some(RecordState::Contested),
        superseded_by: None,
    };
    let entry = Entry {
        pair: PairId(1),
        state: PairState::Open,
        subject: left.subject.clone(),
        attribute: Attribute::from("home_city"),
        grounds,
        records: [left.id.clone(), right.id.clone()],
        values: [left.value.clone(), right.value.clone()],
        opened_at: at("2025-11-07T12:00:00Z"),
        deferred_until: None,
    };
    Pair {
        entry,
        left: judged(&left),
        right: judged(&right),
        rules,
        examination,
        permitted,
        shared: Vec::new(),
        known: Known::default(),
        contenders: 2,
        request: None,
        fell_short: Vec::new(),
        ruled: None,
        tallies: [Tally { won: 3, lost: 1 }, Tally::default()],
        revision: Revision(1),
    }
}

#[test]
fn a_pair_reads_side_by_side() {
    insta::assert_snapshot!("pair", show::render(&warranty(), now(), Style { colour: false, width: Some(100) }));
    let coloured = show::render(&warranty(), now(), Style { colour: true, width: Some(60) });
    let raw: Vec<&str> = coloured.split("\u{1b}[").skip(1).collect();
    assert!(raw.iter().all(|code| {
        code.split_once('m').is_some_and(|(digits, _)| digits.bytes().all(|digit| digit.is_ascii_digit()))
    }));
    assert!(!coloured.contains(['\u{7}', '\u{202e}']) && !coloured.contains("\u{1b}]"));
}

#[test]
fn the_queue_is_a_table_and_says_when_it_is_empty() {
    let mut twins = warranty().entry;
    twins.values = [json!(5), json!("5")];
    let shown = queue::render(&[warranty().entry, twins], now(), Style::PLAIN);
    insta::assert_snapshot!("queue", shown);
    assert_eq!(queue::render(&[], now(), Style::PLAIN), "nothing waits here\n");
}

#[test]
fn a_ruling_is_answered_in_a_few_lines() {
    let outcome = Outcome {
        ruling: RulingId(7),
        action: "accept".to_owned(),
        pair: Some(PairId(1)),
        pair_state: Some(PairState::Settled),
        slot: Some(SlotAnswer {
            subject: Subject::from("user_31882"),
            attribute: Attribute::from("home_city"),
            status: Status::Settled,
            value: Some(json!("Lisbon")),
        }),
        opened: vec![],
        closed: vec![PairId(1)],
        records: 0,
        slots: 1,
        values_changed: 0,
        values_gone: 0,
        resting: 0,
        undid: None,
        rulings: 1,
        consequence: Consequence::default(),
    };
    let lines = "ruling 7: accept, pair 1 is settled\nuser_31882 home_city is settled Lisbon\nclosed 1 pair: 1\ntake it back with `gainsay undo 7`\n";
    assert_eq!(answer::render(&outcome, Style::PLAIN), lines);
    let expected = json!({"ruling": 7, "pair": 1, "action": "accept", "pair_state": "settled", "slot": {"subject": "user_31882", "attribute": "home_city", "status": "settled", "value": "Lisbon"}, "opened": [], "closed": [1], "pairs_opened": 0, "pairs_closed": 1, "records": 0, "slots": 1, "values_changed": 0, "values_gone": 0, "rulings_resting": 0, "undid": null});
    assert_eq!(json::outcome(&outcome), expected);
}

#[test]
fn a_pair_goes_out_with_everything_that_the_interface_names() {
    let out = json::pair(&warranty());
    for (pointer, value) in [
        ("/pair", json!(1)),
        ("/state", json!("open")),
        ("/grounds", json!(["missing_provenance"])),
        ("/records", json!(["mem_c93e", "mem_4a1f"])),
        ("/values", json!(["Lisbon", "Berlin"])),
        ("/left/source/turn_id", json!("t_77120")),
        ("/left/anchored", json!(false)),
        ("/left/class", json!("user")),
        ("/right/class", json!("third_party")),
        ("/right/observed_at", json!("2023-03-02T00:00:00Z")),
        ("/finding", json!("quarantine")),
        ("/checklist/0", json!({"condition": "subject", "state": "met", "detail": "both are about user_31882"})),
        ("/checklist/1/state", json!("failed")),
        ("/checklist/2/state", json!("n/a")),
        ("/permitted/0/action", json!("accept")),
        ("/permitted/0/record", json!("mem_c93e")),
        ("/permitted/0/permitted", json!(false)),
        (
            "/permitted/7",
            json!({"action": "reobserve", "record": null, "permitted": true, "needs": null, "because": null}),
        ),
        ("/contenders", json!(2)),
    ] {
        assert_eq!(out.pointer(pointer), Some(&value), "{pointer}");
    }
}
