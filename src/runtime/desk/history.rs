//! One slot in both times.

use crate::app::asks::history::{Answer, Question, Slot};
use crate::app::failure::Failure;
use crate::app::port::Watch;
use crate::core::time::Instant;
use crate::store::Store;

pub(super) fn answer(
    store: &mut Store,
    question: &Question,
    now: Instant,
    _watch: &dyn Watch,
) -> Result<Answer, Failure> {
    match question {
        Question::Slot(subject, attribute) => {
            let history = store.history(subject, attribute, now)?;
            Ok(Answer::Slot(Box::new(Slot {
                subject: history.subject,
                attribute: history.attribute,
                records: history.records,
            })))
        }
    }
}
