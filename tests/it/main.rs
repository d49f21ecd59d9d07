//! The one test program. Each module is a subject; `script` holds the words in which the others tell their stories.

mod chance;
mod cost;
mod examine;
mod laws;
mod model;
mod permit;
mod script;
mod slot_laws;
mod stories;
mod text;
mod times;
mod values;
