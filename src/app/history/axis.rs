//! Dates along an axis: at the beginnings of years, months, days, hours and minutes, as many as there is room for.

use chrono::{DateTime, Datelike, Duration, Months, NaiveDate, Timelike, Utc};

use crate::core::plane::Span;
use crate::core::time::Instant;

/// A date at its cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tick {
    pub cell: u16,
    pub label: String,
}

/// How far ticks stand apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Seconds(i64),
    Months(u32),
}

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// From the finest to the coarsest.
const STEPS: [Step; 23] = [
    Step::Seconds(1),
    Step::Seconds(10),
    Step::Seconds(MINUTE),
    Step::Seconds(5 * MINUTE),
    Step::Seconds(15 * MINUTE),
    Step::Seconds(HOUR),
    Step::Seconds(3 * HOUR),
    Step::Seconds(6 * HOUR),
    Step::Seconds(12 * HOUR),
    Step::Seconds(DAY),
    Step::Seconds(2 * DAY),
    Step::Seconds(5 * DAY),
    Step::Seconds(10 * DAY),
    Step::Months(1),
    Step::Months(3),
    Step::Months(6),
    Step::Months(12),
    Step::Months(24),
    Step::Months(60),
    Step::Months(120),
    Step::Months(600),
    Step::Months(1200),
    Step::Months(12_000),
];

/// The finest dates of which no two stand nearer than `apart` cells.
pub fn ticks(span: Span, cells: u16, apart: u16) -> Vec<Tick> {
    let room = i64::from(cells / apart.max(1)).max(1);
    let seconds = span.milliseconds() / 1000;
    for step in STEPS {
        if seconds / step.seconds() > room {
            continue;
        }
        let ticks = place(step, span, cells);
        let near = ticks.windows(2).any(|pair| pair[1].cell - pair[0].cell < apart);
        if !near {
            return ticks;
        }
    }
    Vec::new()
}

/// A moment, as exactly as the cells of the span tell moments apart; never more than 11 cells.
pub fn label(at: Instant, span: Span, cells: u16) -> String {
    let cell = span.milliseconds() / 1000 / i64::from(cells.max(1));
    let form = match cell {
        0..MINUTE => "%H:%M:%S",
        MINUTE..DAY => "%m-%d %H:%M",
        _ => "%Y-%m-%d",
    };
    at.utc().format(form).to_string()
}

fn place(step: Step, span: Span, cells: u16) -> Vec<Tick> {
    let mut ticks = Vec::new();
    let mut at = step.first(span.from.utc());
    while let Some(time) = at.filter(|time| *time <= span.to.utc()) {
        if let Some(cell) = span.place(Instant::new(time), cells) {
            ticks.push(Tick { cell, label: step.label(time) });
        }
        at = step.next(time);
    }
    ticks
}

impl Step {
    const fn seconds(self) -> i64 {
        match self {
            Self::Seconds(seconds) => seconds,
            Self::Months(months) => months as i64 * 30 * DAY,
        }
    }

    /// The first tick that does not come before the moment.
    fn first(self, from: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let floor = match self {
            // Days are counted from the first of the month: `10`, `20`, and not any tenth day.
            Self::Seconds(seconds) if seconds > DAY => {
                let day = i64::from(from.day0()) * DAY / seconds * seconds / DAY;
                midnight(from.date_naive().with_day0(u32::try_from(day).unwrap_or(0))?)
            }
            Self::Seconds(seconds) => {
                let of_day = i64::from(from.num_seconds_from_midnight());
                midnight(from.date_naive())?.checked_add_signed(Duration::seconds(of_day / seconds * seconds))
            }
            Self::Months(months) => {
                let month = i64::from(from.year()) * 12 + i64::from(from.month0());
                let floor = month.div_euclid(i64::from(months)) * i64::from(months);
                let year = i32::try_from(floor.div_euclid(12)).unwrap_or(0);
                let month = u32::try_from(floor.rem_euclid(12)).unwrap_or(0);
                midnight(NaiveDate::from_ymd_opt(year, month + 1, 1)?)
            }
        }?;
        if floor < from { self.next(floor) } else { Some(floor) }
    }

    fn next(self, at: DateTime<Utc>) -> Option<DateTime<Utc>> {
        match self {
            Self::Months(months) => at.checked_add_months(Months::new(months)),
            Self::Seconds(seconds) => {
                let next = at.checked_add_signed(Duration::seconds(seconds))?;
                // The next month begins anew; a tick shortly before it would crowd it.
                let crowds = seconds > DAY
                    && (next.month() != at.month()
                        || next.checked_add_signed(Duration::seconds(seconds / 2))?.month() != at.month());
                if crowds {
                    midnight(at.date_naive().with_day0(0)?)?.checked_add_months(Months::new(1))
                } else {
                    Some(next)
                }
            }
        }
    }

    fn label(self, at: DateTime<Utc>) -> String {
        let form = match self {
            Self::Months(12..) => "%Y",
            Self::Months(_) => "%Y-%m",
            Self::Seconds(DAY..) => "%Y-%m-%d",
            Self::Seconds(_) if at.num_seconds_from_midnight() == 0 => "%Y-%m-%d",
            Self::Seconds(MINUTE..) => "%H:%M",
            Self::Seconds(_) => "%H:%M:%S",
        };
        at.format(form).to_string()
    }
}

fn midnight(day: NaiveDate) -> Option<DateTime<Utc>> {
    Some(day.and_hms_opt(0, 0, 0)?.and_utc())
}
