//! Dates as people's tools write them: `14/10/2025 9:31 AM`, `2009\7\14`, `07/15/2009 02:14:45+0800`.
//!
//! Which of two numbers is the day is never guessed: where both could be, somebody must have said so.

use std::sync::LazyLock;

use chrono::{NaiveDate, NaiveTime};
use regex::Regex;

/// Which comes first in a date that does not begin with its year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrder {
    DayFirst,
    MonthFirst,
}

static FORM: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)^ (?<first>\d{1,4}) (?<mark>[./\\-]) (?<second>\d{1,2}) (?<again>[./\\-]) (?<third>\d{1,4})
          (?: [,\sT]+ (?<hour>\d{1,2}) : (?<minute>\d{2}) (?: : (?<second_of>\d{2} (?:\.\d{1,9})?) )? \s*
              (?<half>[ap]\.?m\.?)? \s* (?<offset>Z|[+-]\d{2}:?\d{2})? )? $",
    )
    .ok()
});

/// The same time in the form that records have; none where it is no such date, an error where it could be two.
pub fn read(text: &str, order: Option<DateOrder>) -> Option<Result<String, String>> {
    let found = FORM.as_ref()?.captures(text.trim())?;
    let part = |name: &str| found.name(name).map(|part| part.as_str());
    if part("mark") != part("again") {
        return None;
    }
    let (first, second, third) = (part("first")?, part("second")?, part("third")?);
    let date = match (first.len(), third.len()) {
        (4, 1 | 2) => day(first, second, third).ok_or_else(|| no_such_day(text)),
        (1 | 2, 4) => day_of_two(text, [first, second], third, order),
        _ => Err(format!("{text:?} has no year of four digits: what century it is would be a guess")),
    };
    Some(date.and_then(|date| {
        let Some(hour) = part("hour") else { return Ok(date.to_string()) };
        let time = time(hour, part("minute").unwrap_or("0"), part("second_of").unwrap_or("0"), part("half"));
        let time = time.ok_or_else(|| format!("{text:?} holds no time of day"))?;
        Ok(format!("{date}T{}{}", time.format("%H:%M:%S%.f"), part("offset").unwrap_or("")))
    }))
}

fn day_of_two(text: &str, two: [&str; 2], year: &str, order: Option<DateOrder>) -> Result<NaiveDate, String> {
    let [day_first, month_first] = [day(year, two[1], two[0]), day(year, two[0], two[1])];
    match (order, day_first, month_first) {
        (Some(DateOrder::DayFirst), Some(date), _) | (Some(DateOrder::MonthFirst), _, Some(date)) => Ok(date),
        (Some(order), _, _) => Err(format!("{text:?} is no date with its {} first", order.first())),
        (None, Some(one), Some(other)) if one == other => Ok(one),
        (None, Some(one), Some(other)) => Err(format!(
            "{text:?} may be {one} or {other}: say which with --dates day-first or --dates month-first"
        )),
        (None, Some(date), None) | (None, None, Some(date)) => Ok(date),
        (None, None, None) => Err(no_such_day(text)),
    }
}

impl DateOrder {
    const fn first(self) -> &'static str {
        match self {
            Self::DayFirst => "day",
            Self::MonthFirst => "month",
        }
    }
}

fn no_such_day(text: &str) -> String {
    format!("{text:?}: there is no such day")
}

fn day(year: &str, month: &str, day: &str) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
}

fn time(hour: &str, minute: &str, second: &str, half: Option<&str>) -> Option<NaiveTime> {
    let hour: u32 = hour.parse().ok()?;
    let hour = match half.map(|half| half.starts_with(['p', 'P'])) {
        None => hour,
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(afternoon) => hour % 12 + if afternoon { 12 } else { 0 },
    };
    NaiveTime::parse_from_str(&format!("{hour:02}:{minute}:{second:0>2}"), "%H:%M:%S%.f").ok()
}
