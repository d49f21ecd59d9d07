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
    pub(super) policy: Arc<Policy>,
    pub(super) identity: Arc<Identity>,
    pub(super) calendar: Arc<Calendar>,
}

impl Frame {
    /// As of a time; without one, as it is.
    pub(super) fn at(connection: &Connection, believed_at: Option<Instant>) -> Result<Self, StoreError> {
        Ok(Self {
            policy: Arc::new(policy::current(connection, believed_at)?),
            identity: Arc::new(identity::identity(connection, believed_at)?),
            calendar: Arc::new(calendar::calendar(connection, believed_at)?),
        })
    }
}

/// The frame as it was last read, and by which numbers: versions and rulings are never changed, so what was read under
/// the same numbers need not be read again. Only what is committed may be kept here.
#[derive(Default)]
pub(super) struct Frames(RefCell<Option<Kept>>);

struct Kept {
    version: i64,
    /// The last ruling of all, and the last of those that can change who is who, or an epoch.
    ruling: i64,
    telling: i64,
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
        if let Some(kept) = kept.as_ref().filter(|kept| (kept.version, kept.ruling) == (version, ruling)) {
            return Ok(Arc::clone(&kept.frame));
        }
        let telling = last_telling(connection)?;
        let frame = match kept.as_ref() {
            // Most rulings say nothing that holds beyond their slot.
            Some(kept) if (kept.version, kept.telling) == (version, telling) => Arc::clone(&kept.frame),
            Some(kept) if kept.version == version => Arc::new(Frame {
                policy: Arc::clone(&kept.frame.policy),
                identity: Arc::new(identity::identity(connection, None)?),
                calendar: Arc::new(calendar::calendar(connection, None)?),
            }),
            Some(_) | None => Arc::new(Frame::at(connection, None)?),
        };
        *kept = Some(Kept { version, ruling, telling, frame: Arc::clone(&frame) });
        Ok(frame)
    }
}

/// The last ruling of a kind that speaks of names or epochs, or takes another back.
fn last_telling(connection: &Connection) -> Result<i64, StoreError> {
    let mut last = connection.prepare_cached("SELECT coalesce(max(ruling), 0) FROM rulings WHERE kind = ?1")?;
    let mut telling = 0;
    for kind in ["alias", "epoch", "link", "undo"] {
        telling = telling.max(last.query_row([kind], |row| row.get(0))?);
    }
    Ok(telling)
}
