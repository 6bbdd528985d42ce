//! From what is bought of a volume to a disk of the model, or the rule that refuses it.
//!
//! ```text
//! gp2      IOPS = clamp(3 · GiB, 100, 16,000); 3,000 while 5.4 M credits last; 128 MiB/s up to 170 GiB, 250 above
//! gp3      IOPS ≤ min(80,000, max(3,000, 500 · GiB)); MiB/s ≤ min(2,000, IOPS / 4)
//! io1      MiB/s = min(500, IOPS / 4) up to 32,000 IOPS, IOPS · 16 KiB above
//! io2      MiB/s = min(4,000, 0.256 · IOPS)
//! st1 sc1  MiB/s = TiB · base, TiB · peak while credits of one byte per byte of size last; an I/O costs 1 MiB at least
//! ```
//!
//! SSD kinds count an I/O as ⌈bytes / 256 KiB⌉ and merge what is sequential up to that; hard disks do with 1 MiB. gp2 has no second
//! bucket: without credits its base times 256 KiB is the throughput.
//!
//! Source: `kinds.rs` names one a row.
//!
//! Ignores: that a volume gives 90 % of its IOPS 99 % of a year; how reads
//! and writes share a hard disk, which no page says. A page of 2020 (AWS knowledge center) has hard disks merge only what is larger than
//! 32 KiB; the guide names no such bound, and none is taken here.

use core::fmt;

use dw_stack::{Accounting, BurstSpec, CreditSpec, DirectionLimits, DiskSpec, Limit, LimitSpec, Quantity, RateSpec};
use dw_units::{Bytes, Iops, Throughput};
use dw_vendor::latency::{self, LatencySetting};

use crate::instances::Hypervisor;
use crate::kinds::{self, Bought, Rule, VolumeKind};

/// What is bought of a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Volume {
    pub kind: &'static VolumeKind,
    pub gib: u64,
    /// Of kinds whose IOPS are bought: bought or included.
    pub iops: Option<u64>,
    /// MiB/s of kinds whose throughput is bought: bought or included.
    pub mib: Option<u64>,
}

/// What may be said of a volume.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    pub size: Option<Bytes>,
    pub iops: Option<Iops>,
    pub throughput: Option<Throughput>,
}

/// Why a volume cannot be had so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The key at fault: `size`, `iops`, `throughput` or `sku`.
    pub key: &'static str,
    /// The rule that is broken, with its source.
    pub what: String,
    pub hint: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Refusal {}

/// GiB of a TiB.
const TIB: u64 = 1_024;
const MIB: u64 = 1 << 20;

impl Volume {
    /// A volume as it is asked for, within the bounds of its kind.
    pub fn new(kind: &'static VolumeKind, asked: &Asked) -> Result<Volume, Refusal> {
        let gib = kind.gib_of(asked.size)?;
        let chosen = match &kind.rule {
            Rule::Bought(bought) => {
                let iops = kind.iops_of(bought, gib, asked.iops)?;
                (Some(iops), kind.mib_of(bought, iops, asked.throughput)?)
            }
            _ => {
                for (key, is_given) in [("iops", asked.iops.is_some()), ("throughput", asked.throughput.is_some())] {
                    if is_given {
                        return kind.refuse(
                            key,
                            format!("the {key} of {} cannot be bought: its size determines it", kind.id),
                            "remove it, or take gp3, io2",
                        );
                    }
                }
                (None, None)
            }
        };
        Ok(Volume { kind, gib, iops: chosen.0, mib: chosen.1 })
    }

    /// Whether it can be attached to such an instance.
    pub fn fits(&self, hypervisor: Hypervisor) -> Result<(), Refusal> {
        let (Rule::Bought(bought), Some(iops)) = (&self.kind.rule, self.iops) else { return Ok(()) };
        if hypervisor != Hypervisor::Xen {
            return Ok(());
        }
        match bought.iops_off_nitro {
            Some(most) if iops > most => self.kind.refuse(
                "iops",
                format!(
                    "{} has at most {most} IOPS on an instance without Nitro, and this one has {iops}",
                    self.kind.id
                ),
                format!("write at most {most}, or take a Nitro instance"),
            ),
            _ => Ok(()),
        }
    }

    /// Sustained I/Os a second; absent where no source says.
    pub fn base_iops(&self) -> Option<u64> {
        match &self.kind.rule {
            Rule::Size(rule) => Some((self.gib * rule.iops_per_gib).clamp(rule.iops.0, rule.iops.1)),
            Rule::Bought(_) => self.iops,
            Rule::Bytes(rule) => Some(rule.iops),
            Rule::Unknown(_) => None,
        }
    }

    /// I/Os a second while credits last, where they are more than the base.
    pub fn burst_iops(&self) -> Option<u64> {
        let Rule::Size(rule) = &self.kind.rule else { return None };
        self.base_iops().filter(|base| *base < rule.burst_iops).map(|_| rule.burst_iops)
    }

    /// The most bytes per second for good, whatever the credits; absent where no source says.
    pub fn base_throughput(&self) -> Option<Throughput> {
        match &self.kind.rule {
            Rule::Size(_) => {
                let by_iops = self.base_iops()? * self.kind.unit.get();
                Some(self.peak_throughput()?.min(Throughput::bytes_per_second(by_iops)))
            }
            Rule::Bytes(rule) => Some(Throughput::bytes_per_second(by_tib(self.gib, rule.base))),
            Rule::Bought(_) | Rule::Unknown(_) => self.peak_throughput(),
        }
    }

    /// The most bytes per second, with credits.
    pub fn peak_throughput(&self) -> Option<Throughput> {
        let bytes = match &self.kind.rule {
            Rule::Size(rule) => (if self.gib <= rule.mib.0 { rule.mib.1 } else { rule.mib.2 }) * MIB,
            Rule::Bytes(rule) => by_tib(self.gib, rule.peak),
            Rule::Bought(bought) => bytes_of(bought, self.iops?, self.mib),
            Rule::Unknown(_) => return None,
        };
        Some(Throughput::bytes_per_second(bytes))
    }

    /// Size of its bucket, in I/Os or in bytes; absent where nothing bursts.
    pub fn credits(&self) -> Option<u64> {
        match &self.kind.rule {
            Rule::Size(rule) => self.burst_iops().map(|_| rule.credits),
            Rule::Bytes(rule) if by_tib(self.gib, rule.base) < by_tib(self.gib, rule.peak) => Some(self.gib << 30),
            _ => None,
        }
    }

    /// All limits of it.
    fn limits(&self) -> Option<(LimitSpec, Vec<Limit>)> {
        let accounting = Accounting { unit: Some(self.kind.unit), merge: Some(self.kind.unit), ..Accounting::PLAIN };
        let credits = |peak: u64| self.credits().map(|size| CreditSpec { size, peak, top_up: None, level: None });
        let limit = |quantity, rate, credits, accounting| Limit { quantity, rate, depth: 0, credits, accounting };
        let bytes = RateSpec::plain(self.base_throughput()?.get());
        let burst = self.burst_iops().and_then(credits);
        let ios = limit(Quantity::Iops, self.base_iops()?, burst, accounting);
        Some(match &self.kind.rule {
            Rule::Bytes(_) => {
                let floored = Accounting { floor: Some(self.kind.unit), ..accounting };
                let credits = credits(self.peak_throughput()?.get());
                let bytes = limit(Quantity::Throughput, bytes.rate, credits, floored);
                (LimitSpec::default(), vec![ios, bytes])
            }
            _ => {
                let bytes = RateSpec::plain(self.peak_throughput()?.get());
                (LimitSpec { iops: None, throughput: Some(bytes) }, vec![ios])
            }
        })
    }

    /// I/Os and bytes per second with their credits, whatever an I/O counts as; absent where no source says.
    pub fn rates(&self) -> Option<[RateSpec; 2]> {
        let (plain, more) = self.limits()?;
        let of = |quantity: Quantity| {
            let limit = more.iter().find(|limit| limit.quantity == quantity)?;
            let burst = limit.credits.as_ref().map(|own| BurstSpec { rate: own.peak, credits: own.size });
            Some(RateSpec { rate: limit.rate, depth: limit.depth, burst })
        };
        Some([of(Quantity::Iops).or(plain.iops)?, of(Quantity::Throughput).or(plain.throughput)?])
    }

    /// As the model takes it, under `name` in reports.
    pub fn disk_spec(&self, name: &str, setting: LatencySetting) -> Result<DiskSpec, Refusal> {
        let Some((limits, more)) = self.limits() else {
            let why = if let Rule::Unknown(why) = self.kind.rule { why } else { "its rates are not known" };
            return self.kind.refuse("sku", format!("{} cannot be simulated: {why}", self.kind.id), "take gp3 or st1");
        };
        let model = latency::builtin(self.kind.latency_model);
        Ok(DiskSpec {
            name: name.to_string(),
            size: Bytes::gib(self.gib),
            limits,
            by_direction: DirectionLimits::default(),
            io_unit: None,
            more,
            read: model.read(setting).clone(),
            write: model.write(setting).clone(),
            usage_base: None,
            first_touch: None,
        })
    }
}

impl fmt::Display for Volume {
    /// `gp3 of 500 GiB, 6000 IOPS, 400 MiB/s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} GiB", self.kind.id, self.gib)?;
        if let Some(iops) = self.iops {
            write!(f, ", {iops} IOPS")?;
        }
        self.mib.map_or(Ok(()), |mib| write!(f, ", {mib} MiB/s"))
    }
}

impl VolumeKind {
    /// The most IOPS of such a size; absent where none are bought.
    pub fn iops_max(&self, gib: u64) -> Option<u64> {
        let Rule::Bought(bought) = &self.rule else { return None };
        Some((gib * bought.iops_per_gib).max(bought.iops.0).min(bought.iops.1))
    }

    /// The most MiB/s with such IOPS; absent where none are bought.
    pub fn mib_max(&self, iops: u64) -> Option<u64> {
        let Rule::Bought(Bought { mib: kinds::Throughput::Bought { mib, iops_per_mib }, .. }) = &self.rule else {
            return None;
        };
        Some((iops / iops_per_mib).max(mib.0).min(mib.1))
    }

    /// The most bytes per second of such a size, with as many IOPS as it may have; absent where none are bought.
    pub fn throughput_max(&self, gib: u64) -> Option<Throughput> {
        let Rule::Bought(bought) = &self.rule else { return None };
        let iops = self.iops_max(gib)?;
        Some(Throughput::bytes_per_second(bytes_of(bought, iops, self.mib_max(iops))))
    }

    fn refuse<T>(&self, key: &'static str, what: String, hint: impl Into<String>) -> Result<T, Refusal> {
        Err(Refusal { key, what: format!("{what} ({}, {})", self.source, self.edition), hint: hint.into() })
    }

    fn gib_of(&self, size: Option<Bytes>) -> Result<u64, Refusal> {
        let (least, most) = self.gib;
        let bounds = format!("give {least} to {most} GiB, for example `size = \"{} GiB\"`", least.max(100));
        let Some(size) = size else {
            return self.refuse("size", format!("a volume of kind {} needs a size", self.id), bounds);
        };
        let gib = size.get() >> 30;
        if Bytes::gib(gib) != size {
            return self.refuse("size", format!("{size} is not a whole number of GiB"), bounds);
        }
        if (least..=most).contains(&gib) {
            return Ok(gib);
        }
        self.refuse("size", format!("{} cannot be {size}: {least} to {most} GiB", self.id), bounds)
    }

    fn iops_of(&self, bought: &Bought, gib: u64, asked: Option<Iops>) -> Result<u64, Refusal> {
        let (least, most) = (bought.iops.0, self.iops_max(gib).unwrap_or(bought.iops.1));
        let hint = format!("give {least} to {most} for {gib} GiB");
        let Some(iops) = asked.map(Iops::get).or(bought.included.map(|included| included.iops)) else {
            return self.refuse("iops", format!("{} has no IOPS of its own", self.id), hint);
        };
        let per_gib = bought.iops_per_gib;
        match iops {
            _ if iops < least => self.refuse("iops", format!("{} has at least {least} IOPS", self.id), hint),
            _ if iops > bought.iops.1 => {
                self.refuse("iops", format!("{} has at most {} IOPS", self.id, bought.iops.1), hint)
            }
            _ if iops > most => {
                let what = format!("{} of {gib} GiB cannot have {iops} IOPS: at most {per_gib} per GiB", self.id);
                let needed = iops.div_ceil(per_gib);
                self.refuse("iops", what, format!("{hint}, or take {needed} GiB"))
            }
            _ => Ok(iops),
        }
    }

    fn mib_of(&self, bought: &Bought, iops: u64, asked: Option<Throughput>) -> Result<Option<u64>, Refusal> {
        let kinds::Throughput::Bought { mib: (least, all), iops_per_mib } = bought.mib else {
            if asked.is_some() {
                let what = format!("the throughput of {} cannot be bought: its IOPS determine it", self.id);
                return self.refuse("throughput", what, "remove it, or take gp3");
            }
            return Ok(None);
        };
        let most = self.mib_max(iops).unwrap_or(all);
        let hint = format!("give {least} to {most} MiB/s for {iops} IOPS");
        let Some(asked) = asked else { return Ok(bought.included.map(|included| included.mib)) };
        let mib = asked.get() / MIB;
        match mib {
            _ if mib * MIB != asked.get() => {
                self.refuse("throughput", format!("{asked} is not a whole number of MiB/s"), hint)
            }
            _ if mib < least => self.refuse("throughput", format!("{} has at least {least} MiB/s", self.id), hint),
            _ if mib > all => self.refuse("throughput", format!("{} has at most {all} MiB/s", self.id), hint),
            _ if mib > most => {
                let what =
                    format!("{} with {iops} IOPS cannot have {mib} MiB/s: at most 1 for {iops_per_mib} IOPS", self.id);
                self.refuse("throughput", what, format!("{hint}, or take {} IOPS", mib * iops_per_mib))
            }
            _ => Ok(Some(mib)),
        }
    }
}

/// Bytes per second of a volume whose IOPS are bought.
fn bytes_of(bought: &Bought, iops: u64, mib: Option<u64>) -> u64 {
    match bought.mib {
        kinds::Throughput::Bought { mib: (least, _), .. } => mib.unwrap_or(least) * MIB,
        kinds::Throughput::Knee { mib: (lower, upper), knee } => match iops <= knee {
            true => (iops * Bytes::kib(256).get()).min(lower * MIB),
            false => (iops * Bytes::kib(16).get()).min(upper * MIB),
        },
        kinds::Throughput::Each { thousandths, mib_max } => (iops * thousandths * MIB / 1_000).min(mib_max * MIB),
    }
}

/// Bytes per second by size: MiB/s per TiB, and at most.
fn by_tib(gib: u64, (mib, most): (u64, u64)) -> u64 {
    (gib * mib * MIB / TIB).min(most * MIB)
}
