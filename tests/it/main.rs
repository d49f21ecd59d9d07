//! The one test program. Each module is a subject; `script` holds the words in which the others tell their stories.

#![expect(clippy::unwrap_used, reason = "in a test, what must be there and is not is the failure")]

mod chance;
mod commands;
mod config;
mod cost;
mod demo;
mod desk;
mod examine;
mod exits;
mod fake;
mod floors;
mod input;
mod keyboard;
mod keys;
mod laws;
mod looks;
mod model;
mod mouse;
mod opening;
mod permit;
mod pty;
mod readings;
mod real;
mod screens;
mod script;
mod seat;
mod slot_laws;
mod slot_rulings;
mod slots;
mod source;
mod store;
mod stories;
mod tampering;
mod terminal;
mod text;
mod times;
mod told;
mod update;
mod values;
mod wire;
