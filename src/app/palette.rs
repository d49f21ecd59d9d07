//! Every command by name, found by a few of its letters, with its key.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher};
use tui_input::Input;

use super::keymap::{BINDINGS, Binding, Command, Common};

/// The palette: what is typed, and which of the found is chosen.
#[derive(Clone, Debug, Default)]
pub struct Palette {
    pub input: Input,
    pub chosen: usize,
}

impl Palette {
    /// The rows that match, the best first; all of them while nothing is typed.
    pub fn found(&self) -> Vec<&'static Binding> {
        let listed = BINDINGS.iter().filter(|binding| binding.command != Command::Common(Common::Palette));
        let pattern = Pattern::parse(self.input.value(), CaseMatching::Ignore, Normalization::Smart);
        let mut matcher = Matcher::new(Config::DEFAULT);
        let mut buffer = Vec::new();
        let mut scored: Vec<(u32, &Binding)> = listed
            .filter_map(|binding| {
                let text = format!("{} {}", binding.name, binding.help);
                let haystack = nucleo_matcher::Utf32Str::new(&text, &mut buffer);
                Some((pattern.score(haystack, &mut matcher)?, binding))
            })
            .collect();
        scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        scored.into_iter().map(|(_, binding)| binding).collect()
    }

    /// The command that is chosen.
    pub fn command(&self) -> Option<Command> {
        self.found().get(self.chosen).map(|binding| binding.command)
    }

    /// Chooses another row, as far as there are rows.
    pub fn step(&mut self, by: isize) {
        let last = self.found().len().saturating_sub(1);
        self.chosen = self.chosen.saturating_add_signed(by).min(last);
    }
}
