//! The hash of a record's row, from its columns as they lie there: a change that a reader would not see is one all the same.

use rusqlite::Row;
use rusqlite::types::ValueRef;

use super::chain;
use super::error::StoreError;

/// Where the columns of [`RECORD`](super::rows::RECORD) stand that its hash covers: all but its number and its slot.
const COVERED: [usize; 17] = [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18];

/// What [`record_hash`](super::rows::record_hash) gives for the record that was written there, if nobody touched it.
pub(super) fn row_hash(row: &Row<'_>) -> Result<Vec<u8>, StoreError> {
    let mut parts: Vec<Vec<u8>> = Vec::with_capacity(COVERED.len());
    for place in COVERED {
        parts.push(match row.get_ref(place)? {
            ValueRef::Null => vec![0],
            ValueRef::Integer(number) => number.to_string().into_bytes(),
            ValueRef::Real(number) => number.to_string().into_bytes(),
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.to_vec(),
        });
    }
    let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
    Ok(chain::hash_of(&parts))
}
