//! What requirements may name, as the catalogue has it.

use dw_demand::wishes::Role;
use dw_demand::{Offers, VendorKeys};
use dw_stack::VolumeSpec;
use dw_units::{Bytes, CacheMode};

use crate::catalogue::Catalogue;
use dw_azure::plan_keys::{self, PLAN_KEYS};
use dw_vendor::price::Meter;

impl Offers for Catalogue {
    fn vendor(&self) -> &'static VendorKeys {
        self.goods().map_or(&PLAN_KEYS, |goods| goods.keys())
    }
    fn regions(&self) -> Vec<&str> {
        self.price_regions()
    }
    fn region_hint(&self, asked: &str) -> String {
        self.price_region_hint(asked)
    }
    fn refuses_zone(&self, zone: &str, region: &str) -> Option<[String; 2]> {
        if let Some(goods) = self.goods() {
            return goods.refuses_zone(zone, region);
        }
        let asked = format!("`zone = \"{zone}\"`");
        let Some(known) = self.zones(region) else {
            let what = format!("{asked}: the catalogue does not know which sizes {region} offers in which zone");
            return Some([what, plan_keys::zones_hint(region)]);
        };
        let hint = match known.is_empty() {
            true => format!("{region} has no zones: omit it"),
            false => format!("its zones are {}", known.join(", ")),
        };
        let what = format!("{asked}: no VM size is offered there in {region}");
        (!known.iter().any(|known| known == zone)).then_some([what, hint])
    }
    fn currencies(&self) -> Vec<&str> {
        Catalogue::currencies(self)
    }
    fn editions(&self) -> Vec<&str> {
        Catalogue::editions(self)
    }
    fn prices_begin_after(&self, edition: &str, region: &str) -> Option<&str> {
        Catalogue::prices_begin_after(self, edition, region)
    }
    fn vms(&self) -> Vec<&str> {
        self.vm_sizes().map(|vm| vm.short_name()).collect()
    }
    fn vm_hint(&self, asked: &str) -> Option<String> {
        self.vm(asked, None).err().map(|error| error.hint())
    }
    fn disks(&self) -> Vec<&str> {
        Catalogue::disks(self).map(|disk| disk.sku.as_str()).collect()
    }
    fn disk_hint(&self, asked: &str) -> Option<String> {
        self.disk(asked, None).err().map(|error| error.hint())
    }
    fn fits(&self, pattern: &str, name: &str) -> bool {
        dw_vendor::lookup::fits(pattern, name)
    }
    fn has(&self, name: &str) -> bool {
        !self.editions_of_vm(name).is_empty() || !self.editions_of_disk(name).is_empty()
    }
    fn meters(&self) -> Vec<&'static str> {
        Meter::ALL.map(Meter::id).to_vec()
    }
    fn refuses_cache(&self, role: Role, mode: CacheMode) -> Option<[&'static str; 2]> {
        match self.goods() {
            Some(goods) => goods.refuses_cache(mode),
            None => plan_keys::refuses_cache(role, mode),
        }
    }
    fn is_stripe_unit(&self, unit: Bytes) -> bool {
        VolumeSpec::is_stripe_unit(unit)
    }
}
