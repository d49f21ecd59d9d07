//! Several values in one line of text, by commas: what is wanted, and what is left out.

use crate::core::facet::Facet;

/// Values by commas, `!` before what is left out; in double quotes a value may hold both.
pub(super) fn read(text: &str) -> Facet<String> {
    let mut facet = Facet::default();
    for part in split(text) {
        let (list, value) = match part.strip_prefix('!') {
            Some(rest) => (&mut facet.none_of, rest.trim()),
            None => (&mut facet.any_of, part),
        };
        let value = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(value);
        if !value.is_empty() {
            list.push(value.to_owned());
        }
    }
    facet
}

/// As it is read back.
pub(super) fn written(facet: &Facet<String>) -> String {
    let any = facet.any_of.iter().map(|value| quoted(value));
    let none = facet.none_of.iter().map(|value| format!("!{}", quoted(value)));
    any.chain(none).collect::<Vec<_>>().join(", ")
}

/// A value as it may stand in a list.
pub(super) fn quoted(value: &str) -> String {
    let plain = !value.contains(',') && !value.starts_with(['!', '"', ' ']) && !value.ends_with(' ');
    if plain { value.to_owned() } else { format!("\"{value}\"") }
}

fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut from, mut quoted) = (Vec::new(), 0, false);
    for (at, char) in text.char_indices() {
        match char {
            '"' => quoted = !quoted,
            ',' if !quoted => {
                parts.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[from..].trim());
    parts
}
