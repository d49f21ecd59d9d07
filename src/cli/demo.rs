//! The demo: a throw-away store, filled from the incidents that are shipped with the program.

use std::path::PathBuf;

use tempfile::TempDir;

use crate::core::order::Order;
use crate::core::record::{Batch, Subject};
use crate::core::ruling::AliasVerdict;
use crate::error::{Error, Kind, Result};
use crate::store::{By, Import, Store};
use crate::wire::{Defaults, records};

use super::context::Context;

/// The imports in the order in which they came, each under the name of its batch.
const IMPORTS: [(&str, &str); 9] = [
    ("warranty_incident", include_str!("../../assets/demo/warranty_incident.jsonl")),
    ("checkout_deploy", include_str!("../../assets/demo/checkout_deploy.jsonl")),
    ("support_chats", include_str!("../../assets/demo/support_chats.jsonl")),
    ("agent_memories", include_str!("../../assets/demo/agent_memories.jsonl")),
    ("legacy_notes", include_str!("../../assets/demo/legacy_notes.jsonl")),
    ("meeting_notes", include_str!("../../assets/demo/meeting_notes.jsonl")),
    ("scraped_tickets", include_str!("../../assets/demo/scraped_tickets.jsonl")),
    ("service_config", include_str!("../../assets/demo/service_config.jsonl")),
    ("sf_backfill_2025_11", include_str!("../../assets/demo/sf_backfill_2025_11.jsonl")),
];

/// Two names that the demo's agent takes for one subject; a person is asked.
const LIKELY_ALIAS: (&str, &str) = ("user_31882", "crm_0031x9");

/// A filled store in a folder that goes away with it.
pub(super) struct Filled {
    folder: TempDir,
    told: Told,
}

/// What the demo's store holds.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) store: PathBuf,
    pub(super) records: u64,
    pub(super) batches: u64,
    pub(super) open: u64,
}

impl Filled {
    /// The store, opened; its folder goes away with `self`.
    pub(super) fn open(&self, context: &Context) -> Result<Store> {
        Ok(Store::open(&self.told.store, context.now)?)
    }

    /// Leaves the store where it is.
    pub(super) fn keep(self) -> Told {
        let _kept = self.folder.keep();
        self.told
    }
}

/// Makes the store and fills it.
pub(super) fn fill(context: &Context) -> Result<Filled> {
    let no_folder = |error| Error::new(Kind::Store, format!("no folder for the demo's store can be made: {error}"));
    let folder = tempfile::Builder::new().prefix("gainsay-demo-").tempdir().map_err(no_folder)?;
    let path = folder.path().join("demo.db");
    let by = By { actor: "agent", now: context.now };
    let mut store = Store::open_or_create(&path, context.now)?;
    let mut added = 0;
    for (name, text) in IMPORTS {
        let batch = Batch::from(name);
        let defaults = Defaults { now: context.now, batch: batch.clone(), epoch: None, zone: None };
        let incoming = records(text.as_bytes(), defaults).map(|item| {
            let read = item.map_err(|error| Error::internal(error.to_string()))?.1;
            read.map_err(|fault| Error::in_file(name, &fault))
        });
        let import = Import { batch, dry_run: false, each: false };
        let clash =
            |record: &crate::wire::Incoming| Err(Error::internal(format!("{} is there twice", record.record.id)));
        added += store.import(&by, &import, incoming, clash, |_| {})?.added;
    }
    let names = (Subject::from(LIKELY_ALIAS.0), Subject::from(LIKELY_ALIAS.1));
    store.order(&Order::Alias { names, verdict: AliasVerdict::Proposed }, &by, None)?;
    let open = store.counts(context.now)?.open;
    let told = Told { store: path, records: added, batches: IMPORTS.len() as u64, open };
    Ok(Filled { folder, told })
}
