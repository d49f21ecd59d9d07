//! What holds for every slot: the policy, who is who, and which epochs were opened.

use std::cell::RefCell;
use std::sync::Arc;

use rusqlite::Connection;

use super::error::StoreError;
use super::{calendar, identity, policy};
use crate::core::calendar::Calendar;
use crate::core::identity::Identity;
use crate::core::policy::Policy;
use crate::core::time::Instant;

/// All of it, as of a time of belief.
pub(super) struct Frame {
    pub(super) policy: Policy,
    pub(super) identity: Identity,
    pub(super) calendar: Calendar,
}

impl Frame {
    /// As of a time; without one, as it is.
    pub(super) fn at(connection: &Connection, believed_at: Option<Instant>) -> Result<Self, StoreError> {
        Ok(Self {
            policy: policy::current(connection, believed_at)?,
            identity: identity::identity(connection, believed_at)?,
            calendar: calendar::calendar(connection, believed_at)?,
        })
    }
}

/// The frame as it was last read, and by which numbers: versions and rulings are never changed, so what was read under
/// the same numbers need not be read again. Only what is committed may be kept here.
#[derive(Default)]
pub(super) struct Frames(RefCell<Option<Kept>>);

struct Kept {
    version: i64,
    ruling: i64,
    frame: Arc<Frame>,
}

impl Frames {
    /// The frame as it is now.
    pub(super) fn now(&self, connection: &Connection) -> Result<Arc<Frame>, StoreError> {
        let (version, ruling): (i64, i64) = connection
            .prepare_cached(
                "SELECT (SELECT max(version) FROM policies), (SELECT coalesce(max(ruling), 0) FROM rulings)",
            )?
            .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut kept = self.0.borrow_mut();
        let frame = match kept.as_ref() {
            Some(kept) if (kept.version, kept.ruling) == (version, ruling) => Arc::clone(&kept.frame),
            Some(kept) if kept.version == version => Arc::new(Frame {
                policy: kept.frame.policy.clone(),
                identity: identity::identity(connection, None)?,
                calendar: calendar::calendar(connection, None)?,
            }),
            Some(_) | None => Arc::new(Frame::at(connection, None)?),
        };
        *kept = Some(Kept { version, ruling, frame: Arc::clone(&frame) });
        Ok(frame)
    }
}
