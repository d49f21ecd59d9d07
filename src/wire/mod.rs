//! JSON, in and out: lenient towards other programs' files, strict in what it writes.
//!
//! In: [`elements`] cuts a reader into elements without holding more than one, [`node`] reads one strictly and knows
//! where everything stands, [`record`] makes a core record of it, and [`content`] says what of it was claimed. Out:
//! [`json`]. The user's settings: [`config`]. Both ways: [`policy`], [`ruling`] and, a store whole, [`archive`]. For measuring: [`generate`]. It knows `core` and nothing above it.

pub mod archive;
pub mod bytes;
pub mod config;
pub mod content;
pub mod elements;
pub mod fault;
pub mod generate;
pub mod json;
pub mod node;
pub mod observer;
pub mod policy;
pub mod record;
pub mod ruling;
pub mod time;

pub use elements::{Element, Elements};
pub use fault::{Fault, Position};
pub use record::{Defaults, Incoming, records};
