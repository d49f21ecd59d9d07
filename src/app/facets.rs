//! Facets: what the queue is narrowed to, each a list of values of which some may be excluded. A form that writes
//! nothing.

use super::form::{Field, Form, Purpose};
use super::listed::{read, written};
use super::port::{Commonest, Counts, Filter};
use crate::core::examine::Ground;
use crate::core::facet::Facet;
use crate::core::pair::{Entry, PairState};

/// What stands for the stale lane among the states.
const STALE: &str = "stale";

/// The form, filled with the filter in force; the commonest values are offered, what the selected entry has first.
/// `clear` is the key that clears it.
pub(super) fn build(filter: &Filter, counts: &Counts, entry: Option<&Entry>, clear: &str) -> Form {
    let states = [counts.open, counts.awaiting, counts.deferred, counts.settled];
    let states = PairState::ALL.into_iter().zip(states).map(|(state, many)| (state.name().to_owned(), many));
    let grounds = counts.by_ground.iter().map(|(ground, many)| (ground.name().to_owned(), *many));
    let states_held = filter.states.iter().map(|state| state.name()).collect::<Vec<_>>().join(", ");
    let here = |mut offers: Vec<(String, u64)>, value: Option<&str>| {
        let found = value.and_then(|value| offers.iter().position(|(offered, _)| offered == value));
        if let Some(at) = found {
            let first = offers.remove(at);
            offers.insert(0, first);
        }
        offers
    };
    let fields = vec![
        Field::text("state", "empty: whatever their state").holding(&states_held).offering(states.collect()),
        Field::text("ground", "no open pair has one")
            .holding(&written(&filter.grounds.map(|ground| ground.name().to_owned())))
            .offering(grounds.collect()),
        Field::text("attribute", "no pair is open")
            .holding(&written(&filter.attributes))
            .offering(here(counts.by_attribute.clone(), entry.map(|entry| entry.attribute.as_str()))),
        Field::text("subject", "counting …").holding(&written(&filter.subjects)),
        Field::text("batch", "counting …").holding(&written(&filter.batches)),
    ];
    let about = format!("Values by commas, ! leaves one out. An empty line does not narrow; {clear} clears all.");
    Form::new(Purpose::Facets, "Show only".to_owned(), about, fields)
}

/// The commonest subjects and batches have come.
pub(super) fn offer(form: &mut Form, commonest: Commonest) {
    if form.purpose != Purpose::Facets {
        return;
    }
    if commonest.stale > 0
        && let Some(field) = form.fields.iter_mut().find(|field| field.name == "state")
    {
        // Next to what is open, for the line may end before the last of them.
        field.offers.insert(field.offers.len().min(1), (STALE.to_owned(), commonest.stale));
    }
    for (name, offers) in [("subject", commonest.subjects), ("batch", commonest.batches)] {
        if let Some(field) = form.fields.iter_mut().find(|field| field.name == name) {
            field.hint = "no pair is open".to_owned();
            field.offers = offers;
        }
    }
}

/// Whether the form asks for the stale facts: they are no pairs, and have a lane of their own.
pub(super) fn names_stale(form: &Form) -> bool {
    form.value("state").trim().eq_ignore_ascii_case(STALE)
}

/// The filter that the form describes, or the field that is not understood; what is found by `/` stays in force.
pub(super) fn filter(form: &Form, before: &Filter) -> Result<Filter, (&'static str, String)> {
    let states = read(form.value("state"));
    let mut wanted: Vec<PairState> = Vec::new();
    for state in &states.any_of {
        wanted.push(named(PairState::ALL, PairState::name, state).map_err(|why| ("state", why))?);
    }
    for state in &states.none_of {
        let not = named(PairState::ALL, PairState::name, state).map_err(|why| ("state", why))?;
        let all = if wanted.is_empty() { PairState::ALL.to_vec() } else { wanted };
        wanted = all.into_iter().filter(|state| *state != not).collect();
    }
    let grounds = read(form.value("ground"));
    let ground = |names: &[String]| -> Result<Vec<Ground>, (&'static str, String)> {
        names.iter().map(|name| named(Ground::ALL, Ground::name, name).map_err(|why| ("ground", why))).collect()
    };
    Ok(Filter {
        states: wanted,
        grounds: Facet { any_of: ground(&grounds.any_of)?, none_of: ground(&grounds.none_of)? },
        attributes: read(form.value("attribute")),
        subjects: read(form.value("subject")),
        batches: read(form.value("batch")),
        text: before.text.clone(),
    })
}

/// The one that is named so, or whose name alone has these letters.
fn named<T: Copy, const N: usize>(
    all: [T; N],
    name: impl Fn(T) -> &'static str,
    wanted: &str,
) -> Result<T, String> {
    let wanted = wanted.to_ascii_lowercase();
    let exact = all.into_iter().find(|one| name(*one) == wanted);
    let like: Vec<T> = all.into_iter().filter(|one| name(*one).contains(&wanted)).collect();
    match (exact, like.as_slice()) {
        (Some(one), _) => Ok(one),
        (None, [one]) => Ok(*one),
        (None, []) => Err(format!("{wanted} is none of {}", all.map(&name).join(", "))),
        (None, several) => {
            let several: Vec<&str> = several.iter().map(|one| name(*one)).collect();
            Err(format!("{wanted} may be any of {}", several.join(", ")))
        }
    }
}
