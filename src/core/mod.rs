//! The ground floor: what a record is, and the law that judges it.
//!
//! Pure. It reads no clock, no file, no database and no terminal, and its functions return values, not `Result`s,
//! wherever nothing can fail. The nouns: [`record`], [`value`], [`time`], [`policy`], [`identity`], [`calendar`],
//! [`ruling`]. The verbs, in the order the data takes: [`examine`] (two records), [`settle`] (one slot), [`permit`] (what a reviewer
//! may do), [`recall`] (what the slot answers, in both times), [`plane`] (where its records stand in them).

pub mod answer;
pub mod audit;
pub mod batch;
mod beaten;
pub mod calendar;
pub mod checklist;
mod claims;
pub mod consequence;
mod contender;
pub mod decay;
pub mod epoch;
mod epochs;
pub mod event;
pub mod examine;
pub mod facet;
mod facts;
pub mod health;
pub mod identity;
pub mod lag;
mod lane;
pub mod memory;
pub mod nearest;
pub mod notice;
pub mod number;
pub mod observer;
pub mod order;
pub mod pair;
pub mod permit;
pub mod plane;
pub mod plural;
pub mod policy;
pub mod recall;
pub mod record;
pub mod ruling;
pub mod select;
pub mod settle;
pub mod slot;
mod standing;
pub mod story;
pub mod text;
pub mod time;
pub mod tried;
pub mod until;
pub mod value;
