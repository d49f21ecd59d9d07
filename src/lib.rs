//! Gainsay.
pub mod app;
pub mod core;
pub mod runtime;
pub mod tui;
