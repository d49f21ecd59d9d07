//! What an order would do, in words, for the last look before it is written. What it names comes from outside: it is
//! raw here, and revealed where it is drawn.

use super::form::Form;
use super::supply;
use crate::core::consequence::Became;
use crate::core::order::{Order, Outcome};
use crate::core::pair::RecordState;
use crate::core::ruling::PairId;
use crate::core::value::plain;

/// Of records in one state so many are named.
const NAMED: usize = 4;

/// What it would do, in sentences; none where it can only be counted.
pub fn sentences(form: &Form, order: &Order, outcome: &Outcome) -> Vec<String> {
    if let Order::RederiveAll { .. } = order {
        return of_many(outcome);
    }
    let told = &outcome.consequence;
    if told.became.is_empty() && told.open.is_empty() {
        return Vec::new();
    }
    let mut said: Vec<String> = Vec::new();
    if let (Order::Reobserve { seen, .. }, Some(pair)) = (order, form.pair()) {
        said.extend(supply::unlike(pair, seen));
    }
    for state in RecordState::ALL {
        said.extend(became(&told.became, state));
    }
    said.extend(pairs(outcome));
    said.extend(outcome.slot.as_ref().map(|slot| {
        let value = slot.value.as_ref().map(|value| format!(": {}", plain(value))).unwrap_or_default();
        format!("{} of {} is then {}{value}", slot.attribute, slot.subject, slot.status.name())
    }));
    said
}

/// The records that are in this state from now on.
fn became(all: &[Became], state: RecordState) -> Option<String> {
    let of: Vec<&Became> = all.iter().filter(|it| it.state == state).collect();
    let first = of.first()?;
    let named: Vec<String> = of.iter().take(NAMED).map(|it| format!("{} ({})", it.id, plain(&it.value))).collect();
    let more = of.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let one = of.len() == 1;
    let by = first.by.as_ref().filter(|by| of.iter().all(|it| it.by.as_ref() == Some(*by)));
    let by = by.map(|by| format!(" by {by}")).unwrap_or_default();
    let what = match (state, one) {
        (RecordState::Live, true) if first.is_new => "stands".to_owned(),
        (RecordState::Live, true) => "is no longer contested".to_owned(),
        (RecordState::Live, false) => "are no longer contested".to_owned(),
        (RecordState::Superseded, true) => format!("is superseded{by}"),
        (RecordState::Superseded, false) => format!("are superseded{by}"),
        (RecordState::Contested, true) => "is contested".to_owned(),
        (RecordState::Contested, false) => "are contested".to_owned(),
        (RecordState::History, true) => "becomes history".to_owned(),
        (RecordState::History, false) => "become history".to_owned(),
        (RecordState::Withdrawn, true) => "leaves contention".to_owned(),
        (RecordState::Withdrawn, false) => "leave contention".to_owned(),
        (RecordState::Retracted, true) => format!("is taken back{by}"),
        (RecordState::Retracted, false) => format!("are taken back{by}"),
    };
    Some(format!("{}{more} {what}", named.join(", ")))
}

/// Which pairs close, which open, and which stay open and why.
fn pairs(outcome: &Outcome) -> Vec<String> {
    let mut said = Vec::new();
    if !outcome.closed.is_empty() {
        let one = outcome.closed.len() == 1;
        said.push(format!("{} {}", numbers(&outcome.closed), if one { "closes" } else { "close" }));
    }
    for open in &outcome.consequence.open {
        let grounds: Vec<String> = open.grounds.iter().map(|ground| ground.name().replace('_', " ")).collect();
        let opens = if outcome.opened.contains(&open.pair) { "opens" } else { "stays open" };
        said.push(format!("pair {} {opens}: {}", open.pair, grounds.join(", ")));
    }
    if outcome.closed.is_empty() && !outcome.consequence.open.is_empty() {
        said.insert(0, "it settles nothing here".to_owned());
    }
    said
}

fn numbers(pairs: &[PairId]) -> String {
    match pairs {
        [one] => format!("pair {one}"),
        many if many.len() <= NAMED => {
            format!("pairs {}", many.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        }
        many => format!("{} pairs", many.len()),
    }
}

/// Of many records: how many are made whole, and what stays as it is.
fn of_many(outcome: &Outcome) -> Vec<String> {
    let word = |many: u64| if many == 1 { "record" } else { "records" };
    let mut said = vec![
        format!("{} {} made whole, in {} slots", outcome.records, word(outcome.records), outcome.slots),
        format!("{} pairs close, {} open", outcome.closed.len(), outcome.opened.len()),
        format!("{} values change, {} vanish", outcome.values_changed, outcome.values_gone),
    ];
    let left = outcome.consequence.left.iter();
    said.extend(left.map(|(why, many)| format!("{many} {} as before: {why}", word(*many))));
    said
}
