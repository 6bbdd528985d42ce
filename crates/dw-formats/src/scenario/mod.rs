//! Scenario files: a VM with its disks in a few lines of TOML, checked before anything runs.
//!
//! Lives here: the file's shape, its reader, every check that needs the catalogue.
//! Never here: what the disks then do, prices, opening files.
//! Read next: `file.rs` (what may be written), `volume.rs` (what does not go together), `docs/guide/scenario.md`.
//!
//! The reader never guesses: a value without a unit, a key it does not know, a size that the catalogue does not have are
//! errors with file, line, value and what to write instead. All faults of a file are reported, not just the first.

mod by_vendor;
mod cache;
mod disks;
mod error;
mod file;
mod latency;
mod levels;
mod limits;
mod reader;
mod scalar;
mod snapshot;
pub mod timeline;
mod vm;
mod volume;
mod without_effect;
mod words;

use std::collections::BTreeMap;

use dw_catalogue::latency::{LatencyModel, LatencySetting};
use dw_catalogue::{Attachment, Catalogue, DiskOptions, VmLimits};
use dw_demand::volume_name;
use dw_stack::{CacheMode, StackSpec, VolumeSpec};
use dw_units::Bytes;
use dw_workload::Workload;
use serde_spanned::Spanned;

use crate::fio::VolumeMap;

pub use cache::CacheStart;
pub use error::{Note, ScenarioError, ScenarioErrors};
pub use latency::LatencyUse;
pub use vm::ScenarioVm;

use file::{ScenarioFile, StartFile, WarmFile};
use reader::Reader;

/// A scenario, ready to run.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The model's description.
    pub stack: StackSpec,
    /// Whose machines and disks it names.
    pub vendor: &'static str,
    /// The VM's limits as its page has them or the file overrides them, of which `stack.vm.gates` is made.
    pub limits: VmLimits,
    /// What kind of disks each volume is on.
    pub attachments: Vec<Attachment>,
    /// The VM, by name.
    pub vm: ScenarioVm,
    /// The volumes, by name and mount point, in the order of `stack.volumes`.
    pub volumes: Vec<Volume>,
    /// Burst credits at the start as a report says them: `full`, `empty`, or as they are written.
    pub credits: String,
    /// What the host cache holds at the start.
    pub start: CacheStart,
    /// Ranges that are warm (volume, first byte, bytes), oldest first; empty and `start` warm = what the jobs cover.
    pub warm: Vec<(u16, u64, u64)>,
    /// Service-time models in use.
    pub latency: Vec<LatencyUse>,
    /// Where within the published latencies the default models among them are taken.
    pub latency_setting: LatencySetting,
    /// What happens while the emulator runs, in order; a simulation leaves it out.
    pub timeline: Vec<timeline::Event>,
    /// What its user should know.
    pub notes: Vec<Note>,
}

impl Scenario {
    /// The volumes as job files name them.
    pub fn volume_maps(&self) -> Vec<VolumeMap> {
        let map = |(volume, index): (&Volume, u16)| VolumeMap {
            index,
            name: volume.name.clone(),
            mount: volume.mount.clone(),
            device: volume.device.clone(),
            size: volume.size.get(),
        };
        self.volumes.iter().zip(0..).map(map).collect()
    }

    /// What the host cache holds before `workload` runs (volume, first byte, bytes), oldest first: the ranges that are
    /// written, or the jobs' files on cached volumes.
    pub fn warm_for(&self, workload: &Workload) -> Vec<(u16, u64, u64)> {
        if self.start == CacheStart::Cold {
            return Vec::new();
        }
        if !self.warm.is_empty() {
            return self.warm.clone();
        }
        let mut ranges: Vec<(u16, u64, u64)> = Vec::new();
        for file in workload.jobs.iter().flat_map(|job| &job.files) {
            let cached = self.stack.volumes[usize::from(file.volume)].host_cache != CacheMode::None;
            let range = (file.volume, file.start + file.offset, file.len);
            if cached && !ranges.contains(&range) {
                ranges.push(range);
            }
        }
        ranges
    }
}

/// A volume as jobs find it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Volume {
    pub name: String,
    /// Mount point, without a slash at its end.
    pub mount: Option<String>,
    /// Device node.
    pub device: Option<String>,
    /// Its disks as a person would say it: `10 x P30`.
    pub disks: String,
    pub size: Bytes,
    /// The catalogue's disk (name, edition), where all its disks are that one; absent for others and for the temp disk.
    pub offer: Option<(String, String)>,
    /// Its disks as they are bought; none for the temp disk.
    pub bought: Vec<DiskGroup>,
}

/// Disks alike, as they are bought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskGroup {
    pub count: usize,
    /// How reports call one of them.
    pub label: String,
    /// The catalogue's disk (name, edition); absent for a disk of the user's own.
    pub offer: Option<(String, String)>,
    /// What was chosen for each.
    pub options: DiskOptions,
}

/// Reads a scenario; `name` is how messages call the file.
pub fn read(name: &str, text: &str, catalogue: &Catalogue) -> Result<Scenario, ScenarioErrors> {
    read_with(name, text, catalogue, &With::default())
}

/// The files with latency models that a scenario names; none where it cannot be read.
pub fn latency_models(text: &str) -> Vec<String> {
    let file = toml::from_str::<ScenarioFile>(text);
    file.map(|file| file.latency_models.into_iter().map(Spanned::into_inner).collect()).unwrap_or_default()
}

/// What is known next to the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct With<'a> {
    /// Latency models of the user's own.
    pub models: &'a [LatencyModel],
    /// Replaces the file's latency setting.
    pub latency: Option<LatencySetting>,
}

/// Reads a scenario with what is known next to it.
pub fn read_with(name: &str, text: &str, catalogue: &Catalogue, with: &With) -> Result<Scenario, ScenarioErrors> {
    let mut reader = Reader::new(name, text, with.models);
    let file: ScenarioFile = match toml::from_str(text) {
        Ok(file) => file,
        Err(e) => {
            reader.shape_error(&e);
            return Err(ScenarioErrors(reader.errors));
        }
    };
    let settings = LatencySetting::ALL.map(|setting| (setting.word(), setting));
    let written = reader.choice("latency", &file.latency, &settings);
    reader.latency = with.latency.or(written).unwrap_or_default();
    let scenario = scenario(&mut reader, &file, catalogue);
    match scenario {
        Some(mut scenario) if reader.errors.is_empty() => {
            scenario.notes = reader.notes;
            Ok(scenario)
        }
        _ => {
            reader.errors.sort_by_key(|e| e.span.start);
            Err(ScenarioErrors(reader.errors))
        }
    }
}

/// The JSON Schema of a scenario file.
pub fn schema() -> schemars::Schema {
    schemars::schema_for!(ScenarioFile)
}

fn scenario(reader: &mut Reader, file: &ScenarioFile, catalogue: &Catalogue) -> Option<Scenario> {
    let vendor = by_vendor::vendor(reader, catalogue, file)?;
    if file.volumes.is_empty() {
        let hint = "add `[[volume]]` with `name`, `mount` and `disks`";
        reader.error(file.vm.span(), "the VM has no volume", hint);
    }
    if let Some(vendor) = vendor {
        return by_vendor::scenario(reader, file, vendor, catalogue);
    }
    let vm = vm::read(reader, catalogue, &file.vm);
    let read: Vec<Option<volume::ReadVolume>> =
        file.volumes.iter().map(|v| volume::read(reader, catalogue, vm.as_ref(), v)).collect();
    check_names(reader, file);
    let seed = reader.count("seed", &file.seed, 0..u64::MAX).unwrap_or(1);
    let credits = reader.choice("credits", &file.start.credits, &words::CREDITS);
    let read: Vec<volume::ReadVolume> = read.into_iter().collect::<Option<_>>()?;
    let vm = vm?;
    if let Some(row) = vm.row {
        check_disk_count(reader, file, (&row.name, row.max_data_disks as usize), &read.iter().collect::<Vec<_>>());
    }
    let volumes: Vec<Volume> = read.iter().map(|r| r.volume.clone()).collect();
    let (start, warm) = start(reader, &file.start, &volumes);
    let cached = read.iter().any(|r| r.spec.host_cache != CacheMode::None);
    let mut latency: Vec<LatencyUse> = read.iter().flat_map(|r| r.latency.clone()).collect();
    if cached {
        latency.extend(vm::cache_latency(reader.latency));
    }
    let attachments: Vec<Attachment> = read.iter().map(|r| r.attachment).collect();
    let (vm_spec, paths) = vm.limits.attach(&attachments);
    let mut stack = StackSpec {
        vm: vm_spec,
        volumes: read.into_iter().zip(paths).map(|(r, path)| VolumeSpec { path, ..r.spec }).collect(),
        credits: credits.unwrap_or_default(),
        seed,
    };
    levels::apply(reader, &file.start.levels, &mut stack);
    without_effect::note(reader, file, (&vm, &attachments, &stack), &latency);
    vm::note_sharing(reader, &file.vm, &vm.limits, &attachments);
    Some(Scenario {
        timeline: timeline::read(reader, catalogue, &file.timeline, &stack),
        vendor: dw_catalogue::vendor().id(),
        credits: levels::said(&file.start, &stack),
        stack,
        limits: vm.limits,
        attachments,
        vm: vm.used,
        volumes,
        start,
        warm,
        latency,
        latency_setting: reader.latency,
        notes: Vec::new(),
    })
}

/// Jobs find volumes by name, mount point and device: each must mean one volume. A name is a file, an export and a path, too.
fn check_names(reader: &mut Reader, file: &ScenarioFile) {
    let names: Vec<&str> = file.volumes.iter().map(|volume| volume.get_ref().name.get_ref().0.as_str()).collect();
    for fault in volume_name::faults(&names) {
        let field = &file.volumes[fault.volume].get_ref().name;
        let what = format!("`name = {}` {}", reader.raw(field), fault.why);
        reader.error(field.span(), what, format!("write for example `name = {}`", toml::Value::from(fault.instead)));
    }
    let mut seen: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for (index, volume) in file.volumes.iter().enumerate() {
        let volume = volume.get_ref();
        let fields = [("mount", volume.mount.as_ref()), ("device", volume.device.as_ref())];
        for (key, field) in fields.into_iter().filter_map(|(key, field)| field.map(|f| (key, f))) {
            let text = field.get_ref().0.trim_end_matches('/').to_string();
            if let Some(first) = seen.insert((key, text), index) {
                let what = format!(
                    "two volumes have the {key} `{}`: numbers {} and {}",
                    field.get_ref().0,
                    first + 1,
                    index + 1
                );
                reader.error(field.span(), what, format!("give each volume its own target `{key}`"));
            }
        }
    }
}

fn check_disk_count(
    reader: &mut Reader,
    file: &ScenarioFile,
    (machine, most): (&str, usize),
    volumes: &[&volume::ReadVolume],
) {
    let wanted: usize = volumes.iter().map(|v| v.data_disks).sum();
    if wanted <= most {
        return;
    }
    let parts: Vec<String> =
        volumes.iter().filter(|v| v.data_disks > 0).map(|v| format!("{} {}", v.volume.name, v.data_disks)).collect();
    // The volume that goes over the number is the one to look at.
    let mut sum = 0;
    let culprit = volumes.iter().position(|v| {
        sum += v.data_disks;
        sum > most
    });
    let span = culprit.map_or(file.vm.span(), |i| file.volumes[i].get_ref().disks.span());
    let parts = if parts.len() > 1 { format!(" ({})", parts.join(" + ")) } else { String::new() };
    let what = format!("{wanted} data disks{parts}, but {machine} takes {most}");
    reader.error(span, what, format!("use at most {most}: fewer or larger disks, or a larger VM size"));
}

fn start(reader: &mut Reader, file: &StartFile, volumes: &[Volume]) -> (CacheStart, Vec<(u16, u64, u64)>) {
    let written = reader.choice("cache", &file.cache, &CacheStart::ALL.map(|start| (start.name(), start)));
    if written == Some(CacheStart::Cold) && !file.warm.is_empty() {
        let span = file.cache.as_ref().map(Spanned::span).unwrap_or_default();
        reader.error(span, "`cache = \"cold\"` and `warm` contradict each other", "remove one of the two");
    }
    let warm: Vec<_> = file.warm.iter().filter_map(|w| warm_range(reader, w, volumes)).collect();
    let start = if warm.is_empty() { written.unwrap_or_default() } else { CacheStart::Warm };
    (start, warm)
}

fn warm_range(reader: &mut Reader, file: &Spanned<WarmFile>, volumes: &[Volume]) -> Option<(u16, u64, u64)> {
    let span = file.span();
    let file = file.get_ref();
    let name = &file.volume.get_ref().0;
    let Some(index) = volumes.iter().position(|v| v.name == *name) else {
        let names = volumes.iter().map(|v| v.name.as_str());
        let hint = match dw_error::nearest(name, names.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("volumes: {}", names.collect::<Vec<_>>().join(", ")),
        };
        reader.error(file.volume.span(), format!("unknown volume `{name}`"), hint);
        return None;
    };
    let size = volumes[index].size;
    let offset = reader.quantity::<Bytes>("offset", &file.offset).unwrap_or(Bytes::ZERO);
    let len = reader.quantity::<Bytes>("len", &file.len).unwrap_or(size.saturating_sub(offset));
    if offset.get().checked_add(len.get()).is_none_or(|end| end > size.get()) {
        let what = format!("a warm range of {len} from {offset} ends beyond `{name}`, which is {size}");
        reader.error(span, what, "shorten it, or omit `len` to extend it to the end");
        return None;
    }
    Some((u16::try_from(index).ok()?, offset.get(), len.get()))
}
