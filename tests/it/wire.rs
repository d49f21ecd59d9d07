//! What comes in and goes out: every rule of INTERFACE 2 with the place and the words of its error.

use std::io::{self, BufReader, Read};

use gainsay::core::notice::Notice;
use gainsay::core::pair::JudgedRecord;
use gainsay::core::policy::{AttributePolicy, Cardinality, Declaration};
use gainsay::core::record::{Attribute, Batch, Epoch, Record, RecordId, SourceClass, Subject};
use gainsay::core::ruling::{AliasVerdict, Between, Decision, RequestId, RulingId, WithdrawReason};
use gainsay::core::time::Instant;
use gainsay::wire::elements::LONGEST;
use gainsay::wire::{Defaults, Element, Elements, Fault, Incoming, json, policy, records, ruling};
use proptest::prelude::*;
use serde_json::{Value, json};

const NOW: &str = "2025-11-10T12:00:00Z";

fn at(text: &str) -> Instant {
    text.parse().expect("a time")
}

fn defaults() -> Defaults {
    Defaults { now: at(NOW), batch: Batch::from("the-import"), epoch: None, zone: None }
}

fn lisbon_time() -> Defaults {
    Defaults { zone: Some(chrono_tz::Europe::Lisbon), ..defaults() }
}

fn read_with(defaults: Defaults, text: &str) -> Result<Incoming, Fault> {
    let mut all = records(text.as_bytes(), defaults);
    all.next().expect("an element").expect("a reader that does not fail").1
}

fn taken(text: &str) -> Incoming {
    read_with(defaults(), text).unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

fn record(text: &str) -> Record {
    taken(text).record
}

/// `line:column: sentence`, as a person would see it.
fn told(fault: &Fault) -> String {
    format!("{}:{}: {fault}", fault.at.line, fault.at.column)
}

fn refused(text: &str) -> String {
    match read_with(defaults(), text) {
        Ok(incoming) => panic!("{text} was taken: {incoming:?}"),
        Err(fault) => told(&fault),
    }
}

/// Each element as its bytes, or `line:column: sentence`.
fn cut(bytes: &[u8]) -> Vec<String> {
    Elements::new(bytes).map(|element| shown(&element.expect("a reader that does not fail"))).collect()
}

fn shown(element: &Element) -> String {
    match &element.fault {
        Some(fault) => told(fault),
        None => String::from_utf8_lossy(&element.bytes).into_owned(),
    }
}

/// A record with one more key.
fn with(more: &str) -> String {
    format!(r#"{{"subject_id": "u", "attribute": "a", "value": 1, {more}}}"#)
}

const WARRANTY: &str = r#"{"id": "mem_c93e", "subject_id": "user_31882", "attribute": "home_city", "value": "Lisbon", "op": "assert", "source": {"kind": "user_utterance", "class": "user", "channel": "chat", "turn_id": "t_77120", "batch": null, "record": null}, "observed_at": "2025-10-14T09:31:00Z", "written_at": "2025-10-14T09:31:04Z", "epoch": 3, "confidence": 0.91, "evidence": "I moved to Lisbon last month, so update my shipping address."}"#;

#[test]
fn the_record_of_the_interface_comes_in_whole() {
    let incoming = taken(WARRANTY);
    let record = &incoming.record;
    assert_eq!(record.id, RecordId::from("mem_c93e"));
    assert_eq!(record.subject, Subject::from("user_31882"));
    assert_eq!(record.attribute, Some(Attribute::from("home_city")));
    assert_eq!(record.value, json!("Lisbon"));
    let source = record.source.as_ref().expect("a source");
    assert_eq!(source.kind.as_ref().map(|kind| kind.as_str()), Some("user_utterance"));
    assert_eq!(source.class, Some(SourceClass::User));
    assert_eq!(
        source.fields.keys().collect::<Vec<_>>(),
        ["kind", "class", "channel", "turn_id", "batch", "record"]
    );
    assert_eq!(record.written_at, at("2025-10-14T09:31:04Z"));
    assert_eq!((record.epoch, record.confidence), (Some(Epoch(3)), Some(0.91)));
    assert_eq!(record.batch, Batch::from("the-import"));
    assert!(record.is_anchored() && incoming.written_at_stated && incoming.left_out.is_empty());
}

#[test]
fn what_is_silent_or_null_is_lacking_and_nothing_is_made_up() {
    for text in [
        r#"{"subject": "u", "attribute": null, "value": false}"#,
        r#"{"subject": "u", "value": false, "id": null, "op": null, "source": null, "source_class": null,
            "observed_at": null, "written_at": null, "epoch": null, "confidence": null, "evidence": null,
            "answers": null, "derived_from": null, "batch": null}"#,
    ] {
        let incoming = taken(&text.replace('\n', " "));
        let record = incoming.record;
        assert_eq!((record.attribute, record.source, record.observed_at), (None, None, None));
        assert_eq!((record.epoch, record.confidence, record.evidence), (None, None, None));
        assert_eq!((record.written_at, incoming.written_at_stated), (at(NOW), false));
    }
}

#[test]
fn times_are_read_in_every_form_that_is_promised() {
    for (given, read) in [
        (r#""2025-10-14T09:31:00Z""#, "2025-10-14T09:31:00Z"),
        (r#""2025-10-14T11:31:00+02:00""#, "2025-10-14T09:31:00Z"),
        (r#""2025-10-14 09:31:00+00""#, "2025-10-14T09:31:00Z"),
        (r#""2025-10-14 09:31:00.250+0000""#, "2025-10-14T09:31:00.250Z"),
        (r#""1994""#, "1994"),
        (r#""1994-05""#, "1994-05"),
        (r#""1994-05-02""#, "1994-05-02"),
        ("1760434260", "2025-10-14T09:31:00Z"),
        ("1760434260250", "2025-10-14T09:31:00.250Z"),
        ("-1", "1969-12-31T23:59:59Z"),
    ] {
        let record = record(&with(&format!(r#""observed_at": {given}"#)));
        assert_eq!(record.observed_at.map(|at| at.to_string()).as_deref(), Some(read), "{given}");
    }
}

#[test]
fn a_local_time_is_read_in_the_zone_that_is_named_and_only_where_it_happened_once() {
    let read = |text: &str| read_with(lisbon_time(), &with(&format!(r#""observed_at": "{text}""#)));
    let summer = read("2025-07-01T10:00:00").expect("a summer time").record;
    assert_eq!(summer.observed_at.map(|at| at.to_string()).as_deref(), Some("2025-07-01T09:00:00Z"));
    let stated = read("2025-07-01T10:00:00+05:00").expect("an offset of its own").record;
    assert_eq!(stated.observed_at.map(|at| at.to_string()).as_deref(), Some("2025-07-01T05:00:00Z"));
    for (text, sentence) in [
        (
            "2025-10-26T01:30:00",
            "observed_at: 2025-10-26 01:30:00 happened twice in Europe/Lisbon, as the clocks were set back: write it with its offset (+01:00 or +00:00)",
        ),
        (
            "2025-03-30T01:30:00",
            "observed_at: 2025-03-30 01:30:00 never happened in Europe/Lisbon, as the clocks were set forward: write it with its offset",
        ),
    ] {
        assert_eq!(read(text).map_err(|fault| fault.to_string()).err().as_deref(), Some(sentence));
    }
}

#[test]
fn a_day_of_writing_counts_from_its_last_moment() {
    let incoming = taken(&with(r#""written_at": "2025-10-14", "observed_at": "2025-10-14T09:31:00Z""#));
    assert_eq!(incoming.record.written_at, at("2025-10-14T23:59:59.999999999Z"));
    assert!(incoming.written_at_stated);
}

const BROKEN_RULES: &[(&str, &str)] = &[
    (
        r#"{"subject_id": "u", "attribute": "a"}"#,
        "1:1: value: it is missing; expected what the record claims: any JSON but null",
    ),
    (
        r#"{"attribute": "a", "value": 1}"#,
        "1:1: subject_id: it is missing; expected whom or what the record is about",
    ),
    (
        r#"{"subject_id": "u", "value": null}"#,
        "1:30: value: it is null; expected what the record claims: any JSON but null",
    ),
    (r#"{"subject_id": " ", "value": 1}"#, "1:16: subject_id: it is empty; expected a text with a name in it"),
    (r#"{"subject_id": 7, "value": 1}"#, "1:16: subject_id: it is a number; expected a text"),
    (
        r#"{"subject_id": "u", "subject": "v", "value": 1}"#,
        r#"1:32: subject: it differs from subject_id, "u"; expected one subject"#,
    ),
    (
        r#"{"subject_id": "u", "attribute": "", "value": 1}"#,
        "1:34: attribute: it is empty; expected a text with a name in it",
    ),
    (r#"{"subject_id": "u", "value": 1, "id": 12}"#, "1:39: id: it is a number; expected a text"),
    (
        r#"{"subject_id": "u", "value": 1, "op": "delete"}"#,
        r#"1:39: op: "delete" is no op; expected assert or retract"#,
    ),
    (
        r#"{"subject_id": "u", "value": 1, "epoch": -1}"#,
        "1:42: epoch: -1 is below 0; expected a whole number, 0 or more",
    ),
    (
        r#"{"subject_id": "u", "value": 1, "epoch": 3.0}"#,
        "1:42: epoch: 3.0 is no whole number; expected a whole number, 0 or more",
    ),
    (
        r#"{"subject_id": "u", "value": 1, "epoch": "3"}"#,
        "1:42: epoch: it is a text; expected a whole number, 0 or more",
    ),
    (
        r#"{"subject_id": "u", "value": 1, "epoch": 99999999999999999999}"#,
        "1:42: epoch: 99999999999999999999 lies out of range; expected a whole number, 0 or more",
    ),
    (
        r#"{"subject_id": "u", "value": 1, "confidence": 1.2}"#,
        "1:47: confidence: 1.2 lies outside of 0 to 1; expected a number from 0 to 1",
    ),
    (
        r#"{"subject_id": "u", "value": 1, "confidence": "0.9"}"#,
        "1:47: confidence: it is a text; expected a number from 0 to 1",
    ),
    (r#"{"subject_id": "u", "value": 1, "evidence": ["a"]}"#, "1:45: evidence: it is a list; expected a text"),
    (
        r#"{"subject_id": "u", "value": 1, "answers": "soon"}"#,
        r#"1:44: answers: "soon" is no request; expected the number of a request"#,
    ),
    (
        r#"{"subject_id": "u", "value": 1, "source": 4}"#,
        "1:43: source: it is a number; expected an object with a kind, or a text: the kind",
    ),
    (
        r#"{"subject_id": "u", "value": 1, "source": {"kind": ""}}"#,
        "1:52: source.kind: it is empty; expected a text with a name in it",
    ),
    (
        r#"{"subject_id": "u", "value": 1, "source": {"class": "boss"}}"#,
        r#"1:53: source.class: "boss" is no source class; expected observation, user, inference, third_party"#,
    ),
    (
        r#"{"subject_id": "u", "value": 1, "source": {"batch": 5}}"#,
        "1:53: source.batch: it is a number; expected a text",
    ),
    (
        r#"{"subject_id": "u", "value": 1, "source": {"class": "user"}, "source_class": "inference"}"#,
        "1:78: source_class: it differs from source.class, user; expected one class",
    ),
    (
        r#"{"subject_id": "u", "value": 1, "observed_at": true}"#,
        "1:48: observed_at: it is true or false; expected a time with an offset (2025-10-14T09:31:00Z), a day, month or year, or seconds since 1970",
    ),
    (
        r#"{"subject_id": "u", "value": 1, "observed_at": 1.5}"#,
        "1:48: observed_at: it is no whole number; expected a time with an offset (2025-10-14T09:31:00Z), a day, month or year, or seconds since 1970",
    ),
    (
        r#"{"subject_id": "u", "value": 1, "observed_at": "2025-10-14T09:31:00"}"#,
        r#"1:48: observed_at: the time "2025-10-14T09:31:00" has no offset: add one (2025-10-14T09:31:00Z, 2025-10-14T09:31:00+02:00), or name its zone (--tz Europe/Lisbon)"#,
    ),
    (
        r#"{"subject_id": "u", "value": 1, "observed_at": "yesterday"}"#,
        r#"1:48: observed_at: "yesterday" is no time: RFC 3339 with an offset (2025-10-14T09:31:00Z), or YYYY, YYYY-MM, YYYY-MM-DD is expected"#,
    ),
    (
        r#"{"subject_id": "u", "value": 1, "observed_at": -9223372036854775808}"#,
        "1:48: observed_at: the time -9223372036854775808 lies outside the years 0000 to 9999; expected a time with an offset (2025-10-14T09:31:00Z), a day, month or year, or seconds since 1970",
    ),
];

#[test]
fn each_broken_rule_has_its_place_and_its_words() {
    for (text, sentence) in BROKEN_RULES {
        assert_eq!(&refused(text), sentence, "{text}");
    }
}

#[test]
fn what_is_no_json_object_is_refused_where_it_goes_wrong() {
    let deep = format!(r#"{{"subject_id": "u", "value": {}1{}}}"#, "[".repeat(101), "]".repeat(101));
    let lines = [
        (
            r#"{"subject_id": "u", "value": 1"#,
            "1:31: it ends in the middle of the JSON; expected the rest of it (was it cut off?)",
        ),
        (r#"{"subject_id": "u", "value": 1,}"#, "1:32: not JSON: trailing comma"),
        (
            r#"{"subject_id": "u", "value": 1} {"subject_id": "v", "value": 2}"#,
            "1:33: not JSON: trailing characters",
        ),
        (r#"{"subject_id": "u", "value": nope}"#, "1:31: not JSON: expected ident"),
        (r#"{"subject_id": "u", "value": NaN}"#, "1:30: not JSON: expected value"),
        (r#"{"subject_id": "u", "value": 01}"#, "1:31: not JSON: invalid number"),
        (r#"{"subject_id": "u", "value": "\ud800"}"#, "1:37: value: not JSON: unexpected end of hex escape"),
        (r#"{"subject_id": "u", "value": "\x"}"#, "1:32: not JSON: invalid escape"),
        (
            "{\"subject_id\": \"u\tv\", \"value\": 1}",
            "1:18: not JSON: control character (\\u0000-\\u001F) found while parsing a string",
        ),
        ("nope", "1:2: not JSON: expected ident"),
        ("42", "1:1: it is a number; expected a record: an object with subject_id, attribute and value"),
        (r#""text""#, "1:1: it is a text; expected a record: an object with subject_id, attribute and value"),
        (deep.as_str(), "1:130: value: it is nested too deeply; expected at most 100 brackets inside each other"),
    ];
    for (text, sentence) in lines {
        assert_eq!(&refused(text), sentence, "{text}");
    }
}

#[test]
fn a_key_that_occurs_twice_is_refused_at_every_depth() {
    let lines = [
        (
            r#"{"subject_id": "u", "value": 1, "value": 2}"#,
            "1:33: value: this key occurs twice; expected each key once",
        ),
        (
            r#"{"subject_id": "u", "value": {"a": [{"b\"": 1, "b\u0022" : 2}]}}"#,
            "1:48: b\": this key occurs twice; expected each key once",
        ),
        (
            r#"{"subject_id": "u", "value": 1, "source": {"kind": "k", "kind": "k"}}"#,
            "1:57: kind: this key occurs twice; expected each key once",
        ),
        (
            r#"{"subject_id": "u", "value": 1, "tags": {"x": 1, "x": 2}}"#,
            "1:50: x: this key occurs twice; expected each key once",
        ),
        (
            r#"{"subject_id": "u", "value": {"$serde_json::private::Number": "1"}}"#,
            "1:31: $serde_json::private::Number: this key cannot be kept; expected another key (it is reserved)",
        ),
    ];
    for (text, sentence) in lines {
        assert_eq!(&refused(text), sentence, "{text}");
    }
}

#[test]
fn a_column_counts_characters() {
    assert_eq!(
        refused(r#"{"subject_id": "Zoë 東京", "value": 1, "epoch": -1}"#),
        "1:47: epoch: -1 is below 0; expected a whole number, 0 or more"
    );
    let mut bytes = "{\"subject_id\": \"é".as_bytes().to_vec();
    bytes.extend([0xE9, b'"']);
    let (_, fault) = records(bytes.as_slice(), defaults()).next().expect("an element").expect("no failure");
    assert_eq!(
        fault.as_ref().map_err(told).err().as_deref(),
        Some("1:18: the byte 0xE9 is not UTF-8; expected UTF-8")
    );
    let (_, fault) =
        records([0xFF, 0xFE, b'{', 0].as_slice(), defaults()).next().expect("an element").expect("none");
    let told = fault.as_ref().map_err(told).err();
    assert_eq!(
        told.as_deref(),
        Some("1:1: the byte 0xFF is not UTF-8; expected UTF-8 (this looks like UTF-16: convert it)")
    );
}

#[test]
fn an_unknown_key_is_left_out_and_named_and_one_of_ours_comes_back_in_silence() {
    let incoming = taken(&with(r#""observedAt": "2025", "class": "user""#));
    assert_eq!(incoming.left_out, ["observedAt", "class"]);
    let ours =
        r#""class": "user", "anchored": true, "recorded_at": "2025", "state": "live", "superseded_by": null"#;
    assert!(taken(&with(ours)).left_out.is_empty());
}

#[test]
fn a_source_may_be_its_kind_and_its_class_may_stand_beside_it() {
    let source = |more: &str| record(&with(more)).source.expect("a source");
    assert_eq!(json!(source(r#""source": "crm_import""#).fields), json!({"kind": "crm_import"}));
    let classed = source(r#""source": "probe", "source_class": "observation""#);
    assert_eq!(classed.class, Some(SourceClass::Observation));
    assert_eq!(json!(classed.fields), json!({"kind": "probe", "class": "observation"}));
    let alone = source(r#""source_class": "user""#);
    assert_eq!((alone.kind, alone.class), (None, Some(SourceClass::User)));
}

#[test]
fn the_epoch_of_the_import_stamps_what_has_none_and_says_so() {
    let stamping = || Defaults { epoch: Some(Epoch(3)), ..defaults() };
    let stamped = read_with(stamping(), &with(r#""source": "crm_import""#)).expect("a record").record;
    assert_eq!(stamped.epoch, Some(Epoch(3)));
    assert_eq!(
        stamped.source.map(|source| json!(source.fields)),
        Some(json!({"kind": "crm_import", "epoch_stamped": 3}))
    );
    let own = read_with(stamping(), &with(r#""source": "crm_import", "epoch": 1"#)).expect("a record").record;
    assert_eq!(own.epoch, Some(Epoch(1)));
    assert_eq!(own.source.map(|source| json!(source.fields)), Some(json!({"kind": "crm_import"})));
    let bare = read_with(stamping(), &with(r#""evidence": "x""#)).expect("a record").record;
    assert!(bare.kind().is_none() && !bare.is_anchored());
}

#[test]
fn the_batch_is_the_sources_then_the_records_then_the_imports() {
    let batch = |more: &str| record(&with(more)).batch.to_string();
    assert_eq!(batch(r#""source": {"batch": "s"}, "batch": "r""#), "s");
    assert_eq!(batch(r#""source": {"batch": null}, "batch": "r""#), "r");
    assert_eq!(batch(r#""source": "k""#), "the-import");
}

#[test]
fn an_absent_id_is_made_from_the_content_and_nothing_else() {
    let first = taken(&with(r#""source": {"kind": "k", "n": 1e3}, "observed_at": "2025-10-14T09:31:00Z""#));
    let later = Defaults { now: at("2026-01-01T00:00:00Z"), batch: Batch::from("another"), ..defaults() };
    let spelled = r#"{"value":1.0,"observed_at":"2025-10-14T11:31:00+02:00","source":{"n":1000,"kind":"k"},"attribute":"a","subject":"u"}"#;
    let second = read_with(later, spelled).expect("a record");
    assert_eq!((&first.record.id, first.content), (&second.record.id, second.content));
    assert!(first.record.id.as_str().starts_with("rec_") && first.record.id.as_str().len() == 36);
    for other in [
        with(r#""source": {"kind": "k", "n": 1e3}, "observed_at": "2025-10-14""#),
        with(
            r#""source": {"kind": "k", "n": 1e3}, "observed_at": "2025-10-14T09:31:00Z", "written_at": "2025-10-15""#,
        ),
        with(r#""source": {"kind": "k", "n": 1e3}, "observed_at": "2025-10-14T09:31:00Z", "op": "retract""#),
    ] {
        assert_ne!(taken(&other).content, first.content, "{other}");
    }
}

#[test]
fn lines_and_arrays_are_told_apart_and_cut() {
    assert_eq!(cut(b""), Vec::<String>::new());
    assert_eq!(cut(b"\xEF\xBB\xBF\n  \n{\"a\":1}\r\n\n {\"b\":2}"), ["{\"a\":1}\r", " {\"b\":2}"]);
    assert_eq!(cut(b"\xEF\xBB\xBF \n[ ]\n"), Vec::<String>::new());
    let pretty = b"[\n  {\n    \"a\": \"x, ]}\\\" [\"\n  },\n  {\"b\": [1, {\"c\": []}]}\n]\n\n";
    assert_eq!(cut(pretty), ["{\n    \"a\": \"x, ]}\\\" [\"\n  }", "{\"b\": [1, {\"c\": []}]}"]);
    let places: Vec<(u64, u64)> =
        Elements::new(&pretty[..]).map(|element| element.expect("one").at).map(|at| (at.line, at.column)).collect();
    assert_eq!(places, [(2, 3), (5, 3)]);
}

#[test]
fn a_broken_array_says_where_and_the_rest_is_still_read() {
    let ends = "it ends in the middle of the JSON; expected the rest of it (was it cut off?)";
    for (text, elements) in [
        ("[1,\n 2", vec!["1".to_owned(), "2:3: the file ends inside the record that began at line 2; expected the rest of the record, and `]` at the end of the array".to_owned()]),
        ("[1,\n", vec!["1".to_owned(), "2:1: the file ends inside the array; expected `]` at the end of the array".to_owned()]),
        ("[1,]", vec!["1".to_owned(), "1:4: a comma stands before the `]`; expected a record after a comma".to_owned()]),
        ("[,1]", vec!["1:2: a comma with no record before it; expected a record before each comma".to_owned(), "1".to_owned()]),
        ("[1,,2]", vec!["1".to_owned(), "1:4: a comma with no record before it; expected a record before each comma".to_owned(), "2".to_owned()]),
        ("[1]\n 2\n3", vec!["1".to_owned(), "2:2: this stands after the end of the array; expected nothing more (JSON Lines have no brackets around them)".to_owned(), "3:1: this stands after the end of the array; expected nothing more (JSON Lines have no brackets around them)".to_owned()]),
    ] {
        assert_eq!(cut(text.as_bytes()), elements, "{text}");
    }
    let faults: Vec<String> = records(&b"[{\"subject\": \"u\", \"value\": }, {\"subject\": \"u\"\n \"value\": 2}, {\"subject\": \"u\", \"value\": 3}]"[..], defaults())
        .map(|read| read.expect("no failure").1.map_or_else(|fault| told(&fault), |incoming| incoming.record.value.to_string()))
        .collect();
    assert_eq!(faults, ["1:28: not JSON: expected value", "2:2: not JSON: expected `,` or `}`", "3"]);
    assert_eq!(refused("{\n\"subject\": 1}"), format!("1:2: {ends}"));
}

#[test]
fn what_is_refused_keeps_its_bytes() {
    let file = b"{\"value\": 1}\r\nbad \xFF line\n{\"subject\": \"u\", \"value\": 1}\n[1]\n";
    let kept: Vec<Vec<u8>> = records(&file[..], defaults())
        .map(|read| read.expect("no failure"))
        .filter(|(_, read)| read.is_err())
        .map(|(element, _)| element.bytes)
        .collect();
    assert_eq!(kept, [&b"{\"value\": 1}\r"[..], b"bad \xFF line", b"[1]"]);
}

/// So many bytes of one kind, never held anywhere.
fn endless(byte: u8, count: usize) -> impl Read {
    io::repeat(byte).take(count as u64)
}

#[test]
fn an_element_too_long_is_passed_over_and_the_next_is_read() {
    let long = 5 * LONGEST;
    let line = endless(b'x', long).chain(&b"\n{\"a\":1}\n"[..]);
    let told: Vec<String> =
        Elements::new(BufReader::new(line)).map(|element| shown(&element.expect("one"))).collect();
    let sentence = format!("1:1: the line is too long: {} bytes; expected at most 8388608 bytes (8 MiB)", long + 1);
    assert_eq!(told, [sentence.as_str(), "{\"a\":1}"]);

    let item = (&b"[\""[..]).chain(endless(b',', long)).chain(&b"\",\n2]"[..]);
    let told: Vec<String> =
        Elements::new(BufReader::new(item)).map(|element| shown(&element.expect("one"))).collect();
    let sentence =
        format!("1:2: the record is too long: {} bytes; expected at most 8388608 bytes (8 MiB)", long + 2);
    assert_eq!(told, [sentence.as_str(), "2"]);
}

#[test]
fn the_longest_line_is_still_read() {
    let text = format!("\"{}\"\n1\n", "x".repeat(LONGEST - 2));
    let elements: Vec<Element> = Elements::new(text.as_bytes()).map(|element| element.expect("one")).collect();
    assert_eq!(elements.iter().map(|element| element.fault.is_none()).collect::<Vec<_>>(), [true, true]);
}

#[test]
fn a_reader_that_fails_is_told_once() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    let told: Vec<bool> = Elements::new(BufReader::new(Failing)).map(|element| element.is_err()).collect();
    assert_eq!(told, [true]);
}

#[test]
fn the_shipped_policy_declares_what_is_promised_and_leaves_the_examples_open() {
    let shipped = policy::read(policy::SHIPPED).expect("the shipped policy");
    let declared = |name: &str| shipped.attributes.get(&Attribute::from(name));
    for name in ["pet_name", "shoe_size"] {
        assert_eq!(declared(name), None);
    }
    let words = |name: &str| {
        let fields = declared(name).unwrap_or_else(|| panic!("{name} is not declared"));
        json!(policy::write_fields(fields)).as_object().cloned().unwrap_or_default()
    };
    let personal = json!(["user", "observation", "inference", "third_party"]);
    let world = json!(["observation", "user", "inference", "third_party"]);
    for name in ["home_city", "employer", "preferred_language", "time_zone", "plan_tier"] {
        let expected =
            json!({"cardinality": "one", "on_change": "succession", "authority": personal, "compare": "text"});
        assert_eq!(json!(words(name)), expected, "{name}");
    }
    for name in ["shipping_address", "billing_address"] {
        assert_eq!(words(name)["system_of_record"], json!("billing_system"));
    }
    assert_eq!(
        (&words("date_of_birth")["on_change"], &words("date_of_birth")["compare"]),
        (&json!("correction"), &json!("date"))
    );
    for name in ["active_project", "allergy", "dietary_preference"] {
        assert_eq!(words(name)["cardinality"], json!("many"));
    }
    for (name, compare) in [
        ("region", "text"),
        ("owner", "text"),
        ("version", "text"),
        ("retry_timeout", "duration"),
        ("request_timeout", "duration"),
        ("replica_count", "number"),
    ] {
        assert_eq!((&words(name)["authority"], &words(name)["compare"]), (&world, &json!(compare)), "{name}");
    }
    assert_eq!(policy::read(&policy::write(&shipped).to_string()), Ok(shipped));
}

#[test]
fn a_policy_that_means_nothing_is_refused_by_the_key() {
    for (text, sentence) in [
        (
            r#"{"attribute": {}}"#,
            "1:15: attribute: this key means nothing here; expected one of version, sources, authority, attributes, slots",
        ),
        (
            r#"{"attributes": {"a": {"cardinality": "two"}}}"#,
            r#"1:38: attributes.a.cardinality: "two" is none of them; expected one or many"#,
        ),
        (
            r#"{"attributes": {"a": {"colour": "red"}}}"#,
            "1:33: attributes.a.colour: this key means nothing here; expected one of cardinality, on_change, authority, system_of_record, compare, min_confidence, max_age",
        ),
        (
            r#"{"attributes": {"a": {"authority": "royal"}}, "authority": {"world": ["user"]}}"#,
            r#"1:36: attributes.a.authority: no order of authority is called "royal"; expected world"#,
        ),
        (
            r#"{"attributes": {"a": {"authority": ["user", "user"]}}}"#,
            "1:45: attributes.a.authority: user stands in it twice; expected each class once",
        ),
        (
            r#"{"attributes": {"a": {"max_age": "-1d"}}}"#,
            r#"1:34: attributes.a.max_age: "-1d" is no length of time; expected a length of time as a text: "90d", "12h""#,
        ),
        (
            r#"{"attributes": {"a": {"max_age": 90}}}"#,
            r#"1:34: attributes.a.max_age: it is a number; expected a length of time as a text: "90d", "12h""#,
        ),
        (
            r#"{"sources": {"crm": "boss"}}"#,
            r#"1:21: sources.crm: "boss" is none of them; expected observation, user, inference, third_party"#,
        ),
        (
            r#"{"slots": [{"attribute": "a"}]}"#,
            "1:12: slots: it names no slot; expected a subject and an attribute",
        ),
        ("[]", "1:1: not JSON: invalid type: sequence, expected an object"),
    ] {
        assert_eq!(policy::read(text).map_err(|fault| told(&fault)).err().as_deref(), Some(sentence), "{text}");
    }
}

#[test]
fn every_decision_survives_its_body() {
    let id = RecordId::from;
    let between = || Between(id("a"), id("b"));
    let fields = AttributePolicy {
        cardinality: Some(Cardinality::Many),
        authority: Some(vec![SourceClass::User]),
        max_age: policy::read_length_of_time("90d"),
        ..AttributePolicy::default()
    };
    let declaration = Declaration { attribute: Attribute::from("pet"), subject: Some(Subject::from("u")), fields };
    let decisions = [
        Decision::Accept { winner: id("a"), loser: id("b"), recency_override: true },
        Decision::Same(between()),
        Decision::AcrossEpochs {
            between: between(),
            from: Epoch(4),
            to: Epoch(7),
            cause: Some("deploy".to_owned()),
        },
        Decision::AcrossEpochs { between: between(), from: Epoch(4), to: Epoch(7), cause: None },
        Decision::Request(between()),
        Decision::Reobserve { between: between(), request: RequestId(4), record: id("c") },
        Decision::Rederive { record: id("c"), from: id("a") },
        Decision::Withdraw { records: [id("a"), id("b")].into(), why: WithdrawReason::OtherSpeaker },
        Decision::Erase { subject: Subject::from("x"), records: [id("a"), id("b")].into() },
        Decision::Dispute(between()),
        Decision::Declare(declaration),
        Decision::Alias { names: (Subject::from("x"), Subject::from("y")), verdict: AliasVerdict::Denied },
        Decision::Epoch(Notice {
            over: Subject::from("svc/*"),
            epoch: Epoch(4),
            since: Some(at("2025-12-01T00:00:00Z")),
            cause: Some("deploy 2025.12".to_owned()),
        }),
        Decision::Epoch(Notice { over: Subject::from("x"), epoch: Epoch(0), since: None, cause: None }),
        Decision::Defer { until: at("2025-12-01T00:00:00.000000001Z") },
        Decision::Note("\u{1b}[2J".to_owned()),
        Decision::Undo(RulingId(3)),
    ];
    for decision in decisions {
        assert_eq!(ruling::read(&ruling::write(&decision).to_string()), Ok(decision));
    }
    for (body, sentence) in [
        (r#"{"decision": "crown"}"#, "decision: there is no such decision; expected one that this version knows"),
        (r#"{"decision": "undo"}"#, "ruling: it is missing; expected every key of the decision"),
        (
            r#"{"decision": "undo", "ruling": 3, "why": 1}"#,
            "why: this key means nothing here; expected no such key",
        ),
        (
            r#"{"decision": "epoch", "over": "x", "epoch": 1, "since": "soon", "cause": null}"#,
            "since: \"soon\" is none of them; expected a known word",
        ),
        (r#"{"decision": "same", "between": ["a"]}"#, "between: they are not two; expected two names"),
    ] {
        assert_eq!(ruling::read(body).map_err(|fault| fault.to_string()).err().as_deref(), Some(sentence));
    }
}

#[test]
fn a_judged_record_goes_out_as_it_came_with_what_became_of_it() {
    let judged = JudgedRecord {
        record: record(WARRANTY),
        class: Some(SourceClass::User),
        lacks: Vec::new(),
        state: None,
        superseded_by: None,
    };
    let out = json::judged_record(&judged);
    let came: Value = serde_json::from_str(WARRANTY).expect("JSON");
    for (key, value) in came.as_object().expect("an object") {
        assert_eq!(&out[key], value, "{key}");
    }
    assert_eq!((&out["class"], &out["anchored"], &out["recorded_at"]), (&json!("user"), &json!(true), &json!(NOW)));
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        (-1e9..1e9).prop_map(|number: f64| json!(number)),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map("[a-z]{0,4}", inner, 0..4).prop_map(|map| map.into_iter().collect()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_bytes_make_it_panic_and_every_element_is_accounted_for(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        for read in records(bytes.as_slice(), lisbon_time()) {
            let (element, read) = read.expect("a slice does not fail");
            prop_assert!(element.fault.is_none() || read.is_err());
        }
    }

    #[test]
    fn no_broken_record_makes_it_panic(at in 0..WARRANTY.len(), byte in any::<u8>(), array in any::<bool>()) {
        let mut bytes = WARRANTY.as_bytes().to_vec();
        bytes[at] = byte;
        let text = if array { [b"[", bytes.as_slice(), b",\n{}]"].concat() } else { bytes };
        for read in records(text.as_slice(), defaults()) {
            drop(read.expect("a slice does not fail"));
        }
    }

    #[test]
    fn a_record_goes_out_and_comes_back_as_itself(
        value in any_json(),
        evidence in prop::option::of(any::<String>()),
        kind in prop::option::of("[a-z]{1,8}"),
        epoch in prop::option::of(0..i64::MAX),
        confidence in prop::option::of(0.0..=1.0),
        seconds in 0..4_000_000_000_i64,
        extra in any_json(),
    ) {
        let line = json!({
            "subject_id": "user", "attribute": "a", "value": value, "evidence": evidence, "epoch": epoch,
            "confidence": confidence, "observed_at": seconds, "written_at": seconds + 1, "answers": 4,
            "derived_from": "r0", "source": {"kind": kind, "extra": extra},
        });
        let first = taken(&line.to_string());
        let out = Value::Object(json::record(&first.record));
        let second = taken(&out.to_string());
        prop_assert_eq!(first.content, second.content);
        prop_assert_eq!(first.record, second.record);
    }
}
