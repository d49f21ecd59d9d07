//! `gainsay repair`: what follows is worked out anew from what is true.

use std::path::PathBuf;

use serde_json::json;

use crate::error::{Error, Kind, Result};

use super::context::Context;
use super::output::{Cell, Page};

/// Repair what follows from records and rulings, after a backup: never the other way round
///
/// Puts triggers and indexes back as shipped, records back into their slots, and settles every slot anew. Records,
/// rulings and the log are not touched; where one of these is damaged, only a backup helps, and nothing is written.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Repair {
    /// Where the store as it is is copied to first [default: beside the store, named by the time]
    #[arg(long, value_name = "FILE")]
    pub backup: Option<PathBuf>,
}

impl Repair {
    pub fn run(self, context: &Context) -> Result<u8> {
        let mut store = context.inspecting()?;
        let found = store.verify(context.now, |_, _| {})?;
        if found.is_ok() {
            context.say(
                || json!({"repaired": false, "damage": [], "backup": null, "told": 0}),
                || "the store is whole: there is nothing to repair, and nothing was written\n".to_owned(),
            )?;
            return Ok(0);
        }
        if found.beyond_repair > 0 {
            let what = found.damage.iter().map(|damage| format!("{}: {}", damage.what, damage.wrong)).collect();
            let message = "what is true is damaged, and a repair only works out what follows from it";
            let error = Error { causes: what, ..Error::new(Kind::Damaged, message) };
            return Err(
                error.with_hint("nothing was written; keep this file, and go back to a backup or an export")
            );
        }
        let backup = self.backup.unwrap_or_else(|| {
            let time = context.now.to_string().replace(':', "");
            context.store.with_extension(format!("before-repair-{time}.db"))
        });
        store.backup(&backup)?;
        let backup = backup.display().to_string();
        let done = store.repair(&found, &backup, &context.by())?;
        if let Some(left) = done.found.damage.first() {
            let message = format!("it cannot be repaired: {}: {}", left.what, left.wrong);
            return Err(Error::new(Kind::Damaged, message).with_hint("nothing was written; go back to a backup"));
        }
        let damage: Vec<String> =
            found.damage.iter().map(|damage| format!("{}: {}", damage.what, damage.wrong)).collect();
        context.say(
            || json!({"repaired": true, "damage": damage, "backup": backup, "told": done.told, "head": done.found.head}),
            || {
                let mut page = Page::new(context.style);
                for damage in &damage {
                    page.line([Cell::quiet("mended"), Cell::plain(damage)]);
                }
                page.line([Cell::plain("the store is whole again; as it was, it is kept in"), Cell::strong(&backup)]);
                page.text().to_owned()
            },
        )?;
        Ok(0)
    }
}
