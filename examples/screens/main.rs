//! Draws the pictures of the README from real frames: `cargo run --example screens` writes `assets/screens/*.svg`, and
//! the table of every key into the README. A test holds them against the program, so that none is older than it.

mod key_table;
mod pictures;

use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new("assets/screens");
    fs::create_dir_all(folder)?;
    for (name, svg) in pictures::pictures()? {
        fs::write(folder.join(name), svg)?;
    }
    let readme = fs::read_to_string("README.md")?;
    let placed = key_table::placed(&readme).ok_or("README.md has no place for the table of keys")?;
    fs::write("README.md", placed)?;
    Ok(())
}
