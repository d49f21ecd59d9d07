//! The short words of the policy screen.

use crate::app::asks::policy::Spread;
use crate::core::pair::Tally;
use crate::core::policy::{AttributePolicy, length_of_time};
use crate::core::record::SourceClass;
use crate::core::text::reveal;
use crate::tui::text::thousands;

/// A class in three or four letters.
pub(super) const fn short(class: SourceClass) -> &'static str {
    match class {
        SourceClass::Observation => "obs",
        SourceClass::User => "user",
        SourceClass::Inference => "inf",
        SourceClass::ThirdParty => "3rd",
    }
}

/// Who stands above whom: `billing_system>user>obs`; a class that is not in it has no rank.
pub(super) fn authority(fields: &AttributePolicy) -> String {
    let system = fields.system_of_record.iter().map(|kind| reveal(kind.as_str()).into_owned());
    let order = fields.authority.iter().flatten().map(|class| short(*class).to_owned());
    system.chain(order).collect::<Vec<_>>().join(">")
}

/// The floor of confidence and the age at which a fact is stale: `≥0.8 90d`.
pub(super) fn limits(fields: &AttributePolicy) -> String {
    let floor = fields.min_confidence.map(|floor| format!("≥{floor}"));
    let age = fields.max_age.map(length_of_time);
    [floor, age].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Everything that is declared, in words: `cardinality one · on change succession`.
pub(super) fn fields(fields: &AttributePolicy) -> String {
    let order = fields
        .authority
        .as_ref()
        .map(|order| order.iter().map(|class| class.name()).collect::<Vec<_>>().join(" > "));
    let said = [
        ("cardinality", fields.cardinality.map(|it| it.name().to_owned())),
        ("on change", fields.on_change.map(|it| it.name().to_owned())),
        ("compare", fields.compare.map(|it| it.name().to_owned())),
        ("authority", order),
        ("system of record", fields.system_of_record.as_ref().map(|kind| reveal(kind.as_str()).into_owned())),
        ("min confidence", fields.min_confidence.map(|it| it.to_string())),
        ("max age", fields.max_age.map(length_of_time)),
    ];
    let said: Vec<String> =
        said.into_iter().filter_map(|(name, value)| Some(format!("{name} {}", value?))).collect();
    if said.is_empty() { "nothing".to_owned() } else { said.join(" · ") }
}

/// How many of so many, in the hundred; `·` for none.
pub(super) fn share(part: u64, of: u64) -> String {
    match (part, of) {
        (0, _) | (_, 0) => "·".to_owned(),
        (part, of) if part == of => "all".to_owned(),
        (part, of) => match part.saturating_mul(100) / of {
            0 => "<1%".to_owned(),
            share => format!("{share}%"),
        },
    }
}

/// Won and lost in rulings: `22 / 4`.
pub(super) fn tally(tally: Tally) -> String {
    if tally == Tally::default() {
        return "·".to_owned();
    }
    format!("{} / {}", thousands(tally.won), thousands(tally.lost))
}

/// How the confidence is spread, in the cells of a list.
pub(super) fn spread(spread: &Spread) -> String {
    let Some((value, many)) = spread.commonest else { return "none stated".to_owned() };
    if tells_nothing(spread) {
        return format!("{value} only: says nothing");
    }
    if spread.stated == 1 {
        return format!("{value}, once");
    }
    let more = if spread.more { "+" } else { "" };
    format!("{}{more} values, {} {value}", thousands(spread.distinct), share(many, spread.stated))
}

/// One value for everything: no record of it stands above another.
pub(super) const fn tells_nothing(spread: &Spread) -> bool {
    spread.distinct == 1 && spread.stated > 1
}
