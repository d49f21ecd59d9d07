//! What may be done: every action in its fixed place, so that fingers never learn two layouts; a refused one keeps its
//! place, with the reason beside it.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};

use super::region::region;
use super::style::Theme;
use super::text::{pad, shown};
use crate::app::keymap::{Keymap, command_of};
use crate::core::examine::Side;
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
    let name = label(permitted.action);
    let names = if wide >= 30 { 17 } else { 0 };
    let (sign, key_style, style, reason) = match &permitted.permission {
        Permission::Permitted => (" ", theme.key, theme.text, String::new()),
        Permission::NeedsRecencyOverride => ("!", theme.alarm, theme.text, "override".to_owned()),
        Permission::Refused(because) => ("·", theme.dim, theme.dim, no(because, wide)),
    };
    let keys = if wide >= 30 { 5 } else { 4 };
    let room = wide.saturating_sub(keys + 2);
    let beside = format!("{}{reason}", if names == 0 { format!("{name}: ") } else { pad(name, names) });
    // A reason that is cut says less than none: the key tells the whole of it.
    let rest =
        if reason.is_empty() || beside.chars().count() > room && wide < ROOMY { name.to_owned() } else { beside };
    vec![
        Span::styled(sign.to_owned(), style),
        Span::styled(pad(&key, keys), key_style),
        Span::styled(pad(&rest, room), style),
        Span::raw(" "),
    ]
}

fn no(because: &Because, wide: usize) -> String {
    match wide {
        ROOMY.. => format!("no: {}", shown(&because.to_string())),
        30.. => format!("no: {}", short(because)),
        _ => short(because),
    }
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

/// Why not, in a word or two; its key tells the whole.
fn short(because: &Because) -> String {
    let said = match because {
        Because::Unmet(checks) => {
            let failed: Vec<&str> = checks.iter().map(|check| check.condition.name()).collect();
            return failed.join(", ");
        }
        Because::OutrankedAndNotLater => "outranked",
        Because::RankUnknownAndNotLater => "rank unknown",
        Because::SubjectUnconfirmed => "subject",
        Because::AlreadyMany => "holds many",
        Because::TakesBack => "taken back",
        Because::SameEpoch => "same epoch",
        Because::NotAnchored(_) => "provenance",
        Because::SubjectConfirmed => "known",
        Because::NothingMissing => "complete",
        Because::Settled => "settled",
    };
    said.to_owned()
}
