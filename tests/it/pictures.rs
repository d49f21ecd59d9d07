//! The pictures of the README and its table of keys are the program as it is.

use std::fs;
use std::path::Path;

#[path = "../../examples/screens/key_table.rs"]
mod key_table;
#[path = "../../examples/screens/pictures.rs"]
mod screens;

#[test]
fn every_key_stands_in_the_readme() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    assert_eq!(
        key_table::placed(&readme).as_deref(),
        Some(readme.as_str()),
        "`cargo run --example screens` draws it anew"
    );
}

#[test]
fn every_picture_is_shown() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    for (name, _) in screens::pictures().unwrap() {
        assert!(readme.contains(&format!("(assets/screens/{name})")), "{name} is shown nowhere");
    }
}

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
