//! Draws the pictures of the README from real frames: `cargo run --example screens` writes `assets/screens/*.svg`.
//! A test holds them against the program, so that none is older than it.

mod pictures;

use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new("assets/screens");
    fs::create_dir_all(folder)?;
    for (name, svg) in pictures::pictures()? {
        fs::write(folder.join(name), svg)?;
    }
    Ok(())
}
