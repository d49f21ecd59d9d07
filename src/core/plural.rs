//! Numbers of things in words: the one place that knows the plural of what the program counts.

/// `1 pair`, `2 pairs`, `0 batches`, `3 entries`.
pub fn count(number: u64, thing: &str) -> String {
    format!("{number} {}", things(number, thing))
}

/// The form of a noun that goes with so many: `pair`, `pairs`, `batches`, `entries`.
pub fn things(number: u64, thing: &str) -> String {
    match thing.strip_suffix('y') {
        _ if number == 1 => thing.to_owned(),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        Some(_) | None if thing.ends_with("ch") => format!("{thing}es"),
        Some(_) | None => format!("{thing}s"),
    }
}

/// The form of a verb that goes with so many: `1 pair closes`, `2 pairs close`.
pub const fn verb<'a>(number: u64, one: &'a str, many: &'a str) -> &'a str {
    if number == 1 { one } else { many }
}

/// `a`, `a and b`, `a, b and c`.
pub fn listed(things: &[String]) -> String {
    match things {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
