//! `gainsay policy`: what is declared of attributes.

use crate::core::order::Order;
use crate::core::policy::{self, AttributePolicy, Cardinality, Declaration, OnChange};
use crate::core::record::{self, Attribute, SourceClass, Subject};
use crate::core::value::Comparison;

use crate::error::{Error, Kind, Result};
use crate::store::AttributeUse;
use crate::wire;

use super::context::Context;
use super::output::{Cell, Page, Style, Tone};
use super::{answer, parse, words};

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
    pub system_of_record: Option<record::Kind>,
    /// When two values are one
    #[arg(long, value_name = "HOW", value_parser = parse::one_of(Comparison::ALL.map(Comparison::name), Comparison::named))]
    pub compare: Option<Comparison>,
    /// What a record must state to win by itself
    #[arg(long, value_name = "X", value_parser = parse::fraction)]
    pub min_confidence: Option<f64>,
    /// How long a settled fact stays fresh: 90d, 2w, 12h
    #[arg(long, value_name = "D", value_parser = parse::length_of_time)]
    pub max_age: Option<i128>,
}

impl Policy {
    pub fn run(self, context: &Context) -> Result {
        match self.verb {
            Verb::Show { attribute } => show(attribute.as_ref(), context),
            Verb::Declare(declare) => {
                declare.must_make_sense()?;
                let subject = declare.subject.clone();
                let outcome = context.writing()?.order(&declare.order(), &context.by(), None)?;
                super::unknown::warn_of_subjects(&subject, context)?;
                context.say(|| answer::effects(&outcome, false), || answer::render(&outcome, context.style))
            }
            Verb::Try(declare) => {
                declare.must_make_sense()?;
                super::tried::run(&declare.declaration(), context)
            }
        }
    }
}

fn show(attribute: Option<&Attribute>, context: &Context) -> Result {
    // What ships holds where there is no store yet.
    let (policy, used) = match context.reading() {
        Ok(store) => (store.policy(None)?, store.attribute_use()?),
        Err(_) if !context.store.exists() => (shipped()?, Vec::new()),
        Err(error) => return Err(error),
    };
    let Some(attribute) = attribute else {
        return context.say(|| wire::policy::write(&policy), || render(&policy, &used, context.style));
    };
    let declared = policy.attributes.get(attribute).cloned().unwrap_or_default();
    let fields = wire::policy::write_fields(&declared);
    context.say(
        || {
            let mut fields = fields.clone();
            fields.insert("attribute".to_owned(), serde_json::json!(attribute.as_str()));
            fields.insert("version".to_owned(), serde_json::json!(policy.version));
            serde_json::Value::Object(fields)
        },
        || {
            let mut page = Page::new(context.style);
            if fields.is_empty() {
                let how = format!("declare it with `gainsay policy declare {attribute} --cardinality one|many`");
                return page
                    .line([Cell::plain(attribute.as_str()), Cell::strong("is undeclared:"), Cell::plain(how)])
                    .text()
                    .to_owned();
            }
            page.line([Cell::strong(attribute.as_str())]).table(&["", ""], &field_rows(&fields)).text().to_owned()
        },
    )
}

fn shipped() -> Result<policy::Policy> {
    wire::policy::read(wire::policy::SHIPPED).map_err(|fault| Error::internal(fault.to_string()))
}

fn field_rows(fields: &serde_json::Map<String, serde_json::Value>) -> Vec<Vec<Cell>> {
    let shown = |value: &serde_json::Value| match value.as_array() {
        Some(items) => items.iter().map(words::value).collect::<Vec<_>>().join(" > "),
        None => words::value(value),
    };
    fields.iter().map(|(key, value)| vec![Cell::quiet(key), Cell::plain(shown(value))]).collect()
}

/// The attributes that records name, the undeclared first by how many pairs they hold open; then the rest of the policy.
fn render(policy: &policy::Policy, used: &[AttributeUse], style: Style) -> String {
    let mut page = Page::new(style);
    let of = |attribute: &Attribute| policy.attributes.get(attribute).cloned().unwrap_or_default();
    let row = |attribute: &Attribute, slots: u64, pairs: u64| {
        let declared = of(attribute);
        let word = |word: Option<&'static str>| Cell::plain(word.unwrap_or("-"));
        let cardinality = match declared.cardinality {
            Some(cardinality) => Cell::plain(cardinality.name()),
            None => Cell::new(Tone::Bad, "undeclared"),
        };
        let order = declared.authority.unwrap_or_default();
        let order: Vec<&str> = declared
            .system_of_record
            .iter()
            .map(record::Kind::as_str)
            .chain(order.iter().map(|class| class.name()))
            .collect();
        vec![
            Cell::strong(attribute.as_str()),
            cardinality,
            word(declared.on_change.map(OnChange::name)),
            word(declared.compare.map(Comparison::name)),
            Cell::plain(if order.is_empty() { "-".to_owned() } else { order.join(" > ") }),
            Cell::plain(slots.to_string()),
            Cell::plain(pairs.to_string()),
        ]
    };
    let mut used: Vec<&AttributeUse> = used.iter().collect();
    used.sort_by_key(|used| (of(&used.attribute).cardinality.is_some(), std::cmp::Reverse(used.pairs)));
    let named: Vec<&Attribute> = used.iter().map(|used| &used.attribute).collect();
    let unused = policy.attributes.keys().filter(|attribute| !named.contains(attribute));
    let rows: Vec<Vec<Cell>> = used
        .iter()
        .map(|used| row(&used.attribute, used.slots, used.pairs))
        .chain(unused.map(|attribute| row(attribute, 0, 0)))
        .collect();
    page.line([Cell::plain(format!("policy version {}", policy.version))]);
    page.table(&["attribute", "holds", "on change", "compared as", "authority", "slots", "open"], &rows);
    let kinds: Vec<Vec<Cell>> = policy
        .sources
        .iter()
        .map(|(kind, class)| vec![Cell::plain(kind.as_str()), Cell::plain(class.name())])
        .collect();
    page.gap().table(&["source kind", "class"], &kinds).text().to_owned()
}

const CARDINALITIES: [Cardinality; 2] = [Cardinality::One, Cardinality::Many];
const CHANGES: [OnChange; 2] = [OnChange::Succession, OnChange::Correction];

impl Declare {
    /// An order in which a class stands twice is none.
    fn must_make_sense(&self) -> Result {
        let order = self.fields.authority.as_deref().unwrap_or_default();
        match order.iter().enumerate().find(|(at, class)| order[..*at].contains(class)) {
            Some((_, twice)) => Err(Error::new(Kind::Usage, format!("--authority names {twice} twice"))
                .with_hint("name each class once, the most authoritative first")),
            None => Ok(()),
        }
    }

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
