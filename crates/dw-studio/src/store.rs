//! What the server keeps: recordings that it read, as what a plan must meet. A page names them by number.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use diskwright::keys::Keys;
use diskwright::{Demand, Error, Result, Session};
use toml::Table;

/// Demands that are kept next to their recordings: what a page works on, and what it had before.
const DEMANDS: usize = 8;

/// A recording as requirements.
pub(crate) struct Kept {
    number: u64,
    /// `requirements.toml` as values, series and all.
    requirements: Table,
}

/// What a page wishes of a recording.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize, serde::Serialize)]
pub(crate) struct Wished {
    /// Volumes by name that no plan is made for.
    #[serde(default)]
    left_out: Vec<String>,
    /// Keys of `requirements.toml`.
    #[serde(flatten)]
    keys: Keys,
}

impl Wished {
    /// The text of requirements with this.
    pub(crate) fn laid_over(&self, mut table: Table) -> Result<String> {
        self.keys.lay_over(&mut table)?;
        if let Some(volumes) = table.get_mut("volume").and_then(toml::Value::as_array_mut) {
            let name = |volume: &toml::Value| volume.get("name").and_then(toml::Value::as_str).map(String::from);
            volumes.retain(|volume| name(volume).is_none_or(|name| !self.left_out.contains(&name)));
            if volumes.is_empty() {
                return Err(Error::usage("every volume is left out").hint("plan one of them"));
            }
        }
        toml::to_string(&table).map_err(|e| Error::unexpected(e.to_string()))
    }
}

#[derive(Default)]
pub(crate) struct Store(Mutex<Held>);

#[derive(Default)]
struct Held {
    last: u64,
    recordings: VecDeque<Arc<Kept>>,
    demands: VecDeque<((u64, String), Arc<Demand>)>,
}

impl Store {
    /// Keeps one; the oldest is forgotten when there are more than `most`. Its number.
    pub(crate) fn keep(&self, requirements: Table, most: usize) -> u64 {
        let mut held = self.held();
        held.last += 1;
        let number = held.last;
        held.recordings.push_back(Arc::new(Kept { number, requirements }));
        while held.recordings.len() > most.max(1) {
            held.recordings.pop_front();
        }
        number
    }

    fn held(&self) -> std::sync::MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn kept(&self, number: u64) -> Result<Arc<Kept>> {
        let found = self.held().recordings.iter().find(|kept| kept.number == number).cloned();
        found.ok_or_else(|| Error::usage("this recording is no longer available").hint("open it again"))
    }

    /// A recording's requirements as they were before anything was wished.
    pub(crate) fn table(&self, number: u64) -> Result<Table> {
        Ok(self.kept(number)?.requirements.clone())
    }

    /// Their text with what the page wishes.
    pub(crate) fn text(&self, number: u64, wished: &Wished) -> Result<String> {
        wished.laid_over(self.table(number)?)
    }

    /// The same as a demand.
    pub(crate) fn demand(&self, session: &Session, number: u64, wished: &Wished) -> Result<Arc<Demand>> {
        let key = (number, serde_json::to_string(wished).unwrap_or_default());
        self.kept(number)?;
        if let Some((_, demand)) = self.held().demands.iter().find(|(known, _)| *known == key) {
            return Ok(demand.clone());
        }
        let demand = Arc::new(session.requirements("requirements.toml", &self.text(number, wished)?)?);
        let mut held = self.held();
        held.demands.push_back((key, demand.clone()));
        while held.demands.len() > DEMANDS {
            held.demands.pop_front();
        }
        Ok(demand)
    }
}
