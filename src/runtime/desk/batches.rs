//! Batches and imports.

use crate::app::asks::batches::{Answer, Question, Summary};
use crate::app::failure::Failure;
use crate::app::port::Watch;
use crate::core::time::Instant;
use crate::store::Store;

pub(super) fn answer(
    store: &mut Store,
    question: &Question,
    _now: Instant,
    _watch: &dyn Watch,
) -> Result<Answer, Failure> {
    match question {
        Question::Page { generation, around } => {
            let all = store.batches()?.into_iter();
            let all: Vec<Summary> = all
                .map(|of| Summary {
                    batch: of.batch,
                    records: of.records,
                    contested: of.contested,
                    withdrawn: of.withdrawn,
                    pairs: of.pairs,
                    lag: of.lag.map(|lag| lag.median),
                    won: of.rulings.won,
                    lost: of.rulings.lost,
                })
                .collect();
            let place = |row: &Summary| all.iter().position(|other| other.batch == row.batch).unwrap_or(0);
            Ok(Answer::Page { generation: *generation, window: around.of(&all, place) })
        }
    }
}
