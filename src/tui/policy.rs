//! The policy: attributes above, source kinds below; or one of them whole.

mod attributes;
mod detail;
mod kinds;
mod words;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect, Spacing};
use ratatui::text::{Line, Span};

use super::header::Said;
use super::region::region;
use super::screen;
use super::style::Theme;
use super::text::{shown, thousands};
use crate::app::Model;
use crate::app::list::{List, Row};
use crate::app::policy::layout::Layout as Divided;
use crate::core::plural::count;

/// Draws the screen.
pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame<'_>) {
    let body = screen::frame(model, theme, frame, said(model, theme));
    if let Some(whole) = &model.policy.detail {
        return detail::draw(whole, model.now, theme, frame, body);
    }
    let divided = Divided::of(model.size, model.policy.focus);
    let lists = Layout::vertical([Constraint::Fill(1), Constraint::Length(divided.kinds)]);
    let [upper, lower] = match (divided.attributes, divided.kinds) {
        (_, 0) => [body, Rect::default()],
        (0, _) => [Rect::default(), body],
        (_, _) => body.layout(&lists.spacing(Spacing::Overlap(1))),
    };
    if !upper.is_empty() {
        attributes::draw(model, theme, frame, upper);
    }
    if !lower.is_empty() {
        kinds::draw(model, theme, frame, lower);
    }
}

/// The version in force, and what waits to be declared.
fn said(model: &Model, theme: &Theme) -> Said {
    let policy = &model.policy;
    let Some(head) = policy.head else { return Said::default() };
    let undeclared = match head.undeclared {
        0 => "every attribute is declared".to_owned(),
        many => format!("{} undeclared, holding {}", thousands(many), count(head.held, "open pair")),
    };
    let style = if head.held > 0 { theme.alarm } else { theme.text };
    let found = (!policy.found.is_empty()).then(|| format!("/{}", shown(&policy.found)));
    let mut here = vec![
        Span::styled("  version ", theme.dim),
        Span::styled(head.version.to_string(), theme.strong),
        Span::styled("  ", theme.dim),
        Span::styled(undeclared, style),
    ];
    if let Some(found) = &found {
        here.extend([Span::styled("  showing ", theme.dim), Span::styled(found.clone(), theme.alarm)]);
    }
    Said {
        here,
        right: String::new(),
        short: format!(
            "v{} · {} undeclared hold {} ",
            head.version,
            thousands(head.undeclared),
            thousands(head.held)
        ),
        alarm: found,
    }
}

/// A region with the name of its list, where the selection stands in it, and what else is to be said of it; the inside.
fn list_region<R: Row>(
    theme: &Theme,
    frame: &mut Frame<'_>,
    area: Rect,
    name: &str,
    focused: bool,
    list: &List<R>,
    rest: String,
) -> Rect {
    let place = list.ordinal();
    let sign = if focused { " ▪ " } else { " " };
    let title = vec![
        Span::styled(format!("{sign}{name} "), if focused { theme.title } else { theme.dim }),
        Span::styled(format!("{} of {} ", thousands(place), thousands(list.total())), theme.text),
        Span::styled(rest, theme.dim),
    ];
    let block = region(theme, Line::from(title));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    inner
}
