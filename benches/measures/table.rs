//! The table that is printed.

use std::fmt;

/// Whether a figure should be small or great.
#[derive(Clone, Copy)]
pub(crate) enum Better {
    Less,
    More,
}

struct Row {
    what: String,
    measured: String,
    figure: f64,
    unit: &'static str,
    goal: f64,
    least: f64,
    better: Better,
}

/// Figures, each with its goal and with the least that passes.
#[derive(Default)]
pub(crate) struct Table(Vec<Row>);

/// What a figure must reach.
pub(crate) struct Bar {
    pub(crate) unit: &'static str,
    pub(crate) goal: f64,
    pub(crate) least: f64,
    pub(crate) better: Better,
}

impl Bar {
    /// At most so many times the yardstick.
    pub(crate) const fn at_most(times: f64) -> Self {
        Self { unit: "×", goal: times, least: times, better: Better::Less }
    }

    /// At most so much of a unit.
    pub(crate) const fn under(most: f64, unit: &'static str) -> Self {
        Self { unit, goal: most, least: most, better: Better::Less }
    }
}

impl Table {
    pub(crate) fn row(&mut self, what: impl Into<String>, measured: impl Into<String>, figure: f64, bar: &Bar) {
        let row = Row {
            what: what.into(),
            measured: measured.into(),
            figure,
            unit: bar.unit,
            goal: bar.goal,
            least: bar.least,
            better: bar.better,
        };
        eprintln!("{row}");
        self.0.push(row);
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, reaches): (_, fn(f64, f64) -> bool) = match self.better {
            Better::Less => ("≤", |figure, bar| figure <= bar),
            Better::More => ("≥", |figure, bar| figure >= bar),
        };
        let verdict = match (reaches(self.figure, self.goal), reaches(self.figure, self.least)) {
            (true, _) => "met",
            (false, true) => "passes",
            (false, false) => "**missed**",
        };
        let Self { what, measured, figure, unit, goal, least, .. } = self;
        let bar =
            if goal == least { format!("{sign} {goal} {unit}") } else { format!("{sign} {goal} ({least}) {unit}") };
        write!(f, "| {what} | {measured} | {figure:.2} {unit} | {bar} | {verdict} |")
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| what | measured, and its yardstick | figure | goal (least) | |")?;
        writeln!(f, "|---|---|---:|---|---|")?;
        self.0.iter().try_for_each(|row| writeln!(f, "{row}"))
    }
}
