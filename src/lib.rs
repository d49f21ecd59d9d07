//! Gainsay.
pub mod app;
pub mod core;
