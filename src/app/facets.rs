//! Facets: what the queue is narrowed to. A form that writes nothing.

use super::form::{Field, Form, Purpose};
use super::port::{Counts, Filter};
use crate::core::examine::Ground;
use crate::core::pair::{Entry, PairState};

const ANY: &str = "any";

/// The form, filled with the filter in force; what the selected entry has is offered as a hint. `clear` is the
/// key that clears it.
pub(super) fn build(filter: &Filter, counts: &Counts, entry: Option<&Entry>, clear: &str) -> Form {
    let grounds: Vec<&str> = std::iter::once(ANY).chain(Ground::ALL.map(Ground::name)).collect();
    let states: Vec<&str> = PairState::ALL.map(PairState::name).into_iter().chain([ANY]).collect();
    let known: Vec<String> =
        counts.by_ground.iter().map(|(ground, count)| format!("{} {count}", ground.name())).collect();
    let here = |text: Option<&str>| text.map(|text| format!("here: {text}")).unwrap_or_default();
    let text = |of: &Option<String>| of.clone().unwrap_or_default();
    let fields = vec![
        Field::choice("state", "← → to change", &states).holding(filter.state.map_or(ANY, PairState::name)),
        Field::choice("ground", &known.join(", "), &grounds).holding(filter.ground.map_or(ANY, Ground::name)),
        Field::text("attribute", &here(entry.map(|entry| entry.attribute.as_str())))
            .holding(&text(&filter.attribute)),
        Field::text("subject", &here(entry.map(|entry| entry.subject.as_str()))).holding(&text(&filter.subject)),
        Field::text("batch", "records of this batch").holding(&text(&filter.batch)),
    ];
    let about = format!("Nothing is written. An empty field does not narrow; {clear} clears all.");
    Form::new(Purpose::Facets, "Show only".to_owned(), about, fields)
}

/// The filter that the form describes; what is found by `/` stays in force.
pub(super) fn filter(form: &Form, before: &Filter) -> Filter {
    let text = |name| Some(form.value(name)).filter(|text| !text.is_empty()).map(str::to_owned);
    Filter {
        state: PairState::named(form.value("state")),
        ground: Ground::named(form.value("ground")),
        attribute: text("attribute"),
        subject: text("subject"),
        batch: text("batch"),
        text: before.text.clone(),
    }
}
