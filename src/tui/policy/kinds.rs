//! The list of source kinds: their class, what provenance they lack, how their confidence is spread, how they fared.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Text};

use super::{list_region, words};
use crate::app::Model;
use crate::app::asks::policy::KindLine;
use crate::app::policy::Focus;
use crate::core::record::SourceClass;
use crate::tui::style::Theme;
use crate::tui::table::{Cell, Column, Table};
use crate::tui::text::{fit, shown, thousands};

const fn column(title: &'static str, width: usize, right: bool, needed: u8) -> Column {
    Column { title, width, right, needed }
}

const COLUMNS: &[Column] = &[
    column("class", 11, false, 10),
    column("records", 9, true, 9),
    column("no time", 7, true, 5),
    column("no epoch", 8, true, 6),
    column("no conf", 7, true, 4),
    column("no batch", 8, true, 3),
    column("confidence", 22, false, 8),
    column("won / lost", 10, true, 7),
    column("most on", 16, false, 1),
];

/// Draws the list within its borders.
pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let policy = &model.policy;
    let focused = policy.focus == Focus::Kinds;
    let rest = if focused { String::new() } else { "· Tab ".to_owned() };
    let inner = list_region(theme, frame, area, "Source kinds", focused, &policy.kinds, rest);
    let table = Table::new(COLUMNS, usize::from(inner.width));
    let row = |(position, line): (u64, &KindLine)| {
        let chosen = focused && position == policy.kinds.position();
        let name = Cell::new(name(line), if line.kind.is_some() { theme.text } else { theme.alarm });
        table.row(&name, &cells(line, theme), chosen, theme)
    };
    let lines: Vec<Line<'static>> = if policy.kinds.total() == 0 {
        let text = if policy.kinds.is_loaded() {
            "  Nothing has been imported yet."
        } else {
            "  counting the records of the store …"
        };
        vec![Line::default(), Line::styled(fit(text, usize::from(inner.width)), theme.dim)]
    } else {
        let titles = std::iter::once(table.titles("source kind", theme));
        titles.chain(policy.kinds.visible().map(row)).collect()
    };
    frame.render_widget(Text::from(lines), inner);
}

/// The name of a kind; what came without a source has none.
pub(super) fn name(line: &KindLine) -> String {
    line.kind.as_ref().map_or_else(|| "(no source)".to_owned(), |kind| shown(kind.as_str()))
}

/// The class; without one the records of the kind win nothing, unless they state their own.
fn class(line: &KindLine, theme: &Theme) -> Cell {
    match (line.class, &line.kind) {
        (Some(class), _) => Cell::new(SourceClass::name(class), theme.text),
        (None, None) => Cell::new("·", theme.dim),
        (None, Some(_)) if line.stated == line.records => Cell::new("stated", theme.text),
        (None, Some(_)) => Cell::new("no class", theme.alarm),
    }
}

fn cells(line: &KindLine, theme: &Theme) -> [Cell; 9] {
    let lack = |part: u64| {
        let style = if part == 0 { theme.dim } else { theme.text };
        Cell::new(words::share(part, line.records), style)
    };
    let spread = if words::tells_nothing(&line.confidence) { theme.alarm } else { theme.text };
    let most = line.most_on.as_ref().map_or_else(String::new, |attribute| shown(attribute.as_str()));
    [
        class(line, theme),
        Cell::new(thousands(line.records), theme.text),
        lack(line.lacks.observed_at),
        lack(line.lacks.epoch),
        lack(line.lacks.confidence),
        lack(line.lacks.batch),
        Cell::new(words::spread(&line.confidence), if line.confidence.stated == 0 { theme.dim } else { spread }),
        Cell::new(words::tally(line.tally), if line.ruled_on == 0 { theme.dim } else { theme.text }),
        Cell::new(most, theme.text),
    ]
}
