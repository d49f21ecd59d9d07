//! A mapping said on the command line: `subject=.user_id`, `value=.content`, `attribute.home_city=.City`, `source.kind=crm`.

use serde_json::json;

use super::expr::{At, Expr, Unit};
use super::path::Path;
use super::spec::{Field, Format, Kind, Rule, When};

/// One such saying: what it gives, and from where.
#[derive(Clone, Debug, PartialEq)]
pub struct Saying {
    pub target: Target,
    pub expr: Expr,
}

/// What a saying gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    Field(Field),
    /// A key of the source.
    Source(String),
    /// The value of this attribute: a record of its own.
    Attribute(String),
    /// Every key that nothing else reads, each an attribute of its own.
    AllOthers,
    /// The list that fans out.
    Each,
}

const EXPECTED: &str = "a field and a path, as in subject=.user_id; fields are id, subject, attribute, value, op, \
                        observed_at, written_at, epoch, confidence, evidence, batch, each, source.KEY, attribute.NAME, \
                        and attribute.* for all other keys";

/// Reads one saying. A right side that is no path is the value itself.
pub fn read(text: &str) -> Result<Saying, String> {
    let (left, right) = text.split_once('=').ok_or(EXPECTED)?;
    let target = match (left.trim(), Field::named(left.trim())) {
        (_, Some(field)) => Target::Field(field),
        ("each", None) => Target::Each,
        ("attribute.*", None) => Target::AllOthers,
        (other, None) => match other.split_once('.') {
            Some(("source", key)) if !key.is_empty() => Target::Source(key.to_owned()),
            Some(("attribute", name)) if !name.is_empty() => Target::Attribute(name.to_owned()),
            _ => return Err(format!("there is no field {other:?}; {EXPECTED}")),
        },
    };
    let expr = expression(right.trim())?;
    if matches!((&target, &expr), (Target::Each | Target::AllOthers, Expr::Is(_) | Expr::Join { .. })) {
        return Err(format!("{:?} is no path", right.trim()));
    }
    Ok(Saying { target, expr })
}

/// `.path`, `.one|.other`, `.created:ms`, or the value itself.
fn expression(text: &str) -> Result<Expr, String> {
    if !text.starts_with(['.', '@']) {
        let value = serde_json::from_str(text).ok().filter(|value: &serde_json::Value| value.is_number());
        return Ok(Expr::Is(value.unwrap_or_else(|| json!(text))));
    }
    let (paths, unit) = match text.rsplit_once(':') {
        Some((paths, unit)) => match Unit::named(unit) {
            Some(unit) => (paths, Some(unit)),
            None => (text, None),
        },
        None => (text, None),
    };
    let paths: Result<Vec<Path>, String> = paths.split('|').map(str::parse).collect();
    Ok(Expr::At(At { paths: paths?, unit, ..At::default() }))
}

/// The format that these sayings make on their own: any object is of its one kind.
pub fn format(sayings: &[Saying]) -> Format {
    let attributes: Vec<(&String, &Expr)> = sayings
        .iter()
        .filter_map(|saying| match &saying.target {
            Target::Attribute(name) => Some((name, &saying.expr)),
            Target::Field(_) | Target::Source(_) | Target::AllOthers | Target::Each => None,
        })
        .collect();
    let others = sayings.iter().any(|saying| saying.target == Target::AllOthers);
    let mut base = Rule::default();
    applied(&mut base, sayings);
    let mut rules: Vec<Rule> = attributes.iter().map(|(name, expr)| of_attribute(&base, name, expr)).collect();
    if others {
        rules.push(of_others(&base, sayings));
    }
    if rules.is_empty() {
        rules.push(base);
    }
    let kind = Kind { name: "object".to_owned(), rules, ..Kind::default() };
    Format { name: "as said".to_owned(), kinds: vec![kind], ..Format::default() }
}

/// The sayings over those of a format.
pub fn over(mut format: Format, sayings: &[Saying]) -> Format {
    for rule in format.kinds.iter_mut().flat_map(|kind| &mut kind.rules) {
        applied(rule, sayings);
    }
    format
}

fn applied(rule: &mut Rule, sayings: &[Saying]) {
    for Saying { target, expr } in sayings {
        match target {
            Target::Field(field) => {
                rule.fields.retain(|(named, _)| named != field);
                rule.fields.push((*field, expr.clone()));
            }
            Target::Source(key) => {
                rule.source.retain(|(named, _)| named != key);
                rule.source.push((key.clone(), expr.clone()));
            }
            Target::Each => rule.each = expr.paths().first().map(|path| (*path).clone()),
            Target::Attribute(_) | Target::AllOthers => {}
        }
    }
}

fn of_attribute(base: &Rule, name: &str, expr: &Expr) -> Rule {
    let has = expr.paths().into_iter().cloned().collect::<Vec<_>>();
    let mut rule = base.clone();
    // An empty cell claims nothing.
    rule.when = When { has: if has.is_empty() { Vec::new() } else { vec![has] }, ..When::default() };
    rule.fields.retain(|(field, _)| !matches!(field, Field::Attribute | Field::Value));
    rule.fields.push((Field::Attribute, Expr::Is(json!(name))));
    rule.fields.push((Field::Value, expr.clone()));
    rule
}

/// Every key but those that are read already.
fn of_others(base: &Rule, sayings: &[Saying]) -> Rule {
    let mut rule = base.clone();
    let read = sayings.iter().flat_map(|saying| saying.expr.paths());
    rule.but = read.filter_map(|path| path.first_key().map(str::to_owned)).collect();
    rule.each = ".*".parse().ok();
    // An empty cell claims nothing.
    rule.when = When { has: vec!["@".parse().into_iter().collect()], ..When::default() };
    rule.fields.retain(|(field, _)| !matches!(field, Field::Attribute | Field::Value));
    let at = |path: &str| Expr::At(At { paths: path.parse().into_iter().collect(), ..At::default() });
    rule.fields.push((Field::Attribute, at("@key")));
    rule.fields.push((Field::Value, at("@")));
    rule
}
