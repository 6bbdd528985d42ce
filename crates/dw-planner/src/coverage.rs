//! What of a region's offers can be planned, simulated and priced, and what each of the others lacks.
//!
//! It asks what plans ask (`Shop`): a size without a gap is one that a plan by its name takes, and a kind of disk that is usable here
//! is one that a plan can choose here. What a plan takes only when it is asked (Arm, burstable and confidential sizes, sizes that retire soon) is no gap.
//!
//! Ignores: zones; own prices; editions of years ago.

use std::collections::BTreeSet;

use dw_catalogue::vm::{NO_REMOTE_LIMIT, REMOTE_LIMIT};
use dw_catalogue::{Catalogue, DiskOffer, Kind, Meter, VmSize, flags};
use dw_demand::wishes::Wishes;

use crate::market::{NotSold, Reason, Shop};
use crate::problem::Purchase;

/// A region.
#[derive(Clone, Debug)]
pub struct Coverage {
    pub region: String,
    /// Whether records say what is sold here; without them [`Coverage::sizes`] are those that have a price here.
    pub has_records: bool,
    /// The VM sizes that are sold here.
    pub sizes: Vec<SizeCoverage>,
    /// The kinds of disk, a row each.
    pub disks: Vec<DiskCoverage>,
}

/// A VM size in a region.
#[derive(Clone, Debug)]
pub struct SizeCoverage {
    pub name: String,
    /// What keeps it from being planned.
    pub gaps: Vec<Gap>,
    /// Why a plan takes it only when it is asked to.
    pub on_request: Option<NotSold>,
    /// Limits that no source gives (`uncached`, `cached`): a simulation goes without them and says so.
    pub unknown_limits: Vec<&'static str>,
    /// The date of its price here.
    pub priced: Option<String>,
    /// The date of its price with Windows.
    pub windows: Option<String>,
    /// What sources say of deploying it.
    pub deployment: Deployment,
}

/// What sources say of deploying a size; what they do not say is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deployment {
    /// The family that its quota is of.
    pub quota: bool,
    /// The generations of image that start on it.
    pub generations: bool,
    /// Its disk controllers.
    pub controllers: bool,
    /// Whether it has a local disk.
    pub local_disk: bool,
    /// When it retires.
    pub retires: bool,
    /// That it is in preview, closed to new subscriptions or limited.
    pub stage: bool,
}

impl SizeCoverage {
    /// Whether a plan by its name finds it.
    pub fn is_plannable(&self) -> bool {
        self.gaps.is_empty()
    }
    /// Whether a simulation knows what its VM lets through to remote disks.
    pub fn is_simulatable(&self) -> bool {
        !self.unknown_limits.contains(&REMOTE_LIMIT)
    }
}

/// What a VM size lacks to be planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// No source gives its limits.
    Limits,
    /// It has no price in the region.
    Price,
    /// No disk that it takes has a price in the region.
    Disks,
}

impl Gap {
    pub const ALL: [Gap; 3] = [Gap::Limits, Gap::Price, Gap::Disks];
    /// The word in documents.
    pub const fn id(self) -> &'static str {
        match self {
            Gap::Limits => "limits",
            Gap::Price => "price",
            Gap::Disks => "disks",
        }
    }
    /// The reason as people read it.
    pub const fn reason(self) -> &'static str {
        match self {
            Gap::Limits => NO_REMOTE_LIMIT,
            Gap::Price => "no source gives its price in this region",
            Gap::Disks => "no disk that it takes has a price in this region",
        }
    }
}

/// A kind of disk in a region.
#[derive(Clone, Debug)]
pub struct DiskCoverage {
    pub kind: &'static Kind,
    /// Kept in three zones.
    pub zone_redundant: bool,
    /// The disks that can be priced here.
    pub priced: Vec<String>,
    /// The disks that cannot, with what of them has no price.
    pub unpriced: Vec<(String, Meter)>,
    /// Those that can also be bought with on-demand bursting.
    pub bursting: Vec<String>,
    /// The dates of their prices.
    pub dates: BTreeSet<String>,
    /// Whether a plan can choose one: some size that can be planned here takes it.
    pub usable: bool,
}

/// What of the offers of a region can be planned, simulated and priced.
pub fn coverage(catalogue: &Catalogue, region: &str) -> Coverage {
    let plain = dw_demand::Offers::vendor(catalogue).wishes_in(region);
    let mut anything = Wishes { horizon_years: 0, ..plain.clone() };
    flags().iter().for_each(|flag| flag.allow(&mut anything));
    let windows = Wishes { windows: true, ..anything.clone() };
    let redundant = Wishes { zone_redundant: true, ..anything.clone() };
    let shops = Shops {
        catalogue,
        plain: Shop::new(catalogue, &plain, None),
        anything: Shop::new(catalogue, &anything, None),
        windows: Shop::new(catalogue, &windows, None),
        redundant: Shop::new(catalogue, &redundant, None),
    };
    let rows = catalogue.disks_as_of(None);
    let kinds = catalogue.vendor().kinds().iter().map(|kind| (kind, false));
    let kinds =
        kinds.chain(catalogue.vendor().kinds().iter().filter(|kind| kind.zone_redundant).map(|kind| (kind, true)));
    let mut disks: Vec<DiskCoverage> = kinds
        .map(|(kind, zone_redundant)| {
            shops.kind(kind, zone_redundant, rows.iter().copied().filter(|row| row.kind() == kind))
        })
        .collect();
    let has_records = catalogue.has_records(region);
    let mut sizes = Vec::new();
    for row in catalogue.vm_sizes_as_of(None) {
        let Some(size) = shops.size(row, has_records, &disks) else { continue };
        if size.is_plannable() {
            for kind in disks.iter_mut().filter(|kind| !kind.priced.is_empty() && takes(row, kind.kind)) {
                kind.usable = true;
            }
        }
        sizes.push(size);
    }
    Coverage { region: region.to_string(), has_records, sizes, disks }
}

/// Whether a VM of this size can have such disks at all.
fn takes(vm: &VmSize, kind: &Kind) -> bool {
    vm.max_data_disks > 0 && vm.has().cover(kind.needs)
}

/// The same region, asked differently.
struct Shops<'a> {
    catalogue: &'a Catalogue,
    /// As a plan without lists asks.
    plain: Shop<'a>,
    /// Arm and sizes that retire, too.
    anything: Shop<'a>,
    windows: Shop<'a>,
    redundant: Shop<'a>,
}

impl Shops<'_> {
    /// Nothing for a size that is not sold here, as far as is known.
    fn size(&self, row: &VmSize, has_records: bool, disks: &[DiskCoverage]) -> Option<SizeCoverage> {
        if self.anything.not_sold(&row.name).is_some() {
            return None;
        }
        let date = |shop: &Shop| shop.price_of_vm(&row.name).ok().map(|(_, origin)| origin.edition);
        let (limits, priced) = match self.anything.vm(row) {
            Ok((_, origin)) => (None, Some(origin.edition)),
            Err(Reason::Limits | Reason::Unknown(_)) => (Some(Gap::Limits), date(&self.anything)),
            Err(Reason::Price(_) | Reason::Barred | Reason::Redundancy) => (None, None),
        };
        if !has_records && priced.is_none() {
            return None;
        }
        let mut gaps: Vec<Gap> = limits.into_iter().collect();
        if priced.is_none() {
            gaps.push(Gap::Price);
        }
        if !disks.iter().any(|kind| !kind.priced.is_empty() && takes(row, kind.kind)) {
            gaps.push(Gap::Disks);
        }
        Some(SizeCoverage {
            name: row.name.clone(),
            gaps,
            on_request: self.plain.not_sold(&row.name),
            unknown_limits: row.unknown_limits(),
            priced,
            windows: date(&self.windows),
            deployment: self.deployment(row),
        })
    }

    fn deployment(&self, row: &VmSize) -> Deployment {
        let catalogue = self.catalogue;
        Deployment {
            quota: catalogue.quota_family(&row.name).is_some(),
            generations: catalogue.image_generations(row).is_some(),
            controllers: row.controllers.is_some(),
            local_disk: row.is_described(),
            retires: catalogue.retires(&row.name).is_some(),
            stage: catalogue.stages(&row.name).next().is_some(),
        }
    }

    fn kind<'a>(
        &self,
        kind: &'static Kind,
        zone_redundant: bool,
        rows: impl Iterator<Item = &'a DiskOffer>,
    ) -> DiskCoverage {
        let shop = if zone_redundant { &self.redundant } else { &self.anything };
        let mut covered = DiskCoverage {
            kind,
            zone_redundant,
            priced: Vec::new(),
            unpriced: Vec::new(),
            bursting: Vec::new(),
            dates: BTreeSet::new(),
            usable: false,
        };
        for row in rows {
            match shop.offer(row, Purchase::default()) {
                Ok(offer) => {
                    covered.priced.push(row.sku.clone());
                    covered.dates.extend(offer.origins.into_iter().map(|origin| origin.edition));
                }
                Err(Reason::Price(error)) => covered.unpriced.push((row.sku.clone(), error.meter)),
                // A disk without limits is in no plan, and nobody looks for its price.
                Err(Reason::Limits | Reason::Unknown(_) | Reason::Barred | Reason::Redundancy) => continue,
            }
            let mut by_use =
                row.ways().filter(|way| way.by_use).map(|way| Purchase { way: Some(way), ..Purchase::default() });
            if by_use.any(|purchase| shop.offer(row, purchase).is_ok()) {
                covered.bursting.push(row.sku.clone());
            }
        }
        covered
    }
}
