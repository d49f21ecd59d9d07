//! A format file, read strictly: every mistake with its place.

use chrono_tz::Tz;
use serde_json::Value;

use super::expr::{At, Expr, Unit};
use super::path::Path;
use super::spec::{Field, Format, Kind, Naming, Rule, Versions, When};
use crate::wire::node::{Node, Shape};
use crate::wire::{Fault, Position};

const EXPRESSION: &str = "a path (\".name\"), a list of paths, or an object with at, is or join";

/// Reads a format file whole.
pub fn read(bytes: &[u8]) -> Result<Format, Fault> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let whole = Node::new(bytes, Position::START)?;
    if whole.shape() != Shape::Object {
        whole.value()?;
        return Err(whole.unlike("an object: a format"));
    }
    let mut format = Format::default();
    for (key, node) in whole.fields()? {
        let taken = match &*key {
            "format" => node.name().map(|name| format.name = name.into_owned()),
            "about" => node.text().map(|about| format.about = about.into_owned()),
            "native" => truth(node).map(|native| format.native = native),
            "items" => list(node, path).map(|items| format.items = items),
            "opens" => list(node, text).map(|keys| format.opens = keys),
            "ignores" => list(node, text).map(|keys| format.ignores = keys),
            "tables" => list(node, text).map(|tables| format.tables = tables),
            "names" => list(node, naming).map(|names| format.names = names),
            "kinds" => list(node, kind).map(|kinds| format.kinds = kinds),
            _ => Err(unknown(node, "format, about, native, items, ignores, opens, tables, names, kinds")),
        };
        taken.map_err(|fault| fault.about(&key))?;
    }
    if format.name.is_empty() {
        return Err(whole.fault("it is missing", "the name of the format").about("format"));
    }
    if format.kinds.is_empty() {
        return Err(whole.fault("it is missing", "at least one kind of object").about("kinds"));
    }
    Ok(format)
}

fn unknown(node: Node<'_>, known: &str) -> Fault {
    Fault::new(node.key_at(), "this key means nothing here", format!("one of {known}"))
}

fn list<'a, T>(node: Node<'a>, one: impl Fn(Node<'a>) -> Result<T, Fault>) -> Result<Vec<T>, Fault> {
    if node.shape() != Shape::List {
        return Err(node.unlike("a list"));
    }
    node.items()?.into_iter().map(one).collect()
}

fn truth(node: Node<'_>) -> Result<bool, Fault> {
    node.value()?.as_bool().ok_or_else(|| node.unlike("true or false"))
}

fn text(node: Node<'_>) -> Result<String, Fault> {
    Ok(node.name()?.into_owned())
}

fn path(node: Node<'_>) -> Result<Path, Fault> {
    node.text()?.parse().map_err(|message: String| node.fault(message, "a path, as in .metadata.user_id"))
}

fn naming(node: Node<'_>) -> Result<Naming, Fault> {
    let (mut table, mut when, mut key, mut name) = (None, When::default(), None, None);
    for (field, node) in node.fields()? {
        let taken = match &*field {
            "table" => text(node).map(|text| table = Some(text)),
            "when" => condition(node).map(|read| when = read),
            "key" => expr(node).map(|read| key = Some(read)),
            "name" => expr(node).map(|read| name = Some(read)),
            _ => Err(unknown(node, "table, when, key, name")),
        };
        taken.map_err(|fault| fault.about(&field))?;
    }
    let need = |what: &str| node.fault("it is missing", "table, key and name").about(what);
    Ok(Naming {
        table: table.ok_or_else(|| need("table"))?,
        when,
        key: key.ok_or_else(|| need("key"))?,
        name: name.ok_or_else(|| need("name"))?,
    })
}

fn kind(node: Node<'_>) -> Result<Kind, Fault> {
    let mut kind = Kind::default();
    for (key, node) in node.fields()? {
        let taken = match &*key {
            "kind" => text(node).map(|name| kind.name = name),
            "when" => condition(node).map(|when| kind.when = when),
            "skip" => truth(node).map(|skip| kind.skip = skip),
            "versions" => versions(node).map(|versions| kind.versions = Some(versions)),
            "records" => list(node, rule).map(|rules| kind.rules = rules),
            _ => Err(unknown(node, "kind, when, skip, versions, records")),
        };
        taken.map_err(|fault| fault.about(&key))?;
    }
    if kind.name.is_empty() {
        return Err(node.fault("it is missing", "what such an object is called").about("kind"));
    }
    Ok(kind)
}

fn versions(node: Node<'_>) -> Result<Versions, Fault> {
    let (mut of, mut number) = (None, None);
    for (key, node) in node.fields()? {
        match &*key {
            "of" => of = Some(expr(node)?),
            "number" => number = Some(expr(node)?),
            _ => return Err(unknown(node, "of, number")),
        }
    }
    let need = || node.fault("it says too little", "of and number");
    Ok(Versions { of: of.ok_or_else(need)?, number: number.ok_or_else(need)? })
}

fn condition(node: Node<'_>) -> Result<When, Fault> {
    let mut when = When::default();
    for (key, node) in node.fields()? {
        match &*key {
            "has" => when.has = list(node, |node| one_or_more(node, path))?,
            "lacks" => when.lacks = list(node, path)?,
            "is" => {
                for (key, node) in node.fields()? {
                    let at = key.parse().map_err(|message: String| Fault::new(node.key_at(), message, "a path"))?;
                    when.is.push((at, one_or_more(node, Node::value)?));
                }
            }
            _ => return Err(unknown(node, "has, lacks, is")),
        }
    }
    Ok(when)
}

fn one_or_more<'a, T>(node: Node<'a>, one: impl Fn(Node<'a>) -> Result<T, Fault>) -> Result<Vec<T>, Fault> {
    if node.shape() == Shape::List { list(node, one) } else { one(node).map(|one| vec![one]) }
}

fn rule(node: Node<'_>) -> Result<Rule, Fault> {
    let mut rule = Rule::default();
    for (key, node) in node.fields()? {
        let taken = match &*key {
            "when" => condition(node).map(|when| rule.when = when),
            "each" => path(node).map(|each| rule.each = Some(each)),
            "but" => list(node, text).map(|but| rule.but = but),
            "split" => match &*node.text()? {
                "lines" => {
                    rule.split = true;
                    Ok(())
                }
                _ => Err(node.fault("there is no such way to split", "lines")),
            },
            "spare" => truth(node).map(|spare| rule.spare = spare),
            "many" => truth(node).map(|many| rule.many = many),
            "source" => sources(node).map(|source| rule.source = source),
            name => match Field::named(name) {
                Some(field) => expr(node).map(|expr| rule.fields.push((field, expr))),
                None => Err(unknown(node, "when, each, but, spare, many, split, source, or a field of a record")),
            },
        };
        taken.map_err(|fault| fault.about(&key))?;
    }
    Ok(rule)
}

fn sources(node: Node<'_>) -> Result<Vec<(String, Expr)>, Fault> {
    node.fields()?.into_iter().map(|(key, node)| Ok((key.into_owned(), expr(node)?))).collect()
}

/// An expression: a path, alternatives, or an object.
pub fn expr(node: Node<'_>) -> Result<Expr, Fault> {
    match node.shape() {
        Shape::Text => Ok(Expr::At(At { paths: vec![path(node)?], ..At::default() })),
        Shape::List => Ok(Expr::At(At { paths: list(node, path)?, ..At::default() })),
        Shape::Object => made(node),
        Shape::Null | Shape::Bool | Shape::Number => Err(node.unlike(EXPRESSION)),
    }
}

fn made(node: Node<'_>) -> Result<Expr, Fault> {
    let mut at = At::default();
    let (mut is, mut join, mut with): (Option<Value>, Option<Vec<Expr>>, String) = (None, None, "/".to_owned());
    for (key, node) in node.fields()? {
        match &*key {
            "at" => at.paths = one_or_more(node, path)?,
            "is" => is = Some(node.value()?),
            "join" => join = Some(list(node, expr)?),
            "with" => with = node.text()?.into_owned(),
            "json" => at.json = truth(node)?,
            "wikibase" => at.wikibase = truth(node)?,
            "words" => at.words = Some(words(node)?),
            "of" => at.of = Some(positive(node)?),
            "unit" => at.unit = Some(unit(node)?),
            "zone" => at.zone = Some(zone(node)?),
            "name_in" => at.name_in = Some(text(node)?),
            _ => return Err(unknown(node, "at, is, join, with, json, wikibase, words, of, unit, zone, name_in")),
        }
    }
    match (is, join, at.paths.is_empty()) {
        (Some(value), None, true) => Ok(Expr::Is(value)),
        (None, Some(parts), true) => Ok(Expr::Join { parts, with }),
        (None, None, false) => Ok(Expr::At(at)),
        _ => Err(node.fault("it says more than one thing, or nothing", EXPRESSION)),
    }
}

fn words(node: Node<'_>) -> Result<std::collections::BTreeMap<String, Value>, Fault> {
    node.fields()?.into_iter().map(|(key, node)| Ok((key.into_owned(), node.value()?))).collect()
}

fn positive(node: Node<'_>) -> Result<f64, Fault> {
    let number = node.value()?.as_f64().filter(|number| *number > 0.0);
    number.ok_or_else(|| node.fault(format!("{} is none", node.brief()), "a number above 0"))
}

fn unit(node: Node<'_>) -> Result<Unit, Fault> {
    let name = node.text()?;
    Unit::named(&name).ok_or_else(|| node.fault(format!("{} is no unit", node.brief()), "s, ms or us"))
}

fn zone(node: Node<'_>) -> Result<Tz, Fault> {
    let name = node.text()?;
    name.parse()
        .map_err(|_| node.fault(format!("{} is no zone", node.brief()), "a zone, as in Europe/Lisbon or UTC"))
}
