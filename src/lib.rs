//! Gainsay.
pub mod core;
