//! What it takes to deploy a VM size and its disks beyond a price: the stage of life that it is in, the quota that it counts against, the
//! images that start on it, and in how many zones of a region a kind of disk is sold.
//!
//! Source: the pages that `lifecycle.toml` of the vendor names, each with its date, and the records of what is sold. What stands in none of
//! them is not known, which is not the same as no.
//!
//! Ignores: how much quota a subscription has; capacity at the moment; which of a region's zones have a kind of disk, which no page says.

use crate::catalogue::Catalogue;
use dw_azure::field::{Field, FieldValue};
use dw_azure::file::{Stage, StageRow};
use dw_azure::routes::PREMIUM;
use dw_azure::vm::{Controller, VmSize};
use dw_demand::{CommitTo, Commitment};
use dw_vendor::kind::Kind;
use dw_vendor::lookup::is_same_region;
use dw_vendor::services::Service;
use dw_vendor::sharing::SharingRow;

/// Figures of a size that no page of its own prints.
const UNKNOWN: &str = "unknown";

/// Whether a kind of disk is sold where one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placing {
    /// It is, or no page says that it is not.
    Fits,
    /// The region has it in no zone.
    OnlyWithoutZone,
    /// The region has it in zones alone.
    OnlyInZone,
}

impl Catalogue {
    /// What pages say of the stage of life of a size, a row each; of most sizes nothing.
    pub fn stages(&self, name: &str) -> impl Iterator<Item = &StageRow> {
        let series = self.series_of(name);
        self.lifecycle.stage.iter().filter(move |row| series.is_some_and(|own| row.series.iter().any(|one| one == own)))
    }
    /// What a page says of a size, if it is in this stage.
    pub fn in_stage(&self, stage: Stage, name: &str) -> Option<&StageRow> {
        self.stages(name).find(|row| row.stage == stage)
    }
    /// Since when nobody can buy a commitment to a size any more, and the date of the page that says so.
    pub fn commitment_ended(&self, name: &str, to: Commitment) -> Option<(&str, &str)> {
        let series = self.series_of(name).filter(|_| to.to == CommitTo::Machine)?;
        let mut rows = self.lifecycle.ended_reservations.iter();
        let row = rows.find(|row| row.years.contains(&to.years) && row.series.iter().any(|one| one == series))?;
        Some((&row.since, &self.source(&row.source)?.date))
    }
    /// The family whose quota a size counts against.
    pub fn quota_family(&self, name: &str) -> Option<&str> {
        self.sold.as_ref()?.quota(name)
    }
    /// The generations of image that start on a size, `1 and 2`, and by which rule where no record says it.
    pub fn image_generations(&self, vm: &VmSize) -> Option<(&'static str, &str, Option<&str>)> {
        let words = |digits: &str| match digits {
            "1" => Some("1"),
            "2" => Some("2"),
            "12" => Some("1 and 2"),
            _ => None,
        };
        let recorded =
            self.sold.as_ref().and_then(|table| Some((words(table.generations(&vm.name)?)?, table.source(), None)));
        recorded.or_else(|| {
            let rule = self.lifecycle.nvme_images.as_ref().filter(|_| !vm.takes(Controller::Scsi))?;
            Some((words(&rule.generations)?, rule.source.as_str(), Some(rule.reason.as_str())))
        })
    }
    /// Whether pages list the regions and zones of a kind of disk: others are sold wherever VMs are.
    pub fn is_in_few_places(&self, kind: &str) -> bool {
        self.lifecycle.disk_regions.iter().any(|row| row.kind == kind)
    }
    /// In how many zones of a region a kind of disk is sold, 0 = without a zone, and the date of the page; nothing where no page says that
    /// it is.
    pub fn disk_zones(&self, kind: &str, region: &str) -> Option<(u32, &str)> {
        let rows = self.lifecycle.disk_regions.iter().filter(|row| row.kind == kind);
        let mut zones = rows.flat_map(|row| row.zones.iter().map(|(zones, regions)| (*zones, regions, &row.source)));
        let (zones, _, source) =
            zones.find(|(_, regions, _)| regions.split(' ').any(|one| is_same_region(one, region)))?;
        Some((zones, &self.source(source)?.date))
    }
    /// Whether a disk of a kind is sold where it is, in a zone of a region or in none. Of what no page lists nothing is known: it fits.
    pub fn placing(&self, kind: &Kind, region: &str, in_zone: bool) -> Placing {
        let Some((zones, _)) = self.disk_zones(kind.id, region) else { return Placing::Fits };
        // Of these kinds only one is sold without a zone in some regions that have zones.
        let needs_zone = kind.needs != PREMIUM || self.premium_v2_needs_zone(region);
        match (zones, in_zone) {
            (0, true) => Placing::OnlyWithoutZone,
            (1.., false) if needs_zone => Placing::OnlyInZone,
            _ => Placing::Fits,
        }
    }
    /// The ids of the sources of all this, of what changes take, of how disks are shared and of how fast processors are.
    pub fn deployment_sources(&self) -> impl Iterator<Item = &String> {
        let file = &self.lifecycle;
        let stages = file.stage.iter().map(|row| &row.source);
        let disks = file.disk_regions.iter().map(|row| &row.source);
        let moves = self.moves.iter().map(|row| &row.source);
        stages
            .chain(file.ended_reservations.iter().map(|row| &row.source))
            .chain(file.nvme_images.iter().map(|rule| &rule.source))
            .chain(disks)
            .chain(moves)
            .chain(self.sharing.iter().flat_map(SharingRow::sources))
            .chain(self.speeds.iter().map(|table| &table.source))
            .chain(self.services().iter().flat_map(Service::sources))
    }

    /// The same of a size as named values, each with its source; what no source says is there as `unknown`.
    pub fn deployment(&self, vm: &VmSize) -> Vec<Field> {
        let records = self.sold.as_ref().map_or(vm.source.as_str(), |table| table.source());
        let field = |name: &str, value: Option<String>, source: &str, rule: Option<&str>| Field {
            name: name.into(),
            value: FieldValue::Text(value.unwrap_or_else(|| UNKNOWN.into())),
            printed: None,
            source: source.into(),
            rule: rule.map(String::from),
        };
        let mut fields: Vec<Field> = Vec::new();
        for row in self.stages(&vm.name) {
            let since = row.since.as_ref().map(|since| format!(", since {since}")).unwrap_or_default();
            fields.push(field(row.stage.field(), Some(format!("{}{since}", row.stage.said())), &row.source, None));
        }
        if let Some((date, source)) = self.retires_by(&vm.name) {
            fields.push(field("retires", Some(date.into()), source, None));
        }
        if vm.controllers.is_none() {
            fields.push(field("controllers", None, &vm.source, None));
        }
        fields.push(field("quota", self.quota_family(&vm.name).map(String::from), records, None));
        let generations = self.image_generations(vm);
        let source = generations.map_or(records, |(_, source, _)| source);
        let rule = generations.and_then(|(_, _, rule)| rule);
        fields.push(field("image_generations", generations.map(|(words, ..)| words.into()), source, rule));
        fields
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_series_of_the_lists_is_one_of_the_catalogue() {
        let catalogue = Catalogue::embedded();
        let known: Vec<&str> = catalogue.vm_sizes().filter_map(|vm| vm.series.as_deref()).collect();
        for row in &catalogue.lifecycle.stage {
            for series in &row.series {
                assert!(known.contains(&series.as_str()), "{series}");
            }
        }
    }

    #[test]
    fn reservations_that_are_not_sold_any_more() {
        let catalogue = Catalogue::embedded();
        let (one, three, plan) = (Commitment::reservation(1), Commitment::reservation(3), Commitment::savings_plan(3));
        for (size, to, ended) in [
            ("E16s_v3", three, true),
            ("E16-4s_v3", one, true),
            ("E16s_v3", plan, false),
            ("F8s_v2", one, true),
            ("F8s_v2", three, false),
            ("E16s_v4", one, false),
        ] {
            assert_eq!(catalogue.commitment_ended(size, to).is_some(), ended, "{size} {to}");
        }
        let known: Vec<&str> = catalogue.vm_sizes().filter_map(|vm| vm.series.as_deref()).collect();
        let series = catalogue.lifecycle.ended_reservations.iter().flat_map(|row| &row.series);
        let unknown: Vec<&String> = series.filter(|series| !known.contains(&series.as_str())).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }

    #[test]
    fn what_pages_say_of_a_size() {
        let catalogue = Catalogue::embedded();
        for (size, stages, quota, generations) in [
            ("D8s_v5", &[][..], Some("standardDSv5Family"), Some("1 and 2")),
            ("D8s_v3", &[Stage::Closed], Some("standardDSv3Family"), Some("1 and 2")),
            ("E16-4s_v4", &[Stage::Closed], Some("standardESv4Family"), Some("1 and 2")),
            ("F8s_v2", &[Stage::Closed, Stage::Limited], Some("standardFSv2Family"), Some("1 and 2")),
            ("D32nds_v6", &[Stage::Preview], Some("StandardDndv6Family"), Some("2")),
            // No record has it: what its disk controller needs is known.
            ("M16bs_v4", &[Stage::Preview], None, Some("2")),
            ("D4_v2", &[Stage::Closed, Stage::Limited], Some("standardDv2Family"), Some("1")),
            ("M64s", &[], Some("standardMSFamily"), Some("1 and 2")),
            // A record of years ago, and nothing of today.
            ("Basic_A1", &[], None, None),
        ] {
            let vm = catalogue.vm(size, None).unwrap();
            assert_eq!(catalogue.stages(&vm.name).map(|row| row.stage).collect::<Vec<_>>(), stages, "{size}");
            assert_eq!(catalogue.quota_family(&vm.name), quota, "{size}");
            assert_eq!(catalogue.image_generations(vm).map(|(words, ..)| words), generations, "{size}");
        }
    }

    #[test]
    fn zones_of_disks() {
        let catalogue = Catalogue::embedded();
        for (kind, region, zones) in [
            ("premium_ssd_v2", "East US", Some(3)),
            ("premium_ssd_v2", "japanwest", Some(2)),
            ("premium_ssd_v2", "westus", Some(0)),
            ("premium_ssd_v2", "belgiumcentral", None),
            ("ultra", "brazilsouth", Some(1)),
            ("ultra", "westus", Some(0)),
            ("ultra", "norwayeast", None),
            ("premium_ssd", "eastus", None),
        ] {
            assert_eq!(catalogue.disk_zones(kind, region).map(|(zones, _)| zones), zones, "{kind} in {region}");
        }
    }
}
