//! Words for stories: `lisbon().observed("2025-10-14T09:31:00Z").by("user_utterance").epoch(3)`.
//!
//! A bare [`record`] claims a value and nothing else: no source, no time, no epoch. Each word adds one thing, so that
//! what a test leaves out is what the record lacks.

use std::collections::BTreeMap;

use gainsay::core::examine::{Examination, Finding, Ground, Side, examine};
use gainsay::core::identity::SameSubject;
use gainsay::core::policy::{AttributePolicy, Cardinality, OnChange, Policy, Rules};
use gainsay::core::record::{Attribute, Batch, Epoch, Kind, Op, Record, RecordId, Source, SourceClass, Subject};
use gainsay::core::time::{Instant, When};
use gainsay::core::value::Comparison;
use proptest::test_runner::{Config as ProptestConfig, FileFailurePersistence, RngSeed};
use serde_json::{Map, Value};

/// When the tests' records are written, unless they say otherwise.
pub(crate) const WRITTEN: &str = "2025-11-10T12:00:00Z";

/// The instant of a text; the tests' own texts are well-formed.
pub(crate) fn instant(text: &str) -> Instant {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The time of a text, with the precision in which it is written.
pub(crate) fn when(text: &str) -> When {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A claim that says only its value. Its id is the value, until the story gives it another.
pub(crate) fn record(subject: &str, attribute: &str, value: impl Into<Value>) -> Record {
    let value = value.into();
    let id = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Record {
        id: RecordId::from(id.as_str()),
        subject: Subject::from(subject),
        attribute: Some(Attribute::from(attribute)),
        value,
        op: Op::Assert,
        source: None,
        observed_at: None,
        written_at: instant(WRITTEN),
        recorded_at: instant(WRITTEN),
        epoch: None,
        confidence: None,
        evidence: None,
        answers: None,
        derived_from: None,
        batch: Batch::from("story"),
    }
}

/// The user's own word of the warranty incident.
pub(crate) fn lisbon() -> Record {
    record("user_31882", "home_city", "Lisbon").id("mem_c93e")
}

/// The row of the backfill that contradicts it.
pub(crate) fn berlin() -> Record {
    record("user_31882", "home_city", "Berlin").id("mem_4a1f")
}

/// What a story says of a record, one word at a time.
pub(crate) trait Told: Sized {
    fn id(self, id: &str) -> Self;
    /// The source kind.
    fn by(self, kind: &str) -> Self;
    /// The class that the record itself states, over the policy's map.
    fn class(self, class: SourceClass) -> Self;
    fn observed(self, at: &str) -> Self;
    fn written(self, at: &str) -> Self;
    fn epoch(self, number: i64) -> Self;
    fn confidence(self, confidence: f64) -> Self;
    /// It takes its value back rather than stating it.
    fn retracts(self) -> Self;
}

impl Told for Record {
    fn id(self, id: &str) -> Self {
        Self { id: RecordId::from(id), ..self }
    }

    fn by(self, kind: &str) -> Self {
        let class = self.source.and_then(|source| source.class);
        let source = Source { kind: Some(Kind::from(kind)), class, fields: Map::new() };
        Self { source: Some(source), ..self }
    }

    fn class(self, class: SourceClass) -> Self {
        let kind = self.source.and_then(|source| source.kind);
        Self { source: Some(Source { kind, class: Some(class), fields: Map::new() }), ..self }
    }

    fn observed(self, at: &str) -> Self {
        Self { observed_at: Some(when(at)), ..self }
    }

    fn written(self, at: &str) -> Self {
        Self { written_at: instant(at), ..self }
    }

    fn epoch(self, number: i64) -> Self {
        Self { epoch: Some(Epoch(number)), ..self }
    }

    fn confidence(self, confidence: f64) -> Self {
        Self { confidence: Some(confidence), ..self }
    }

    fn retracts(self) -> Self {
        Self { op: Op::Retract, ..self }
    }
}

/// The source kinds of the shipped policy, each with its class.
pub(crate) const KINDS: [(&str, SourceClass); 12] = [
    ("user_utterance", SourceClass::User),
    ("user_statement", SourceClass::User),
    ("tool_output", SourceClass::Observation),
    ("file_read", SourceClass::Observation),
    ("config_probe", SourceClass::Observation),
    ("api_response", SourceClass::Observation),
    ("billing_system", SourceClass::Observation),
    ("agent_inference", SourceClass::Inference),
    ("behaviour", SourceClass::Inference),
    ("crm_import", SourceClass::ThirdParty),
    ("third_party_mention", SourceClass::ThirdParty),
    ("document", SourceClass::ThirdParty),
];

/// What is declared of an attribute, one word at a time: `one().personal().compared(Comparison::Date)`.
pub(crate) trait Declared: Sized {
    /// The user's word first, as for a person's attributes.
    fn personal(self) -> Self;
    /// What was observed first, as for a service's attributes.
    fn world(self) -> Self;
    fn compared(self, comparison: Comparison) -> Self;
    /// The confidence that a winner must have.
    fn floor(self, confidence: f64) -> Self;
    fn owned_by(self, kind: &str) -> Self;
    fn corrected(self) -> Self;
}

/// One value at a time, and nothing else declared.
pub(crate) fn one() -> AttributePolicy {
    AttributePolicy { cardinality: Some(Cardinality::One), ..undeclared() }
}

/// Many values at a time, and nothing else declared.
pub(crate) fn many() -> AttributePolicy {
    AttributePolicy { cardinality: Some(Cardinality::Many), ..undeclared() }
}

/// Nothing declared.
pub(crate) fn undeclared() -> AttributePolicy {
    AttributePolicy::default()
}

impl Declared for AttributePolicy {
    fn personal(self) -> Self {
        use SourceClass::{Inference, Observation, ThirdParty, User};
        Self { authority: Some(vec![User, Observation, Inference, ThirdParty]), ..self }
    }

    fn world(self) -> Self {
        use SourceClass::{Inference, Observation, ThirdParty, User};
        Self { authority: Some(vec![Observation, User, Inference, ThirdParty]), ..self }
    }

    fn compared(self, comparison: Comparison) -> Self {
        Self { compare: Some(comparison), ..self }
    }

    fn floor(self, confidence: f64) -> Self {
        Self { min_confidence: Some(confidence), ..self }
    }

    fn owned_by(self, kind: &str) -> Self {
        Self { system_of_record: Some(Kind::from(kind)), ..self }
    }

    fn corrected(self) -> Self {
        Self { on_change: Some(OnChange::Correction), ..self }
    }
}

/// A policy that knows the shipped source kinds and these attributes.
pub(crate) fn policy<const N: usize>(attributes: [(&str, AttributePolicy); N]) -> Policy {
    Policy {
        version: 1,
        sources: KINDS.iter().map(|(kind, class)| (Kind::from(*kind), *class)).collect(),
        attributes: attributes.map(|(name, declared)| (Attribute::from(name), declared)).into_iter().collect(),
        slots: BTreeMap::new(),
    }
}

/// The rules of a slot whose attribute is declared so.
pub(crate) fn rules(declared: AttributePolicy) -> Rules {
    policy([("declared", declared)]).rules(&Subject::from("anyone"), &Attribute::from("declared"))
}

/// Two records of one subject, held against each other.
pub(crate) fn examined(left: &Record, right: &Record, rules: &Rules) -> Examination {
    examine(left, right, rules, &SameSubject::SameName)
}

/// What the core finds of two records of one subject.
pub(crate) fn found(left: &Record, right: &Record, rules: &Rules) -> Finding {
    examined(left, right, rules).finding
}

/// The same finding, seen from the other side.
pub(crate) fn mirrored(finding: Finding) -> Finding {
    match finding {
        Finding::Resolve { winner, basis } => Finding::Resolve { winner: winner.other(), basis },
        Finding::Agree | Finding::Coexist | Finding::Quarantine(_) => finding,
    }
}

/// Whom a finding lets win, where it does.
pub(crate) fn winner(finding: &Finding) -> Option<Side> {
    match finding {
        Finding::Resolve { winner, .. } => Some(*winner),
        Finding::Agree | Finding::Coexist | Finding::Quarantine(_) => None,
    }
}

/// Why a finding lets nobody win.
pub(crate) fn grounds(finding: &Finding) -> Vec<Ground> {
    match finding {
        Finding::Quarantine(grounds) => grounds.clone(),
        Finding::Agree | Finding::Coexist | Finding::Resolve { .. } => Vec::new(),
    }
}

/// How many cases a property is held against; what once failed it is kept beside the test and tried first.
pub(crate) fn properties(cases: u32) -> ProptestConfig {
    let kept = FileFailurePersistence::WithSource("regressions");
    // One seed, so that a run says the same of the same code; PROPTEST_RNG_SEED tries others.
    let chosen = std::env::var("PROPTEST_RNG_SEED").ok().and_then(|seed| seed.parse().ok());
    let rng_seed = RngSeed::Fixed(chosen.unwrap_or(20_251_201));
    // Fewer where many runs are made of few cases each, as mutation testing does.
    let most = std::env::var("PROPTEST_CASES").ok().and_then(|most| most.parse().ok());
    let cases = most.map_or(cases, |most| cases.min(most));
    ProptestConfig { cases, failure_persistence: Some(Box::new(kept)), rng_seed, ..ProptestConfig::default() }
}
