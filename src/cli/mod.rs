//! The commands: arguments in, text or JSON out. One file a command; its doc comment is its help.

pub mod accept;
pub mod alias;
pub mod answer;
pub mod audit;
mod audit_json;
pub mod config;
pub mod context;
mod database;
pub mod demo;
pub mod epochs;
pub mod erase;
pub mod explain;
pub mod export;
pub mod formats;
pub mod generate;
pub mod health;
pub mod import;
mod intake;
mod interrupt;
mod json;
pub mod link;
mod live;
pub mod log;
pub mod manual;
mod memory;
mod meter;
mod observers;
pub mod output;
pub mod panics;
pub mod parse;
pub mod policy;
pub mod queue;
pub mod recall;
pub mod rederive;
pub mod reobserve;
pub mod repair;
mod report;
mod repository;
pub mod rulings;
pub mod shape;
pub mod show;
pub mod slot;
pub mod stale;
mod starter;
pub mod store;
mod summary;
mod tried;
mod trust;
pub mod ui;
mod unknown;
pub mod withdraw;
mod words;

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::core::text::reveal_lines;
use crate::error::{Error, Kind, Result};

pub use context::Context;
use output::{Colour, Style, complain, note, print, print_json};

/// Settle what an agent's memory may not settle by itself
///
/// Records that contradict each other are quarantined with their evidence and provenance; you look at each pair and
/// accept one, link both, or have the world looked at again. What the core refuses, it refuses through every door.
#[derive(Clone, Debug, Parser)]
#[command(name = "gainsay", version, max_term_width = 100, after_help = EXITS)]
pub struct Arguments {
    #[command(flatten)]
    pub global: context::Global,
    #[command(subcommand)]
    pub command: Option<Command>,
}

const EXITS: &str = "\
Exit status: 0 done, 1 refused by the core, 2 usage or no such thing, 3 bad input, 4 the store, 5 damage found.
Without a command, gainsay opens the terminal UI.";

/// Every command, in the order of the help.
#[derive(Clone, Debug, PartialEq, Subcommand)]
pub enum Command {
    Tui(ui::Tui),
    Demo(ui::Demo),
    Import(import::Import),
    Formats(formats::Formats),
    Slot(slot::Slot),
    Queue(queue::Queue),
    Show(show::Show),
    Accept(accept::Accept),
    Link(link::Link),
    Reobserve(reobserve::Reobserve),
    Rederive(rederive::Rederive),
    Epochs(epochs::Epochs),
    Observers(observers::Observers),
    Requests(store::Requests),
    Withdraw(withdraw::Withdraw),
    Erase(erase::Erase),
    Dispute(rulings::Dispute),
    Defer(rulings::Defer),
    Undo(rulings::Undo),
    Recall(recall::Recall),
    Stale(stale::Stale),
    History(recall::History),
    Explain(explain::Explain),
    Batches(store::Batches),
    Policy(policy::Policy),
    Alias(alias::Alias),
    Log(log::Log),
    Audit(audit::Audit),
    Health(health::Health),
    Verify(store::Verify),
    Repair(repair::Repair),
    Backup(store::Backup),
    Export(export::Export),
    Generate(generate::Generate),
    Config(config::Config),
    Completions(manual::Completions),
    Man(manual::Man),
}

/// Runs the program on its arguments (the first is its name) and gives the exit status.
pub fn run(arguments: Vec<OsString>) -> u8 {
    // Until the arguments are read, only this tells whether a script is listening.
    let json = arguments.iter().any(|argument| argument == "--json");
    let (arguments, actor_named) = match read(arguments) {
        Ok(read) => read,
        Err(error) => return refuse_usage(&error, json),
    };
    let (json, colour) = (arguments.global.json, arguments.global.color);
    let done = Context::new(arguments.global, actor_named).and_then(|context| {
        let done = dispatch(arguments.command.unwrap_or(Command::Tui(ui::Tui {})), &context);
        done.map_err(|error| error.of_store(&context.store))
    });
    match done {
        Ok(status) => status,
        Err(error) => {
            complain(&error, Style::of_stderr(colour), json);
            error.exit_code()
        }
    }
}

/// The arguments, and whether the actor was named among them (and not only by the environment).
fn read(arguments: Vec<OsString>) -> std::result::Result<(Arguments, bool), clap::Error> {
    let matches = Arguments::command().try_get_matches_from(arguments)?;
    let named = matches.value_source("actor") == Some(clap::parser::ValueSource::CommandLine);
    Ok((Arguments::from_arg_matches(&matches)?, named))
}

/// Runs a command; gives the exit status of one that answered.
fn dispatch(command: Command, context: &Context) -> Result<u8> {
    match command {
        Command::Import(import) => return import.run(context),
        Command::Verify(verify) => return verify.run(context),
        Command::Repair(repair) => return repair.run(context),
        Command::Export(export) => return export.run(context),
        Command::Tui(tui) => tui.run(context),
        Command::Demo(demo) => demo.run(context),
        Command::Formats(formats) => formats.run(context),
        Command::Slot(slot) => slot.run(context),
        Command::Queue(queue) => queue.run(context),
        Command::Show(show) => show.run(context),
        Command::Accept(accept) => context.rule(&accept.order()),
        Command::Link(link) => context.rule(&link.order()?),
        Command::Reobserve(reobserve) => reobserve.run(context),
        Command::Rederive(rederive) => rederive.run(context),
        Command::Epochs(epochs) => epochs.run(context),
        Command::Observers(observers) => observers.run(context),
        Command::Requests(requests) => requests.run(context),
        Command::Withdraw(withdraw) => withdraw.run(context),
        Command::Erase(erase) => erase.run(context),
        Command::Dispute(dispute) => context.rule(&dispute.order()),
        Command::Defer(defer) => context.rule(&defer.order(context)),
        Command::Undo(undo) => context.rule(&undo.order()),
        Command::Stale(stale) => stale.run(context),
        Command::Recall(recall) => recall.run(context),
        Command::History(history) => history.run(context),
        Command::Explain(explain) => explain.run(context),
        Command::Batches(batches) => batches.run(context),
        Command::Policy(policy) => policy.run(context),
        Command::Alias(alias) => alias.run(context),
        Command::Log(log) => log.run(context),
        Command::Audit(audit) => audit.run(context),
        Command::Health(health) => health.run(context),
        Command::Backup(backup) => backup.run(context),
        Command::Generate(generate) => generate.run(),
        Command::Config(config) => config.run(context),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
    }?;
    Ok(0)
}

/// Says what is wrong with the arguments, or the help that was asked for. A wrong value may be hostile text that a
/// script passed on: it is revealed, which costs the colours.
fn refuse_usage(error: &clap::Error, json: bool) -> u8 {
    let said = error.render();
    if !error.use_stderr() {
        let style = Style::of_stdout(Colour::Auto);
        let text = if style.colour { said.ansi().to_string() } else { said.to_string() };
        return print(&text).map_or_else(|error| error.exit_code(), |()| 0);
    }
    let text = said.to_string();
    if json {
        let (message, hint) = text.split_once("\n\n").unwrap_or((&text, ""));
        let message = message.trim_start_matches("error: ").trim();
        let hint = Some(hint.trim().to_owned()).filter(|hint| !hint.is_empty());
        let _unread = print_json(&Error { hint, ..Error::new(Kind::Usage, message) }.to_json());
    }
    note(&reveal_lines(&text));
    Kind::Usage.exit_code()
}
