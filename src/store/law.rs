//! The law by which slots are settled: what is declared, who is who, and which epochs were opened. It touches no store, so
//! a thread can have a copy and settle by it.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::frame::Frame;
use crate::core::calendar::Calendar;
use crate::core::identity::Identity;
use crate::core::policy::{Policy, Rules};
use crate::core::record::{Attribute, Lack, Record, Subject};

/// What holds for every slot, and the rules of each.
#[derive(Clone)]
pub(super) struct Law {
    pub(super) policy: Arc<Policy>,
    pub(super) identity: Arc<Identity>,
    /// What was said of epochs.
    pub(super) calendar: Arc<Calendar>,
    /// The attributes that are declared for single subjects.
    own: BTreeSet<Attribute>,
    /// The rules of the others, as they were needed.
    rules: RefCell<HashMap<Attribute, Arc<Rules>>>,
}

/// A slot by its names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SlotName {
    pub(super) subject: Subject,
    pub(super) attribute: Attribute,
}

impl Law {
    pub(super) fn of(frame: &Frame) -> Self {
        Self {
            policy: Arc::clone(&frame.policy),
            identity: Arc::clone(&frame.identity),
            calendar: Arc::clone(&frame.calendar),
            own: frame.policy.slots.keys().map(|(_, attribute)| attribute.clone()).collect(),
            rules: RefCell::default(),
        }
    }

    /// The same, but for its policy.
    pub(super) fn under(&self, policy: Policy) -> Self {
        let (identity, calendar) = (Arc::clone(&self.identity), Arc::clone(&self.calendar));
        Self::of(&Frame { policy: Arc::new(policy), identity, calendar })
    }

    /// The rules of a slot, with the epochs that were opened for its subject.
    pub(super) fn rules(&self, name: &SlotName) -> Arc<Rules> {
        let rules = self.declared(name);
        if self.calendar.is_empty() {
            return rules;
        }
        let openings = self.calendar.openings(&self.identity.names_of(&name.subject));
        if openings.is_empty() { rules } else { Arc::new((*rules).clone().with_openings(openings)) }
    }

    /// Everything that keeps a record from being anchored in its slot.
    pub(super) fn lacks(&self, record: &Record) -> Vec<Lack> {
        match record.attribute.clone() {
            Some(attribute) => self.rules(&SlotName { subject: record.subject.clone(), attribute }).lacks(record),
            None => record.lacks(),
        }
    }

    /// What is declared for a slot; shared between the slots of an attribute where none has its own.
    fn declared(&self, name: &SlotName) -> Arc<Rules> {
        if self.own.contains(&name.attribute) {
            return Arc::new(self.policy.rules_of(&self.identity.names_of(&name.subject), &name.attribute));
        }
        if let Some(known) = self.rules.borrow().get(&name.attribute) {
            return Arc::clone(known);
        }
        let rules = Arc::new(self.policy.rules_of(&[], &name.attribute));
        self.rules.borrow_mut().insert(name.attribute.clone(), Arc::clone(&rules));
        rules
    }
}
