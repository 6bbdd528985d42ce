//! The whole catalogue and the ways to look things up.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, OnceLock};

use dw_azure::bill::Operations;
use dw_azure::derive::{self, Known};
use dw_azure::disk::DiskOffer;
use dw_azure::file::{LifecycleFile, MachineTable, OperationsRule, PriceRow, PriceTable, RulesFile, ZoneTable};
use dw_azure::load::{self, CachedRecords, LoadError, OfOthers};
use dw_azure::packed::{self, Text, files};
use dw_azure::region_prices::RegionPrices;
use dw_azure::sold::{self, Sold, SoldTable};
use dw_azure::vm::VmSize;
use dw_demand::Commitment;
use dw_demand::wishes::Wishes;
use dw_units::Bytes;
use dw_vendor::Vendor;
use dw_vendor::edition;
use dw_vendor::facts::Facts;
use dw_vendor::fetched::{Own, OwnMachine, OwnPrice};
use dw_vendor::goods::{Goods, LocalRow, Passes, Setting, Sort};
use dw_vendor::index::Index;
use dw_vendor::kind::Kind;
use dw_vendor::latency::LatencySetting;
use dw_vendor::lookup::{self, LookupError, Thing, Whose, is_same_region as same};
use dw_vendor::moves::MoveRow;
use dw_vendor::price::{self, CURRENCY, Meter, Price, PriceError};
use dw_vendor::provision::Scripts;
use dw_vendor::rig::{Description, Rigs};
use dw_vendor::services::Service;
use dw_vendor::sharing::SharingRow;
use dw_vendor::source::Source;
use dw_vendor::speed::{SpeedRow, SpeedTable};

use crate::behind_door;

/// Every VM size and disk of every edition.
#[derive(Clone, Debug)]
pub struct Catalogue {
    vendor: &'static dyn Vendor,
    /// Who answers where the rows below do not: a vendor behind its door.
    goods: Option<Arc<dyn Goods>>,
    /// Those of other vendors of whom something was imported together with this.
    others: Vec<Arc<Catalogue>>,
    pub(crate) sources: BTreeMap<String, Source>,
    rules: RulesFile,
    /// VM sizes as their pages and records print them.
    printed: Vec<VmSize>,
    /// The same with their gaps filled, each when it is first asked for: few commands need them all.
    vms: Vec<OnceLock<Box<VmSize>>>,
    disks: Vec<DiskOffer>,
    vm_index: Index,
    disk_index: Index,
    prices: Vec<Price>,
    price_index: Index,
    /// Worked out when somebody first asks for regions.
    price_regions: OnceLock<Vec<String>>,
    zones: Vec<ZoneTable>,
    region_prices: Vec<RegionPrices>,
    pub(crate) sold: Option<SoldTable>,
    pub(crate) lifecycle: LifecycleFile,
    pub(crate) moves: Vec<MoveRow>,
    services: Vec<Service>,
    pub(crate) sharing: Vec<SharingRow>,
    pub(crate) speeds: Vec<SpeedTable>,
    cached: CachedRecords,
}

impl Catalogue {
    /// The catalogue that is part of the program, read once; cloning what is returned copies no row.
    pub fn embedded() -> &'static Arc<Catalogue> {
        static EMBEDDED: OnceLock<Arc<Catalogue>> = OnceLock::new();
        EMBEDDED.get_or_init(|| {
            let read = Catalogue::of(files());
            Arc::new(read.expect("the embedded catalogue is checked by the tests"))
        })
    }

    /// The catalogue of a vendor, by its word, without anything imported.
    pub fn of_vendor(id: &str) -> Option<&'static Arc<Catalogue>> {
        static OTHERS: LazyLock<Vec<Arc<Catalogue>>> =
            LazyLock::new(|| crate::goods().map(|(vendor, goods)| Arc::new(Catalogue::of_goods(vendor, goods))).into());
        std::iter::once(Catalogue::embedded()).chain(&*OTHERS).find(|own| own.vendor.id() == id)
    }

    /// Whose goods these are.
    pub fn vendor(&self) -> &'static dyn Vendor {
        self.vendor
    }
    /// Whether its vendor answers for what is sold, and where, and for what.
    pub fn is_behind_door(&self) -> bool {
        self.goods.is_some()
    }
    /// Whether records say when sizes retire.
    pub fn knows_retirements(&self) -> bool {
        self.sold.is_some()
    }
    /// What a plan of a machine rests on that no other line says.
    pub fn rests_on(&self, (size, edition): (&str, &str), bursting: bool, zone: Option<&str>) -> Vec<String> {
        self.goods().map_or_else(Vec::new, |goods| goods.rests_on(size, edition, bursting, zone))
    }
    pub(crate) fn goods(&self) -> Option<&dyn Goods> {
        self.goods.as_deref()
    }
    /// The catalogue of another vendor, by its word, with what was imported of it together with this one.
    pub fn other(&self, id: &str) -> Option<&Arc<Catalogue>> {
        let own = self.others.iter().find(|other| other.vendor.id() == id);
        own.or_else(|| Catalogue::of_vendor(id)).filter(|_| id != self.vendor.id())
    }
    /// Those of all other vendors.
    pub fn others(&self) -> impl Iterator<Item = &Arc<Catalogue>> {
        crate::vendors().into_iter().filter_map(|vendor| self.other(vendor.id()))
    }
    /// What judges of an estate ask of its vendor; nothing where the rows below say it.
    pub fn facts(&self) -> Option<&dyn Facts> {
        self.goods().map(|goods| goods.facts())
    }
    /// What its vendor tells people of a machine or a disk, with the sources of what was imported.
    pub fn describe(&self, name: &str, edition: Option<&str>) -> Option<Description> {
        let mut description = self.goods()?.describe(name, edition)?;
        let of_prices = description.prices.iter().map(|(.., id)| id);
        let ids = description.fields.iter().map(|(.., id)| id).chain(of_prices);
        let named = ids.filter_map(|id| self.sources.get(id));
        let named: Vec<&Source> = named.filter(|source| !description.sources.contains(source)).collect();
        let mut more: Vec<Source> = Vec::new();
        for source in named {
            if !more.contains(source) {
                more.push(source.clone());
            }
        }
        description.sources.append(&mut more);
        Some(description)
    }
    /// The place of a kind in the order in which its vendor lists them.
    pub fn place_of_kind(&self, kind: &Kind) -> usize {
        self.vendor.kinds().iter().position(|own| own.id == kind.id).unwrap_or(usize::MAX)
    }
    /// What each gate of a size gives as a plan of these wishes counts on it, and its ways to attach a volume.
    pub fn passes(&self, size: &VmSize, wishes: &Wishes) -> Option<Passes> {
        match self.goods() {
            Some(goods) => goods.passes(&size.name, &size.edition),
            None => {
                let printed = size.printed(wishes);
                Some(Passes { gates: printed.gates(), routes: printed.routes() })
            }
        }
    }
    /// The setting of a size, by name and edition, with which it passes more to disks for the same money; absent where it has none.
    pub fn setting(&self, (size, edition): (&str, &str)) -> Option<Setting> {
        self.goods()?.setting(size, edition)
    }
    /// Why no plan takes a size, as its vendor says it: what is not known of it.
    pub fn why_unplanned(&self, size: &VmSize) -> Option<String> {
        self.goods()?.why_unplanned(&size.name, &size.edition)
    }
    /// Vendors that make what scenarios name of theirs themselves, with what was imported of them: in the order of [`crate::rigs`].
    pub fn rigs(&self) -> Vec<&dyn Rigs> {
        crate::rigs().into_iter().map(|shipped| self.goods_of(shipped.id()).map_or(shipped, Goods::rigs)).collect()
    }
    /// Who writes what builds a plan of a vendor, by its word, where it does so itself.
    pub fn scripts_of(&self, id: &str) -> Option<&dyn Scripts> {
        let shipped = crate::scripts().into_iter().find(|own| own.id() == id)?;
        Some(self.goods_of(id).map_or(shipped, Goods::scripts))
    }
    fn goods_of(&self, id: &str) -> Option<&dyn Goods> {
        if self.vendor.id() == id { self.goods() } else { self.other(id)?.goods() }
    }
    /// Whether its vendor has host caches.
    pub fn has_host_caches(&self) -> bool {
        self.vendor.routes().iter().any(|route| route.has_cache())
    }
    /// The local disks of a size as a scenario names them.
    pub fn local_disks_said(&self, size: &VmSize) -> String {
        match self.goods().and_then(|goods| goods.local(&size.name, &size.edition, LatencySetting::default())) {
            Some(local) => format!("{} x {}", local.count, local.name),
            None => size.local_said().into(),
        }
    }
    /// What a scenario chooses of disks that pass these gates, by key and value.
    pub fn attach_options(&self, gates: &[String]) -> Vec<(&'static str, &'static str)> {
        self.goods().map_or_else(Vec::new, |goods| goods.attach_options(gates))
    }
    /// The local disks of a size, all together; absent where there are none, and where their figures are not known.
    pub fn local_of(&self, size: &VmSize, setting: LatencySetting) -> Option<LocalRow> {
        match self.goods() {
            Some(goods) => goods.local(&size.name, &size.edition, setting),
            None => size.local_limits().map(LocalRow::from),
        }
    }

    /// The bytes of the shipped data: two programs with the same ship the same catalogue.
    pub fn shipped_bytes() -> impl Iterator<Item = &'static [u8]> {
        packed::bytes()
    }

    /// The catalogue that is part of the program, with the text of an imported layer over it.
    pub fn with_imported(text: &str) -> Result<Catalogue, LoadError> {
        Catalogue::of(files().chain([(load::IMPORTED, Text::Given(text))]))
    }

    /// A catalogue from data files, given as `(path, text)`: `rules.toml`, `overrides.toml`, `sources.toml`,
    /// `disks.toml`, and any other name for VM sizes.
    pub fn from_files<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Catalogue, LoadError> {
        Catalogue::of(files.into_iter().map(|(path, text)| (path, Text::Given(text))))
    }

    fn of<'a>(files: impl IntoIterator<Item = (&'a str, Text<'a>)>) -> Result<Catalogue, LoadError> {
        let mut loaded = load::load(files)?;
        loaded.disks.sort_by(|a, b| {
            let order = |disk: &DiskOffer| (disk.family(), number(&disk.sku));
            order(a).cmp(&order(b)).then_with(|| edition::sort_key(&a.edition).cmp(&edition::sort_key(&b.edition)))
        });
        derive::from_its_page(&loaded.rules, &mut loaded.vms);
        derive::disks(&mut loaded.disks);
        let catalogue = Catalogue {
            vendor: &dw_azure::Azure,
            goods: None,
            others: imported_of_others(&loaded.of_others, &loaded.sources)?,
            vm_index: Index::new(&loaded.vms, |vm| (&vm.name, &vm.edition)),
            vms: vec![OnceLock::new(); loaded.vms.len()],
            printed: loaded.vms,
            disk_index: Index::new(&loaded.disks, |disk| (&disk.sku, &disk.edition)),
            sources: loaded.sources.into_iter().map(|source| (source.id.clone(), source)).collect(),
            disks: loaded.disks,
            price_index: Index::new(&loaded.prices, |price| (&price.name, &price.edition)),
            price_regions: OnceLock::new(),
            prices: loaded.prices,
            rules: loaded.rules,
            zones: loaded.zones,
            region_prices: loaded.region_prices,
            sold: loaded.sold,
            lifecycle: loaded.lifecycle,
            moves: loaded.moves,
            services: loaded.services,
            sharing: loaded.sharing,
            speeds: loaded.speeds,
            cached: loaded.cached,
        };
        catalogue.check_sources()?;
        Ok(catalogue)
    }

    fn check_sources(&self) -> Result<(), LoadError> {
        let used = self.printed.iter().map(|vm| &vm.source).chain(self.disks.iter().map(|disk| &disk.source));
        let used = used.chain(self.prices.iter().map(|price| &price.source)).map(String::as_str);
        let used = used.chain(self.region_prices.iter().flat_map(RegionPrices::sources).map(String::as_str));
        let used = used.chain(self.rules.operations.iter().map(|rule| rule.source.as_str()));
        let used = used.chain(self.cached.values().flatten().map(|record| record.source.as_str()));
        let used = used.chain(self.deployment_sources().map(String::as_str));
        match used
            .chain(self.sold.iter().flat_map(SoldTable::sources).map(String::as_str))
            .find(|id| !self.sources.contains_key(*id))
        {
            None => Ok(()),
            Some(id) => Err(LoadError { file: "sources.toml".into(), what: format!("unknown source `{id}`") }),
        }
    }

    /// The VM size of that name: in `edition`, or in the newest document that gives all its limits.
    ///
    /// `Standard_` may be left out, and letters may be of either case.
    pub fn vm(&self, name: &str, edition: Option<&str>) -> Result<&VmSize, LookupError> {
        let rows = self.rows_of_vm(name);
        let found = match edition {
            Some(edition) => rows.iter().copied().find(|vm| vm.edition.eq_ignore_ascii_case(edition.trim())),
            None => newest(&rows, vm_rank),
        };
        found.ok_or_else(|| {
            let editions = rows.iter().map(|vm| &vm.edition);
            self.not_found(Thing::VmSize, (name, edition), editions, self.printed.iter().map(|vm| vm.name.as_str()))
        })
    }

    /// The same with the limits that it has by a controller of its disks, which its vendor calls so; nothing where no edition has such.
    pub fn vm_with(&self, name: &str, controller: &str) -> Option<&VmSize> {
        let mut rows = self.rows_by_controller(name);
        rows.retain(|vm| vm.controller().word().eq_ignore_ascii_case(controller));
        newest(&rows, vm_rank)
    }
    /// Rows of a size that are of one of its controllers alone.
    pub fn rows_by_controller(&self, name: &str) -> Vec<&VmSize> {
        self.rows_of_vm(name).into_iter().filter(|vm| vm.is_of_one_controller()).collect()
    }

    /// The disk of that name: in `edition`, or in the newest.
    pub fn disk(&self, sku: &str, edition: Option<&str>) -> Result<&DiskOffer, LookupError> {
        let rows = self.rows_of_disk(sku);
        let found = match edition {
            Some(edition) => rows.iter().copied().find(|disk| disk.edition.eq_ignore_ascii_case(edition.trim())),
            None => newest(&rows, |disk| edition::is_imported(&disk.edition)),
        };
        found.ok_or_else(|| {
            let editions = rows.iter().map(|disk| &disk.edition);
            self.not_found(Thing::Disk, (sku, edition), editions, self.disks.iter().map(|disk| disk.sku.as_str()))
        })
    }

    /// What `meter` of a thing costs in `region`, in [`CURRENCY`]: the newest price up to `edition`, or of all.
    ///
    /// A region without a price of its own has that of its area, which the price names.
    pub fn price(&self, name: &str, meter: Meter, region: &str, edition: Option<&str>) -> Result<Price, PriceError> {
        self.price_in(CURRENCY, name, meter, region, edition, None)
    }

    /// The same in a currency, pay as you go or under a commitment. A price in another currency is never given.
    pub fn price_in(
        &self,
        currency: &str,
        name: &str,
        meter: Meter,
        region: &str,
        edition: Option<&str>,
        commitment: Option<Commitment>,
    ) -> Result<Price, PriceError> {
        let found = self.find_price(currency, name, meter, region, edition, commitment);
        let is_alike = |price: &Price| price.meter == meter && price.commitment.is_some() == commitment.is_some();
        found.ok_or_else(|| PriceError {
            commitment,
            name: name.to_string(),
            meter,
            region: region.into(),
            currency: currency.into(),
            edition: edition.map(str::to_string),
            known: price::places(self.prices_of(name).iter().filter(|price| is_alike(price))),
        })
    }

    /// The same for whoever goes on without a price: to say where there is one takes longer than to find none.
    pub fn find_price(
        &self,
        currency: &str,
        name: &str,
        meter: Meter,
        region: &str,
        edition: Option<&str>,
        commitment: Option<Commitment>,
    ) -> Option<Price> {
        if let Some(goods) = self.goods() {
            return goods.price(name, meter, region, commitment, edition).filter(|_| currency == CURRENCY);
        }
        let area = self.rules.price_area.iter().find(|area| area.regions.iter().any(|one| same(one, region)));
        let regions = [Some(region), area.map(|area| area.area.as_str())];
        // The newest of exactly one region; of one date, a row counts before a cell of a table.
        let newest = |region: &str| {
            let fits = |price: &&Price| {
                let is_of = price.meter == meter && price.commitment == commitment && price::is_of(price, name);
                let is_here = price.currency == currency && same(&price.region, region);
                is_of && is_here && edition::not_later(&price.edition, edition)
            };
            let row = self.price_rows(name).rfind(fits);
            let tables = self.tables_with(name).filter(|_| commitment.is_none());
            let cells = tables.filter_map(|table| table.find(name, meter, region)).filter(|price| fits(&price));
            cells.chain(row.cloned()).max_by_key(|price| edition::sort_key(&price.edition))
        };
        regions.into_iter().flatten().find_map(newest)
    }

    /// The tables in which a thing may be: the largest is not opened for a disk.
    fn tables_with(&self, name: &str) -> impl Iterator<Item = &RegionPrices> {
        let is_disk = !self.disk_index.of(name).is_empty();
        self.region_prices.iter().filter(move |table| !(is_disk && table.is_of_vm_sizes()))
    }

    fn price_rows(&self, name: &str) -> impl DoubleEndedIterator<Item = &Price> {
        self.price_index.of(name).iter().map(|&index| &self.prices[index])
    }

    /// Whether a VM size is sold in a region: as imported records of that region say it, or else as the shipped ones do.
    pub fn sold(&self, name: &str, region: &str) -> Sold {
        if let Some(goods) = self.goods() {
            return match goods.zones_of(name, region) {
                Some(zones) if zones.is_empty() => Sold::NotHere,
                Some(zones) => Sold::Here { zones, closed: false },
                None => Sold::Unknown,
            };
        }
        match (sold::imported(&self.zones, name, region), &self.sold) {
            (Sold::Unknown, Some(table)) => match table.find(name, region) {
                // A record of a newer size does not say where it is sold when it comes without locations.
                Sold::NotHere if !table.knows(name) && self.is_imported(name) => Sold::Unknown,
                found => found,
            },
            (own, _) => own,
        }
    }
    /// The day on which a VM size retires, as `2028-05-01`; nothing where none is announced.
    pub fn retires(&self, name: &str) -> Option<&str> {
        self.retires_by(name).map(|(date, _)| date)
    }
    /// The same with the id of the source that says it.
    pub(crate) fn retires_by(&self, name: &str) -> Option<(&str, &str)> {
        let table = self.sold.as_ref()?;
        let recorded = table.retires(name).map(|date| (date, table.source()));
        recorded.or_else(|| table.series_retires(self.series_of(name)?))
    }
    /// The series of a size, or of the one that it is cut from.
    pub(crate) fn series_of(&self, name: &str) -> Option<&str> {
        let of = |name: &str| self.vm_index.of(name).iter().find_map(|&place| self.printed[place].series.as_deref());
        of(name).or_else(|| of(&derive::parent(name).filter(|_| self.goods.is_none())?))
    }
    fn is_imported(&self, name: &str) -> bool {
        self.rows_of_vm(name).iter().any(|vm| edition::is_imported(&vm.edition))
    }
    /// Whether a VM size has Arm CPUs.
    pub fn is_arm(&self, name: &str) -> bool {
        match self.goods() {
            Some(goods) => goods.is(name, Sort::Arm),
            None => self.sold.as_ref().is_some_and(|table| table.is_arm(name)),
        }
    }
    /// Whether the processors of a VM size have a baseline, above which they run on credits.
    ///
    /// Source: "B series" of the virtual machine documentation: every size of the family, and none beside it.
    pub fn is_burstable(&self, name: &str) -> bool {
        match self.goods() {
            Some(goods) => goods.is(name, Sort::Burstable),
            None => family(name).starts_with('B'),
        }
    }
    /// Whether a VM size is a confidential one: it is deployed with a security type and an image of its own.
    ///
    /// Source: "DC family", "EC family" and "NCC family" of the virtual machine documentation.
    pub fn is_confidential(&self, name: &str) -> bool {
        match self.goods() {
            Some(goods) => goods.is(name, Sort::Confidential),
            None => ["DC", "EC", "NCC"].iter().any(|letters| family(name).starts_with(letters)),
        }
    }
    /// Whether a size is of another sort that nobody is given unasked.
    pub fn is_sort(&self, name: &str, sort: Sort) -> bool {
        self.goods().is_some_and(|goods| goods.is(name, sort))
    }
    /// How the operations of a disk are billed; nothing of a disk whose operations are free.
    pub fn operations(&self, disk: &DiskOffer) -> Option<Operations> {
        let of_disk = |rule: &&OperationsRule| {
            rule.family == disk.kind().id && (rule.disks.is_empty() || rule.disks.contains(&disk.sku))
        };
        let rule = self.rules.operations.iter().find(of_disk)?;
        let same = self.rules.operations_as.iter().find(|same| same.disks.contains(&disk.sku));
        let most = rule.hourly_max.iter().find(|(sku, _)| *sku == disk.sku);
        Some(Operations {
            of: same.map_or(&disk.sku, |same| &same.of).clone(),
            unit: rule.unit_kib.map(Bytes::kib),
            units_max: rule.units_max,
            hourly_max: most.map(|(_, count)| *count),
        })
    }
    /// How several VMs share a disk; nothing of one that they do not.
    pub fn sharing(&self, disk: &DiskOffer) -> Option<&SharingRow> {
        let of_disk =
            |row: &&SharingRow| row.kind == disk.kind().id && (row.disks.is_empty() || row.disks.contains(&disk.sku));
        self.sharing.iter().find(of_disk)
    }
    /// How fast the processors of a VM size are, with the table that says it; nothing where no page does.
    pub fn speed(&self, vm: &str) -> Option<(&SpeedTable, &SpeedRow)> {
        let series = self.series_of(vm)?;
        self.speeds.iter().find_map(|table| Some((table, table.of(series)?)))
    }
    /// What a vCPU of one size counts as of one of another, in parts per million, where one page has both.
    pub fn speed_beside(&self, vm: &str, other: &str) -> Option<u32> {
        let series = [self.series_of(vm)?, self.series_of(other)?];
        let both = self.speeds.iter().find_map(|table| Some((table.of(series[0])?, table.of(series[1])?)));
        both.map(|(own, other)| own.beside(other))
    }
    /// Pooled and file services, which no plan chooses.
    pub fn services(&self) -> &[Service] {
        &self.services
    }
    /// The ids of the sources of how operations are billed.
    pub fn operations_sources(&self) -> impl Iterator<Item = &String> {
        self.rules.operations.iter().map(|rule| &rule.source)
    }
    /// The ids of the sources of what is sold, and until when.
    pub fn sold_sources(&self) -> impl Iterator<Item = &String> {
        self.sold.iter().flat_map(SoldTable::sources)
    }
    /// The month of the shipped records of what is sold.
    pub fn sold_as_of(&self) -> Option<&str> {
        self.sold.as_ref().map(SoldTable::edition)
    }
    /// The regions of which records say what is sold, sorted.
    pub fn regions_with_records(&self) -> Vec<&str> {
        let shipped = self.sold.iter().flat_map(|table| table.regions()).map(String::as_str);
        let mut regions: Vec<&str> = shipped.chain(self.zones.iter().map(|table| table.region.as_str())).collect();
        regions.sort_unstable();
        regions.dedup();
        regions
    }
    /// Whether a record says what is sold in a region.
    pub fn has_records(&self, region: &str) -> bool {
        match self.goods() {
            Some(goods) => self.printed.first().is_some_and(|vm| goods.zones_of(&vm.name, region).is_some()),
            None => self.zones(region).is_some(),
        }
    }
    /// Whether records tell a zone that is called so from others: what is sold in one that they do not, they do not say.
    pub fn records_zone(&self, zone: &str) -> bool {
        self.goods().is_none_or(|goods| goods.records_zone(zone))
    }
    /// The zones of a region in which some VM size is sold, sorted; nothing where no record of the region is known.
    pub fn zones(&self, region: &str) -> Option<Vec<String>> {
        sold::imported_zones(&self.zones, region).or_else(|| self.sold.as_ref()?.zones(region))
    }

    /// Whether a premium SSD v2 must be in a zone of a region that has zones.
    pub fn premium_v2_needs_zone(&self, region: &str) -> bool {
        let listed = self.rules.premium_v2_without_zone.as_ref();
        !listed.is_some_and(|listed| listed.regions.iter().any(|one| same(one, region)))
    }

    /// All prices of a thing, oldest first.
    pub fn prices_of(&self, name: &str) -> Vec<Price> {
        if let Some(goods) = self.goods() {
            return goods.prices_of(name);
        }
        let mut prices: Vec<Price> = self.price_rows(name).filter(|price| price::is_of(price, name)).cloned().collect();
        prices.extend(self.tables_with(name).flat_map(|table| table.of(name)));
        prices.sort_by_key(|price| edition::sort_key(&price.edition));
        prices
    }
    /// All prices.
    pub fn prices(&self) -> impl Iterator<Item = Price> {
        let behind_door = self.goods().into_iter().flat_map(|goods| {
            let disks = self.disks_as_of(None).into_iter().map(|disk| disk.sku.as_str());
            let names = self.printed.iter().map(|vm| vm.name.as_str()).chain(disks);
            names.flat_map(|name| goods.prices_of(name))
        });
        self.prices.iter().cloned().chain(self.region_prices.iter().flat_map(RegionPrices::all)).chain(behind_door)
    }
    /// The oldest edition in which a VM size and a disk have a price in a region, where an edition is older than that.
    pub fn prices_begin_after(&self, edition: &str, region: &str) -> Option<&str> {
        let area = self.rules.price_area.iter().find(|area| area.regions.iter().any(|one| same(one, region)));
        let is_there =
            |price: &&Price| same(&price.region, region) || area.is_some_and(|area| same(&price.region, &area.area));
        let oldest = |is_vm: bool| {
            let of_kind = |price: &&Price| self.disk_index.of(&price.name).is_empty() == is_vm;
            let editions = self.prices.iter().filter(is_there).filter(of_kind).map(|price| price.edition.as_str());
            editions.min_by_key(|own| edition::sort_key(own))
        };
        let oldest = [oldest(true)?, oldest(false)?].into_iter().max_by_key(|own| edition::sort_key(own))?;
        (!edition::not_later(oldest, Some(edition))).then_some(oldest)
    }
    /// The regions that have prices of their own or of their area, sorted.
    pub fn price_regions(&self) -> Vec<&str> {
        let owned = || self.regions_of_prices().into_iter().map(String::from).collect();
        self.price_regions.get_or_init(owned).iter().map(String::as_str).collect()
    }

    fn regions_of_prices(&self) -> Vec<&str> {
        if let Some(goods) = self.goods() {
            return goods.regions();
        }
        let areas = self.rules.price_area.iter().flat_map(|area| area.regions.iter());
        let tables = self.region_prices.iter().flat_map(|table| table.regions());
        let own = self.prices.iter().map(|price| &price.region).chain(tables);
        let mut regions: Vec<&str> = own.chain(areas).map(String::as_str).collect();
        regions.sort_unstable();
        regions.dedup();
        regions
    }

    /// The same without the areas.
    fn price_places(&self) -> Vec<&str> {
        let mut regions = self.price_regions();
        regions.retain(|name| !self.rules.price_area.iter().any(|area| area.area == *name));
        regions
    }

    /// What to write in place of a region without prices: the nearest of all vendors; `diskwright catalogue coverage` lists all.
    pub fn price_region_hint(&self, asked: &str) -> String {
        let goods = self.goods().into_iter().chain(self.others().filter_map(|other| other.goods()));
        if let Some(why) = goods.into_iter().find_map(|goods| goods.unpriced_region(asked)) {
            return why;
        }
        let own = self.price_places();
        if let Some(other) = self.others().find(|other| other.has_place(asked)) {
            let near = lookup::nearest_regions(asked, &own).first().or(own.first()).copied().unwrap_or_default();
            let (other, own) = (other.vendor.name(), self.vendor.name());
            return format!("it is a region of {other}; of {own}, write for example `{near}`");
        }
        let others = self.others().flat_map(|other| other.price_places());
        let known: Vec<&str> = own.iter().copied().chain(others).collect();
        let near = lookup::nearest_regions(asked, &known);
        let whose = self.others().find(|other| near.first().is_some_and(|near| other.has_place(near)));
        let command = ["diskwright catalogue coverage", &whose.map_or(self, |other| &**other).named()].concat();
        let all = format!("`{command}` lists all regions");
        match near.as_slice() {
            [] => match own.as_slice() {
                [first, .., last] => format!("write for example `{first}` or `{last}`; {all}"),
                _ => all,
            },
            [near] => format!("did you mean `{near}`? {all}"),
            [near, others @ ..] => format!("did you mean `{near}`? (or {}; {all})", others.join(", ")),
        }
    }
    fn has_place(&self, region: &str) -> bool {
        self.price_places().iter().any(|own| same(own, region))
    }
    /// The option that makes commands list its vendor's; nothing where they do without.
    fn named(&self) -> String {
        if self.goods.is_some() { format!(" --vendor {}", self.vendor.id()) } else { String::new() }
    }

    /// The regions that records or prices name, sorted; an area is none.
    pub fn regions(&self) -> Vec<&str> {
        let mut regions = self.regions_with_records();
        regions.extend(self.price_places());
        regions.sort_unstable();
        regions.dedup();
        regions
    }

    /// The currencies that prices are in.
    pub fn currencies(&self) -> Vec<&str> {
        if self.goods.is_some() {
            return vec![CURRENCY];
        }
        let tables = self.region_prices.iter().map(|table| table.currency());
        let mut all: Vec<&str> = self.prices.iter().map(|price| price.currency.as_str()).chain(tables).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The size that a constrained one has the storage, the memory and the price of: `E8s_v5` of `E8-2s_v5`, which has two of its eight
    /// vCPUs.
    pub fn constrained_from(&self, name: &str) -> Option<String> {
        dw_azure::derive::parent(name).filter(|_| name.contains('-') && self.goods.is_none())
    }

    /// One row of every VM size: in the newest document that gives all its limits, or the newest up to `edition`.
    pub fn vm_sizes_as_of(&self, edition: Option<&str>) -> Vec<&VmSize> {
        let rows = self.vm_index.groups().map(|rows| rows.iter().map(|&place| self.vm_at(place)));
        rows.filter_map(|rows| {
            let rows: Vec<&VmSize> = rows.filter(|vm| edition::not_later(&vm.edition, edition)).collect();
            newest(&rows, vm_rank)
        })
        .collect()
    }
    /// One row of every disk: in the newest edition, or the newest up to `edition`.
    pub fn disks_as_of(&self, edition: Option<&str>) -> Vec<&DiskOffer> {
        let rows = self.disk_index.groups().map(|rows| rows.iter().map(|&index| &self.disks[index]));
        rows.filter_map(|rows| {
            let rows: Vec<&DiskOffer> = rows.filter(|disk| edition::not_later(&disk.edition, edition)).collect();
            newest(&rows, |disk| edition::is_imported(&disk.edition))
        })
        .collect()
    }

    /// All VM sizes, by name and then from the oldest edition to the newest.
    pub fn vm_sizes(&self) -> impl Iterator<Item = &VmSize> {
        self.vm_index.places().iter().map(|&place| self.vm_at(place))
    }
    /// All disks, by family and size, then from the oldest edition to the newest.
    pub fn disks(&self) -> impl Iterator<Item = &DiskOffer> {
        self.disks.iter()
    }
    /// All sources, by id.
    pub fn sources(&self) -> impl Iterator<Item = &Source> {
        self.sources.values()
    }
    /// The source of that id.
    pub fn source(&self, id: &str) -> Option<&Source> {
        self.sources.get(id)
    }
    /// The editions that have a VM size, oldest first; none when there is no such size.
    pub fn editions_of_vm(&self, name: &str) -> Vec<&str> {
        self.rows_of_vm(name).into_iter().map(|vm| vm.edition.as_str()).collect()
    }
    /// The editions that have a disk, oldest first.
    pub fn editions_of_disk(&self, sku: &str) -> Vec<&str> {
        self.rows_of_disk(sku).into_iter().map(|disk| disk.edition.as_str()).collect()
    }
    /// All editions, oldest first.
    pub fn editions(&self) -> Vec<&str> {
        let vms = self.printed.iter().map(|vm| vm.edition.as_str());
        let mut editions: Vec<&str> = vms.chain(self.disks.iter().map(|disk| disk.edition.as_str())).collect();
        editions.sort_by_key(|edition| (edition::sort_key(edition), *edition));
        editions.dedup();
        editions
    }

    /// `editions` have what was asked for; `names` are all that there are.
    fn not_found<'a>(
        &self,
        thing: Thing,
        (name, edition): (&str, Option<&str>),
        editions: impl Iterator<Item = &'a String>,
        names: impl Iterator<Item = &'a str>,
    ) -> LookupError {
        let editions: Vec<String> = editions.cloned().collect();
        let nearest = if editions.is_empty() { lookup::nearest(name, names) } else { Vec::new() };
        LookupError {
            thing,
            name: name.to_string(),
            edition: edition.map(str::to_string),
            nearest: nearest.into_iter().map(str::to_string).collect(),
            editions,
            whose: Box::new(self.whose(name)),
        }
    }
    /// Who is asked for a name, and who else has it.
    fn whose(&self, name: &str) -> Whose {
        let has =
            |other: &&Arc<Catalogue>| !other.vm_index.of(name).is_empty() || !other.disk_index.of(name).is_empty();
        Whose {
            name: self.vendor.name(),
            named: self.goods.is_some().then(|| self.vendor.id()),
            other: self.others().find(has).map(|other| (other.vendor.name(), other.vendor.id())),
            all: crate::vendors().map(|vendor| vendor.name()).to_vec(),
        }
    }
    fn vm_at(&self, place: usize) -> &VmSize {
        let known = Known { rules: &self.rules, rows: &self.printed, index: &self.vm_index, cached: &self.cached };
        self.vms[place].get_or_init(|| Box::new(known.filled(place)))
    }
    fn rows_of_vm(&self, name: &str) -> Vec<&VmSize> {
        self.vm_index.of(name).iter().map(|&place| self.vm_at(place)).collect()
    }
    fn rows_of_disk(&self, sku: &str) -> Vec<&DiskOffer> {
        self.disk_index.of(sku).iter().map(|&place| &self.disks[place]).collect()
    }
}

impl Catalogue {
    /// Of a vendor that answers itself for what no row has.
    fn of_goods(vendor: &'static dyn Vendor, goods: Arc<dyn Goods>) -> Catalogue {
        let (vms, disks, sharing) = behind_door::rows(&*goods);
        Catalogue {
            vendor,
            others: Vec::new(),
            sources: goods.sources().into_iter().map(|source| (source.id.clone(), source)).collect(),
            rules: RulesFile::default(),
            vm_index: Index::new(&vms, |vm| (&vm.name, &vm.edition)),
            vms: vms.iter().map(|vm| OnceLock::from(Box::new(vm.clone()))).collect(),
            printed: vms,
            disk_index: Index::new(&disks, |disk| (&disk.sku, &disk.edition)),
            disks,
            prices: Vec::new(),
            price_index: Index::new(&[] as &[Price], |price| (&price.name, &price.edition)),
            price_regions: OnceLock::new(),
            zones: Vec::new(),
            region_prices: Vec::new(),
            sold: None,
            lifecycle: LifecycleFile::default(),
            moves: goods.moves(),
            services: Vec::new(),
            sharing,
            speeds: Vec::new(),
            cached: CachedRecords::new(),
            goods: Some(goods),
        }
    }
}

/// What was imported of vendors behind their doors, laid over what is shipped of each.
fn imported_of_others(tables: &OfOthers, sources: &[Source]) -> Result<Vec<Arc<Catalogue>>, LoadError> {
    let failed = |what| LoadError { file: load::IMPORTED.into(), what };
    if let Some((id, _)) = tables.named().find(|(id, _)| !is_behind_door(id)) {
        return Err(failed(format!("`vendor` is `{id}`, of which nothing is known")));
    }
    let mut all = Vec::new();
    for (vendor, goods) in crate::goods() {
        let named: Vec<&str> = tables.named().filter(|(id, _)| *id == vendor.id()).map(|(_, source)| source).collect();
        if named.is_empty() {
            continue;
        }
        let prices: Vec<&PriceTable> =
            tables.prices.iter().filter(|table| table.vendor.as_deref() == Some(vendor.id())).collect();
        if let Some(table) = prices.iter().find(|table| table.currency != CURRENCY) {
            return Err(failed(format!(
                "prices of {} are in {}, and {CURRENCY} is read",
                vendor.name(),
                table.currency
            )));
        }
        let machines = tables.machines.iter().filter(|table| table.vendor == vendor.id());
        let own =
            Own { prices: own_prices(&prices).map_err(failed)?, machines: machines.flat_map(own_machines).collect() };
        let mut layered = Catalogue::of_goods(vendor, goods.with_own(own).map_err(failed)?);
        for row in sources.iter().filter(|row| named.contains(&row.id.as_str())) {
            layered.sources.insert(row.id.clone(), row.clone());
        }
        if let Some(id) = named.iter().find(|id| !layered.sources.contains_key(**id)) {
            return Err(failed(format!("unknown source `{id}`")));
        }
        all.push(Arc::new(layered));
    }
    Ok(all)
}

fn own_machines(table: &MachineTable) -> impl Iterator<Item = OwnMachine> {
    table.rows.iter().map(|row| OwnMachine {
        name: row.name.clone(),
        figures: row.figures.clone(),
        edition: table.edition.clone(),
        source: table.source.clone(),
    })
}

fn is_behind_door(id: &str) -> bool {
    crate::goods().iter().any(|(vendor, _)| vendor.id() == id)
}

fn own_prices(tables: &[&PriceTable]) -> Result<Vec<OwnPrice>, String> {
    let rows = tables.iter().flat_map(|table| table.rows.iter().map(move |row| (table, row)));
    let own = |(table, row): (&&PriceTable, &PriceRow)| {
        let meter = row.meter.as_deref().map_or(Some(Meter::Whole), Meter::from_id);
        let meter = meter.ok_or_else(|| format!("the price of `{}` has an unknown `meter`", row.name))?;
        Ok(OwnPrice {
            region: table.region.clone(),
            name: row.name.clone(),
            meter,
            commitment: table.commitment(),
            amount: row.price.clone(),
            edition: table.edition.clone(),
            source: table.source.clone(),
        })
    };
    rows.map(own).collect()
}

/// The number in a disk's name; its size differs between editions, its number does not.
fn number(sku: &str) -> u32 {
    sku.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(0)
}

/// What decides between the editions of a VM size when none is asked for: all limits known, imported by the user (a
/// document of a range of years may be older), a document rather than a record.
fn vm_rank(vm: &VmSize) -> (bool, bool, bool) {
    (vm.is_complete(), edition::is_imported(&vm.edition), !vm.edition.starts_with("api-"))
}

/// The last row with the highest rank.
fn newest<'a, T, K: Ord>(rows: &[&'a T], rank: impl Fn(&T) -> K) -> Option<&'a T> {
    rows.iter().copied().max_by_key(|row| rank(row))
}
/// What a size's name begins with after the word of its tier: `DC4as_v5` of `Standard_DC4as_v5`.
fn family(name: &str) -> &str {
    name.split_once('_').map_or(name, |(_, size)| size)
}
