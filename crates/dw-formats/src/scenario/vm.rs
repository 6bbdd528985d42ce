//! The VM: a size of the catalogue with overrides, or limits of the user's own.

use dw_catalogue::{Catalogue, VmSize};
use dw_stack::VmSpec;
use dw_units::Bytes;
use serde_spanned::Spanned;

use super::file::VmFile;
use super::latency::LatencyUse;
use super::reader::Reader;
use super::{cache, limits};

/// The VM of a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VmUsed {
    /// The size's full name; absent for a VM of the user's own.
    pub size: Option<String>,
    /// The edition of the catalogue.
    pub edition: Option<String>,
    /// Ids of the catalogue's sources.
    pub sources: Vec<String>,
    /// What was written over the catalogue's figures.
    pub overridden: Vec<String>,
}

pub(super) struct Vm<'a> {
    pub(super) used: VmUsed,
    pub(super) spec: VmSpec,
    /// The row of the catalogue.
    pub(super) row: Option<&'a VmSize>,
}

pub(super) fn read<'a>(reader: &mut Reader, catalogue: &'a Catalogue, file: &Spanned<VmFile>) -> Option<Vm<'a>> {
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
    let mut spec = row.map(VmSize::vm_spec).unwrap_or_default();
    let mut used = VmUsed {
        size: row.map(|r| r.name.clone()),
        edition: row.map(|r| r.edition.clone()),
        sources: row.map(|r| vec![r.source.clone()]).unwrap_or_default(),
        overridden: Vec::new(),
    };
    for (key, file, limit) in
        [("uncached", &file.uncached, &mut spec.uncached), ("cached", &file.cached, &mut spec.cached)]
    {
        if let Some(file) = file {
            *limit = limits::apply(reader, *limit, file);
            used.overridden.push(key.to_string());
        }
    }
    if let Some(file) = &file.uncached_premium2 {
        spec.uncached_premium2 = Some(limits::apply(reader, spec.uncached_premium2.unwrap_or_default(), file));
        used.overridden.push("uncached_premium2".to_string());
    }
    if let Some(file) = &file.cache {
        host_cache(reader, &mut spec, row, file);
        used.overridden.push("cache".to_string());
    }
    if let Some(row) = row {
        notes(reader, row, file, &span);
    }
    Some(Vm { used, spec, row })
}

fn host_cache(
    reader: &mut Reader,
    spec: &mut VmSpec,
    row: Option<&VmSize>,
    file: &Spanned<super::file::HostCacheFile>,
) {
    let span = file.span();
    let file = file.get_ref();
    let capacity = reader.quantity::<Bytes>("capacity", &file.capacity);
    if let Some(row) = row.filter(|r| !r.host_caching) {
        let hint = "remove `cache`, or take a size with host caching";
        reader.error(span, format!("{} has no host cache", row.name), hint);
        return;
    }
    // A capacity brings its own default tiers; whatever else is written then goes on top.
    let mut cache = match (capacity, spec.host_cache.take()) {
        (Some(capacity), _) => dw_catalogue::default_host_cache(capacity),
        (None, Some(cache)) => cache,
        (None, None) => {
            let hint = "add for example `capacity = \"576 GiB\"`";
            reader.error(span, "the capacity of this VM's host cache is not known", hint);
            return;
        }
    };
    cache::apply(reader, &mut cache, file);
    spec.host_cache = Some(cache);
}

fn notes(reader: &mut Reader, row: &VmSize, file: &VmFile, span: &std::ops::Range<usize>) {
    let at = file.size.as_ref().map_or(span.clone(), Spanned::span);
    if !row.is_complete() && (file.cached.is_none() || file.uncached.is_none()) {
        let text = format!(
            "edition {} does not give all limits of {}: what is missing counts as unlimited",
            row.edition, row.name
        );
        reader.note(&at, text);
    }
    for derived in &row.derived {
        reader.note(&at, format!("{}: {}: {}", row.name, derived.field, derived.rule));
    }
    for note in &row.notes {
        reader.note(&at, format!("{}: {note}", row.name));
    }
}

/// The service times of the host cache's tiers, for reports.
pub(super) fn cache_latency() -> Vec<LatencyUse> {
    let tiers = [
        ("host cache, RAM hit", "ram-hit"),
        ("host cache, SSD hit", "ssd-hit"),
        ("host cache, miss", "cache-miss-penalty"),
    ];
    let found = tiers.into_iter().filter_map(|(place, name)| Some((place, dw_catalogue::latency::model(name)?)));
    found
        .map(|(place, model)| LatencyUse {
            place: place.to_string(),
            model: model.name.to_string(),
            grade: model.grade.to_string(),
            reason: model.reason.to_string(),
        })
        .collect()
}
