//! `gainsay policy try`: what a declaration would do, for people and as JSON.

use serde_json::{Value, json};

use crate::core::policy::Declaration;
use crate::core::settle::Status;
use crate::core::tried::{Answered, Change, Tried};
use crate::error::Result;

use super::context::Context;
use super::meter::Meter;
use super::output::{Cell, Page, Style};
use super::words::{self, count};

/// Tries a declaration out, and says what it would do.
pub(super) fn run(declaration: &Declaration, context: &Context) -> Result {
    let mut meter = Meter::new();
    let mut goes_on = |done, of| {
        meter.tell(done, || format!("{done} of {} settled anew", count(of, "slot")));
        true
    };
    let tried = context.reading()?.try_declaration(declaration, &context.by(), &mut goes_on)?;
    meter.clear();
    let tried = tried.unwrap_or_default();
    context.say(|| json_of(&tried), || render(&tried, context.style))
}

fn json_of(tried: &Tried) -> Value {
    let answered = |answered: &Answered| json!({"status": answered.status.name(), "values": answered.values});
    let changes: Vec<Value> = tried
        .changes
        .iter()
        .map(|of| json!({"from": of.before.name(), "to": of.after.name(), "slots": of.slots}))
        .collect();
    let examples: Vec<Value> = tried
        .examples
        .iter()
        .map(|of| json!({"subject": of.subject.as_str(), "from": answered(&of.before), "to": answered(&of.after)}))
        .collect();
    let grounds: serde_json::Map<String, Value> =
        tried.grounds.iter().map(|(ground, many)| (ground.name().to_owned(), json!(many))).collect();
    json!({
        "dry_run": true, "records": 0, "slots": tried.slots, "pairs_opened": tried.opened,
        "pairs_closed": tried.closed, "pairs_left_open": tried.open, "left_open_by_ground": grounds,
        "answers_changed": tried.changed(), "changes": changes, "examples": examples,
    })
}

fn render(tried: &Tried, style: Style) -> String {
    let mut page = Page::new(style);
    page.line([Cell::strong("it would do this; nothing was written")]);
    page.line([Cell::plain(format!(
        "{} settled anew, {} close, {} open",
        count(tried.slots, "slot"),
        count(tried.closed, "pair"),
        tried.opened
    ))]);
    if tried.open > 0 {
        let grounds: Vec<String> =
            tried.grounds.iter().map(|(ground, many)| format!("{} {many}", ground.name())).collect();
        page.line([Cell::plain(format!("{} are open then: {}", count(tried.open, "pair"), grounds.join(", ")))]);
    }
    let changed = match tried.changed() {
        0 => "no slot would answer otherwise".to_owned(),
        many => format!("{} would answer otherwise", count(many, "slot")),
    };
    page.line([Cell::plain(changed)]);
    if tried.changed() == 0 {
        return page.text().to_owned();
    }
    let changes: Vec<Vec<Cell>> = tried
        .changes
        .iter()
        .map(|Change { before, after, slots }| {
            [slots.to_string(), before.name().to_owned(), after.name().to_owned()].map(Cell::plain).to_vec()
        })
        .collect();
    page.gap().table(&["slots", "now", "then"], &changes);
    let examples: Vec<Vec<Cell>> = tried
        .examples
        .iter()
        .map(|of| vec![Cell::plain(of.subject.as_str()), told(&of.before), told(&of.after)])
        .collect();
    page.gap().table(&["for example", "now", "then"], &examples).text().to_owned()
}

/// What a slot answers: its values, or why it has none.
fn told(answered: &Answered) -> Cell {
    let values: Vec<String> = answered.values.iter().map(words::value).collect();
    match answered.status {
        Status::Settled => Cell::plain(values.join(", ")),
        Status::Contested | Status::Awaiting | Status::Unanchored | Status::Empty if values.is_empty() => {
            Cell::quiet(answered.status.name())
        }
        Status::Contested | Status::Awaiting | Status::Unanchored | Status::Empty => {
            Cell::plain(format!("{} ({})", values.join(", "), answered.status.name()))
        }
    }
}
