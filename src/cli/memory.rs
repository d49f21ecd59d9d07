//! `gainsay export --format`: an agent's memory given back in its own form.

use serde_json::Value;

use crate::error::Error;
use crate::formats::giving::{self, Given, Shape};

use super::context::Context;
use super::output::{note, print, print_json};
use super::words;
use crate::error::Result;

/// Writes what holds, and says on stderr what is not in it.
pub(super) fn give(shape: Shape, marked: bool, context: &Context) -> Result {
    let mut all = Given::default();
    let mut document = Document::new(shape);
    let store = context.reading()?;
    store.memory(|memory| -> Result {
        let given = giving::give(shape, marked, &memory);
        all.values += given.values;
        all.contested += given.contested;
        all.sentences += given.sentences;
        all.replaced += given.replaced;
        given.objects.iter().try_for_each(|object| document.write(object))
    })?;
    document.finish()?;
    tell(&all, marked);
    Ok(())
}

/// The objects as they are written: a line each, or the items of one document.
struct Document {
    shape: Shape,
    begun: bool,
}

impl Document {
    const fn new(shape: Shape) -> Self {
        Self { shape, begun: false }
    }

    fn write(&mut self, object: &Value) -> Result {
        match self.shape {
            Shape::Mcp | Shape::Jsonl => print_json(object),
            Shape::Mem0 => {
                let begins = if self.begun { ",\n" } else { "{\"results\": [\n" };
                self.begun = true;
                let text = serde_json::to_string(object).map_err(|error| Error::internal(error.to_string()))?;
                print(&format!("{begins}{text}"))
            }
        }
    }

    fn finish(self) -> Result {
        match (self.shape, self.begun) {
            (Shape::Mcp | Shape::Jsonl, _) => Ok(()),
            (Shape::Mem0, true) => print("\n]}\n"),
            (Shape::Mem0, false) => print("{\"results\": []}\n"),
        }
    }
}

fn tell(all: &Given, marked: bool) {
    note(&format!("{} and {} given\n", words::count(all.values, "value"), words::count(all.sentences, "sentence")));
    if all.contested > 0 {
        let what = if marked {
            "marked: gainsay queue lists the pairs"
        } else {
            "left out: gainsay queue lists the pairs, --contested mark says between what they are"
        };
        note(&format!("{} contested and {what}\n", words::count(all.contested, "slot")));
    }
    if all.replaced > 0 {
        let count = words::count(all.replaced, "sentence");
        note(&format!("{count} left out that their own origin replaced or took back\n"));
    }
}
