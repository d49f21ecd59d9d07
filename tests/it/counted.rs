//! What is counted and put into words by the core alone: plurals, lags, shares, planes, facets, what an epoch is said of.

use chrono::Duration;
use gainsay::core::batch::{Field, Plane, Sorting};
use gainsay::core::facet::Facet;
use gainsay::core::health::{share, spread};
use gainsay::core::lag::{Band, Lags};
use gainsay::core::notice::Notice;
use gainsay::core::plural::{count, listed, things, verb};
use gainsay::core::record::{Epoch, Subject};
use gainsay::core::ruling::RulingId;
use gainsay::core::time::Instant;
use gainsay::core::until::{Until, or_length};

#[test]
fn a_number_stands_with_the_form_that_goes_with_it() {
    for (number, thing, text) in [
        (0, "pair", "0 pairs"),
        (1, "pair", "1 pair"),
        (2, "pair", "2 pairs"),
        (1, "entry", "1 entry"),
        (2, "entry", "2 entries"),
        (2, "key", "2 keys"),
        (2, "play", "2 plays"),
        (2, "toy", "2 toys"),
        (2, "guy", "2 guys"),
        (1, "batch", "1 batch"),
        (3, "batch", "3 batches"),
    ] {
        assert_eq!(count(number, thing), text);
        assert_eq!(format!("{number} {}", things(number, thing)), text);
    }
    assert_eq!([0, 1, 2].map(|number| verb(number, "closes", "close")), ["close", "closes", "close"]);
    let words = |words: &[&str]| listed(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
    assert_eq!(words(&[]), "");
    assert_eq!(words(&["a"]), "a");
    assert_eq!(words(&["a", "b"]), "a and b");
    assert_eq!(words(&["a", "b", "c"]), "a, b and c");
}

#[test]
fn each_band_of_lags_ends_where_the_next_begins() {
    let ends = [-300, 60, 3_600, 86_400, 604_800, 2_592_000, 31_536_000];
    for (at, end) in ends.into_iter().enumerate() {
        assert_eq!(Band::ALL[at].below(), Some(end));
        assert_eq!([Band::of(end - 1), Band::of(end)], [Band::ALL[at], Band::ALL[at + 1]]);
    }
    assert_eq!((Band::Over.below(), Band::of(i64::MAX), Band::of(i64::MIN)), (None, Band::Over, Band::Ahead));
    let names: Vec<&str> = Band::ALL.iter().map(|band| band.name()).collect();
    assert!(names.iter().enumerate().all(|(at, name)| !names[..at].contains(name)), "{names:?}");
    let lags = Lags { bands: [1, 2, 4, 8, 16, 32, 64, 128], unknown: 256 };
    assert_eq!(Band::ALL.map(|band| lags.of(band)), lags.bands);
    assert_eq!(lags.known(), 255);
}

#[test]
fn confidence_that_is_nearly_always_one_of_two_numbers_says_nothing() {
    assert_eq!([share(0, 0), share(1, 4), share(4, 4)], [0.0, 0.25, 1.0]);
    let none = spread(&[]);
    assert_eq!(
        (none.stated, none.distinct, none.entropy, none.of_two(), none.says_nothing()),
        (0, 0, 0.0, 0.0, false)
    );
    let one = spread(&[(0.9, 7)]);
    assert_eq!((one.stated, one.distinct, one.entropy, one.of_two(), one.says_nothing()), (7, 1, 0.0, 1.0, true));
    let four = spread(&[(0.1, 5), (0.2, 5), (0.3, 5), (0.4, 5)]);
    assert_eq!((four.stated, four.distinct, four.entropy, four.of_two()), (20, 4, 2.0, 0.5));
    assert!(!four.says_nothing());
    // The commonest first, of equals the smaller.
    assert_eq!(four.commonest, [(0.1, 5), (0.2, 5), (0.3, 5)]);
    assert_eq!(spread(&[(0.5, 1), (0.6, 3), (0.7, 2)]).commonest, [(0.6, 3), (0.7, 2), (0.5, 1)]);
    assert!(spread(&[(0.5, 45), (0.6, 45), (0.7, 10)]).says_nothing());
    assert!(!spread(&[(0.5, 45), (0.6, 44), (0.7, 11)]).says_nothing());
}

#[test]
fn a_plane_drawn_on_fewer_cells_shows_every_record_once() {
    let fields = (0..Plane::ACROSS * Plane::DOWN)
        .map(|at| Field { batch: at as u64 % 7, others: at as u64 % 5 })
        .collect::<Vec<_>>();
    let all = fields.iter().fold((0, 0), |sum, field| (sum.0 + field.batch, sum.1 + field.others));
    let plane = Plane { fields, ..Plane::default() };
    for (across, down) in [(Plane::ACROSS, Plane::DOWN), (77, 19), (1, 1), (13, 48)] {
        let cells = (0..across).flat_map(|x| (0..down).map(move |y| (x, y)));
        let shown = cells.map(|cell| plane.cell(cell, (across, down)));
        let sum = shown.fold((0, 0), |sum, field| (sum.0 + field.batch, sum.1 + field.others));
        assert_eq!(sum, all, "{across}×{down}");
    }
    let corner = plane.cell((239, 47), (Plane::ACROSS, Plane::DOWN));
    assert_eq!((corner.batch, corner.others), ((240 * 48 - 1) % 7, (240 * 48 - 1) % 5));
    // On more cells than there are fields each cell shows the field that it lies in.
    assert_eq!(plane.cell((2, 0), (480, 96)), plane.cell((1, 0), (240, 48)));
    assert_eq!(Plane::default().cell((0, 0), (10, 10)), Field::default());
    assert_eq!(plane.cell((0, 0), (0, 0)), plane.cell((0, 0), (1, 1)));
}

#[test]
fn the_orders_of_a_list_go_round_and_each_has_a_name() {
    let mut at = Sorting::default();
    let mut names = Vec::new();
    for _ in 0..4 {
        names.push(at.name());
        at = at.next();
    }
    assert_eq!(at, Sorting::Newest);
    assert_eq!(names, ["newest first", "most contested first", "greatest lag first", "most lost first"]);
}

#[test]
fn a_facet_is_one_of_some_and_none_of_others() {
    let facet = |any_of: &[i32], none_of: &[i32]| Facet { any_of: any_of.to_vec(), none_of: none_of.to_vec() };
    let chooses = |facet: &Facet<i32>, value: i32| facet.chooses(|it| *it == value);
    assert!(chooses(&Facet::default(), 1) && chooses(&facet(&[1, 2], &[]), 2) && chooses(&facet(&[], &[3]), 2));
    assert!(!chooses(&facet(&[1, 2], &[]), 3) && !chooses(&facet(&[], &[3]), 3) && !chooses(&facet(&[1], &[1]), 1));
    assert_eq!((Facet::only(Some(1)), Facet::<i32>::only(None)), (facet(&[1], &[]), Facet::default()));
    assert_eq!(facet(&[1], &[2]).map(|it| it * 10), facet(&[10], &[20]));
    let empty = [facet(&[], &[]), facet(&[1], &[]), facet(&[], &[1])].map(|facet| facet.is_empty());
    assert_eq!(empty, [true, false, false]);
}

#[test]
fn a_notice_speaks_of_one_subject_or_of_all_whose_names_fit() {
    let since: Instant = "2026-03-01T10:00:00Z".parse().unwrap();
    let notice = |over: &str, since| Notice { over: Subject::from(over), epoch: Epoch(4), since, cause: None };
    let covers = |over: &str, name: &str| notice(over, None).covers(&Subject::from(name));
    assert!(covers("svc/checkout", "svc/checkout") && !covers("svc/checkout", "svc/checkout2"));
    assert!(covers("svc/*", "svc/checkout") && !covers("svc/*", "user/checkout"));
    assert!(covers("what?", "what?") && !covers("what?", "whats") && !covers("svc/?*", "svc/checkout"));
    assert_eq!([notice("svc/*", None), notice("svc/a", None)].map(|it| it.is_pattern()), [true, false]);
    assert_eq!(notice("a", None).opening(RulingId(7)), None);
    let opening = notice("a", Some(since)).opening(RulingId(7)).unwrap();
    assert_eq!((opening.since, opening.epoch, opening.ruling), (since, Epoch(4), RulingId(7)));
}

#[test]
fn something_is_put_off_until_a_moment_or_for_a_length_of_time() {
    let now: Instant = "2026-03-01T10:00:00Z".parse().unwrap();
    let until = |text: &str| text.parse::<Until>().map(|it| it.from(now));
    assert_eq!(until(" 3d ").unwrap(), now.plus(Duration::days(3)));
    assert_eq!(until("12h").unwrap(), now.plus(Duration::hours(12)));
    assert_eq!(until("2026-04").unwrap(), "2026-04-01T00:00:00Z".parse().unwrap());
    assert_eq!(until("2026-04-02T03:04:05Z").unwrap(), "2026-04-02T03:04:05Z".parse().unwrap());
    let error = until("soon").unwrap_err();
    assert!(
        error.starts_with("\"soon\"") && error.ends_with("or a length of time: 90d, 2w, 12h, 30m or 45s"),
        "{error}"
    );
    assert_eq!(or_length(&"wrong"), "wrong; or a length of time: 90d, 2w, 12h, 30m or 45s");
}
