//! Facts grow old: a settled value is *stale* when its latest support is older than the policy's `max_age`. Nothing
//! expires for it and no value is dropped; whoever asks is told, and the world can be looked at again.

use super::policy::Rules;
use super::settle::{Slot, Status};
use super::time::{Instant, When};

/// When what the slot answers was last seen to hold: the latest observation of its value, and where several values
/// live, that of the one that was seen longest ago. A day, month or year counts at its last moment. None where
/// nothing is settled.
pub fn supported_at(slot: &Slot<'_>) -> Option<Instant> {
    if slot.status != Status::Settled {
        return None;
    }
    let latest = |speaker: usize, supporters: &[usize]| {
        let records = std::iter::once(speaker).chain(supporters.iter().copied());
        records.filter_map(|at| slot.records[at].observed_at).map(When::last).max()
    };
    slot.live.iter().filter_map(|live| latest(live.speaker, &live.supporters)).min()
}

/// The moment before which a support is too old, as of a moment; none where the policy sets no age, or one that reaches
/// back before all time.
pub fn cutoff(rules: &Rules, at: Instant) -> Option<Instant> {
    cutoff_of(rules.max_age?, at)
}

/// The same, of an age in nanoseconds.
pub fn cutoff_of(max_age: i128, at: Instant) -> Option<Instant> {
    let age = chrono::Duration::nanoseconds(i64::try_from(max_age).ok()?);
    Some(at.plus(-age))
}

/// Whether what the slot answers is stale as of a moment.
pub fn is_stale(slot: &Slot<'_>, rules: &Rules, at: Instant) -> bool {
    supported_at(slot).zip(cutoff(rules, at)).is_some_and(|(supported, cutoff)| supported < cutoff)
}
