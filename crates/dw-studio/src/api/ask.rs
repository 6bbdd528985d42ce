//! A recording with wishes, on a rig with changes: what estimates and simulations are of.

use diskwright::dw_formats::scenario::Scenario;
use diskwright::{Demand, Error, Result};
use serde::Deserialize;

use super::{App, design};
use diskwright::keys::Keys;

/// What the sliders say.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    recording: u64,
    #[serde(default)]
    wishes: Keys,
    /// `rig.toml`.
    rig: String,
    #[serde(default)]
    changes: design::Changes,
    /// The recorded load is multiplied by this.
    load: f64,
    /// Currency and region of prices.
    region: String,
    /// Of a run: only the busiest stretch of at most so many I/Os.
    #[serde(default)]
    pub(super) ios: Option<u64>,
}

/// The same, read.
pub(super) struct Read {
    pub(super) rig: String,
    pub(super) scenario: Scenario,
    pub(super) demand: Demand,
    pub(super) region: String,
}

/// More than a thousand times the load is a slip of the hand.
const LOAD_MAX: f64 = 1_000.0;

impl Asked {
    pub(super) fn read(&self, app: &App) -> Result<Read> {
        if !(self.load > 0.0 && self.load <= LOAD_MAX) {
            return Err(Error::usage(format!("the load is multiplied by {}", self.load))
                .hint(format!("anything above 0, up to {LOAD_MAX}")));
        }
        let mut demand = Demand::clone(&*app.store.demand(&app.session, self.recording, &self.wishes)?);
        demand.requirements.growth *= self.load;
        let rig = design::changed(&self.rig, &self.changes)?;
        let scenario = app.session.scenario("rig.toml", &rig)?;
        Ok(Read { rig, scenario, demand, region: self.region.clone() })
    }
}
