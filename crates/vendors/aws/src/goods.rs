//! What is sold, as the catalogue asks for it.

use dw_demand::wishes::Wishes;
use dw_demand::{CommitTo, Commitment, TRUE, VendorKeys};
use dw_estate::{Orders, Records};
use dw_stack::sharing::Sharing;
use dw_units::{Bytes, CacheMode, Money};
use dw_vendor::Vendor;
use dw_vendor::gate::{GATES_MOST, Gate, ROUTES_MOST, Route};
use dw_vendor::goods::{DiskRow, Goods, LocalRow, MachineRow, Passes, Sort};
use dw_vendor::kind::{Kind, Promise};
use dw_vendor::latency::LatencySetting;
use dw_vendor::moves::MoveRow;
use dw_vendor::price::{CURRENCY, Meter, Price, Term};
use dw_vendor::rate::Rates;
use dw_vendor::source::Source;

use crate::gates::Refill;
use crate::instances::{self, Arch, EDITION, Hypervisor, InstanceType, instance};
use crate::prices::{self, Dated};
use crate::rigs::{Aws, CARD, INSTANCE_STORE};
use crate::sources::VOLUME_PRICES;
use crate::store::LATENCY_MODEL;
use crate::{changes, passes, plan_keys, planned};

const MERGES_UNCOUNTED: &str = "EBS merges sequential requests below 256 KiB before it counts them: the plan counts every request, which is cautious";

impl Vendor for Aws {
    fn id(&self) -> &'static str {
        "aws"
    }
    fn name(&self) -> &'static str {
        "AWS"
    }
    fn gates(&self) -> std::sync::Arc<[Gate]> {
        passes::gates()
    }
    fn routes(&self) -> std::sync::Arc<[Route]> {
        passes::routes()
    }
    fn kinds(&self) -> &'static [Kind] {
        planned::kinds()
    }
    fn metrics(&self) -> &'static [(&'static str, &'static str, &'static str)] {
        &[]
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

impl Goods for Aws {
    fn keys(&self) -> &'static VendorKeys {
        &plan_keys::PLAN_KEYS
    }

    fn machines(&self) -> Vec<MachineRow> {
        let row = |row: &InstanceType| MachineRow {
            name: row.name,
            series: row.family(),
            edition: EDITION,
            source: row.source(),
            vcpu: row.vcpu,
            memory: row.memory,
            // The volume that it starts from has one of them.
            slots: row.volumes_with(1).saturating_sub(1),
            limits: row.ebs.map(|ebs| (ebs.base.iops.get(), ebs.base.throughput.get())),
        };
        instances::all().iter().filter(|row| row.arch != Arch::Mac).map(row).collect()
    }

    fn disks(&self) -> Vec<DiskRow> {
        planned::rows()
    }

    fn passes(&self, machine: &str) -> Option<Passes> {
        instance(machine)?.passes()
    }

    fn local(&self, machine: &str, setting: LatencySetting) -> Option<LocalRow> {
        let local = instance(machine)?.local_disks(setting).ok()?;
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

    fn rests_on(&self, machine: &str, bursting: bool) -> Vec<String> {
        let mut lines = vec![MERGES_UNCOUNTED.to_string()];
        let Some(row) = instance(machine) else { return lines };
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

    fn moves(&self) -> Vec<MoveRow> {
        changes::moves().to_vec()
    }

    fn zones_of(&self, machine: &str, region: &str) -> Option<Vec<String>> {
        instances::regions().binary_search(&region).ok()?;
        let here = instance(machine)?.places().iter().find(|(own, _)| *own == region);
        Some(here.map_or_else(Vec::new, |(_, zones)| zones.chars().map(String::from).collect()))
    }

    fn is(&self, machine: &str, sort: Sort) -> bool {
        instance(machine).is_some_and(|row| match sort {
            Sort::Arm => row.arch == Arch::Arm,
            Sort::Burstable => row.is_burstable || row.is_flex(),
            Sort::Confidential => false,
            Sort::Previous => !row.is_current,
            Sort::Metal => row.hypervisor == Hypervisor::Metal,
        })
    }

    fn price(&self, name: &str, meter: Meter, region: &str, to: Option<Commitment>) -> Option<Price> {
        let (dated, term, region) = match (instance(name).filter(|_| meter == Meter::Whole), to) {
            (Some(row), None) => (prices::hour(region, row.name)?, Term::Hour, region),
            (Some(row), Some(Commitment { to: CommitTo::Machine, years })) => {
                (prices::hour_reserved(region, row.name, years)?, Term::Hour, region)
            }
            (_, Some(_)) => return None,
            (None, None) => (meter_price(name, meter, region)?, Term::Month, region),
        };
        Some(Price {
            name: name.into(),
            meter,
            amount: dated.amount,
            term,
            commitment: to,
            currency: CURRENCY.into(),
            region: region.into(),
            edition: dated.date.get(..7).unwrap_or(dated.date).into(),
            source: dated.source.into(),
            note: None,
        })
    }

    fn prices_of(&self, name: &str) -> Vec<Price> {
        const OF_VOLUMES: [Meter; 3] = [Meter::GiB, Meter::Iops, Meter::MbPerSecond];
        let meters: &[Meter] = if instance(name).is_some() { &[Meter::Whole] } else { &OF_VOLUMES };
        let in_region = |region: &'static str| meters.iter().filter_map(move |m| self.price(name, *m, region, None));
        prices::regions().into_iter().flat_map(in_region).collect()
    }

    fn regions(&self) -> Vec<&'static str> {
        let volumes = prices::volume_regions();
        prices::regions().into_iter().filter(|region| volumes.contains(region)).collect()
    }

    fn sources(&self) -> Vec<Source> {
        crate::sources::sources()
    }

    fn refuses_cache(&self, mode: CacheMode) -> Option<[&'static str; 2]> {
        let what = "EBS has no host cache";
        (mode != CacheMode::None).then_some([what, "write `None`, or omit `host_cache`"])
    }
}

/// A month of a meter of a kind; io2 has its further IOPS as things of their own.
fn meter_price(name: &str, meter: Meter, region: &str) -> Option<Dated> {
    let band = planned::IO2_BANDS.iter().position(|(_, own)| *own == name);
    let (kind, column) = match (name, meter, band) {
        (_, Meter::Iops, Some(band)) => ("io2", ["iops_2", "iops_3"][band]),
        ("io2", Meter::Iops, None) => ("io2", "iops_1"),
        (_, Meter::GiB, None) => (name, "gib"),
        (_, Meter::Iops, None) => (name, "iops"),
        (_, Meter::MbPerSecond, None) => (name, "mib_s"),
        _ => return None,
    };
    let (_, text) = prices::of_kind(region, &kind.to_lowercase()).iter().find(|(own, _)| *own == column)?;
    let amount: Money = prices::money(text)?;
    Some(Dated { amount, source: VOLUME_PRICES, date: prices::VOLUME_DATE })
}
