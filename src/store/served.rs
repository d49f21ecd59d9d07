//! Which slots somebody would serve, as somebody else decides it.

use std::collections::BTreeMap;

use super::Store;
use super::error::StoreError;
use crate::core::record::{Attribute, Subject};

/// How many examples are named.
const EXAMPLES: usize = 3;

/// The slots that one serves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Served {
    pub slots: u64,
    /// Their pairs that are not settled.
    pub open_pairs: u64,
    /// A few of them, those with open pairs first.
    pub examples: Vec<(Subject, Attribute)>,
}

impl Store {
    /// Every slot given to the one that `serving` names for it, by its number.
    pub fn served(
        &self,
        serving: impl Fn(&Subject, &Attribute) -> Option<usize>,
    ) -> Result<Vec<(usize, Served)>, StoreError> {
        let mut found: BTreeMap<usize, Served> = BTreeMap::new();
        let mut statement = self.connection.prepare_cached(
            "SELECT s.subject, s.attribute, (SELECT count(*) FROM pairs p WHERE p.home = s.slot AND p.state <> 'settled') AS open
             FROM slots s WHERE s.home = s.slot ORDER BY open = 0, s.subject, s.attribute",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let subject = Subject::from(row.get::<_, String>("subject")?.as_str());
            let attribute = Attribute::from(row.get::<_, String>("attribute")?.as_str());
            let Some(at) = serving(&subject, &attribute) else { continue };
            let served = found.entry(at).or_default();
            served.slots += 1;
            served.open_pairs += u64::try_from(row.get::<_, i64>("open")?).unwrap_or_default();
            if served.examples.len() < EXAMPLES {
                served.examples.push((subject, attribute));
            }
        }
        Ok(found.into_iter().collect())
    }
}
