//! What may be done: every action in its fixed place, so that fingers never learn two layouts; a refused one keeps its
//! place, with the reason beside it.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};

use super::checks;
use super::region::region;
use super::style::Theme;
use super::text::{pad, shown};
use crate::app::keymap::{Keymap, command_of};
use crate::core::examine::{Condition, Side};
use crate::core::pair::Pair;
use crate::core::permit::{Action, Because, Permission, Permitted};

/// The narrowest an action may be.
const NARROWEST: u16 = 24;
/// From this width on an action has room for its reason as a sentence.
const ROOMY: usize = 60;

/// How many lines the actions take.
pub(super) const fn lines(inner: u16, height: u16) -> u16 {
    Action::ALL.len().div_ceil(columns(inner, height)) as u16
}

const fn columns(inner: u16, height: u16) -> usize {
    if inner >= 70 && height >= 41 {
        return 1;
    }
    let most = if inner >= 70 && height >= 33 { 2 } else { 4 };
    let fit = (inner / NARROWEST) as usize;
    if fit > most {
        most
    } else if fit == 0 {
        1
    } else {
        fit
    }
}

/// Draws the list, column by column.
pub(super) fn draw(keymap: &Keymap, pair: &Pair, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let free = pair.permitted.iter().filter(|permitted| permitted.permission.allows()).count();
    let title = format!(" What you may do: {free} of {} ", pair.permitted.len());
    let block = region(theme, Line::styled(title, theme.title));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let rows = usize::from(inner.height).max(1);
    let columns = pair.permitted.len().div_ceil(rows).max(1);
    let wide = usize::from(inner.width) / columns;
    let line = |row: usize| {
        let listed = (0..columns).filter_map(|column| pair.permitted.get(column * rows + row));
        Line::from(listed.flat_map(|permitted| item(keymap, permitted, wide, theme)).collect::<Vec<_>>())
    };
    frame.render_widget(Text::from((0..rows).map(line).collect::<Vec<_>>()), inner);
}

fn item(keymap: &Keymap, permitted: &Permitted, wide: usize, theme: &Theme) -> Vec<Span<'static>> {
    let key = command_of(permitted.action).map(|command| keymap.chord(command)).unwrap_or_default();
    let roomy = wide >= 30;
    let keys = if roomy { 5 } else { 4 };
    let room = wide.saturating_sub(keys + 2);
    let name = label(permitted.action);
    let (sign, key_style, style, text) = match &permitted.permission {
        Permission::Permitted => (" ", theme.key, theme.text, name.to_owned()),
        Permission::NeedsRecencyOverride => {
            ("!", theme.alarm, theme.text, beside(permitted.action, roomy, "override"))
        }
        Permission::Refused(because) => {
            let told =
                |why: String| beside(permitted.action, roomy, &if roomy { format!("no: {why}") } else { why });
            let fits = |text: &String| text.chars().count() <= room;
            let whole = (wide >= ROOMY).then(|| told(shown(&because.to_string())));
            let said =
                whole.or_else(|| short(because).map(told).find(fits)).unwrap_or_else(|| told("no".to_owned()));
            ("·", theme.dim, theme.dim, said)
        }
    };
    vec![
        Span::styled(sign.to_owned(), style),
        Span::styled(pad(&key, keys), key_style),
        Span::styled(pad(&text, room), style),
        Span::raw(" "),
    ]
}

/// An action with what is said of it: in a column of its own, or behind a shorter name.
fn beside(action: Action, roomy: bool, said: &str) -> String {
    const NAMES: usize = 15;
    if roomy { format!("{}{said}", pad(label(action), NAMES)) } else { format!("{}: {said}", brief(action)) }
}

const fn label(action: Action) -> &'static str {
    match action {
        Action::Accept(Side::Left) => "accept A",
        Action::Accept(Side::Right) => "accept B",
        Action::LinkSame => "same value",
        Action::LinkBothTrue => "both true",
        Action::LinkAcrossEpochs => "across epochs",
        Action::LinkOneSubject => "one subject",
        Action::LinkTwoSubjects => "two subjects",
        Action::Reobserve => "look again",
        Action::Rederive => "re-derive",
        Action::Withdraw => "withdraw",
        Action::Declare => "declare policy",
        Action::Defer => "defer",
    }
}

const fn brief(action: Action) -> &'static str {
    match action {
        Action::LinkAcrossEpochs => "epochs",
        Action::LinkOneSubject => "1 subject",
        Action::LinkTwoSubjects => "2 subjects",
        Action::Declare => "declare",
        Action::Accept(_)
        | Action::LinkSame
        | Action::LinkBothTrue
        | Action::Reobserve
        | Action::Rederive
        | Action::Withdraw
        | Action::Defer => label(action),
    }
}

/// Why not, in a word or two; its key tells the whole. The longest first, each shorter than the one before.
fn short(because: &Because) -> impl Iterator<Item = String> {
    let told = match because {
        Because::Unmet(checks) => {
            let names = |name: fn(Condition) -> &'static str| {
                checks.iter().map(|check| name(check.condition)).collect::<Vec<_>>()
            };
            let (whole, cut) = (names(Condition::name), names(checks::brief));
            let more = match checks.len() {
                0 | 1 => String::new(),
                many => format!(" +{}", many - 1),
            };
            let first = |names: &[&str]| names.first().map(|name| format!("{name}{more}")).unwrap_or_default();
            vec![whole.join(", "), cut.join(", "), first(&whole), first(&cut)]
        }
        Because::OutrankedAndNotLater => vec!["outranked".to_owned()],
        Because::RankUnknownAndNotLater => vec!["rank unknown".to_owned(), "rank ?".to_owned()],
        Because::SubjectUnconfirmed => vec!["subject".to_owned()],
        Because::AlreadyMany => vec!["holds many".to_owned(), "many".to_owned()],
        Because::TakesBack => vec!["taken back".to_owned()],
        Because::SameEpoch => vec!["same epoch".to_owned(), "epoch".to_owned()],
        Because::NotAnchored(_) => vec!["provenance".to_owned(), "prov.".to_owned()],
        Because::SubjectConfirmed => vec!["known".to_owned()],
        Because::NothingMissing => vec!["complete".to_owned()],
        Because::Settled => vec!["settled".to_owned()],
    };
    told.into_iter()
}
