//! The one test program. Each module is a subject; `script` holds the words in which the others tell their stories.

mod demo;
mod desk;
mod examine;
mod floors;
mod laws;
mod permit;
mod script;
mod source;
mod store;
mod text;
mod times;
mod values;
