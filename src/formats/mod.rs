//! The shapes that memories have elsewhere: a format is data, not code.
//!
//! A file is [recognised](recognise) by its content and cut into objects ([`cut`], [`table`]); a [format](spec) says what
//! they are and where in them each field of a record stands ([`path`], [`expr`]); the [mapping] applies it, and `wire`
//! judges the records as it judges those of our own lines. Formats that ship are files ([`shipped`]); a user writes
//! another, or says it on the command line ([`said`]). It knows `core` and `wire`.

pub mod ahead;
pub mod by_hand;
pub mod cut;
pub mod dates;
mod document;
pub mod expr;
mod fan;
pub mod git;
pub mod giving;
pub mod mapping;
pub mod path;
pub mod reading;
pub mod recognise;
pub mod said;
pub mod settings;
pub mod shipped;
pub mod slotting;
pub mod spec;
pub mod table;
mod take;
pub mod tally;

pub use mapping::Mapping;
pub use spec::Format;
