//! The VM: a size of the catalogue with overrides, or limits of the user's own.

use dw_catalogue::gates::{self, Attachment, VmLimits};
use dw_catalogue::{Catalogue, LatencySetting, VmSize};
use dw_messages::say;
use dw_stack::sharing::Sharing;
use dw_units::{Bytes, Duration};
use serde_spanned::Spanned;

use super::file::{GateFile, VmFile};
use super::latency::LatencyUse;
use super::reader::{Reader, derived_said};
use super::{cache, limits, words};

/// No provider is known to throttle more finely, or more coarsely.
const THROTTLE_MIN: Duration = Duration::from_ms(1);
const THROTTLE_MAX: Duration = Duration::from_secs(1);

/// The VM of a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScenarioVm {
    /// The size's full name; absent for a VM of the user's own.
    pub size: Option<String>,
    /// The edition of the catalogue.
    pub edition: Option<String>,
    /// What is chosen of it, by key and value.
    pub options: Vec<(String, String)>,
    /// Ids of the catalogue's sources.
    pub sources: Vec<String>,
}

pub(super) struct Vm<'a> {
    pub(super) used: ScenarioVm,
    pub(super) limits: VmLimits,
    /// The row of the catalogue.
    pub(super) row: Option<&'a VmSize>,
    /// The limits that the scenario writes, in the order of the catalogue's gates.
    pub(super) written: Vec<GateFile<'a>>,
}

impl Vm<'_> {
    /// Whether the scenario writes limits of a gate.
    pub(super) fn writes(&self, gate: &str) -> bool {
        self.written.iter().any(|written| written.gate == gate)
    }
}

pub(super) fn read<'a>(reader: &mut Reader, catalogue: &'a Catalogue, file: &'a Spanned<VmFile>) -> Option<Vm<'a>> {
    let span = file.span();
    let file = file.get_ref();
    let edition = file.edition.as_ref().map(|e| e.get_ref().0.as_str());
    let row = match &file.size {
        Some(size) => match catalogue.vm(&size.get_ref().0, edition) {
            Ok(row) => Some(row),
            Err(e) => {
                let wrong_edition = e.edition.is_some() && !e.editions.is_empty();
                let at = file.edition.as_ref().filter(|_| wrong_edition).map_or(size.span(), Spanned::span);
                reader.error(at, e.to_string(), e.hint());
                return None;
            }
        },
        None => {
            if let Some(edition) = &file.edition {
                reader.error(edition.span(), "`edition` needs a `size`", "add for example `size = \"Standard_DS14\"`");
            }
            None
        }
    };
    let mut spec = row.map(|row| row.limits(reader.latency)).unwrap_or_default();
    let used = ScenarioVm {
        size: row.map(|r| r.name.clone()),
        edition: row.map(|r| r.edition.clone()),
        options: Vec::new(),
        sources: row.map(|r| vec![r.source.clone()]).unwrap_or_default(),
    };
    let written = written_limits(reader, file);
    for GateFile { gate, limit, .. } in &written {
        if let Some(spec) = spec.gate_mut(gate) {
            *spec = limits::apply(reader, *spec, limit);
        }
    }
    sharing(reader, &mut spec, row, file);
    if let Some(interval) = throttle_interval(reader, file) {
        spec.throttle_interval = interval;
    }
    if let Some(file) = &file.cache {
        host_cache(reader, &mut spec, row, file);
    }
    let vm = Vm { used, limits: spec, row, written };
    notes(reader, &vm, file, &span);
    Some(vm)
}

/// How finely limits are dealt out, where it is written.
pub(super) fn throttle_interval(reader: &mut Reader, file: &VmFile) -> Option<Duration> {
    let interval = reader.quantity::<Duration>("throttle_interval", &file.throttle_interval)?;
    if (THROTTLE_MIN..=THROTTLE_MAX).contains(&interval) {
        return Some(interval);
    }
    let span = file.throttle_interval.as_ref().map(Spanned::span).unwrap_or_default();
    let what = format!("`throttle_interval = \"{interval}\"` is out of range");
    reader.error(span, what, "write from `\"1 ms\"` to `\"1 s\"`, or omit it for evenly spaced limits");
    None
}

/// The limits that are written, each gate once, in the order of the catalogue's gates.
fn written_limits<'a>(reader: &mut Reader, file: &'a VmFile) -> Vec<GateFile<'a>> {
    let mut written: Vec<GateFile> = file.short_limits().collect();
    for own in file.gate_limits() {
        if let Some(short) = written.iter().find(|short| short.gate == own.gate) {
            let (first, second) = (reader.line(short.span.start), reader.line(own.span.start));
            let what = format!(
                "the limits of gate `{}` are given twice: `{}` in line {first} and `{}` in line {second}",
                own.gate, short.key, own.key
            );
            reader.error(own.span, what, format!("write all values under `{}`, and remove `{}`", own.key, short.key));
        } else if gates::WRITABLE.iter().all(|(name, _)| *name != own.gate) {
            let names = gates::WRITABLE.iter().map(|(name, _)| *name);
            let all = names.clone().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let hint = match dw_error::nearest(own.gate, names) {
                Some(near) => format!("did you mean `{near}`? Gates: {all}"),
                None => format!("write one of {all}"),
            };
            reader.error(own.span, format!("unknown gate `{}`", own.gate), hint);
        } else {
            written.push(own);
        }
    }
    let place = |gate: &str| gates::WRITABLE.iter().position(|(name, _)| *name == gate);
    written.sort_by_key(|written| place(written.gate));
    written
}

/// Whether the two uncached limits are one budget, where there are two.
fn sharing(reader: &mut Reader, spec: &mut VmLimits, row: Option<&VmSize>, file: &VmFile) {
    let Some(sharing) = reader.choice("uncached_sharing", file.sharing(), &words::SHARINGS) else { return };
    if spec.uncached_premium2.is_none() {
        let span = file.sharing().as_ref().map(Spanned::span).unwrap_or_default();
        let who = row.map_or("this VM", |row| &row.name);
        let what = format!("`uncached_sharing` changes nothing: {who} has one uncached limit for all remote disks");
        reader.error(span, what, "remove it, or give the second limit: `gates.uncached-v2 = { iops = 20000 }`");
    }
    spec.uncached_sharing = sharing;
}

/// What is assumed of two uncached limits, where disks of both kinds are there.
pub(super) fn note_sharing(reader: &mut Reader, file: &Spanned<VmFile>, limits: &VmLimits, disks: &[Attachment]) {
    if !limits.has_both(disks) {
        return;
    }
    let at = file.get_ref().size.as_ref().map_or(file.span(), Spanned::span);
    let text = match limits.uncached_sharing {
        Sharing::Shared => say!(RigUncachedShared),
        Sharing::Separate => say!(RigUncachedSeparate),
    };
    reader.note(&at, text);
}

fn host_cache(
    reader: &mut Reader,
    spec: &mut VmLimits,
    row: Option<&VmSize>,
    file: &Spanned<super::file::HostCacheFile>,
) {
    let span = file.span();
    let file = file.get_ref();
    let capacity = reader.quantity::<Bytes>("capacity", &file.capacity);
    if let Some(row) = row.filter(|r| r.host_caching == Some(false)) {
        let hint = "remove `cache`, or take a size with host caching";
        reader.error(span, format!("{} has no host cache", row.name), hint);
        return;
    }
    // A capacity brings its own default tiers; whatever else is written then goes on top.
    let mut cache = match (capacity, spec.host_cache.take()) {
        (Some(capacity), _) => dw_catalogue::default_host_cache(capacity, reader.latency),
        (None, Some(cache)) => cache,
        (None, None) => {
            let hint = "add for example `capacity = \"576 GiB\"`";
            reader.error(span, "the capacity of this VM's host cache is unknown", hint);
            return;
        }
    };
    cache::apply(reader, &mut cache, file);
    spec.host_cache = Some(cache);
}

fn notes(reader: &mut Reader, vm: &Vm, file: &VmFile, span: &std::ops::Range<usize>) {
    let Some(row) = vm.row else { return };
    let at = file.size.as_ref().map_or(span.clone(), Spanned::span);
    for key in row.unknown_limits().into_iter().filter(|gate| !vm.writes(gate)) {
        reader.note(&at, say!(RigUnknownLimits { key, size: &row.name, edition: row.edition.to_string() }));
    }
    // What is said of the temp disk is said where a volume is on it.
    for derived in row.derived.iter().filter(|derived| !derived.field.starts_with("temp")) {
        reader.note(&at, derived_said(row, derived));
    }
    for note in &row.notes {
        reader.note(&at, say!(RigRemark { size: &row.name, remark: note }));
    }
}

/// The service times of the host cache's tiers, for reports.
pub(super) fn cache_latency(setting: LatencySetting) -> Vec<LatencyUse> {
    let tiers = [
        ("host cache, RAM hit", "ram-hit"),
        ("host cache, SSD hit", "ssd-hit"),
        ("host cache, miss", "cache-miss-penalty"),
    ];
    let found = tiers.into_iter().filter_map(|(place, name)| Some((place, dw_catalogue::latency::model(name)?)));
    found.map(|(place, model)| LatencyUse::new(place, model, setting)).collect()
}
