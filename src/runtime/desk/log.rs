//! The event log.

use crate::app::asks::log::{Answer, Event, Question};
use crate::app::failure::Failure;
use crate::app::port::Watch;
use crate::core::time::Instant;
use crate::store::{LogFilter, Store};

pub(super) fn answer(
    store: &mut Store,
    question: &Question,
    _now: Instant,
    _watch: &dyn Watch,
) -> Result<Answer, Failure> {
    match question {
        Question::Page { generation, around } => {
            let mut all = Vec::new();
            store.log(&LogFilter::default(), |event| -> Result<(), Failure> {
                all.push(Event { seq: event.seq, at: event.at, actor: event.actor, kind: event.kind });
                Ok(())
            })?;
            all.reverse();
            let place = |row: &Event| all.iter().position(|other| other.seq <= row.seq).unwrap_or(all.len());
            Ok(Answer::Page { generation: *generation, window: around.of(&all, place) })
        }
    }
}
