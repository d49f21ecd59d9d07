//! Arguments, command, exit status: nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    // For panics only: a person's mistake gets one line, not a report.
    let _installed = color_eyre::install();
    ExitCode::from(gainsay::cli::run(std::env::args_os().collect()))
}
