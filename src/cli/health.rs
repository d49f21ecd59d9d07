//! `gainsay health`: what the store can and cannot answer for.

use serde_json::{Map, Value, json};

use crate::core::health::{Health as Found, Missing, OfKind, share};
use crate::core::record::{Kind, SourceClass, Subject};
use crate::error::Result;

use super::context::Context;
use super::output::{Cell, Page, Style, Tone};
use super::words;

/// Say what the store can and cannot answer for, and the incident that each lack invites
///
/// What records leave unsaid, by source kind; how confidence is spread; times that cannot be; attributes that nobody
/// declared; names that may be of one subject; facts that nobody has seen to hold for too long.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Health {}

impl Health {
    pub fn run(self, context: &Context) -> Result {
        let found = context.reading()?.health(context.now)?;
        context.say(|| to_json(&found), || render(&found, context.style))
    }
}

fn to_json(found: &Found) -> Value {
    let by_name = |counts: &[u64; 6]| -> Map<String, Value> {
        Missing::ALL.iter().zip(counts).map(|(what, many)| (what.name().to_owned(), json!(many))).collect()
    };
    let kind = |it: &OfKind| {
        json!({
            "kind": it.kind.as_ref().map(Kind::as_str), "class": it.class.map(SourceClass::name), "records": it.records,
            "missing": by_name(&it.missing), "won": it.won, "lost": it.lost,
        })
    };
    let missing: Map<String, Value> = Missing::ALL
        .iter()
        .map(|what| {
            let many = found.missing(*what);
            let told = json!({"records": many, "share": share(many, found.records), "invites": what.invites()});
            (what.name().to_owned(), told)
        })
        .collect();
    let spread = &found.confidence;
    let commonest = spread.commonest.iter().map(|(value, many)| json!({"value": value, "records": many}));
    let undeclared = found
        .undeclared
        .iter()
        .map(|it| json!({"attribute": it.attribute.as_str(), "slots": it.slots, "pairs": it.pairs}));
    let alike = found.alike.iter().map(|names| json!(names.iter().map(Subject::as_str).collect::<Vec<_>>()));
    json!({
        "records": found.records, "kinds": found.kinds.iter().map(kind).collect::<Vec<_>>(), "missing": missing,
        "confidence": {
            "stated": spread.stated, "distinct": spread.distinct, "commonest": commonest.collect::<Vec<_>>(),
            "share_of_two": spread.of_two(), "entropy_bits": spread.entropy, "says_nothing": spread.says_nothing(),
        },
        "times": {
            "impossible": found.times.impossible, "written_ahead": found.times.written_ahead,
            "observed_ahead": found.times.observed_ahead,
        },
        "undeclared": undeclared.collect::<Vec<_>>(), "alike": alike.collect::<Vec<_>>(), "stale": found.stale,
    })
}

/// Of long lists so many lines are shown; `--json` has all.
const SHOWN: usize = 10;

fn percent(many: u64, of: u64) -> String {
    format!("{:.1} %", share(many, of) * 100.0)
}

fn render(found: &Found, style: Style) -> String {
    let mut page = Page::new(style);
    if found.records == 0 {
        return page.line([Cell::quiet("nothing was imported yet")]).text().to_owned();
    }
    let records = words::count(found.records, "record");
    page.paragraph(
        Tone::Plain,
        &format!("{records}: what they leave unsaid, how many of them, and the incident that it invites"),
    );
    let rows: Vec<Vec<Cell>> = Missing::ALL.iter().map(|what| lack(found, *what)).collect();
    page.table(&[""; 4], &rows);
    kinds(&mut page, found);
    page.paragraph(
        Tone::Quiet,
        "source kind: where a record says it comes from; class: what the policy takes such a source for; won / lost: the \
         rulings in which a record of it won or lost; the shares are of its own records",
    );
    spread(&mut page, found);
    times(&mut page, found);
    undeclared(&mut page, found);
    alike(&mut page, found);
    if found.stale > 0 {
        let said = format!(
            "{} last seen longer ago than the policy allows: what was true once is answered as if it were so today \
             (gainsay stale lists them)",
            words::count(found.stale, "fact")
        );
        page.gap().paragraph(Tone::Bad, &said);
    }
    page.text().to_owned()
}

fn lack(found: &Found, what: Missing) -> Vec<Cell> {
    let many = found.missing(what);
    let tone = if many == 0 { Tone::Good } else { Tone::Bad };
    vec![
        Cell::plain(format!("no {}", what.name())),
        Cell::new(tone, many.to_string()),
        Cell::new(tone, percent(many, found.records)),
        Cell::quiet(if many == 0 { "" } else { what.invites() }),
    ]
}

/// One line a source kind; what no record lacks has no column.
fn kinds(page: &mut Page, found: &Found) {
    // The records without a source are a kind of their own.
    let lacked: Vec<(usize, Missing)> = Missing::ALL.into_iter().enumerate().skip(1).collect();
    let lacked: Vec<(usize, Missing)> = lacked.into_iter().filter(|(_, what)| found.missing(*what) > 0).collect();
    let columns: Vec<String> = lacked.iter().map(|(_, what)| format!("no {}", what.name())).collect();
    let mut header = vec!["source kind", "class", "records"];
    header.extend(columns.iter().map(String::as_str));
    header.push("won / lost");
    let rows = found.kinds.iter().take(SHOWN).map(|it| kind_row(it, &lacked));
    page.gap().table(&header, &rows.collect::<Vec<_>>());
}

fn kind_row(it: &OfKind, lacked: &[(usize, Missing)]) -> Vec<Cell> {
    let name = it.kind.as_ref().map_or_else(|| Cell::new(Tone::Bad, "none"), |kind| Cell::strong(kind.as_str()));
    let class = it.class.map_or_else(|| Cell::new(Tone::Bad, "none"), |class| Cell::plain(class.name()));
    let lacks = lacked.iter().map(|(at, _)| Cell::plain(percent(it.missing[*at], it.records)));
    let mut row = vec![name, class, Cell::plain(it.records.to_string())];
    row.extend(lacks);
    row.push(Cell::plain(format!("{} / {}", it.won, it.lost)));
    row
}

fn spread(page: &mut Page, found: &Found) {
    let spread = &found.confidence;
    if spread.stated == 0 {
        return;
    }
    let commonest =
        spread.commonest.iter().map(|(value, many)| format!("{value} in {}", percent(*many, spread.stated)));
    let said = format!(
        "confidence: {} {} one, {} in all: {}",
        words::count(spread.stated, "record"),
        words::verb(spread.stated, "states", "state"),
        words::count(spread.distinct, "different number"),
        commonest.collect::<Vec<_>>().join(", ")
    );
    page.gap().paragraph(Tone::Plain, &said);
    if spread.says_nothing() {
        let said = format!(
            "  nearly all of them state one of two numbers ({:.1} %): it tells no guess from a reading, and whoever \
             sorts or cuts by it is misled",
            spread.of_two() * 100.0
        );
        page.paragraph(Tone::Bad, &said);
    }
}

fn times(page: &mut Page, found: &Found) {
    let told = [
        (
            found.times.impossible,
            "observed after they were written: a clock or a time zone is wrong, and a false order would pick the winner; \
             they win nothing until it is mended",
        ),
        (
            found.times.written_ahead,
            "written, as they say, after they came in: a clock is wrong or the time is made up, and what was believed on \
             a day leaves them out",
        ),
        (
            found.times.observed_ahead,
            "true at a time that has not come yet: a plan is answered as if it were a fact",
        ),
    ];
    let told: Vec<Vec<Cell>> = told
        .into_iter()
        .filter(|(many, _)| *many > 0)
        .map(|(many, what)| vec![Cell::new(Tone::Bad, words::count(many, "record")), Cell::plain(what)])
        .collect();
    if !told.is_empty() {
        page.gap().table(&[""; 2], &told);
    }
}

fn undeclared(page: &mut Page, found: &Found) {
    if found.undeclared.is_empty() {
        return;
    }
    page.gap().paragraph(
        Tone::Plain,
        "attributes of which nobody said whether they hold one value or many: a second value, however right, waits for a \
         person each time (gainsay policy declare ATTRIBUTE --cardinality one|many):",
    );
    let row = |it: &crate::core::health::Undeclared| {
        let tone = if it.pairs > 0 { Tone::Bad } else { Tone::Quiet };
        vec![
            Cell::strong(it.attribute.as_str()),
            Cell::plain(words::count(it.slots, "slot")),
            Cell::new(tone, format!("{} open", words::count(it.pairs, "pair"))),
        ]
    };
    page.table(&[""; 3], &found.undeclared.iter().take(SHOWN).map(row).collect::<Vec<_>>());
    more(page, found.undeclared.len());
}

fn alike(page: &mut Page, found: &Found) {
    if found.alike.is_empty() {
        return;
    }
    page.gap().paragraph(
        Tone::Plain,
        "names that may be of one subject: what was told of one is unknown under the other, and they contradict each other \
         unseen (gainsay alias confirm A B, or deny A B):",
    );
    for names in found.alike.iter().take(SHOWN) {
        let names: Vec<&str> = names.iter().map(Subject::as_str).collect();
        page.line([Cell::strong(format!("  {}", names.join("  ")))]);
    }
    more(page, found.alike.len());
}

fn more(page: &mut Page, many: usize) {
    if many > SHOWN {
        page.line([Cell::quiet(format!("  and {} more", many - SHOWN))]);
    }
}
