//! The one test program. Each module is a subject; `script` holds the words in which the others tell their stories.

#![expect(clippy::unwrap_used, reason = "in a test, what must be there and is not is the failure")]

mod commands;
mod demo;
mod desk;
mod examine;
mod floors;
mod laws;
mod opening;
mod permit;
mod script;
mod source;
mod store;
mod tampering;
mod text;
mod times;
mod values;
mod wire;
