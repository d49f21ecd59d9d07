//! `gainsay explain`: the story of a slot, for pasting into an incident report.

use serde_json::{Value, json};

use crate::app::history::words::decision;
use crate::core::recall::AsOf;
use crate::core::record::{Attribute, Subject};
use crate::core::story::{Link, Open, Piece, Ruled, Section, Sentence, Told, moment, story};
use crate::core::text::reveal;
use crate::core::time::Instant;
use crate::core::value::plain;
use crate::error::{Error, Kind, Result};
use crate::store::{Account, Recalled};

use super::context::Context;
use super::output::{print, print_json};
use super::{json as answers, parse, report, unknown};

/// Tell how a slot came to what it answers, in plain sentences
///
/// Markdown, for an incident report: each value, from whom, when it was true and when it was written, what it superseded
/// and why, who ruled, what is open. Whatever came from outside stands between backticks, and nothing in it acts.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Explain {
    /// Whom or what it is about
    #[arg(value_name = "SUBJECT", value_parser = parse::subject)]
    pub subject: Subject,
    /// The attribute
    #[arg(value_name = "ATTRIBUTE", value_parser = parse::attribute)]
    pub attribute: Attribute,
    /// As it was known at this time
    #[arg(long, value_name = "T", value_parser = parse::last_moment)]
    pub believed_at: Option<Instant>,
    /// One HTML page that needs nothing else, with a picture of both times
    #[arg(long)]
    pub html: bool,
}

impl Explain {
    pub fn run(self, context: &Context) -> Result {
        if self.html && context.json {
            return Err(Error::new(Kind::Usage, "it is told as --html or as --json, not as both"));
        }
        let store = context.reading()?;
        if let Some(unknown) = unknown::slot(&store, &self.subject, &self.attribute)? {
            return Err(unknown);
        }
        let as_of = AsOf { believed_at: self.believed_at, about: None };
        let answer = store.recall(&self.subject, &self.attribute, as_of, context.now)?;
        let account = store.account(&self.subject, &self.attribute, self.believed_at)?;
        let head = store.head()?.map(|(seq, hash)| format!("event {seq} of the log, {hash}")).unwrap_or_default();
        let sections = story(&told(&answer, &account, self.believed_at));
        if context.json {
            return print_json(&to_json(&answer, &account, &sections));
        }
        let title = [account.history.subject.as_str(), account.history.attribute.as_str()];
        let foot = format!("Told by gainsay at {}, from the store as of {head}.", moment(context.now));
        print(&if self.html {
            report::page(title, &sections, &account.history.records, &foot)
        } else {
            markdown(title, &sections, &foot)
        })
    }
}

/// What the store knows of the slot, as the story takes it.
fn told<'a>(answer: &Recalled, account: &'a Account, believed_at: Option<Instant>) -> Told<'a> {
    let history = &account.history;
    let links = history.edges.iter().map(|edge| Link {
        from: &edge.from,
        to: &edge.to,
        kind: &edge.kind,
        basis: edge.basis.as_deref(),
    });
    let ruled = history.rulings.iter().map(|seen| Ruled {
        ruling: &seen.ruling,
        what: decision(&seen.ruling.decision),
        undone: seen.undone,
    });
    let open = account.open.iter().map(|open| Open {
        pair: open.pair,
        records: &open.records,
        grounds: &open.grounds,
        requested: open.requested,
    });
    let epochs = history.epochs.iter().map(|seen| (seen.epoch, seen.first_observed_at, seen.cause.clone()));
    Told {
        believed_at,
        status: answer.status,
        values: answer.values.iter().map(plain).collect(),
        speakers: answer.records.clone(),
        rests_on: answer.rulings.clone(),
        policy: answer.policy,
        stale_since: answer.supported_at.filter(|_| answer.stale),
        records: &history.records,
        edges: links.collect(),
        epochs: epochs.collect(),
        rulings: ruled.collect(),
        open: open.collect(),
    }
}

fn to_json(answer: &Recalled, account: &Account, sections: &[Section]) -> Value {
    let item = |(sentence, more): &(Sentence, Vec<Sentence>)| json!({"sentence": sentence.plain(), "more": more.iter().map(Sentence::plain).collect::<Vec<_>>()});
    let section = |section: &Section| json!({"title": section.title, "items": section.items.iter().map(item).collect::<Vec<_>>()});
    json!({
        "subject": account.history.subject.as_str(), "attribute": account.history.attribute.as_str(),
        "believed_at": answer.believed_at.to_string(), "recall": answers::recalled(answer),
        "story": sections.iter().map(section).collect::<Vec<_>>(), "history": answers::history(&account.history),
        "open": account.open.iter().map(answers::open_seen).collect::<Vec<_>>(),
    })
}

fn markdown(title: [&str; 2], sections: &[Section], foot: &str) -> String {
    let mut text = format!("# {} {}\n", code(title[0]), code(title[1]));
    for section in sections {
        text.push_str(&format!("\n## {}\n\n", section.title));
        let listed = section.items.len() > 1 || section.title != "What the memory answers";
        for (sentence, more) in &section.items {
            let (first, next) = if listed { ("- ", "  - ") } else { ("", "- ") };
            text.push_str(&format!("{first}{}\n", set(sentence)));
            if !listed && !more.is_empty() {
                text.push('\n');
            }
            for sentence in more {
                text.push_str(&format!("{next}{}\n", set(sentence)));
            }
        }
    }
    text.push_str(&format!("\n{foot}\n"));
    text
}

fn set(sentence: &Sentence) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Ours(text) => text.clone(),
        Piece::Theirs(text) => code(text),
        Piece::Value(text) => format!("**{}**", code(text)),
    };
    sentence.0.iter().map(piece).collect()
}

/// A text from outside between so many backticks that none within ends it.
fn code(text: &str) -> String {
    let shown = reveal(text);
    let longest = shown.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let bare = shown.is_empty() || shown.starts_with('`') || shown.ends_with('`') || shown.trim() != shown;
    let air = if bare { " " } else { "" };
    format!("{fence}{air}{shown}{air}{fence}")
}
