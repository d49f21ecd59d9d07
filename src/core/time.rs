//! Times, with the precision in which they came.
//!
//! An [`Instant`] is a point on the UTC line. A [`When`] is what a source said: an instant, or a whole day, month or
//! year. Two of them are ordered only when *certainly* so: every moment of one lies before every moment of the other.

use std::fmt;
use std::str::FromStr;

use chrono::{
    DateTime, Datelike, Duration, FixedOffset, NaiveDate, NaiveDateTime, SecondsFormat, SubsecRound as _, Timelike,
    Utc,
};

/// A point in time, in UTC, to the nanosecond. Displays as RFC 3339 with a `Z`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(DateTime<Utc>);

/// What a source said of when something was true: an instant, or a whole day, month or year (UTC).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum When {
    At(Instant),
    Day(NaiveDate),
    Month { year: i32, month: u32 },
    Year(i32),
}

/// Why a text is not a time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeError {
    #[error("the time {0:?} has no offset: add one (2025-10-14T09:31:00Z, 2025-10-14T09:31:00+02:00)")]
    NoOffset(String),
    #[error(
        "{0:?} is no time: RFC 3339 with an offset (2025-10-14T09:31:00Z), or YYYY, YYYY-MM, YYYY-MM-DD is expected"
    )]
    Unreadable(String),
    #[error("the time {0} lies outside the years 0000 to 9999")]
    OutOfRange(String),
}

/// Integers below this are seconds since 1970, from here on milliseconds (INTERFACE: 10^11).
const MILLISECONDS_FROM: u64 = 100_000_000_000;

impl Instant {
    /// The instant of a UTC date and time.
    pub const fn new(at: DateTime<Utc>) -> Self {
        Self(at)
    }

    /// The underlying UTC date and time.
    pub const fn utc(self) -> DateTime<Utc> {
        self.0
    }

    /// Whole seconds (or, from 10^11 up, milliseconds) since 1970.
    pub fn from_epoch_number(number: i64) -> Result<Self, TimeError> {
        let read = if number.unsigned_abs() >= MILLISECONDS_FROM {
            DateTime::from_timestamp_millis(number)
        } else {
            DateTime::from_timestamp(number, 0)
        };
        read.and_then(in_range).ok_or_else(|| TimeError::OutOfRange(number.to_string()))
    }

    /// This instant moved by a signed duration; it stays put where the calendar ends.
    #[must_use]
    pub fn plus(self, by: Duration) -> Self {
        self.0.checked_add_signed(by).map_or(self, Self)
    }

    /// This instant without its fraction of a second.
    #[must_use]
    pub fn whole_second(self) -> Self {
        Self(self.0.trunc_subsecs(0))
    }

    /// A leap second counts as the last moment of its minute: it lies in that day, though no span ends as late.
    fn in_its_minute(self) -> Self {
        if self.0.nanosecond() < 1_000_000_000 {
            return self;
        }
        self.0.with_nanosecond(999_999_999).map_or(self, Self)
    }

    /// The signed time from `earlier` to this instant.
    pub fn since(self, earlier: Self) -> Duration {
        self.0 - earlier.0
    }

    /// The fixed-width form (nine digits of fraction): it sorts as text in the order of time.
    pub fn sortable(self) -> String {
        let (second, nanosecond) = (self.0.timestamp(), self.0.timestamp_subsec_nanos());
        // A leap second and the far past and future are left to the library.
        if nanosecond >= 1_000_000_000 || !(0..=253_402_300_799).contains(&second) {
            return self.0.to_rfc3339_opts(SecondsFormat::Nanos, true);
        }
        let mut text = to_the_second(self.0);
        text.push('.');
        push_digits(&mut text, nanosecond, 9);
        text.push('Z');
        text
    }
}

impl When {
    /// The first moment it covers.
    pub fn first(self) -> Instant {
        match self {
            Self::At(at) => at.in_its_minute(),
            Self::Day(day) => midnight(day),
            Self::Month { year, month } => midnight(first_of(year, month)),
            Self::Year(year) => midnight(first_of(year, 1)),
        }
    }

    /// The last moment it covers: for a span, one nanosecond before the next begins.
    pub fn last(self) -> Instant {
        let next = match self {
            Self::At(at) => return at.in_its_minute(),
            Self::Day(day) => day.succ_opt().unwrap_or(day),
            Self::Month { year, month: 12 } => first_of(year + 1, 1),
            Self::Month { year, month } => first_of(year, month + 1),
            Self::Year(year) => first_of(year + 1, 1),
        };
        midnight(next).plus(Duration::nanoseconds(-1))
    }

    /// The wider spans that hold it: of an instant its day, its month and its year, and so on upwards.
    pub fn held_by(self) -> Vec<Self> {
        let of_day =
            |day: NaiveDate| [Self::Month { year: day.year(), month: day.month() }, Self::Year(day.year())];
        match self {
            Self::At(at) => {
                let day = at.0.date_naive();
                std::iter::once(Self::Day(day)).chain(of_day(day)).collect()
            }
            Self::Day(day) => of_day(day).to_vec(),
            Self::Month { year, .. } => vec![Self::Year(year)],
            Self::Year(_) => Vec::new(),
        }
    }

    /// Whether every moment of it lies before every moment of the other. Overlap and ties are no order.
    pub fn certainly_before(self, other: Self) -> bool {
        self.last() < other.first()
    }

    /// How long after this something was written, negative where before: none to speak of within what was named.
    pub fn lag(self, written: Instant) -> Duration {
        if written < self.first() {
            written.since(self.first())
        } else {
            written.since(self.last()).max(Duration::zero())
        }
    }

    /// Whether the other lies wholly within this one.
    pub fn covers(self, other: Self) -> bool {
        if let (Self::At(one), Self::At(other)) = (self, other) {
            return one == other;
        }
        self.first() <= other.first() && other.last() <= self.last()
    }
}

impl FromStr for Instant {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        if let Some(at) = in_plain_form(text) {
            return Ok(at);
        }
        match text.parse::<When>()? {
            When::At(at) => Ok(at),
            When::Day(_) | When::Month { .. } | When::Year(_) => Err(TimeError::Unreadable(text.to_owned())),
        }
    }
}

impl FromStr for When {
    type Err = TimeError;

    /// RFC 3339 (also with a space for the `T`, and `+00` or `+0000`), `YYYY`, `YYYY-MM`, `YYYY-MM-DD`.
    fn from_str(text: &str) -> Result<Self, TimeError> {
        if let Some(at) = in_plain_form(text) {
            return Ok(Self::At(at));
        }
        let text = text.trim();
        if let Some(span) = calendar_span(text) {
            return Ok(span);
        }
        match with_offset(text) {
            Some(at) => {
                in_range(at.with_timezone(&Utc)).map(Self::At).ok_or_else(|| TimeError::OutOfRange(text.to_owned()))
            }
            None if local(text).is_some() => Err(TimeError::NoOffset(text.to_owned())),
            None => Err(TimeError::Unreadable(text.to_owned())),
        }
    }
}

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let second = self.0.timestamp();
        if self.0.timestamp_subsec_nanos() == 0 && (0..=253_402_300_799).contains(&second) {
            f.write_str(&to_the_second(self.0))?;
            return f.write_str("Z");
        }
        f.write_str(&self.0.to_rfc3339_opts(SecondsFormat::AutoSi, true))
    }
}

impl fmt::Debug for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(at) => at.fmt(f),
            Self::Day(day) => write!(f, "{:04}-{:02}-{:02}", day.year(), day.month(), day.day()),
            Self::Month { year, month } => write!(f, "{year:04}-{month:02}"),
            Self::Year(year) => write!(f, "{year:04}"),
        }
    }
}

impl fmt::Debug for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// `2025-10-14T09:31:00Z`, with or without up to nine digits of fraction: what nearly every time looks like, read without
/// trying forms. None where it is anything else, or no time at all: then the forms are tried.
fn in_plain_form(text: &str) -> Option<Instant> {
    let bytes = text.as_bytes();
    let marks = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
    if bytes.len() < 20 || bytes.last() != Some(&b'Z') || marks.iter().any(|(at, mark)| bytes[*at] != *mark) {
        return None;
    }
    let digits = |from: usize, to: usize| {
        bytes[from..to]
            .iter()
            .try_fold(0_u32, |number, byte| byte.is_ascii_digit().then(|| number * 10 + u32::from(byte - b'0')))
    };
    let nanoseconds = match bytes.len() - 1 {
        19 => 0,
        end @ 21..=29 if bytes[19] == b'.' => digits(20, end)? * 10_u32.pow(u32::try_from(29 - end).ok()?),
        _ => return None,
    };
    let day = NaiveDate::from_ymd_opt(digits(0, 4)?.cast_signed(), digits(5, 7)?, digits(8, 10)?)?;
    // A leap second is left to the forms.
    let (hour, minute, second) = (digits(11, 13)?, digits(14, 16)?, digits(17, 19)?);
    let time = (second < 60).then(|| day.and_hms_nano_opt(hour, minute, second, nanoseconds)).flatten()?;
    Some(Instant(time.and_utc()))
}

/// A date and time without an offset, as text; what `--tz` then completes.
pub fn local(text: &str) -> Option<NaiveDateTime> {
    let text = in_normal_form(text.trim())?;
    ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%dT%H:%M"]
        .iter()
        .find_map(|form| NaiveDateTime::parse_from_str(&text, form).ok())
}

/// `2025-10-14T09:31:00`, digit by digit: times are written for every record.
fn to_the_second(at: DateTime<Utc>) -> String {
    let at = at.naive_utc();
    let mut text = String::with_capacity(30);
    let parts = [
        (at.year().unsigned_abs(), 4, '-'),
        (at.month(), 2, '-'),
        (at.day(), 2, 'T'),
        (at.hour(), 2, ':'),
        (at.minute(), 2, ':'),
    ];
    for (number, width, mark) in parts {
        push_digits(&mut text, number, width);
        text.push(mark);
    }
    push_digits(&mut text, at.second(), 2);
    text
}

fn push_digits(text: &mut String, mut number: u32, width: usize) {
    let mut digits = [b'0'; 9];
    for digit in digits[..width].iter_mut().rev() {
        *digit = b"0123456789"[number as usize % 10];
        number /= 10;
    }
    text.push_str(str::from_utf8(&digits[..width]).unwrap_or_default());
}

fn with_offset(text: &str) -> Option<DateTime<FixedOffset>> {
    let text = in_normal_form(text)?;
    let (_, time) = text.split_once('T')?;
    let time_start = text.len() - time.len();
    let completed = match time.rfind(['+', '-']).map(|at| at + time_start) {
        Some(sign) => {
            let digits = text.get(sign + 1..)?;
            match digits.len() {
                2 => format!("{text}:00"),
                4 if !digits.contains(':') => {
                    format!("{}{}:{}", text.get(..=sign)?, digits.get(..2)?, digits.get(2..)?)
                }
                _ => text.clone(),
            }
        }
        None => text.clone(),
    };
    ["%Y-%m-%dT%H:%M:%S%.f%:z", "%Y-%m-%dT%H:%M%:z"]
        .iter()
        .find_map(|form| DateTime::parse_from_str(&completed.replace('Z', "+00:00"), form).ok())
}

/// The text with `T` between date and time and `Z` as a capital, if it begins as RFC 3339 does. The widths are fixed:
/// chrono alone would read `25-10-14T09:31Z` as a day of the year 25.
fn in_normal_form(text: &str) -> Option<String> {
    let text = text.replacen(' ', "T", 1).replace('t', "T").replace('z', "Z");
    let fits = |(at, form): (usize, u8)| match text.as_bytes().get(at) {
        Some(byte) if form == b'0' => byte.is_ascii_digit(),
        Some(byte) => *byte == form,
        None => false,
    };
    "0000-00-00T00:00".bytes().enumerate().all(fits).then_some(text)
}

fn calendar_span(text: &str) -> Option<When> {
    let parts: Vec<&str> = text.split('-').collect();
    let digits = |part: &str, width: usize| {
        (part.len() == width && part.bytes().all(|byte| byte.is_ascii_digit())).then(|| part.parse::<u32>().ok())?
    };
    match parts.as_slice() {
        [year] => Some(When::Year(digits(year, 4)?.cast_signed())),
        [year, month] => {
            let (year, month) = (digits(year, 4)?.cast_signed(), digits(month, 2)?);
            (1..=12).contains(&month).then_some(When::Month { year, month })
        }
        [year, month, day] => {
            NaiveDate::from_ymd_opt(digits(year, 4)?.cast_signed(), digits(month, 2)?, digits(day, 2)?)
                .map(When::Day)
        }
        _ => None,
    }
}

fn in_range(at: DateTime<Utc>) -> Option<Instant> {
    (0..=9999).contains(&at.year()).then_some(Instant(at))
}

fn first_of(year: i32, month: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(year, month, 1).unwrap_or(NaiveDate::MAX)
}

fn midnight(day: NaiveDate) -> Instant {
    Instant(day.and_time(chrono::NaiveTime::MIN).and_utc())
}
