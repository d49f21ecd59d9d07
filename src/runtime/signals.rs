//! The signals that concern a program with a screen.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;

use super::wake::Wake;

/// Whether an editor has the terminal: what its user interrupts or suspends is then the editor, and we go along.
static EDITING: AtomicBool = AtomicBool::new(false);

/// As long as it lives, an editor has the terminal.
pub(super) struct Editing;

impl Editing {
    pub(super) fn begin() -> Self {
        EDITING.store(true, Ordering::SeqCst);
        Self
    }
}

impl Drop for Editing {
    fn drop(&mut self) {
        EDITING.store(false, Ordering::SeqCst);
    }
}

/// Hands every signal on to the screen's thread.
pub(super) fn watch(inbox: Sender<Wake>) -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT, SIGWINCH])?;
    let watch = move || {
        for signal in signals.forever() {
            if EDITING.load(Ordering::SeqCst) && goes_along(signal) {
                continue;
            }
            if inbox.send(Wake::Signal(signal)).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(watch).map(drop)
}

/// What an editor's user means for the editor: an interrupt is not ours, and a stop stops us with it.
fn goes_along(signal: i32) -> bool {
    match signal {
        SIGINT | SIGCONT => true,
        SIGTSTP => signal_hook::low_level::emulate_default_handler(SIGTSTP).is_ok(),
        _ => false,
    }
}
