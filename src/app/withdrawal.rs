//! The withdrawal of a batch from where the batch itself is looked at, without a pair.

use super::decide;
use super::form::{Form, Matter, Purpose};
use super::forms;
use super::model::Model;
use super::msg::Effect;
use crate::core::batch::Summary;
use crate::core::order::{Order, Withdrawn};
use crate::core::record::Batch;
use crate::core::ruling::WithdrawReason;

const ABOUT: &str = "Every record of it leaves contention, as if it were not there. All are kept, and readable; one undo \
     brings them back.";

/// Opens the form, or says why nothing is to be withdrawn.
pub(super) fn open(model: &mut Model, of: &Summary) -> Vec<Effect> {
    if let Some(why) = model.cannot_write() {
        return model.hint(why);
    }
    if of.withdrawn == of.records {
        return model.hint("it is withdrawn already: u undoes your last ruling, the log names each");
    }
    let title = format!("Withdraw {}", of.batch);
    let fields = forms::withdraw(WithdrawReason::BadBatch);
    let form = Form::new(Purpose::WithdrawBatch, title, ABOUT.to_owned(), fields);
    decide::open_form(model, form.about(Matter::Batch(of.batch.clone())))
}

/// The order that the filled form makes.
pub(super) fn order(form: &Form, batch: &Batch) -> Order {
    let why = WithdrawReason::named(form.value("why")).unwrap_or(WithdrawReason::BadBatch);
    Order::Withdraw { what: Withdrawn::Batch(batch.clone()), why, note: forms::optional(form.value("note")) }
}
