//! What stands where the mouse is: read off the same frame, drawn in false colours, in which every cell's colour says
//! what it is. So every screen and every dialog is pressed and scrolled by itself, and nothing keeps a list of areas.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::Color;

use super::input::{Mouse, MouseKind};
use super::style::Theme;
use crate::app::geometry::{Shape, Size};
use crate::app::keymap::Screen;
use crate::app::msg::Pointed;
use crate::app::{Key, Model};

/// What stands there, if it is anything that the mouse does something with. A row that is selected already is nothing.
pub fn at(model: &Model, mouse: Mouse) -> Option<Pointed> {
    let Size { width, height } = model.size;
    if mouse.column >= width || mouse.row >= height {
        return None;
    }
    let frame = Drawn(frame(model)?);
    let (x, y) = (mouse.column, mouse.row);
    match mouse.kind {
        MouseKind::Press => {
            let whole = !model.dialogs.is_empty();
            frame
                .key(x, y, whole)
                .map(Pointed::Key)
                .or_else(|| frame.row(model, x, y).map(|below| Pointed::Row { below }))
        }
        MouseKind::WheelUp | MouseKind::WheelDown => {
            Some(Pointed::Wheel { down: mouse.kind == MouseKind::WheelDown, list: frame.list(model, x, y) })
        }
    }
}

fn frame(model: &Model) -> Option<Buffer> {
    let Ok(mut terminal) = Terminal::new(TestBackend::new(model.size.width, model.size.height));
    let Ok(_drawn) = terminal.draw(|frame| super::view_in(model, &Theme::FALSE, frame));
    Some(terminal.backend().buffer().clone())
}

struct Drawn(Buffer);

impl Drawn {
    fn is(&self, x: u16, y: u16, style: ratatui::style::Style) -> bool {
        self.0.cell((x, y)).is_some_and(|cell| Some(cell.fg) == style.fg && cell.fg != Color::Reset)
    }

    fn symbol(&self, x: u16, y: u16) -> &str {
        self.0.cell((x, y)).map_or(" ", |cell| cell.symbol())
    }

    /// A line between two regions.
    fn is_edge(&self, x: u16, y: u16) -> bool {
        let sign = self.symbol(x, y).chars().next().unwrap_or(' ');
        let drawn = ('\u{2500}'..='\u{257f}').contains(&sign);
        drawn && (self.is(x, y, Theme::FALSE.border) || self.is(x, y, Theme::FALSE.strong))
    }

    fn is_blank(&self, x: u16, y: u16) -> bool {
        self.symbol(x, y).trim().is_empty()
    }

    /// The key that stands there, or to the left of the words that are pressed, in the same region; in a dialog the
    /// `whole` line belongs to it.
    fn key(&self, x: u16, y: u16, whole: bool) -> Option<Key> {
        let near = [x.saturating_sub(1), x, x.saturating_add(1)];
        if near.iter().all(|x| self.is_blank(*x, y)) || self.is(x, y, Theme::FALSE.selected) {
            return None;
        }
        let (mut end, mut gap) = (x, 0);
        while !self.is(end, y, Theme::FALSE.key) || self.is_blank(end, y) {
            // On a screen other words stand on the line too: the key is that of the words that follow it closely.
            gap = if self.is_blank(end, y) {
                gap + 1
            } else if gap >= 2 && !whole {
                return None;
            } else {
                0
            };
            if self.is_edge(end, y) {
                return None;
            }
            end = end.checked_sub(1)?;
        }
        let mut start = end;
        while start > 0 && self.is(start - 1, y, Theme::FALSE.key) {
            start -= 1;
        }
        while self.is(end, y, Theme::FALSE.key) {
            end += 1;
        }
        let name: String = (start..end).map(|x| self.symbol(x, y)).collect();
        // Of several keys the first, and of a chord its beginning: it opens the menu.
        name.split_whitespace().next()?.parse().ok()
    }

    /// Whether a row that can be selected stands there, and lies below the one that is.
    fn row(&self, model: &Model, x: u16, y: u16) -> Option<bool> {
        let selected = self.selected(model, x, y)?;
        (selected != y && !self.is_blank_line(x, y)).then_some(y > selected)
    }

    /// Whether the list that is under it has a row selected.
    fn list(&self, model: &Model, x: u16, y: u16) -> bool {
        self.selected(model, x, y).is_some()
    }

    /// The line of the selected row of the list at a cell: straight above or below, with no edge between.
    fn selected(&self, model: &Model, x: u16, y: u16) -> Option<u16> {
        // Beside the queue a record with the focus has a reversed head: no row of a list.
        let geometry = model.geometry();
        let lines = match geometry.shape {
            Shape::Wide => 0,
            Shape::Folded | Shape::Stacked | Shape::TooSmall => geometry.queue_lines,
        };
        let queue = x + 1 < geometry.queue || (1..=lines).contains(&y);
        if model.dialogs.is_empty() && model.screen == Screen::Triage && !queue {
            return None;
        }
        // What lies beside a dialog is not to be had while it is open.
        if !model.dialogs.is_empty() && !self.is_boxed(x, y) {
            return None;
        }
        let up = (0..=y).rev().take_while(|at| !self.is_edge(x, *at));
        let down = (y..model.size.height).take_while(|at| !self.is_edge(x, *at));
        up.chain(down).find(|at| self.is(x, *at, Theme::FALSE.selected))
    }

    /// Whether the sides of a box over the screen stand left and right of a cell.
    fn is_boxed(&self, x: u16, y: u16) -> bool {
        let side = |x: &u16| self.symbol(*x, y) == "║" && self.is(*x, y, Theme::FALSE.strong);
        (0..x).any(|x| side(&x)) && (x..self.0.area().width).any(|x| side(&x))
    }

    fn is_blank_line(&self, x: u16, y: u16) -> bool {
        let left = (0..=x).rev().take_while(|x| !self.is_edge(*x, y));
        let right = (x..self.0.area().width).take_while(|x| !self.is_edge(*x, y));
        left.chain(right).all(|x| self.is_blank(x, y))
    }
}
