//! The one test program. Each module is a subject; `script` holds the words in which the others tell their stories.

mod commands;
mod desk;
mod examine;
mod laws;
mod opening;
mod permit;
mod script;
mod store;
mod tampering;
mod text;
mod times;
mod values;
mod wire;
