//! What the server keeps: recordings that it read, as what a plan must meet. A page names them by number.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use diskwright::keys::Keys;
use diskwright::plan::Place;
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
    /// The text of requirements with this. In a region of another vendor than theirs what means nothing there is left out.
    pub(crate) fn laid_over(&self, session: &Session, mut table: Table) -> Result<String> {
        let own = word_of_plan(&table, REGION).map(String::from);
        self.keys.lay_over(&mut table)?;
        if let Some(volumes) = table.get_mut("volume").and_then(toml::Value::as_array_mut) {
            let name = |volume: &toml::Value| volume.get("name").and_then(toml::Value::as_str).map(String::from);
            volumes.retain(|volume| name(volume).is_none_or(|name| !self.left_out.contains(&name)));
            if volumes.is_empty() {
                return Err(Error::usage("every volume is left out").hint("plan one of them"));
            }
        }
        if let Some(asked) = self.keys.word_of_plan(REGION) {
            moved(session, &mut table, own, asked)?;
        }
        text_of(&table)
    }
}

const REGION: &str = "region";

fn word_of_plan<'a>(table: &'a Table, key: &str) -> Option<&'a str> {
    table.get("plan")?.get(key)?.as_str()
}

fn text_of(table: &Table) -> Result<String> {
    toml::to_string(table).map_err(|e| Error::unexpected(e.to_string()))
}

/// Requirements that were of the region `own`, absent = the usual one, in the region that they name now.
fn moved(session: &Session, table: &mut Table, own: Option<String>, asked: &str) -> Result<()> {
    let of = |region: &str| session.of_region(region).catalogue().vendor().id();
    let usual = session.catalogue().vendor().id();
    if own.as_deref().map_or(usual, of) == of(asked) {
        return Ok(());
    }
    let mut as_they_were = table.clone();
    if let Some(plan) = as_they_were.get_mut("plan").and_then(toml::Value::as_table_mut) {
        plan.remove(REGION);
        plan.extend(own.map(|own| (REGION.to_string(), toml::Value::String(own))));
    }
    let demand = session.requirements("requirements.toml", &text_of(&as_they_were)?)?;
    let (_, demand, _) = session.placed(&demand, &Place { vendor: None, region: asked.into() })?;
    *table = toml::from_str(&demand.text("")).map_err(|e| Error::unexpected(e.to_string()))?;
    // Where it is the usual one of its vendor the text does not say it.
    let plan = table.entry("plan").or_insert_with(|| toml::Value::Table(Table::new()));
    if let Some(plan) = plan.as_table_mut() {
        plan.insert(REGION.into(), asked.into());
    }
    Ok(())
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
    pub(crate) fn text(&self, session: &Session, number: u64, wished: &Wished) -> Result<String> {
        wished.laid_over(session, self.table(number)?)
    }

    /// The same as a demand.
    pub(crate) fn demand(&self, session: &Session, number: u64, wished: &Wished) -> Result<Arc<Demand>> {
        let key = (number, serde_json::to_string(wished).unwrap_or_default());
        self.kept(number)?;
        if let Some((_, demand)) = self.held().demands.iter().find(|(known, _)| *known == key) {
            return Ok(demand.clone());
        }
        let demand = Arc::new(session.requirements("requirements.toml", &self.text(session, number, wished)?)?);
        let mut held = self.held();
        held.demands.push_back((key, demand.clone()));
        while held.demands.len() > DEMANDS {
            held.demands.pop_front();
        }
        Ok(demand)
    }
}
