//! Pooled and file services that carry what disks carry, by the limits that their pages print.
//!
//! A service is bought by steps of capacity, each of which brings rates with it; of some, capacity beyond what the rates need costs less.
//! What is needed is the least that has the capacity and the rates of all volumes; a volume must also be within what one may have.
//!
//! Source: the pages that `services.toml` of a vendor names. What a page does not print, latency among it, is not known.
//!
//! Ignores: the network of the VM, which carries all of it; what is billed beside capacity; redundancy over zones.

use dw_units::Money;
use serde::{Deserialize, Serialize};

use crate::lookup::is_same_region;
use crate::source::SourceRow;

/// The file of services.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ServicesFile {
    #[serde(default)]
    pub source: Vec<SourceRow>,
    #[serde(default)]
    pub service: Vec<Service>,
}

/// Whether volumes share one, or have one each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Of {
    Pool,
    Share,
}

/// A service, or one level of it.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Service {
    pub name: String,
    pub level: Option<String>,
    pub of: Of,
    /// How a VM gets at it.
    pub access: String,
    /// It is bought by so many GiB.
    pub step_gib: u64,
    pub min_gib: u64,
    pub max_gib: Option<u64>,
    #[serde(default)]
    pub iops_base: u64,
    pub iops_per_step: Option<u64>,
    pub iops_max: Option<u64>,
    #[serde(default)]
    pub bytes_base: u64,
    pub bytes_per_step: Option<u64>,
    pub bytes_max: Option<u64>,
    pub volume_gib_max: Option<u64>,
    pub volume_iops_per_gib: Option<u64>,
    pub volume_iops_max: Option<u64>,
    pub volume_bytes_per_gib: Option<u64>,
    pub volume_bytes_max: Option<u64>,
    /// So much more capacity may be bought without rates.
    pub further_max_gib: Option<u64>,
    /// Where the page says that it is, apart by blanks; absent where it does not say.
    pub regions: Option<String>,
    /// The source id.
    pub source: String,
    #[serde(default)]
    pub price: Vec<ServicePrice>,
}

/// What a GiB costs a month.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ServicePrice {
    pub region: String,
    pub currency: String,
    pub gib: String,
    /// The same of capacity without rates.
    pub further_gib: Option<String>,
    /// The source id.
    pub source: String,
}

/// What a volume needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    pub gib: u64,
    pub iops: u64,
    pub bytes_per_second: u64,
}

impl Need {
    const NOTHING: Need = Need { gib: 0, iops: 0, bytes_per_second: 0 };

    fn and(self, other: &Need) -> Need {
        Need {
            gib: self.gib + other.gib,
            iops: self.iops + other.iops,
            bytes_per_second: self.bytes_per_second + other.bytes_per_second,
        }
    }
}

/// What is bought of a service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bought {
    /// GiB with rates, of each pool or share.
    pub gib: Vec<u64>,
    /// GiB of capacity alone.
    pub further_gib: u64,
}

impl Service {
    /// Its name with its level.
    pub fn label(&self) -> String {
        match &self.level {
            Some(level) => format!("{}, level {level}", self.name),
            None => self.name.clone(),
        }
    }

    /// Whether a page says that it is in a region; where none lists any it may be.
    pub fn is_in(&self, region: &str) -> bool {
        self.regions.as_ref().is_none_or(|regions| regions.split(' ').any(|one| is_same_region(one, region)))
    }

    /// The least that carries these volumes; nothing where a printed limit does not let it. What volumes that have no rates to offer cost is
    /// their capacity.
    pub fn carries(&self, volumes: &[Need]) -> Option<Bought> {
        if volumes.is_empty() || !volumes.iter().all(|need| self.holds(need)) {
            return None;
        }
        if self.of == Of::Share {
            let gib: Option<Vec<u64>> = volumes.iter().map(|need| Some(self.sized(need, need.gib)?.0)).collect();
            return Some(Bought { gib: gib?, further_gib: 0 });
        }
        let all = volumes.iter().fold(Need::NOTHING, Need::and);
        let (gib, further_gib) = self.sized(&all, all.gib)?;
        Some(Bought { gib: vec![gib], further_gib })
    }

    /// Whether its size follows from capacity alone.
    pub fn is_sized_by_capacity(&self, volumes: &[Need]) -> bool {
        let idle: Vec<Need> = volumes.iter().map(|need| Need { gib: need.gib, ..Need::NOTHING }).collect();
        self.carries(volumes) == self.carries(&idle)
    }

    /// Whether one volume is within what one may have.
    fn holds(&self, need: &Need) -> bool {
        let most = |per_gib: Option<u64>, most: Option<u64>| {
            let by_size = per_gib.map(|per_gib| per_gib * need.gib.max(1));
            by_size.into_iter().chain(most).min().unwrap_or(u64::MAX)
        };
        need.gib <= self.volume_gib_max.unwrap_or(u64::MAX)
            && need.iops <= most(self.volume_iops_per_gib, self.volume_iops_max)
            && need.bytes_per_second <= most(self.volume_bytes_per_gib, self.volume_bytes_max)
    }

    /// GiB with rates, and capacity alone.
    fn sized(&self, need: &Need, gib: u64) -> Option<(u64, u64)> {
        let steps = |needed: u64, base: u64, per_step: Option<u64>| match per_step {
            Some(per_step) => needed.saturating_sub(base).div_ceil(per_step),
            None => 0,
        };
        let is_within = |needed: u64, most: Option<u64>| most.is_none_or(|most| needed <= most);
        if !is_within(need.iops, self.iops_max) || !is_within(need.bytes_per_second, self.bytes_max) {
            return None;
        }
        let of_rates = steps(need.iops, self.iops_base, self.iops_per_step).max(steps(
            need.bytes_per_second,
            self.bytes_base,
            self.bytes_per_step,
        ));
        let (of_rates, of_all) =
            (of_rates * self.step_gib, gib.max(self.min_gib).div_ceil(self.step_gib) * self.step_gib);
        let (own, further) = match self.further_max_gib {
            // At least one step has rates.
            Some(most) => {
                let own = of_rates.max(self.min_gib);
                let further = of_all.saturating_sub(own).min(most);
                (own.max(of_all - further), further)
            }
            None => (of_rates.max(of_all), 0),
        };
        is_within(own, self.max_gib).then_some((own, further))
    }

    /// What a month of it costs in a region, with the id of the source; nothing where none has a price there.
    pub fn monthly(&self, bought: &Bought, region: &str, currency: &str) -> Option<(Money, &str)> {
        let price =
            self.price.iter().find(|price| is_same_region(&price.region, region) && price.currency == currency)?;
        let of = |text: &str| Money::parse(text).ok();
        let own = of(&price.gib)? * bought.gib.iter().sum::<u64>();
        let further = match (&price.further_gib, bought.further_gib) {
            (_, 0) => Money::ZERO,
            (Some(text), gib) => of(text)? * gib,
            (None, _) => return None,
        };
        Some((own + further, &price.source))
    }

    /// The ids of its sources.
    pub fn sources(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.source).chain(self.price.iter().map(|price| &price.source))
    }
}

/// Of services of one name the one to be named: see the head of the data file.
pub fn named<'a>(services: &'a [Service], region: &str, volumes: &[Need]) -> Vec<(&'a Service, Bought)> {
    let mut all: Vec<(&Service, Bought, bool)> = Vec::new();
    for service in services.iter().filter(|service| service.is_in(region)) {
        let Some(bought) = service.carries(volumes) else { continue };
        let is_right = service.is_sized_by_capacity(volumes);
        match all.iter_mut().find(|(other, ..)| other.name == service.name) {
            Some((.., true)) => {}
            Some(other) => *other = (service, bought, is_right),
            None => all.push((service, bought, is_right)),
        }
    }
    all.into_iter().map(|(service, bought, _)| (service, bought)).collect()
}
