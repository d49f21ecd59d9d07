//! The selected event laid out for the size of the terminal, and scrolled.

use super::super::model::Model;
use super::super::msg::Effect;
use super::shape::Shape;

/// The terminal has another size.
pub(super) fn resized(model: &mut Model) {
    model.log.list.resize(Shape::new(model.size, false).list);
    lay_out(model);
}

pub(super) fn lay_out(model: &mut Model) {
    let (size, now) = (model.size, model.now);
    model.log.lay_out(size, now);
}

pub(super) fn half(model: &Model) -> i64 {
    if model.log.full { i64::from(Shape::new(model.size, true).whole / 2).max(1) } else { model.log.list.half() }
}

/// Scrolls the selected event.
pub(super) fn scroll(model: &mut Model, by: i64) -> Vec<Effect> {
    let shape = Shape::new(model.size, model.log.full);
    model.log.scroll(by, shape);
    Vec::new()
}
