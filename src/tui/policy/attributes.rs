//! The list of attributes: what is declared of each, and what it holds open.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Text};

use super::{list_region, words};
use crate::app::Model;
use crate::app::asks::policy::Line as Attribute;
use crate::app::policy::Focus;
use crate::core::policy::{Cardinality, OnChange};
use crate::core::value::Comparison;
use crate::tui::style::Theme;
use crate::tui::table::{Cell, Column, Table};
use crate::tui::text::{fit, shown, thousands};

const fn column(title: &'static str, width: usize, right: bool, needed: u8) -> Column {
    Column { title, width, right, needed }
}

const COLUMNS: &[Column] = &[
    column("cardinality", 11, false, 9),
    column("on change", 10, false, 3),
    column("compare", 8, false, 4),
    column("authority", 20, false, 8),
    column("limits", 9, false, 1),
    column("own", 4, true, 2),
    column("records", 9, true, 7),
    column("held", 7, true, 10),
];

/// Draws the list within its borders.
pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let policy = &model.policy;
    let focused = policy.focus == Focus::Attributes;
    let order = format!("· {} ", policy.order.name());
    let inner = list_region(theme, frame, area, "Attributes", focused, &policy.attributes, order);
    let room = usize::from(inner.width);
    let lines = if policy.attributes.total() == 0 { empty(model, theme, room) } else { rows(model, theme, room) };
    frame.render_widget(Text::from(lines), inner);
}

fn rows(model: &Model, theme: &Theme, room: usize) -> Vec<Line<'static>> {
    let (policy, table) = (&model.policy, Table::new(COLUMNS, room));
    let focused = policy.focus == Focus::Attributes;
    let row = |(position, line): (u64, &Attribute)| {
        let chosen = focused && position == policy.attributes.position();
        let name =
            Cell::new(shown(line.attribute.as_str()), if line.is_undeclared() { theme.strong } else { theme.text });
        table.row(&name, &cells(line, theme), chosen, theme)
    };
    let titles = std::iter::once(table.titles("attribute", theme));
    titles.chain(policy.attributes.visible().map(row)).collect()
}

fn cells(line: &Attribute, theme: &Theme) -> [Cell; 8] {
    let word =
        |word: Option<&str>| Cell::new(word.unwrap_or("·"), if word.is_some() { theme.text } else { theme.dim });
    let some =
        |text: String| if text.is_empty() { Cell::new("·", theme.dim) } else { Cell::new(text, theme.text) };
    let number = |number: u64| match number {
        0 => Cell::new("·", theme.dim),
        number => Cell::new(thousands(number), theme.text),
    };
    let fields = &line.fields;
    [
        match fields.cardinality {
            Some(cardinality) => Cell::new(Cardinality::name(cardinality), theme.text),
            None => Cell::new("undeclared", theme.alarm),
        },
        word(fields.on_change.map(OnChange::name)),
        word(fields.compare.map(Comparison::name)),
        some(words::authority(fields)),
        some(words::limits(fields)),
        number(line.own),
        number(line.records),
        match line.held {
            0 => Cell::new("·", theme.dim),
            held => Cell::new(thousands(held), theme.strong),
        },
    ]
}

fn empty(model: &Model, theme: &Theme, room: usize) -> Vec<Line<'static>> {
    let policy = &model.policy;
    let said: [String; 2] = if !policy.attributes.is_loaded() {
        ["counting the records of the store …".to_owned(), String::new()]
    } else if policy.found.is_empty() {
        [
            "No record names an attribute, and none is declared.".to_owned(),
            "gainsay import FILE brings records in.".to_owned(),
        ]
    } else {
        [format!("No attribute has {} in its name.", shown(&policy.found)), "F shows all of them.".to_owned()]
    };
    let line = |text: &String| Line::styled(fit(&format!("  {text}"), room), theme.dim);
    std::iter::once(Line::default()).chain(said.iter().map(line)).collect()
}
