//! What each screen beside triage asks of the store, and what comes back: plain data, one file a screen.

pub mod batches;
pub mod history;
pub mod log;
pub mod looks;
pub mod policy;
pub mod slotting;
