//! What a record's row says, laid out to be hashed: part after part, each with its length before it.

use std::fmt;
use std::io::Write as _;

use sha2::{Digest, Sha256};

/// Parts in one stretch of memory: a record has seventeen, and there may be millions of records.
pub(super) struct Parts(Vec<u8>);

/// What stands for a part that is not there.
const ABSENT: &[u8] = &[0];

impl Default for Parts {
    /// With room for a record as most are.
    fn default() -> Self {
        Self(Vec::with_capacity(1_024))
    }
}

impl Parts {
    /// Begins anew, in the same memory.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds a text as it is.
    pub(super) fn text(&mut self, text: Option<&str>) {
        self.bytes(text.map(str::as_bytes));
    }

    /// Adds bytes as they are.
    pub(super) fn bytes(&mut self, part: Option<&[u8]>) {
        self.part(|bytes| bytes.extend_from_slice(part.unwrap_or(ABSENT)));
    }

    /// Adds something as it shows itself.
    pub(super) fn shown(&mut self, part: Option<impl fmt::Display>) {
        self.part(|bytes| match part {
            Some(part) => drop(write!(bytes, "{part}")),
            None => bytes.extend_from_slice(ABSENT),
        });
    }

    /// SHA-256 over all of it.
    pub(super) fn hash(&self) -> [u8; 32] {
        Sha256::digest(&self.0).into()
    }

    fn part(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let begins = self.0.len();
        self.0.extend_from_slice(&[0; 8]);
        write(&mut self.0);
        let length = u64::try_from(self.0.len() - begins - 8).unwrap_or(u64::MAX);
        self.0[begins..begins + 8].copy_from_slice(&length.to_be_bytes());
    }
}
