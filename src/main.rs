//! Arguments, command, exit status: nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    gainsay::cli::panics::install();
    ExitCode::from(gainsay::cli::run(std::env::args_os().collect()))
}
