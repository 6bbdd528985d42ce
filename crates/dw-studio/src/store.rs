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
        found.ok_or_else(|| Error::usage("this recording is not here any more").hint("open it again"))
    }

    /// The text of a recording's requirements with what the page wishes: keys of `requirements.toml`.
    pub(crate) fn text(&self, number: u64, wishes: &Keys) -> Result<String> {
        let mut table = self.kept(number)?.requirements.clone();
        wishes.lay_over(&mut table)?;
        toml::to_string(&table).map_err(|e| Error::unexpected(e.to_string()))
    }

    /// The same as a demand.
    pub(crate) fn demand(&self, session: &Session, number: u64, wishes: &Keys) -> Result<Arc<Demand>> {
        let key = (number, serde_json::to_string(wishes).unwrap_or_default());
        self.kept(number)?;
        if let Some((_, demand)) = self.held().demands.iter().find(|(known, _)| *known == key) {
            return Ok(demand.clone());
        }
        let demand = Arc::new(session.requirements("requirements.toml", &self.text(number, wishes)?)?);
        let mut held = self.held();
        held.demands.push_back((key, demand.clone()));
        while held.demands.len() > DEMANDS {
            held.demands.pop_front();
        }
        Ok(demand)
    }
}
