//! The terminal program's state and its update function: [`update`] is (state, message) → effects.
//!
//! No I/O and no clock: times come in messages, and what is to be done goes out as [`Effect`]s, so that every rule of
//! the keyboard is a test without a terminal. It stands on [`crate::core`] alone. A screen is a sub-model
//! ([`triage`], [`history`], [`batches`], [`log`], [`policy`]); what lies over it is a [`dialog`]; the keys are one table ([`keymap`]); the store is a [`port`].

pub mod again;
mod answers;
pub mod asks;
pub mod batches;
pub mod bulk;
pub mod command;
mod commands;
pub mod compare;
pub mod consequence;
mod copy;
mod decide;
mod declare;
pub mod declaring;
pub mod dialog;
mod dialogs;
mod dispute;
pub mod evidence;
mod facets;
pub mod failure;
pub mod field;
mod filled;
pub mod form;
pub mod forms;
pub mod geometry;
pub mod history;
pub mod key;
pub mod keymap;
pub mod list;
mod listed;
pub mod log;
pub mod look;
mod looks;
pub mod model;
pub mod msg;
pub mod palette;
mod pointer;
pub mod policy;
pub mod port;
pub mod preview;
pub mod queue;
pub mod rebind;
pub mod session;
mod sheet;
pub mod slotting;
pub mod spell;
pub mod stale;
pub mod standing;
mod supply;
pub mod triage;
pub mod trial;
mod update;
mod withdrawal;

pub use bulk::Ordered;
pub use failure::Failure;
pub use key::{Code, Key};
pub use look::Look;
pub use model::{Model, Setup};
pub use msg::{Effect, Lane, Msg};
pub use port::Port;
pub use update::update;
