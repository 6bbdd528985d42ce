//! A plan file as what is to be built: read, checked against the catalogue, with what is wrong where.

use dw_catalogue::latency::LatencySetting;
use dw_catalogue::{Catalogue, DiskOffer, DiskOptions, LookupError, MbUnit, PrintedMb, TempKind};
use dw_demand::wishes::Role;
use dw_error::{Error, Result, obeyed};
use dw_provision::{Demand, Disks, Place, Setup, SetupError, Volume};
use dw_stack::VolumeSpec;
use dw_units::{Bytes, CacheMode, Throughput};
use serde_json::Value;

use crate::document::{self, line_with};
use crate::plan::document::{DemandRow, PlanDocument, PlanRow, VolumeRow};

/// Reads a plan file of which everything is to be written.
pub fn read(name: &str, text: &str, catalogue: &Catalogue) -> Result<Setup> {
    let document: PlanDocument = document::read(name, text)?;
    for_scripts(name, text, &document, catalogue)
}

/// The same of a plan.
pub fn for_scripts(name: &str, text: &str, document: &PlanDocument, catalogue: &Catalogue) -> Result<Setup> {
    crate::plan::bounds::check(name, text, document)?;
    from_plan(name, text, document, catalogue)
}

/// What a plan says is to be built; faults are at the lines of its text.
pub fn from_plan(name: &str, text: &str, document: &PlanDocument, catalogue: &Catalogue) -> Result<Setup> {
    let Some(plan) = &document.plan else {
        return Err(Error::new(dw_error::Kind::Infeasible, format!("it has no plan: {}", document.answer))
            .hint("change the requirements until `diskwright plan` finds one")
            .of_file(name));
    };
    let (zone_redundant, catalogue) =
        (document.redundancy.is_some(), dw_catalogue::at_region(catalogue, &document.region));
    Reader { name, text, catalogue, zone_redundant }.setup(document, plan)
}

struct Reader<'a> {
    name: &'a str,
    text: &'a str,
    catalogue: &'a Catalogue,
    zone_redundant: bool,
}

impl Reader<'_> {
    /// A failure about a value, at the first line that has it.
    fn wrong(&self, value: &str, what: &str, hint: &str) -> Error {
        let quoted = Value::String(value.into()).to_string();
        let line = line_with(self.text, &quoted);
        Error::input(obeyed::line(what)).hint(hint).at(self.name, line)
    }

    fn unknown(&self, value: &str, error: &LookupError) -> Error {
        self.wrong(value, &error.to_string(), &error.hint())
    }

    fn setup(&self, document: &PlanDocument, plan: &PlanRow) -> Result<Setup> {
        self.words(document)?;
        let vm = self.catalogue.vm(&plan.vm, Some(&plan.vm_edition)).map_err(|e| self.unknown(&plan.vm, &e))?;
        let both: Vec<(Volume, Option<Throughput>)> =
            plan.volumes.iter().map(|row| self.volume(row)).collect::<Result<_, _>>()?;
        let (volumes, disk_throughput): (Vec<Volume>, Vec<_>) = both.into_iter().unzip();
        let setup = Setup {
            vendor: self.catalogue.vendor().id(),
            // What it quotes may be of a recording, and it heads every script.
            answer: obeyed::line(&document.answer.to_string()).into_owned(),
            vm: vm.name.clone(),
            vm_edition: vm.edition.clone(),
            vm_options: self.vm_options(plan)?,
            vcpu: vm.vcpu,
            memory: vm.memory_mib.map(Bytes::mib),
            premium: vm.premium == Some(true),
            uncached: vm.uncached.throughput(),
            cached: vm.cached_to_plan().and_then(|cached| cached.throughput()),
            cached_lower: vm.cached_lower.and_then(|lower| Some((lower.iops?.get(), lower.throughput()?))),
            disk_throughput,
            bursting: document.bursting,
            latency: document.latency.clone(),
            uncached_sharing: document.uncached_sharing.clone().filter(|_| vm.premium2.is_some()),
            windows: document.os.as_deref() == Some("windows"),
            region: document.region.clone(),
            zone: self.zone(document)?,
            local_nvme: vm.temp.is_some_and(|temp| temp.kind == TempKind::LocalNvme),
            v2_needs_zone: self.catalogue.premium_v2_needs_zone(&document.region),
            has_zones: self.catalogue.zones(&document.region).is_none_or(|zones| !zones.is_empty()),
            host_caches: self.catalogue.has_host_caches(),
            local_disks: self.catalogue.local_disks_said(vm),
            volumes,
            names: Vec::new(),
        };
        let used: u64 = setup.data().map(|(_, _, disks, _)| u64::from(disks.count)).sum();
        if used > u64::from(vm.max_data_disks) {
            let what =
                format!("its volumes have {used} data disks, but {} takes at most {}", vm.name, vm.max_data_disks);
            return Err(self.wrong(&plan.vm, &what, "plan again: a hand-edited plan proves nothing"));
        }
        let names: Vec<String> = setup.volumes.iter().map(|volume| volume.name.clone()).collect();
        setup.placed().map_err(|e| self.refused(names.get(e.volume).map_or("", String::as_str), &e))
    }

    /// What is chosen of the VM: nothing but what plans choose of it.
    fn vm_options(&self, plan: &PlanRow) -> Result<Vec<(String, String)>> {
        let setting = self.catalogue.setting((&plan.vm, &plan.vm_edition));
        let known = setting.map_or(&[][..], |setting| setting.options);
        let is_known = |key: &str, value: &str| known.contains(&(key, value));
        if let Some((key, value)) = plan.vm_options.iter().find(|(key, value)| !is_known(key, value)) {
            let what = format!("`vm_options` has `{key} = \"{value}\"`, which {} does not have", plan.vm);
            return Err(self.wrong(value, &what, "remove it, or plan again: a hand-edited plan proves nothing"));
        }
        Ok(plan.vm_options.clone().into_iter().collect())
    }

    fn refused(&self, volume: &str, e: &SetupError) -> Error {
        self.wrong(volume, &format!("volume {}: {}", e.volume + 1, e.what), &e.hint)
    }

    /// Every text that goes into a script and is no name of a volume or of the catalogue is one of a few.
    fn words(&self, document: &PlanDocument) -> Result<()> {
        let settings = LatencySetting::ALL.map(LatencySetting::word);
        let keys: [(&str, &Option<String>, &[&str]); 4] = [
            ("redundancy", &document.redundancy, &["zone"]),
            ("os", &document.os, &["windows", "linux"]),
            ("latency", &document.latency, &settings),
            ("uncached_sharing", &document.uncached_sharing, &["separate"]),
        ];
        for (key, value, words) in keys {
            if let Some(word) = value.as_ref().filter(|word| !words.contains(&word.as_str())) {
                let hint = format!("write `{}`, or omit it", words.join("` or `"));
                return Err(self.wrong(word, &format!("`{key}` is `{word}`"), &hint));
            }
        }
        let region = document.region.as_str();
        if !self.catalogue.price_regions().contains(&region) {
            let hint = self.catalogue.price_region_hint(region);
            return Err(self.wrong(region, &format!("`region` is `{region}`, which has no known prices"), &hint));
        }
        Ok(())
    }

    /// A zone is a number, or a letter where nobody's records tell zones by it: it goes where nothing can be quoted.
    fn zone(&self, document: &PlanDocument) -> Result<Option<String>> {
        let Some(zone) = &document.zone else { return Ok(None) };
        let is_letter = matches!(zone.as_bytes(), [b'a'..=b'z']) && !self.catalogue.records_zone(zone);
        if !is_letter && !matches!(zone.as_bytes(), [b'1'..=b'9']) {
            let hint = if self.catalogue.is_behind_door() { "write `1`, or `a`" } else { "write `1`, `2` or `3`" };
            return Err(self.wrong(zone, &format!("`{zone}` is not a zone"), hint));
        }
        Ok(Some(zone.clone()))
    }

    fn volume(&self, row: &VolumeRow) -> Result<(Volume, Option<Throughput>)> {
        let Some(role) = Role::ALL.into_iter().find(|role| role.word() == row.role) else {
            let words: Vec<&str> = Role::ALL.into_iter().map(Role::word).collect();
            let what = format!("volume `{}`: `{}` is not a role", row.name, row.role);
            return Err(self.wrong(&row.role, &what, &format!("write one of {}", words.join(", "))));
        };
        let (place, throughput) = match &row.disk {
            None => (Place::Local, None),
            Some(sku) => {
                let (disks, throughput) = self.disks(row, sku)?;
                match role {
                    Role::Os => (Place::Os(disks), throughput),
                    _ => (Place::Data { disks, lun: 0 }, throughput),
                }
            }
        };
        let volume = Volume {
            name: row.name.clone(),
            role,
            sequential: row.sequential || role.is_sequential(),
            place,
            capacity: Bytes::gib(row.capacity_gib),
            working_set: row.benchmark.map(|of| of.steady).or(row.working_set).map(Bytes::new),
            benchmark: row.benchmark.map(|of| (Bytes::new(of.file), Bytes::new(of.warmed))),
            demand: demand(row.demand),
            together: demand(row.demand_together),
            queue_depth: depths(row),
        };
        Ok((volume, throughput))
    }

    /// What each disk of a volume has, in the unit in which its kind is sold, and in bytes.
    fn throughput(&self, row: &VolumeRow, offer: &DiskOffer) -> Option<(u64, Throughput)> {
        let unit = offer.free_form?.unit;
        let mb = if unit == MbUnit::Mebi { row.disk_mib_per_s } else { row.disk_mb_per_s }?;
        Some((mb, PrintedMb { number: mb, unit }.throughput()))
    }

    fn disks(&self, row: &VolumeRow, sku: &str) -> Result<(Disks, Option<Throughput>)> {
        let offer = self.catalogue.disk(sku, row.disk_edition.as_deref()).map_err(|e| self.unknown(sku, &e))?;
        let wrong = |value: &str, what: String| {
            let hint = "plan again: a hand-edited plan proves nothing";
            self.wrong(value, &format!("volume `{}`: {what}", row.name), hint)
        };
        let Some(host_cache) = CacheMode::ALL.into_iter().find(|mode| mode.name() == row.host_cache) else {
            return Err(wrong(&row.host_cache, format!("`{}` is not a host-cache setting", row.host_cache)));
        };
        if self.zone_redundant && !offer.kind().zone_redundant {
            return Err(wrong(sku, format!("there is no zone-redundant {}", offer.kind().name)));
        }
        let by = self.catalogue.sharing(offer).filter(|_| row.shared.is_some());
        if let Some(shared) = row.shared.filter(|shared| by.is_none_or(|by| shared.nodes > by.machines_max)) {
            let what = format!("{} VMs do not share one {sku}", shared.nodes);
            return Err(wrong(sku, what));
        }
        if row.disks == 0 {
            return Err(wrong(&row.name, "it has 0 disks".into()));
        }
        let options = DiskOptions {
            tier: row.disk_tier.clone(),
            performance_plus: row.performance_plus,
            on_demand_bursting: row.on_demand_bursting,
            ..DiskOptions::default()
        };
        let (gib, bought, each) = match (offer.fixed_size(), row.disk_gib, row.disk_iops, self.throughput(row, offer)) {
            (Some(size), None, None, None) => {
                let spec = offer.disk_spec(sku, &options).map_err(|e| wrong(sku, e.what))?;
                let rate = spec.limits.throughput.map(|rate| Throughput::bytes_per_second(rate.rate));
                (size.get() >> 30, None, rate)
            }
            (None, Some(gib), Some(iops), Some((mb, rate))) => (gib, Some((iops, mb)), Some(rate)),
            (Some(_), ..) => {
                return Err(wrong(sku, format!("{sku} has a fixed size: its size and limits cannot be chosen")));
            }
            (None, ..) => {
                return Err(wrong(sku, format!("{sku} needs `disk_gib`, `disk_iops` and `disk_mb_per_s`")));
            }
        };
        if host_cache != CacheMode::None && !offer.cacheable(Bytes::gib(gib)) {
            let what = format!("the host cache does not support {} of {gib} GiB", offer.kind().name);
            return Err(wrong(&row.name, what));
        }
        let stripe_unit = match (row.disks, row.stripe_unit) {
            (1, None) => Bytes::kib(64),
            (2.., Some(unit)) if VolumeSpec::is_stripe_unit(Bytes::new(unit)) => Bytes::new(unit),
            (1, Some(_)) => return Err(wrong(&row.name, "it has a stripe unit but only one disk".into())),
            _ => return Err(wrong(&row.name, "its stripe unit is not a power of two from 4 KiB to 1 GiB".into())),
        };
        let count = row.disks;
        let all = each.map(|each| Throughput::bytes_per_second(each.get() * u64::from(count)));
        let disks = Disks {
            sku: offer.sku.clone(),
            family: offer.family(),
            edition: offer.edition.clone(),
            count,
            gib,
            bought,
            follow: offer.free_form.map(|rules| rules.follow).unwrap_or_default(),
            in_mib: row.disk_mib_per_s.is_some(),
            options: self.catalogue.attach_options(&row.gates),
            tier: options.tier,
            performance_plus: options.performance_plus,
            on_demand_bursting: options.on_demand_bursting,
            shared_by: row.shared.map(|shared| shared.nodes),
            read_only: by.map(|by| by.read_only).filter(|read_only| *read_only != (0, 0)),
            zone_redundant: self.zone_redundant,
            host_cache,
            stripe_unit,
        };
        Ok((disks, all))
    }
}

/// Queue depths of reads and of writes. An older plan has one for both, which is enough for either.
fn depths(row: &VolumeRow) -> (u64, u64) {
    match (row.read_queue_depth, row.write_queue_depth) {
        (0, 0) => (row.queue_depth, row.queue_depth),
        both => both,
    }
}

fn demand(row: DemandRow) -> Demand {
    Demand {
        read_iops: row.read_iops,
        write_iops: row.write_iops,
        read: Throughput::bytes_per_second(row.read_bytes_per_s),
        write: Throughput::bytes_per_second(row.write_bytes_per_s),
    }
}
