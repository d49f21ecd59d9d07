//! How cost grows with the number of records, as a fitted exponent and as a plot (assets/growth.svg).

use std::fmt::Write;
use std::fs;
use std::path::Path;

use gainsay::wire::generate::Mix;
use tempfile::TempDir;

use crate::clock::{generate, records};
use crate::import::run;
use crate::reading::{opened, verified, what_if};
use crate::table::{Bar, Table};

/// A line of the plot: the seconds for each number of records.
struct Curve {
    name: &'static str,
    colour: &'static str,
    points: Vec<(f64, f64)>,
}

pub(crate) fn measure(table: &mut Table) {
    let curve = |name, colour| Curve { name, colour, points: Vec::new() };
    let mut curves = [curve("import", "#5f87d7"), curve("verify", "#d7875f"), curve("what-if", "#5faf87")];
    let (mut peaks, mut peak) = (Vec::new(), 0.0);
    let mut count = 10_000;
    while count <= records() {
        let folder = TempDir::new().unwrap();
        let (file, path) = (folder.path().join("records.jsonl"), folder.path().join("store.db"));
        generate(&Mix::default(), count, &file, None);
        let (import, held) = run("import", &file, &path);
        peaks.push(format!("10^{:.0}: {:.0} MiB", (count as f64).log10(), held / 1024.0));
        peak = held / 1024.0;
        let mut store = opened(&path);
        let verify = verified(&mut store);
        let (tried, _) = what_if(&mut store);
        for (curve, seconds) in curves.iter_mut().zip([import, verify, tried]) {
            curve.points.push((count as f64, seconds));
        }
        count *= 10;
    }
    for curve in &curves {
        let measured: Vec<String> = curve
            .points
            .iter()
            .map(|(count, seconds)| format!("10^{:.0}: {seconds:.2} s", count.log10()))
            .collect();
        let exponent = Bar { unit: "exponent", ..Bar::at_most(1.1) };
        table.row(format!("8. growth of {}", curve.name), measured.join("; "), slope(&curve.points), &exponent);
    }
    table.row("1. memory of an import, as it grows", peaks.join("; "), peak, &Bar::under(256.0, "MiB"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/growth.svg");
    fs::write(path, plot(&curves)).unwrap();
}

/// The exponent of the power of the number of records that fits the seconds best.
fn slope(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let many = logs.len() as f64;
    let (x, y) = logs.iter().fold((0.0, 0.0), |(x, y), at| (x + at.0 / many, y + at.1 / many));
    let above: f64 = logs.iter().map(|at| (at.0 - x) * (at.1 - y)).sum();
    above / logs.iter().map(|at| (at.0 - x).powi(2)).sum::<f64>()
}

/// Both axes in powers of ten; a straight line of slope one is linear growth.
fn plot(curves: &[Curve]) -> String {
    let decades = curves[0].points.len() as f64 - 1.0;
    let across = |count: f64| 70.0 + (count.log10() - 4.0) / decades.max(1.0) * 430.0;
    let up = |seconds: f64| 270.0 - (seconds.log10() + 3.0) / 6.0 * 240.0;
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 620 310\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"620\" height=\"310\" fill=\"#ffffff\"/>\n",
    );
    for power in -3..=3 {
        let y = up(10_f64.powi(power));
        writeln!(svg, "<path d=\"M70 {y:.1}H500\" stroke=\"#dddddd\"/><text x=\"62\" y=\"{:.1}\" text-anchor=\"end\">{} s</text>", y + 4.0, 10_f64.powi(power)).unwrap();
    }
    for (count, _) in &curves[0].points {
        writeln!(svg, "<text x=\"{:.1}\" y=\"290\" text-anchor=\"middle\">{count}</text>", across(*count)).unwrap();
    }
    for curve in curves {
        let at: Vec<String> = curve
            .points
            .iter()
            .map(|(count, seconds)| format!("{:.1},{:.1}", across(*count), up(*seconds)))
            .collect();
        let (Curve { name, colour, points }, line) = (curve, at.join(" "));
        let end = up(points[points.len() - 1].1) + 4.0;
        writeln!(svg, "<polyline points=\"{line}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>")
            .unwrap();
        let exponent = slope(points);
        writeln!(svg, "<text x=\"508\" y=\"{end:.1}\" fill=\"{colour}\">{name}: n^{exponent:.2}</text>").unwrap();
    }
    svg.push_str("<text x=\"285\" y=\"306\" text-anchor=\"middle\">records</text>\n</svg>\n");
    svg
}
