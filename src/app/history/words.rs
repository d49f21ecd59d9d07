//! Links and rulings in words. What they name comes from outside: it is raw here, and revealed where it is drawn.

use super::super::asks::history::{Linked, RecordLine};
use super::super::spell::moment;
use crate::core::examine::Basis;
use crate::core::notice::Notice;
use crate::core::pair::RecordState;
use crate::core::policy::Declaration;
use crate::core::ruling::{AliasVerdict, Between, Decision};
use crate::core::settle::EdgeKind;
use crate::core::value::plain;

/// What a ruling decided.
pub fn decision(decision: &Decision) -> String {
    match decision {
        Decision::Accept { winner, loser, recency_override: false } => format!("{winner} over {loser}"),
        Decision::Accept { winner, loser, recency_override: true } => {
            format!("{winner} over {loser}, the later against the more authoritative")
        }
        Decision::Same(Between(a, b)) => format!("{a} and {b} say one value"),
        Decision::AcrossEpochs { between: Between(a, b), from, to, cause } => {
            let cause = cause.as_ref().map(|cause| format!(": {cause}")).unwrap_or_default();
            format!("{a} and {b} kept, epoch {from} → {to}{cause}")
        }
        Decision::Request(Between(a, b)) => format!("another look is asked for, {a} against {b}"),
        Decision::Reobserve { record, .. } => format!("the world was looked at again: {record}"),
        Decision::Rederive { record, from } => format!("{record} completes {from}"),
        Decision::Withdraw { records, why } => match records.iter().collect::<Vec<_>>().as_slice() {
            [one] => format!("{one} leaves contention: {}", why.name()),
            many => format!("{} records leave contention: {}", many.len(), why.name()),
        },
        Decision::Erase { subject, records } => format!("{} records of {subject} are erased", records.len()),
        Decision::Dispute(Between(a, b)) => format!("{a} against {b} is contested"),
        Decision::Declare(declaration) => declared(declaration),
        Decision::Alias { names: (a, b), verdict } => match verdict {
            AliasVerdict::Proposed => format!("{a} and {b} may be one subject"),
            AliasVerdict::Confirmed => format!("{a} and {b} are one subject"),
            AliasVerdict::Denied => format!("{a} and {b} are two subjects"),
        },
        Decision::Epoch(notice) => told_of(notice),
        Decision::Defer { until } => format!("out of the way until {}", moment(*until)),
        Decision::Note(text) => text.clone(),
        Decision::Undo(ruling) => format!("ruling {ruling} no longer counts"),
    }
}

fn told_of(notice: &Notice) -> String {
    let since = notice.since.map(|since| format!(" is opened, since {}", moment(since))).unwrap_or_default();
    let cause = notice.cause.as_ref().map(|cause| format!(": {cause}")).unwrap_or_default();
    format!("epoch {} of {}{since}{cause}", notice.epoch, notice.over)
}

fn declared(declaration: &Declaration) -> String {
    let fields = &declaration.fields;
    let of = |name: &str, what: Option<&str>| what.map(|what| format!("{name} {what}"));
    let authority = fields.authority.as_ref().map(|order| {
        let names: Vec<&str> = order.iter().map(|class| class.name()).collect();
        format!("authority {}", names.join(" > "))
    });
    let told: Vec<String> = [
        of("cardinality", fields.cardinality.map(|it| it.name())),
        of("on change", fields.on_change.map(|it| it.name())),
        authority,
        of("compared as", fields.compare.map(|it| it.name())),
        fields.system_of_record.as_ref().map(|kind| format!("owned by {kind}")),
        fields.min_confidence.map(|floor| format!("confidence from {floor}")),
        fields.max_age.map(|_| "an age at which it is stale".to_owned()),
    ]
    .into_iter()
    .flatten()
    .collect();
    format!("declared: {}", told.join(", "))
}

/// A link, from the side of the record that has it.
pub fn link(link: &Linked) -> String {
    let other = format!("{} ({})", link.other, plain(&link.value));
    match (link.kind, link.from_here) {
        (EdgeKind::Supersedes(basis), true) => format!("supersedes {other} {}", by(basis)),
        (EdgeKind::Supersedes(basis), false) => format!("superseded by {other} {}", by(basis)),
        (EdgeKind::EpochChange { from, to }, true) => format!("epoch {from} → {to}: before the change, {other}"),
        (EdgeKind::EpochChange { from, to }, false) => format!("epoch {from} → {to}: after the change, {other}"),
        (EdgeKind::Reobserved, true) => format!("the world looked at again, after {other}"),
        (EdgeKind::Reobserved, false) => format!("the world was looked at again: {other}"),
        (EdgeKind::DerivedFrom, true) => format!("derived from {other}, which lacked provenance"),
        (EdgeKind::DerivedFrom, false) => format!("completed by {other}"),
        (EdgeKind::Same, true | false) => format!("one value with {other}"),
    }
}

const fn by(basis: Basis) -> &'static str {
    match basis {
        Basis::Authority => "by authority",
        Basis::Recency => "by recency",
        Basis::Accept => "by a ruling",
    }
}

/// What became of a record, in the few words of its line: `superseded by mem_c93e`.
pub fn became(line: &RecordLine) -> String {
    let state = line.state.map_or("not settled", RecordState::name);
    let beside = match (line.state, line.open_pair, &line.superseded_by) {
        (Some(RecordState::Superseded | RecordState::Retracted), _, Some(by)) => Some(format!("by {by}")),
        (Some(RecordState::Contested), Some(pair), _) => Some(format!("in pair {pair}")),
        _ => brief(line),
    };
    beside.map_or_else(|| state.to_owned(), |beside| format!("{state} {beside}"))
}

/// The link that says the most, where the state does not tell it already.
fn brief(line: &RecordLine) -> Option<String> {
    let over = line.links.iter().filter(|link| link.from_here && matches!(link.kind, EdgeKind::Supersedes(_)));
    let over: Vec<_> = over.collect();
    if let [first, ..] = over.as_slice() {
        return Some(match over.len() as u64 + line.more_links {
            1 => format!("over {}", first.other),
            many => format!("over {many} others"),
        });
    }
    let first = line.links.first()?;
    Some(match (first.kind, first.from_here) {
        (EdgeKind::EpochChange { from, to }, _) => format!("across epochs {from} → {to}"),
        (EdgeKind::Reobserved, true) => format!("seen again after {}", first.other),
        (EdgeKind::Reobserved, false) => format!("since {}", first.other),
        (EdgeKind::DerivedFrom, true) => format!("from {}", first.other),
        (EdgeKind::DerivedFrom, false) => format!("completed by {}", first.other),
        (EdgeKind::Same, _) => format!("as {}", first.other),
        (EdgeKind::Supersedes(_), _) => format!("by {}", first.other),
    })
}
