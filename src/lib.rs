//! Gainsay.
pub mod core;
pub mod store;
pub mod wire;
