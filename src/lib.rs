//! Gainsay.
pub mod core;
pub mod wire;
