//! The list of batches: one in a line, with its lags as a bar.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};

use super::{Column, names, note, place};
use crate::app::Model;
use crate::app::spell;
use crate::core::batch::Summary;
use crate::core::lag::{Band, Lags};
use crate::tui::region::region;
use crate::tui::style::Theme;
use crate::tui::text::{fit, shown, thousands};

/// The names of the bands, a letter each: ahead of its time, under a minute, hour, day, week, month, year, and over.
const BANDS: &str = "!mhdwMy+";
/// What the letters mean, in as many words as there is room for.
const LEGENDS: [&str; 2] = [
    " lag: under a m minute h hour d day w week M month y year + over  ! ahead of its time ",
    " lag: minute hour day week Month year + over ",
];
const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Draws it.
pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame<'_>, area: Rect) {
    let list = &model.batches.list;
    let title = Line::from(vec![
        Span::styled(" Batches ", theme.title),
        Span::styled(format!("{} ", place(list)), theme.text),
    ]);
    let mut block = region(theme, title);
    if let Some(legend) = LEGENDS.iter().find(|legend| legend.len() + 4 <= usize::from(area.width)) {
        block = block.title_bottom(Line::styled(*legend, theme.dim));
    }
    let inner = block.inner(area);
    frame.render_widget(block, area);
    if list.total() == 0 {
        note(&empty(model), theme, frame, inner);
        return;
    }
    let columns = Columns::new(usize::from(inner.width));
    let mut lines = vec![names(&columns.listed(), theme)];
    lines.extend(list.visible().map(|(at, of)| row(of, &columns, at == list.position(), theme)));
    frame.render_widget(Text::from(lines), inner);
}

/// Nothing to list: why, and what to do about it.
fn empty(model: &Model) -> Vec<String> {
    match &model.batches.listing.text {
        _ if !model.batches.list.is_loaded() => vec!["reading …".to_owned()],
        Some(text) => {
            vec![format!("No batch has \"{}\" in its name.", shown(text)), "F lists them all.".to_owned()]
        }
        None => vec![
            "Nothing was imported yet.".to_owned(),
            "gainsay import FILE brings records in; what comes together is a batch.".to_owned(),
        ],
    }
}

/// What stands in a column of a batch's line.
type Shown = fn(&Summary) -> String;

/// The columns for which there is room. The bar is drawn apart, after the lag.
struct Columns {
    name: Column,
    rows: Column,
    contested: Column,
    lag: Option<Column>,
    bar: Column,
    rest: Vec<(Column, Shown)>,
}

impl Columns {
    fn new(width: usize) -> Self {
        let rows = Column::right("rows", 7);
        let contested = Column::right("contested", 9);
        let lag = (width >= 70).then_some(Column::right("lag", 7));
        let bar = Column::left(BANDS, BANDS.len());
        let mut rest: Vec<(Column, Shown)> = Vec::new();
        if width >= 60 {
            rest.push((Column::right("pairs", 6), |of| counted(of.pairs)));
        }
        if width >= 76 {
            rest.push((Column::right("won lost", 9), |of| match (of.rulings.won, of.rulings.lost) {
                (0, 0) => "·".to_owned(),
                (won, lost) => format!("{won} / {lost}"),
            }));
        }
        if width >= 98 {
            rest.push((Column::right("withdrawn", 9), |of| counted(of.withdrawn)));
        }
        if width >= 116 {
            rest.push((Column::left("written", 16), |of| spell::minute(of.last_written_at)));
        }
        let taken = |column: &Column| column.width + 1;
        let fixed = [Some(rows), Some(contested), lag, Some(bar)].iter().flatten().map(taken).sum::<usize>();
        let fixed = 2 + fixed + rest.iter().map(|(column, _)| taken(column)).sum::<usize>();
        // The air after the last column is not needed.
        let name = Column::left("batch", width.saturating_sub(fixed).max(6));
        Self { name, rows, contested, lag, bar, rest }
    }

    fn listed(&self) -> Vec<Column> {
        let first = [Some(self.name), Some(self.rows), Some(self.contested), self.lag, Some(self.bar)];
        first.into_iter().flatten().chain(self.rest.iter().map(|(column, _)| *column)).collect()
    }
}

/// A count; nought is a dot, so that what is there stands out.
fn counted(many: u64) -> String {
    if many == 0 { "·".to_owned() } else { thousands(many) }
}

fn row(of: &Summary, columns: &Columns, chosen: bool, theme: &Theme) -> Line<'static> {
    let gone = of.withdrawn == of.records;
    let plain = if gone { theme.dim } else { theme.text };
    let at = |style: Style| if chosen { Style::new() } else { style };
    let contested = if of.contested > 0 { theme.alarm } else { theme.dim };
    let lag = of.lag.map_or_else(|| "?".to_owned(), |lag| spell::lag(lag.median));
    let mut spans = vec![
        Span::styled(if chosen { "▸ " } else { "  " }, at(theme.strong)),
        Span::styled(columns.name.cell(&shown(of.batch.as_str())), at(plain)),
        Span::styled(columns.rows.cell(&thousands(of.records)), at(plain)),
        Span::styled(columns.contested.cell(&counted(of.contested)), at(contested)),
    ];
    spans.extend(columns.lag.map(|column| Span::styled(column.cell(&lag), at(plain))));
    spans.push(Span::styled(columns.bar.cell(&bar(&of.lags)), at(if gone { theme.dim } else { theme.key })));
    let rest = columns.rest.iter().map(|(column, value)| Span::styled(column.cell(&value(of)), at(plain)));
    spans.extend(rest);
    let line = Line::from(spans);
    if chosen { line.style(theme.selected) } else { line }
}

/// The records by band of lag, each band a cell as high as its share of the fullest.
pub(super) fn bar(lags: &Lags) -> String {
    let fullest = lags.bands.iter().copied().max().unwrap_or(0);
    let height = |many: u64| {
        let eighths = (many * HEIGHTS.len() as u64).div_ceil(fullest.max(1));
        eighths.checked_sub(1).and_then(|at| HEIGHTS.get(usize::try_from(at).ok()?)).copied().unwrap_or('·')
    };
    // Dots hold the place of what is empty, save that of the impossible, which is almost always so.
    let cell = |band: Band| if band == Band::Ahead && lags.of(band) == 0 { ' ' } else { height(lags.of(band)) };
    fit(&Band::ALL.into_iter().map(cell).collect::<String>(), BANDS.len())
}
