//! What a ruling did, for people: the same few lines after every command that rules.

use serde_json::{Value, json};

use crate::core::order::{Outcome, SlotAnswer};
use crate::core::ruling::PairId;
use crate::core::settle::Status;
use crate::wire;

use super::output::{Cell, Page, Style, Tone};
use super::words::{self, count, verb};

/// The answer to a ruling of wide effect, in numbers: a withdrawal, a declaration. A dry run has made no ruling.
pub(super) fn effects(outcome: &Outcome, dry_run: bool) -> Value {
    if !dry_run {
        return wire::json::outcome(outcome);
    }
    json!({
        "dry_run": true, "records": outcome.records, "slots": outcome.slots, "pairs_opened": outcome.opened.len(),
        "pairs_closed": outcome.closed.len(), "values_changed": outcome.values_changed,
        "values_gone": outcome.values_gone, "rulings_resting": outcome.resting,
    })
}

/// The same for people.
pub(super) fn render_effects(outcome: &Outcome, dry_run: bool, style: Style) -> String {
    if !dry_run {
        return render(outcome, style);
    }
    let mut page = Page::new(style);
    page.line([Cell::strong("it would do this; nothing was written")]);
    if outcome.records > 0 {
        let leave = verb(outcome.records, "leaves", "leave");
        page.line([Cell::plain(format!("{} {leave} contention", count(outcome.records, "record")))]);
    }
    let (closed, opened) = (outcome.closed.len() as u64, outcome.opened.len() as u64);
    page.line([Cell::plain(format!(
        "{} settled anew, {} {}, {opened} {}",
        count(outcome.slots, "slot"),
        count(closed, "pair"),
        verb(closed, "closes", "close"),
        verb(opened, "opens", "open")
    ))]);
    if outcome.values_changed + outcome.values_gone > 0 {
        let (changed, gone) = (count(outcome.values_changed, "value"), outcome.values_gone);
        page.line([Cell::plain(format!("{changed} answered otherwise, {gone} no longer"))]);
    }
    if outcome.resting > 0 {
        let rest = verb(outcome.resting, "rests", "rest");
        page.line([Cell::plain(format!("{} {rest} on them", count(outcome.resting, "ruling")))]);
    }
    page.text().to_owned()
}

/// The answer to a ruling.
pub fn render(outcome: &Outcome, style: Style) -> String {
    let mut page = Page::new(style);
    let undid = outcome.undid.as_ref().map(|undid| format!(" of ruling {}", undid.ruling)).unwrap_or_default();
    let pair = outcome.pair.zip(outcome.pair_state);
    let pair = pair.map(|(pair, state)| format!(", pair {pair} is {}", state.name())).unwrap_or_default();
    page.line([
        Cell::strong(format!("ruling {}:", outcome.ruling)),
        Cell::plain(outcome.action.clone() + &undid + &pair),
    ]);
    if let Some(slot) = &outcome.slot {
        page.line(slot_line(slot));
    }
    if outcome.records > 1 || outcome.slots > 1 {
        let (records, slots) = (count(outcome.records, "record"), count(outcome.slots, "slot"));
        page.line([Cell::plain(format!("{records}, {slots} settled anew"))]);
    }
    for (what, pairs) in [("opened", &outcome.opened), ("closed", &outcome.closed)] {
        if !pairs.is_empty() {
            page.paragraph(
                Tone::Plain,
                &format!("{what} {}: {}", count(pairs.len() as u64, "pair"), numbers(pairs)),
            );
        }
    }
    if outcome.action != "erase" {
        page.line([Cell::quiet(format!("take it back with `gainsay undo {}`", outcome.ruling))]);
    }
    page.text().to_owned()
}

fn slot_line(slot: &SlotAnswer) -> Vec<Cell> {
    let tone = match slot.status {
        Status::Settled => Tone::Good,
        Status::Contested | Status::Awaiting => Tone::Bad,
        Status::Unanchored | Status::Empty => Tone::Note,
    };
    let mut line = vec![
        Cell::plain(slot.subject.as_str()),
        Cell::plain(slot.attribute.as_str()),
        Cell::plain("is"),
        Cell::new(tone, slot.status.name()),
    ];
    line.extend(slot.value.as_ref().map(|value| Cell::strong(words::value(value))));
    line
}

/// The first few, and how many more.
fn numbers(pairs: &[PairId]) -> String {
    const SHOWN: usize = 20;
    let shown: Vec<String> = pairs.iter().take(SHOWN).map(ToString::to_string).collect();
    match pairs.len().checked_sub(SHOWN) {
        Some(more) if more > 0 => format!("{} and {more} more", shown.join(", ")),
        Some(_) | None => shown.join(", "),
    }
}
