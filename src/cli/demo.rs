//! The demo: a throw-away store, filled from the incidents that are shipped with the program.

use std::path::Path;

use crate::core::facet::Facet;
use crate::core::order::Order;
use crate::core::pair::PairState;
use crate::core::record::{Attribute, Batch, Subject};
use crate::core::ruling::{AliasVerdict, PairId};
use crate::core::time::Instant;
use crate::error::{Error, Result};
use crate::store::{By, Clash, Import, QueueFilter, QueueOrder, Store, Window};
use crate::wire::{Defaults, records};

use super::live::{self, Live};

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

/// What the demo's store holds.
#[derive(Clone, Debug)]
pub struct Told {
    pub records: u64,
    pub batches: u64,
    /// Pairs that wait for a person.
    pub open: u64,
    /// The open pairs at whose slots an observer looks.
    pub watched: Vec<PairId>,
}

/// Makes a store at `path` and fills it, as if all of it came now.
pub fn fill(path: &Path, now: Instant) -> Result<Told> {
    let by = By { actor: "agent", now };
    let mut store = Store::open_or_create(path, now)?;
    let mut added = 0;
    for (name, text) in IMPORTS {
        let batch = Batch::from(name);
        let defaults = Defaults { now, batch: batch.clone(), epoch: None, zone: None };
        let incoming = records(text.as_bytes(), defaults).map(|item| {
            let read = item.map_err(|error| Error::internal(error.to_string()))?.1;
            read.map_err(|fault| Error::in_file(name, &fault))
        });
        let import = Import { batch, dry_run: false, each: false };
        let clash = |clash: &Clash| Err(Error::internal(format!("{} is there twice", clash.id)));
        added += store.import(&by, &import, incoming, clash, |_| {})?.added;
    }
    let names = (Subject::from(LIKELY_ALIAS.0), Subject::from(LIKELY_ALIAS.1));
    store.order(&Order::Alias { names, verdict: AliasVerdict::Proposed }, &by, None)?;
    let open = store.counts(now)?.open;
    let looked_at = QueueFilter {
        states: vec![PairState::Open],
        subjects: Facet { any_of: vec![Subject::from(live::SUBJECT)], none_of: Vec::new() },
        attributes: Facet { any_of: Live::attributes().map(Attribute::from).collect(), none_of: Vec::new() },
        ..QueueFilter::default()
    };
    let watched = store.queue(&looked_at, QueueOrder::Oldest, &Window::Start, usize::from(u8::MAX), now)?;
    let watched = watched.into_iter().map(|entry| entry.pair).collect();
    Ok(Told { records: added, batches: IMPORTS.len() as u64, open, watched })
}
