//! The selected event on lines of a width: in words by its kind, with its records as they stood. What comes from
//! outside is revealed here, once, before it is measured; the view only gives each piece its style.

use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use super::super::asks::log::{Event, Whole};
use super::super::spell::{ago, moment};
use super::piece::{Line, NAMES, Role, Span, cut, named, pad, piece, wrap};
use super::record::{fields, id_of, source_of, times_of, times_role, value_of};
use super::words;
use crate::core::audit::{Audit, Verdict};
use crate::core::event::RecordThen;
use crate::core::text::{reveal, reveal_lines};
use crate::core::time::Instant;

/// How the selected event is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Cells of a line, and how many lines are seen at once.
    pub width: usize,
    pub height: usize,
    pub now: Instant,
    /// On the whole screen: the records whole, with their evidence, and the event as it is stored.
    pub full: bool,
    /// What was decided is hidden, for an audit.
    pub blind: bool,
}

/// Where fewer lines are seen the checklist is folded.
const FOLDED: usize = 16;
/// From this width on two records stand beside each other.
const BESIDE: usize = 90;

/// Every line of the event.
pub fn lines(whole: &Whole, view: View) -> Vec<Line> {
    let mut page = Page { lines: Vec::new(), view };
    if view.blind {
        page.said("hidden", Role::Alarm, "what was ruled, by whom and why: say first what you would have ruled");
    } else {
        page.what(whole);
    }
    page.records(whole);
    page.checklist(whole);
    if !view.blind {
        page.why(whole);
        page.later(whole);
    }
    page.provenance(whole);
    if view.full && !view.blind {
        page.gap();
        page.stored(&whole.event.body);
    }
    page.lines
}

struct Page {
    lines: Vec<Line>,
    view: View,
}

impl Page {
    fn gap(&mut self) {
        if self.lines.last().is_some_and(|last| !last.is_empty()) {
            self.lines.push(Vec::new());
        }
    }

    /// A name, and behind it a text, wrapped.
    fn said(&mut self, name: &str, role: Role, text: &str) {
        let room = self.view.width.saturating_sub(NAMES + 2).max(8);
        for (at, line) in wrap(&reveal_lines(text), room).into_iter().enumerate() {
            let name = if at == 0 { name } else { "" };
            self.lines.push(vec![named(name), Span { role, text: line }]);
        }
    }

    /// What happened, in words by the kind.
    fn what(&mut self, whole: &Whole) {
        let event = &whole.event;
        let role = if event.kind == "override" { Role::Alarm } else { Role::Strong };
        match event.kind.as_str() {
            kind if known(kind) => self.said("what", role, &words::changed(event)),
            _ => {
                self.said("what", Role::Strong, &event.kind);
                self.stored(&event.body);
            }
        }
        if let Some(about) = &whole.about {
            let when = moment(about.at);
            let text = format!("{} by {}, {when}: {}", about.kind, about.actor, words::changed(about));
            self.said(&format!("ruling {}", text_of(about.ruling)), Role::Text, &text);
        }
        if let Some(bulk) = event.body["bulk"].as_i64() {
            self.said(
                "stroke",
                Role::Dim,
                &format!("one of several, from ruling {bulk} on; one undo takes all back"),
            );
        }
        let (said, ruled) = (&event.body["blind"]["said"], &event.body["blind"]["ruled"]);
        if let (Some(said), Some(ruled)) = (said.as_str(), ruled.as_str()) {
            self.said(
                "blind",
                Role::Text,
                &format!("the auditor said {said}, before seeing that {ruled} was ruled"),
            );
        }
    }

    fn records(&mut self, whole: &Whole) {
        if whole.records.is_empty() {
            return;
        }
        if self.view.full {
            self.gap();
            self.records_whole(whole);
            return;
        }
        let rows: Vec<(String, &RecordThen)> = self.titled(whole);
        match Columns::of(&rows, self.view.width) {
            Some(columns) => rows.iter().for_each(|(name, then)| self.record_wide(name, then, columns)),
            None => rows.iter().for_each(|(name, then)| self.record_narrow(name, then)),
        }
        let more = whole.many.saturating_sub(whole.records.len() as u64);
        if more > 0 {
            self.said("", Role::Dim, &format!("and {more} more records"));
        }
    }

    /// Each record with what it is to the event.
    fn titled<'a>(&self, whole: &'a Whole) -> Vec<(String, &'a RecordThen)> {
        let told = whole.about.as_ref().unwrap_or(&whole.event);
        let (body, decision) = (&told.body, &told.body["decision"]);
        let hidden = self.view.blind;
        let is = |value: &Value, id: &str| value.as_str() == Some(id);
        let mut listed: Vec<&RecordThen> = whole.records.iter().collect();
        if hidden {
            // The winner first would tell who won.
            listed
                .sort_by(|one, other| one.judged.record.writing_order().cmp(&other.judged.record.writing_order()));
        }
        let many = listed.len();
        let name = |(at, then): (usize, &'a RecordThen)| {
            let id = then.judged.record.id.as_str();
            let role = match () {
                () if hidden && many == 2 => ["A", "B"].get(at).copied().unwrap_or_default(),
                () if hidden => "record",
                () if is(&body["winner"], id) || is(&decision["winner"], id) => "winner",
                () if is(&body["loser"], id) || is(&decision["loser"], id) => "loser",
                () if is(&decision["from"], id) => "from",
                () if is(&decision["record"], id) || is(&body["record"], id) => "new",
                () if told.kind == "epoch_change" && at == 0 => "before",
                () if told.kind == "epoch_change" => "after",
                () if many == 2 => ["A", "B"].get(at).copied().unwrap_or_default(),
                () => "record",
            };
            (role.to_owned(), then)
        };
        listed.into_iter().enumerate().map(name).collect()
    }

    /// A record on one line, its columns under those of the others.
    fn record_wide(&mut self, name: &str, then: &RecordThen, columns: Columns) {
        let record = &then.judged.record;
        self.lines.push(vec![
            named(name),
            Span { role: Role::Strong, text: pad(&value_of(then), columns.values + 2) },
            Span { role: Role::Dim, text: pad(&id_of(then), columns.ids + 2) },
            Span { role: Role::Text, text: pad(&source_of(then), columns.sources + 2) },
            Span { role: times_role(record), text: times_of(record, columns.minutes).join("  ") },
        ]);
    }

    /// A record on as few lines as hold what is said of it, nothing of it broken.
    fn record_narrow(&mut self, name: &str, then: &RecordThen) {
        let record = &then.judged.record;
        let room = self.view.width.saturating_sub(NAMES + 2).max(8);
        let mut said =
            vec![(Role::Strong, value_of(then)), (Role::Dim, id_of(then)), (Role::Text, source_of(then))];
        said.extend(times_of(record, room >= 60).map(|time| (times_role(record), time)));
        let mut line = vec![named(name)];
        let mut used = 0;
        for (role, text) in said {
            let text = cut(&text, room);
            if used > 0 && used + 2 + text.width() > room {
                self.lines.push(std::mem::replace(&mut line, vec![named("")]));
                used = 0;
            }
            if used > 0 {
                line.push(Span { role: Role::Text, text: "  ".to_owned() });
                used += 2;
            }
            used += text.width();
            line.push(Span { role, text });
        }
        self.lines.push(line);
    }

    /// Every field of the records, two beside each other where there is room, with their evidence.
    fn records_whole(&mut self, whole: &Whole) {
        let rows = self.titled(whole);
        let beside = self.view.width >= BESIDE && rows.len() == 2;
        let (width, now, blind) = (self.view.width, self.view.now, self.view.blind);
        let sides = if beside { 2 } else { 1 };
        let room = (width.saturating_sub(NAMES + 2 * sides) / sides).max(8);
        for chunk in rows.chunks(sides) {
            let fields: Vec<Vec<(&str, Role, String)>> =
                chunk.iter().map(|(name, then)| fields(name, then, now, blind)).collect();
            let lines = fields.iter().map(Vec::len).max().unwrap_or(0);
            for at in 0..lines {
                let cells: Vec<Vec<String>> = fields
                    .iter()
                    .map(|side| side.get(at).map_or_else(Vec::new, |(_, _, text)| wrap(text, room)))
                    .collect();
                let name = fields.iter().find_map(|side| Some(side.get(at)?.0)).unwrap_or_default();
                for line in 0..cells.iter().map(Vec::len).max().unwrap_or(0).max(1) {
                    let mut spans = vec![named(if line == 0 { name } else { "" })];
                    for (side, cell) in fields.iter().zip(&cells) {
                        let role = side.get(at).map_or(Role::Text, |(_, role, _)| *role);
                        let text = cell.get(line).map_or("", String::as_str);
                        spans.push(Span { role, text: pad(text, room + 2) });
                    }
                    self.lines.push(spans);
                }
            }
            self.gap();
        }
    }

    /// The checklist in the words of then.
    fn checklist(&mut self, whole: &Whole) {
        let told = whole.about.as_ref().unwrap_or(&whole.event);
        let Some(checks) = told.body["checklist"].as_array() else { return };
        self.gap();
        let text = |value: &Value| reveal(value.as_str().unwrap_or_default()).into_owned();
        let finding = told.body["finding"].as_str().map(|finding| format!("; found: {finding}"));
        let head = format!("as they then stood, policy {}{}", whole.policy, finding.unwrap_or_default());
        self.said("checks", Role::Dim, &head);
        if !self.view.full && self.view.height < FOLDED {
            self.folded(checks, told);
            return;
        }
        for (number, check) in (1..).zip(checks) {
            let (word, role) = mark(check, told);
            let room = self.view.width.saturating_sub(22).max(8);
            let condition = text(&check["condition"]);
            for (at, line) in wrap(&text(&check["detail"]), room).into_iter().enumerate() {
                let first = at == 0;
                self.lines.push(vec![
                    Span {
                        role: Role::Dim,
                        text: if first { format!(" {number:>2} ") } else { "    ".to_owned() },
                    },
                    Span { role, text: pad(if first { word } else { "" }, 5) },
                    Span { role: Role::Text, text: pad(if first { &condition } else { "" }, 12) },
                    Span { role: if role == Role::Dim { Role::Dim } else { Role::Text }, text: line },
                ]);
            }
        }
        self.gap();
    }

    /// The marks of all conditions, then what failed in words: for where there is no room for a line each.
    fn folded(&mut self, checks: &[Value], told: &Event) {
        let room = self.view.width.saturating_sub(NAMES + 2).max(8);
        let (mut line, mut used) = (vec![named("")], 0);
        for check in checks {
            let (word, role) = mark(check, told);
            let condition = reveal(check["condition"].as_str().unwrap_or_default()).into_owned();
            let width = word.width() + condition.width() + 3;
            if used > 0 && used + width > room + 2 {
                self.lines.push(std::mem::replace(&mut line, vec![named("")]));
                used = 0;
            }
            used += width;
            line.push(Span { role, text: format!("{word} ") });
            line.push(Span {
                role: if role == Role::Dim { Role::Dim } else { Role::Text },
                text: format!("{condition}  "),
            });
        }
        self.lines.push(line);
        for check in checks {
            let (word, role) = mark(check, told);
            if matches!(role, Role::Bad | Role::Alarm) {
                self.said(word, role, check["detail"].as_str().unwrap_or_default());
            }
        }
    }

    fn why(&mut self, whole: &Whole) {
        let event = &whole.event;
        let word = if event.kind == "audit" { "note" } else { "reason" };
        match words::reason(event) {
            Some(reason) if event.kind != "note" => self.said(word, Role::Text, reason),
            None if event.ruling.is_some() && event.kind != "undo" => self.said(word, Role::Dim, "none was given"),
            Some(_) | None => {}
        }
    }

    /// What came of it: undone or not, and what auditors said.
    fn later(&mut self, whole: &Whole) {
        match &whole.undone {
            Some(undone) => {
                let text = format!("UNDONE by ruling {} of {}, {}", undone.ruling, undone.by, moment(undone.at));
                self.said("later", Role::Alarm, &text);
            }
            None if whole.event.ruling.is_some() => self.said("later", Role::Dim, "not undone"),
            None => {}
        }
        for audit in &whole.audits {
            let role = if audit.verdict == Verdict::Agree { Role::Good } else { Role::Bad };
            self.said("audit", role, &audited(audit));
        }
    }

    /// Its pair as it is now, and its place in the chain.
    fn provenance(&mut self, whole: &Whole) {
        if let Some(pair) = &whole.pair {
            let state = if self.view.blind { String::new() } else { format!(", {} now", pair.state.name()) };
            let key = match (self.view.blind, self.view.full) {
                (true, _) => "",
                (false, true) => "Enter opens it in Triage",
                (false, false) => "Enter twice opens it in Triage",
            };
            let text = format!("{}{state}   ", pair.pair);
            let fits = NAMES + 2 + text.width() + key.width() <= self.view.width;
            let key = if fits { key } else { "" };
            self.lines.push(vec![named("pair"), piece(Role::Text, text), piece(Role::Dim, key)]);
        }
        let event = &whole.event;
        let follows = whole.follows.as_deref().unwrap_or("nothing: it is the first");
        if self.view.full {
            self.said("hash", Role::Dim, &event.hash);
            self.said("follows", Role::Dim, follows);
        } else {
            let text = format!("{}…, after {}…", short(&event.hash), short(follows));
            let text = if whole.follows.is_some() { text } else { format!("{}…, the first", short(&event.hash)) };
            self.said("hash", Role::Dim, &text);
        }
    }

    /// The body as it is stored.
    fn stored(&mut self, body: &Value) {
        let pretty = serde_json::to_string_pretty(body).unwrap_or_else(|_| body.to_string());
        for (at, line) in pretty.lines().enumerate() {
            self.said(if at == 0 { "stored" } else { "" }, Role::Dim, line);
        }
    }
}

fn audited(audit: &Audit) -> String {
    let note = audit.note.as_deref().map(|note| format!(": {note}")).unwrap_or_default();
    let own = if audit.is_own() { " (his own ruling: not counted)" } else { "" };
    let blind = audit.blind.as_ref().map(|blind| format!(", having said {} blind", blind.said)).unwrap_or_default();
    format!("{} {}s{blind}{own}, {}{note}", audit.auditor, audit.verdict.name(), moment(audit.at))
}

/// How wide the columns of records are that stand on a line each.
#[derive(Clone, Copy)]
struct Columns {
    values: usize,
    ids: usize,
    sources: usize,
    /// Times to the minute, where all have room, else the days alone.
    minutes: bool,
}

impl Columns {
    /// The columns of these records at a width; none where not even the days have room.
    fn of(rows: &[(String, &RecordThen)], width: usize) -> Option<Self> {
        let widest = |of: &dyn Fn(&RecordThen) -> String| rows.iter().map(|(_, then)| of(then).width()).max();
        let (values, ids, sources) =
            (widest(&value_of)?.min(24), widest(&id_of)?.min(14), widest(&source_of)?.min(38));
        let room = width.checked_sub(NAMES + 1 + values + 2 + ids + 2 + sources + 2)?;
        let fits = |minutes| widest(&|then| times_of(&then.judged.record, minutes).join("  ")) <= Some(room);
        fits(false).then(|| Self { values, ids, sources, minutes: fits(true) })
    }
}

/// How a condition stood, in a word; what an override went over is its own.
fn mark(check: &Value, told: &Event) -> (&'static str, Role) {
    match check["state"].as_str() {
        Some("met") => ("ok", Role::Good),
        Some("failed") if told.kind == "override" && check["condition"] == "authority" => ("OVER", Role::Alarm),
        Some("failed") => ("FAIL", Role::Bad),
        Some(_) | None => ("n/a", Role::Dim),
    }
}

/// The first digits of a hash.
pub fn short(hash: &str) -> &str {
    hash.get(..8).unwrap_or(hash)
}

fn known(kind: &str) -> bool {
    crate::core::event::KINDS.contains(&kind)
}

fn text_of(ruling: Option<crate::core::ruling::RulingId>) -> String {
    ruling.map(|ruling| ruling.to_string()).unwrap_or_default()
}

/// The title of an event: its number, what it is, by whom and when; the longest first.
pub fn titles(event: &Event, now: Instant) -> [String; 3] {
    let ruling = event.ruling.map(|ruling| format!(", ruling {ruling}")).unwrap_or_default();
    let (seq, kind, actor) = (event.seq, &event.kind, &event.actor);
    let whole = format!("Event {seq}: {kind} by {actor}{ruling}, {}", moment(event.at));
    [format!("{whole} ({})", ago(event.at, now)), whole, format!("{seq}: {kind} by {actor}{ruling}")]
}
