//! `gainsay audit`: a sample of a reviewer's rulings, what an auditor says of each, and how far people agree.

use crate::core::audit::{Agreement, Drawn, LABELS, Report, Tally, Verdict};
use crate::core::ruling::RulingId;
use crate::error::{Error, Kind, Result};
use crate::store::{Event, Said, Sample as Drawing, Saying, Store};

use super::context::Context;
use super::output::{Cell, Page, Style, Tone, note};
use super::{audit_json as json, parse, words};

/// Audit a reviewer's rulings: draw a sample, agree or disagree, see how far people agree
///
/// An audit is an event of its own and changes nothing: no slot settles anew, and undo does not see it. Whoever audits a
/// ruling again replaces what he said.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Audit {
    #[command(subcommand)]
    pub what: What,
}

/// What is done.
#[derive(Clone, Debug, PartialEq, clap::Subcommand)]
pub enum What {
    Sample(Sample),
    Agree(Agree),
    Disagree(Disagree),
    Blind(Blind),
    Report(Reporting),
}

/// Draw rulings of the reviewer that --actor names
///
/// The same seed draws the same rulings, wherever and whenever; later rulings leave a sample as it is where --up-to says
/// where it ended.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Sample {
    /// How many
    #[arg(long, short, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    pub n: u64,
    /// What the draw follows from [default: made from the time, and told]
    #[arg(long, value_name = "S", value_parser = parse::words)]
    pub seed: Option<String>,
    /// The last ruling that may be drawn [default: the last there is]
    #[arg(long, value_name = "RULING", value_parser = parse::ruling)]
    pub up_to: Option<RulingId>,
}

/// Say that a ruling is right
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Agree {
    /// The ruling, by its number in the log
    #[arg(value_name = "RULING", value_parser = parse::ruling)]
    pub ruling: RulingId,
    /// Words for the log
    #[arg(long, value_name = "TEXT", value_parser = parse::words, allow_hyphen_values = true)]
    pub note: Option<String>,
    #[command(flatten)]
    pub of: OfSample,
}

/// Say that a ruling is wrong, and why
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Disagree {
    /// The ruling, by its number in the log
    #[arg(value_name = "RULING", value_parser = parse::ruling)]
    pub ruling: RulingId,
    /// Why, for the log
    #[arg(long, value_name = "TEXT", value_parser = parse::words, allow_hyphen_values = true)]
    pub note: String,
    #[command(flatten)]
    pub of: OfSample,
}

/// Say what you would have ruled, before you see what was ruled
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Blind {
    /// The ruling, by its number in the log
    #[arg(value_name = "RULING", value_parser = parse::ruling)]
    pub ruling: RulingId,
    /// What you would have ruled (A is the earlier written record)
    #[arg(long, value_name = "WHAT", value_parser = LABELS)]
    pub would: String,
    /// Why, for the log
    #[arg(long, value_name = "TEXT", value_parser = parse::words, allow_hyphen_values = true)]
    pub note: String,
    #[command(flatten)]
    pub of: OfSample,
}

/// Which sample the ruling was drawn for, as `audit sample` told it.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct OfSample {
    /// The seed of the sample it was drawn for
    #[arg(long, value_name = "S", requires_all = ["n", "up_to"], value_parser = parse::words)]
    pub seed: Option<String>,
    /// The size of that sample
    #[arg(long, short, value_name = "N", requires = "seed")]
    pub n: Option<u64>,
    /// The last ruling that it could draw
    #[arg(long, value_name = "RULING", requires = "seed", value_parser = parse::ruling)]
    pub up_to: Option<RulingId>,
}

/// Show the tally and the agreement rate of each reviewer, or of the one that --actor names
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Reporting {}

impl Audit {
    pub fn run(self, context: &Context) -> Result {
        match self.what {
            What::Sample(sample) => sample.run(context),
            What::Agree(agree) => say(context, agree.ruling, Said::Seeing(Verdict::Agree), agree.note, agree.of),
            What::Disagree(disagree) => {
                let said = Said::Seeing(Verdict::Disagree);
                say(context, disagree.ruling, said, Some(disagree.note), disagree.of)
            }
            What::Blind(blind) => say(context, blind.ruling, Said::Blind(blind.would), Some(blind.note), blind.of),
            What::Report(_) => report(context),
        }
    }
}

impl Sample {
    fn run(self, context: &Context) -> Result {
        let store = context.reading()?;
        if !context.actor_named {
            let known: Vec<String> = store.reviewers()?.into_iter().map(|(actor, _)| actor).collect();
            return Err(Error::new(Kind::Usage, "whose rulings? --actor names the reviewer").with_hint(format!(
                "rulings were made by: {}",
                if known.is_empty() { "nobody yet".to_owned() } else { known.join(", ") }
            )));
        }
        let seed = self.seed.unwrap_or_else(|| context.now.utc().timestamp_millis().to_string());
        let sample = store.sample(&context.actor, self.n, &seed, self.up_to)?;
        let mut events: Vec<(Event, Option<RulingId>)> = Vec::with_capacity(sample.rulings.len());
        for ruling in &sample.rulings {
            if let Some(event) = store.ruling_event(*ruling)? {
                events.push((event, store.undone(*ruling)?.map(|undone| undone.ruling)));
            }
        }
        context.say(|| json::sample(&sample, &events), || render_sample(&sample, &events, context.style))
    }
}

fn render_sample(sample: &Drawing, events: &[(Event, Option<RulingId>)], style: Style) -> String {
    let mut page = Page::new(style);
    if events.is_empty() {
        let nobody = format!("{} has made no ruling that decides", sample.reviewer);
        return page.line([Cell::quiet(nobody)]).text().to_owned();
    }
    let rows: Vec<Vec<Cell>> = events
        .iter()
        .map(|(event, undone)| {
            let slot = event.subject.iter().chain(&event.attribute).cloned().collect::<Vec<_>>().join(" ");
            vec![
                Cell::strong(event.ruling.unwrap_or_default().to_string()),
                Cell::plain(&event.kind),
                Cell::plain(slot),
                Cell::plain(event.pair.map(|pair| format!("pair {pair}")).unwrap_or_default()),
                Cell::quiet(undone.map(|by| format!("undone by {by}")).unwrap_or_default()),
                Cell::quiet(words::time(event.at)),
            ]
        })
        .collect();
    page.table(&["ruling", "kind", "slot", "pair", "", "at"], &rows);
    let drawn = &sample.drawn;
    let how = format!(
        "{} of {} of {}; the same again: gainsay audit sample --actor {} --n {} --seed {} --up-to {}",
        events.len(),
        words::count(sample.of, "ruling"),
        sample.reviewer,
        sample.reviewer,
        drawn.size,
        drawn.seed,
        drawn.up_to
    );
    page.gap().paragraph(Tone::Quiet, &how);
    page.text().to_owned()
}

fn say(context: &Context, ruling: RulingId, said: Said, note_given: Option<String>, of: OfSample) -> Result {
    let mut store = context.reading()?;
    let sample = of.drawn();
    let saying = Saying { ruling, said, note: note_given, sample };
    let audit = store.audit(&saying, &context.by())?;
    if audit.is_own() {
        note(&format!("note: ruling {ruling} is your own; the audit is kept, and left out of the rate\n"));
    }
    let tally = tally(&store, &audit.reviewer)?;
    context.say(
        || json::audit(&audit),
        || {
            let mut page = Page::new(context.style);
            let blind = audit.blind.as_ref();
            let blind = blind.map(|it| format!(" (you said {}; ruled was {})", it.said, it.ruled));
            page.line([
                Cell::strong(format!("event {}:", audit.event)),
                Cell::plain(format!(
                    "{} {}s with ruling {ruling} of {}{}",
                    audit.auditor,
                    audit.verdict.name(),
                    audit.reviewer,
                    blind.unwrap_or_default()
                )),
                Cell::quiet(rate(&tally)),
            ]);
            page.text().to_owned()
        },
    )
}

impl OfSample {
    fn drawn(self) -> Option<Drawn> {
        Some(Drawn { seed: self.seed?, size: self.n?, up_to: self.up_to? })
    }
}

fn tally(store: &Store, reviewer: &str) -> Result<Tally> {
    let report: Report = store.audit_report(Some(reviewer))?;
    Ok(report.reviewers.get(reviewer).cloned().unwrap_or_default())
}

/// `18 of 20 audits agree, 90 %`.
fn rate(tally: &Tally) -> String {
    match tally.rate() {
        Some(rate) => format!("{} of {} audits agree, {:.0} %", tally.agree, tally.audited(), rate * 100.0),
        None => "not audited by anybody else yet".to_owned(),
    }
}

fn report(context: &Context) -> Result {
    let store = context.reading()?;
    let reviewer = context.actor_named.then_some(context.actor.as_str());
    let report = store.audit_report(reviewer)?;
    context.say(|| json::report(&report), || render_report(&report, context.style))
}

fn render_report(report: &Report, style: Style) -> String {
    let mut page = Page::new(style);
    if report.reviewers.is_empty() {
        return page.line([Cell::quiet("nobody has made a ruling that decides")]).text().to_owned();
    }
    let rows: Vec<Vec<Cell>> = report
        .reviewers
        .iter()
        .map(|(name, tally)| {
            vec![
                Cell::strong(name),
                Cell::plain(tally.rulings.to_string()),
                Cell::plain(tally.audited().to_string()),
                Cell::plain(tally.agree.to_string()),
                Cell::new(if tally.disagree > 0 { Tone::Bad } else { Tone::Plain }, tally.disagree.to_string()),
                Cell::plain(
                    tally.rate().map_or_else(|| "none yet".to_owned(), |rate| format!("{:.0} %", rate * 100.0)),
                ),
                Cell::quiet(if tally.own > 0 { format!("{} own, not counted", tally.own) } else { String::new() }),
            ]
        })
        .collect();
    page.table(&["reviewer", "rulings", "audited", "agree", "disagree", "rate", ""], &rows);
    if !report.agreements.is_empty() {
        let rows: Vec<Vec<Cell>> = report.agreements.iter().map(agreement).collect();
        page.gap().table(&["between", "on", "both judged", "agree", "kappa"], &rows);
        page.gap().paragraph(Tone::Quiet, KAPPA);
    }
    page.text().to_owned()
}

const KAPPA: &str = "kappa is Cohen's: 1 is agreement, 0 is what chance would give, and there is none where each says \
     one and the same thing throughout";

fn agreement(agreement: &Agreement) -> Vec<Cell> {
    vec![
        Cell::strong(agreement.between.join(" and ")),
        Cell::plain(agreement.on.name()),
        Cell::plain(agreement.items.to_string()),
        Cell::plain(format!("{:.0} %", agreement.observed * 100.0)),
        Cell::plain(agreement.kappa.map_or_else(|| "none".to_owned(), |kappa| format!("{kappa:.2}"))),
    ]
}
