//! The policy.

use crate::app::asks::policy::{Answer, Question};
use crate::app::failure::Failure;
use crate::app::port::Watch;
use crate::core::time::Instant;
use crate::store::Store;

pub(super) fn answer(
    _store: &mut Store,
    question: &Question,
    _now: Instant,
    _watch: &dyn Watch,
) -> Result<Answer, Failure> {
    match question {
        Question::Attributes => Ok(Answer::Attributes(Vec::new())),
    }
}
