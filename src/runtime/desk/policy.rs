//! The policy.

use crate::app::asks::policy::{Answer, Line, Question};
use crate::app::failure::Failure;
use crate::app::port::Watch;
use crate::core::time::Instant;
use crate::store::{AttributeUse, Store};

pub(super) fn answer(
    store: &mut Store,
    question: &Question,
    _now: Instant,
    _watch: &dyn Watch,
) -> Result<Answer, Failure> {
    match question {
        Question::Attributes => {
            let policy = store.policy(None)?;
            let line = |of: AttributeUse| Line {
                cardinality: policy.attributes.get(&of.attribute).and_then(|fields| fields.cardinality),
                attribute: of.attribute,
                slots: of.slots,
                pairs: of.pairs,
            };
            let mut lines: Vec<Line> = store.attribute_use()?.into_iter().map(line).collect();
            // The undeclared first, by how many pairs they hold open.
            lines.sort_by_key(|line| (line.cardinality.is_some(), std::cmp::Reverse(line.pairs)));
            Ok(Answer::Attributes(lines))
        }
    }
}
