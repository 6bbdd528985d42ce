//! From an offer and what was chosen for it to a disk of the model, or the reason why it cannot be bought so.
//!
//! Rules: a performance tier is not below the disk's own and at most P50 up to 4 TiB, P80 above; on-demand bursting is for
//! premium SSD above 512 GiB; a disk sized freely has IOPS and throughput within the bounds of its size. A disk set to a
//! tier bursts as that tier does.
//!
//! Source: the vendor's pages on disk bursting and on changing performance tiers, and the offer's own source; chapter
//! `docs/guide/catalogue.md`.
//!
//! Ignores: how often a change is allowed and how long it takes; billing.

use core::fmt;

use dw_demand::wishes::Ways;
use dw_stack::{DirectionLimits, DiskSpec, LimitSpec, UsageBase};
use dw_units::{Bytes, Iops, Throughput};

use crate::disk::{DiskFamily, DiskLimit, DiskOffer};
use crate::plan_keys::{PAID_BURSTS, PLUS};
use crate::vm::rate_spec;
use dw_vendor::latency::{self, LatencySetting};

/// What may be chosen about a disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiskOptions {
    /// A higher performance tier, for example `P50`.
    pub tier: Option<String>,
    /// Enables on-demand bursting.
    pub on_demand_bursting: bool,
    /// Enables performance plus.
    pub performance_plus: bool,
    /// The size: required for disks sized freely, else at most the offered one and above the next smaller one's.
    pub size: Option<Bytes>,
    /// Provisioned IOPS of a disk sized freely.
    pub iops: Option<Iops>,
    /// Provisioned throughput of a disk sized freely.
    pub throughput: Option<Throughput>,
    /// Where within the published latencies its service times are taken; nothing that can be bought.
    pub latency: LatencySetting,
}

/// A way to buy a disk that is switched on: what a person calls it, and what a planner asks of it.
#[derive(Debug, PartialEq, Eq)]
pub struct Way {
    /// The key of documents and scenario files.
    pub key: &'static str,
    /// The word of requirements.
    word: &'static str,
    /// Its name in a sentence.
    pub name: &'static str,
    /// Whether a disk at a performance tier may have it.
    pub with_tier: bool,
    /// Whether it is billed by use, so that what it costs is only known of a load over time.
    pub by_use: bool,
    switch: Switch,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Switch {
    PerformancePlus,
    OnDemandBursting,
}

static WAYS: [Way; 2] = [
    Way {
        key: "performance_plus",
        word: PLUS,
        name: "performance plus",
        with_tier: false,
        by_use: false,
        switch: Switch::PerformancePlus,
    },
    Way {
        key: "on_demand_bursting",
        word: PAID_BURSTS,
        name: "on-demand bursting",
        with_tier: true,
        by_use: true,
        switch: Switch::OnDemandBursting,
    },
];

impl Way {
    /// Whether it may be chosen.
    pub fn is_wished(&self, wished: &Ways) -> bool {
        wished.has(self.word)
    }
    /// Whether a disk is bought so.
    pub fn is_on(&self, options: &DiskOptions) -> bool {
        match self.switch {
            Switch::PerformancePlus => options.performance_plus,
            Switch::OnDemandBursting => options.on_demand_bursting,
        }
    }
    /// A disk that is bought so.
    pub fn options(&self) -> DiskOptions {
        match self.switch {
            Switch::PerformancePlus => DiskOptions { performance_plus: true, ..DiskOptions::default() },
            Switch::OnDemandBursting => DiskOptions { on_demand_bursting: true, ..DiskOptions::default() },
        }
    }
}

/// Why a disk cannot be bought like that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferError {
    /// The option, for example `tier`.
    pub option: &'static str,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub hint: String,
}

impl fmt::Display for OfferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for OfferError {}

impl From<OfferError> for dw_error::Error {
    fn from(error: OfferError) -> Self {
        let hint = error.hint.clone();
        dw_error::Error::of(dw_error::Kind::Input, error).hint(hint)
    }
}

fn refuse<T>(option: &'static str, what: String, hint: impl Into<String>) -> Result<T, OfferError> {
    Err(OfferError { option, what, hint: hint.into() })
}

/// What the disk is limited to once everything is chosen.
struct Chosen {
    iops: u64,
    throughput: u64,
    burst: Option<(u64, u64)>,
    usage_base: Option<UsageBase>,
}

impl Chosen {
    fn plain(limit: DiskLimit) -> Self {
        let (iops, throughput) = (limit.iops.get(), limit.throughput().get());
        Chosen { iops, throughput, burst: None, usage_base: None }
    }
    fn bursting(mut self, burst: Option<DiskLimit>) -> Self {
        self.burst = burst.map(|limit| (limit.iops.get(), limit.throughput().get()));
        self
    }
    fn limits(&self) -> LimitSpec {
        LimitSpec {
            iops: Some(rate_spec(self.iops, self.burst.map(|burst| burst.0))),
            throughput: Some(rate_spec(self.throughput, self.burst.map(|burst| burst.1))),
        }
    }
}

impl DiskOffer {
    /// The ways to buy it of which a source gives the limits.
    pub fn ways(&self) -> impl Iterator<Item = &'static Way> {
        WAYS.iter().filter(|way| match way.switch {
            Switch::PerformancePlus => self.performance_plus.is_some(),
            Switch::OnDemandBursting => self.on_demand.is_some(),
        })
    }

    /// As the model takes it, under `name` in reports.
    pub fn disk_spec(&self, name: &str, options: &DiskOptions) -> Result<DiskSpec, OfferError> {
        let size = self.chosen_size(options)?;
        let chosen = match self.base {
            Some(base) => self.fixed(base, size, options)?,
            None => self.free(size, options)?,
        };
        let model = latency::builtin(self.kind.latency_model);
        Ok(DiskSpec {
            name: name.to_string(),
            size,
            limits: chosen.limits(),
            io_unit: self.io_unit(),
            more: Vec::new(),
            read: model.read(options.latency).clone(),
            write: model.write(options.latency).clone(),
            usage_base: chosen.usage_base,
            first_touch: None,
            by_direction: DirectionLimits::default(),
        })
    }

    fn chosen_size(&self, options: &DiskOptions) -> Result<Bytes, OfferError> {
        match (options.size, self.fixed_size()) {
            (None, Some(size)) => Ok(size),
            (None, None) => {
                let what = format!("{} has no size of its own", self.sku);
                refuse("size", what, format!("give one from {} to {}", self.size.min, self.size.max))
            }
            (Some(size), fixed) if size < self.size.min || size > self.size.max => {
                let what = match fixed {
                    Some(_) => format!("a disk of {size} is not sold as {}", self.sku),
                    None => format!("{} cannot be {size}", self.sku),
                };
                refuse("size", what, format!("{} is from {} to {}", self.sku, self.size.min, self.size.max))
            }
            (Some(size), _) => Ok(size),
        }
    }

    fn fixed(&self, base: DiskLimit, size: Bytes, options: &DiskOptions) -> Result<Chosen, OfferError> {
        for (option, given) in [("iops", options.iops.is_some()), ("throughput", options.throughput.is_some())] {
            if given {
                let what = format!("{option} cannot be chosen for {}: its size determines them", self.sku);
                return refuse(option, what, "set a performance tier, take a larger disk, or premium SSD v2");
            }
        }
        self.refuse_combinations(options)?;
        if let Some(tier) = &options.tier {
            let tier = self.tier(tier)?;
            let chosen = Chosen::plain(tier.base);
            return self.with_on_demand(chosen, tier.credit_burst, size, options);
        }
        if options.performance_plus {
            return match self.performance_plus {
                Some(limit) => Ok(Chosen::plain(limit)),
                None if self.family() == Some(DiskFamily::StandardHdd) && size > Bytes::gib(512) => refuse(
                    "performance_plus",
                    format!("the effect of performance plus on {} is unknown", self.sku),
                    "no source has its figures for standard HDD (2026: at most 3,000 IOPS); omit it, or use E30 or larger",
                ),
                None => refuse(
                    "performance_plus",
                    format!("{} of edition {} has no performance plus", self.sku, self.edition),
                    "performance plus is for disks above 512 GiB: P30 and E30 upwards, edition 2023-03 and later",
                ),
            };
        }
        self.with_on_demand(Chosen::plain(base), self.credit_burst, size, options)
    }

    fn with_on_demand(
        &self,
        mut chosen: Chosen,
        credit_burst: Option<DiskLimit>,
        size: Bytes,
        options: &DiskOptions,
    ) -> Result<Chosen, OfferError> {
        if !options.on_demand_bursting {
            return Ok(chosen.bursting(credit_burst));
        }
        let Some(limit) = self.on_demand.filter(|_| size > Bytes::gib(512)) else {
            let what = format!("{} of edition {} has no on-demand bursting", self.sku, self.edition);
            let hint = match self.credit_burst {
                Some(_) => "it bursts on credits by default; on-demand bursting is for premium SSD above 512 GiB",
                None => "on-demand bursting is for premium SSD above 512 GiB, edition 2023-03 and later",
            };
            return refuse("on_demand_bursting", what, hint);
        };
        chosen.usage_base = Some(UsageBase { iops: chosen.iops, bytes_per_second: chosen.throughput });
        chosen.iops = chosen.iops.max(limit.iops.get());
        chosen.throughput = chosen.throughput.max(limit.throughput().get());
        Ok(chosen)
    }

    fn refuse_combinations(&self, options: &DiskOptions) -> Result<(), OfferError> {
        let with = |other: &str| format!("{}: performance plus together with {other} is not documented", self.sku);
        match (options.performance_plus, options.tier.is_some(), options.on_demand_bursting) {
            (true, true, _) => refuse("performance_plus", with("a performance tier"), "choose one of the two"),
            (true, _, true) => refuse("performance_plus", with("on-demand bursting"), "choose one of the two"),
            _ => Ok(()),
        }
    }

    fn tier(&self, asked: &str) -> Result<&crate::disk::Tier, OfferError> {
        if let Some(tier) = self.tiers.iter().find(|tier| tier.sku.eq_ignore_ascii_case(asked.trim())) {
            return Ok(tier);
        }
        let what = format!("{} cannot be set to tier `{asked}`", self.sku);
        match (self.tiers.first(), self.tiers.last()) {
            (Some(first), Some(last)) if self.tiers.len() > 1 => {
                let hint = format!(
                    "it supports {} to {}: not below its own, at most P50 up to 4 TiB and P80 above",
                    first.sku, last.sku
                );
                refuse("tier", what, hint)
            }
            _ => refuse("tier", what, "performance tiers are for premium SSD, edition 2023-03 and later"),
        }
    }

    fn free(&self, size: Bytes, options: &DiskOptions) -> Result<Chosen, OfferError> {
        for (option, given) in [
            ("tier", options.tier.is_some()),
            ("on_demand_bursting", options.on_demand_bursting),
            ("performance_plus", options.performance_plus),
        ] {
            if given {
                let what = format!("{} has no {}", self.sku, option.replace('_', " "));
                return refuse(option, what, "set its `iops` and `throughput` instead");
            }
        }
        let Some(rules) = self.free_form else {
            return refuse(
                "size",
                format!("{} has no limits in edition {}", self.sku, self.edition),
                "take another edition",
            );
        };
        let Some(iops) = options.iops.or(rules.free.map(|free| free.0)) else {
            let (min, max) = rules.iops_bounds(size);
            let what = format!("{} has no IOPS of its own", self.sku);
            return refuse("iops", what, format!("give {} to {} for {size}", min.get(), max.get()));
        };
        let (min, max) = rules.iops_bounds(size);
        if iops < min || iops > max {
            let what = format!("{} of {size} cannot have {iops}", self.sku);
            let per_gib = match rules.iops_min_per_gib {
                0 => format!("{} per GiB", rules.iops_per_gib),
                least => format!("{least} to {} per GiB, {} at least", rules.iops_per_gib, rules.iops_min.get()),
            };
            let hint = format!("from {} to {} ({per_gib})", min.get(), max.get());
            return refuse("iops", what, hint);
        }
        let free = rules.free.map(|free| Throughput::bytes_per_second(free.1 * rules.unit.bytes()));
        let (min, max) = rules.throughput_bounds(iops);
        let Some(throughput) = options.throughput.or(free) else {
            let what = format!("{} has no throughput of its own", self.sku);
            return refuse("throughput", what, format!("give {min} to {max} for {iops}"));
        };
        if throughput < min || throughput > max {
            let what = format!("{} with {iops} cannot have {throughput}", self.sku);
            let per_iops = match rules.bytes_min_per_iops {
                0 => rules.bytes_per_iops.to_string(),
                least => format!("{least} to {}", rules.bytes_per_iops),
            };
            let hint = format!("from {min} to {max} ({per_iops} B/s per IOPS)");
            return refuse("throughput", what, hint);
        }
        Ok(Chosen { iops: iops.get(), throughput: throughput.get(), burst: None, usage_base: None })
    }
}
