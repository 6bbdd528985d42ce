//! What the server keeps: recordings that it read, as what a plan must meet. A page names them by number.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use diskwright::{Demand, Error, Result, Session};
use serde_json::{Map, Value};
use toml::Table;

/// Demands that are kept next to their recordings: what a page works on, and what it had before.
const DEMANDS: usize = 8;

/// A recording as requirements.
pub(crate) struct Kept {
    number: u64,
    /// `requirements.toml` as values, series and all.
    requirements: Table,
}

/// All of them.
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
    pub(crate) fn text(&self, number: u64, wishes: &Wishes) -> Result<String> {
        let mut table = self.kept(number)?.requirements.clone();
        wishes.lay_over(&mut table)?;
        toml::to_string(&table).map_err(|e| Error::unexpected(e.to_string()))
    }

    /// The same as a demand.
    pub(crate) fn demand(&self, session: &Session, number: u64, wishes: &Wishes) -> Result<Arc<Demand>> {
        let key = (number, serde_json::to_string(&wishes.0).unwrap_or_default());
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

/// What a page wishes, in the keys of `requirements.toml`: `{"plan": {...}, "volumes": {"data": {...}}}`. Null takes a key away.
#[derive(Clone, Debug, Default, serde::Deserialize)]
pub(crate) struct Wishes(#[serde(default)] Map<String, Value>);

impl Wishes {
    fn lay_over(&self, table: &mut Table) -> Result<()> {
        for (key, value) in &self.0 {
            let Value::Object(keys) = value else { return Err(unknown(key)) };
            match key.as_str() {
                "plan" => {
                    let plan = table.entry("plan").or_insert_with(|| toml::Value::Table(Table::new()));
                    set(plan.as_table_mut().ok_or_else(|| unknown(key))?, keys)?;
                }
                "volumes" => {
                    for (name, keys) in keys {
                        let all = table.get_mut("volume").and_then(toml::Value::as_array_mut);
                        let tables = all.into_iter().flatten().filter_map(toml::Value::as_table_mut);
                        let named = |v: &&mut Table| v.get("name").and_then(toml::Value::as_str) == Some(name);
                        let volume = tables.into_iter().find(named);
                        let (Some(volume), Value::Object(keys)) = (volume, keys) else { return Err(unknown(name)) };
                        set(volume, keys)?;
                    }
                }
                _ => return Err(unknown(key)),
            }
        }
        Ok(())
    }
}

fn unknown(key: &str) -> Error {
    Error::usage(format!("there is nothing called `{key}` here"))
}

fn set(table: &mut Table, keys: &Map<String, Value>) -> Result<()> {
    for (key, value) in keys {
        if value.is_null() {
            table.remove(key);
        } else {
            let value = toml::Value::try_from(value).map_err(|e| Error::usage(format!("`{key}`: {e}")))?;
            table.insert(key.clone(), value);
        }
    }
    Ok(())
}
