//! A volume: its disks, its cache mode, and what does not go together.

use dw_catalogue::Catalogue;
use dw_catalogue::gates::{self, Attachment};
use dw_catalogue::rig::SnapshotAsked;
use dw_catalogue::vm::{LocalLimits, VmSize};
use dw_messages::{Figure, say};
use dw_stack::{CacheMode, DirectionLimits, DiskSpec, LimitSpec, Path, VolumeSpec};
use dw_units::Bytes;
use serde_spanned::Spanned;

use super::disks::{self, Disks, Group};
use super::file::VolumeFile;
use super::latency::LatencyUse;
use super::reader::{Reader, derived_said};
use super::snapshot;
use super::vm::Vm;
use super::{DiskGroup, Volume};

/// Stripe unit when none is written.
const STRIPE_UNIT: Bytes = Bytes::kib(64);

pub(super) struct ReadVolume {
    pub(super) volume: Volume,
    pub(super) spec: VolumeSpec,
    /// By which gates its traffic goes; its path follows from all of them.
    pub(super) attachment: Attachment,
    pub(super) latency: Vec<LatencyUse>,
    /// Data disks that it takes of the VM's number.
    pub(super) data_disks: usize,
}

pub(super) fn read(
    reader: &mut Reader,
    catalogue: &Catalogue,
    vm: Option<&Vm>,
    file: &Spanned<VolumeFile>,
) -> Option<ReadVolume> {
    let file = file.get_ref();
    let mode = reader.cache_mode("host_cache", &file.host_cache).unwrap_or_default();
    let frame = Frame::read(reader, file);
    let snapshot = snapshot::read(reader, file);
    let disks = disks::read(reader, catalogue, file);
    // Without the VM its own faults have been told; the volume's own are told here.
    let disks = disks?;
    refuse_snapshot(reader, file, snapshot?)?;
    let vm = vm?;
    match disks {
        Disks::Temp => {
            let local = temp_disk(reader, file, vm, mode, &frame.name)?;
            let label = match local.disks.len() {
                1 => "temp disk".to_string(),
                n => format!("{n} x temp disk"),
            };
            let spec = VolumeSpec {
                name: frame.name.clone(),
                disks: local.disks,
                stripe_unit: frame.unit,
                host_cache: CacheMode::None,
                path: Path::default(),
            };
            let volume = frame.volume(label, local.size, None, Vec::new());
            Some(ReadVolume { volume, spec, attachment: local.attachment, latency: local.latency, data_disks: 0 })
        }
        Disks::Remote(groups) => {
            for group in &groups {
                check_group(reader, file, vm, mode, group);
            }
            let attachment = attachment(reader, &groups);
            of_groups(reader, file, frame, (&groups, attachment, mode))
        }
    }
}

/// No figure of what a first touch costs is published for the catalogue's own disks.
fn refuse_snapshot(reader: &mut Reader, file: &VolumeFile, snapshot: Option<SnapshotAsked>) -> Option<()> {
    let Some(field) = file.from_snapshot.as_ref().filter(|_| snapshot.is_some()) else { return Some(()) };
    let what =
        format!("what first touches of a disk from a snapshot cost on {} is not known", dw_catalogue::vendor().name());
    reader.error(field.span(), what, "remove `from_snapshot`: the run is one of a disk whose data are all there");
    None
}

/// What of a volume does not depend on its disks.
pub(super) struct Frame {
    name: String,
    mount: Option<String>,
    device: Option<String>,
    unit: Bytes,
}

impl Frame {
    pub(super) fn read(reader: &mut Reader, file: &VolumeFile) -> Frame {
        let mount = mount(reader, file);
        let unit = stripe_unit(reader, file);
        let device = file.device.as_ref().filter(|device| reader.is_plain_path("device", device));
        let device = device.map(|device| device.get_ref().0.clone());
        Frame { name: file.name.get_ref().0.clone(), mount, device, unit }
    }

    fn volume(self, disks: String, size: Bytes, offer: Option<(String, String)>, bought: Vec<DiskGroup>) -> Volume {
        let Frame { name, mount, device, .. } = self;
        Volume { name, mount, device, disks, size, offer, bought }
    }
}

/// A volume on such disks, all of them attached alike.
pub(super) fn of_groups(
    reader: &mut Reader,
    file: &VolumeFile,
    frame: Frame,
    (groups, attachment, mode): (&[Group], Attachment, CacheMode),
) -> Option<ReadVolume> {
    let size = total_size(reader, groups)?;
    let name = frame.name.clone();
    let members = members(&name, groups);
    check_stripe(reader, file, groups, members.len(), frame.unit);
    note_unequal(reader, &name, groups, &members);
    let label = groups.iter().map(Group::text).collect::<Vec<_>>().join(" + ");
    let latency = groups.iter().flat_map(|g| {
        let place = format!("{name}: {}", g.label);
        g.latency.iter().map(move |l| LatencyUse { place: place.clone(), ..l.clone() })
    });
    let latency = latency.collect();
    let (data_disks, stripe_unit) = (members.len(), frame.unit);
    Some(ReadVolume {
        latency,
        data_disks,
        volume: frame.volume(label, size, one_offer(groups), groups.iter().map(bought).collect()),
        attachment,
        spec: VolumeSpec { name, disks: members, stripe_unit, host_cache: mode, path: Path::default() },
    })
}

fn bought(group: &Group) -> DiskGroup {
    DiskGroup {
        count: group.count,
        label: group.label.clone(),
        offer: group.offer.as_ref().map(|offer| (offer.sku.clone(), offer.edition.clone())),
        options: group.options.clone(),
    }
}

/// The catalogue's disk that all disks of a volume are.
fn one_offer(groups: &[Group]) -> Option<(String, String)> {
    let of = |group: &Group| group.offer.as_ref().map(|offer| (offer.sku.clone(), offer.edition.clone()));
    let first = of(groups.first()?)?;
    groups.iter().all(|group| of(group).as_ref() == Some(&first)).then_some(first)
}

fn mount(reader: &mut Reader, file: &VolumeFile) -> Option<String> {
    let field = file.mount.as_ref()?;
    let text = field.get_ref().0.as_str();
    if !reader.is_plain_path("mount", field) {
        return None;
    }
    let windows = text.len() >= 2 && text.as_bytes()[0].is_ascii_alphabetic() && text.as_bytes()[1] == b':';
    if !text.starts_with('/') && !windows {
        let hint = format!(
            "write a path from the root, for example `mount = \"/mnt/{}\"`, or a drive, `mount = \"F:\"`",
            text.trim()
        );
        reader.error(field.span(), format!("`mount = \"{text}\"` is not a mount point"), hint);
        return None;
    }
    let trimmed = text.trim_end_matches('/');
    Some(if trimmed.is_empty() { "/".to_string() } else { trimmed.to_string() })
}

fn stripe_unit(reader: &mut Reader, file: &VolumeFile) -> Bytes {
    let Some(unit) = reader.quantity::<Bytes>("stripe_unit", &file.stripe_unit) else { return STRIPE_UNIT };
    if VolumeSpec::is_stripe_unit(unit) {
        return unit;
    }
    let span = file.stripe_unit.as_ref().map(Spanned::span).unwrap_or_default();
    let hint = "mdadm takes powers of two from 4 KiB; write for example `stripe_unit = \"64 KiB\"`";
    reader.error(span, format!("a stripe unit of {unit} is not a power of two from 4 KiB to 1 GiB"), hint);
    STRIPE_UNIT
}

fn total_size(reader: &mut Reader, groups: &[Group]) -> Option<Bytes> {
    let total: u128 = groups.iter().map(|g| u128::from(g.spec.size.get()) * g.count as u128).sum();
    let size = u64::try_from(total).ok().filter(|&size| size <= VolumeSpec::SIZE_MAX);
    if size.is_none() {
        reader.error(
            groups[0].span.clone(),
            "the disks are larger than 1,048,576 TiB together",
            "use fewer or smaller disks",
        );
    }
    size.map(Bytes::new)
}

fn check_stripe(reader: &mut Reader, file: &VolumeFile, groups: &[Group], disks: usize, unit: Bytes) {
    let Some(small) = groups.iter().find(|g| disks > 1 && g.spec.size < unit) else { return };
    let at = file.stripe_unit.as_ref().map_or(small.span.clone(), Spanned::span);
    let what = format!("a stripe unit of {unit} is larger than a disk of {}", small.spec.size);
    reader.error(at, what, "write a smaller `stripe_unit`, or take larger disks");
}

fn check_group(reader: &mut Reader, file: &VolumeFile, vm: &Vm, mode: CacheMode, group: &Group) {
    let label = &group.label;
    if let (Some(row), Some(kind)) = (vm.row, group.kind())
        && row.premium == Some(false)
        && kind.needs.cover(dw_catalogue::azure::PREMIUM)
    {
        let what = format!("{} does not support premium disks, and {label} is one", row.name);
        reader.error(group.span.clone(), what, premium_hint(&row.name));
    }
    if mode == CacheMode::None {
        return;
    }
    let at = file.host_cache.as_ref().map(Spanned::span).unwrap_or_default();
    if vm.limits.host_cache.is_none() {
        let by_hand = "write `host_cache = \"None\"`, or give the values under [vm]: `cache = { capacity = \"200 GiB\" }` and \
                       `gates.cached = { iops = 38000, throughput = \"500 MB/s\" }`";
        let (what, hint) = match vm.row {
            Some(row) if row.host_caching == Some(false) => (
                format!("{} of edition {} has no host cache, so `{mode}` is impossible", row.name, row.edition),
                "write `host_cache = \"None\"`, or take a size with a host cache",
            ),
            Some(row) => (
                format!(
                    "the host cache and the cached limits of {} are unknown: edition {} does not give them, so `{mode}` \
                     cannot be simulated",
                    row.name, row.edition
                ),
                by_hand,
            ),
            None => (
                format!("this VM has no host cache, so `{mode}` is impossible"),
                "write `host_cache = \"None\"`, or give the VM a cache: `cache = { capacity = \"200 GiB\" }`",
            ),
        };
        reader.error(at, what, hint);
    } else if let Some(row) = vm.row.filter(|_| vm.limits.cached == LimitSpec::default() && !vm.writes(gates::CACHED)) {
        let what = format!(
            "the cached limits of {} are unknown: edition {} does not give them, so `{mode}` cannot be simulated",
            row.name, row.edition
        );
        let hint = "give them under [vm], for example `gates.cached = { iops = 38000, throughput = \"500 MB/s\" }`, or write \
                    `host_cache = \"None\"`";
        reader.error(at, what, hint);
    } else if group.kind().is_some_and(|kind| kind.second) {
        let name = group.kind().map_or("", |kind| kind.name);
        let what = format!("{name} does not support a host cache, so `{mode}` is impossible");
        reader.error(at, what, "write `host_cache = \"None\"`, or take premium SSD (P sizes)");
    } else if !group.offer.as_ref().is_none_or(|o| o.cacheable(group.spec.size)) {
        let what = format!(
            "{label} is {}, and the host cache supports disks only up to 4,095 GiB: `{mode}` is impossible",
            group.spec.size
        );
        let hint = "write `host_cache = \"None\"`, or stripe smaller disks, for example `disks = \"4 x P40\"`";
        reader.error(at, what, hint);
    }
}

/// The size whose name has the `S` of premium storage, when that is how the series is named.
fn premium_hint(name: &str) -> String {
    let short = name.strip_prefix("Standard_").unwrap_or(name);
    let digits = short.find(|c: char| c.is_ascii_digit()).unwrap_or(short.len());
    let premium = format!("Standard_{}S{}", &short[..digits], &short[digits..]);
    match Catalogue::embedded().vm(&premium, None) {
        Ok(row) => format!("take `{}`, its premium twin, or standard disks (E or S sizes)", row.name),
        Err(_) => "take a premium-capable size, or standard disks (E or S sizes)".to_string(),
    }
}

/// Premium SSD v2 and ultra disks have a limit of their own on some sizes; a stripe cannot be in both.
fn attachment(reader: &mut Reader, groups: &[Group]) -> Attachment {
    let second = |g: &&Group| g.kind().is_some_and(|kind| kind.second);
    let count = groups.iter().filter(second).count();
    if count == 0 {
        return Attachment::Remote;
    }
    if count < groups.len() {
        let span = groups[0].span.clone();
        let hint = "use two volumes, or disks of one kind";
        reader.error(span, "premium SSD v2 or ultra disks in one stripe with other disks", hint);
    }
    Attachment::Premium2
}

fn members(name: &str, groups: &[Group]) -> Vec<DiskSpec> {
    let all = groups.iter().flat_map(|g| std::iter::repeat_n(&g.spec, g.count));
    all.enumerate().map(|(i, spec)| DiskSpec { name: format!("{name}[{i}]"), ..spec.clone() }).collect()
}

fn note_unequal(reader: &mut Reader, name: &str, groups: &[Group], members: &[DiskSpec]) {
    let least = members.iter().map(|d| d.size).min();
    let most = members.iter().map(|d| d.size).max();
    if least != most {
        reader.note(&groups[0].span, say!(RigUnequal { volume: name }));
    }
}

fn temp_disk(reader: &mut Reader, file: &VolumeFile, vm: &Vm, mode: CacheMode, name: &str) -> Option<Local> {
    let span = file.disks.span();
    if mode != CacheMode::None {
        let at = file.host_cache.as_ref().map(Spanned::span).unwrap_or_default();
        reader.error(at, "the temp disk is never cached", "remove `host_cache`");
    }
    let Some(row) = vm.row.filter(|row| row.temp.is_some()) else {
        let hint = "write disks of the catalogue, for example `disks = \"4 x P30\"`";
        let what = match vm.row {
            None => "a VM without `size` has no temp disk".to_string(),
            Some(row) if !row.is_described() => {
                format!("whether {} has a temp disk is unknown: edition {} does not say", row.name, row.edition)
            }
            Some(row) => format!("{} of edition {} has no temp disk", row.name, row.edition),
        };
        reader.error(span, what, hint);
        return None;
    };
    let Some(limits) = vm.limits.local.and_then(|rates| row.local_limits_of(rates)) else {
        let hint = "give them under [vm], for example `gates.local = { iops = 100000, throughput = \"1 GB/s\" }`, or take an edition \
                    that has them (`diskwright catalogue show` lists those)";
        let what = format!("the limits of the local disks of {} are unknown in edition {}", row.name, row.edition);
        reader.error(span, what, hint);
        return None;
    };
    let Some(model) = dw_catalogue::latency::model(limits.latency_model) else {
        let what = format!("unknown latency model `{}`", limits.latency_model);
        reader.error(span, what, "use other disks");
        return None;
    };
    note_local(reader, name, (vm, row), &limits, &span);
    let used = LatencyUse::new(format!("{name}: temp disk"), model, reader.latency);
    let disks = limits.disks(name, model, reader.latency);
    Some(Local { disks, size: limits.size, attachment: limits.attachment(), latency: vec![used] })
}

/// The temp disk, or the local NVMe disks.
struct Local {
    disks: Vec<DiskSpec>,
    size: Bytes,
    attachment: Attachment,
    latency: Vec<LatencyUse>,
}

/// What is assumed of local disks.
fn note_local(
    reader: &mut Reader,
    name: &str,
    (vm, row): (&Vm, &VmSize),
    limits: &LocalLimits,
    span: &std::ops::Range<usize>,
) {
    for derived in row.derived.iter().filter(|derived| derived.field.starts_with("temp")) {
        reader.note(span, derived_said(row, derived));
    }
    if limits.count > 1 {
        let each = Bytes::new(limits.size.get() / u64::from(limits.count));
        let size = Figure::new(each.get() as f64, "B", each.to_string());
        reader.note(span, say!(RigLocalDisks { volume: name, disks: limits.count, size }));
    }
    let writes = |gates: &[&str]| gates.iter().any(|gate| vm.writes(gate));
    if !limits.knows_writes && !limits.shares_cached && !writes(&[gates::LOCAL, gates::LOCAL_WRITES]) {
        reader.note(span, say!(RigLocalReads { volume: name, size: &row.name }));
    }
    if limits.by_direction != DirectionLimits::default() && !writes(&[gates::LOCAL]) {
        reader.note(span, say!(RigLocalApart { volume: name }));
    }
}
