//! A recording with wishes, on a rig with changes: what estimates and simulations are of.

use diskwright::dw_formats::scenario::Scenario;
use diskwright::{Demand, Error, Result};
use serde::Deserialize;

use super::{App, design};
use crate::store::Wished;

/// What the sliders say.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    recording: u64,
    #[serde(default)]
    wishes: Wished,
    /// `rig.toml`.
    rig: String,
    #[serde(default)]
    changes: design::Changes,
    /// The recorded load is multiplied by this.
    load: f64,
    /// Years ahead, and by how many percent a year the load grows meanwhile.
    #[serde(default)]
    years: u32,
    #[serde(default)]
    growth: f64,
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
    /// What is asked in that year.
    pub(super) demand: Demand,
    /// The same with the growth as a wish, as a plan has it.
    pub(super) wished: Demand,
    pub(super) region: String,
}

/// More than a thousand times the load is a slip of the hand.
const LOAD_MAX: f64 = 1_000.0;
/// So are more years, and more growth, than a slider has.
const YEARS_MAX: u32 = 50;
const GROWTH_MAX: f64 = 1_000.0;

/// Whether a slider can say so.
pub(super) fn in_range(load: f64, years: u32, growth: f64) -> Result<()> {
    if !(load > 0.0 && load <= LOAD_MAX) {
        return Err(
            Error::usage(format!("the load factor is {load}")).hint(format!("anything above 0, up to {LOAD_MAX}"))
        );
    }
    if years > YEARS_MAX || !(0.0..=GROWTH_MAX).contains(&growth) {
        return Err(Error::usage(format!("{years} years ahead with a growth of {growth} %"))
            .hint(format!("at most {YEARS_MAX} years, and 0 to {GROWTH_MAX} %")));
    }
    Ok(())
}

impl Asked {
    pub(super) fn read(&self, app: &App) -> Result<Read> {
        in_range(self.load, self.years, self.growth)?;
        let mut wished = Demand::clone(&*app.store.demand(&app.session, self.recording, &self.wishes)?);
        wished.requirements.growth *= self.load;
        (wished.wishes.years, wished.wishes.growth_percent_per_year) = (self.years, self.growth);
        let mut demand = wished.clone();
        demand.requirements.growth *= (1.0 + self.growth / 100.0).powi(self.years as i32);
        let rig = design::changed(&app.session, &self.rig, &self.changes)?;
        let scenario = app.session.scenario("rig.toml", &rig)?;
        Ok(Read { rig, scenario, demand, wished, region: self.region.clone() })
    }
}
