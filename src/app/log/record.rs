//! A record as an event saw it, in words.

use super::super::spell::{ago, moment, span, when};
use super::piece::Role;
use crate::core::event::RecordThen;
use crate::core::pair::RecordState;
use crate::core::record::{Lack, Record};
use crate::core::text::{reveal, reveal_lines, shown_value};
use crate::core::time::{Instant, When};

/// The fields of a record, each with its name.
pub(super) fn fields(
    name: &str,
    then: &RecordThen,
    now: Instant,
    blind: bool,
) -> Vec<(&'static str, Role, String)> {
    let (record, judged) = (&then.judged.record, &then.judged);
    let missing =
        |text: Option<String>| text.map_or((Role::Alarm, "missing".to_owned()), |text| (Role::Text, text));
    let shown = |text: &str| reveal(text).into_owned();
    let op = if record.is_retraction() { " (taken back)" } else { "" };
    let mut fields = vec![
        ("record", Role::Dim, format!("{name}  {}", id_of(then))),
        ("value", Role::Strong, format!("{}{op}", shown_value(&record.value))),
        ("source", source_role(then), source_of(then)),
        ("batch", Role::Text, shown(record.batch.as_str())),
    ];
    let (role, text) = missing(record.observed_at.map(|at| format!("{}, {}", when(at), ago(at.first(), now))));
    fields.push(("true at", role, text));
    fields.push(("written", times_role(record), written(record)));
    let (role, text) = missing(record.epoch.map(|epoch| epoch.to_string()));
    fields.push(("epoch", role, text));
    if !blind {
        let confidence =
            record.confidence.map_or_else(|| "none stated".to_owned(), |it| format!("{it} (decides nothing)"));
        fields.push(("confidence", Role::Text, confidence));
        let superseded = judged.superseded_by.as_ref().map(|by| format!(" by {}", shown(by.as_str())));
        let state = judged.state.map_or("unslotted", RecordState::name);
        fields.push(("now", Role::Text, format!("{state}{}", superseded.unwrap_or_default())));
    }
    let (role, text) = missing(record.evidence.as_deref().map(reveal_lines));
    fields.push(("evidence", role, text));
    fields
}

fn written(record: &Record) -> String {
    let at = moment(record.written_at);
    match record.observed_at {
        Some(observed) => {
            let lag = record.written_at.since(observed.first());
            let sign = if lag < chrono::Duration::zero() { '-' } else { '+' };
            format!("{at}  {sign}{}", span(lag.abs()))
        }
        None => at,
    }
}

/// A record written long after it was true is the trap that the write order sets.
pub(super) fn times_role(record: &Record) -> Role {
    let late = record.observed_at.is_some_and(|at| record.written_at.since(at.last()) >= chrono::Duration::days(1));
    if late || !record.is_anchored() { Role::Alarm } else { Role::Text }
}

const fn source_role(then: &RecordThen) -> Role {
    if then.class.is_some() { Role::Text } else { Role::Alarm }
}

pub(super) fn id_of(then: &RecordThen) -> String {
    reveal(then.judged.record.id.as_str()).into_owned()
}

pub(super) fn value_of(then: &RecordThen) -> String {
    let shown = shown_value(&then.judged.record.value);
    if then.judged.record.is_retraction() { format!("no {shown}") } else { shown }
}

/// `crm_import, third_party, rank 3`.
pub(super) fn source_of(then: &RecordThen) -> String {
    let kind =
        then.judged.record.kind().map_or_else(|| "no source".to_owned(), |kind| reveal(kind.as_str()).into_owned());
    let class = then.class.map_or("no class", |class| class.name());
    match then.rank {
        Some(rank) if rank.0 == 0 => format!("{kind}, system of record"),
        Some(rank) => format!("{kind}, {class}, rank {rank}", rank = rank.0),
        None => format!("{kind}, {class}, no rank"),
    }
}

/// `epoch 7`, `true 2025-10-14 09:31Z`, `wrote 2025-10-14 09:31Z`; short, the days alone.
pub(super) fn times_of(record: &Record, long: bool) -> [String; 3] {
    let brief = |at: Instant| at.utc().format(if long { "%Y-%m-%d %H:%MZ" } else { "%Y-%m-%d" }).to_string();
    let observed = match record.observed_at {
        Some(When::At(at)) => brief(at),
        Some(span) => span.to_string(),
        None => "unknown".to_owned(),
    };
    let epoch = record.epoch.map_or_else(|| "none".to_owned(), |epoch| epoch.to_string());
    let impossible = if record.lacks().contains(&Lack::Possible) { " !" } else { "" };
    [
        format!("epoch {epoch}"),
        format!("true {observed}"),
        format!("wrote {}{impossible}", brief(record.written_at)),
    ]
}
