//! The update function: a message changes the model and asks for effects. It reads no clock and does no I/O.

use super::key::Key;
use super::model::{Model, Tone};
use super::msg::{Effect, Msg};

use super::triage::keys as at_triage;
use super::{answers, batches, commands, declare, dialogs, history, log, pointer, policy, slotting};
use crate::core::time::Instant;

/// Takes one message; says what is to be done.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    match msg {
        Msg::Key(key, now) => {
            model.now = now;
            pressed(model, key, now)
        }
        Msg::Paste(text) => dialogs::paste(model, &text),
        Msg::Pointed(at, now) => {
            model.now = now;
            pointer::pointed(model, at, now)
        }
        Msg::Edited { errand, answer } => dialogs::edited(model, errand, answer),
        Msg::Resized { width, height } => resized(model, width, height),
        Msg::Drawn(at) => {
            model.now = at;
            model.triage.drawn(at);
            Vec::new()
        }
        Msg::Changed(at) => changed(model, at),
        Msg::Page { number, generation, answer } => answers::page(model, number, generation, answer),
        Msg::Pair { pair, answer } => answers::pair(model, pair, *answer),
        Msg::Marked { number, answer } => answers::marked(model, number, answer),
        Msg::Settled(answer) => answers::settled(model, answer),
        Msg::Commonest { number, answer } => answers::commonest(model, number, answer),
        Msg::Tended(left) => {
            model.triage.queue.indexing = left;
            Vec::new()
        }
        Msg::CarriedOut { number, answers, at } => answers::carried_out(model, number, answers, at),
        Msg::Previewed { number, answer } => answers::previewed(model, number, answer),
        Msg::Looks { number, answer, at } => answers::looks(model, number, answer, at),
        Msg::Slotting { number, answer } => slotting::keys::answered(model, number, answer),
        Msg::Sorted { number, sorted } => answers::sorted(model, number, sorted),
        Msg::History { number, answer } => {
            model.end_work(number);
            history::keys::answered(model, number, answer)
        }
        Msg::Batches { number, answer } => {
            model.end_work(number);
            batches::keys::answered(model, number, answer)
        }
        Msg::Log { number, answer } => {
            model.end_work(number);
            log::keys::answered(model, number, answer)
        }
        Msg::Policy { number, answer } => {
            model.end_work(number);
            policy::keys::answered(model, number, answer)
        }
        Msg::Progress { number, done, of } => {
            answers::progress(model, number, (done, of));
            declare::advance(model, number, done, of);
            Vec::new()
        }
        Msg::ToCopy { what, text } => vec![Effect::Copy { what, text }],
        Msg::Copied { what } => {
            model.say(Tone::Done, format!("copied {what}"));
            Vec::new()
        }
        Msg::Failed(text) => {
            model.say(Tone::Trouble, text);
            Vec::new()
        }
    }
}

fn pressed(model: &mut Model, key: Key, now: Instant) -> Vec<Effect> {
    if !model.dialogs.is_empty() {
        return dialogs::key(model, key, now);
    }
    match model.setup.keymap.command(model.place(), key) {
        Some(command) if key.held && !command.moves() => Vec::new(),
        Some(command) => commands::run(model, command, key, now),
        None => not_bound(model, key),
    }
}

fn not_bound(model: &mut Model, key: Key) -> Vec<Effect> {
    let foreign = matches!(key.code, super::key::Code::Char(char) if char.is_alphabetic() && !char.is_ascii());
    let layout = if foreign { " (is the keyboard on another layout?)" } else { "" };
    let help = model.key(super::keymap::Common::Help);
    model.hint(format!("{key} is not bound here{layout}; {help} shows the keys"))
}

fn resized(model: &mut Model, width: u16, height: u16) -> Vec<Effect> {
    model.size = super::geometry::Size { width, height };
    model.triage.queue.list.resize(model.geometry().queue_lines);
    at_triage::lay_out(model);
    let mut effects = history::keys::resized(model);
    batches::keys::resized(model);
    log::keys::resized(model);
    policy::keys::resized(model);
    effects.extend(model.triage.queue.refill());
    effects
}

/// Another process has written.
fn changed(model: &mut Model, at: Instant) -> Vec<Effect> {
    model.now = at;
    // While observers run, what leaves the list leaves it by this reviewer's own doing: it is told at the end.
    let own = model.pending.is_some();
    model.watched = model.triage.looked_at().filter(|_| !own);
    let mut effects = declare::again(model);
    effects.extend(model.refresh());
    if !own {
        effects.extend(model.triage.queue.check_marks());
    }
    effects
}
