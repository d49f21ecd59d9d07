//! The plane of both times, its steps and the naive orders, each held against a plain computation.

use chrono::Duration;
use gainsay::core::plane::{Frame, Span, Spot, last_observed, last_written, plane, step};
use gainsay::core::time::{Instant, When};
use proptest::prelude::*;

use crate::script::{instant, properties};

const START: &str = "2025-01-01T00:00:00Z";

pub(crate) fn hour(number: i64) -> Instant {
    instant(START).plus(Duration::hours(number))
}

fn spots() -> impl Strategy<Value = Vec<Spot>> {
    let observed = (0..200_i64, any::<bool>())
        .prop_map(|(at, day)| if day { When::Day(hour(at).utc().date_naive()) } else { When::At(hour(at)) });
    let one = (proptest::option::of(observed), 0..200_i64, 0..4_usize)
        .prop_map(|(observed, written, value)| Spot { observed, written: hour(written), value, arrived: 0 });
    proptest::collection::vec(one, 0..60).prop_map(|mut all| {
        for (arrived, spot) in (0..).zip(&mut all) {
            spot.arrived = arrived;
        }
        all
    })
}

fn span() -> impl Strategy<Value = Span> {
    (0..150_i64, 1..150_i64).prop_map(|(from, long)| Span { from: hour(from), to: hour(from + long) })
}

proptest! {
    #![proptest_config(properties(200))]

    #[test]
    fn every_record_is_in_its_cell_or_beyond_an_edge(
        spots in spots(), observed in span(), written in span(), columns in 1..40_u16, rows in 1..20_u16
    ) {
        let drawn = plane(spots.iter().copied(), Frame { observed, written, columns, rows });
        // The first cell whose end lies behind the moment, found by walking.
        let cell = |at: Instant, span: Span, cells: u16| {
            (span.from <= at && at <= span.to).then(|| {
                let milliseconds = |it: Instant| i128::from(it.since(span.from).num_milliseconds());
                let length = milliseconds(span.to) + 1;
                (0..cells).find(|cell| milliseconds(at) * i128::from(cells) < length * i128::from(cell + 1)).unwrap()
            })
        };
        let mut beyond = 0;
        let mut counted = std::collections::BTreeMap::new();
        for spot in &spots {
            let column = spot.observed.and_then(|at| cell(at.first(), observed, columns));
            match (cell(spot.written, written, rows), column) {
                (Some(row), Some(column)) => *counted.entry((row, column)).or_insert(0) += 1,
                _ => beyond += 1,
            }
        }
        let edges = drawn.beyond;
        prop_assert_eq!(edges.left + edges.right + edges.below + edges.above + edges.undated, beyond);
        let cells: std::collections::BTreeMap<_, _> =
            drawn.cells.iter().map(|cell| ((cell.row, cell.column), cell.records)).collect();
        prop_assert_eq!(cells, counted);
        for cell in &drawn.cells {
            prop_assert!(cell.column < columns && cell.row < rows);
        }
    }

    #[test]
    fn a_step_is_the_next_of_the_moments_with_now_among_them(
        hours in proptest::collection::btree_set(0..50_i64, 0..20), now in 0..50_i64,
        from in proptest::option::of(0..50_i64), by in -6..7_i64
    ) {
        let moments: Vec<Instant> = hours.iter().copied().map(hour).collect();
        let (now, from) = (hour(now), from.map(hour));
        let mut at = from;
        for _ in 0..by.unsigned_abs() {
            // Now stands behind a moment that is the same.
            let key = |it: Option<Instant>| it.map_or((now, true), |it| (it, false));
            let all = moments.iter().copied().map(Some).chain([None]);
            let next = if by > 0 {
                all.filter(|it| key(*it) > key(at)).min_by_key(|it| key(*it))
            } else {
                all.filter(|it| key(*it) < key(at)).max_by_key(|it| key(*it))
            };
            at = next.unwrap_or(at);
        }
        prop_assert_eq!(step(&moments, from, now, by), at);
    }

    #[test]
    fn the_naive_orders_take_the_last_of_what_was_there(
        spots in spots(), believed in proptest::option::of(0..200_i64), about in proptest::option::of(0..250_i64)
    ) {
        let (believed, about) = (believed.map(hour), about.map(hour));
        let mut written: Vec<&Spot> =
            spots.iter().filter(|spot| believed.is_none_or(|at| spot.written <= at)).collect();
        written.sort_by_key(|spot| (spot.written, spot.arrived));
        prop_assert_eq!(last_written(&spots, believed).map(|at| &spots[at]), written.last().copied());
        let mut observed: Vec<&Spot> = written
            .into_iter()
            .filter(|spot| spot.observed.is_some_and(|at| about.is_none_or(|about| at.last() <= about)))
            .collect();
        observed.sort_by_key(|spot| spot.observed.map(When::last));
        prop_assert_eq!(last_observed(&spots, believed, about).map(|at| &spots[at]), observed.last().copied());
    }
}
