//! The triage screen: how its height is shared out, and its regions put in their places.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect, Spacing};
use ratatui::text::Line;

use super::region::region;
use super::style::Theme;
use super::text::{counted, thousands};
use super::{actions, checks, foot, header, pair, queue, time};
use crate::app::Model;
use crate::app::geometry::{Geometry, Shape};
use crate::app::keymap::{Command, Common, Narrowing, Screen};

/// Lines within the borders of each section beside the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Share {
    pair: u16,
    time: u16,
    checks: u16,
    actions: u16,
}

/// Draws the screen.
pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame<'_>) {
    let geometry = model.geometry();
    let area = frame.area();
    let top = if geometry.shape == Shape::Wide { 2 } else { 1 };
    let folded = if geometry.shape == Shape::Wide { 0 } else { geometry.queue_lines };
    let rows = Layout::vertical([
        Constraint::Length(top),
        Constraint::Length(folded),
        Constraint::Fill(1),
        Constraint::Length(1),
        Constraint::Length(1),
    ]);
    let [head, fold, body, said, keys] = area.layout(&rows);
    header::draw(model, theme, frame, head, header::of_triage(model, theme));
    queue::draw_folded(model, theme, frame, fold);
    let mut listed = Rect::default();
    let right = if geometry.shape == Shape::Wide {
        let columns = Layout::horizontal([Constraint::Length(geometry.queue), Constraint::Fill(1)])
            .spacing(Spacing::Overlap(1));
        let [left, right] = body.layout(&columns);
        queue::draw(model, theme, frame, left);
        listed = left;
        right
    } else {
        body
    };
    sections(model, geometry, theme, frame, right);
    queue::draw_scrollbar(model, theme, frame, listed);
    foot::said(model, theme, frame, said);
    foot::keys(model, theme, frame, keys);
}

fn sections(model: &Model, geometry: Geometry, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let Some(shown) = model.triage.pair() else {
        empty(model, theme, frame, area);
        return;
    };
    let share = share(geometry, area.height);
    let heights = [share.pair, share.time, share.checks, share.actions];
    // A section without lines has no borders either.
    let layout = Layout::vertical(heights.map(|inner| Constraint::Length(if inner == 0 { 1 } else { inner + 2 })))
        .spacing(Spacing::Overlap(1));
    let [records, order, checklist, may] = area.layout(&layout);
    pair::draw(model, shown, theme, frame, records);
    if share.time > 0 {
        time::draw(shown, theme, frame, order);
    }
    if share.checks > 0 {
        checks::draw(model, shown, share.checks, theme, frame, checklist);
    }
    if share.actions > 0 {
        actions::draw(&model.setup.keymap, shown, theme, frame, may);
    }
}

/// Shares the height out: what may be done and what failed come before the length of the records.
fn share(geometry: Geometry, height: u16) -> Share {
    let lines = |sections: u16| height.saturating_sub(sections + 1);
    let may = actions::lines(geometry.inner, height);
    if geometry.inner >= 70 && height >= 33 {
        let rest = lines(4).saturating_sub(2 + 8 + may);
        return Share { pair: rest, time: 2, checks: 8, actions: may };
    }
    if height >= 14 + may {
        let checks = checks::folded_lines(geometry.inner) + 1;
        let pair = lines(3).saturating_sub(checks + may);
        // The strips, with the border that they bring, wherever the records keep their lines.
        if geometry.inner >= 70 && pair >= 18 {
            return Share { pair: pair - 3, time: 2, checks, actions: may };
        }
        return Share { pair, time: 0, checks, actions: may };
    }
    let checks = if height >= 8 { 2 } else { 0 };
    Share { pair: lines(if checks > 0 { 2 } else { 1 }).saturating_sub(checks), time: 0, checks, actions: 0 }
}

/// No pair to show: why, and what to do about it.
fn empty(model: &Model, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let block = region(theme, "");
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let queue = &model.triage.queue;
    let lines: Vec<String> = if !queue.list.is_loaded() || queue.list.total() > 0 {
        vec!["reading …".to_owned()]
    } else if queue.filter.narrows() {
        let hidden = queue.counts.open;
        vec![
            format!("Nothing matches: {}.", queue.filter.words().join(", ")),
            format!("The filter hides {}.", counted(hidden, "open pair")),
            format!("{} clears it.", model.key(Command::Narrow(Narrowing::Clear))),
        ]
    } else if queue.counts.unsettled() + queue.counts.settled == 0 {
        vec![
            "Nothing is open, and nothing ever was: no two records contradict each other.".to_owned(),
            String::new(),
            "gainsay import FILE   brings records in; each is judged as it lands".to_owned(),
            "gainsay demo          shows what it looks like with some".to_owned(),
        ]
    } else {
        let counts = &queue.counts;
        let (waiting, deferred) = (thousands(counts.awaiting), thousands(counts.deferred));
        let mut lines = vec![
            match counts.settled {
                1 => "Nothing is open. 1 pair is settled.".to_owned(),
                many => format!("Nothing is open. {} pairs are settled.", thousands(many)),
            },
            String::new(),
        ];
        if counts.unsettled() > 0 {
            let facets = model.key(Command::Narrow(Narrowing::Facets));
            lines
                .push(format!("{waiting} await a look at the world, {deferred} are deferred: {facets} shows them"));
        }
        let (log, undo) = (model.key(Common::Go(Screen::Log)), model.key(Common::Undo));
        lines.push(format!("{log} shows what was ruled, {undo} undoes the last of it"));
        lines
    };
    let wide = usize::from(inner.width).max(1);
    let folded = lines.iter().flat_map(|line| {
        let folded = textwrap::wrap(line, wide).into_iter();
        folded.map(|line| super::text::shown(&line)).collect::<Vec<_>>()
    });
    let lines: Vec<Line<'_>> = folded.map(|line| Line::styled(line, theme.text).centered()).collect();
    let height = u16::try_from(lines.len()).unwrap_or(1);
    let middle = inner.centered_vertically(Constraint::Length(height));
    frame.render_widget(ratatui::text::Text::from(lines), middle);
}
