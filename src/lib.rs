//! Gainsay settles what an agent's memory may not settle by itself: records that contradict each other.
//!
//! # The one idea
//!
//! Records and rulings are the truth; everything else is a projection of them by one pure function,
//! [`core::settle::settle`]. What it yields is stored, so that reading is a look-up, and can be rebuilt at any time.
//!
//! # The map
//!
//! Each floor stands on those above it in this list, and no arrow runs the other way.
//!
//! | floor | what is there |
//! |---|---|
//! | [`core`] | the nouns (records, values, times, policy, identity, rulings) and the verbs: [`core::examine`] holds two records against each other, [`core::settle`] settles one slot, [`core::permit`] says what a reviewer may do, [`core::recall`] answers in both times |
//! | [`wire`] | JSON in (lenient, every fault with its place) and out (strict) |
//! | [`formats`] | other systems' files: recognised, cut into objects, mapped to records by data |
//! | [`store`] | one SQLite file: the only floor with SQL |
//! | [`app`] | the terminal's state and [`app::update`]: (state, message) → effects |
//! | [`tui`] | draws the state, reads the keys |
//! | [`error`] | whose fault it is, what to do now, the exit status |
//! | [`runtime`] | the loop that joins app, tui and store |
//! | [`cli`] | the commands |
//!
//! # Invariants
//!
//! - `core` does no I/O and reads no clock; its verbs return values, and cannot fail.
//! - `settle` does not see the order in which records arrived.
//! - A record is never changed or deleted. A ruling neither; an undo is a ruling.
//! - A ruling is checked by the same function on the screen and inside the transaction that writes it.
//! - No pair across epochs is resolved without a re-observation; no unanchored record ever wins.
//! - Text from records reaches a terminal only through [`core::text::reveal`].
//!
//! # For an agent that embeds it
//!
//! [`store::Store::import`] takes records, [`store::Store::recall`] answers, and [`store::Store::requests`] lists what
//! the store wants to have looked at again.

pub mod app;
pub mod cli;
pub mod core;
pub mod error;
pub mod formats;
pub mod observe;
pub mod runtime;
pub mod store;
pub mod tui;
pub mod wire;
