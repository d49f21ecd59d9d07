//! Draws the model and reads the keys. [`view`] is pure: the same model at the same size gives the same cells.
//!
//! One file a region. What comes from the store passes `core::text` before it is drawn, and before it is measured.

mod actions;
mod again;
pub mod ascii;
mod batches;
mod bulk;
mod bulk_list;
mod checks;
mod declare;
mod dialog;
mod foot;
mod form;
mod full;
mod header;
mod history;
pub mod input;
mod input_lines;
mod log;
mod pair;
pub mod pointer;
mod policy;
mod popup;
mod queue;
mod region;
mod screen;
mod slotting;
mod stale;
mod structured;
pub mod style;
mod table;
mod text;
mod time;
mod triage;

use ratatui::Frame;
use ratatui::text::{Line, Text};

use crate::app::Model;
use crate::app::geometry::Shape;
use crate::app::keymap::{Common, Screen};
use style::Theme;

/// Draws the whole screen.
pub fn view(model: &Model, frame: &mut Frame<'_>) {
    view_in(model, &Theme::in_force(&model.setup), frame);
    if model.setup.ascii {
        ascii::pass(frame.buffer_mut());
    }
}

/// Draws it in a theme.
fn view_in(model: &Model, theme: &Theme, frame: &mut Frame<'_>) {
    let geometry = model.geometry();
    if geometry.shape == Shape::TooSmall {
        let quit = model.key(Common::Quit);
        let said = format!("too small: 40 by 12 cells are needed; {quit} quits");
        let lines = textwrap::wrap(&said, usize::from(frame.area().width.max(1))).into_iter();
        let said: Vec<Line<'_>> = lines.map(|line| Line::styled(line.into_owned(), theme.strong)).collect();
        frame.render_widget(Text::from(said), frame.area());
        return;
    }
    match model.screen {
        Screen::Triage if model.triage.full => full::draw(model, theme, frame),
        Screen::Triage => triage::draw(model, theme, frame),
        Screen::History => history::draw(model, theme, frame),
        Screen::Batches => batches::draw(model, theme, frame),
        Screen::Log => log::draw(model, theme, frame),
        Screen::Policy => policy::draw(model, theme, frame),
    }
    for dialog in &model.dialogs {
        dialog::draw(model, dialog, theme, frame);
    }
}
