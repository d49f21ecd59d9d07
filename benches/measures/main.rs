//! What Gainsay costs, each figure as a ratio to a yardstick that is measured in the same run.
//!
//!     cargo bench --bench measures -- [import] [hot] [queue] [screen] [ruling] [reading] [against] [growth]
//!
//! prints one Markdown table; without a name, all but `growth`. `GAINSAY_RECORDS` (1000000) and `GAINSAY_ROUNDS` (3) set
//! the size and how often a long measure is taken: its figure is the median of the rounds.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program that measures tells what it measured")]
#![expect(clippy::unwrap_used, reason = "where a part of a measure fails, there is no measure")]

mod against;
mod bare;
mod clock;
mod filled;
mod growth;
mod import;
mod queue;
mod reading;
mod ruling;
mod screen;
mod table;
mod terminal;

use table::Table;

/// Measures one point, and adds its rows.
type Measure = fn(&mut Table);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with("--")).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["child", "screen", store] => return bare::screen(store),
        ["child", what, file, store] => return import::child(what, file, store),
        _ => {}
    }
    let asked = |name: &str| if words.is_empty() { name != "growth" } else { words.contains(&name) };
    let points: [(&str, Measure); 8] = [
        ("import", import::whole),
        ("hot", import::hot),
        ("queue", queue::measure),
        ("screen", screen::measure),
        ("ruling", ruling::measure),
        ("reading", reading::measure),
        ("against", against::measure),
        ("growth", growth::measure),
    ];
    let mut table = Table::default();
    for (name, measure) in points {
        if asked(name) {
            eprintln!("measuring: {name}");
            measure(&mut table);
        }
    }
    println!("{table}");
}
