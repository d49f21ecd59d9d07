//! The pictures of the README are the program as it is.

use std::fs;
use std::path::Path;

#[path = "../../examples/screens/pictures.rs"]
mod screens;

#[test]
fn the_pictures_are_as_the_program_draws_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/screens");
    let drawn = screens::pictures().unwrap();
    let stale: Vec<&str> = drawn
        .iter()
        .filter(|(name, svg)| fs::read_to_string(folder.join(name)).is_ok_and(|kept| kept != *svg))
        .map(|(name, _)| name.as_str())
        .collect();
    assert!(stale.is_empty(), "{stale:?} are older than the program: `cargo run --example screens` draws them");
    assert_eq!(fs::read_dir(folder).unwrap().count(), drawn.len(), "a picture is missing, or none draws it");
}
