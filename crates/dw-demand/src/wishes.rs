//! What a person wants of a plan, next to the demand: plain data, as a requirements file says it.
//!
//! Lives here: capacity, roles, latency asked for, lists of what may be chosen, growth, the percentile to meet.
//! Never here: limits, prices of a catalogue, how a plan is found.

use dw_units::{Bytes, CacheMode, Duration};

use crate::kpi::AskedKpi;
pub use crate::plan::Wishes;
use crate::vendor::VendorKeys;

/// How the demand over time is met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OverTime {
    /// How many intervals may exceed any limit, over all limits and volumes together.
    #[default]
    Joint,
    /// Every figure of every volume at its own percentile, as if they happened at once. For comparison.
    PerDimension,
}

/// Which ways to buy a disk, beyond its size, may be chosen: all that there are, or those that are named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ways(Option<Vec<&'static str>>);

impl Ways {
    /// All that is sold.
    pub const ALL: Ways = Ways(None);
    /// Disks as they are sold by their size.
    pub const NONE: Ways = Ways(Some(Vec::new()));

    /// Those that a vendor calls so, in its order.
    pub fn only(words: impl IntoIterator<Item = &'static str>) -> Ways {
        Ways(Some(words.into_iter().collect()))
    }
    /// Whether one may be chosen.
    pub fn has(&self, word: &str) -> bool {
        self.0.as_ref().is_none_or(|words| words.contains(&word))
    }
    /// Those that are named.
    pub fn words(&self) -> &[&'static str] {
        self.0.as_deref().unwrap_or_default()
    }
}

/// A price that the person knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnPrice {
    pub name: String,
    /// Of which meter: `whole`, `gib`, `iops`, `mb_per_s`.
    pub meter: String,
    /// A month of it, in millionths of the currency.
    pub monthly_micros: u64,
}

/// A licence that is paid by core: by vCPU of the VM, as software is licensed there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Licence {
    pub name: String,
    /// What one core costs, in millionths of the currency.
    pub price_micros: u64,
    pub every: Term,
    /// Cores that are paid of each VM at least.
    pub minimum: u32,
    /// How many of the nodes it is paid for, where that is not all: one that only waits may need none.
    pub nodes: Option<u32>,
}

/// The time that a price is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    Month,
    Year,
}

impl Term {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Term::Month => "month",
            Term::Year => "year",
        }
    }
    const fn months(self) -> u128 {
        match self {
            Term::Month => 1,
            Term::Year => 12,
        }
    }
}

impl Licence {
    /// What it is called where nobody says it.
    pub const NAME: &'static str = "licence";

    /// Cores that are paid of a VM with so many.
    pub fn cores(&self, vcpu: u32) -> u32 {
        vcpu.max(self.minimum)
    }
    /// What each of so many nodes pays of it a month, with so many cores, in millionths: what is paid for some is shared by all. It is rounded
    /// up, as nobody is billed less.
    pub fn monthly_micros(&self, vcpu: u32, nodes: u32) -> u64 {
        let (nodes, paid) = (nodes.max(1), self.nodes.unwrap_or(u32::MAX).min(nodes.max(1)));
        let all = u128::from(self.price_micros) * u128::from(self.cores(vcpu)) * u128::from(paid);
        u64::try_from(all.div_ceil(self.every.months() * u128::from(nodes))).unwrap_or(u64::MAX)
    }
}

impl Wishes {
    /// How many VMs attach the disks of a volume; nothing of one that each has for itself.
    pub fn shared_by(&self, volume: &VolumeWishes) -> Option<u32> {
        Some(self.nodes).filter(|nodes| volume.shared && *nodes > 1)
    }
}

impl Wishes {
    /// The same in a region of another vendor, and the keys that mean nothing there: names of what only the first sells, and its own keys.
    /// `has_host_caches` says whether the other has them.
    pub fn moved_to(
        &self,
        vendor: &'static VendorKeys,
        region: &str,
        has_host_caches: bool,
    ) -> (Wishes, Vec<&'static str>) {
        if self.vendor.id == vendor.id {
            return (Wishes { region: region.into(), ..self.clone() }, Vec::new());
        }
        let (own, usual) = (self.vendor.wishes(), vendor.wishes_in(region));
        let named = [
            ("zone", self.zone.is_some()),
            ("edition", self.edition.is_some()),
            ("prices", self.prices.is_some()),
            ("currency", self.currency.is_some()),
            ("disk_options", self.ways != own.ways),
            ("vms", !self.vms.is_empty()),
            ("not_vms", !self.not_vms.is_empty()),
            ("disks", !self.disks.is_empty()),
            ("not_disks", !self.not_disks.is_empty()),
            ("cpu_recorded_on", self.cpu_recorded_on.is_some()),
            ("os_disk", self.os_disk.is_some()),
            ("price", !self.own_prices.is_empty()),
        ];
        let mut ignored: Vec<&'static str> = named.into_iter().filter(|(_, is)| *is).map(|(key, _)| key).collect();
        ignored.extend(self.chosen.keys());
        let mut volumes = self.volumes.clone();
        for volume in volumes.iter_mut().filter(|_| !has_host_caches) {
            let must_have = !volume.host_cache.is_empty() && !volume.host_cache.contains(&CacheMode::None);
            if must_have {
                volume.host_cache = vec![CacheMode::None];
                ignored.push("host_cache");
            }
        }
        ignored.dedup();
        let moved = Wishes {
            vendor,
            region: region.into(),
            chosen: usual.chosen,
            zone: usual.zone,
            edition: usual.edition,
            prices: usual.prices,
            currency: usual.currency,
            ways: usual.ways,
            vms: usual.vms,
            not_vms: usual.not_vms,
            disks: usual.disks,
            not_disks: usual.not_disks,
            cpu_recorded_on: usual.cpu_recorded_on,
            os_disk: usual.os_disk,
            own_prices: usual.own_prices,
            volumes,
            ..self.clone()
        };
        (moved, ignored)
    }
}

/// What a volume is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Data files: the host cache may serve reads.
    #[default]
    Data,
    /// A log: never cached.
    Log,
    /// Temporary data: may be lost, so it may live on the local disk when that is said.
    Tempdb,
    /// Backups: never cached.
    Backup,
    /// The operating system.
    Os,
}

impl Role {
    /// Read and written from front to back.
    pub const fn is_sequential(self) -> bool {
        matches!(self, Role::Log | Role::Backup)
    }
    /// What its volumes may have where nothing is said: a log is written once and hardly read, and ReadWrite loses what was not
    /// flushed when the host fails.
    pub fn cache_modes(self) -> Vec<CacheMode> {
        match self {
            Role::Log | Role::Backup => vec![CacheMode::None],
            Role::Data | Role::Tempdb | Role::Os => vec![CacheMode::None, CacheMode::ReadOnly],
        }
    }
    pub const ALL: [Role; 5] = [Role::Data, Role::Log, Role::Tempdb, Role::Backup, Role::Os];
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Role::Data => "data",
            Role::Log => "log",
            Role::Tempdb => "tempdb",
            Role::Backup => "backup",
            Role::Os => "os",
        }
    }
}

/// What of a latency is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LatencyOf {
    Mean,
    /// The 95th percentile.
    P95,
    /// The 99th percentile.
    P99,
}

impl LatencyOf {
    pub const ALL: [LatencyOf; 3] = [LatencyOf::Mean, LatencyOf::P95, LatencyOf::P99];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            LatencyOf::Mean => "mean",
            LatencyOf::P95 => "p95",
            LatencyOf::P99 => "p99",
        }
    }
}

/// The longest latency of one direction that will do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LatencyMax {
    pub mean: Option<Duration>,
    /// Of the 95th percentile.
    pub p95: Option<Duration>,
    /// Of the 99th percentile.
    pub p99: Option<Duration>,
    /// Parts per million of each that a plan leaves free, because a simulation took longer than was estimated. Nobody asks for it.
    pub reserve: u32,
}

impl LatencyMax {
    /// Of the mean alone.
    pub const fn mean(most: Duration) -> LatencyMax {
        LatencyMax { mean: Some(most), p95: None, p99: None, reserve: 0 }
    }
    /// Whether nothing is asked for.
    pub const fn is_none(&self) -> bool {
        self.mean.is_none() && self.p95.is_none() && self.p99.is_none()
    }
    /// What is asked for of one of them.
    pub const fn of(&self, of: LatencyOf) -> Option<Duration> {
        match of {
            LatencyOf::Mean => self.mean,
            LatencyOf::P95 => self.p95,
            LatencyOf::P99 => self.p99,
        }
    }
    /// The place of one of them.
    pub const fn of_mut(&mut self, of: LatencyOf) -> &mut Option<Duration> {
        match of {
            LatencyOf::Mean => &mut self.mean,
            LatencyOf::P95 => &mut self.p95,
            LatencyOf::P99 => &mut self.p99,
        }
    }
    /// What a plan holds of it: less than is asked for by the reserve.
    pub fn held(&self, of: LatencyOf) -> Option<Duration> {
        let left = u128::from(1_000_000 - self.reserve.min(1_000_000));
        self.of(of).map(|most| Duration::from_ns((u128::from(most.ns()) * left / 1_000_000) as u64))
    }
}

/// What is wanted of a volume.
#[derive(Clone, Debug, PartialEq)]
pub struct VolumeWishes {
    /// What it must hold.
    pub capacity: Bytes,
    pub role: Role,
    /// Host-cache settings that it may have.
    pub host_cache: Vec<CacheMode>,
    /// Bytes touched again within the time that matters.
    pub working_set: Option<Bytes>,
    /// Percent of reads that hit, by bytes of cache: measured.
    pub hit_curve: Vec<(Bytes, f64)>,
    /// Latency of reads at most.
    pub read_latency_max: LatencyMax,
    /// Latency of writes at most.
    pub write_latency_max: LatencyMax,
    /// The 99th percentile of a sync after writes at most: fsync, fdatasync.
    pub sync_latency_p99_max: Option<Duration>,
    /// Mean latency of its reads at most in the first minutes after a reboot, when no cache is warm.
    pub after_reboot_latency_max: Option<Duration>,
    /// Percent of its reads that are served in time then, at least.
    pub after_reboot_share_min: Option<f64>,
    /// Growth of its load a year, in percent; as the plan's where nobody says it.
    pub growth_percent_per_year: Option<f64>,
    /// Growth of what it holds a year, in percent; as the plan's where nobody says it.
    pub capacity_growth_percent_per_year: Option<f64>,
    /// It may live on the local disk and be lost.
    pub local_disk: bool,
    /// All nodes attach its disks, which are bought once: its load is that of all of them together.
    pub shared: bool,
    /// Disks in its stripe at most; as is usual where nobody says it.
    pub disks_max: Option<u32>,
    /// The stripe unit; absent = from the size of its requests.
    pub stripe_unit: Option<Bytes>,
    /// The set of figures that a vendor of software asks of it.
    pub kpi: Option<AskedKpi>,
    /// Parts per million by which the queues of reads and of writes are deeper than estimated, because a simulation served less than was
    /// asked for. Nobody asks for it.
    pub deeper: [u32; 2],
}

impl VolumeWishes {
    /// Disks of a stripe at most, as no VM size takes more.
    pub const DISKS_MAX: u32 = 64;
    /// The same where nobody says it: more of them save a little, as some of the rates of each are free, and are more to watch, to grow,
    /// and to lose the volume by.
    pub const DISKS_USUAL: u32 = 8;

    /// A volume that is to hold less was meant in a larger unit.
    pub const CAPACITY_MIN: Bytes = Bytes::mib(1);

    /// Why a capacity that somebody wrote is none, and what to write: the same number in GiB, where it lacks but a unit.
    pub fn no_capacity(written: &str, capacity: Bytes) -> Option<(&'static str, String)> {
        let number = written.trim().trim_end_matches(char::is_alphabetic).trim_end();
        match capacity {
            Bytes::ZERO => Some(("is zero, but a volume needs a capacity", "750 GiB".into())),
            less if less < Self::CAPACITY_MIN => Some(("is less than any file system needs", format!("{number} GiB"))),
            _ => None,
        }
    }

    /// Percent of its reads that may hit, as a plan counts: what must be served after a reboot is not.
    pub fn hit_percent_max(&self) -> f64 {
        match (self.after_reboot_latency_max, self.after_reboot_share_min) {
            (Some(_), _) => 0.0,
            (None, Some(share)) => 100.0 - share,
            (None, None) => 100.0,
        }
    }

    /// Whether the local disk may hold it: no VM starts from that.
    pub fn may_be_local(&self) -> bool {
        self.local_disk && self.role != Role::Os
    }

    /// So much room for this purpose, and whatever host cache and disks suit it.
    pub fn of(role: Role, capacity: Bytes) -> VolumeWishes {
        VolumeWishes {
            capacity,
            role,
            host_cache: role.cache_modes(),
            working_set: None,
            hit_curve: Vec::new(),
            read_latency_max: LatencyMax::default(),
            write_latency_max: LatencyMax::default(),
            sync_latency_p99_max: None,
            after_reboot_latency_max: None,
            after_reboot_share_min: None,
            growth_percent_per_year: None,
            capacity_growth_percent_per_year: None,
            local_disk: false,
            shared: false,
            disks_max: None,
            stripe_unit: None,
            kpi: None,
            deeper: [0; 2],
        }
    }
}
