//! What a ruling did in the one slot that it was about, told one by one.

use super::error::StoreError;
use super::pairs::{self, Changes};
use super::rows;
use super::session::{self, Session};
use crate::core::consequence::{Became, Consequence, Open};
use crate::core::pair::RecordState;
use crate::core::record::RecordId;
use crate::core::ruling::PairId;

/// Of open pairs so many are told.
const MOST_PAIRS: usize = 6;

/// What became of the slot; of more than one slot nothing is told one by one.
pub(super) fn of(session: &Session<'_>, changes: &Changes, slots: u64) -> Result<Consequence, StoreError> {
    let mut told = Consequence::default();
    let Some((first, _)) = changes.moved.first().filter(|_| slots == 1) else { return Ok(told) };
    let id = |row: i64| -> Result<RecordId, StoreError> { Ok(rows::record_at(session.connection, row)?.record.id) };
    for (row, state) in &changes.moved {
        let record = rows::record_at(session.connection, *row)?.record;
        told.became.extend(RecordState::named(&state.state).map(|now| Became {
            is_new: record.recorded_at == session.by.now,
            id: record.id,
            value: record.value,
            state: now,
            by: None,
        }));
        if let (Some(became), Some(by)) = (told.became.last_mut(), state.superseded_by) {
            became.by = Some(id(by)?);
        }
    }
    for home in session::homes_of_records(session, &[*first])? {
        let open = pairs::of_home(session.connection, home)?.into_iter().filter(|pair| !pair.is_settled());
        let open = open.map(|pair| Open { pair: PairId(pair.pair), grounds: pairs::grounds(&pair.grounds) });
        told.open.extend(open.take(MOST_PAIRS));
    }
    Ok(told)
}
