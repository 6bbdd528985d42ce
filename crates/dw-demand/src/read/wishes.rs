//! The keys that say what is wanted of a plan: read, checked against what is on offer, with the line of what is wrong.

use std::ops::{Deref, DerefMut, Range};

use dw_units::{Bytes, CacheMode, Duration};
use serde_spanned::Spanned;

use super::Reader;
use super::file::{LicenceFile, PriceFile, RequirementsFile, VolumeFile};
use crate::Offers;
use crate::kind::{Amount, Count, Kind, NumberOrText, write_count};
use crate::kpi::Kpi;
use crate::plan::{self, PlanFile};
use crate::vendor::{OwnFile, TRUE, VendorChoices};
use crate::wishes::{LatencyMax, Licence, OwnPrice, Role, Term, VolumeWishes, Wishes};

/// Disks of a stripe at most.
const DISKS_MAX: Count = Count { usual: VolumeWishes::DISKS_USUAL, from: 1, to: VolumeWishes::DISKS_MAX };

/// Cores that are paid at least.
const CORES: Count = Count { usual: 1, from: 1, to: 10_000 };
/// Nodes that a licence is paid for.
const NODES: Count = Count { usual: 1, from: 1, to: 1_000 };

/// What to write in place of a count that is none of these, by what stands before it in its file.
pub(super) fn range_of(before: &str) -> Option<String> {
    let key = before.rsplit('\n').next()?.trim_end().strip_suffix('=')?.trim();
    let range = match key {
        "disks_max" => DISKS_MAX.range(),
        "minimum" => CORES.range(),
        _ => plan::range(key),
    };
    range.map(write_count)
}

/// Reads wishes, which speak of what is on offer.
pub(crate) struct WishReader<'a> {
    pub(super) reader: Reader<'a>,
    pub(crate) offers: &'a dyn Offers,
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
        let wishes = plan::read(plan, self);
        if wishes.nodes < 2 {
            for volume in file.volumes.iter().map(Spanned::get_ref).filter(|volume| *volume.shared.get_ref()) {
                let what = "`shared = true` of a volume, and `nodes` is 1: nobody shares it";
                self.error(
                    volume.shared.span(),
                    what,
                    "write in [plan] how many `nodes` attach its disks, or leave `shared` out",
                );
            }
        }
        Wishes { volumes: file.volumes.iter().map(|v| self.volume_wishes(v.span(), v.get_ref())).collect(), ..wishes }
    }

    /// What keys of a vendor are, where they are not as usual.
    pub(crate) fn chosen(&mut self, plan: &PlanFile) -> VendorChoices {
        let mut chosen = VendorChoices::new();
        for (key, value) in &plan.others {
            let Some(own) = self.offers.vendor().find(key.get_ref()) else { continue };
            let word = match own.of_file(value) {
                Ok(OwnFile::Flag(is_set)) => is_set.then_some(TRUE),
                Ok(OwnFile::Word(word)) => self.word(own.key.name, &word, own.words, ""),
                // What is of another shape was told before.
                Err(_) => None,
            };
            if let Some(word) = word.filter(|word| own.words.first() != Some(word)) {
                chosen.insert(own.key.name, word);
            }
        }
        chosen
    }

    /// One of a few words; `or` is what else may be done about one that is none of these.
    pub(crate) fn word(
        &mut self,
        key: &str,
        written: &Spanned<String>,
        words: &[&'static str],
        or: &str,
    ) -> Option<&'static str> {
        let found = words.iter().find(|word| *word == written.get_ref()).copied();
        if found.is_none() {
            let all: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
            let (last, others) = all.split_last().map_or(("", &[][..]), |(last, others)| (last, others));
            let what = format!("`{key} = \"{}\"` is not known", written.get_ref());
            self.error(written.span(), what, format!("write {} or {last}{or}", others.join(", ")));
        }
        found
    }

    fn optional<T>(&mut self, key: &str, value: &Option<Spanned<String>>) -> Option<T>
    where
        T: std::str::FromStr<Err = dw_units::ParseQuantityError>,
    {
        value.as_ref().and_then(|value| self.quantity(key, value))
    }

    pub(crate) fn own_prices(&mut self, files: &[PriceFile]) -> Vec<OwnPrice> {
        let mut prices: Vec<OwnPrice> = Vec::new();
        for file in files {
            let Some(price) = self.own_price(file) else { continue };
            if prices.iter().any(|other| (&other.name, &other.meter) == (&price.name, &price.meter)) {
                let what = format!("`{}` has two prices of `meter = \"{}\"`", price.name, price.meter);
                self.error(file.name.span(), what, "keep one of the two");
            }
            prices.push(price);
        }
        prices
    }

    fn own_price(&mut self, price: &PriceFile) -> Option<OwnPrice> {
        let name = price.name.get_ref();
        if !self.offers.has(name) {
            let is_near_a_disk = dw_error::nearest(name, self.offers.disks()).is_some();
            let near = if is_near_a_disk { self.offers.disk_hint(name) } else { self.offers.vm_hint(name) };
            let hint = near.unwrap_or_else(|| "`diskwright catalogue list` shows all names".into());
            self.error(price.name.span(), format!("nothing in the catalogue matches `{name}`"), hint);
        }
        let meter = price.meter.as_ref().map_or("whole", |meter| meter.get_ref());
        if !self.offers.meters().contains(&meter) {
            let span = price.meter.as_ref().map_or(0..0, Spanned::span);
            let all: Vec<String> = self.offers.meters().iter().map(|meter| format!("`{meter}`")).collect();
            let all = all.join(", ");
            self.error(span, format!("`meter = \"{meter}\"` is not known"), format!("write one of {all}"));
        }
        let monthly_micros = Amount::micros("monthly", &price.monthly, self)?;
        Some(OwnPrice { name: name.clone(), meter: meter.to_string(), monthly_micros })
    }

    /// Of so many nodes.
    pub(crate) fn licences(&mut self, files: &[LicenceFile], nodes: u32) -> Vec<Licence> {
        let mut licences: Vec<Licence> = Vec::new();
        for file in files {
            let Some(licence) = self.licence(file) else { continue };
            if licences.iter().any(|other| other.name == licence.name) {
                let span = file.name.as_ref().map_or_else(|| file.price.span(), Spanned::span);
                let what = format!("two licences are called `{}`", licence.name);
                self.error(span, what, "give each its own `name`");
            }
            if let Some(paid) = file.nodes.as_ref().filter(|paid| *paid.get_ref() > nodes) {
                let what = format!("`nodes = {}` of a licence, and [plan] has `nodes = {nodes}`", paid.get_ref());
                let hint = format!("write at most {nodes}, or leave it out if each node needs a licence");
                self.error(paid.span(), what, hint);
            }
            licences.push(licence);
        }
        licences
    }

    fn licence(&mut self, file: &LicenceFile) -> Option<Licence> {
        if let Some(per) = file.per.as_ref().filter(|per| per.get_ref() != PER_CORE) {
            let what = format!("`per = \"{}\"`: a licence is counted by core, a vCPU of the VM size", per.get_ref());
            let hint = "write `per = \"core\"` with what one vCPU costs; licences by server, user or socket cost the same on \
                        every size: omit them, and subtract them from `cost_max`";
            self.error(per.span(), what, hint);
        }
        let written = file.price.get_ref();
        let (micros, every) = match price_of(written) {
            Ok(price) => price,
            Err(what) => {
                let hint = "write a number above zero and its time, for example `price = \"500 a month\"` or \
                            `price = \"6000 a year\"`; it is in the currency of the prices";
                self.error(file.price.span(), format!("`price = \"{written}\"` {what}"), hint);
                return None;
            }
        };
        Some(Licence {
            name: file.name.as_ref().map_or_else(|| Licence::NAME.into(), |name| name.get_ref().clone()),
            price_micros: micros,
            every,
            minimum: CORES.read_or("minimum", &file.minimum, self),
            nodes: file.nodes.as_ref().map(|_| NODES.read_or("nodes", &file.nodes, self)),
        })
    }

    fn volume_wishes(&mut self, span: Range<usize>, file: &VolumeFile) -> VolumeWishes {
        let capacity: Option<Bytes> = self.optional("capacity", &file.capacity);
        if file.capacity.is_none() && !self.may_lack_capacity {
            let hint = "write its capacity, for example `capacity = \"500 GiB\"`";
            self.error(span, format!("volume `{}` has no capacity", file.name.get_ref()), hint);
        }
        if let (Some(written), Some(capacity)) = (&file.capacity, capacity)
            && let Some((why, instead)) = VolumeWishes::no_capacity(written.get_ref(), capacity)
        {
            let what = format!("`capacity = \"{}\"` {why}", written.get_ref());
            self.error(written.span(), what, format!("did you mean `capacity = \"{instead}\"`?"));
        }
        let kpi = file.kpi.as_ref().and_then(|name| Kpi::named(name.get_ref()));
        let role = self.role(&file.role, kpi.map_or(Role::Data, Kpi::role));
        let local_disk = *file.local_disk.get_ref();
        if local_disk && role == Role::Os {
            self.error(
                file.local_disk.span(),
                "`local_disk = true` of an operating system, which no VM can start from its local disk",
                "leave `local_disk` out, or write another `role` if the volume is lost with the local disk",
            );
        }
        let host_cache = self.cache_wishes(role, local_disk, &file.host_cache);
        let shared = *file.shared.get_ref();
        let refused = match role {
            _ if !shared => None,
            Role::Os => Some("of an operating system, which is that of one VM"),
            _ if local_disk => Some("and `local_disk = true`: a local disk is that of one VM"),
            _ if !host_cache.contains(&CacheMode::None) => {
                Some("and no host cache in `host_cache`, which shared disks cannot have")
            }
            _ => None,
        };
        if let Some(why) = refused {
            let hint = "leave `shared` out, or what stands against it";
            self.error(file.shared.span(), format!("`shared = true` {why}"), hint);
        }
        let mut wishes = VolumeWishes {
            capacity: capacity.unwrap_or(Bytes::ZERO),
            role,
            host_cache,
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
            after_reboot_latency_max: self.longest("after_reboot_latency_max", &file.after_reboot_latency_max),
            after_reboot_share_min: self.share("after_reboot_share_min", &file.after_reboot_share_min, 100.0),
            growth_percent_per_year: self.share("growth_percent_per_year", &file.growth_percent_per_year, 1e4),
            capacity_growth_percent_per_year: self.share(
                "capacity_growth_percent_per_year",
                &file.capacity_growth_percent_per_year,
                1e4,
            ),
            local_disk,
            shared,
            disks_max: file.disks_max.as_ref().map(|_| DISKS_MAX.read_or("disks_max", &file.disks_max, self)),
            stripe_unit: self.stripe_unit(&file.stripe_unit),
            kpi: None,
            deeper: [0; 2],
        };
        if let Some(kpi) = kpi {
            kpi.give_wishes(file.has_load(), &mut wishes);
        }
        wishes
    }

    /// So many percent.
    fn share(&mut self, key: &str, written: &Option<Spanned<NumberOrText>>, most: f64) -> Option<f64> {
        written.as_ref().and_then(|written| self.percent(key, written, (0.0, most)))
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
            let hint = format!("write the longest acceptable latency, for example `{key} = \"2 ms\"`, or omit it");
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

    fn role(&mut self, word: &Option<Spanned<String>>, usual: Role) -> Role {
        let Some(word) = word else { return usual };
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
        if let (Bytes::ZERO, Some(text)) = (size, text) {
            let what = format!("`working_set = \"{}\"` is zero, so that every cache serves every read", text.get_ref());
            self.error(
                text.span(),
                what,
                "write the size of the data that is read repeatedly, or omit it to plan without cache hits",
            );
        }
        if let (Some(capacity), Some(text)) = (capacity.filter(|capacity| size > *capacity), text) {
            let what = format!("`working_set = \"{size}\"` is more than the volume holds, `capacity = \"{capacity}\"`");
            let hint = "write the size of the data that is read repeatedly, or a larger `capacity`";
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
                Ok(mode) => match self.offers.refuses_cache(role, mode) {
                    Some([what, hint]) => self.error(word.span(), what, hint),
                    None => wishes.push(mode),
                },
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
            let percent = self.percent("percent", &point.percent, (0.0, 100.0));
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
                "`hit_curve` and `working_set` describe the same thing",
                "keep the curve: it was measured",
            );
        }
        curve
    }
}

/// By what licences are counted.
pub(crate) const PER_CORE: &str = "core";

/// `6000 a year`, `1,250.50 per month`: millionths, and the time that they are for; or what is wrong with it.
fn price_of(text: &str) -> Result<(u64, Term), &'static str> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',')).unwrap_or(text.len());
    let (number, time) = (&text[..end], text[end..].trim());
    let (whole, parts) = number.split_once('.').map_or((number, ""), |(whole, parts)| (whole, parts));
    let mut groups = whole.split(',');
    let is_grouped =
        groups.next().is_some_and(|first| (1..=3).contains(&first.len())) && groups.all(|group| group.len() == 3);
    if parts.contains(',') || whole.contains(',') && !is_grouped {
        return Err("has a comma that does not separate thousands");
    }
    let number: f64 = number.replace(',', "").parse().map_err(|_| "does not begin with a number")?;
    let micros = (number * 1e6).round() as u64;
    if micros == 0 || number >= 1e9 {
        return Err("is not a price");
    }
    let time = ["a ", "per ", "/"].iter().find_map(|word| time.strip_prefix(word)).unwrap_or(time).trim();
    match time {
        "month" | "monthly" => Ok((micros, Term::Month)),
        "year" | "yearly" => Ok((micros, Term::Year)),
        "" => Err("lacks its period"),
        _ => Err("has an unknown period"),
    }
}
