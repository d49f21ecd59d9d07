//! `gainsay stale`: settled facts that nobody has seen to hold for longer than their policy allows.

use serde_json::{Value, json};

use crate::core::record::Attribute;
use crate::error::Result;
use crate::store;
use crate::wire::policy::length_of_time;

use super::context::Context;
use super::output::{Cell, Page, print, print_json};
use super::{parse, words};

/// List settled facts that were last seen longer ago than their policy allows (policy declare --max-age)
///
/// Nothing expires: `recall` still answers them, and says that they are stale. The longest unseen come first.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Stale {
    /// Only of this attribute
    #[arg(long, value_name = "A", value_parser = parse::attribute)]
    pub attribute: Option<Attribute>,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub limit: usize,
}

impl Stale {
    pub fn run(self, context: &Context) -> Result {
        let found = context.reading()?.stale(self.attribute.as_ref(), self.limit, context.now)?;
        if context.json {
            return found.iter().try_for_each(|stale| print_json(&to_json(stale)));
        }
        print(&render(&found, context))
    }
}

fn to_json(stale: &store::Stale) -> Value {
    json!({
        "subject": stale.subject.as_str(), "attribute": stale.attribute.as_str(), "value": stale.value,
        "supported_at": stale.supported_at.to_string(), "max_age": length_of_time(stale.max_age),
    })
}

fn render(found: &[store::Stale], context: &Context) -> String {
    let mut page = Page::new(context.style);
    if found.is_empty() {
        return page.line([Cell::quiet("nothing settled is older than its policy allows")]).text().to_owned();
    }
    let rows: Vec<Vec<Cell>> = found
        .iter()
        .map(|stale| {
            let value = stale.value.as_ref().map_or_else(|| "several values".to_owned(), words::value);
            vec![
                Cell::plain(stale.subject.as_str()),
                Cell::plain(stale.attribute.as_str()),
                Cell::strong(value),
                Cell::plain(words::time(stale.supported_at)),
                Cell::plain(words::age(stale.supported_at, context.now)),
                Cell::quiet(length_of_time(stale.max_age)),
            ]
        })
        .collect();
    page.table(&["subject", "attribute", "value", "last seen", "", "may be unseen for"], &rows).text().to_owned()
}
