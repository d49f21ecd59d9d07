//! `gainsay policy`: what is declared of attributes.

use crate::core::order::Order;
use crate::core::policy::{AttributePolicy, Cardinality, Declaration, OnChange};
use crate::core::record::{Attribute, Kind, SourceClass, Subject};
use crate::core::value::Comparison;

use super::parse;

/// Show, declare or try out what holds for an attribute
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Policy {
    #[command(subcommand)]
    pub verb: Verb,
}

#[derive(Clone, Debug, PartialEq, clap::Subcommand)]
pub enum Verb {
    /// Show the policy, or what is declared of one attribute
    Show {
        /// The attribute
        #[arg(value_name = "ATTRIBUTE", value_parser = parse::attribute)]
        attribute: Option<Attribute>,
    },
    /// Declare an attribute; every slot of it is settled again
    Declare(Declare),
    /// Say what a declaration would change; write nothing
    Try(Declare),
}

/// A declaration.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Declare {
    /// The attribute
    #[arg(value_name = "ATTRIBUTE", value_parser = parse::attribute)]
    pub attribute: Attribute,
    #[command(flatten)]
    pub fields: Fields,
    /// For this subject only
    #[arg(long, value_name = "S", value_parser = parse::subject)]
    pub subject: Option<Subject>,
}

/// What is declared, at least one thing; what is not named stays as it was.
#[derive(Clone, Debug, PartialEq, clap::Args)]
#[group(required = true, multiple = true)]
pub struct Fields {
    /// How many values it holds at a time
    #[arg(long, value_name = "ONE|MANY", value_parser = parse::one_of(CARDINALITIES.map(Cardinality::name), Cardinality::named))]
    pub cardinality: Option<Cardinality>,
    /// What a new value says of the old: it stopped being true, or it never was
    #[arg(long, value_name = "WHAT", value_parser = parse::one_of(CHANGES.map(OnChange::name), OnChange::named))]
    pub on_change: Option<OnChange>,
    /// The order of source classes, the most authoritative first
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', value_parser = parse::one_of(SourceClass::ALL.map(SourceClass::name), SourceClass::named))]
    pub authority: Option<Vec<SourceClass>>,
    /// The source kind that owns the attribute, above every class
    #[arg(long, value_name = "KIND", value_parser = parse::kind)]
    pub system_of_record: Option<Kind>,
    /// When two values are one
    #[arg(long, value_name = "HOW", value_parser = parse::one_of(Comparison::ALL.map(Comparison::name), Comparison::named))]
    pub compare: Option<Comparison>,
    /// What a record must state to win by itself
    #[arg(long, value_name = "X", value_parser = parse::fraction)]
    pub min_confidence: Option<f64>,
    /// How long a settled fact stays fresh: 90d, 12h
    #[arg(long, value_name = "D", value_parser = parse::length_of_time)]
    pub max_age: Option<i128>,
}

const CARDINALITIES: [Cardinality; 2] = [Cardinality::One, Cardinality::Many];
const CHANGES: [OnChange; 2] = [OnChange::Succession, OnChange::Correction];

impl Declare {
    pub fn declaration(self) -> Declaration {
        let Fields { cardinality, on_change, authority, system_of_record, compare, min_confidence, max_age } =
            self.fields;
        let fields = AttributePolicy {
            cardinality,
            on_change,
            authority,
            system_of_record,
            compare,
            min_confidence,
            max_age,
        };
        Declaration { attribute: self.attribute, subject: self.subject, fields }
    }

    pub fn order(self) -> Order {
        Order::Declare { declaration: self.declaration() }
    }
}
