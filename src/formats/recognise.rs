//! Which format a file is in, told by its content and with the reason; or which is the nearest, where none fits.

use std::collections::BTreeMap;

use serde_json::Value;

use super::cut::Cut;
use super::path::Scope;
use super::spec::Format;
use super::table::{self, Layout};

/// So many objects are looked at.
const ENOUGH: usize = 50;

/// How the beginning of a file reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Recognised {
    pub format: Format,
    pub carrier: Carrier,
    /// Why this format, for people.
    pub because: String,
}

/// In what a file carries its objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Carrier {
    Json(Cut),
    /// Rows under a line of headings.
    Table(Layout),
}

/// A file that fits no format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unknown {
    pub carrier: String,
    /// The keys that were seen, the commonest first, each with how often.
    pub keys: Vec<(String, usize)>,
    pub objects: usize,
    /// The nearest format, and what it asks for that is not there.
    pub nearest: Option<(String, Vec<String>)>,
}

/// How a format fits what was seen.
struct Fit<'a> {
    format: &'a Format,
    cut: Cut,
    matched: usize,
    of: usize,
    weight: usize,
    kinds: Vec<String>,
}

/// Recognises the beginning of a file among the formats; `whole` where it is all of it.
pub fn recognise(head: &[u8], whole: bool, formats: &[Format]) -> Result<Recognised, Unknown> {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    if !matches!(text.first(), None | Some(b'{' | b'['))
        && let Some(layout) = table::layout(head, whole)
    {
        return of_table(head, layout, formats);
    }
    let fits = fits(head, whole, formats);
    let best = fits
        .iter()
        .filter(|fit| fit.matched * 2 > fit.of)
        .max_by_key(|fit| (fit.matched * 1_000 / fit.of.max(1), fit.weight, !fit.format.native));
    if let Some(fit) = best {
        let because = format!(
            "{} of the first {} objects {}: {}",
            fit.matched,
            fit.of,
            if fit.matched == 1 { "is one of its" } else { "are its" },
            fit.kinds.join(", "),
        );
        return Ok(Recognised { format: fit.format.clone(), carrier: Carrier::Json(fit.cut), because });
    }
    let objects = samples(head, whole, cut(head), &Format::default());
    let native = formats.iter().find(|format| format.native);
    // Lines of our own in which something is wrong are told what, and where, by the rules of a record.
    if let Some(native) =
        native.filter(|native| objects.is_empty() || objects.iter().any(|object| native.kind_of(object).is_some()))
    {
        let because = "no other format is in it".to_owned();
        return Ok(Recognised { format: native.clone(), carrier: Carrier::Json(Cut::Lines), because });
    }
    Err(unknown(cut(head).name(), &objects, formats))
}

/// How a file of a format that was named is cut.
pub fn carrier(head: &[u8], whole: bool, format: &Format) -> Carrier {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    if !matches!(text.first(), None | Some(b'{' | b'['))
        && let Some(layout) = table::layout(head, whole)
    {
        return Carrier::Table(layout);
    }
    let in_document = fit(head, whole, format, Cut::Document);
    let plain = fit(head, whole, format, cut(head));
    Carrier::Json(if in_document.matched > plain.matched { Cut::Document } else { cut(head) })
}

fn of_table(head: &[u8], layout: Layout, formats: &[Format]) -> Result<Recognised, Unknown> {
    let objects: Vec<Value> = table::sample(head, &layout, ENOUGH);
    let matched = |format: &&Format| {
        let fits = |object: &&Value| format.kind_of(object).is_some();
        !format.native && objects.iter().filter(fits).count() * 2 > objects.len()
    };
    match formats.iter().find(matched) {
        Some(format) => Ok(Recognised {
            format: format.clone(),
            because: format!("its columns are those of {}", format.name),
            carrier: Carrier::Table(layout),
        }),
        None => Err(unknown(&format!("a table ({layout})"), &objects, formats)),
    }
}

fn fits<'a>(head: &[u8], whole: bool, formats: &'a [Format]) -> Vec<Fit<'a>> {
    let plain = cut(head);
    formats
        .iter()
        .flat_map(|format| {
            let document = (!format.items.is_empty()).then(|| fit(head, whole, format, Cut::Document));
            std::iter::once(fit(head, whole, format, plain)).chain(document)
        })
        .filter(|fit| fit.matched > 0)
        .collect()
}

fn fit<'a>(head: &[u8], whole: bool, format: &'a Format, cut: Cut) -> Fit<'a> {
    let objects = if cut == Cut::Document && format.items.is_empty() {
        Vec::new()
    } else {
        samples(head, whole, cut, format)
    };
    let mut kinds: Vec<String> = Vec::new();
    let (mut matched, mut weight) = (0, 0);
    for kind in objects.iter().filter_map(|object| format.kind_of(object)) {
        matched += 1;
        weight += kind.when.weight();
        if !kinds.contains(&kind.name) {
            kinds.push(kind.name.clone());
        }
    }
    kinds.sort();
    Fit { format, cut, matched, of: objects.len(), weight, kinds }
}

/// The sound objects at the beginning of a file; one that the beginning cuts off is none.
fn samples(head: &[u8], whole: bool, cut: Cut, format: &Format) -> Vec<Value> {
    let head = match (whole, cut, head.iter().rposition(|byte| *byte == b'\n')) {
        (false, Cut::Lines, Some(end)) => head.get(..end).unwrap_or(head),
        _ => head,
    };
    let objects = cut.objects(head, format).filter_map(Result::ok).take(ENOUGH);
    objects.filter_map(|object| object.value.ok()).filter(Value::is_object).collect()
}

/// How the beginning is cut, by where its first object ends.
fn cut(head: &[u8]) -> Cut {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    if text.first() != Some(&b'{') {
        return Cut::Lines;
    }
    let mut lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let mut scan = crate::wire::bytes::Scan::default();
    let ends = first.iter().any(|byte| scan.ends_with(*byte));
    // A first line that was cut off is followed by a line that begins an object of its own.
    if ends || lines.next().is_none_or(|line| line.len() > 1 && line.starts_with(b"{")) {
        Cut::Lines
    } else {
        Cut::Body
    }
}

fn unknown(carrier: &str, objects: &[Value], formats: &[Format]) -> Unknown {
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    for key in objects.iter().filter_map(Value::as_object).flat_map(serde_json::Map::keys) {
        *counts.entry(key).or_default() += 1;
    }
    let mut keys: Vec<(String, usize)> = counts.into_iter().map(|(key, count)| (key.clone(), count)).collect();
    keys.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    Unknown { carrier: carrier.to_owned(), keys, objects: objects.len(), nearest: nearest(objects, formats) }
}

/// The format that asks for the least that is not there, of those for which something is.
fn nearest(objects: &[Value], formats: &[Format]) -> Option<(String, Vec<String>)> {
    let object = objects.first()?;
    let scope = Scope { object, item: None };
    formats
        .iter()
        .flat_map(|format| format.kinds.iter().map(move |kind| (format, kind)))
        .filter_map(|(format, kind)| {
            let missing = kind.when.missing(scope);
            let asked = kind.when.has.len() + kind.when.is.len();
            let met = asked.checked_sub(missing.len()).filter(|met| *met > 0)?;
            Some((missing.len(), met, format, missing))
        })
        .min_by_key(|(lacking, met, _, _)| (*lacking, usize::MAX - met))
        .map(|(_, _, format, missing)| (format.name.clone(), missing))
}
