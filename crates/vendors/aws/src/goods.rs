//! What is sold, as the catalogue asks for it.

use std::sync::Arc;

use dw_demand::wishes::Wishes;
use dw_demand::{CommitTo, Commitment, TRUE, VendorKeys};
use dw_estate::{Orders, Records};
use dw_stack::sharing::Sharing;
use dw_units::{Bytes, CacheMode};
use dw_vendor::Vendor;
use dw_vendor::edition;
use dw_vendor::facts::Facts;
use dw_vendor::fetched::{Fetched, Own};
use dw_vendor::gate::{GATES_MOST, Gate, ROUTES_MOST, Route};
use dw_vendor::goods::{DiskRow, Goods, LocalRow, MachineRow, Passes, Setting, Sort};
use dw_vendor::kind::{Kind, Promise};
use dw_vendor::latency::LatencySetting;
use dw_vendor::moves::MoveRow;
use dw_vendor::price::{CURRENCY, Meter, Price, Term};
use dw_vendor::provision::Scripts;
use dw_vendor::rate::Rates;
use dw_vendor::rig::{Description, Rigs};
use dw_vendor::source::Source;

use crate::ec2::Ec2;
use crate::gates::{CARD, Refill};
use crate::import::TypeRecord;
use crate::instances::{self, Arch, Hypervisor, InstanceType, VOLUMES_UNKNOWN, instance};
use crate::numbers::billionths;
use crate::prices::{self, Figure};
use crate::rigs::{Aws, INSTANCE_STORE};
use crate::store::LATENCY_MODEL;
use crate::{changes, describe, kinds, passes, plan_keys, planned, zones};

const MERGES_UNCOUNTED: &str = "EBS merges sequential requests below 256 KiB before it counts them: the plan counts every request, which is cautious";

impl Vendor for Aws {
    fn id(&self) -> &'static str {
        "aws"
    }
    fn name(&self) -> &'static str {
        "AWS"
    }
    fn gates(&self) -> Arc<[Gate]> {
        passes::gates()
    }
    fn routes(&self) -> Arc<[Route]> {
        passes::routes()
    }
    fn kinds(&self) -> &'static [Kind] {
        planned::kinds()
    }
    fn metrics(&self) -> &'static [(&'static str, &'static str, &'static str)] {
        &[]
    }
    fn place(&self, region: &str, zone: &str) -> String {
        // `us-east-1a` is a name; of an id it is the end, whatever its beginning.
        if zones::is_letter(zone) { format!("{region}{zone}") } else { format!("{region} az{zone}") }
    }
    fn monitors(&self) -> &'static [&'static str] {
        &["CloudWatch"]
    }
    fn tags_limit(&self) -> &'static str {
        "kinds of volumes"
    }
    fn no_os(&self) -> &'static str {
        "st1 and sc1 volumes cannot"
    }
    fn promised_together(&self) -> &'static [Promise] {
        &planned::PROMISED_TOGETHER
    }
    fn records(&self) -> &'static dyn Records {
        &crate::Inventory
    }
    fn orders(&self) -> &'static dyn Orders {
        &crate::orders::Commands
    }
    fn takes_all_kinds(&self, wishes: &Wishes) -> bool {
        wishes.chosen.contains_key(planned::HDD)
    }
    fn take_all_kinds(&self, wishes: &mut Wishes) {
        wishes.chosen.insert(planned::HDD, TRUE);
    }
    fn read_as(&self, _: Sharing, _: &mut [Rates; GATES_MOST], _: &mut [Option<Route>; ROUTES_MOST]) {}
}

/// Whether a region is of the partition whose prices are in CNY.
fn is_in_china(region: &str) -> bool {
    region.trim().to_ascii_lowercase().starts_with("cn-")
}

impl Goods for Ec2 {
    fn fetched(&self) -> &'static dyn Fetched {
        &crate::fetched::Files
    }

    fn with_own(&self, own: Own) -> Result<Arc<dyn Goods>, String> {
        let mut sold = self.clone();
        for machine in &own.machines {
            let record = TypeRecord::from_figures(&machine.name, &machine.figures)?;
            sold.types.add(record.over(instance(&machine.name), &machine.edition, &machine.source));
        }
        for price in &own.prices {
            let what = || format!("`{}` of {} in {}", price.name, price.meter.id(), price.region);
            let (name, of) = column(&price.name, price.meter, price.commitment)
                .ok_or_else(|| format!("nothing here is billed by {}", what()))?;
            let billionths = billionths(&price.amount).filter(|amount| *amount > 0);
            let billionths = billionths.ok_or_else(|| format!("the price of {} is `{}`", what(), price.amount))?;
            let figure = Figure { billionths, source: &price.source, date: &price.edition };
            sold.prices.add((&price.region, name, of), figure);
        }
        Ok(Arc::new(sold))
    }

    fn rigs(&self) -> &dyn Rigs {
        self
    }

    fn scripts(&self) -> &dyn Scripts {
        self
    }

    fn facts(&self) -> &dyn Facts {
        self
    }

    fn describe(&self, name: &str, asked: Option<&str>) -> Option<Description> {
        let editions = self.types.editions(name);
        let last = editions.into_iter().rfind(|own| edition::not_later(own, asked));
        let row = last.map_or_else(|| self.types.get(name), |own| self.types.of_edition(name, own));
        let of_type = row.map(|row| describe::instance(row, &self.types.editions(name), &self.prices));
        of_type.or_else(|| Some(describe::kind(kinds::kind(name, asked)?, &self.prices)))
    }

    fn keys(&self) -> &'static VendorKeys {
        &plan_keys::PLAN_KEYS
    }

    fn machines(&self) -> Vec<MachineRow<'_>> {
        fn row(row: &InstanceType) -> MachineRow<'_> {
            MachineRow {
                name: &row.name,
                series: row.family(),
                edition: &row.edition,
                source: &row.source,
                vcpu: row.vcpu,
                memory: row.memory,
                // The volume that it starts from has one of them.
                slots: if row.volumes_most == VOLUMES_UNKNOWN { 0 } else { row.volumes_with(1).saturating_sub(1) },
                limits: row.ebs.map(|ebs| (ebs.base.iops.get(), ebs.base.throughput.get())),
            }
        }
        self.types.rows().filter(|row| row.arch != Arch::Mac).map(row).collect()
    }

    fn disks(&self) -> Vec<DiskRow> {
        planned::rows()
    }

    fn passes(&self, machine: &str, edition: &str) -> Option<Passes> {
        self.types.of_edition(machine, edition)?.passes()
    }

    fn setting(&self, machine: &str, edition: &str) -> Option<Setting> {
        self.types.of_edition(machine, edition)?.setting()
    }

    fn why_unplanned(&self, machine: &str, edition: &str) -> Option<String> {
        self.types.of_edition(machine, edition)?.why_unplanned().next()
    }

    fn local(&self, machine: &str, edition: &str, setting: LatencySetting) -> Option<LocalRow> {
        let local = self.types.of_edition(machine, edition)?.local_disks(setting).ok()?;
        let size = local.disks.iter().map(|disk| disk.size.get()).sum();
        Some(LocalRow {
            name: INSTANCE_STORE,
            count: local.disks.len() as u32,
            size: Bytes::new(size),
            latency_model: LATENCY_MODEL,
        })
    }

    fn attach_options(&self, gates: &[String]) -> Vec<(&'static str, &'static str)> {
        let is_second = gates.iter().any(|gate| gate == passes::SECOND_CARD);
        if is_second { vec![(CARD, "1")] } else { Vec::new() }
    }

    fn rests_on(&self, machine: &str, edition: &str, bursting: bool, zone: Option<&str>) -> Vec<String> {
        let mut lines = vec![MERGES_UNCOUNTED.to_string()];
        lines.extend(zone.filter(|zone| zones::is_letter(zone)).map(|letter| zones::not_told(letter, machine)));
        let Some(row) = self.types.of_edition(machine, edition) else { return lines };
        if let Some(ebs) = row.ebs.filter(|ebs| ebs.bursts()) {
            lines.push(match bursting {
                true => Refill::Cautious.said().to_string(),
                false => format!(
                    "{machine}: {} and {} for good; up to {} and {} for 30 minutes are not counted",
                    ebs.base.iops, ebs.base.throughput, ebs.maximum.iops, ebs.maximum.throughput
                ),
            });
        }
        if row.cards > 1 {
            lines.push(format!("{machine} has {} EBS cards, each with an equal part of its limits", row.cards));
        }
        lines
    }

    fn unpriced_region(&self, region: &str) -> Option<String> {
        is_in_china(region).then(|| {
            "the regions of China are billed in CNY, and only prices in USD are read: plan in the region that is nearest, for example \
             `ap-northeast-1`, for what is needed there"
                .into()
        })
    }

    fn moves(&self) -> Vec<MoveRow> {
        changes::moves().to_vec()
    }

    fn zones_of(&self, machine: &str, region: &str) -> Option<Vec<String>> {
        instances::regions().binary_search(&region).ok()?;
        let here = self.types.get(machine)?.places()?.iter().find(|(own, _)| *own == region);
        Some(here.map_or_else(Vec::new, |(_, zones)| zones.chars().map(String::from).collect()))
    }

    fn refuses_zone(&self, zone: &str, region: &str) -> Option<[String; 2]> {
        zones::refuses(zone, region)
    }

    fn records_zone(&self, zone: &str) -> bool {
        !zones::is_letter(zone)
    }

    fn is(&self, machine: &str, sort: Sort) -> bool {
        self.types.get(machine).is_some_and(|row| match sort {
            Sort::Arm => row.arch == Arch::Arm,
            Sort::Burstable => row.is_burstable || row.is_flex(),
            Sort::Confidential => false,
            Sort::Previous => !row.is_current,
            Sort::Metal => row.hypervisor == Hypervisor::Metal,
        })
    }

    fn price(
        &self,
        name: &str,
        meter: Meter,
        region: &str,
        to: Option<Commitment>,
        edition: Option<&str>,
    ) -> Option<Price> {
        let (own, of) = column(name, meter, to)?;
        let figure = self.prices.figure(region, own, of, edition)?;
        price(name, meter, region, to, figure)
    }

    fn prices_of(&self, name: &str) -> Vec<Price> {
        const METERS: [Meter; 5] = [Meter::Whole, Meter::Windows, Meter::GiB, Meter::Iops, Meter::MbPerSecond];
        let regions = self.prices.regions();
        let in_region = |region: &&str| {
            let of_meter = |meter: Meter| {
                let all = column(name, meter, None).map(|(own, of)| self.prices.all(region, own, of));
                let all = all.into_iter().flatten();
                all.filter_map(move |figure| price(name, meter, region, None, figure)).collect::<Vec<_>>()
            };
            METERS.into_iter().flat_map(of_meter).collect::<Vec<_>>()
        };
        let mut all: Vec<Price> = regions.iter().flat_map(in_region).collect();
        all.sort_by_key(|price| edition::sort_key(&price.edition));
        all
    }

    fn regions(&self) -> Vec<&str> {
        let volumes = self.prices.volume_regions();
        self.prices.regions().into_iter().filter(|region| volumes.contains(region)).collect()
    }

    fn sources(&self) -> Vec<Source> {
        crate::sources::sources()
    }

    fn refuses_cache(&self, mode: CacheMode) -> Option<[&'static str; 2]> {
        let what = "EBS has no host cache";
        (mode != CacheMode::None).then_some([what, "write `None`, or omit `host_cache`"])
    }
}

fn price(name: &str, meter: Meter, region: &str, to: Option<Commitment>, figure: Figure) -> Option<Price> {
    Some(Price {
        name: name.into(),
        meter,
        amount: figure.dated()?.amount,
        term: if matches!(meter, Meter::Whole | Meter::Windows) { Term::Hour } else { Term::Month },
        commitment: to,
        currency: CURRENCY.into(),
        region: region.into(),
        edition: figure.date.get(..7).unwrap_or(figure.date).into(),
        source: figure.source.into(),
        note: None,
    })
}

/// Where a price of a thing stands: the name of its type or kind, and what of it. io2 has its further IOPS as things of their own.
fn column(name: &str, meter: Meter, to: Option<Commitment>) -> Option<(&str, &'static str)> {
    let band = planned::IO2_BANDS.iter().position(|(_, own)| *own == name);
    Some(match (meter, band, to) {
        (Meter::Whole, None, None) => (instance(name).map_or(name, |row| &*row.name), prices::HOUR),
        (Meter::Whole, None, Some(Commitment { to: CommitTo::Machine, years })) => {
            (instance(name).map_or(name, |row| &*row.name), prices::reserved_for(years)?)
        }
        (Meter::Windows, None, None) => (instance(name).map_or(name, |row| &*row.name), prices::HOUR_OF_WINDOWS),
        (_, _, Some(_)) => return None,
        (Meter::Iops, Some(band), None) => (IO2, prices::IOPS_BANDS[band + 1]),
        (meter, None, None) => {
            let name = kinds::kind(name, None)?.id;
            match meter {
                Meter::GiB => (name, prices::GIB),
                Meter::Iops if name == IO2 => (name, prices::IOPS_BANDS[0]),
                Meter::Iops => (name, prices::IOPS),
                Meter::MbPerSecond => (name, prices::MIB_S),
                _ => return None,
            }
        }
        _ => return None,
    })
}

/// The kind whose IOPS have prices by bands.
const IO2: &str = "io2";
