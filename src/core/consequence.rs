//! What came, or would come, of a ruling in the one slot that it is about, record by record and pair by pair.

use serde_json::Value;

use super::examine::Ground;
use super::pair::RecordState;
use super::record::RecordId;
use super::ruling::PairId;

/// What follows from a ruling, as far as it can be told one by one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Consequence {
    /// Where one slot was concerned: the records that became something else, or are new; of many the first.
    pub became: Vec<Became>,
    /// The pairs that are open in that slot afterwards; of many the first.
    pub open: Vec<Open>,
    /// What was to be changed and stays as it is: why, and how many records.
    pub left: Vec<(String, u64)>,
}

/// A record, and what it is now.
#[derive(Clone, Debug, PartialEq)]
pub struct Became {
    pub id: RecordId,
    pub value: Value,
    pub state: RecordState,
    /// The record whose claim beat it.
    pub by: Option<RecordId>,
    /// Whether the ruling brought it.
    pub is_new: bool,
}

/// A pair that is open, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    pub pair: PairId,
    pub grounds: Vec<Ground>,
}
