//! Disks: the shorthand `10 x P30` and the tables, as disks of the model.

use std::ops::Range;

use dw_catalogue::{Catalogue, DiskOffer, DiskOptions, Kind, LatencySetting};
use dw_stack::{DiskSpec, LimitSpec, VolumeSpec};
use dw_units::{Bytes, Iops};
use serde_spanned::Spanned;

use super::file::{DiskFile, LimitFile, VolumeFile};
use super::latency::{LatencyUse, bandwidth, own};
use super::limits;
use super::reader::Reader;
use super::scalar::{Field, TextOr};

/// More than any VM takes; keeps a slip of the finger from filling the memory.
pub(super) const COUNT_MAX: u64 = 256;

/// Several disks alike.
pub(super) struct Group {
    pub(super) count: usize,
    /// How reports call one of them: `P30`.
    pub(super) label: String,
    pub(super) spec: DiskSpec,
    /// The offer, absent for a disk of the user's own.
    pub(super) offer: Option<DiskOffer>,
    /// What was chosen for each of them.
    pub(super) options: DiskOptions,
    pub(super) latency: Vec<LatencyUse>,
    pub(super) span: Range<usize>,
}

impl Group {
    /// `10 x P30`, or `P30` for a single one.
    pub(super) fn text(&self) -> String {
        if self.count == 1 { self.label.clone() } else { format!("{} x {}", self.count, self.label) }
    }
    pub(super) fn kind(&self) -> Option<&'static Kind> {
        self.offer.as_ref().map(|offer| offer.kind())
    }
}

/// What a volume's `disks` says.
pub(super) enum Disks {
    /// The VM's temp disk.
    Temp,
    /// Remote disks, in order.
    Remote(Vec<Group>),
}

pub(super) fn read(reader: &mut Reader, catalogue: &Catalogue, volume: &VolumeFile) -> Option<Disks> {
    let span = volume.disks.span();
    match volume.disks.get_ref() {
        TextOr::Text(text) if text.trim().eq_ignore_ascii_case("temp") => {
            if let Some(edition) = &volume.edition {
                let what = "`edition` next to the temp disk has no effect";
                reader.error(edition.span(), what, "remove it: the edition of the VM counts");
            }
            Some(Disks::Temp)
        }
        TextOr::Text(text) => {
            let edition = volume.edition.as_ref().map(|e| e.get_ref().0.as_str());
            let groups: Option<Vec<Group>> =
                text.split('+').map(|part| shorthand(reader, catalogue, part, edition, &span)).collect();
            groups.map(Disks::Remote)
        }
        TextOr::Many(files) if files.is_empty() => {
            reader.error(span, "`disks` is an empty list", "write at least one disk, for example `disks = \"P30\"`");
            None
        }
        TextOr::Many(files) => {
            if let Some(edition) = &volume.edition {
                let what = "`edition` next to a list of disks has no effect";
                reader.error(edition.span(), what, "write it into each table of the list");
            }
            // All of them, so that every fault is found.
            let groups: Vec<Option<Group>> = files.iter().map(|file| table(reader, catalogue, file)).collect();
            groups.into_iter().collect::<Option<Vec<Group>>>().map(Disks::Remote)
        }
    }
}

/// The number of a shorthand and the disk: `10 x P30`, `10x P30`, `10 * P30` and `10 × P30` are one; `P30` has none.
pub(super) fn counted(text: &str) -> (Option<&str>, &str) {
    let text = text.trim();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-').len();
    let (count, rest) = text.split_at(digits);
    match rest.trim_start().strip_prefix(['x', 'X', '*', '×']) {
        Some(sku) if !count.is_empty() => return (Some(count), sku.trim()),
        _ => {}
    }
    // `four x P30` has a number, too, if none of ours.
    let signed = [" x ", " X ", " * ", " × "].iter().find_map(|sign| text.split_once(sign));
    match signed.filter(|_| turned(text).is_none()) {
        Some((count, sku)) => (Some(count.trim()), sku.trim()),
        None => (None, text),
    }
}

/// What a shorthand was probably to be, where it is none: the number stands behind the disk, or without a sign.
fn turned(text: &str) -> Option<String> {
    let is_count = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let plain = text.replace(['*', '×'], " x ");
    let words: Vec<&str> = plain.split_whitespace().filter(|word| !word.eq_ignore_ascii_case("x")).collect();
    let [first, second] = words.as_slice() else { return None };
    let second = second.strip_prefix(['x', 'X']).unwrap_or(second);
    match (is_count(first), is_count(&second)) {
        (true, false) => Some(format!("{first} x {second}")),
        (false, true) => Some(format!("{second} x {first}")),
        _ => None,
    }
}

/// `10 x P30` or `P30`.
fn shorthand(
    reader: &mut Reader,
    catalogue: &Catalogue,
    text: &str,
    edition: Option<&str>,
    span: &Range<usize>,
) -> Option<Group> {
    if text.trim().is_empty() {
        let hint = "write the disks, for example `disks = \"4 x P30\"`, or `disks = \"temp\"` for the VM's temp disk";
        reader.error(span.clone(), "`disks` names no disk", hint);
        return None;
    }
    let (count, sku) = match counted(text) {
        (Some(count), sku) => match count.parse::<u64>() {
            Ok(n) if (1..=COUNT_MAX).contains(&n) => (n, sku),
            _ => {
                let what = format!("`{count}` is not a number of disks from 1 to {COUNT_MAX}");
                reader.error(span.clone(), what, "write for example `disks = \"10 x P30\"`");
                return None;
            }
        },
        (None, sku) => (1, sku),
    };
    if let (Err(_), Some(turned)) = (catalogue.disk(sku, edition), turned(sku)) {
        let what = format!("`{sku}` is not a number of disks");
        reader.error(span.clone(), what, format!("write the number first: `disks = \"{turned}\"`"));
        return None;
    }
    let offer = lookup(reader, catalogue, sku, edition, span)?;
    let spec = match offer.disk_spec(&offer.sku, &DiskOptions { latency: reader.latency, ..DiskOptions::default() }) {
        Ok(spec) => spec,
        Err(e) => {
            let hint =
                format!("{}; write a table: `disks = [{{ sku = \"{}\", size = \"1 TiB\", ... }}]`", e.hint, offer.sku);
            reader.error(span.clone(), e.what, hint);
            return None;
        }
    };
    Some(Group {
        count: count as usize,
        label: offer.sku.clone(),
        latency: catalogue_latency(&offer, reader.latency),
        spec,
        offer: Some(offer),
        options: DiskOptions::default(),
        span: span.clone(),
    })
}

fn table(reader: &mut Reader, catalogue: &Catalogue, file: &Spanned<DiskFile>) -> Option<Group> {
    let span = file.span();
    let file = file.get_ref();
    let count = reader.count("count", &file.count, 1..COUNT_MAX + 1);
    if file.count.is_some() && count.is_none() {
        return None;
    }
    let size = size(reader, &file.size);
    if file.size.is_some() && size.is_none() {
        return None;
    }
    let of_catalogue = file.sku.is_some();
    let options = DiskOptions {
        tier: file.tier.as_ref().map(|t| t.get_ref().0.clone()),
        on_demand_bursting: reader.flag("on_demand_bursting", &file.on_demand_bursting).unwrap_or(false),
        performance_plus: reader.flag("performance_plus", &file.performance_plus).unwrap_or(false),
        size,
        iops: file
            .iops
            .as_ref()
            .filter(|_| of_catalogue)
            .and_then(|i| reader.count_of("iops", i, 1..1 << 40))
            .map(Iops::new),
        throughput: file.throughput.as_ref().filter(|_| of_catalogue).and_then(|t| reader.quantity_of("throughput", t)),
        latency: reader.latency,
    };
    let mut group = match &file.sku {
        Some(sku) => {
            let edition = file.edition.as_ref().map(|e| e.get_ref().0.as_str());
            offered(reader, catalogue, file, &sku.get_ref().0, &sku.span(), edition, &options)?
        }
        None => of_ones_own(reader, file, &options, span)?,
    };
    group.count = count.unwrap_or(1) as usize;
    if let Some(limits) = &file.limits {
        for (key, field, over) in
            [("iops", &file.iops, &limits.iops), ("throughput", &file.throughput, &limits.throughput)]
        {
            if let (Some(field), Some(_)) = (field, over) {
                let what = format!("`{key}` has no effect: `limits` overrides it");
                reader.error(field.span(), what, format!("write `{key}` once"));
            }
        }
        group.spec.limits = limits::apply(reader, group.spec.limits, limits);
    }
    match &file.io_unit {
        Some(unit) if unit.get_ref().0 == "none" => group.spec.io_unit = None,
        unit => {
            if let Some(unit) = reader.quantity::<Bytes>("io_unit", unit) {
                group.spec.io_unit = Some(unit);
            }
        }
    }
    if group.offer.is_some() {
        service_times(reader, file, &mut group);
    }
    Some(group)
}

fn offered(
    reader: &mut Reader,
    catalogue: &Catalogue,
    file: &DiskFile,
    sku: &str,
    span: &Range<usize>,
    edition: Option<&str>,
    options: &DiskOptions,
) -> Option<Group> {
    let offer = lookup(reader, catalogue, sku, edition, span)?;
    let spec = match offer.disk_spec(&offer.sku, options) {
        Ok(spec) => spec,
        Err(e) => {
            reader.error(span_of_option(file, e.option).unwrap_or(span.clone()), e.what, e.hint);
            return None;
        }
    };
    let label = dw_documents::DiskSet {
        count: 1,
        sku: &offer.sku,
        sized: None,
        in_mib: false,
        tier: options.tier.as_deref(),
        performance_plus: options.performance_plus,
        on_demand_bursting: options.on_demand_bursting,
    };
    let label = label.to_string();
    Some(Group {
        count: 1,
        label,
        latency: catalogue_latency(&offer, reader.latency),
        spec,
        offer: Some(offer),
        options: options.clone(),
        span: span.clone(),
    })
}

/// A disk's size, within what a volume can have.
pub(super) fn size(reader: &mut Reader, field: &Field) -> Option<Bytes> {
    let size = reader.quantity::<Bytes>("size", field)?;
    if (1..=VolumeSpec::SIZE_MAX).contains(&size.get()) {
        return Some(size);
    }
    let (span, text) = field.as_ref().map(|f| (f.span(), reader.raw(f))).unwrap_or_default();
    reader.error(
        span,
        format!("`size = {text}` is not a size of a disk"),
        "write 1 B to 1,048,576 TiB, for example `size = \"1 TiB\"`",
    );
    None
}

/// A disk that no catalogue has: its size and service times are the user's, its limits too.
pub(super) fn of_ones_own(
    reader: &mut Reader,
    file: &DiskFile,
    options: &DiskOptions,
    span: Range<usize>,
) -> Option<Group> {
    for (field, key) in file.ways().into_iter().chain([(&file.edition, "edition")]) {
        if let Some(field) = field {
            reader.error(
                field.span(),
                format!("`{key}` needs a `sku`"),
                "add for example `sku = \"P30\"`, or remove it",
            );
        }
    }
    let (Some(size), Some(latency)) = (options.size, &file.latency) else {
        let hint = "add `sku = \"P30\"`, or describe a disk of your own: `size = \"1 TiB\", iops = 5000, \
                    throughput = \"200 MB/s\", latency = { read = \"1 ms\", write = \"1 ms\" }`";
        reader.error(span, "a disk without `sku` needs `size` and `latency`", hint);
        return None;
    };
    let read = own(reader, "read", latency, latency.read.as_ref(), false);
    let write = own(reader, "write", latency, latency.write.as_ref(), true);
    let (Some(read), Some(write)) = (read, write) else {
        if latency.read.is_none() || latency.write.is_none() {
            let hint = "write both, for example `latency = { read = \"1 ms\", write = \"1 ms\" }`";
            reader.error(span, "a disk without `sku` needs the `latency` of reads and of writes", hint);
        }
        return None;
    };
    let written = LimitFile { iops: file.iops.clone(), throughput: file.throughput.clone(), ..LimitFile::default() };
    let limits = limits::apply(reader, LimitSpec::default(), &written);
    let spec = DiskSpec {
        name: String::new(),
        size,
        limits,
        io_unit: None,
        more: Vec::new(),
        read: read.time,
        write: write.time,
        usage_base: None,
        first_touch: None,
        by_direction: Default::default(),
    };
    Some(Group {
        count: 1,
        label: format!("disk of {size}"),
        spec,
        offer: None,
        options: options.clone(),
        latency: vec![of_scenario()],
        span,
    })
}

/// Service times that are written for a disk that has some.
pub(super) fn service_times(reader: &mut Reader, file: &DiskFile, group: &mut Group) {
    let Some(latency) = &file.latency else { return };
    if let Some(bandwidth) = bandwidth(reader, latency) {
        group.spec.read.bandwidth = bandwidth;
        group.spec.write.bandwidth = bandwidth;
    }
    let mut own_models = Vec::new();
    if let Some(read) = own(reader, "read", latency, latency.read.as_ref(), false) {
        group.spec.read = read.time;
        own_models.push(read.model);
    }
    if let Some(write) = own(reader, "write", latency, latency.write.as_ref(), true) {
        group.spec.write = write.time;
        own_models.push(write.model);
    }
    if latency.read.is_some() && latency.write.is_some() {
        group.latency.clear();
    }
    for model in own_models {
        let used = match model.as_deref().and_then(|name| reader.model(name)) {
            Some(model) => LatencyUse::new("", model, reader.latency),
            None => of_scenario(),
        };
        if !group.latency.contains(&used) {
            group.latency.push(used);
        }
    }
}

fn lookup(
    reader: &mut Reader,
    catalogue: &Catalogue,
    sku: &str,
    edition: Option<&str>,
    span: &Range<usize>,
) -> Option<DiskOffer> {
    match catalogue.disk(sku, edition) {
        Ok(offer) => Some(offer.clone()),
        Err(e) => {
            reader.error(span.clone(), e.to_string(), e.hint());
            None
        }
    }
}

fn catalogue_latency(offer: &DiskOffer, setting: LatencySetting) -> Vec<LatencyUse> {
    let model = dw_catalogue::latency::model(offer.kind().latency_model);
    model.map(|model| LatencyUse::new("", model, setting)).into_iter().collect()
}

fn of_scenario() -> LatencyUse {
    LatencyUse {
        place: String::new(),
        model: "scenario".to_string(),
        title: "the scenario's own".to_string(),
        setting: None,
        grade: "-".to_string(),
        reason: "written in the scenario file".to_string(),
    }
}

fn span_of_option(file: &DiskFile, option: &str) -> Option<Range<usize>> {
    let field: &Field = match option {
        "tier" => &file.tier,
        "on_demand_bursting" => &file.on_demand_bursting,
        "performance_plus" => &file.performance_plus,
        "size" => &file.size,
        "iops" => &file.iops,
        "throughput" => &file.throughput,
        _ => return None,
    };
    field.as_ref().map(Spanned::span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_disks_is_read_as_people_write_it() {
        for text in ["4 x P30", "4x P30", "4xP30", "4 X P30", "4*P30", "4 * P30", "4 × P30", "4×P30", " 4  x  P30 "] {
            assert_eq!(counted(text), (Some("4"), "P30"), "{text}");
        }
        for text in ["P30", "PremiumV2", "xP30", "x P30"] {
            assert_eq!(counted(text), (None, text), "{text}");
        }
        for (text, count) in [("-4 x P30", "-4"), ("four x P30", "four")] {
            assert_eq!(counted(text), (Some(count), "P30"), "{text}");
        }
        for text in ["P30 x 4", "P30 x4", "P30 * 4", "P30*4", "P30 × 4", "4 P30", "P30 4"] {
            assert_eq!(turned(text).as_deref(), Some("4 x P30"), "{text}");
        }
        for text in ["P30", "Standard SSD", "4 4", "P30 P40 P50"] {
            assert_eq!(turned(text), None, "{text}");
        }
    }
}
