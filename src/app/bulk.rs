//! One decision for many marked pairs: sorted into allowed, needing an override, and refused, before anything is asked.

use crate::core::examine::Side;
use crate::core::order::{Order, Scope};
use crate::core::pair::{Pair, Revision};
use crate::core::permit::{Action, Permission};
use crate::core::ruling::PairId;
use crate::core::time::Instant;

/// What can be decided for many at once. What needs words of its own for each pair is not among it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    Accept(Side),
    LinkSame,
    LinkBothTrue,
    LinkAcrossEpochs,
    Request,
    Defer(Instant),
}

/// The marked pairs by what the core says of the choice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sorted {
    pub allowed: Vec<Ordered>,
    pub overrides: Vec<PairId>,
    pub refused: Vec<(PairId, String)>,
    /// No longer there.
    pub gone: Vec<PairId>,
}

impl Sorted {
    /// Adds one pair to its heap.
    pub fn sort(&mut self, id: PairId, pair: Option<&Pair>, choice: Choice) {
        let Some(pair) = pair else {
            self.gone.push(id);
            return;
        };
        match pair.permission(choice.action()) {
            Some(Permission::Permitted) => {
                self.allowed.push(Ordered { order: choice.order(pair), revision: Some(pair.revision) });
            }
            Some(Permission::NeedsRecencyOverride) => self.overrides.push(id),
            Some(Permission::Refused(because)) => self.refused.push((id, because.to_string())),
            None => self.refused.push((id, "the core does not list it".to_owned())),
        }
    }
}

impl Choice {
    pub const fn action(self) -> Action {
        match self {
            Self::Accept(side) => Action::Accept(side),
            Self::LinkSame => Action::LinkSame,
            Self::LinkBothTrue => Action::LinkBothTrue,
            Self::LinkAcrossEpochs => Action::LinkAcrossEpochs,
            Self::Request => Action::Reobserve,
            Self::Defer(_) => Action::Defer,
        }
    }

    /// What it is called in the title of the preview.
    pub fn title(self) -> String {
        match self {
            Self::Accept(Side::Left) => "Accept A".to_owned(),
            Self::Accept(Side::Right) => "Accept B".to_owned(),
            Self::LinkSame => "Link as one value".to_owned(),
            Self::LinkBothTrue => "Link as both true, each slot for itself".to_owned(),
            Self::LinkAcrossEpochs => "Link across epochs".to_owned(),
            Self::Request => "Request a look".to_owned(),
            Self::Defer(until) => format!("Defer until {until}"),
        }
    }

    /// The order for one pair.
    pub fn order(self, of: &Pair) -> Order {
        let (pair, reason) = (of.entry.pair, String::new());
        match self {
            Self::Accept(side) => {
                Order::Accept { pair, winner: of.record(side).record.id.clone(), recency_override: false, reason }
            }
            Self::LinkSame => Order::LinkSame { pair, reason },
            Self::LinkBothTrue => Order::LinkBothTrue { pair, scope: Scope::Slot, reason },
            Self::LinkAcrossEpochs => Order::LinkAcrossEpochs { pair, cause: None, reason },
            Self::Request => Order::Request { pair },
            Self::Defer(until) => Order::Defer { pair, until },
        }
    }
}

/// An order, and what the pair was when it was looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Ordered {
    pub order: Order,
    pub revision: Option<Revision>,
}
