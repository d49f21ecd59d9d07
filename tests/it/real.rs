//! A seat at the real store: the demo's, as the program itself fills it, at a fixed time.

use gainsay::app::Look;
use gainsay::cli::demo::fill;
use gainsay::runtime::Desk;
use gainsay::store::Store;
use tempfile::TempDir;

use crate::seat::Seat;
use crate::told::at;

/// When the reviewer sits down.
const NOW: &str = "2025-12-01T09:14:02Z";

/// A seat at the demo's store; the folder holds it as long as it is kept.
pub(crate) fn demo(width: u16, height: u16, look: Look) -> (Seat<Desk>, TempDir) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("demo.db");
    fill(&path, at(NOW)).unwrap();
    let store = Store::open(&path, at(NOW)).unwrap();
    (Seat::of_size(Desk::new(store, "dana".to_owned()).unwrap(), width, height, look), folder)
}

#[test]
fn every_screen_opens_on_a_real_store_and_esc_goes_back() {
    let (mut seat, _folder) = demo(120, 40, Look::Colour);
    for key in ["t", "3", "4", "5"] {
        seat.press(key);
        assert_eq!(seat.said(), "", "after {key}");
    }
    seat.press("Esc Esc Esc Esc");
    assert!(seat.screen().contains("[Triage]"), "{}", seat.screen());
    assert!(!seat.has_quit());
}
