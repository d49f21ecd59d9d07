//! The pair that an order is about, as it is now: what the core permits on it, and how a refusal is said.

use super::plan::{OrderError, Plan, bare};
use super::session::Session;
use super::side_by_side;
use crate::core::examine::Examination;
use crate::core::order::Refusal;
use crate::core::pair::{Pair, PairState};
use crate::core::permit::{Action, Permission};
use crate::core::ruling::{Between, Decision, PairId};

/// A pair as it is now, with where its records and its slot are.
pub(super) struct OnPair {
    pub(super) pair: Pair,
    pub(super) slot: i64,
    pub(super) left: i64,
    pub(super) right: i64,
}

impl OnPair {
    pub(super) fn load(session: &Session<'_>, id: PairId) -> Result<Self, OrderError> {
        let pair = side_by_side::pair(session, id)?
            .ok_or_else(|| Refusal::Missing { what: "pair", id: id.to_string() })?;
        let (slot, left, right) = side_by_side::place(session.connection, id)?;
        Ok(Self { pair, slot, left, right })
    }

    pub(super) fn between(&self) -> Between {
        let [left, right] = self.pair.entry.records.clone();
        Between(left, right)
    }

    pub(super) fn plan(&self, kind: &'static str, decision: Decision, reason: Option<&String>) -> Plan {
        Plan {
            pair: Some(self.pair.entry.pair),
            slot: Some(self.slot),
            reason: reason.filter(|reason| !reason.trim().is_empty()).cloned(),
            records: vec![self.left, self.right],
            examination: Some(Examination::clone(&self.pair.examination)),
            ..bare(kind, decision)
        }
    }

    pub(super) fn must_permit(&self, action: Action) -> Result<(), OrderError> {
        match self.pair.permission(action) {
            Some(Permission::Refused(why)) => Err(self.refusal(action, why.to_string())),
            Some(Permission::Permitted | Permission::NeedsRecencyOverride) | None => Ok(()),
        }
    }

    pub(super) fn refusal(&self, action: Action, because: String) -> OrderError {
        let because = if self.pair.entry.state == PairState::Settled { self.how_it_settled() } else { because };
        Refusal::NotPermitted { action: action.name(), because, permitted: self.alternatives() }.into()
    }

    /// Who settled it and how, for the one who came too late.
    pub(super) fn how_it_settled(&self) -> String {
        match &self.pair.ruled {
            Some(ruled) => format!(
                "the pair is settled: {} ruled {} at {}; undo ruling {}, or dispute what was settled",
                ruled.by, ruled.what, ruled.at, ruled.ruling
            ),
            None => {
                "the pair is settled, and not by a ruling on it: a later record, a withdrawal or a declaration \
                     closed it (`gainsay history` tells)"
                    .to_owned()
            }
        }
    }

    /// What is permitted instead, by name.
    pub(super) fn alternatives(&self) -> Vec<String> {
        self.pair
            .permitted
            .iter()
            .filter(|permitted| permitted.permission.allows())
            .map(|permitted| match &permitted.record {
                Some(record) => format!("{} {record}", permitted.action.name()),
                None => permitted.action.name().to_owned(),
            })
            .collect()
    }
}
