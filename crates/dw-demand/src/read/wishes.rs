//! The keys that say what is wanted of a plan: read, checked against what is on offer, with the line of what is wrong.

use std::ops::{Deref, DerefMut, Range};

use dw_units::{Bytes, CacheMode, Duration};
use serde_spanned::Spanned;

use super::Reader;
use super::file::{PlanFile, PriceFile, RequirementsFile, VolumeFile};
use crate::wishes::{DiskChoices, LatencyMax, OverTime, OwnPrice, Role, VolumeWishes, Wishes};
use crate::{LatencySetting, Offers};

const REGION: &str = Wishes::REGION;
/// A stripe takes at most so many disks, as no VM size takes more.
const DISKS_MAX: u32 = VolumeWishes::DISKS_MAX;

/// Counts by their key, with the least and the most that they may be.
const COUNTS: [(&str, u32, u32); 4] =
    [("nodes", 1, 1_000), ("horizon_years", 0, 30), ("years", 0, 30), ("disks_max", 1, DISKS_MAX)];

/// What to write in place of a count that is none of these, by what stands before it in its file.
pub(super) fn range_of(before: &str) -> Option<String> {
    let line = before.rsplit('\n').next()?.trim_end().strip_suffix('=')?.trim();
    let &(_, low, high) = COUNTS.iter().find(|(key, ..)| *key == line)?;
    Some(write_count(low, high))
}

fn write_count(low: u32, high: u32) -> String {
    format!("write a whole number from {low} to {high}")
}

/// Reads wishes, which speak of what is on offer.
pub(super) struct WishReader<'a> {
    pub(super) reader: Reader<'a>,
    pub(super) offers: &'a dyn Offers,
    /// Whether a volume may leave out what it must hold.
    pub(super) may_lack_capacity: bool,
}

impl<'a> Deref for WishReader<'a> {
    type Target = Reader<'a>;

    fn deref(&self) -> &Reader<'a> {
        &self.reader
    }
}

impl DerefMut for WishReader<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.reader
    }
}

impl WishReader<'_> {
    pub(super) fn wishes(&mut self, file: &RequirementsFile) -> Wishes {
        let none = PlanFile::default();
        let plan = file.plan.as_ref().map_or(&none, |plan| plan.get_ref());
        if file.volumes.is_empty() {
            self.error(
                0..0,
                "there is no volume",
                "write a [[volume]] with its demand; `diskwright observe --format toml` does",
            );
        }
        Wishes {
            region: self.region(plan),
            zone: self.zone(plan),
            reserved_years: self.reserved_years(&plan.reservation),
            edition: self.edition(&plan.edition),
            prices: plan.prices.as_ref().map(|prices| prices.get_ref().clone()),
            latency: self.latency(&plan.latency),
            percentile: self.percent("percentile", &plan.percentile, 99.0, (50.0, 100.0)),
            over_time: self.over_time(&plan.over_time),
            rates_reserve: 0,
            headroom_percent: self.percent(
                "headroom_percent",
                &plan.headroom_percent,
                Wishes::HEADROOM_PERCENT,
                (0.0, 90.0),
            ),
            capacity_headroom_percent: self.percent(
                "capacity_headroom_percent",
                &plan.capacity_headroom_percent,
                Wishes::CAPACITY_HEADROOM_PERCENT,
                (0.0, 90.0),
            ),
            comfort_factor: self.percent("comfort_factor", &plan.comfort_factor, 1.0, (1.0, 10.0)),
            windows: self.windows(&plan.os),
            nodes: self.count("nodes", &plan.nodes, 1),
            currency: self.currency(plan),
            filesystem_overhead_percent: self.percent(
                "filesystem_overhead_percent",
                &plan.filesystem_overhead_percent,
                0.0,
                (0.0, 50.0),
            ),
            zone_redundant: self.zone_redundant(&plan.redundancy),
            disk_options: self.disk_options(&plan.disk_options),
            spinning_disks: plan.standard_hdd,
            indifference_percent: self.percent(
                "indifference_percent",
                &plan.indifference_percent,
                Wishes::INDIFFERENCE_PERCENT,
                (0.0, 100.0),
            ),
            arm: plan.arm,
            burstable: plan.burstable,
            confidential: plan.confidential,
            horizon_years: self.count("horizon_years", &plan.horizon_years, Wishes::HORIZON_YEARS),
            cpu_percent: self.percent("cpu_percent", &plan.cpu_percent, Wishes::CPU_PERCENT, (1.0, 100.0)),
            bursting: plan.bursting,
            separate_uncached: self.separate_uncached(&plan.uncached_sharing),
            growth_percent_per_year: self.percent(
                "growth_percent_per_year",
                &plan.growth_percent_per_year,
                0.0,
                (0.0, 1e4),
            ),
            capacity_growth_percent_per_year: self.percent(
                "capacity_growth_percent_per_year",
                &plan.capacity_growth_percent_per_year,
                0.0,
                (0.0, 1e4),
            ),
            years: self.count("years", &plan.years, 0),
            vms: self.patterns("VM size", &plan.vms),
            not_vms: self.patterns("VM size", &plan.not_vms),
            disks: self.patterns("disk", &plan.disks),
            not_disks: self.patterns("disk", &plan.not_disks),
            vcpu_min: plan.vcpu_min,
            memory_min: self.optional("memory_min", &plan.memory_min).unwrap_or(Bytes::ZERO),
            cost_max_micros: plan.cost_max.as_ref().and_then(|cost| self.micros("cost_max", cost)),
            own_prices: plan.price.iter().filter_map(|price| self.own_price(price)).collect(),
            volumes: file.volumes.iter().map(|v| self.volume_wishes(v.span(), v.get_ref())).collect(),
        }
    }

    fn region(&mut self, plan: &PlanFile) -> String {
        let Some(region) = &plan.region else { return REGION.into() };
        let plain = |text: &str| text.replace(' ', "").to_lowercase();
        let known = self.offers.regions();
        match known.iter().find(|known| plain(known) == plain(region.get_ref())) {
            Some(known) => known.to_string(),
            None => {
                let what = format!("no price is known in region `{}`", region.get_ref());
                let hint = self.offers.region_hint(region.get_ref());
                self.error(region.span(), what, hint);
                REGION.into()
            }
        }
    }

    /// A zone of which nothing is known is not a zone that anything may be planned for.
    fn zone(&mut self, plan: &PlanFile) -> Option<String> {
        let zone = plan.zone.as_ref()?;
        let region = plan.region.as_ref().map_or(REGION, |region| region.get_ref());
        let asked = zone.get_ref();
        match self.offers.zones(region) {
            None => {
                let what = format!(
                    "`zone = \"{asked}\"`: the catalogue does not know which sizes {region} offers in which zone"
                );
                let hint = format!(
                    "`az vm list-skus --location {} --all -o json > skus.json`, then `diskwright catalogue import skus.json`",
                    region.replace(' ', "").to_lowercase()
                );
                self.error(zone.span(), what, hint);
            }
            Some(known) if !known.contains(asked) => {
                let what = format!("`zone = \"{asked}\"`: no VM size is offered there in {region}");
                let hint = match known.is_empty() {
                    true => format!("{region} has no zones: leave it out"),
                    false => format!("its zones are {}", known.join(", ")),
                };
                self.error(zone.span(), what, hint);
            }
            Some(_) => {}
        }
        Some(asked.clone())
    }

    fn reserved_years(&mut self, word: &Option<Spanned<String>>) -> Option<u32> {
        let word = word.as_ref()?;
        match word.get_ref().as_str() {
            "1y" => Some(1),
            "3y" => Some(3),
            other => {
                let what = format!("`reservation = \"{other}\"` is not known");
                self.error(word.span(), what, "write `1y` or `3y`, or leave it out to pay as you go");
                None
            }
        }
    }

    fn windows(&mut self, word: &Option<Spanned<String>>) -> bool {
        let Some(word) = word else { return false };
        if !["linux", "windows"].contains(&word.get_ref().as_str()) {
            let what = format!("`os = \"{}\"` is not known", word.get_ref());
            self.error(word.span(), what, "write `linux` or `windows`");
        }
        word.get_ref() == "windows"
    }

    /// A currency without a price would leave nothing on offer.
    fn currency(&mut self, plan: &PlanFile) -> Option<String> {
        let asked = plan.currency.as_ref()?;
        let known = self.offers.currencies();
        if !known.contains(&asked.get_ref().as_str()) {
            let word = asked.get_ref();
            let what =
                format!("`currency = \"{word}\"`: the catalogue has no price in it, only in {}", known.join(", "));
            let hint = format!("write `currency = \"{}\"`, or leave it out", known.join("\", \""));
            self.error(asked.span(), what, hint);
        }
        Some(asked.get_ref().clone())
    }

    fn zone_redundant(&mut self, word: &Option<Spanned<String>>) -> bool {
        let Some(word) = word else { return false };
        match word.get_ref().as_str() {
            "local" => false,
            "zone" => true,
            other => {
                self.error(word.span(), format!("`redundancy = \"{other}\"` is not known"), "write `local` or `zone`");
                false
            }
        }
    }

    fn disk_options(&mut self, words: &Option<Vec<Spanned<String>>>) -> DiskChoices {
        let Some(words) = words else { return DiskChoices::ALL };
        for word in words.iter().filter(|word| !DiskChoices::WORDS.contains(&word.get_ref().as_str())) {
            let what = format!("`{}` is not a way to buy a disk", word.get_ref());
            let all = DiskChoices::WORDS.map(|word| format!("`{word}`")).join(", ");
            self.error(word.span(), what, format!("write one of {all}"));
        }
        let [tier, performance_plus, on_demand_bursting] =
            DiskChoices::WORDS.map(|known| words.iter().any(|word| word.get_ref() == known));
        DiskChoices { tier, performance_plus, on_demand_bursting }
    }

    fn separate_uncached(&mut self, word: &Option<Spanned<String>>) -> bool {
        match word.as_ref().map(|word| word.get_ref().as_str()) {
            None | Some("shared") => false,
            Some("separate") => true,
            Some(other) => {
                let what = format!("`uncached_sharing = \"{other}\"` is not known");
                let span = word.as_ref().map(Spanned::span).unwrap_or_default();
                self.error(span, what, "write `shared` or `separate`");
                false
            }
        }
    }

    fn edition(&mut self, edition: &Option<Spanned<String>>) -> Option<String> {
        let edition = edition.as_ref()?;
        let known = self.offers.editions();
        if !known.contains(&edition.get_ref().as_str()) {
            let what = format!("there is no edition `{}`", edition.get_ref());
            self.error(edition.span(), what, format!("editions: {}", known.join(", ")));
        }
        Some(edition.get_ref().clone())
    }

    fn percent(&mut self, key: &str, value: &Option<Spanned<f64>>, absent: f64, (low, high): (f64, f64)) -> f64 {
        let Some(value) = value else { return absent };
        let n = *value.get_ref();
        if !(low..=high).contains(&n) {
            let what = format!("`{key} = {n}` is out of range");
            self.error(value.span(), what, format!("write a number from {low} to {high}"));
        }
        n
    }

    fn count(&mut self, key: &str, value: &Option<Spanned<u32>>, absent: u32) -> u32 {
        let Some(value) = value else { return absent };
        let n = *value.get_ref();
        let (low, high) = COUNTS.iter().find(|count| count.0 == key).map_or((0, u32::MAX), |count| (count.1, count.2));
        if !(low..=high).contains(&n) {
            let what = format!("`{key} = {n}` is out of range");
            self.error(value.span(), what, write_count(low, high));
        }
        n
    }

    fn over_time(&mut self, word: &Option<Spanned<String>>) -> OverTime {
        match word.as_ref().map(|word| word.get_ref().as_str()) {
            None | Some("joint") => OverTime::Joint,
            Some("per-dimension") => OverTime::PerDimension,
            Some(other) => {
                let span = word.as_ref().map_or(0..0, Spanned::span);
                self.error(span, format!("`over_time = \"{other}\"` is not known"), "write `joint` or `per-dimension`");
                OverTime::Joint
            }
        }
    }

    fn latency(&mut self, word: &Option<Spanned<String>>) -> LatencySetting {
        let Some(word) = word else { return LatencySetting::default() };
        word.get_ref().parse().unwrap_or_else(|_| {
            let what = format!("`latency = \"{}\"` is not known", word.get_ref());
            self.error(word.span(), what, "write `optimistic`, `typical` or `cautious`");
            LatencySetting::default()
        })
    }

    /// Each pattern must fit something: one that fits nothing is a slip of the hand.
    fn patterns(&mut self, what: &str, patterns: &[Spanned<String>]) -> Vec<String> {
        let names = match what {
            _ if patterns.is_empty() => Vec::new(),
            "disk" => self.offers.disks(),
            _ => self.offers.vms(),
        };
        for pattern in patterns {
            if !names.iter().any(|name| self.offers.fits(pattern.get_ref(), name)) {
                let list = if what == "disk" { "--disks" } else { "--vm" };
                let hint = format!("`diskwright catalogue list {list}` shows them all; `*` stands for any letters");
                self.error(pattern.span(), format!("no {what} is called `{}`", pattern.get_ref()), hint);
            }
        }
        patterns.iter().map(|pattern| pattern.get_ref().clone()).collect()
    }

    fn optional<T>(&mut self, key: &str, value: &Option<Spanned<String>>) -> Option<T>
    where
        T: std::str::FromStr<Err = dw_units::ParseQuantityError>,
    {
        value.as_ref().and_then(|value| self.quantity(key, value))
    }

    fn micros(&mut self, key: &str, value: &Spanned<f64>) -> Option<u64> {
        let n = *value.get_ref();
        if n > 0.0 && n < 1e12 {
            return Some((n * 1e6).round() as u64);
        }
        self.error(
            value.span(),
            format!("`{key} = {n}` is not a price"),
            "write an amount above zero, for example `135.17`",
        );
        None
    }

    fn own_price(&mut self, price: &PriceFile) -> Option<OwnPrice> {
        let name = price.name.get_ref();
        if !self.offers.has(name) {
            let hint = "`diskwright catalogue list` shows the names of all VM sizes and disks";
            self.error(price.name.span(), format!("nothing in the catalogue is called `{name}`"), hint);
        }
        let meter = price.meter.as_ref().map_or("whole", |meter| meter.get_ref());
        if !self.offers.meters().contains(&meter) {
            let span = price.meter.as_ref().map_or(0..0, Spanned::span);
            let all: Vec<String> = self.offers.meters().iter().map(|meter| format!("`{meter}`")).collect();
            let all = all.join(", ");
            self.error(span, format!("`meter = \"{meter}\"` is not known"), format!("write one of {all}"));
        }
        let monthly_micros = self.micros("monthly", &price.monthly)?;
        Some(OwnPrice { name: name.clone(), meter: meter.to_string(), monthly_micros })
    }

    fn volume_wishes(&mut self, span: Range<usize>, file: &VolumeFile) -> VolumeWishes {
        let capacity: Option<Bytes> = self.optional("capacity", &file.capacity);
        if file.capacity.is_none() && !self.may_lack_capacity {
            let hint = "write what it must hold, for example `capacity = \"500 GiB\"`";
            self.error(span, format!("volume `{}` has no capacity", file.name.get_ref()), hint);
        }
        let role = self.role(&file.role);
        let local_disk = *file.local_disk.get_ref();
        if local_disk && role == Role::Os {
            self.error(
                file.local_disk.span(),
                "`local_disk = true` of an operating system, which no VM can start from its local disk",
                "leave `local_disk` out, or write another `role` if the volume is lost with the local disk",
            );
        }
        VolumeWishes {
            capacity: capacity.unwrap_or(Bytes::ZERO),
            role,
            host_cache: self.cache_wishes(role, local_disk, &file.host_cache),
            working_set: self.working_set(&file.working_set, capacity),
            hit_curve: self.hit_curve(file),
            read_latency_max: self.latency_max([
                ("read_latency_max", &file.read_latency_max),
                ("read_latency_p95_max", &file.read_latency_p95_max),
                ("read_latency_p99_max", &file.read_latency_p99_max),
            ]),
            write_latency_max: self.latency_max([
                ("write_latency_max", &file.write_latency_max),
                ("write_latency_p95_max", &file.write_latency_p95_max),
                ("write_latency_p99_max", &file.write_latency_p99_max),
            ]),
            sync_latency_p99_max: self.longest("sync_latency_p99_max", &file.sync_latency_p99_max),
            local_disk,
            disks_max: self.count("disks_max", &file.disks_max, DISKS_MAX),
            stripe_unit: self.stripe_unit(&file.stripe_unit),
            deeper: [0; 2],
        }
    }

    /// The mean, the 95th and the 99th percentile.
    fn latency_max(&mut self, keys: [(&str, &Option<Spanned<String>>); 3]) -> LatencyMax {
        let [mean, p95, p99] = keys.map(|(key, text)| self.longest(key, text));
        LatencyMax { mean, p95, p99, ..LatencyMax::default() }
    }

    /// The longest that a request may take.
    fn longest(&mut self, key: &str, text: &Option<Spanned<String>>) -> Option<Duration> {
        let most = self.optional::<Duration>(key, text);
        if let (Some(Duration::ZERO), Some(text)) = (most, text) {
            let what = format!("`{key} = \"{}\"` is zero, and every request takes some time", text.get_ref());
            let hint = format!("write the longest that will do, for example `{key} = \"2 ms\"`, or leave it out");
            self.error(text.span(), what, hint);
        }
        most
    }

    fn stripe_unit(&mut self, text: &Option<Spanned<String>>) -> Option<Bytes> {
        let unit: Bytes = self.optional("stripe_unit", text)?;
        if !self.offers.is_stripe_unit(unit) {
            let span = text.as_ref().map_or(0..0, Spanned::span);
            self.error(
                span,
                format!("`stripe_unit = \"{unit}\"` is not a power of two from 4 KiB to 1 GiB"),
                "write for example `64 KiB`",
            );
        }
        Some(unit)
    }

    fn role(&mut self, word: &Option<Spanned<String>>) -> Role {
        let Some(word) = word else { return Role::Data };
        match Role::ALL.into_iter().find(|role| role.word() == word.get_ref()) {
            Some(role) => role,
            None => {
                let all = Role::ALL.map(|role| format!("`{}`", role.word())).join(", ");
                self.error(
                    word.span(),
                    format!("`role = \"{}\"` is not known", word.get_ref()),
                    format!("write one of {all}"),
                );
                Role::Data
            }
        }
    }

    /// What is touched again is a part of what the volume holds.
    fn working_set(&mut self, text: &Option<Spanned<String>>, capacity: Option<Bytes>) -> Option<Bytes> {
        let size: Bytes = self.optional("working_set", text)?;
        if let (Some(capacity), Some(text)) = (capacity.filter(|capacity| size > *capacity), text) {
            let what = format!("`working_set = \"{size}\"` is more than the volume holds, `capacity = \"{capacity}\"`");
            let hint = "write the part of it that is read again and again, or a larger `capacity`";
            self.error(text.span(), what, hint);
        }
        Some(size)
    }

    /// By role where nothing is said. An empty list leaves the local disk alone, where that is allowed.
    fn cache_wishes(
        &mut self,
        role: Role,
        local_disk: bool,
        list: &Option<Spanned<Vec<Spanned<String>>>>,
    ) -> Vec<CacheMode> {
        let Some(list) = list else { return role.cache_modes() };
        if list.get_ref().is_empty() && !local_disk {
            let hint = "write `host_cache = [\"None\"]` for a volume without a host cache, or leave the key out";
            self.error(list.span(), "`host_cache = []` leaves no setting that the volume could have", hint);
        }
        let mut wishes = Vec::new();
        for word in list.get_ref() {
            match word.get_ref().parse() {
                Ok(CacheMode::ReadWrite) if role == Role::Log => {
                    let what = "a log must not be cached ReadWrite: what is not flushed is lost when the host fails";
                    self.error(word.span(), what, "write `None`, or another role");
                }
                Ok(mode) => wishes.push(mode),
                Err(e) => {
                    let what = format!("`{}` is not a host-cache setting", word.get_ref());
                    self.error(word.span(), what, e.to_string());
                }
            }
        }
        wishes
    }

    fn hit_curve(&mut self, file: &VolumeFile) -> Vec<(Bytes, f64)> {
        let Some(list) = &file.hit_curve else { return Vec::new() };
        let mut curve: Vec<(Bytes, f64)> = Vec::new();
        for point in list.get_ref() {
            let cache: Option<Bytes> = self.quantity("cache", &point.cache);
            let percent = self.number("percent", &point.percent, 100.0);
            if let (Some(cache), Some(percent)) = (cache, percent) {
                curve.push((cache, percent));
            }
        }
        let grows = |w: &[(Bytes, f64)]| w[0].0 < w[1].0 && w[0].1 <= w[1].1;
        if !curve.windows(2).all(grows) || curve.first().is_some_and(|point| point.0 == Bytes::ZERO) {
            let hint = "write larger caches later, none of 0 bytes; a larger one never hits less";
            self.error(list.span(), "`hit_curve` does not grow", hint);
        }
        if file.working_set.is_some() {
            self.error(
                list.span(),
                "`hit_curve` and `working_set` say the same twice",
                "keep the curve: it was measured",
            );
        }
        curve
    }
}
