//! What is to be built: a VM size, its volumes with their disks, and where everything is found.
//!
//! Places follow from the order of the volumes: LUNs count up over all disks, drive letters begin at F, file systems are
//! mounted under `/srv`, because `/mnt` is where images of the cloud put the VM's local disk.

use dw_catalogue::disk::DiskFamily;
use dw_catalogue::free::Follow;
use dw_demand::volume_name;
use dw_demand::wishes::Role;
use dw_units::{Bytes, CacheMode, Iops, Throughput};
use dw_vendor::provision::{self, Build, linux::read_ahead_kib};

/// Equal disks of a volume, striped where there are several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disks {
    /// The offer: `P30`, `PremiumV2`.
    pub sku: String,
    /// Which of the families that scripts name; absent of another vendor's disks.
    pub family: Option<DiskFamily>,
    /// The edition of its limits.
    pub edition: String,
    pub count: u32,
    /// Size of each.
    pub gib: u64,
    /// IOPS and MB/s bought for each, where that is chosen.
    pub bought: Option<(u64, u64)>,
    /// What of that nobody chooses, as it follows.
    pub follow: Follow,
    /// The throughput is in MiB/s.
    pub in_mib: bool,
    /// What else is chosen in a scenario, by key and value.
    pub options: Vec<(&'static str, &'static str)>,
    /// The performance tier that each is set to, where it is not its own.
    pub tier: Option<String>,
    /// Each is made with performance plus.
    pub performance_plus: bool,
    /// Each bursts on demand.
    pub on_demand_bursting: bool,
    /// So many VMs attach each.
    pub shared_by: Option<u32>,
    /// IOPS and MB/s of each for VMs that only read, where these are bought.
    pub read_only: Option<(u64, u64)>,
    /// Each is kept in three zones.
    pub zone_redundant: bool,
    /// Their host-cache setting.
    pub host_cache: CacheMode,
    /// Bytes on one disk before the next.
    pub stripe_unit: Bytes,
}

impl Disks {
    fn build(&self) -> provision::Disks {
        provision::Disks {
            kind: self.sku.clone(),
            count: self.count,
            gib: self.gib,
            iops: self.bought.map(|(iops, _)| iops),
            mib_per_s: self.bought.map(|(_, mb)| mb),
            stripe_unit: self.stripe_unit,
            shared_by: self.shared_by,
            options: self.options.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect(),
        }
    }
}

/// Where a volume lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// On disks that are attached; the first has this LUN, the others follow.
    Data {
        disks: Disks,
        /// LUN of the first.
        lun: u32,
    },
    /// On the disk of the operating system, which comes with the VM.
    Os(Disks),
    /// On the VM's local disk.
    Local,
}

/// What is asked of a volume, a second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    pub read_iops: u64,
    pub write_iops: u64,
    /// Bytes read.
    pub read: Throughput,
    /// Bytes written.
    pub write: Throughput,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Volume {
    /// Its name in the plan.
    pub name: String,
    pub role: Role,
    /// All of it is read and written from front to back.
    pub sequential: bool,
    /// Where it lives.
    pub place: Place,
    /// What it must hold.
    pub capacity: Bytes,
    /// Bytes that its reads touch again and again, where known: with hits that were measured, what random reads in their place do.
    pub working_set: Option<Bytes>,
    /// The file of its benchmark, and how much of that is read before, for as many hits as are counted on.
    pub benchmark: Option<(Bytes, Bytes)>,
    /// Its demand at its busiest.
    pub demand: Demand,
    /// Its demand when all volumes together are busiest.
    pub together: Demand,
    /// Requests in flight that its reads and its writes need.
    pub queue_depth: (u64, u64),
}

impl Volume {
    /// Its disks, wherever they are.
    pub fn disks(&self) -> Option<&Disks> {
        match &self.place {
            Place::Data { disks, .. } | Place::Os(disks) => Some(disks),
            Place::Local => None,
        }
    }
    /// What Linux reads ahead of its reads, in KiB: a log is hardly read, whatever else goes from front to back is read as far as that pays.
    fn read_ahead_kib(&self) -> u64 {
        let in_order = self.sequential && self.role != Role::Log;
        read_ahead_kib(Iops::new(self.demand.read_iops), self.demand.read, in_order)
    }
    /// Whether the host cache may serve its reads.
    pub fn is_cached(&self) -> bool {
        self.disks().is_some_and(|disks| disks.host_cache != CacheMode::None)
    }
}

/// What is to be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The word of the vendor that sells all of it.
    pub vendor: &'static str,
    /// The plan in one line.
    pub answer: String,
    /// The VM size.
    pub vm: String,
    /// The edition of its limits.
    pub vm_edition: String,
    /// What is chosen of it, by the keys of scenarios.
    pub vm_options: Vec<(String, String)>,
    /// Its processors.
    pub vcpu: u32,
    pub memory: Option<Bytes>,
    /// Whether it takes premium disks.
    pub premium: bool,
    /// What goes to remote disks at most, where that is known.
    pub uncached: Option<Throughput>,
    /// What goes to cached disks at most, where that is known.
    pub cached: Option<Throughput>,
    /// What the disks of each volume give at most, in the order of volumes, where that is known.
    pub disk_throughput: Vec<Option<Throughput>>,
    /// The plan counts on burst credits.
    pub bursting: bool,
    /// The setting of default latencies that the plan was made with, where it is not the usual one.
    pub latency: Option<String>,
    /// The cached limit that the plan counts on, where sources differ and the catalogue's own is higher: IOPS and throughput.
    pub cached_lower: Option<(u64, Throughput)>,
    /// How the VM's two uncached limits share, where it has two and the plan says so.
    pub uncached_sharing: Option<String>,
    /// The VM runs Windows, whose licence is in the plan's price; else Linux.
    pub windows: bool,
    pub region: String,
    /// The zone that VM and disks are in.
    pub zone: Option<String>,
    /// The VM's local disks are NVMe disks, which have no file system after a stop of the VM.
    pub local_nvme: bool,
    /// The region has zones, as far as is known.
    pub has_zones: bool,
    /// A premium SSD v2 must be in one of them.
    pub v2_needs_zone: bool,
    /// The vendor has host caches.
    pub host_caches: bool,
    /// The local disks as a scenario names them.
    pub local_disks: String,
    pub volumes: Vec<Volume>,
    /// A safe name for each volume, in the same order: letters, digits and `-`, no two alike.
    pub names: Vec<String>,
}

/// A plan that no script can build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError {
    /// The volume, by its number.
    pub volume: usize,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub hint: String,
}

impl std::fmt::Display for SetupError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "volume {}: {}\nhint: {}", self.volume, self.what, self.hint)
    }
}

impl std::error::Error for SetupError {}

/// Drive letters of Windows that are free: A to E are floppy disks, the system, the local disk and the DVD.
const LETTERS: std::ops::RangeInclusive<u8> = b'F'..=b'Z';
/// Under it file systems are mounted.
const MOUNTS: &str = "/srv";
/// Where images put the VM's local disk.
const LOCAL_DISK: &str = "/mnt";
/// Letters and digits of a safe name at most: with the digits of a LUN it fits the 32 of an md array's name.
const NAME_MAX: usize = 24;

impl Setup {
    /// Gives every volume its LUNs and its safe name; those of `Place::Data` are numbered again.
    pub fn placed(mut self) -> Result<Setup, SetupError> {
        let called: Vec<&str> = self.volumes.iter().map(|volume| volume.name.as_str()).collect();
        if let Some(fault) = volume_name::faults(&called).into_iter().next() {
            return Err(SetupError {
                volume: fault.volume,
                what: format!("its name {}", fault.why),
                hint: format!("call it `{}` in the requirements, and plan again", fault.instead),
            });
        }
        let mut next = 0;
        let mut names: Vec<String> = Vec::new();
        for volume in &mut self.volumes {
            if let Place::Data { disks, lun } = &mut volume.place {
                *lun = next;
                next += disks.count;
            }
            names.push(distinct(safe(&volume.name), &names));
        }
        self.names = names;
        Ok(self)
    }

    /// Whether Windows has a letter for each volume, as [`Setup::drive`] takes it to have.
    pub fn lettered(&self) -> Result<(), SetupError> {
        let (volumes, letters) = (self.data().count(), LETTERS.count());
        if volumes <= letters {
            return Ok(());
        }
        Err(SetupError {
            volume: self.volumes.len() - 1,
            what: format!("there are {volumes} volumes on disks, and Windows has {letters} letters"),
            hint: "plan fewer volumes, or build them on Linux".into(),
        })
    }

    /// Volumes on attached disks: number, volume, disks, LUN of the first.
    pub fn data(&self) -> impl Iterator<Item = (usize, &Volume, &Disks, u32)> {
        self.volumes.iter().enumerate().filter_map(|(number, volume)| match &volume.place {
            Place::Data { disks, lun } => Some((number, volume, disks, *lun)),
            Place::Os(_) | Place::Local => None,
        })
    }
    /// The volume of the operating system.
    pub fn os(&self) -> Option<&Disks> {
        self.volumes.iter().find_map(|volume| match &volume.place {
            Place::Os(disks) => Some(disks),
            Place::Data { .. } | Place::Local => None,
        })
    }
    /// Where a volume is mounted on Linux.
    pub fn mount(&self, volume: usize) -> String {
        let name = self.names.get(volume).map_or("", String::as_str);
        match self.volumes.get(volume).map(|volume| &volume.place) {
            Some(Place::Os(_)) => "/".into(),
            Some(Place::Local) => format!("{LOCAL_DISK}/{name}"),
            _ => format!("{MOUNTS}/{name}"),
        }
    }
    /// The drive of a volume on Windows: `F:`.
    pub fn drive(&self, volume: usize) -> String {
        match self.volumes.get(volume).map(|volume| &volume.place) {
            Some(Place::Os(_)) => "C:".into(),
            Some(Place::Local) => format!(r"D:\{}", self.names.get(volume).map_or("", String::as_str)),
            _ => {
                let before = self.data().filter(|(number, ..)| *number < volume).count();
                format!("{}:", char::from(LETTERS.start().saturating_add(before as u8)))
            }
        }
    }
    /// How fast a volume can be read into the host cache at most, where that is known: what fills it passes every limit.
    pub(crate) fn fill_rate(&self, volume: &Volume) -> Option<Throughput> {
        let place = self.volumes.iter().position(|other| std::ptr::eq(other, volume))?;
        let disks = self.disk_throughput.get(place).copied().flatten();
        [disks, self.uncached, self.cached].into_iter().flatten().min()
    }
    /// Any disk whose IOPS and throughput are bought apart.
    pub fn has(&self, family: DiskFamily) -> bool {
        self.volumes.iter().filter_map(Volume::disks).any(|disks| disks.family == Some(family))
    }
    /// Whether several VMs attach some disks.
    pub fn is_shared(&self) -> bool {
        self.volumes.iter().filter_map(Volume::disks).any(|disks| disks.shared_by.is_some())
    }
    /// The same in the words that vendors write their files from.
    pub fn build(&self) -> Build {
        let volume = |(number, volume): (usize, &Volume)| provision::Volume {
            name: volume.name.clone(),
            safe: self.names.get(number).cloned().unwrap_or_default(),
            mount: self.mount(number),
            read_ahead_kib: volume.read_ahead_kib(),
            place: match &volume.place {
                Place::Data { disks, .. } => provision::Place::Data(disks.build()),
                Place::Os(disks) => provision::Place::Os(disks.build()),
                Place::Local => provision::Place::Local,
            },
        };
        Build {
            answer: self.answer.clone(),
            machine: self.vm.clone(),
            options: self.vm_options.clone(),
            region: self.region.clone(),
            zone: self.zone.clone(),
            windows: self.windows,
            local_nvme: self.local_nvme,
            volumes: self.volumes.iter().enumerate().map(volume).collect(),
        }
    }
    /// What every file says at its head.
    pub(crate) fn heading(&self, what: &str) -> Vec<String> {
        vec![what.into(), format!("Written by `diskwright provision` for this plan: {}", self.answer)]
    }
}

/// Small letters, digits and single `-`.
fn safe(name: &str) -> String {
    let mut out = String::new();
    for c in name.to_lowercase().chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    out.truncate(NAME_MAX);
    let out = out.trim_end_matches('-');
    if out.is_empty() { "volume".into() } else { out.into() }
}

fn distinct(name: String, taken: &[String]) -> String {
    if !taken.contains(&name) {
        return name;
    }
    (2..).map(|n| format!("{name}-{n}")).find(|name| !taken.contains(name)).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn safe_names_are_plain_and_never_empty() {
        let cases = [
            ("data", "data"),
            ("SQL Data (main)", "sql-data-main"),
            ("l'été", "l-t"),
            ("数据", "volume"),
            ("--x--", "x"),
            ("$(reboot)", "reboot"),
            ("a-very-long-name-of-a-volume-for-backups", "a-very-long-name-of-a-vo"),
        ];
        for (name, expected) in cases {
            assert_eq!(safe(name), expected);
        }
        assert_eq!(distinct("data".into(), &["data".into(), "data-2".into()]), "data-3");
    }
}
