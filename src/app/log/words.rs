//! Events in words: what changed, in a line. The texts are raw, as they came; whoever draws them reveals them.

use serde_json::Value;

use super::super::asks::log::Event;
use crate::core::value::plain;

/// The sign of an event that an auditor looks for first.
pub const OVERRIDE: &str = "OVERRIDE";
/// The sign of a ruling that no longer counts.
pub const UNDONE: &str = "undone";

/// What changed, in a line.
pub fn changed(event: &Event) -> String {
    let (body, decision) = (&event.body, &event.body["decision"]);
    match event.kind.as_str() {
        "created" => "the store begins, with the policy that ships".to_owned(),
        "import" => import(body),
        "resolved" => format!("{}, by {}", over(event), text(&body["basis"])),
        "pair_opened" => format!("{}: {}", against(event), listed(&body["grounds"]).replace('_', " ")),
        "pair_changed" => format!("now {}: {}", against(event), listed(&body["grounds"]).replace('_', " ")),
        "pair_closed" => format!("closed: {}", against(event)),
        "epoch_change" => format!("epoch {} → {}: {}", body["from"], body["to"], then(event)),
        "accept" => over(event),
        "override" => format!("{}, though outranked", over(event)),
        "link" => link(event, decision),
        "request" => "a look at the world is requested".to_owned(),
        "reobserved" => reobserved(event, body, decision),
        "unseen" => unseen(body),
        "rederive" => format!("{} completes {}", text(&decision["record"]), text(&decision["from"])),
        "withdraw" => withdrawn(event, body, decision),
        "declare" => declared(decision),
        // The names stand before it, in the place of the slot.
        "alias" => verdict(decision).to_owned(),
        "epoch" => epoch(decision),
        "dispute" => format!("{} is contested", against(event)),
        "defer" => format!("until {}", text(&decision["until"])),
        "note" => text(&decision["text"]),
        "undo" => format!("takes back ruling {}", decision["ruling"]),
        "audit" => audit(body),
        "erase" => format!("{} is erased: hashes stand for what its records said", text(&decision["subject"])),
        "repair" => {
            format!("worked out anew, {} things were wrong; as it was: {}", body["count"], text(&body["backup"]))
        }
        _ => body.to_string(),
    }
}

/// What the event is about: its slot, or else what it names.
pub fn about(event: &Event) -> String {
    let decision = &event.body["decision"];
    match (&event.subject, &event.attribute, event.kind.as_str()) {
        (Some(subject), Some(attribute), _) => format!("{subject} {attribute}"),
        (Some(one), None, _) | (None, Some(one), _) => one.clone(),
        (None, None, "import") => format!("batch {}", text(&event.body["batch"])),
        // A pattern of subjects: one stands there as the subject.
        (None, None, "epoch") => text(&decision["over"]),
        (None, None, "alias") => names(&decision["names"]).join(" = "),
        (None, None, _) => String::new(),
    }
}

/// `OVERRIDE`, or `undone`: an override that was undone is still named by its kind.
pub fn flag(event: &Event) -> &'static str {
    match (event.undone, event.kind.as_str()) {
        (Some(_), _) => UNDONE,
        (None, "override") => OVERRIDE,
        (None, _) => "",
    }
}

/// Whether somebody gave a reason or wrote a note.
pub fn has_note(event: &Event) -> bool {
    reason(event).is_some()
}

/// The reason given, or the note.
pub fn reason(event: &Event) -> Option<&str> {
    let body = &event.body;
    let said = [&body["reason"], &body["note"], &body["decision"]["text"]];
    said.into_iter().filter_map(Value::as_str).find(|said| !said.trim().is_empty())
}

/// The batch that an event is about, where it names one.
pub fn batch(event: &Event) -> Option<&str> {
    if event.kind == "import" { event.body["batch"].as_str() } else { None }
}

/// `epoch 4 holds since 2025-10-01T12:00:00Z: deploy 2025.10`.
fn epoch(decision: &Value) -> String {
    let since = decision["since"].as_str().map(|since| format!(" holds since {since}")).unwrap_or_default();
    let cause = decision["cause"].as_str().map(|cause| format!(": {cause}")).unwrap_or_default();
    format!("epoch {}{since}{cause}", decision["epoch"])
}

fn import(body: &Value) -> String {
    let more = [("duplicates", "duplicates"), ("unslotted", "unslotted")];
    let more = more.iter().filter_map(|(key, word)| {
        let many = body[*key].as_u64().filter(|many| *many > 0)?;
        Some(format!(", {many} {word}"))
    });
    format!("{} added of {} read{}", body["added"], body["read"], more.collect::<String>())
}

/// `Lisbon over Berlin`.
fn over(event: &Event) -> String {
    two(event, " over ")
}

fn against(event: &Event) -> String {
    two(event, " against ")
}

/// `Berlin, then Lisbon`.
fn then(event: &Event) -> String {
    two(event, ", then ")
}

/// Both values; where they look the same, or are not known, the records' names.
fn two(event: &Event, between: &str) -> String {
    match event.named.as_slice() {
        [(_, left), (_, right)] if left != right => format!("{left}{between}{right}"),
        [(left, _), (right, _)] => format!("{left}{between}{right}"),
        [(_, value)] => value.clone(),
        _ => {
            let (winner, loser) = (text(&event.body["winner"]), text(&event.body["loser"]));
            if winner.is_empty() { String::new() } else { format!("{winner}{between}{loser}") }
        }
    }
}

fn link(event: &Event, decision: &Value) -> String {
    match decision["decision"].as_str() {
        Some("same") => format!("{}: one value", two(event, " = ")),
        Some("across_epochs") => {
            let cause = decision["cause"].as_str().map(|cause| format!(": {cause}")).unwrap_or_default();
            format!("{}, each in its epoch ({} → {}){cause}", two(event, " and "), decision["from"], decision["to"])
        }
        Some("declare") => format!("{}: both true", two(event, " and ")),
        Some("alias") => alias(decision),
        _ => two(event, " and "),
    }
}

fn reobserved(event: &Event, body: &Value, decision: &Value) -> String {
    let value = event.named.first().map(|(_, value)| value.clone()).unwrap_or_default();
    let request = if decision.is_null() { &body["request"] } else { &decision["request"] };
    match request.as_i64() {
        Some(request) => format!("seen again: {value} (answers request {request})"),
        None => format!("seen again: {value}"),
    }
}

/// A look, or an answer, that settled nothing.
fn unseen(body: &Value) -> String {
    let because = text(&body["because"]);
    match (body["record"].as_str(), &body["request"]) {
        (Some(record), request) => format!("{record} answers request {request}, and settles nothing: {because}"),
        (None, _) => format!("{} looked: {because}", text(&body["observer"])),
    }
}

fn withdrawn(event: &Event, body: &Value, decision: &Value) -> String {
    let many = body["records"]["count"].as_u64().or_else(|| Some(body["records"].as_array()?.len() as u64));
    let what = match (many, event.named.as_slice()) {
        (Some(1), [(id, _)]) => id.clone(),
        (Some(1), _) => "1 record".to_owned(),
        (Some(many), _) => format!("{many} records"),
        (None, _) => "records".to_owned(),
    };
    let verb = if many == Some(1) { "leaves" } else { "leave" };
    format!("{what} {verb} contention: {}", text(&decision["why"]))
}

fn declared(decision: &Value) -> String {
    let declaration = &decision["declaration"];
    let fields = declaration["fields"].as_object();
    let fields: Vec<String> = fields
        .into_iter()
        .flatten()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| format!("{} {}", name.replace('_', " "), listed(value)))
        .collect();
    let only = declaration["subject"].as_str().map(|subject| format!(", for {subject} only")).unwrap_or_default();
    format!("{}{only}", fields.join(", "))
}

fn alias(decision: &Value) -> String {
    format!("{}: {}", names(&decision["names"]).join(" and "), verdict(decision))
}

fn verdict(decision: &Value) -> &str {
    match decision["verdict"].as_str() {
        Some("confirmed") => "they are one subject",
        Some("denied") => "they are two subjects",
        Some("proposed") => "proposed to be one subject",
        Some(other) => other,
        None => "",
    }
}

fn audit(body: &Value) -> String {
    let (ruling, reviewer) = (&body["ruling"], text(&body["reviewer"]));
    let said = if body["verdict"] == "agree" { "agrees with" } else { "DISAGREES with" };
    let blind = if body["blind"].is_null() { "" } else { ", blind" };
    format!("{said} ruling {ruling} of {reviewer}{blind}")
}

fn names(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(plain).collect()
}

/// A list in words, or what is no list as it is.
fn listed(value: &Value) -> String {
    match value.as_array() {
        Some(_) => names(value).join(", "),
        None => plain(value),
    }
}

fn text(value: &Value) -> String {
    if value.is_null() { String::new() } else { plain(value) }
}
