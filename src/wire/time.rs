//! Times as they come: text forms, whole numbers, and local times where a zone is given.

use chrono::offset::LocalResult;
use chrono::{NaiveDateTime, TimeZone};
use chrono_tz::Tz;

use crate::core::time::{Instant, TimeError, When, local};

use super::fault::Fault;
use super::node::{Node, Shape};

const FORMS: &str = "a time with an offset (2025-10-14T09:31:00Z), a day, month or year, or seconds since 1970";

/// A time: a text form (INTERFACE 2), or a whole number of seconds, from 10^11 up milliseconds, since 1970.
pub fn when(node: Node<'_>, zone: Option<Tz>) -> Result<When, Fault> {
    match node.shape() {
        Shape::Text => {
            let text = node.text()?;
            read(&text, zone).map_err(|message| Fault { expected: None, ..node.fault(message, "") })
        }
        Shape::Number => {
            let number: i64 = node.raw().parse().map_err(|_| node.fault("it is no whole number", FORMS))?;
            let instant =
                Instant::from_epoch_number(number).map_err(|error| node.fault(error.to_string(), FORMS))?;
            Ok(When::At(instant))
        }
        Shape::Null | Shape::Bool | Shape::List | Shape::Object => Err(node.unlike(FORMS)),
    }
}

/// The time in a text; a local one is read in the zone, and refused where there is none. An error is a sentence.
pub fn read(text: &str, zone: Option<Tz>) -> Result<When, String> {
    match (text.parse::<When>(), zone) {
        (Err(TimeError::NoOffset(_)), Some(zone)) => match local(text) {
            Some(time) => in_zone(time, zone).map(When::At),
            None => Err(TimeError::Unreadable(text.to_owned()).to_string()),
        },
        (Err(TimeError::NoOffset(text)), None) => {
            Err(format!("{}, or name its zone (--tz Europe/Lisbon)", TimeError::NoOffset(text)))
        }
        (read, _) => read.map_err(|error| error.to_string()),
    }
}

/// The instant of a local time, which a zone may have twice (clocks set back) or not at all (clocks set forward).
fn in_zone(time: NaiveDateTime, zone: Tz) -> Result<Instant, String> {
    match zone.from_local_datetime(&time) {
        // Through its text, so that the range of years is judged in one place.
        LocalResult::Single(at) => at.to_rfc3339().parse().map_err(|error: TimeError| error.to_string()),
        LocalResult::Ambiguous(early, late) => Err(format!(
            "{time} happened twice in {zone}, as the clocks were set back: write it with its offset ({} or {})",
            early.format("%:z"),
            late.format("%:z")
        )),
        LocalResult::None => Err(format!(
            "{time} never happened in {zone}, as the clocks were set forward: write it with its offset"
        )),
    }
}
