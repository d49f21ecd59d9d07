//! Gainsay.
pub mod app;
pub mod cli;
pub mod core;
pub mod error;
pub mod runtime;
pub mod store;
pub mod tui;
pub mod wire;
