//! Gainsay.
pub mod cli;
pub mod core;
pub mod error;
pub mod store;
pub mod wire;
