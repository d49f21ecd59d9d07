//! What a panic says: revealed like everything else, for it may hold a text of a record.

use std::io::Write;
use std::panic;

use color_eyre::config::{HookBuilder, Theme};

use crate::core::text::reveal_lines;

/// Reports panics, and with them the place in the source. A person's mistake is no panic: it gets one line.
pub fn install() {
    let (report, _errors) = HookBuilder::new().theme(Theme::new()).into_hooks();
    panic::set_hook(Box::new(move |info| {
        let said = reveal_lines(&report.panic_report(info).to_string());
        let _unsaid = std::io::stderr().write_all(format!("{said}\n").as_bytes());
    }));
}
