//! When two values are one value: the comparisons that a policy may name.
//!
//! A comparison turns a value into a [`Key`]. Equal keys are equal values. Under `date` and `instant` a key is a span
//! of time, and a coarser span *refines* into a finer one that it holds (`1994` and `1994-05-02`): no contradiction.
//! A value that cannot be read under its comparison keeps its text as its key, and equals only the same text.

use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use super::time::When;

/// How values of one attribute are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// The same JSON, to the byte.
    Exact,
    /// Normal form C, without regard to case, and runs of white space count as one space.
    Text,
    /// Decimal numbers, exactly: `1e3` is `1000`; a number written as text counts.
    Number,
    /// Lengths of time with units, or ISO 8601: `30s`, `30000ms`, `1m 30s`, `PT90S`.
    Duration,
    /// Points in time, whatever their offset; a coarser one holds a finer.
    Instant,
    /// Calendar dates, as they are written; `1994` holds `1994-05-02`.
    Date,
    /// JSON structure: the order of keys and the spelling of numbers do not count.
    Json,
}

/// What a comparison sees of a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    Text(String),
    Number(Decimal),
    Nanoseconds(i128),
    Span(When),
    /// Unreadable under the comparison: only its own text equals it.
    Unread(String),
}

/// A decimal number in one form: its digits without outer zeros, and the power of ten of the last of them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Comparison {
    pub const ALL: [Self; 7] =
        [Self::Exact, Self::Text, Self::Number, Self::Duration, Self::Instant, Self::Date, Self::Json];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Text => "text",
            Self::Number => "number",
            Self::Duration => "duration",
            Self::Instant => "instant",
            Self::Date => "date",
            Self::Json => "json",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|comparison| comparison.name() == name)
    }

    /// What this comparison sees of the value.
    pub fn key(self, value: &Value) -> Key {
        let read = match self {
            Self::Exact => Some(Key::Text(value.to_string())),
            Self::Text => Some(Key::Text(folded(&text_of(value)))),
            Self::Json => Some(Key::Text(canonical(value))),
            Self::Number => Decimal::parse(&text_of(value)).map(Key::Number),
            Self::Duration => duration(&text_of(value)).map(Key::Nanoseconds),
            Self::Instant => text_of(value).parse().ok().map(Key::Span),
            Self::Date => calendar_date(&text_of(value)).map(Key::Span),
        };
        read.unwrap_or_else(|| Key::Unread(folded(&text_of(value))))
    }
}

impl Key {
    /// Whether the two are one value, or one refines the other.
    pub fn agrees(&self, other: &Self) -> bool {
        self == other || self.covers(other) || other.covers(self)
    }

    /// The span of time that it is, where it is one.
    pub const fn span(&self) -> Option<When> {
        match self {
            Self::Span(span) => Some(*span),
            Self::Text(_) | Self::Number(_) | Self::Nanoseconds(_) | Self::Unread(_) => None,
        }
    }

    /// Whether this one is the coarser of the two and holds the other.
    pub fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Span(coarse), Self::Span(fine)) => coarse != fine && coarse.covers(*fine),
            _ => false,
        }
    }
}

impl Decimal {
    /// Reads `-12.50e3` and its like; no thousands separators, no units.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, power) = match rest.find(['e', 'E']) {
            Some(at) => (rest.get(..at)?, rest.get(at + 1..)?.parse::<i64>().ok()?),
            None => (rest, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all: String = [whole, fraction].concat();
        if all.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let kept = all.trim_end_matches('0');
        let dropped = i64::try_from(all.len() - kept.len()).ok()?;
        let digits = kept.trim_start_matches('0').to_owned();
        if digits.is_empty() {
            return Some(Self { negative: false, digits, exponent: 0 });
        }
        let exponent = power.checked_sub(i64::try_from(fraction.len()).ok()?)?.checked_add(dropped)?;
        Some(Self { negative, digits, exponent })
    }

    /// The number times `unit`, as a whole, where it is one and fits.
    fn times(&self, unit: i128) -> Option<i128> {
        let digits: i128 = if self.digits.is_empty() { 0 } else { self.digits.parse().ok()? };
        let signed = if self.negative { -digits } else { digits };
        let power = 10_i128.checked_pow(u32::try_from(self.exponent.unsigned_abs()).ok()?)?;
        let product = signed.checked_mul(unit)?;
        if self.exponent >= 0 {
            return product.checked_mul(power);
        }
        (product % power == 0).then_some(product / power)
    }
}

/// A value as people write it: a text without quotes, anything else as JSON. Not fit for a terminal until revealed.
pub fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// JSON in one form: keys sorted, numbers in their shortest decimal, no white space.
pub fn canonical(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(_) | Value::String(_) => value.to_string(),
        Value::Number(number) => match Decimal::parse(&number.to_string()) {
            Some(Decimal { digits, .. }) if digits.is_empty() => "0".to_owned(),
            Some(Decimal { negative, digits, exponent }) => {
                format!("{}{digits}e{exponent}", if negative { "-" } else { "" })
            }
            None => number.to_string(),
        },
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(canonical).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(map) => {
            let mut entries: Vec<(&String, &Value)> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            let entries: Vec<String> = entries
                .into_iter()
                .map(|(key, value)| format!("{}:{}", Value::String(key.clone()), canonical(value)))
                .collect();
            format!("{{{}}}", entries.join(","))
        }
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| canonical_scalar(value), str::to_owned)
}

/// A scalar as its own text (`5`, `true`); lists and objects in canonical form.
fn canonical_scalar(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => canonical(value),
    }
}

fn folded(text: &str) -> String {
    if text.is_ascii() {
        // As most texts are: one way of writing each letter, and one small form of it.
        let mut words = String::with_capacity(text.len());
        for word in text.split_whitespace() {
            if !words.is_empty() {
                words.push(' ');
            }
            words.push_str(word);
        }
        words.make_ascii_lowercase();
        return words;
    }
    let lowered: String = text.nfc().flat_map(without_case).nfc().collect();
    lowered.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The letter without its case. The way through the capital makes one of `ß`, `ẞ` and `ss`, and of `σ` and `ς`; the
/// dotless `ı` is a letter of its own, though its capital is that of `i`.
fn without_case(letter: char) -> impl Iterator<Item = char> {
    let dotless = (letter == 'ı').then_some(letter);
    let others = (letter != 'ı').then_some(letter).into_iter();
    let folded = others.flat_map(char::to_lowercase).flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    dotless.into_iter().chain(folded)
}

/// The day as it is written, whatever the offset: midnight of 2 May in Helsinki is 2 May, though UTC still has the 1st.
fn calendar_date(text: &str) -> Option<When> {
    match text.parse().ok()? {
        When::At(_) => text.trim().get(.."2025-10-14".len())?.parse().ok(),
        span @ (When::Day(_) | When::Month { .. } | When::Year(_)) => Some(span),
    }
}

const NANOSECOND: i128 = 1;
const SECOND: i128 = 1_000_000_000;

fn unit(name: &str) -> Option<i128> {
    // `m` is a minute; what `M` is, a month or a mistake, would be a guess.
    if name == "M" {
        return None;
    }
    let length = match name.to_lowercase().as_str() {
        "ns" | "nsec" | "nanosecond" | "nanoseconds" => NANOSECOND,
        "us" | "µs" | "μs" | "usec" | "microsecond" | "microseconds" => 1_000,
        "ms" | "msec" | "millis" | "millisecond" | "milliseconds" => 1_000_000,
        "s" | "sec" | "secs" | "second" | "seconds" => SECOND,
        "m" | "min" | "mins" | "minute" | "minutes" => 60 * SECOND,
        "h" | "hr" | "hrs" | "hour" | "hours" => 3_600 * SECOND,
        "d" | "day" | "days" => 86_400 * SECOND,
        "w" | "week" | "weeks" => 7 * 86_400 * SECOND,
        _ => return None,
    };
    Some(length)
}

/// Nanoseconds of `1h 30m`, `1.5 hours`, `PT90S`. A number without a unit is no duration: its unit would be a guess.
fn duration(text: &str) -> Option<i128> {
    let text = text.trim();
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest.trim_start()));
    let spelled = match text.strip_prefix(['P', 'p']) {
        Some(iso) => iso_units(iso)?,
        None => text.to_owned(),
    };
    let mut total = 0_i128;
    let mut rest = spelled.trim_start();
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, after) = rest.split_at(digits);
        let after = after.trim_start();
        let letters = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
        let (name, left) = after.split_at(letters);
        total = total.checked_add(Decimal::parse(number)?.times(unit(name)?)?)?;
        rest = left.trim_start();
    }
    Some(if negative { -total } else { total })
}

/// `1DT2H30M` as `1d2h30m`; the `M` before the `T` would be months, which have no length.
fn iso_units(text: &str) -> Option<String> {
    let (date, time) = text.split_once(['T', 't']).unwrap_or((text, ""));
    (!date.contains(['M', 'm', 'Y', 'y'])).then(|| format!("{date}{time}").to_lowercase())
}
