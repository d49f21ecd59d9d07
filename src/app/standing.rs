//! What a declaration starts from: an attribute, with what is declared of it.

use crate::core::pair::Pair;
use crate::core::policy::AttributePolicy;
use crate::core::record::{Attribute, Subject};

/// An attribute as it is declared, and the subject on the screen where there is one.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    pub attribute: Attribute,
    pub subject: Option<Subject>,
    pub fields: AttributePolicy,
}

impl Standing {
    /// As it is for the slot of a pair.
    pub fn of(pair: &Pair) -> Self {
        let rules = &pair.rules;
        let authority = rules.authority().to_vec();
        Self {
            attribute: pair.entry.attribute.clone(),
            subject: Some(pair.entry.subject.clone()),
            fields: AttributePolicy {
                cardinality: rules.cardinality,
                on_change: Some(rules.on_change),
                authority: (!authority.is_empty()).then_some(authority),
                system_of_record: rules.system_of_record().cloned(),
                compare: Some(rules.compare),
                min_confidence: rules.min_confidence,
                max_age: rules.max_age,
            },
        }
    }
}
