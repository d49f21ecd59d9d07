//! The policy: attributes, and what they are declared to be; the undeclared first, by how many pairs they hold open.

use ratatui::Frame;
use ratatui::text::{Line, Text};

use super::header::Said;
use super::region::region;
use super::screen;
use super::style::Theme;
use super::text::{fit, pad, pad_left, shown, thousands};
use crate::app::Model;
use crate::core::policy::Cardinality;

/// Draws the screen.
pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame<'_>) {
    let body = screen::frame(model, theme, frame, Said::default());
    let all = &model.policy.attributes;
    let undeclared = all.iter().filter(|line| line.cardinality.is_none()).count();
    let title = format!(" Attributes {}, {undeclared} of them undeclared ", thousands(all.len() as u64));
    let block = region(theme, Line::styled(title, theme.title));
    let inner = block.inner(body);
    frame.render_widget(block, body);
    let width = usize::from(inner.width);
    let line = |name: &str, cardinality: &str, slots: &str, pairs: &str| {
        let name = pad(name, width.saturating_sub(36));
        fit(&format!(" {name}{}{}{}", pad(cardinality, 12), pad_left(slots, 9), pad_left(pairs, 13)), width)
    };
    let mut lines = vec![Line::styled(line("attribute", "cardinality", "slots", "open pairs"), theme.dim)];
    lines.extend(all.iter().skip(model.policy.offset).map(|of| {
        let cardinality = of.cardinality.map_or("undeclared", Cardinality::name);
        let style = if of.cardinality.is_none() { theme.alarm } else { theme.text };
        let (slots, pairs) = (thousands(of.slots), thousands(of.pairs));
        Line::styled(line(&shown(of.attribute.as_str()), cardinality, &slots, &pairs), style)
    }));
    lines.truncate(usize::from(inner.height));
    frame.render_widget(Text::from(lines), inner);
}
